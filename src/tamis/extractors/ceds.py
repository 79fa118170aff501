"""CEDS: content extraction by DOM structure and statistics.

X. Yu, Z. Jin: Web content information extraction based on DOM tree and statistical information. IEEE 17th
International Conference on Communication Technology (2017).

Leaves that stand side by side in the tree are fused into blocks; a block with many leaves of plain text, few links
and a shallow place is important; blocks above a threshold that parts them best are content, and leaves that jump
out of their block's structure are noise in it. Selects text rows; scores are the importance of their block.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, lowest_common_ancestors, nearest_ancestor

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def real_nodes(page: Page) -> Ints:
    """Return for each row its real node: up while the parent has only this child (the paper's GetRealNode).

    Blank text, comments and scripts are no children: they are not there for a reader.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a>one</a></li> <li><a>two</a></li></ul>")
    >>> [page.tag_name(int(real_nodes(page)[row])) for row in page.shown.nonzero()[0]]
    ['li', 'li']
    """
    counts = page.shown | (page.is_element & ~tags.RAW[page.tag] & (page.hidden == 0))
    counts[0] = False
    children = np.bincount(page.parent[counts], minlength=len(page))
    alone = np.zeros(len(page), dtype=np.bool_)
    alone[1:] = counts[1:] & (children[page.parent[1:]] == 1)
    return nearest_ancestor(page.end, np.flatnonzero(~alone)).astype(np.int64)


def fuse(page: Page, leaves: Ints) -> Ints:
    """Return the rows of the blocks: parents of neighbouring leaves whose real nodes are siblings (algorithm 1).

    The root, which makes no block, is the element that holds the whole page: ``html`` and what is above it.
    """
    real = real_nodes(page)[leaves]
    siblings = page.parent[real[1:]] == page.parent[real[:-1]]  # siblings have one level and their parent as LCA
    siblings &= real[1:] != real[:-1]
    found = np.unique(page.parent[real[1:][siblings]])
    return found[found >= page.body].astype(np.int64)


def typical_levels(levels: Ints, group: Ints, count: int) -> Ints:
    """Return the commonest level of each group, the deepest of equals.

    >>> typical_levels(np.array([5, 5, 6, 6, 2]), np.array([0, 0, 0, 0, 1]), 2).tolist()
    [6, 2]
    """
    pair, times = np.unique(np.stack([group, levels]), axis=1, return_counts=True)
    order = np.lexsort((pair[1], times, pair[0]))  # the last of each group: most times, then deepest
    out = np.ones(count, dtype=np.int64)
    out[pair[0][order]] = pair[1][order]
    return out


def best_threshold(values: Floats, first: float = 1.0, last: float = 3.0, step: float = 0.1) -> float:
    """Return ε·mean for the ε whose split has the largest variance between its two classes (equations 2 to 5).

    Between-class variance is weighted by the sizes of the classes: unweighted, as one may also read equation 3, it
    only grows with ε and would always keep the single most important block.

    >>> best_threshold(np.array([1.0, 1.0, 1.0, 1.0, 9.0, 10.0])) < 9
    True
    """
    mean = float(values.mean())
    best, threshold = -1.0, mean * first
    for number in range(round((last - first) / step) + 1):
        at = (first + number * step) * mean
        above = values > at
        share = float(above.mean())
        if 0 < share < 1:
            between = share * (1 - share) * float(values[above].mean() - values[~above].mean()) ** 2
            if between > best:
                best, threshold = between, at
    return threshold


@dataclass(frozen=True, slots=True)
class Ceds:
    """Yu and Jin's method. Options are the paper's numbers.

    Attributes:
        first: the smallest ε tried (section II-D).
        last: the largest.
        step: the step between.
        jump: a leaf whose level differs from its neighbour's by more is suspect (section II-E).
    """

    first: float = 1.0
    last: float = 3.0
    step: float = 0.1
    jump: int = 4
    name: ClassVar[str] = "ceds"
    summary: ClassVar[str] = "sibling leaves fused to blocks, split by variance of their importance"
    source: ClassVar[str] = "Yu, Jin 2017"

    def select(self, page: Page) -> Selection:
        """Select the leaves of important blocks."""
        leaves = np.flatnonzero(page.shown)
        mask = np.zeros(len(page), dtype=np.bool_)
        score = np.zeros(len(page))
        if len(leaves):
            roots = fuse(page, leaves)
            holder = nearest_ancestor(page.end, roots)[leaves]
            holder = np.where(holder < 0, leaves, holder)  # a leaf in no block is one
            blocks, block = np.unique(holder.astype(np.int64), return_inverse=True)
            importance = self._importance(page, leaves, block, blocks)
            content = importance > best_threshold(importance, self.first, self.last, self.step)
            if not content.any():  # all blocks alike, or one alone: nothing parts them, so all are content
                content[:] = importance > 0
            mask[leaves] = content[block] & ~self._noise(page, leaves, block, blocks)
            score[leaves] = importance[block]
        return Selection.from_mask(page, mask, score, ("in an unimportant block", "in an important block"))

    def _importance(self, page: Page, leaves: Ints, block: Ints, blocks: Ints) -> Floats:
        """Return equation 1 for each block."""
        size = len(blocks)
        plain = np.bincount(block, weights=~page.link[leaves], minlength=size)
        links = np.flatnonzero((page.tag == tags.IDS["a"]) & page.link)
        link_of = nearest_ancestor(page.end, links)
        text_links = _distinct(block, link_of[leaves], size)
        images = np.flatnonzero((page.tag == tags.IDS["img"]) & (link_of >= 0))
        home = nearest_ancestor(page.end, blocks)[images]
        image_links = np.bincount(np.searchsorted(blocks, home[home >= 0]), minlength=size)
        level = typical_levels(page.depth[leaves].astype(np.int64), block, size)
        return np.asarray(plain / (np.maximum(text_links + image_links, 1) * level))

    def _noise(self, page: Page, leaves: Ints, block: Ints, blocks: Ints) -> Bools:
        """Return the leaves that jump out of their block's structure (section II-E)."""
        out = np.zeros(len(leaves), dtype=np.bool_)
        if len(leaves) < 2:  # noqa: PLR2004 (a pair)
            return out
        level = page.depth[leaves].astype(np.int64)
        common = typical_levels(level, block, len(blocks))[block]
        ancestor = lowest_common_ancestors(page.parent, page.end, page.depth, leaves[:-1], leaves[1:])
        pair = (block[1:] == block[:-1]) & (np.abs(np.diff(level)) > self.jump) & (ancestor != blocks[block[1:]])
        out[1:] |= pair & (level[1:] != common[1:])
        out[:-1] |= pair & (level[:-1] != common[:-1])
        return out


def _distinct(group: Ints, value: npt.NDArray[np.int32], size: int) -> Ints:
    """Count the distinct values, -1 aside, in each group."""
    pairs = np.unique(np.stack([group, value]), axis=1)
    return np.bincount(pairs[0][pairs[1] >= 0], minlength=size)
