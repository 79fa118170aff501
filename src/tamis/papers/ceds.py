"""CEDS: content extraction by DOM structure and statistics.

X. Yu, Z. Jin: Web content information extraction based on DOM tree and statistical information. IEEE 17th
International Conference on Communication Technology (2017).

Neighbouring leaves of the tree are fused into blocks. A block is important if it has many leaves of plain text, few
links and a low depth. Blocks above the threshold that separates them best are content. Leaves whose level differs
much from their neighbours' are noise inside a block. Scores are the importance of a row's block.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, lowest_common_ancestors, nearest_ancestor

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def real_nodes(page: Page) -> Ints:
    """Return the real node of each row: its highest ancestor with no siblings on the way (the paper's GetRealNode).

    Blank text, comments and scripts do not count as children, since a reader does not see them.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a>one</a></li> <li><a>two</a></li></ul>")
    >>> [page.tag_name(int(real_nodes(page)[row])) for row in page.shown.nonzero()[0]]
    ['li', 'li']
    """
    is_child = page.shown | (page.is_element & ~tags.RAW[page.tag] & (page.hidden == 0))
    is_child[0] = False
    children = np.bincount(page.parent[is_child], minlength=len(page))
    only_child = np.zeros(len(page), dtype=np.bool_)
    only_child[1:] = is_child[1:] & (children[page.parent[1:]] == 1)
    return nearest_ancestor(page.end, np.flatnonzero(~only_child)).astype(np.int64)


def fuse(page: Page, leaves: Ints) -> Ints:
    """Return the rows of the blocks: parents of neighbouring leaves whose real nodes are siblings (algorithm 1).

    The root makes no block: it is ``html`` and what is above it.
    """
    real = real_nodes(page)[leaves]
    siblings = (
        page.parent[real[1:]] == page.parent[real[:-1]]
    )  # siblings have the same level, and their parent as LCA
    siblings &= real[1:] != real[:-1]
    parents = np.unique(page.parent[real[1:][siblings]])
    return parents[parents >= page.body].astype(np.int64)


def typical_levels(levels: Ints, group: Ints, count: int) -> Ints:
    """Return the most frequent level of each group; of equally frequent ones, the deepest.

    >>> typical_levels(np.array([5, 5, 6, 6, 2]), np.array([0, 0, 0, 0, 1]), 2).tolist()
    [6, 2]
    """
    pair, frequency = np.unique(np.stack([group, levels]), axis=1, return_counts=True)
    order = np.lexsort((pair[1], frequency, pair[0]))  # the last of each group is the most frequent, then the deepest
    out = np.ones(count, dtype=np.int64)
    out[pair[0][order]] = pair[1][order]
    return out


def best_threshold(values: Floats, first: float = 1.0, last: float = 3.0, step: float = 0.1) -> float:
    """Return ε·mean for the ε whose split has the largest variance between its two classes (equations 2 to 5).

    The variance between the classes is weighted by their sizes, as in Otsu's method. Equation 3 can also be read
    without weights. On 196 of 210 news pages that selects the same blocks, on the other 14 fewer, and the mean LCS F1
    is 88.8 instead of 89.9.

    >>> best_threshold(np.array([1.0, 1.0, 1.0, 1.0, 9.0, 10.0])) < 9
    True
    """
    mean = float(values.mean())
    best_variance, threshold = -1.0, mean * first
    for number in range(round((last - first) / step) + 1):
        candidate = (first + number * step) * mean
        above = values > candidate
        share = float(above.mean())
        if 0 < share < 1:
            variance = share * (1 - share) * float(values[above].mean() - values[~above].mean()) ** 2
            if variance > best_variance:
                best_variance, threshold = variance, candidate
    return threshold


@dataclass(frozen=True, slots=True)
class Ceds:
    """The method of Yu and Jin. The defaults are the paper's numbers.

    Attributes:
        first: the smallest ε that is tried (section II-D).
        last: the largest ε that is tried.
        step: the step between them.
        jump: a leaf may be noise if its level differs by more than this from its neighbour's (section II-E).
        count: what equation 1, which is garbled in print, adds up over a block's leaves: ``"characters"`` of plain
            text, or ``"leaves"`` of plain text as it is printed. With leaves, a footer with four separators beats an
            article.
    """

    first: float = 1.0
    last: float = 3.0
    step: float = 0.1
    jump: int = 4
    count: Literal["characters", "leaves"] = "characters"
    name: ClassVar[str] = "ceds"
    summary: ClassVar[str] = "sibling leaves fused into blocks; the blocks above an importance threshold"
    source: ClassVar[str] = "Yu, Jin 2017"

    def select(self, page: Page) -> Selection:
        """Select the leaves of important blocks."""
        leaves = np.flatnonzero(page.shown)
        mask = np.zeros(len(page), dtype=np.bool_)
        score = np.zeros(len(page))
        if len(leaves):
            blocks, block, importance, threshold = self.score(page)
            content = importance > threshold
            if not content.any():  # a single block, or equal ones: no threshold separates them, so all are content
                content[:] = importance > 0
            mask[leaves] = content[block] & ~self._noise(page, leaves, block, blocks)
            score[leaves] = importance[block]
        return Selection.from_mask(page, mask, score, ("in an unimportant block", "in an important block"))

    def score(self, page: Page) -> tuple[Ints, Ints, Floats, float]:
        """Return the rows of the blocks, the block of each shown leaf, the blocks' importance, and the threshold.

        The page must have shown text.
        """
        leaves = np.flatnonzero(page.shown)
        block_row = nearest_ancestor(page.end, fuse(page, leaves))[leaves]
        block_row = np.where(block_row < 0, leaves, block_row)  # a leaf outside all blocks is a block itself
        blocks, block = np.unique(block_row.astype(np.int64), return_inverse=True)
        importance = self._importance(page, leaves, block, blocks)
        return blocks, block, importance, best_threshold(importance, self.first, self.last, self.step)

    def _importance(self, page: Page, leaves: Ints, block: Ints, blocks: Ints) -> Floats:
        """Return the importance of each block (equation 1)."""
        count = len(blocks)
        amount = page.chars[leaves] if self.count == "characters" else np.ones(len(leaves))
        plain = np.bincount(block, weights=np.where(page.link[leaves], 0, amount), minlength=count)
        links = np.flatnonzero((page.tag == tags.IDS["a"]) & page.link)
        link_of = nearest_ancestor(page.end, links)
        text_links = _count_distinct(block, link_of[leaves], count)
        images = np.flatnonzero((page.tag == tags.IDS["img"]) & (link_of >= 0))
        image_block = nearest_ancestor(page.end, blocks)[images]
        image_links = np.bincount(np.searchsorted(blocks, image_block[image_block >= 0]), minlength=count)
        level = typical_levels(page.depth[leaves].astype(np.int64), block, count)
        return np.asarray(plain / (np.maximum(text_links + image_links, 1) * level))

    def _noise(self, page: Page, leaves: Ints, block: Ints, blocks: Ints) -> Bools:
        """Return the leaves whose level does not fit the structure of their block (section II-E)."""
        out = np.zeros(len(leaves), dtype=np.bool_)
        if len(leaves) < 2:  # noqa: PLR2004 (a pair)
            return out
        level = page.depth[leaves].astype(np.int64)
        typical = typical_levels(level, block, len(blocks))[block]
        ancestor = lowest_common_ancestors(page.parent, page.end, page.depth, leaves[:-1], leaves[1:])
        pair = (block[1:] == block[:-1]) & (np.abs(np.diff(level)) > self.jump) & (ancestor != blocks[block[1:]])
        out[1:] |= pair & (level[1:] != typical[1:])
        out[:-1] |= pair & (level[:-1] != typical[:-1])
        return out


def _count_distinct(group: Ints, values: npt.NDArray[np.int32], count: int) -> Ints:
    """Return the number of distinct values in each group, without -1."""
    pairs = np.unique(np.stack([group, values]), axis=1)
    return np.bincount(pairs[0][pairs[1] >= 0], minlength=count)
