"""Figures that pages write without ``figure``: a box with a picture and a line about it.

WordPress had ``div.wp-caption`` for fifteen years, newspapers have a class of their own for the line, and some mark
the box as an ``ImageObject``. The line is found by what its class or property calls it; the box is the nearest
element around it that holds the picture.
"""

import re
from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import prefix_sums

_LINES: Final = (
    "[class*='caption' i],[class*='img_desc' i],[class*='img-desc' i],[class*='image-desc' i],[class*='cutline' i],"
    "[class*='photo-desc' i],[itemprop~='caption'],[itemtype*='schema.org/ImageObject']"
)
_NAMES: Final = re.compile(
    r"(?:caption(?:ed)?|(?:img|image|photo)[-_]desc\w{0,12}|cutline)"
    r"(?:[-_]*(?:text|box|wrap\w{0,6}|container|inner|left|right|center))?$",
    re.IGNORECASE,
)
_FIGURE: Final = tags.tag_mask("figure")
#: What no caption holds: a card with a heading, a gallery in a list, a page laid out with tables are other things.
_OTHER: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 ul ol dl table video iframe form blockquote pre article")
_UP: Final = 3  #: levels from the line to the box around it and its picture
_LONGEST: Final = 600  #: characters: the longest captions of newspapers have some 500


def find_boxes(page: Page) -> frozenset[int]:
    """Return the rows of boxes that are figures in all but name.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div class="wp-caption"><img src="a.png"><p class="wp-caption-text">A cat.</p></div>')
    >>> [page.tag_name(row) for row in find_boxes(page)]
    ['div']
    """
    images = page.tag == tags.IDS["img"]
    if not images.any():
        return frozenset()
    pictures, others, figures = prefix_sums(images), prefix_sums(_OTHER[page.tag]), prefix_sums(_FIGURE[page.tag])
    ink = prefix_sums(page.nonspace * (page.hidden == 0))
    out: set[int] = set()
    for row in page.select(_LINES):
        if not _is_line(page, row):
            continue
        box = row
        for _ in range(_UP):
            if pictures[page.end[box]] > pictures[box] or page.parent[box] <= page.body:
                break
            box = int(page.parent[box])
        end = page.end[box]
        words = int(ink[end] - ink[box])
        if (
            box > page.body
            and pictures[end] > pictures[box]
            and others[end] == others[box]
            and figures[end] == figures[box]
            and 0 < words <= _LONGEST
            and not tags.CELL[page.tag[box]]
        ):
            out.add(box)
    return frozenset(_outermost(page, out))


def _is_line(page: Page, row: int) -> bool:
    given = page.attributes(row)
    if "itemprop" in given or "itemtype" in given:
        return True
    return any(_NAMES.search(word) for word in given.get("class", "").split())


def _outermost(page: Page, boxes: set[int]) -> list[int]:
    """Return boxes that stand in no other one and in no ``figure``."""
    out: list[int] = []
    inside = np.zeros(len(page), dtype=np.bool_)
    for row in np.flatnonzero(_FIGURE[page.tag]).tolist():
        inside[row : page.end[row]] = True
    for row in sorted(boxes):
        if not inside[row]:
            inside[row : page.end[row]] = True
            out.append(row)
    return out
