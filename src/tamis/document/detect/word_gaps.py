"""Words that only a style sheet keeps apart: text in elements side by side, without white space between them.

A brand and a product name, a caption and its credit, or two buttons are often elements that a browser shows as boxes.
Their words would run together in every output: "Gregory" and "Paragon 68 Pack".
"""

import unicodedata
from collections.abc import Iterator
from typing import Final

import numpy as np

from tamis.html import characters, tags
from tamis.page import Page
from tamis.page.sums import Bools

_A: Final = tags.IDS["a"]
#: Elements whose characters belong to the words around them.
_TIGHT: Final = tags.tag_mask("code kbd samp tt var sub sup rt rp ruby")
_STOPS: Final = frozenset(".!?:")  #: what a sentence or a label ends with
_PHRASE_ENDS: Final = frozenset(".!?:;,)%”\"’'")  #: what a phrase may end with, besides a small letter or a digit
_WIDE: Final = frozenset("WF")  #: characters of scripts that have no spaces between words
_MAX_LEVELS: Final = 8  #: from a text row up to its link or another inline element


def rows_after_gap(page: Page, mask: Bools) -> frozenset[int]:
    """Return the selected text rows before which a space is missing.

    An element begins or ends between such a row and the text before it. After the end of a sentence, a space is
    missing before a capital letter. Between two elements, one is also missing if the first ends as a phrase does, the
    second begins with a capital letter, and one of them has several words: coloured parts of a name ("You", "Tube")
    have not. Two links are two phrases unless they lead to one URL.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><span>Gregory</span><span>Paragon 68 Pack</span> <b>You</b><i>Tube</i></p>")
    >>> [page.row_text(row) for row in rows_after_gap(page, page.is_text)]
    ['Paragon 68 Pack']
    """
    rows = np.flatnonzero(mask)
    before, after = rows[:-1], rows[1:]
    run, parent, link = page.inline_run[rows], page.parent[rows], page.link[rows]
    is_candidate = (run[1:] == run[:-1]) & (parent[1:] != parent[:-1])
    is_candidate &= (page.char_counts.first_class[after] == characters.UPPER) | (link[1:] & link[:-1])
    out = []
    for first, second in zip(before[is_candidate].tolist(), after[is_candidate].tolist(), strict=True):
        position = int(page.offset[second])
        last, initial = page.text[position - 1], page.text[position : position + 1]
        if page.offset[first + 1] != position or last.isspace() or not initial.isalnum():
            continue
        if (initial.isupper() and _is_phrase(page, first, second, last)) or (
            page.link[first] and page.link[second] and _are_links(page, first, second, last, initial)
        ):
            out.append(second)
    return frozenset(out)


def _is_phrase(page: Page, before: int, after: int, last: str) -> bool:
    """Tell whether a row that begins with a capital letter is a new phrase; `last` is the character before it."""
    is_end = last.islower() or last.isdigit() or last in _PHRASE_ENDS
    texts = (page.row_text(before).strip(), page.row_text(after).strip()) if is_end else ("", "")
    if min(map(len, texts)) < 2 or texts[1][1].isupper() or page.pre[after]:  # noqa: PLR2004 (letters)
        return False
    has_words = " " in texts[0], " " in texts[1]
    between_elements = _is_between_elements(page, before, after)
    if last in _STOPS and texts[0][-2].islower():
        is_new = has_words[0] and (between_elements or last != "." or has_words[1])
    else:
        is_new = between_elements and any(has_words)
    return is_new and not _is_tight(page, before) and not _is_tight(page, after)


def _are_links(page: Page, before: int, after: int, last: str, first: str) -> bool:
    """Tell whether two rows are links to different URLs, and no letters of a script that has no spaces."""
    is_word = last.isdigit() or (not first.isdigit() and (last.isalnum() or last in _PHRASE_ENDS))
    if not is_word or page.pre[after] or not _WIDE.isdisjoint(map(unicodedata.east_asian_width, last + first)):
        return False
    if not _is_between_elements(page, before, after) or _is_tight(page, before) or _is_tight(page, after):
        return False
    urls = _href(page, before), _href(page, after)
    return all(urls) and urls[0] != urls[1]


def _is_between_elements(page: Page, before: int, after: int) -> bool:
    """Tell whether one element ends and another one begins between two text rows."""
    return bool(page.parent[after] > before and page.end[page.parent[before]] <= after)


def _href(page: Page, row: int) -> str:
    link = next((element for element in _inline_ancestors(page, row) if page.tag[element] == _A), None)
    return "" if link is None else page.attributes(link).get("href") or ""


def _is_tight(page: Page, row: int) -> bool:
    return any(_TIGHT[page.tag[element]] for element in _inline_ancestors(page, row))


def _inline_ancestors(page: Page, row: int) -> Iterator[int]:
    """Yield the inline elements around a text row, the innermost first."""
    block = int(page.block_ancestor[row])
    for _ in range(_MAX_LEVELS):
        row = int(page.parent[row])
        if row <= block:
            return
        yield row
