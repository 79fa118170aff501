"""Samples for training sift: the features of a labelled page's blocks, and how much of each is in the gold text."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import MissingExtraError
from tamis.extractors.metadata_fallback import metadata_fallback
from tamis.features import measure
from tamis.features.boilerplate import without_boilerplate
from tamis.features.element_names import read_element_names
from tamis.features.schema import PAGE_TYPES
from tamis.html.urls import hostname
from tamis.page import parse_page
from tamis.render.row_text import block_texts
from tamis.training.batch import Example
from tamis.training.headline_head import UNKNOWN, label_headline

if TYPE_CHECKING:
    from tamis.evaluate.corpora import LabelledPage


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled page, for training and for scoring. Words are numbers of one vocabulary.

    Attributes:
        page_id: its name in the corpus.
        site: the host of its URL. No site is both trained on and scored on.
        example: the input of the network.
        words: the words of all blocks.
        block: the block of each of those words.
        gold: the words of the gold text.
        fallback: the words used where nothing is kept (`tamis.extractors.metadata_fallback`).
        headline: the block that is the headline, or a constant of `tamis.training.headline_head`.
    """

    page_id: str
    site: str
    example: Example
    words: npt.NDArray[np.int32]
    block: npt.NDArray[np.int32]
    gold: npt.NDArray[np.int32]
    fallback: npt.NDArray[np.int32]
    headline: int = UNKNOWN

    @property
    def is_trainable(self) -> bool:
        """Whether the page has gold text, some of which is on the page."""
        return bool(len(self.gold)) and bool(self.example.hits.sum() > 0)

    def f1(self, kept: npt.NDArray[np.bool_]) -> float:
        """Return the words F1 of keeping some blocks (`tamis.evaluate.metrics.words`, on numbers).

        Where the gold text is empty, only an empty result scores 1.
        """
        chosen = self.words[kept[self.block]] if len(self.words) else self.words
        if not len(chosen):
            chosen = self.fallback
        if not len(chosen) or not len(self.gold):
            return float(len(chosen) == len(self.gold))
        size = int(max(chosen.max(), self.gold.max())) + 1
        common = np.minimum(np.bincount(chosen, minlength=size), np.bincount(self.gold, minlength=size)).sum()
        return float(2 * common / (len(chosen) + len(self.gold)))


#: Of a page in another script, as a share of the weight of the page.
_SCRIPT_WEIGHT: Final = 0.4
#: For the page type alone: of a page in another script, of a short page, and of a page of a corpus of articles.
_TYPE_WEIGHTS: Final = (0.5, 0.15, 0.1)


@dataclass(frozen=True, slots=True)
class Corpus:
    """Samples of one corpus.

    Attributes:
        name: its name.
        samples: its pages.
        weight: the weight of each page in training.
        other_scripts: pages in another script, by the name of the page they are made of.
        short: short pages, by the name of the page they are made of.
    """

    name: str
    samples: list[Sample]
    weight: float = 1.0
    other_scripts: Mapping[str, Sample] = field(default_factory=dict)
    short: Mapping[str, Sample] = field(default_factory=dict)


def make_sample(labelled: "LabelledPage") -> Sample:
    """Compute the features of a labelled page, and align its blocks with its gold text word by word."""
    try:
        from rapidfuzz.distance import LCSseq  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("rapidfuzz", "train") from error
    from tamis.evaluate.words import is_cjk, split_words  # noqa: PLC0415 (only for training)

    whole = parse_page(labelled.html)
    names = read_element_names(whole)
    page = without_boilerplate(whole, names)
    features = measure(page, names)
    cjk = is_cjk(labelled.gold)
    vocabulary: dict[str, int] = {}
    words: list[int] = []
    block: list[int] = []
    for number, text in block_texts(page, page.shown):
        block_words = split_words(text, cjk=cjk)
        words.extend(vocabulary.setdefault(word, len(vocabulary)) for word in block_words)
        block.extend([number] * len(block_words))
    gold = [vocabulary.setdefault(word, len(vocabulary)) for word in split_words(labelled.gold, cjk=cjk)]
    fallback = metadata_fallback(page)
    fallback_words = split_words(fallback[0], cjk=cjk) if fallback else []
    count = len(page.blocks)
    is_hit = np.zeros(len(words))
    if words and gold:
        for step in LCSseq.opcodes(words, gold):
            if step.tag == "equal":
                is_hit[step.src_start : step.src_end] = 1
    block_of_word = np.array(block, dtype=np.int32)
    example = Example(
        matrix=features.matrix.astype(np.float16),  # half the memory, and precise enough
        size=features.size,
        words=np.bincount(block_of_word, minlength=count).astype(np.float64),
        hits=np.bincount(block_of_word, weights=is_hit, minlength=count).astype(np.float64),
        page_type=PAGE_TYPES.index(labelled.page_type) if labelled.page_type in PAGE_TYPES else -1,
    )
    site = hostname(labelled.url) or labelled.id
    return Sample(
        labelled.id,
        site,
        example,
        np.array(words, dtype=np.int32),
        block_of_word,
        np.array(gold, dtype=np.int32),
        np.array([vocabulary.setdefault(word, len(vocabulary)) for word in fallback_words], dtype=np.int32),
        label_headline(page, labelled.title),
    )


