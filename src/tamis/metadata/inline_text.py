"""How the words of an element are read aloud: one line, without what is hidden, words kept apart where lines are."""

from html import unescape
from typing import Final

import numpy as np

from tamis.document.detect.invisible import strip_invisible
from tamis.html import tags
from tamis.page import Page

_APART: Final = tags.tag_mask("br img hr")  #: what stands between words without being a block
_MOST: Final = 500  #: rows that are read: a title, a name or a date is a short thing


def line_of(page: Page, row: int) -> str:
    """Return the words that an element shows, as one line.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>News<br>Product <span hidden>(ad)</span><b>Man</b>agement</h1>")
    >>> line_of(page, int(page.rows_of("h1")[0]))
    'News Product Management'
    """
    out: list[str] = []
    host = row
    for below in range(row, min(int(page.end[row]), row + _MOST)):
        if _APART[page.tag[below]] and page.is_element[below]:
            out.append(" ")
        elif page.is_text[below] and (not page.hidden[below] or page.hidden[row]):
            own = _host(page, below, row)
            out.append(" " if own != host else "")
            out.append(page.row_text(below))
            host = own
    return clean("".join(out))


def _host(page: Page, row: int, top: int) -> int:
    """Return the block-level element that a text stands in, at most `top`."""
    holder = int(page.parent[row])
    while holder > top and not tags.BLOCK[page.tag[holder]]:
        holder = int(page.parent[holder])
    return max(holder, top)


def first_heading(page: Page) -> int | None:
    """Return the row of the first ``h1`` that is shown."""
    return next((row for row in page.rows_of("h1").tolist() if not page.hidden[row]), None)


def blocks_near(page: Page, row: int, before: int, after: int) -> range:
    """Return the numbers of so many blocks before and after the one that begins at a row.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>a<p>b<h1>c</h1><p>d<p>e")
    >>> blocks_near(page, first_heading(page), 1, 2)
    range(1, 4)
    """
    first = int(np.searchsorted(page.blocks.start, row))
    return range(max(first - before, 0), min(first + after, len(page.blocks)))


def clean(text: str) -> str:
    r"""Return a text as one line, without characters that nobody sees and without references to characters.

    Pages escape twice, in data for machines above all.

    >>> clean("Salt &amp;amp; \u200bpepper\n")
    'Salt & pepper'
    """
    for _ in range(2):
        if "&" not in text:
            break
        text = unescape(text)
    return " ".join(strip_invisible(text).split())
