"""A Scrapy item pipeline: pages come in as HTML and go out as content.

    pip install tamis scrapy
    python examples/scrapy_pipeline.py https://example.org/ -o pages.jsonl

In a project of your own, put `TamisPipeline` into ``ITEM_PIPELINES``, and let your spider yield items with ``html``
(``response.body``), ``url`` and ``encoding``.
"""

import argparse
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from itemadapter import ItemAdapter
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DropItem
from scrapy.http import Response, TextResponse

import tamis


class TamisPipeline:
    """Replaces the HTML of an item by its content. Items without content are dropped, and the log says why."""

    def process_item(self, item: Any, spider: object = None) -> Any:  # noqa: ANN401, ARG002 (Scrapy's signature)
        """Return the item with ``text``, ``title``, ``date``, ``language``, ``page_type`` and ``confidence``."""
        values = ItemAdapter(item)
        extraction = tamis.extract(values.pop("html"), values.get("url"), encoding=values.pop("encoding", None))
        if not extraction:
            raise DropItem(f"{values.get('url')}: {extraction.empty_reason}")
        metadata = extraction.metadata
        values["text"], values["title"] = extraction.markdown, extraction.title
        values["date"], values["language"] = metadata.date, metadata.language
        values["page_type"], values["confidence"] = extraction.page_type, extraction.confidence
        return item


class SiteSpider(scrapy.Spider):
    """Follows the links of a site."""

    name = "site"

    def parse(self, response: Response, **_: object) -> Iterator[Any]:
        """Yield the page, and the pages of the same host that it links to."""
        if not isinstance(response, TextResponse):
            return
        yield {"url": response.url, "html": response.body, "encoding": response.encoding}
        host = urlsplit(response.url).netloc
        for link in response.css("a::attr(href)").getall():
            url = response.urljoin(link)
            if urlsplit(url).netloc == host:
                yield response.follow(url)


def main() -> None:
    """Crawl the sites that are named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("urls", nargs="+")
    parser.add_argument("-o", "--output", default="pages.jsonl")
    options = parser.parse_args()
    process = CrawlerProcess(
        {
            "ITEM_PIPELINES": {TamisPipeline: 300},
            "FEEDS": {options.output: {"format": "jsonlines", "encoding": "utf8", "overwrite": True}},
            "DEPTH_LIMIT": 2,
            "LOG_LEVEL": "WARNING",
        }
    )
    process.crawl(SiteSpider, start_urls=options.urls)
    process.start()


if __name__ == "__main__":
    main()
