"""Permalink signs: the ``¶`` after a heading or term that links to it, so that its URL can be copied."""

from typing import Final

import numpy as np

from tamis.page import Page
from tamis.page.sums import Bools

_SIGNS: Final = frozenset("#¶§🔗⚓∞")
_MAX_LEVELS: Final = 3  #: from the sign up to its link


def without_anchors(page: Page, mask: Bools) -> Bools:
    """Return the selected rows without permalink signs; the same mask if there are none.

    A sign is dropped if it is the only text of a link with a fragment, and begins or ends a block with other text. In
    a ``sup`` it refers to a footnote and stays.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<h2>Tea <a href="#tea">¶</a></h2><p>See <a href="#two">§</a> 2.</p>')
    >>> [page.row_text(row) for row in np.flatnonzero(without_anchors(page, page.is_text))]
    ['Tea ', 'See ', '§', ' 2.']
    """
    candidates = np.flatnonzero(page.link & mask & (page.nonspace == 1)).tolist()
    signs = [
        row
        for row in candidates
        if page.row_text(row).strip() in _SIGNS and _is_at_edge(page, row) and _links_to_fragment(page, row)
    ]
    if not signs:
        return mask
    out = mask.copy()
    out[signs] = False
    return out


def _is_at_edge(page: Page, row: int) -> bool:
    """Tell whether a row begins or ends its block, and is not all of it."""
    blocks = page.blocks
    block = int(blocks.block_of[row])
    if block < 0:
        return False
    stop = blocks.first[block + 1] if block + 1 < len(blocks) else len(blocks.rows)
    return bool((row == blocks.rows[blocks.first[block]]) != (row == blocks.rows[stop - 1]))


def _links_to_fragment(page: Page, row: int) -> bool:
    """Tell whether a row is in a link with a fragment, and not in a ``sup``."""
    in_link = False
    for _ in range(_MAX_LEVELS):
        row = int(page.parent[row])
        name = page.tag_name(row)
        if name == "sup":
            return False
        in_link |= name == "a" and "#" in (page.attributes(row).get("href") or "")
    return in_link
