"""Labelled pages as the learned extractor sees them: features of blocks, and how much of each is in the gold text."""

from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from tamis.errors import MissingExtraError
from tamis.extractors.metadata_fallback import metadata_fallback
from tamis.extractors.sift import KINDS
from tamis.features import measure
from tamis.page import parse_page
from tamis.render.row_text import block_texts
from tamis.training.train_network import Example

if TYPE_CHECKING:
    from tamis.evaluate.corpora import LabelledPage


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled page, ready to learn from and to be scored on.

    Attributes:
        page: its name in the corpus.
        site: the host of its address; pages of one site are never both learned from and scored on.
        example: what the network learns from.
        words: the words of all blocks, as numbers.
        block: the block of each of those words.
        gold: the words of the gold text, as numbers of the same list.
        told: the words that stand in where nothing is kept (`tamis.extractors.metadata_fallback`), likewise.
    """

    page: str
    site: str
    example: Example
    words: npt.NDArray[np.int32]
    block: npt.NDArray[np.int32]
    gold: npt.NDArray[np.int32]
    told: npt.NDArray[np.int32]

    @property
    def teaches(self) -> bool:
        """Whether there is anything to learn from it: gold text, some of which is on the page."""
        return bool(len(self.gold)) and bool(self.example.hits.sum() > 0)

    def f1(self, kept: npt.NDArray[np.bool_]) -> float:
        """Return the words F1 of keeping some blocks (`tamis.evaluate.metrics.words`, on numbers).

        An empty gold text asks for an empty answer.
        """
        chosen = self.words[kept[self.block]] if len(self.words) else self.words
        if not len(chosen):
            chosen = self.told
        if not len(chosen) or not len(self.gold):
            return float(len(chosen) == len(self.gold))
        size = int(max(chosen.max(), self.gold.max())) + 1
        common = np.minimum(np.bincount(chosen, minlength=size), np.bincount(self.gold, minlength=size)).sum()
        return float(2 * common / (len(chosen) + len(self.gold)))


def make_sample(labelled: "LabelledPage") -> Sample:
    """Measure a labelled page and align its blocks with its gold text, word by word."""
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "train") from error
    from tamis.evaluate.words import by_character, words_of  # noqa: PLC0415 (only for training)

    page = parse_page(labelled.html)
    features = measure(page)
    characters = by_character(labelled.gold)
    numbers: dict[str, int] = {}
    words: list[int] = []
    block: list[int] = []
    for number, text in block_texts(page, page.shown):
        found = words_of(text, characters=characters)
        words.extend(numbers.setdefault(word, len(numbers)) for word in found)
        block.extend([number] * len(found))
    gold = [numbers.setdefault(word, len(numbers)) for word in words_of(labelled.gold, characters=characters)]
    said = metadata_fallback(page)
    told = words_of(said[0], characters=characters) if said else []
    count = len(page.blocks)
    hit = np.zeros(len(words))
    if words and gold:
        for step in LCSseq.opcodes(words, gold):
            if step.tag == "equal":
                hit[step.src_start : step.src_end] = 1
    owner = np.array(block, dtype=np.int32)
    example = Example(
        matrix=features.matrix.astype(np.float16),  # half the memory; features need no more digits
        size=features.size,
        words=np.bincount(owner, minlength=count).astype(np.float64),
        hits=np.bincount(owner, weights=hit, minlength=count).astype(np.float64),
        kind=KINDS.index(labelled.page_type) if labelled.page_type in KINDS else -1,
    )
    site = urlsplit(labelled.url or "").hostname or labelled.id
    return Sample(
        labelled.id,
        site,
        example,
        np.array(words, dtype=np.int32),
        owner,
        np.array(gold, dtype=np.int32),
        np.array([numbers.setdefault(word, len(numbers)) for word in told], dtype=np.int32),
    )


def make_samples(pages: "Iterable[LabelledPage]", jobs: int) -> Iterator[Sample]:
    """Make samples in several processes, in the order of the pages."""
    if jobs <= 1:
        yield from map(make_sample, pages)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(make_sample, pages, chunksize=16)


def folds_of(samples: list[Sample], count: int) -> npt.NDArray[np.int64]:
    """Return a fold for each page: sites stay whole, folds are as equal as sites allow, and no chance is involved.

    The largest sites are dealt first, each to the smallest fold.
    """
    pages: dict[str, int] = {}
    for sample in samples:
        pages[sample.site] = pages.get(sample.site, 0) + 1
    filled = [0] * count
    home: dict[str, int] = {}
    for site in sorted(pages, key=lambda site: (-pages[site], site)):
        home[site] = int(np.argmin(filled))
        filled[home[site]] += pages[site]
    return np.array([home[sample.site] for sample in samples])
