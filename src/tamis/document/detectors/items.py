"""Items of a listing: the title of an item is not dropped while its details stay.

A model judges each block by itself, and takes the linked title of a concert or a product for navigation. An item is
one of several siblings with the same tag and class; its title is its first link, whose text no other item has.
"""

from collections import Counter
from typing import Final

import numpy as np

from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

_MIN_ITEMS: Final = 3
_MAX_LEVELS: Final = 4  #: from a link up to its item
_MAX_ITEM_CHARS: Final = 800
_MAX_TITLE_CHARS: Final = 120
_MIN_TITLE_CHARS: Final = 4
_MAX_LEAD_CHARS: Final = 40  #: before the title: a date, a label
_MIN_SHARE: Final = 0.5  #: of items with selected text, and of unselected titles among those


def find_item_titles(page: Page, mask: Bools) -> list[int]:
    """Return the links that are titles of items whose details are selected, and that are not selected themselves.

    >>> from tamis.page import parse_page
    >>> box = "<div class=gig><a href=/{0}>Band {0}</a><p>Pier Hall</p><a href=/buy>Tickets</a></div>"
    >>> page = parse_page("".join(map(box.format, range(3))))
    >>> details = page.shown & np.array([page.row_text(row) == "Pier Hall" for row in range(len(page))])
    >>> [page.row_text(row) for row in find_item_titles(page, details)]
    ['Band 0', 'Band 1', 'Band 2']
    """
    selected, chars = prefix_sums(mask), prefix_sums(np.where(page.shown, page.nonspace, 0))
    links = page.rows_of("a")
    size = chars[page.end[links]] - chars[links]
    fits = (size >= _MIN_TITLE_CHARS) & (size <= _MAX_TITLE_CHARS) & (selected[page.end[links]] == selected[links])
    if not fits.any():
        return []
    names = page.class_ids[0].astype(np.int64)
    kind = (page.parent.astype(np.int64) * 256 + page.tag) * (int(names.max()) + 1) + names
    _, group_of, counts = np.unique(kind, return_inverse=True, return_counts=True)
    alike = (counts[group_of] >= _MIN_ITEMS) & (names > 0)
    groups: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    seen: set[int] = set()
    for link in links[fits].tolist():
        for item in page.ancestors(link, _MAX_LEVELS):
            if item <= page.body or chars[page.end[item]] - chars[item] > _MAX_ITEM_CHARS:
                break
            if alike[item] and selected[page.end[item]] > selected[item]:
                if item not in seen and chars[link] - chars[item] <= _MAX_LEAD_CHARS:  # not a button below the text
                    seen.add(item)
                    key = (int(page.parent[item]), int(page.tag[item]), int(names[item]))
                    groups.setdefault(key, []).append((item, link))
                break
    out: list[int] = []
    for (parent, tag, name), items in groups.items():
        siblings = [k for k in _children(page, parent) if page.tag[k] == tag and names[k] == name]
        with_text = sum(bool(selected[page.end[k]] > selected[k]) for k in siblings)
        texts = Counter(page.collapsed_text(link).strip().lower() for _, link in items)
        titles = [link for _, link in items if texts[page.collapsed_text(link).strip().lower()] == 1]
        if with_text >= _MIN_SHARE * len(siblings) and len(titles) >= max(2, _MIN_SHARE * with_text):
            out += titles
    return sorted(out)


def _children(page: Page, parent: int) -> list[int]:
    out, row, end = [], parent + 1, int(page.end[parent])
    while row < end:
        out.append(row)
        row = int(page.end[row])
    return out
