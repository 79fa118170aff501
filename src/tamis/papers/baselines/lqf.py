"""LQF: the link quota filter.

C. Mantratzis, M. Orgun, S. Cassidy: Separating XHTML content from navigation clutter using DOM-structure block
analysis. Hypertext 2005, 145–147. As a filter with a fixed quota: T. Gottron: Evaluating content extraction on
HTML documents. ITA 2007, 123–132.

A list of links is an element with most of its text in anchors. All such elements are removed, and the rest is
content. So the method finds only boilerplate that consists of links. Selects text rows outside those elements. Scores
are 1 minus the link quota of the nearest block-level element.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from tamis.extractors.registry import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import in_subtree, nearest_ancestor, subtree_sums

#: Elements that can be lists of links ("structure elements"). An anchor in a sentence is not one, and neither is the
#: whole page: a page with more links than text would lose everything.
_STRUCTURE_TAGS: Final = tags.BLOCK & ~tags.tag_mask("html body head")


@dataclass(frozen=True, slots=True)
class Lqf:
    """All text outside the elements that are mostly links.

    Attributes:
        quota: elements with a larger share of link text are removed (Gottron's LQF-50).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a href=/>Home</a></ul><p>Brew <a href=/t>tea</a> for three minutes.</p>")
    >>> [page.row_text(row) for row in Lqf().select(page).mask.nonzero()[0]]
    ['Brew ', 'tea', ' for three minutes.']
    """

    quota: float = 0.5
    name: ClassVar[str] = "lqf"
    summary: ClassVar[str] = "all text outside elements that are mostly links"
    source: ClassVar[str] = "Mantratzis, Orgun, Cassidy 2005"

    def select(self, page: Page) -> Selection:
        """Select the text outside lists of links."""
        shown = np.where(page.hidden == 0, page.chars, 0)
        text = subtree_sums(page.end, shown)
        linked = subtree_sums(page.end, np.where(page.link, shown, 0))
        quota = linked / np.maximum(text, 1)
        is_structure = page.is_element & _STRUCTURE_TAGS[page.tag]
        lists = in_subtree(page.end, np.flatnonzero(is_structure & (quota > self.quota)))
        nearest = nearest_ancestor(page.end, np.flatnonzero(is_structure))
        score = 1 - np.where(nearest >= 0, quota[nearest], 0.0)
        return Selection.from_mask(page, ~lists, score, ("in a list of links", "outside lists of links"))
