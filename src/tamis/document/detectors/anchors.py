"""Signs at headings, and text that a class hides from readers, which are not text of the page."""

from typing import Final

import numpy as np

from tamis._core.loader import core
from tamis.html import tags
from tamis.html.text import ANCHOR_SIGNS
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools

# Signs at headings that do not belong to them: the ``¶`` that links to a heading, the ``[edit]`` of a wiki.

_MAX_LEVELS: Final = 3  #: from the sign up to its link
_MAX_CODE_LEVELS: Final = 12  #: from the sign up to the code that it is a part of
_CODE_TAGS: Final = tags.tag_mask("pre code samp kbd tt")
#: Links to a heading and links to edit a section, by their class, as documentation sites and wikis name them.
_LINK_SELECTOR: Final = (
    "a[class*='anchor' i],a[class*='permalink' i],a[class*='headerlink' i],a[class*='header-link' i],"
    "span.eqno,a[class*='hash-link' i],a[class*='heading-link' i],a[class*='deep-link' i],[class*='editsection' i]"
)
#: Parts of those classes, in lower case.
ANCHOR_PARTS: Final = (
    "anchor", "permalink", "headerlink", "header-link", "hash-link", "heading-link", "deep-link", "editsection",
    "eqno", "not-",
)  # fmt: skip
#: Text that Tailwind hides unless a page is printed or read by a machine; the widths of screens are not such states.
_SHOWN_ELSEWHERE: Final = lazy_pattern(r"(?:^|\s)not-(?!(?:sm|md|lg|xl|\dxl|min|max|dark)\b)[\w-]+:hidden(?:$|\s)")
_MAX_ROWS: Final = 200  #: of a heading and the box around it
_EDIT_URL: Final = lazy_pattern(r"[?&](?:ve)?action=edit\b")
_MAX_ANCHOR_CHARS: Final = 80  #: of the text of such a link: "Section titled …" repeats the heading


def without_anchors(page: Page, mask: Bools, *, may_be_named: bool = True) -> Bools:
    """Return the selected rows without permalink signs; the same mask if there are none.

    Where `may_be_named` is false, no class in the selection has one of `ANCHOR_PARTS`.

    A sign is dropped if it is the only text of a link with a fragment, and begins or ends a block with other text. In
    a ``sup`` it refers to a footnote and stays, and in code it is code.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<h2>Tea <a href="#tea">¶</a></h2><p>See <a href="#two">§</a> 2.</p>')
    >>> [page.row_text(row) for row in np.flatnonzero(without_anchors(page, page.is_text))]
    ['Tea ', 'See ', '§', ' 2.']
    """
    ranges = find_anchors(page, mask, may_be_named=may_be_named)
    if not ranges:
        return mask
    out = mask.copy()
    for first, stop, _ in ranges:
        out[first:stop] = False
    return out


def find_anchors(page: Page, mask: Bools, *, may_be_named: bool = True) -> list[tuple[int, int, str]]:
    """Return the ranges of rows that are not text, and why: permalinks, and what a class hides on screens."""
    name = "all anchors" if may_be_named else "anchors"
    return page.once(name, mask, lambda: _find_anchors(page, mask, may_be_named=may_be_named))


def _find_anchors(page: Page, mask: Bools, *, may_be_named: bool) -> list[tuple[int, int, str]]:
    candidates = core.sign_rows(page.columns, mask.view(np.uint8)) if len(page.blocks) else []
    signs = [
        (row, row + 1, "permalink")
        for row in candidates
        if page.row_text(row).strip() in ANCHOR_SIGNS and _is_at_edge(page, row) and _links_to_fragment(page, row)
    ]
    links = _heading_links(page, mask) if may_be_named else []
    hidden = _hidden_by_class(page, mask) if may_be_named else []
    return [
        *signs,
        *((row, int(page.end[row]), "permalink") for row in links),
        *((row, int(page.end[row]), "hidden by its class") for row in hidden),
    ]


def _hidden_by_class(page: Page, mask: Bools) -> list[int]:
    """Return the outermost elements with selected text that a class hides on screens."""
    numbers = [number for number in page.class_numbers("not-") if _SHOWN_ELSEWHERE.search(page.classes[number - 1])]
    if not numbers:
        return []
    selected, out = page.count_selected(mask), list[int]()
    for row in np.flatnonzero(np.isin(page.class_column, numbers)).tolist():
        if (not out or row >= page.end[out[-1]]) and selected[page.end[row]] > selected[row]:
            out.append(row)
    return out


def _heading_links(page: Page, mask: Bools) -> list[int]:
    """Return the links beside the text of a heading that lead to it, and the elements with a link to edit it."""
    if not page.rows_of("a").size:
        return []
    out = []
    for row in page.select(_LINK_SELECTOR):
        stop = int(page.end[row])
        if stop - row > _MAX_ROWS or not mask[row:stop].any():
            continue
        if page.tag_name(row) != "a":
            links = [k for k in range(row, stop) if page.tag[k] == tags.IDS["a"]]
            is_sign = any(_EDIT_URL.search(page.attributes(link).get("href", "")) for link in links)
            is_sign = is_sign or page.attributes(row).get("class") == "eqno"  # the number of a formula
        else:
            fragment = "#" in (page.attributes(row).get("href") or "")
            is_sign = fragment and page.offset[stop] - page.offset[row] <= _MAX_ANCHOR_CHARS
            is_sign = is_sign and _is_beside_heading(page, mask, row, stop)
        if is_sign:
            out.append(row)
    return out


def _is_beside_heading(page: Page, mask: Bools, row: int, stop: int) -> bool:
    """Tell whether a link is in a heading with other text, or in a box with nothing but a heading."""
    box = row
    for _ in range(_MAX_LEVELS):
        box = int(page.parent[box])
        end = int(page.end[box])
        if box <= page.body or end - box > _MAX_ROWS:
            return False
        heading = np.flatnonzero(tags.HEADING[page.tag[box:end]])
        others = mask[box:end].copy()
        others[row - box : stop - box] = False
        if len(heading):
            first = box + int(heading[0])
            others[first - box : page.end[first] - box] &= first == box
            return bool(mask[first : page.end[first]].any()) and (bool(others.any()) == (first == box))
        if others.any():
            return False
    return False


def _is_at_edge(page: Page, row: int) -> bool:
    """Tell whether a row begins or ends its block, and is not all of it."""
    blocks = page.blocks
    block = int(blocks.block_of[row])
    if block < 0:
        return False
    stop = blocks.first[block + 1] if block + 1 < len(blocks) else len(blocks.rows)
    return bool((row == blocks.rows[blocks.first[block]]) != (row == blocks.rows[stop - 1]))


def _links_to_fragment(page: Page, row: int) -> bool:
    """Tell whether a row is in a link with a fragment, and neither in a ``sup`` nor in code outside of a heading."""
    in_link = False
    for level, element in enumerate(page.ancestors(row, _MAX_CODE_LEVELS)):
        if tags.HEADING[page.tag[element]]:
            break
        if _CODE_TAGS[page.tag[element]] or (page.tag[element] == tags.IDS["sup"] and level < _MAX_LEVELS):
            return False
        if level < _MAX_LEVELS and page.tag[element] == tags.IDS["a"]:
            in_link |= "#" in (page.attributes(element).get("href") or "")
    return in_link
