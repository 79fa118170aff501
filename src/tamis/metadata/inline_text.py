"""The visible text of an element as one line, and the blocks around the page's heading."""

import re
from itertools import pairwise
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.html.text import strip_invisible, unescape
from tamis.page import Page

_BUTTON, _BR = tags.IDS["button"], tags.IDS["br"]
_WORD_BREAKS: Final = tags.tag_mask("br img hr").tobytes()  #: elements that separate words without being blocks
_MAX_ROWS: Final = 500  #: rows that are read: titles, names and dates are short
#: Characters of a line. The longest title that WCXB dev labels has 257. Comparing lines costs more than linear
#: time, above all the normalisation of many combining characters.
MAX_LINE_CHARS: Final = 1000
_ICONS: Final = re.compile("[\ue000-\uf8ff]+")  #: private use, which fonts of icons draw
_MAX_RAW_CHARS: Final = 4 * MAX_LINE_CHARS  #: of a line before character references and white space are removed


def inline_text(page: Page, row: int) -> str:
    """Return the text that an element shows, as one line; without its buttons, unless it has nothing else.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>News<br>Product <span hidden>(ad)</span><b>Man</b>agement <button>Copy</button></h1>")
    >>> inline_text(page, int(page.rows_of("h1")[0]))
    'News Product Management'
    """
    stop = min(int(page.end[row]), row + _MAX_ROWS)
    has_button = page.tag[row + 1 : stop].tobytes().find(_BUTTON) >= 0
    return (has_button and _line(page, row, stop, buttons=False)) or _line(page, row, stop, buttons=True)


def _line(page: Page, row: int, stop: int, *, buttons: bool) -> str:
    texts: list[str] = []
    previous_block = row
    button_stop = -1
    tag, is_text, hidden = (column[row:stop].tobytes() for column in (page.tag, page.is_text, page.hidden))
    for inner in range(row, stop):
        if inner < button_stop:
            continue
        if tag[inner - row] == _BUTTON and not buttons and inner > row:
            button_stop = int(page.end[inner])
        elif _WORD_BREAKS[tag[inner - row]]:
            texts.append(" ")
        elif is_text[inner - row] and (not hidden[inner - row] or hidden[0]):
            block = _block_ancestor(page, inner, row)
            texts.append(" " if block != previous_block else "")
            texts.append(row_start(page, inner))
            previous_block = block
    return clean_line("".join(texts))


def row_start(page: Page, row: int) -> str:
    """Return the text of a row and its descendants, cut to the length that a line can have."""
    start = int(page.offset[row])
    return page.text[start : min(int(page.offset[page.end[row]]), start + _MAX_RAW_CHARS)]


def _block_ancestor(page: Page, row: int, top: int) -> int:
    """Return the nearest block-level ancestor of a text row, not above `top`."""
    ancestor = int(page.parent[row])
    while ancestor > top and not tags.BLOCK[page.tag[ancestor]]:
        ancestor = int(page.parent[ancestor])
    return max(ancestor, top)


def blocks_near(page: Page, row: int, before: int, after: int) -> range:
    """Return the indices of the blocks from `before` blocks before a row to `after` blocks after it.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>a<p>b<h1>c</h1><p>d<p>e")
    >>> blocks_near(page, int(page.rows_of("h1")[0]), 1, 2)
    range(1, 4)
    """
    first = int(np.searchsorted(page.blocks.start, row))
    return range(max(first - before, 0), min(first + after, len(page.blocks)))


def block_text(page: Page, block: int) -> str:
    """Return the text of a block as one line, hidden rows included.

    >>> from tamis.page import parse_page
    >>> block_text(parse_page("<p>By <b>Ann</b> Lee<br>Oslo"), 0)
    'By Ann Lee Oslo'
    """
    first, stop = int(page.blocks.start[block]), int(page.blocks.stop[block])
    tag = page.tag[first:stop].tobytes()
    if tag.find(_BR) < 0:
        start = int(page.offset[first])
        return " ".join(page.text[start : min(int(page.offset[stop]), start + _MAX_RAW_CHARS)].split())
    edges = [first, *[first + k for k, number in enumerate(tag) if number == _BR][:_MAX_ROWS], stop]
    pieces = [page.text[page.offset[k] : page.offset[after]] for k, after in pairwise(edges)]
    return " ".join(" ".join(pieces)[:_MAX_RAW_CHARS].split())


def clean_line(text: str) -> str:
    r"""Return a text as one line, without invisible characters, icons and character references.

    Pages escape twice, above all in structured data. A line is cut to `MAX_LINE_CHARS`.

    >>> clean_line("Salt &amp;amp; \u200bpepper \uf0c1\n")
    'Salt & pepper'
    """
    text = text[:_MAX_RAW_CHARS]
    text = unescape(unescape(text))
    return " ".join(_ICONS.sub(" ", strip_invisible(text)).split())[:MAX_LINE_CHARS].rstrip()


def attr_matches(page: Page, row: int, pattern: re.Pattern[str], names: tuple[str, ...], levels: int) -> bool:
    """Tell whether a pattern matches the named attributes of an element or its ancestors, `levels` elements in all.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=comment><p>Tea.")
    >>> row = int(page.rows_of("p")[0])
    >>> [attr_matches(page, row, re.compile("comment"), ("class", "id"), levels) for levels in (1, 2)]
    [False, True]
    """
    for element in (row, *page.ancestors(row, levels - 1)):
        attributes = page.attributes(element)
        if pattern.search(" ".join(attributes.get(name, "") for name in names)):
            return True
    return False
