"""Signs that lead to the place where they stand: the ``¶`` after a heading or a term, for copying its address."""

from typing import Final

import numpy as np

from tamis.page import Page
from tamis.page.sums import Bools

_SIGNS: Final = frozenset("#¶§🔗⚓∞")
_HEIGHT: Final = 3  #: elements between the sign and its link


def without_anchors(page: Page, mask: Bools) -> Bools:
    """Return the chosen rows without those signs; the same mask where there are none.

    A sign alone in a link to a place on a page is one where it begins or ends a line that says more. In a ``sup`` it
    leads to a note.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<h2>Tea <a href="#tea">¶</a></h2><p>See <a href="#two">§</a> 2.</p>')
    >>> [page.row_text(row) for row in np.flatnonzero(without_anchors(page, page.is_text))]
    ['Tea ', 'See ', '§', ' 2.']
    """
    rows = np.flatnonzero(page.link & mask & (page.nonspace == 1)).tolist()
    found = [
        row
        for row in rows
        if page.row_text(row).strip() in _SIGNS and _is_at_an_edge(page, row) and _leads(page, row)
    ]
    if not found:
        return mask
    out = mask.copy()
    out[found] = False
    return out


def _is_at_an_edge(page: Page, row: int) -> bool:
    """Whether a row begins or ends its block, and is not all of it."""
    blocks = page.blocks
    block = int(blocks.block_of[row])
    if block < 0:
        return False
    stop = blocks.first[block + 1] if block + 1 < len(blocks) else len(blocks.rows)
    return bool((row == blocks.rows[blocks.first[block]]) != (row == blocks.rows[stop - 1]))


def _leads(page: Page, row: int) -> bool:
    """Whether a row stands in a link with a fragment, and in no ``sup``."""
    leads = False
    for _ in range(_HEIGHT):
        row = int(page.parent[row])
        name = page.tag_name(row)
        if name == "sup":
            return False
        leads |= name == "a" and "#" in (page.attributes(row).get("href") or "")
    return leads
