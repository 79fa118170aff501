"""Paged articles: the URL of the next page, and pages joined. Nothing here fetches."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urldefrag, urlsplit

from tamis.api.extraction import Extraction
from tamis.api.options import Limits, parse_within
from tamis.errors import OptionError
from tamis.html.text import hostname, safe_url, split_url
from tamis.page import Page
from tamis.page.parse import base_url
from tamis.render.text import block_texts
from tamis.reprs import value_repr

_NEXT: Final = re.compile(
    r"^(?:next(?:\s+(?:page|part|chapter))?|older|continue(?:\s+reading)?|weiter|nächste(?:\s+seite)?|suivante?|siguiente|"
    r"page\s+suivante|próxima|avanti|volgende|далее|следующая|下一页|下一頁|次へ|次のページ|다음|التالي)?\s*[»›>→]*$",
    re.IGNORECASE,
)
_PAGED: Final = re.compile(
    r"(?:^|[/_?&=.-])(?:p|page|pg|seite|part|teil|s)?[=/_-]?(\d{1,3})(?=$|[/.?&#_-])", re.IGNORECASE
)


def next_page(html: str | bytes, url: str | None = None) -> str | None:
    """Return the URL of the next page of an article, or None. Nothing is fetched.

    >>> next_page('<a href="?page=2">2</a> <a href="?page=2">Next »</a>', "https://example.org/tea")
    'https://example.org/tea?page=2'
    """
    if url is not None and not isinstance(url, str):
        raise OptionError(f"url must be a str or None, not {type(url).__name__}")
    page, _ = parse_within(html, None, Limits())
    url = url if split_url(url) else None  # an invalid URL cannot be compared with
    base = base_url(page, url)
    current = urldefrag(url or "")[0]
    for row in page.select("link[rel~='next' i][href],a[rel~='next' i][href]"):
        target = safe_url(page.attributes(row)["href"], base)
        if target and urldefrag(target)[0] != current and _same_site(target, url):
            return target
    links = _links(page, base)
    for row, target in links:
        if _is_next_label(page, row) and urldefrag(target)[0] != current and _continues(target, current):
            return target
    return _by_number(page, links, current)


def _links(page: Page, base: str | None) -> list[tuple[int, str]]:
    """Return the visible links of a page, each with its row and its URL."""
    links = []
    for row in page.select("a[href]"):
        href = page.attributes(row)["href"]
        target = safe_url(href, base) if href and not href.startswith("#") else None
        if target and not page.hidden[row]:
            links.append((row, target))
    return links


def _is_next_label(page: Page, row: int) -> bool:
    attributes = page.attributes(row)
    label = page.collapsed_text(row) or attributes.get("aria-label", "") or attributes.get("title", "")
    return bool(label) and bool(_NEXT.match(label))


def _same_site(target: str, url: str | None) -> bool:
    return not url or hostname(target) == hostname(url)


def _stem(url: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Return what the URLs of the pages of one article have in common: everything but numbers."""
    parts = urlsplit(url)
    path = re.sub(r"(?:[/_-](?:p|page|seite|part)?[/_-]?\d{1,3})(?=(?:\.\w+)?/?$)", "", parts.path).rstrip("/")
    query = tuple((name, value) for name, value in parse_qsl(parts.query) if not value.isdigit())
    return parts.netloc, re.sub(r"\.\w{2,5}$", "", path), query


def _continues(target: str, current: str) -> bool:
    """Return whether a URL is likely another page of the same article: equal except for a number."""
    return not current or _stem(target) == _stem(current)


def _page_number(url: str) -> int:
    parts = urlsplit(url)
    numbers = _PAGED.findall(f"{parts.path}?{parts.query}")
    return int(numbers[-1]) if numbers else 1


def _by_number(page: Page, links: list[tuple[int, str]], current: str) -> str | None:
    """Return the link whose text is the number after this page's, if its URL continues this one."""
    if not current:
        return None
    wanted = _page_number(current) + 1
    for row, target in links:
        text = "".join(page.row_text(row).split())
        if text == str(wanted) and _continues(target, current) and _page_number(target) == wanted:
            return target
    return None


@dataclass(frozen=True, slots=True)
class PagedArticle:
    """The pages of one article, each without the blocks that an earlier page has. The first page has the title."""

    pages: tuple[Extraction, ...]
    __repr__ = value_repr

    @property
    def title(self) -> str | None:
        """The title of the first page."""
        return self.pages[0].title if self.pages else None

    @property
    def text(self) -> str:
        """All pages as plain text."""
        return "\n\n".join(text for text in (page.text for page in self.pages) if text)

    @property
    def markdown(self) -> str:
        """All pages as Markdown."""
        texts = (page.to_markdown(title=not number) for number, page in enumerate(self.pages))
        return "\n\n".join(text for text in texts if text)

    @property
    def html(self) -> str:
        """All pages as clean HTML."""
        return "".join(page.to_html(title=not number) for number, page in enumerate(self.pages))


def join_pages(extractions: Sequence[Extraction]) -> PagedArticle:
    r"""Join the extractions of the pages of one article; blocks that an earlier page has are left out.

    >>> import tamis
    >>> first, second = (tamis.extract(f"<h1>Tea</h1><p>Part {n}.", extractor="body") for n in (1, 2))
    >>> join_pages([first, second]).text
    'Tea\n\nPart 1.\n\nPart 2.'
    """
    if isinstance(extractions, Extraction) or not isinstance(extractions, Iterable):
        raise OptionError(f"join_pages takes a list of extractions, not {type(extractions).__name__}")
    seen: set[str] = set()
    joined = []
    for extraction in extractions:
        if not isinstance(extraction, Extraction):
            raise OptionError(f"join_pages takes extractions, not {type(extraction).__name__}")
        page, mask = extraction.page, extraction.selection.mask.copy()
        texts = block_texts(page, extraction.selection.mask)  # what is found for a mask is kept: it must not change
        for block, text in texts:
            if text in seen:
                mask[page.blocks.block_of == block] = False
        seen.update(text for _, text in texts)
        joined.append(replace(extraction, selection=replace(extraction.selection, mask=mask)))
    return PagedArticle(tuple(joined))
