"""Articles of several pages: where the next one is, and the parts joined. Nothing here fetches."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import parse_qsl, urldefrag, urlsplit

import numpy as np

from tamis.api.extraction import Extraction
from tamis.html.urls import hostname, safe_url, split_url
from tamis.page import Page, parse_page
from tamis.page.base_url import base_url
from tamis.render.text import block_texts

_NEXT: Final = re.compile(
    r"^(?:next(?:\s+(?:page|part|chapter))?|older|continue(?:\s+reading)?|weiter|nächste(?:\s+seite)?|suivante?|siguiente|"
    r"page\s+suivante|próxima|avanti|volgende|далее|следующая|下一页|下一頁|次へ|次のページ|다음|التالي)?\s*[»›>→]*$",
    re.IGNORECASE,
)
_PAGED: Final = re.compile(
    r"(?:^|[/_?&=.-])(?:p|page|pg|seite|part|teil|s)?[=/_-]?(\d{1,3})(?=$|[/.?&#_-])", re.IGNORECASE
)


def next_page(markup: str | bytes, url: str | None = None) -> str | None:
    """Return the address of the next part of an article, or None. Nothing is fetched.

    >>> next_page('<a href="?page=2">2</a> <a href="?page=2">Next »</a>', "https://example.org/tea")
    'https://example.org/tea?page=2'
    """
    page = parse_page(markup)
    url = url if split_url(url) else None  # what cannot be read says nothing of where this page is
    base = base_url(page, url)
    here = urldefrag(url or "")[0]
    for row in page.select("link[rel~='next' i][href],a[rel~='next' i][href]"):
        address = safe_url(page.attributes(row)["href"], base)
        if address and urldefrag(address)[0] != here and _same_site(address, url):
            return address
    said = [(row, address) for row, address in _links(page, base) if _says_next(page, row)]
    for _, address in said:
        if urldefrag(address)[0] != here and _continues(address, here):
            return address
    return _by_number(page, base, here)


def _links(page: Page, base: str | None) -> list[tuple[int, str]]:
    out = []
    for row in page.select("a[href]"):
        href = page.attributes(row)["href"]
        address = safe_url(href, base) if href and not href.startswith("#") else None
        if address and not page.hidden[row]:
            out.append((row, address))
    return out


def _says_next(page: Page, row: int) -> bool:
    given = page.attributes(row)
    words = " ".join(page.row_text(row).split()) or given.get("aria-label", "") or given.get("title", "")
    return bool(words) and bool(_NEXT.match(words))


def _same_site(address: str, url: str | None) -> bool:
    return not url or hostname(address) == hostname(url)


def _stem(address: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """Return what the addresses of the parts of one article have in common: all but numbers."""
    parts = urlsplit(address)
    path = re.sub(r"(?:[/_-](?:p|page|seite|part)?[/_-]?\d{1,3})(?=(?:\.\w+)?/?$)", "", parts.path).rstrip("/")
    query = tuple((name, value) for name, value in parse_qsl(parts.query) if not value.isdigit())
    return parts.netloc, re.sub(r"\.\w{2,5}$", "", path), query


def _continues(address: str, here: str) -> bool:
    """Whether an address looks like another part of the same article: the same but for a number."""
    return not here or _stem(address) == _stem(here)


def _number(address: str) -> int:
    parts = urlsplit(address)
    found = _PAGED.findall(f"{parts.path}?{parts.query}")
    return int(found[-1]) if found else 1


def _by_number(page: Page, base: str | None, here: str) -> str | None:
    """Return the link whose text is the number after this page's, if its address continues this one."""
    if not here:
        return None
    wanted = str(_number(here) + 1)
    for row, address in _links(page, base):
        text = "".join(page.row_text(row).split())
        if text == wanted and _continues(address, here) and _number(address) == int(wanted):
            return address
    return None


@dataclass(frozen=True, slots=True)
class PagedArticle:
    """The pages of one article, each without what a page before it said already."""

    pages: tuple[Extraction, ...]

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
        return "\n\n".join(text for text in (page.markdown for page in self.pages) if text)

    @property
    def html(self) -> str:
        """All pages as clean HTML."""
        return "".join(page.html for page in self.pages)


def join_pages(extractions: Sequence[Extraction]) -> PagedArticle:
    r"""Join the extractions of the pages of one article; what a page repeats is left out.

    >>> import tamis
    >>> first, second = (tamis.extract(f"<h1>Tea</h1><p>Part {n}.", extractor="body") for n in (1, 2))
    >>> join_pages([first, second]).text
    'Tea\n\nPart 1.\n\nPart 2.'
    """
    seen: set[str] = set()
    out = []
    for one in extractions:
        page, mask = one.page, one.selection.mask.copy()
        texts = block_texts(page, mask)
        for block, text in texts:
            if text in seen:
                rows = np.flatnonzero(page.blocks.block_of == block)
                mask[rows] = False
        seen.update(text for _, text in texts)
        out.append(replace(one, selection=replace(one.selection, mask=mask)))
    return PagedArticle(tuple(out))
