"""The Python side of `cargo xtask bench parse`: lxml and selectolax over a list of pages.

Takes the list (one path a line), reads all pages into memory, parses each once with each parser and drops the tree at
once; prints a JSON line a parser with the CPU seconds of this process. Both get the bytes of the page. lxml reads the
declared encoding by itself; selectolax wants UTF-8, so that a page in another encoding is decoded first, as its users
must do. Python's cycle collector rests while a parser runs, and what it would find is collected in between.
"""

import codecs
import gc
import importlib.metadata
import json
import re
import sys
import time
from pathlib import Path

CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)""", re.I)
# Names that browsers read as windows-1252, and Python as something narrower.
WIDENED = {"iso8859-1": "cp1252", "ascii": "cp1252"}


def declared_charset(page):
    """The Python codec of the encoding that a page declares; UTF-8 where it declares none that is known."""
    found = CHARSET.search(page, 0, 4096)
    if found is None or page.startswith(codecs.BOM_UTF8):
        return "utf-8"
    try:
        name = codecs.lookup(found.group(1).decode("ascii")).name
    except LookupError:
        return "utf-8"
    # A page that could be searched for its declaration is no UTF-16, whatever it says.
    return "utf-8" if name.startswith("utf-16") else WIDENED.get(name, name)


def lxml_parser():
    from lxml import etree, html

    def parse(page):
        try:
            html.document_fromstring(page)
        except (etree.ParserError, etree.XMLSyntaxError):
            return False
        return True

    return parse


def selectolax_parser():
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    def parse(page):
        charset = declared_charset(page)
        try:
            LexborHTMLParser(page if charset == "utf-8" else page.decode(charset, "replace"))
        except SelectolaxError:
            return False
        return True

    return parse


def measure(name, parse, corpus, pages):
    for page in pages[:3]:
        parse(page)
    gc.collect()
    gc.disable()
    start = time.process_time()
    n_parsed = sum(map(parse, pages))
    seconds = time.process_time() - start
    gc.enable()
    line = {"parser": name, "corpus": corpus, "pages": len(pages), "bytes": sum(map(len, pages)), "seconds": seconds}
    line |= {"refused": len(pages) - n_parsed, "version": importlib.metadata.version(name)}
    print(json.dumps(line), flush=True)


def main():
    listed = Path(sys.argv[1])
    pages = [Path(line).read_bytes() for line in listed.read_text("utf-8").splitlines() if line]
    for name, parser in {"lxml": lxml_parser, "selectolax": selectolax_parser}.items():
        try:
            parse = parser()
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        measure(name, parse, listed.stem, pages)


main()
