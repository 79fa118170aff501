"""Labelled pages as the Mountain Model learns from them: cells, and how many of their words are content."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.errors import MissingExtraError
from tamis.evaluate.corpora import BrokenPage, LabelledPage
from tamis.evaluate.words import by_character, numbered, words_of
from tamis.extractors.ridge import MountainParameters, Mountains, cell_scores, find_mountains
from tamis.page import parse_page
from tamis.page.cells import Cells, cut_cells

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Words of the page times words of its gold text: aligning takes an eighth of that in bytes, here 250 MB.
_ALIGNABLE: Final = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Sample:
    """A page, reduced to what training looks at.

    Attributes:
        group: its site, so that no site is both learned from and tested on.
        cells: its cells.
        scores: their scores before smoothing, with γ by the page's script.
        words: the words of each cell.
        matched: how many of them align with the gold text.
        gold: the words of the gold text.
    """

    group: str
    cells: Cells
    scores: Floats
    words: Ints
    matched: Ints
    gold: int

    def ridges(self, shape: MountainParameters) -> tuple[Mountains, Ints, Ints]:
        """Return the page's mountains, and the words and the matched words of each ridge."""
        mountains = find_mountains(self.cells, self.scores, shape)
        of = mountains.ridge_of_cell()
        real = (mountains.cell >= 0) & (of >= 0)
        cell, count = mountains.cell[real], len(mountains.start)
        words = np.bincount(of[real], weights=self.words[cell], minlength=count)
        matched = np.bincount(of[real], weights=self.matched[cell], minlength=count)
        return mountains, words.astype(np.int64), matched.astype(np.int64)


def sample(page: LabelledPage) -> Sample | None:
    """Align a page's cells with its gold text, by their longest common subsequence; None where that is too long.

    >>> found = sample(LabelledPage("1", "<nav>Home page</nav><p>Brew tea well.</p>", "Brew tea well."))
    >>> found.words.tolist(), found.matched.tolist()
    ([2, 3], [0, 3])
    """
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "train") from error
    columns = parse_page(page.html)
    cells = cut_cells(columns)
    single = by_character(page.gold)
    texts = [words_of(columns.row_text(row), characters=single) for row in cells.row.tolist()]
    gold = words_of(page.gold, characters=single)
    words = np.array([len(text) for text in texts], dtype=np.int64)
    if int(words.sum()) * len(gold) > _ALIGNABLE:
        return None
    left, right = numbered((word for text in texts for word in text), gold)
    same = np.zeros(len(left) + 1, dtype=np.int64)
    for block in LCSseq.opcodes(left, right):
        if block.tag == "equal":
            same[block.src_start + 1 : block.src_end + 1] = 1
    sums, ends = np.cumsum(same), np.cumsum(words)
    matched = sums[ends] - sums[ends - words]
    return Sample(
        page.site or f"{page.corpus}/{page.id}", cells, cell_scores(columns, cells), words, matched, len(gold)
    )


def read_samples(pages: Iterable[LabelledPage | BrokenPage]) -> tuple[list[Sample], int]:
    """Return the samples of all usable pages, and how many pages were left out."""
    found = [sample(page) if isinstance(page, LabelledPage) else None for page in pages]
    kept = [each for each in found if each is not None and each.gold]
    return kept, len(found) - len(kept)


def label(words: Ints, matched: Ints) -> Bools:
    """Return which ridges are content: those most of whose words are."""
    return np.asarray(2 * matched > words)


def page_score(page: Sample, words: Ints, matched: Ints, chosen: Bools) -> float:
    """Return F1 over aligned words for some chosen ridges of a page."""
    taken, right = int(words[chosen].sum()), int(matched[chosen].sum())
    return 2 * right / (taken + page.gold)
