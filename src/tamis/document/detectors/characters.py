"""Invisible characters: they are removed from every output, and counted for warnings.

Zero-width characters hide text inside words, bidirectional controls change the order in which a line is read, and tag
characters carry whole sentences that no reader sees. Joiners stay where scripts need them: after letters of Arabic
and of the scripts of India and South-East Asia, and within emoji.
"""

import unicodedata
from collections.abc import Iterator
from itertools import takewhile
from typing import Final

import numpy as np

from tamis._core.loader import core
from tamis._core.text import PHRASE_ENDS
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools


def may_have_invisible(page: Page) -> bool:
    r"""Tell quickly whether a page's text may have invisible characters: they are counted in the class "other".

    >>> from tamis.page import parse_page
    >>> may_have_invisible(parse_page("<p>a\u200bb")), may_have_invisible(parse_page("<p>é"))
    (True, False)
    """
    return page.char_counts.other_count > 0


# E-mail addresses that Cloudflare hides from harvesters: decode them, as its script does in a browser.
#
# The address is in hexadecimal digits. The first byte is a key, every other byte a character XOR that key.

EMAIL_PATH: Final = "/cdn-cgi/l/email-protection"


def decode_email(digits: str) -> str:
    """Return the address in hexadecimal digits; ``""`` if there is none.

    >>> decode_email("422736022736236c2b2d"), decode_email("tea")
    ('et@eta.io', '')
    """
    try:
        key, *encoded = bytes.fromhex(digits.strip())
        address = bytes(byte ^ key for byte in encoded).decode()
    except ValueError:
        return ""
    is_address = "@" in address and address.isprintable() and not any(char in " <>" for char in address)
    return address if is_address else ""


def protected_emails(page: Page) -> dict[int, str]:
    """Return what text rows of protected addresses say: the address at the first row, nothing at the others.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>Ask <span data-cfemail="422736022736236c2b2d">[email&nbsp;protected]</span>')
    >>> list(protected_emails(page).values())
    ['et@eta.io']
    """
    out: dict[int, str] = {}
    for row, digits in page.attribute("data-cfemail").items():
        address = decode_email(digits)
        if address:
            rows = (np.flatnonzero(page.is_text[row : page.end[row]]) + row).tolist()
            out.update(dict.fromkeys(rows, ""))
            if rows:
                out[rows[0]] = address
    return out


def unprotected_url(href: str, digits: str | None = None) -> str:
    """Return the ``mailto:`` URL of a link to a protected address, and any other URL as it is.

    >>> unprotected_url("/cdn-cgi/l/email-protection#422736022736236c2b2d"), unprotected_url("/tea")
    ('mailto:et@eta.io', '/tea')
    """
    path, _, fragment = href.partition("#")
    if not path.endswith(EMAIL_PATH):
        return href
    query = fragment.partition("?")[2]
    address = decode_email(fragment.partition("?")[0]) or decode_email(digits or "")
    return f"mailto:{address}" + (f"?{query}" if query else "") if address else ""


# Words that only a style sheet keeps apart: text in elements side by side, without white space between them.
#
# A brand and a product name, a caption and its credit, or two buttons are often elements that a browser shows as
# boxes. Their words would run together in every output: "Gregory" and "Paragon 68 Pack".

_A: Final = tags.IDS["a"]
#: Elements whose characters belong to the words around them.
_TIGHT: Final = tags.tag_mask("code kbd samp tt var sub sup rt rp ruby")
_STOPS: Final = frozenset(".!?:")  #: what a sentence or a label ends with
_PHRASE_ENDS: Final = frozenset(PHRASE_ENDS)
_EMPTY: Final = tags.tag_mask("span time i em b strong div")  #: without text, they are there for the style sheet
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
    return page.once("rows after a gap", mask, lambda: _rows_after_gap(page, mask))


def _rows_after_gap(page: Page, mask: Bools) -> frozenset[int]:
    if not mask.any():
        return frozenset()
    out = []
    for first, second in core.gap_candidates(page.columns, mask.view(np.uint8), page.text):
        position = int(page.offset[second])
        last, initial = page.text[position - 1], page.text[position]
        if (
            (initial.isupper() and _is_phrase(page, first, second, last))
            or (page.link[first] and page.link[second] and _are_links(page, first, second, last, initial))
            or _has_empty_element(page, first, second, last)
            or _is_count_and_link(page, first, second, last)
        ):
            out.append(second)
    return frozenset(out)


def _has_empty_element(page: Page, before: int, after: int, last: str) -> bool:
    """Tell whether an element without text stands between two phrases: a style sheet breaks the line there."""
    if not (last.isalnum() or last in _PHRASE_ENDS) or page.pre[after] or page.tag[after - 1] == tags.IDS["wbr"]:
        return False
    empty = [
        row
        for row in range(before + 1, after)
        if page.end[row] == row + 1
        and page.is_element[row]
        and _EMPTY[page.tag[row]]
        and not page.hidden[row]
        and "id" not in page.attributes(row)
    ]
    has_words = " " in page.row_text(before).strip() or " " in page.row_text(after).strip()
    initial = page.text[int(page.offset[after])]
    return (
        bool(empty)
        and has_words
        and not initial.islower()
        and not _is_tight(page, before)
        and not _is_tight(page, after)
    )


def _is_count_and_link(page: Page, before: int, after: int, last: str) -> bool:
    """Tell whether a link follows a number in an element of its own: "Thanked by 1" and a name."""
    if not last.isdigit() or not page.link[after] or page.link[before]:
        return False
    return page.row_text(before).strip().isdigit() and _is_between_elements(page, before, after)


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
    yield from takewhile(lambda element: element > block, page.ancestors(row, _MAX_LEVELS))
