"""LQF: the link quota filter.

C. Mantratzis, M. Orgun, S. Cassidy: Separating XHTML content from navigation clutter using DOM-structure block
analysis. Hypertext 2005, 145–147. As a filter with a fixed quota: T. Gottron: Evaluating content extraction on
HTML documents. ITA 2007, 123–132.

A list of links is an element most of whose text stands in anchors. All such elements go, the rest is content; so
only noise made of links is found.
Selects text rows outside those elements; scores are 1 less the link quota of the block-level element around.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np

from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import in_subtree, nearest_ancestor, subtree_sums

#: Elements that group text ("structure elements"); an anchor in a sentence is no list. The whole page is none
#: either: a page with more links than text would lose everything.
_GROUPS: Final = tags.BLOCK & ~tags.tag_mask("html body head")


@dataclass(frozen=True, slots=True)
class Lqf:
    """What is left without the elements that are mostly links.

    Attributes:
        quota: elements with a larger share of link text than this are removed (Gottron's LQF-50).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a href=/>Home</a></ul><p>Brew <a href=/t>tea</a> for three minutes.</p>")
    >>> [page.row_text(row) for row in Lqf().select(page).mask.nonzero()[0]]
    ['Brew ', 'tea', ' for three minutes.']
    """

    quota: float = 0.5
    name: ClassVar[str] = "lqf"
    summary: ClassVar[str] = "without the elements that are mostly links"
    source: ClassVar[str] = "Mantratzis, Orgun, Cassidy 2005"

    def select(self, page: Page) -> Selection:
        """Select the text outside link lists."""
        shown = np.where(page.hidden == 0, page.chars, 0)
        text = subtree_sums(page.end, shown)
        linked = subtree_sums(page.end, np.where(page.link, shown, 0))
        quota = linked / np.maximum(text, 1)
        groups = page.is_element & _GROUPS[page.tag]
        lists = in_subtree(page.end, np.flatnonzero(groups & (quota > self.quota)))
        holder = nearest_ancestor(page.end, np.flatnonzero(groups))
        score = 1 - np.where(holder >= 0, quota[holder], 0.0)
        return Selection.from_mask(page, ~lists, score, ("in an element of links", "outside elements of links"))
