"""Names of what is selected: the title of an item, and the heading of a section, are not dropped while it stays.

A model judges each block by itself, and takes the linked title of a concert or a product for navigation. An item is
one of several siblings with the same tag and class; an ``article`` needs no class. Its title is its first link, whose
text no other item has.
"""

from collections import Counter
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

Rows = npt.NDArray[np.int64]
_ARTICLE: Final = tags.IDS["article"]
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
    selected, chars = page.count_selected(mask), page.shown_chars
    links = page.rows_of("a")
    size = chars[page.end[links]] - chars[links]
    fits = (size >= _MIN_TITLE_CHARS) & (size <= _MAX_TITLE_CHARS) & (selected[page.end[links]] == selected[links])
    # Most links that are not selected are in navigation: none of the elements around them has selected text.
    around, near = page.parent[links], np.zeros(len(links), dtype=np.bool_)
    for _ in range(_MAX_LEVELS):
        near |= (selected[page.end[around]] > selected[around]) & (around > page.body)
        around = page.parent[around]
    fits &= near
    if not fits.any():
        return []
    names, alike = page.class_column, _alike_siblings(page, links[fits])
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
        siblings = [k for k in page.children(parent) if page.tag[k] == tag and names[k] == name]
        with_text = sum(bool(selected[page.end[k]] > selected[k]) for k in siblings)
        texts = Counter(page.collapsed_text(link).strip().lower() for _, link in items)
        titles = [link for _, link in items if texts[page.collapsed_text(link).strip().lower()] == 1]
        if with_text >= _MIN_SHARE * len(siblings) and len(titles) >= max(2, _MIN_SHARE * with_text):
            out += titles
    return sorted(out)


def _alike_siblings(page: Page, links: Rows) -> Bools:
    """Return which of the elements a few levels around links have siblings with their tag and class: items."""
    is_parent = np.zeros(len(page), dtype=np.bool_)
    around = page.parent[links]
    for _ in range(_MAX_LEVELS):
        around = page.parent[around]
        is_parent[around] = True
    names = page.class_column
    rows = np.flatnonzero(is_parent[page.parent] & ((names > 0) | (page.tag == _ARTICLE)))
    kind = (page.parent[rows].astype(np.int64) * 256 + page.tag[rows]) * (len(page.classes) + 1) + names[rows]
    _, group_of, counts = np.unique(kind, return_inverse=True, return_counts=True)
    alike = np.zeros(len(page), dtype=np.bool_)
    alike[rows] = counts[group_of] >= _MIN_ITEMS
    return alike


# Items of a listing that are not in a list: cards of products, concerts and articles.

_ITEM_TAGS: Final = tags.tag_mask("div article section")
_NOT_IN_ITEM: Final = tags.tag_mask("table pre blockquote form video iframe textarea")
_LISTS: Final = tags.tag_mask("li td th dt dd pre figure blockquote")
_MAX_CARD_CHARS: Final = 600
_MIN_DETAIL_CHARS: Final = 8  #: besides the title: a list of links has no items
_MAX_CARD_LINKS: Final = 6  #: of an item: its title, its author, its tags, a button
_MIN_TITLED: Final = 0.8  #: of the items that have a title


def find_items(page: Page, mask: Bools) -> list[int]:
    """Return the selected elements that are items of a listing: siblings of one class, each with a linked title.

    >>> from tamis.page import parse_page
    >>> box = "<div class=gig><p>{0} May</p><a href=/{0}>Band {0}</a><p>Pier Hall</p></div>"
    >>> page = parse_page("".join(map(box.format, range(3))))
    >>> [page.collapsed_text(row) for row in find_items(page, page.shown)]
    ['0 MayBand 0Pier Hall', '1 MayBand 1Pier Hall', '2 MayBand 2Pier Hall']
    """
    selected, chars, names, links = page.count_selected(mask), page.shown_chars, page.class_column, page.rows_of("a")
    rows = np.flatnonzero(_ITEM_TAGS[page.tag] & (names > 0))
    end = page.end[rows]
    size = chars[end] - chars[rows]
    rows = rows[(size <= _MAX_CARD_CHARS) & (size > 0) & (selected[end] > selected[rows])]
    if np.count_nonzero(np.searchsorted(links, page.end[rows]) > np.searchsorted(links, rows)) < _MIN_ITEMS:
        return []
    groups: dict[tuple[int, int, int], list[int]] = {}
    kinds = zip(page.parent[rows].tolist(), page.tag[rows].tolist(), names[rows].tolist(), strict=True)
    for row, kind in zip(rows.tolist(), kinds, strict=True):
        groups.setdefault(kind, []).append(row)
    excluded = prefix_sums(_NOT_IN_ITEM[page.tag])
    out: list[int] = []
    for (parent, _, _), items in groups.items():
        if len(items) < _MIN_ITEMS or any(
            _LISTS[page.tag[k]] for k in (parent, *page.ancestors(parent, _MAX_LEVELS))
        ):
            continue
        if any(excluded[page.end[row]] > excluded[row] for row in items):
            continue
        titles = [title for row in items if (title := _title(page, row, links, chars))]
        texts = {page.collapsed_text(link).strip().casefold() for link in titles}
        urls = {page.attribute_of(link, "href") for link in titles}
        if min(len(texts), len(urls)) >= max(_MIN_ITEMS, _MIN_TITLED * len(items)):
            out += items
    out.sort()
    following = [*out[1:], len(page)]
    return [row for row, after in zip(out, following, strict=False) if after >= page.end[row]]


