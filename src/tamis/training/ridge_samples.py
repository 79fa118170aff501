"""Samples for training the Mountain Model: the cells of a labelled page, and how many of their words are content."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.errors import MissingExtraError
from tamis.evaluate.corpora import BrokenPage, LabelledPage
from tamis.evaluate.words import is_cjk, split_words, word_ids
from tamis.extractors.ridge import MountainParameters, Mountains, cell_scores, fallback_cells, find_mountains
from tamis.page import parse_page
from tamis.page.cells import Cells, cut_cells

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: The largest product of the words of a page and of its gold text. Aligning takes an eighth of that in bytes: 250 MB.
_MAX_ALIGNMENT: Final = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled page, reduced to what training needs.

    Attributes:
        group: its site. No site is both trained on and tested on.
        cells: its cells.
        scores: their scores before smoothing, with γ from the page's script.
        words: the words of each cell.
        matched: how many of them align with the gold text.
        gold: the number of words of the gold text.
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
        ridge_of_cell = mountains.ridge_of_cell()
        in_ridge = (mountains.cell >= 0) & (ridge_of_cell >= 0)
        ridge, cell, count = ridge_of_cell[in_ridge], mountains.cell[in_ridge], len(mountains.start)
        words = np.bincount(ridge, weights=self.words[cell], minlength=count)
        matched = np.bincount(ridge, weights=self.matched[cell], minlength=count)
        return mountains, words.astype(np.int64), matched.astype(np.int64)

    def fallback(self, mountains: Mountains) -> tuple[int, int]:
        """Return the words and matched words of what the extractor selects on a page without a ridge of content."""
        is_real = mountains.cell >= 0
        cells = fallback_cells(mountains.score[is_real])
        real = mountains.cell[is_real][cells]
        return int(self.words[real].sum()), int(self.matched[real].sum())


def make_sample(labelled: LabelledPage) -> Sample | None:
    """Align a page's cells with its gold text by their longest common subsequence; None if both are too long.

    >>> sample = make_sample(LabelledPage("1", "<nav>Home page</nav><p>Brew tea well.</p>", "Brew tea well."))
    >>> sample.words.tolist(), sample.matched.tolist()
    ([2, 3], [0, 3])
    """
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "train") from error
    page = parse_page(labelled.html)
    cells = cut_cells(page)
    cjk = is_cjk(labelled.gold)
    cell_words = [split_words(page.row_text(row), cjk=cjk) for row in cells.row.tolist()]
    gold = split_words(labelled.gold, cjk=cjk)
    words = np.array([len(texts) for texts in cell_words], dtype=np.int64)
    if int(words.sum()) * len(gold) > _MAX_ALIGNMENT:
        return None
    page_ids, gold_ids = word_ids((word for texts in cell_words for word in texts), gold)
    is_match = np.zeros(len(page_ids) + 1, dtype=np.int64)
    for step in LCSseq.opcodes(page_ids, gold_ids):
        if step.tag == "equal":
            is_match[step.src_start + 1 : step.src_end + 1] = 1
    sums, ends = np.cumsum(is_match), np.cumsum(words)
    matched = sums[ends] - sums[ends - words]
    return Sample(
        labelled.site or f"{labelled.corpus}/{labelled.id}",
        cells,
        cell_scores(page, cells),
        words,
        matched,
        len(gold),
    )


def read_samples(pages: Iterable[LabelledPage | BrokenPage]) -> tuple[list[Sample], int]:
    """Return the samples of all usable pages, and the number of pages left out."""
    samples = [make_sample(page) if isinstance(page, LabelledPage) else None for page in pages]
    usable = [sample for sample in samples if sample is not None and sample.gold]
    return usable, len(samples) - len(usable)


def is_content(words: Ints, matched: Ints) -> Bools:
    """Return which ridges are content: those with most of their words in the gold text."""
    return np.asarray(2 * matched > words)


def page_score(gold: int, words: Ints, matched: Ints, fallback: tuple[int, int]) -> float:
    """Return the F1 over aligned words of a page: of the selected ridges, or of the fallback if there is none.

    >>> page_score(10, np.array([8]), np.array([6]), (30, 10)), page_score(10, np.array([]), np.array([]), (30, 10))
    (0.6666666666666666, 0.5)
    """
    selected, correct = (int(words.sum()), int(matched.sum())) if len(words) else fallback
    return 2 * correct / (selected + gold)
