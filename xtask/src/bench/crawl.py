"""The Python side of `cargo xtask bench crawl`: measures a command, or is Scrapy's side itself.

`measure COMMAND…` runs a command, its output thrown away, and prints a JSON line with the seconds it took, the CPU seconds
of it and its children, and the most memory that one of them had. `scrapy ADDRESS FILE` crawls the site as a Scrapy user
would: every link of the host followed but the endless calendar, a title and the headings of each page as an item in
FILE. No delay, no robots.txt, eight requests at a time.
"""

import json
import resource
import subprocess
import sys
import time


def measure(command):
    begun = time.monotonic()
    code = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    seconds = time.monotonic() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_seconds = used.ru_utime + used.ru_stime
    print(json.dumps({"code": code, "seconds": seconds, "cpu_seconds": cpu_seconds, "memory_kb": used.ru_maxrss}))


def crawl_with_scrapy(address, items):
    from urllib.parse import urlsplit

    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor
    from scrapy.spiders import CrawlSpider, Rule

    class Site(CrawlSpider):
        name = "site"
        start_urls = [address]
        allowed_domains = [urlsplit(address).hostname]
        rules = [Rule(LinkExtractor(deny=["/calendar/"]), callback="parse_page", follow=True)]

        def parse_start_url(self, response):
            return self.parse_page(response)

        def parse_page(self, response):
            yield {
                "url": response.url,
                "title": response.css("title::text").get(),
                "headings": response.css("h1::text, h2::text").getall(),
            }

    process = CrawlerProcess(
        {
            "LOG_ENABLED": False,
            "ROBOTSTXT_OBEY": False,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "TELNETCONSOLE_ENABLED": False,
            "FEEDS": {items: {"format": "jsonlines"}},
        }
    )
    process.crawl(Site)
    process.start()


if sys.argv[1] == "measure":
    measure(sys.argv[2:])
else:
    crawl_with_scrapy(*sys.argv[2:4])