def _title(page: Page, row: int, links: Rows, chars: Rows) -> int | None:
    """Return the link that is the title of an item: the first one, near its beginning, with details besides it."""
    first, stop = np.searchsorted(links, (row, page.end[row])).tolist()
    inside = links[first:stop]
    if (chars[page.end[inside]] - chars[inside] >= _MIN_TITLE_CHARS).sum() > _MAX_CARD_LINKS:
        return None  # a column of links
    for link in inside.tolist():
        size = int(chars[page.end[link]] - chars[link])
        if not size:
            continue  # around a picture
        if (page.attribute_of(link, "href") or "#").strip().startswith(("#", "javascript:")):
            return None  # a question that shows its answer
        around = int(page.parent[link])
        beside = slice(around, int(page.end[around]))
        if (page.is_text[beside] & (page.parent[beside] == around) & (page.nonspace[beside] > 1)).any():
            return None  # a link in a sentence
        fits = _MIN_TITLE_CHARS <= size <= _MAX_TITLE_CHARS and chars[link] - chars[row] <= _MAX_LEAD_CHARS
        return link if fits and chars[page.end[row]] - chars[row] - size >= _MIN_DETAIL_CHARS else None
    return None


# Headings of sections.

_MAX_HEADING_CHARS: Final = 120
_MAX_AROUND: Final = 100  #: elements around a heading that are looked at
_FLAT: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 td th dt dd caption figcaption summary pre")  #: have no headings
_MAX_SECTION_LEVELS: Final = 5  #: from a heading up to the element with its section …
_MAX_CARD_LEVELS: Final = 2  #: … if it is a link: the text below a card is not about it


def find_section_headings(page: Page, mask: Bools) -> list[int]:
    """Return the headings that are not selected, while the text directly below them is.

    Names that repeat are those of cards and posts, and the heading above all text is the title: both are left alone.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Boil water.<div><h2>Pour</h2><p>Then wait.</div>")
    >>> [page.row_text(row) for row in find_section_headings(page, page.shown & (page.nonspace > 4))]
    ['Pour']
    """
    headings = np.flatnonzero(tags.HEADING[page.tag] & page.is_element & (page.hidden == 0))
    selected, shown = page.count_selected(mask), np.flatnonzero(page.shown & (page.nonspace > 0))
    headings = headings[(selected[page.end[headings]] == selected[headings]) & (selected[headings] > 0)]
    if not len(headings) or not len(shown):
        return []
    following = shown[np.minimum(np.searchsorted(shown, page.end[headings]), len(shown) - 1)]
    out: dict[int, str] = {}
    for heading, text_row in zip(headings.tolist(), following.tolist(), strict=True):
        if not mask[text_row] or text_row < heading or tags.HEADING[page.tag[page.block_ancestor[text_row]]]:
            continue
        text = page.collapsed_text(heading).strip()
        if not 0 < len(text) <= _MAX_HEADING_CHARS or not any(map(str.isalnum, text)):
            continue
        if any(_FLAT[page.tag[k]] for k in page.ancestors(heading, _MAX_AROUND)):
            continue
        is_link = bool(page.link[heading : page.end[heading]].any()) and not _is_fragment(page, heading)
        levels = _MAX_CARD_LEVELS if is_link else _MAX_SECTION_LEVELS
        if any(page.end[box] > text_row for box in page.ancestors(heading, levels)):
            out[heading] = text.casefold()
    counts = Counter(out.values())
    return [heading for heading, text in out.items() if counts[text] == 1]


def _is_fragment(page: Page, heading: int) -> bool:
    """Tell whether the link in or around a heading leads to the heading itself."""
    inside = [k for k in range(heading, int(page.end[heading])) if page.tag[k] == tags.IDS["a"]]
    around = [k for k in page.ancestors(heading, _MAX_SECTION_LEVELS) if page.tag[k] == tags.IDS["a"]]
    return any((page.attribute_of(k, "href") or "").startswith("#") for k in (*inside, *around))
