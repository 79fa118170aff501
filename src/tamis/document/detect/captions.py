"""Captioned boxes: figures without a ``figure`` element, as a box with an image and a caption.

WordPress wrote ``div.wp-caption`` for fifteen years, newspapers have class names for the caption, and some pages
mark the box as an ``ImageObject``. The caption is recognised by its class or property. The box is the nearest element
around it that contains the image.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, nearest_ancestor, prefix_sums

_CANDIDATES: Final = (
    "[class*='caption' i],[class*='img_desc' i],[class*='img-desc' i],[class*='image-desc' i],[class*='cutline' i],"
    "[class*='photo-desc' i],[itemprop~='caption'],[itemtype*='schema.org/ImageObject']"
)
_CAPTION_CLASS: Final = re.compile(
    r"(?:caption(?:ed)?|(?:img|image|photo)[-_]desc\w{0,12}|cutline)"
    r"(?:[-_]*(?:text|box|wrap\w{0,6}|container|inner|left|right|center))?$",
    re.IGNORECASE,
)
_FIGURE: Final = tags.tag_mask("figure")
#: Elements that no captioned box contains: cards have headings, galleries lists, layouts tables.
_EXCLUDED: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 ul ol dl table video iframe form blockquote pre article")
_MAX_LEVELS: Final = 3  #: from the caption up to the box
_MAX_CHARS: Final = 600  #: of a caption: the longest captions of newspapers have some 500


def find_captioned_boxes(page: Page) -> frozenset[int]:
    """Return the rows of elements that are figures without being ``figure`` elements.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div class="wp-caption"><img src="a.png"><p class="wp-caption-text">A cat.</p></div>')
    >>> [page.tag_name(row) for row in find_captioned_boxes(page)]
    ['div']
    """
    is_image = page.tag == tags.IDS["img"]
    if not is_image.any():
        return frozenset()
    images, excluded, figures = (
        prefix_sums(is_image),
        prefix_sums(_EXCLUDED[page.tag]),
        prefix_sums(_FIGURE[page.tag]),
    )
    nonspace = prefix_sums(page.nonspace * (page.hidden == 0))
    boxes: set[int] = set()
    for row in page.select(_CANDIDATES):
        if not _is_caption(page, row):
            continue
        box = row
        for _ in range(_MAX_LEVELS):
            if images[page.end[box]] > images[box] or page.parent[box] <= page.body:
                break
            box = int(page.parent[box])
        end = page.end[box]
        chars = int(nonspace[end] - nonspace[box])
        if (
            box > page.body
            and images[end] > images[box]
            and excluded[end] == excluded[box]
            and figures[end] == figures[box]
            and 0 < chars <= _MAX_CHARS
            and not tags.CELL[page.tag[box]]
        ):
            boxes.add(box)
    return frozenset(_outermost(page, boxes))


def find_unselected_captions(page: Page, mask: Bools, images: Iterable[int], boxes: frozenset[int]) -> frozenset[int]:
    """Return the captions without selected text of figures with one of the images, and captioned boxes without any.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<figure><img src="a.png"><figcaption>A cat.</figcaption></figure>')
    >>> [page.tag_name(row) for row in find_unselected_captions(page, page.is_text & False, [5], frozenset())]
    ['figcaption']
    """
    rows = sorted(images)
    figures = np.flatnonzero(_FIGURE[page.tag] & page.is_element)
    captions = page.rows_of("figcaption")
    if not rows or not (len(captions) or boxes):
        return frozenset()
    selected = prefix_sums(mask)
    figure_of = nearest_ancestor(page.end, figures)[captions] if len(figures) else np.full(len(captions), -1)
    pairs = [*zip(captions.tolist(), figure_of.tolist(), strict=True), *((box, box) for box in boxes)]
    out = set()
    for caption, figure in pairs:
        has_image = figure >= 0 and bisect_left(rows, figure) < bisect_left(rows, int(page.end[figure]))
        if has_image and selected[page.end[caption]] == selected[caption]:
            chars = int(page.offset[page.end[caption]] - page.offset[caption])
            out |= {caption} if chars <= 2 * _MAX_CHARS else set()
    return frozenset(out)


def _is_caption(page: Page, row: int) -> bool:
    attributes = page.attributes(row)
    if "itemprop" in attributes or "itemtype" in attributes:
        return True
    return any(_CAPTION_CLASS.search(name) for name in attributes.get("class", "").split())


def _outermost(page: Page, boxes: set[int]) -> list[int]:
    """Return the boxes that are in no other box and in no ``figure``."""
    out: list[int] = []
    covered = np.zeros(len(page), dtype=np.bool_)
    for row in np.flatnonzero(_FIGURE[page.tag]).tolist():
        covered[row : page.end[row]] = True
    for row in sorted(boxes):
        if not covered[row]:
            covered[row : page.end[row]] = True
            out.append(row)
    return out
