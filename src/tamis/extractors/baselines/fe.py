"""FE and KFE: FeatureExtractor and K-FeatureExtractor.

S. Debnath, P. Mitra, N. Pal, C. L. Giles: Automatic identification of informative sections of web pages. IEEE
Transactions on Knowledge and Data Engineering 17 (2005) 1233–1246.

The page is cut into blocks at the tags that lay out pages. Each block is described by how much of what it holds
is text, links, lists, images, objects, forms, code. The feature wanted here is text. FeatureExtractor takes the
one block that has it most (so it finds one paragraph and little more); K-FeatureExtractor clusters the blocks in
which text wins and takes the best cluster.
Selects the text rows of those blocks; the score is the share of the block that is text.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.extractors.baselines.clusters import cluster
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import nearest_ancestor

Floats = npt.NDArray[np.float64]

#: The tags that cut: the paper's (tables and their rows, paragraphs, rules, lists, divisions) and what has joined
#: HTML since to lay out a page.
_CUTS: Final = tags.tag_mask(
    "body table tr td th p hr ul ol dl div center blockquote pre form"
    " article aside section nav header footer main figure details fieldset"
)
#: The features beside text, by the tags that show them.
_FEATURES: Final = {
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
        block_of: for each row of the page its block.
        amount: words of text outside links, of each block.
        shares: of each block the share of each feature in all that it holds; text is the first.
    """

    block_of: npt.NDArray[np.int64]
    amount: Floats
    shares: Floats

    @property
    def text(self) -> Floats:
        """The share of each block that is text."""
        return np.asarray(self.shares[:, 0])

    @property
    def wins(self) -> npt.NDArray[np.bool_]:
        """Whether text is the strongest of its features (the paper's winner basket)."""
        return np.asarray(self.text > self.shares[:, 1:].max(axis=1))


def cut(page: Page) -> FeatureBlocks:
    """Cut a page into blocks: a row belongs to the innermost cutting element around it.

    >>> from tamis.page import parse_page
    >>> blocks = cut(parse_page("<div><p>five words of plain text<p><a>a</a><img></div>"))
    >>> blocks.text.round(2).tolist(), blocks.wins.tolist()
    ([0.0, 0.0, 1.0, 0.0], [False, False, True, False])
    """
    cuts = np.flatnonzero(page.is_element & _CUTS[page.tag])
    inner = nearest_ancestor(page.end, cuts)
    of = np.searchsorted(cuts, np.maximum(inner, cuts[0] if len(cuts) else 0))
    count = max(len(cuts), 1)
    plain = page.shown & ~page.link
    amount = np.bincount(of, weights=np.where(plain, page.words, 0), minlength=count).astype(np.float64)
    held = np.empty((count, 1 + len(_FEATURES)))
    held[:, 0] = amount
    for number, table in enumerate(_FEATURES.values(), 1):
        held[:, number] = np.bincount(of, weights=page.is_element & table[page.tag], minlength=count)
    held /= np.maximum(held.sum(axis=1), 1)[:, None]
    return FeatureBlocks(of, amount, held)


def _select(page: Page, blocks: FeatureBlocks, chosen: npt.NDArray[np.bool_], why: str) -> Selection:
    return Selection.from_mask(page, chosen[blocks.block_of], blocks.text[blocks.block_of], ("in another block", why))


@dataclass(frozen=True, slots=True)
class Fe:
    """The one block that is most purely text; of equals the longest, then the first.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Brew <a href=/t>tea</a> well.</p><p>Three minutes, no more.</p><p>Drink.</p>")
    >>> [page.row_text(row) for row in Fe().select(page).mask.nonzero()[0]]
    ['Three minutes, no more.']
    """

    name: ClassVar[str] = "fe"
    summary: ClassVar[str] = "the one block that is most purely text"
    source: ClassVar[str] = "Debnath et al. 2005"

    def select(self, page: Page) -> Selection:
        """Select the winner."""
        blocks = cut(page)
        chosen = np.zeros(len(blocks.amount), dtype=np.bool_)
        if blocks.wins.any():
            chosen[np.lexsort((-blocks.amount, -np.where(blocks.wins, blocks.text, -1)))[0]] = True
        return _select(page, blocks, chosen, "in the block that is most purely text")


@dataclass(frozen=True, slots=True)
class Kfe:
    """Of the blocks in which text wins, clustered by all their features, those with most text.

    Attributes:
        clusters: how many clusters are made. With three, the blocks that are all text, those with a link or an
            image among the words, and the mixed ones come apart.

    >>> from tamis.page import parse_page
    >>> prose = "<p>" + "A cup of tea is made with water just off the boil. " * 4
    >>> page = parse_page(f"<p><a href=/>Home</a> <a href=/n>News</a> of this day</p>{prose}{prose}<p>Up <img> now")
    >>> [page.row_text(row)[:8] for row in Kfe().select(page).mask.nonzero()[0]]
    ['A cup of', 'A cup of']
    """

    clusters: int = 3
    name: ClassVar[str] = "kfe"
    summary: ClassVar[str] = "the cluster of blocks that are most purely text"
    source: ClassVar[str] = "Debnath et al. 2005"

    def select(self, page: Page) -> Selection:
        """Select the best cluster."""
        blocks = cut(page)
        winners = np.flatnonzero(blocks.wins)
        chosen = np.zeros(len(blocks.amount), dtype=np.bool_)
        if len(winners):
            label, centres = cluster(blocks.shares[winners], self.clusters)
            used = np.unique(label)
            chosen[winners[label == used[np.argmax(centres[used, 0])]]] = True
        return _select(page, blocks, chosen, "in the cluster of blocks that are most purely text")
