"""The headings of a page: which of them is the site's name, and where the page shows its title."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.html import tags
from tamis.html.urls import hostname, safe_url, split_url
from tamis.metadata.inline_text import inline_text, row_start
from tamis.metadata.placeholders import is_placeholder
from tamis.metadata.site_names import alnum_key
from tamis.page import Page

if TYPE_CHECKING:
    from tamis.metadata.source import MetadataSource

_MAX_HEADINGS: Final = 50  #: of each level
_MAX_TITLE_CHARS: Final = 200  #: of a text row that may be the title of a page without headings
_MAX_TEXT_ROWS: Final = 1000  #: rows that are compared with a declared title
_MAX_MASTHEAD_ROWS: Final = 20  #: of a heading that are searched for a link
_A: Final = tags.IDS["a"]
ANCHOR_SIGNS: Final = "¶§#🔗 "  #: of links to the heading itself, at its end


def heading_texts(page: Page, tag: str, accept: Callable[[int], bool] = lambda _: True) -> tuple[str, ...]:
    """Return the texts of the visible headings of a level that are accepted, each once."""
    texts = (inline_text(page, row).rstrip(ANCHOR_SIGNS) for row in _shown_rows(page, tag) if accept(row))
    return tuple(dict.fromkeys(text for text in texts if not is_placeholder(text)))


def _shown_rows(page: Page, tag: str) -> list[int]:
    return [row for row in page.rows_of(tag).tolist()[:_MAX_HEADINGS] if not page.hidden[row]]


def find_title_row(source: "MetadataSource") -> int | None:
    """Return the row of the page's title: a heading that shows it, else the first heading, else a line that shows it.

    Authors, dates and the subtitle stand near this row.
    """
    page = source.structured.page
    key = alnum_key(source.title.value) if source.title else ""
    rows = [
        row
        for tag in ("h1", "h2", "h3")
        for row in page.rows_of(tag).tolist()[:_MAX_HEADINGS]
        if not page.hidden[row]
    ]
    keys = [alnum_key(inline_text(page, row)) for row in rows] if key else []
    for agree in (str.__eq__, str.__contains__):
        for row, shown in zip(rows, keys, strict=False):
            if agree(shown, key):
                return int(row)
    first = next(iter(_shown_rows(page, "h1")), None)
    if first is not None or not key:
        return first
    return next((row for row in _short_rows(page) if alnum_key(row_start(page, row)) == key), None)


def is_masthead(source: "MetadataSource", row: int) -> bool:
    """Return whether a heading is the name of the site: a link to its front page, on a page that is another."""
    page = source.structured.page
    links = [
        inner for inner in range(row, min(int(page.end[row]), row + _MAX_MASTHEAD_ROWS)) if page.tag[inner] == _A
    ]
    if not links and page.tag[page.parent[row]] == _A:
        links = [int(page.parent[row])]
    if len(links) != 1 or is_front_page(source.url) or not source.url:
        return False
    url = safe_url(page.attributes(links[0]).get("href", ""), source.base_url)
    return (
        is_front_page(url)
        and hostname(url, strip_www=True) == hostname(source.url, strip_www=True)
        and row_start(page, links[0]).strip() == row_start(page, row).strip()
    )


def is_front_page(url: str | None) -> bool:
    """Return whether a URL is that of a site's front page: it has a host, no path and no query.

    >>> is_front_page("https://example.org/"), is_front_page("https://example.org/?p=959"), is_front_page(None)
    (True, False, False)
    """
    parts = split_url(url)
    return parts is not None and bool(parts.netloc) and not parts.path.strip("/") and not parts.query


def text_keys(page: Page) -> frozenset[str]:
    """Return the keys of the short text rows at the beginning of a page."""
    return frozenset(alnum_key(row_start(page, row)) for row in _short_rows(page))


def _short_rows(page: Page) -> list[int]:
    rows: list[int] = np.flatnonzero(page.shown & (page.chars < _MAX_TITLE_CHARS)).tolist()[:_MAX_TEXT_ROWS]
    return rows
