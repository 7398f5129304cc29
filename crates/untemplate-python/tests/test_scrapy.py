"""A real crawl of the demo site on loopback, with the pipeline and with the mixin."""

import json
import subprocess
import sys

import pytest

import untemplate

pytest.importorskip("scrapy")

SPIDER = """
import sys
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from untemplate.scrapy import ExtractMixin

entry, wrapper, way, out = sys.argv[1:]
SETTINGS = {
    "ROBOTSTXT_OBEY": False, "TELNETCONSOLE_ENABLED": False, "LOG_LEVEL": "WARNING", "FEEDS": {out: {"format": "jsonlines"}},
}
follow = [Rule(LinkExtractor(allow=r"/players/[^/]*\\d\\.html$"), callback="on_page", follow=True), Rule(LinkExtractor(allow="/(players|teams)/"))]

class Mixed(ExtractMixin, CrawlSpider):
    name, start_urls, rules = "mixed", [entry], follow
    def on_page(self, response):
        return self.extract(response)
Mixed.wrapper = wrapper

class Piped(CrawlSpider):
    name, start_urls, rules = "piped", [entry], follow
    custom_settings = {"ITEM_PIPELINES": {"untemplate.scrapy.ExtractPipeline": 100}, "UNTEMPLATE_WRAPPER": wrapper}
    def on_page(self, response):
        yield {"response": response}

process = CrawlerProcess(SETTINGS)
process.crawl({"mixed": Mixed, "piped": Piped}[way])
process.start()
"""


@pytest.mark.parametrize("way, ending", [("mixed", "json"), ("piped", "json"), ("piped", "xml")])
def test_a_crawl_gives_the_records_of_its_pages(way, ending, served, players, tmp_path):
    wrapper = untemplate.infer(players)
    if ending == "xml":
        url, read = players[0][0], wrapper.extract(players[0])["record"]
        value = next(value for value in read.values() if isinstance(value, str) and len(value) > 3)
        wrapper = untemplate.learn(players[:6], {"value": {url: value}})
    file, spider, out = tmp_path / f"player.{ending}", tmp_path / "spider.py", tmp_path / "items.jsonl"
    wrapper.save(file)
    spider.write_text(SPIDER)
    done = subprocess.run([sys.executable, spider, served, file, way, out], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    items = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(items) >= len(players) * 0.9, done.stderr
    own = {url.rsplit("/", 1)[1]: body for url, body in players}
    for item in items:
        url = item.pop("url")
        assert item == wrapper.extract((url, own[url.rsplit("/", 1)[1]]))["record"]


def test_the_integration_is_short():
    from untemplate import scrapy

    with open(scrapy.__file__) as source:
        assert len(source.readlines()) < 40