def make_samples(pages: "Iterable[LabelledPage]", jobs: int) -> Iterator[Sample]:
    """Yield the samples of pages, in their order; `jobs` processes make them."""
    if jobs <= 1:
        yield from map(make_sample, pages)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(make_sample, pages, chunksize=16)


def make_corpus(name: str, pages: "Sequence[LabelledPage]", weight: float, jobs: int) -> Corpus:
    """Return a corpus: its pages, these in another script, and short pages made of its articles."""
    from tamis.training.other_scripts import in_other_script  # noqa: PLC0415 (only for training)
    from tamis.training.short_pages import short_page  # noqa: PLC0415

    samples = list(make_samples(pages, jobs))
    other_scripts = {sample.page_id: sample for sample in make_samples(map(in_other_script, pages), jobs)}
    articles = [short_page(page) for page in pages if page.page_type == "article"]
    short = {sample.page_id: sample for sample in make_samples([page for page in articles if page], jobs)}
    return Corpus(name, samples, weight, other_scripts, short)


def assign_folds(samples: list[Sample], folds: int) -> npt.NDArray[np.int64]:
    """Return the fold of each page. Sites are never split, folds are about equal, and nothing is random.

    The largest sites come first; each goes to the smallest fold.
    """
    pages: dict[str, int] = {}
    for sample in samples:
        pages[sample.site] = pages.get(sample.site, 0) + 1
    fold_sizes = [0] * folds
    fold_of: dict[str, int] = {}
    for site in sorted(pages, key=lambda site: (-pages[site], site)):
        fold_of[site] = int(np.argmin(fold_sizes))
        fold_sizes[fold_of[site]] += pages[site]
    return np.array([fold_of[sample.site] for sample in samples])


def examples_of(corpora: Sequence[Corpus], *, other_scripts: bool = False) -> list[Example]:
    """Return the training pages of corpora; with `other_scripts`, each also in another script.

    Only the first corpus teaches the page type: in the others all pages have one type, or none is labelled.
    """
    out = []
    for number, corpus in enumerate(corpora):
        pairs = [(sample, corpus.weight) for sample in corpus.samples]
        if other_scripts:
            pairs += [(sample, _SCRIPT_WEIGHT * corpus.weight) for sample in _made_of(corpus, corpus.other_scripts)]
        for sample, weight in pairs:
            if sample.is_trainable:
                page_type = -1 if number else sample.example.page_type
                out.append(replace(sample.example, corpus=number, weight=weight, page_type=page_type))
    return out


def type_examples_of(corpora: Sequence[Corpus]) -> list[Example]:
    """Return pages that teach the page type alone: in other scripts, short ones, and those of corpora of one type."""
    first, *further = corpora
    groups = (
        _made_of(first, first.other_scripts),
        _made_of(first, first.short),
        [sample for corpus in further for sample in corpus.samples],
    )
    return [
        replace(sample.example, weight=weight)
        for samples, weight in zip(groups, _TYPE_WEIGHTS, strict=True)
        for sample in samples
        if sample.example.page_type >= 0 and len(sample.example.size)
    ]


def _made_of(corpus: Corpus, made: Mapping[str, Sample]) -> list[Sample]:
    """Return the pages that are made of pages of a corpus."""
    return [made[sample.page_id] for sample in corpus.samples if sample.page_id in made]
