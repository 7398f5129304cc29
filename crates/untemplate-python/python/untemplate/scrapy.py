"""Scrapy: pages of a crawl to items by a wrapper or a specification (docs/python.md has both ways in full)."""

from pathlib import Path
from scrapy.exceptions import DropItem

from . import Specification, Wrapper


def extract(path, response, _readers={}):
    """What the wrapper or specification of a file (the latter is XML) reads on a response; files are read once."""
    if path not in _readers:
        is_specification = Path(path).read_bytes().lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
        _readers[path] = (Specification if is_specification else Wrapper).load(path)
    content_type = response.headers.get("Content-Type", b"text/html").decode("latin-1")
    read = _readers[path].extract((response.url, response.body, content_type))
    return {"url": read["url"], **read["record"]} if read["matched"] else None


class ExtractMixin:
    """For spiders with a ``wrapper``, the path of its file: ``extract`` is a callback that yields a page's record."""

    def extract(self, response):
        return filter(None, [extract(self.wrapper, response)])


class ExtractPipeline:
    """Makes of items with a ``response`` the record of its page, and drops pages of other classes; others pass."""

    @classmethod
    def from_crawler(cls, crawler):
        pipeline = cls()
        pipeline.path = crawler.settings["UNTEMPLATE_WRAPPER"]
        return pipeline

    def process_item(self, item, spider=None):
        record = extract(self.path, item["response"]) if "response" in item else item
        if record is None:
            raise DropItem(f"{item['response'].url} is of another class")
        return record
