"""The articles of a feed: every entry downloaded, extracted, and told apart from index pages (CoreEx's use)."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Final, Unpack

from tamis.api.extraction import Extraction, extract_with
from tamis.api.options import Options
from tamis.papers.coreex import CoreEx
from tamis.render.shown import index_links
from tamis.sources.feeds import Feed, FeedEntry
from tamis.sources.fetch import FetchKeywords, afetch_many
from tamis.sources.fetched import Fetched

#: Pages that are downloaded together; the next ones wait until these are extracted, so memory stays flat.
_AT_ONCE: Final = 8


@dataclass(frozen=True, slots=True, eq=False)
class FeedArticle:
    """An entry of a feed and the page behind it.

    Attributes:
        entry: the entry.
        extraction: what the page holds, None where it could not be downloaded.
        is_article: whether the page is an article (and not an index page), None where it could not be downloaded.
        error: why it could not be downloaded.
    """

    entry: FeedEntry
    extraction: Extraction | None = None
    is_article: bool | None = None
    error: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return one row of ``tamis feed``: the entry, the status, and the content."""
        row: dict[str, Any] = {"entry": asdict(self.entry), "status": "error", "error": self.error}
        extraction = self.extraction
        if extraction is None:
            return row
        if self.is_article:
            row["status"] = "article" if extraction else "empty"
        else:
            row["status"] = "index" if extraction.page.shown.any() else "empty"
        row["error"] = extraction.empty_reason
        return row | {
            "url": extraction.url,
            "title": extraction.title,
            "page_type": extraction.page_type,
            "confidence": extraction.confidence,
            "metadata": extraction.metadata.as_dict(),
            "text": extraction.text,
            "markdown": extraction.markdown,
            "index_links": index_links(extraction.page, extraction.selection, extraction.url),
        }


def read_articles(
    feed: Feed,
    *,
    options: Options | None = None,
    max_entries: int | None = None,
    **keywords: Unpack[FetchKeywords],
) -> Iterator[FeedArticle]:
    """Download and extract the articles of a feed, in its order. One that fails has an `error` and stops no other.

    Args:
        feed: from `tamis.sources.feeds.parse_feed`.
        options: how the content is chosen.
        max_entries: stop after this many entries.
        keywords: those of `tamis.fetch`. A feed's entries come from strangers: private networks are closed.
    """
    entries = iter(feed.entries[:max_entries])
    while chunk := list(islice(entries, _AT_ONCE)):
        pages = asyncio.run(_download([entry.url for entry in chunk], keywords))
        for entry, page in zip(chunk, pages, strict=True):
            if isinstance(page, str):
                yield FeedArticle(entry, error=page)
                continue
            extraction = extract_with(page, None, options or Options())
            is_article = CoreEx().select(extraction.page).page_type == "article"
            yield FeedArticle(entry, extraction, is_article)


async def _download(urls: Sequence[str], keywords: FetchKeywords) -> list[Fetched | str]:
    """Return each page, or why it could not be downloaded."""
    found = {url: page async for url, page in afetch_many(urls, **keywords)}
    pages = (found[url] for url in urls)
    return [page if isinstance(page, Fetched) else str(page) for page in pages]
