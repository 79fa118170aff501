"""FE and KFE: FeatureExtractor and K-FeatureExtractor.

S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic identification of informative sections of web pages. IEEE
Transactions on Knowledge and Data Engineering 17 (2005) 1233–1246.

The page is cut into blocks at layout tags. The features of a block are the shares of text, links, lists, images,
objects, forms and code in it. The desired feature here is text. FeatureExtractor takes the one block with the largest
share of text, so it finds one paragraph and little more. K-FeatureExtractor clusters the blocks in which text is the
strongest feature and takes the best cluster. Selects the text rows of those blocks. Scores are shares of text.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import nearest_ancestor
from tamis.papers.baselines.kmeans import cluster

Floats = npt.NDArray[np.float64]

#: The tags that begin a block: the paper's (tables and their rows, paragraphs, rules, lists, divisions) and the
#: layout tags that HTML has added since.
_BLOCK_TAGS: Final = tags.tag_mask(
    "body table tr td th p hr ul ol dl div center blockquote pre form"
    " article aside section nav header footer main figure details fieldset"
)
#: The features other than text, with the tags that are counted for them.
_FEATURE_TAGS: Final = {
    "link": tags.tag_mask("a"),
    "list": tags.tag_mask("li dt dd"),
    "image": tags.tag_mask("img picture svg"),
    "object": tags.tag_mask("object embed applet video audio canvas iframe frame"),
    "form": tags.tag_mask("input select textarea button option"),
    "code": tags.tag_mask("script style link"),
}


@dataclass(frozen=True, slots=True)
class FeatureBlocks:
    """The blocks of a page with their features.

    Attributes:
        block_of: one entry per row of the page: its block.
        words: one entry per block: its words outside links.
        shares: one row per block: the shares of its features, text first.
    """

    block_of: npt.NDArray[np.int64]
    words: Floats
    shares: Floats

    @property
    def text(self) -> Floats:
        """The share of text in each block."""
        return np.asarray(self.shares[:, 0])

    @property
    def is_winner(self) -> npt.NDArray[np.bool_]:
        """Whether text is the strongest feature of each block (the paper's winner basket)."""
        return np.asarray(self.text > self.shares[:, 1:].max(axis=1))


def feature_blocks(page: Page) -> FeatureBlocks:
    """Cut a page into blocks: a row belongs to the innermost block element around it.

    >>> from tamis.page import parse_page
    >>> blocks = feature_blocks(parse_page("<div><p>five words of plain text<p><a>a</a><img></div>"))
    >>> blocks.text.round(2).tolist(), blocks.is_winner.tolist()
    ([0.0, 0.0, 1.0, 0.0], [False, False, True, False])
    """
    starts = np.flatnonzero(page.is_element & _BLOCK_TAGS[page.tag])
    innermost = nearest_ancestor(page.end, starts)
    block_of = np.searchsorted(starts, np.maximum(innermost, starts[0] if len(starts) else 0))
    count = max(len(starts), 1)
    plain = page.shown & ~page.link
    words = np.bincount(block_of, weights=np.where(plain, page.words, 0), minlength=count).astype(np.float64)
    shares = np.empty((count, 1 + len(_FEATURE_TAGS)))
    shares[:, 0] = words
    for feature, mask in enumerate(_FEATURE_TAGS.values(), 1):
        shares[:, feature] = np.bincount(block_of, weights=page.is_element & mask[page.tag], minlength=count)
    shares /= np.maximum(shares.sum(axis=1), 1)[:, None]
    return FeatureBlocks(block_of, words, shares)


def _select_blocks(page: Page, blocks: FeatureBlocks, chosen: npt.NDArray[np.bool_], reason: str) -> Selection:
    score = blocks.text[blocks.block_of]
    return Selection.from_mask(page, chosen[blocks.block_of], score, ("in another block", reason))


@dataclass(frozen=True, slots=True)
class Fe:
    """The one block with the largest share of text; of equal ones the longest, then the first.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Brew <a href=/t>tea</a> well.</p><p>Three minutes, no more.</p><p>Drink.</p>")
    >>> [page.row_text(row) for row in Fe().select(page).mask.nonzero()[0]]
    ['Three minutes, no more.']
    """

    name: ClassVar[str] = "fe"
    summary: ClassVar[str] = "the one block with the largest share of text"
    source: ClassVar[str] = "Debnath et al. 2005"

    def select(self, page: Page) -> Selection:
        """Select the winning block."""
        blocks = feature_blocks(page)
        chosen = np.zeros(len(blocks.words), dtype=np.bool_)
        if blocks.is_winner.any():
            chosen[np.lexsort((-blocks.words, -np.where(blocks.is_winner, blocks.text, -1)))[0]] = True
        return _select_blocks(page, blocks, chosen, "in the block with the largest share of text")


@dataclass(frozen=True, slots=True)
class Kfe:
    """The cluster with the most text, of the blocks in which text is the strongest feature.

    Attributes:
        clusters: number of clusters. Three separate blocks of text alone, blocks with a link or an image in the text,
            and mixed ones.

    >>> from tamis.page import parse_page
    >>> prose = "<p>" + "A cup of tea is made with water just off the boil. " * 4
    >>> page = parse_page(f"<p><a href=/>Home</a> <a href=/n>News</a> of this day</p>{prose}{prose}<p>Up <img> now")
    >>> [page.row_text(row)[:8] for row in Kfe().select(page).mask.nonzero()[0]]
    ['A cup of', 'A cup of']
    """

    clusters: int = 3
    name: ClassVar[str] = "kfe"
    summary: ClassVar[str] = "the cluster of blocks with the largest share of text"
    source: ClassVar[str] = "Debnath et al. 2005"

    def select(self, page: Page) -> Selection:
        """Select the best cluster."""
        blocks = feature_blocks(page)
        winners = np.flatnonzero(blocks.is_winner)
        chosen = np.zeros(len(blocks.words), dtype=np.bool_)
        if len(winners):
            label, centres = cluster(blocks.shares[winners], self.clusters)
            used = np.unique(label)
            chosen[winners[label == used[np.argmax(centres[used, 0])]]] = True
        return _select_blocks(page, blocks, chosen, "in the cluster of blocks with the largest share of text")
