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
    sure, links, boxes = core.gap_candidates(page.columns, mask.view(np.uint8), page.text)
    sure += [second for first, second in links if _are_links(page, first, second)]
    sure += [second for first, second in boxes if _has_empty_element(page, first, second)]
    return frozenset(sure)


def _has_empty_element(page: Page, before: int, after: int) -> bool:
    """Tell whether an element without text and name stands between two rows: a style sheet breaks the line there."""
    return any(
        page.end[row] == row + 1
        and page.is_element[row]
        and _EMPTY[page.tag[row]]
        and not page.hidden[row]
        and "id" not in page.attributes(row)
        for row in range(before + 1, after)
    )


def _are_links(page: Page, before: int, after: int) -> bool:
    """Tell whether two rows are links to different URLs, and no letters of a script that has no spaces."""
    position = int(page.offset[after])
    edges = page.text[position - 1 : position + 1]
    if not _WIDE.isdisjoint(map(unicodedata.east_asian_width, edges)):
        return False
    urls = _href(page, before), _href(page, after)
    return all(urls) and urls[0] != urls[1]


def _href(page: Page, row: int) -> str:
    link = next((element for element in _inline_ancestors(page, row) if page.tag[element] == _A), None)
    return "" if link is None else page.attributes(link).get("href") or ""


def _inline_ancestors(page: Page, row: int) -> Iterator[int]:
    """Yield the inline elements around a text row, the innermost first."""
    block = int(page.block_ancestor[row])
    yield from takewhile(lambda element: element > block, page.ancestors(row, _MAX_LEVELS))
