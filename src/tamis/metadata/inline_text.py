"""The visible text of an element as one line, and the blocks around the page's heading."""

from html import unescape
from typing import Final

import numpy as np

from tamis.document.detect.invisible import strip_invisible
from tamis.html import tags
from tamis.page import Page

_WORD_BREAKS: Final = tags.tag_mask("br img hr")  #: elements that separate words without being blocks
_MAX_ROWS: Final = 500  #: rows that are read: titles, names and dates are short


def inline_text(page: Page, row: int) -> str:
    """Return the text that an element shows, as one line.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>News<br>Product <span hidden>(ad)</span><b>Man</b>agement</h1>")
    >>> inline_text(page, int(page.rows_of("h1")[0]))
    'News Product Management'
    """
    texts: list[str] = []
    previous_block = row
    for inner in range(row, min(int(page.end[row]), row + _MAX_ROWS)):
        if _WORD_BREAKS[page.tag[inner]] and page.is_element[inner]:
            texts.append(" ")
        elif page.is_text[inner] and (not page.hidden[inner] or page.hidden[row]):
            block = _block_ancestor(page, inner, row)
            texts.append(" " if block != previous_block else "")
            texts.append(page.row_text(inner))
            previous_block = block
    return clean_line("".join(texts))


def _block_ancestor(page: Page, row: int, top: int) -> int:
    """Return the nearest block-level ancestor of a text row, not above `top`."""
    ancestor = int(page.parent[row])
    while ancestor > top and not tags.BLOCK[page.tag[ancestor]]:
        ancestor = int(page.parent[ancestor])
    return max(ancestor, top)


def first_heading(page: Page) -> int | None:
    """Return the row of the first visible ``h1``."""
    return next((row for row in page.rows_of("h1").tolist() if not page.hidden[row]), None)


def blocks_near(page: Page, row: int, before: int, after: int) -> range:
    """Return the indices of the blocks from `before` blocks before a row to `after` blocks after it.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>a<p>b<h1>c</h1><p>d<p>e")
    >>> blocks_near(page, first_heading(page), 1, 2)
    range(1, 4)
    """
    first = int(np.searchsorted(page.blocks.start, row))
    return range(max(first - before, 0), min(first + after, len(page.blocks)))


def block_text(page: Page, block: int) -> str:
    """Return the text of a block as one line, hidden rows included."""
    start, stop = page.blocks.start[block], page.blocks.stop[block]
    return " ".join(page.text[page.offset[start] : page.offset[stop]].split())


def clean_line(text: str) -> str:
    r"""Return a text as one line, without invisible characters and character references.

    Pages escape twice, above all in structured data.

    >>> clean_line("Salt &amp;amp; \u200bpepper\n")
    'Salt & pepper'
    """
    for _ in range(2):
        if "&" not in text:
            break
        text = unescape(text)
    return " ".join(strip_invisible(text).split())
