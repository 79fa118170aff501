"""Samples for training sift: features of a labelled page's blocks, how much is gold, which is the headline."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.html.text import hostname
from tamis.lab.training.network import Example, fit_one_of_each
from tamis.page import parse_page
from tamis.render.text import block_texts
from tamis.sift.fallback import metadata_fallback
from tamis.sift.features import measure, prune, read_element_names
from tamis.sift.schema import PAGE_TYPES
from tamis.sites.labels import common_words

if TYPE_CHECKING:
    from tamis.lab.evaluate.corpora import Corpus as LabelledPages
    from tamis.lab.evaluate.corpora import LabelledPage
    from tamis.page import Page

# Which block of a page is the headline: one linear layer over the features, for pages whose title is labelled.
#
# The blocks of a page and "none of them" share a softmax: a page has one headline at most.

Floats = npt.NDArray[np.float32]

NO_HEADLINE: Final = -1  #: no block is like the labelled title
UNKNOWN: Final = -2  #: no title is labelled, or a block is only a little like it
_SAME: Final = 0.9  # words F1 of a block that is the title
_OTHER: Final = 0.6  # below this, no block is
_MAX_CHARS: Final = 400  # of a headline
#: Chosen on the folds of WCXB dev among 0.0001, 0.001 and 0.01.
_PENALTY: Final = 0.01


def label_headline(page: "Page", title: str | None) -> int:
    """Return the block that is the labelled title, the first heading of several; or one of the constants above.

    >>> from tamis.page import parse_page
    >>> label_headline(parse_page("<p>Green tea</p><h1>Green Tea</h1><p>Boil water.</p>"), "Green tea")
    1
    """
    title_words = _words(title or "")
    if not title_words:
        return UNKNOWN
    best, same = 0.0, []
    for block, text in block_texts(page, page.shown):
        words = _words(text) if len(text) <= _MAX_CHARS else None
        if words:
            likeness = 2 * (words & title_words).total() / (words.total() + title_words.total())
            best = max(best, likeness)
            same += [block] if likeness >= _SAME else []
    if not same:
        return NO_HEADLINE if best < _OTHER else UNKNOWN
    is_heading = tags.HEADING[page.tag[page.blocks.container]]
    return next((block for block in same if is_heading[block]), same[0])


def fit_headline(samples: "Sequence[Sample]") -> Floats:
    """Return a weight for each feature, and the bias: above 0, the block with the highest sum is the headline."""
    known = [sample for sample in samples if sample.headline > UNKNOWN and len(sample.example.size)]
    matrix = np.concatenate([sample.example.matrix for sample in known]).astype(np.float32)
    lengths = [len(sample.example.size) for sample in known]
    target = np.zeros(len(matrix), dtype=np.float32)
    for start, sample in zip(np.cumsum([0, *lengths]), known, strict=False):
        if sample.headline >= 0:
            target[start + sample.headline] = 1
    return fit_one_of_each(matrix, lengths, target, _PENALTY)


def score_headline(samples: "Sequence[Sample]", headline: Floats) -> dict[str, int]:
    """Return how many headlines are found, missed, or another block, and how many pages without one get one."""
    counts = Counter(
        {"found": 0, "another block": 0, "missed": 0, "none, and none found": 0, "none, but one found": 0}
    )
    for sample in samples:
        if sample.headline > UNKNOWN and len(sample.example.size):
            logits = np.asarray(sample.example.matrix, dtype=np.float32) @ headline[:-1] + headline[-1]
            predicted = int(logits.argmax()) if logits.max() > 0 else NO_HEADLINE
            if sample.headline == NO_HEADLINE:
                counts["none, and none found" if predicted == NO_HEADLINE else "none, but one found"] += 1
            else:
                missed = "missed" if predicted == NO_HEADLINE else "another block"
                counts["found" if predicted == sample.headline else missed] += 1
    return dict(counts)


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


# Samples for training sift: the features of a labelled page's blocks, and how much of each is in the gold text.


@dataclass(frozen=True, slots=True)
class Sample:
    """A labelled page, for training and for scoring. Words are numbers of one vocabulary.

    Attributes:
        site: the host of its URL. No site is both trained on and scored on.
        block: the block of each word.
        fallback: the words used where nothing is kept (`tamis.sift.fallback`).
        headline: the block that is the headline, or a constant of `tamis.lab.training.samples`.
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
        """Return the words F1 of keeping some blocks (`tamis.lab.evaluate.metrics.words`, on numbers).

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


#: Of a page in another script, and of a made page, as a share of the weight of the page.
_SCRIPT_WEIGHT, _MADE_WEIGHT = 0.4, 0.2
#: For the page type alone: of a page in another script, of a made page, and of a page of a further corpus.
_TYPE_WEIGHTS: Final = (0.5, 0.45, 0.1)


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Samples of one corpus.

    Attributes:
        other_scripts: pages in another script, by the name of the page they are made of.
        made: a short or clean page, by the name of the page it is made of.
        by_site: whether it is held out site by site, as the first corpus is, and not as a whole.
        source: where its pages are read again, to extract them.
    """

    name: str
    samples: list[Sample]
    weight: float = 1.0
    other_scripts: Mapping[str, list[Sample]] = field(default_factory=dict)
    made: Mapping[str, list[Sample]] = field(default_factory=dict)
    by_site: bool = False
    source: "LabelledPages | None" = None

    def without(self, fold: int, folds: int) -> "Corpus":
        """Return the corpus without the sites of a fold."""
        numbers = assign_folds(self.samples, folds)
        return replace(self, samples=[s for s, number in zip(self.samples, numbers, strict=True) if number != fold])


def make_sample(labelled: "LabelledPage") -> Sample:
    """Compute the features of a labelled page, and align its blocks with its gold text word by word."""
    from tamis.lab.evaluate.metrics import is_cjk, split_words  # noqa: PLC0415 (only for training)

    whole = parse_page(labelled.html)
    names = read_element_names(whole)
    page = prune(whole, names)
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
    block_of_word = np.array(block, dtype=np.int32)
    example = Example(
        matrix=features.matrix.astype(np.float16),  # half the memory, and precise enough
        size=features.size,
        words=np.bincount(block_of_word, minlength=count).astype(np.float64),
        hits=np.bincount(block_of_word, weights=common_words(words, gold), minlength=count).astype(np.float64),
        page_type=_page_type(labelled),
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


def _page_type(labelled: "LabelledPage") -> int:
    """Return the number of the page type, -1 if unknown. A page with a labelled title and date is an article."""
    page_type = labelled.page_type or ("article" if labelled.title and labelled.date else None)
    return PAGE_TYPES.index(page_type) if page_type in PAGE_TYPES else -1


def make_samples(pages: "Iterable[LabelledPage]", jobs: int) -> Iterator[Sample]:
    """Yield the samples of pages, in their order; `jobs` processes make them."""
    yield from _map(make_sample, pages, jobs)


def _map(make: Callable[..., Any], tasks: Iterable[Any], jobs: int) -> Iterator[Any]:
    if jobs <= 1:
        yield from map(make, tasks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(make, tasks, chunksize=16)


def make_corpus(
    name: str,
    pages: "Sequence[LabelledPage]",
    weight: float,
    jobs: int,
    *,
    other_scripts: bool,
    by_site: bool = False,
) -> Corpus:
    """Return a corpus: its pages, a clean page made of each, and these pages in another script if asked."""
    samples, made, scripts = [], {}, {}
    for sample, of_page, in_script in _map(_make_all, ((page, other_scripts) for page in pages), jobs):
        samples.append(sample)
        made[sample.page_id], scripts[sample.page_id] = of_page, in_script
    return Corpus(name, samples, weight, scripts, made, by_site)


def _make_all(task: "tuple[LabelledPage, bool]") -> tuple[Sample, list[Sample], list[Sample]]:
    """Return the sample of a page, those of the pages that are made of it, and that in another script."""
    from tamis.lab.training.augment import clean_page, in_other_script  # noqa: PLC0415 (augment reads corpora)

    page, other_scripts = task
    sample = make_sample(page)
    example = sample.example
    made = clean_page(page, 2 * example.hits >= np.maximum(example.words, 1)) if sample.is_trainable else None
    in_script = [make_sample(in_other_script(page))] if other_scripts else []
    return sample, [] if made is None else [make_sample(made)], in_script


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
    """Return the training pages of corpora, and made ones; with `other_scripts`, each also in another script.

    Only pages of the first corpus teach the page type: in the others all pages have one type, or none is labelled.
    """
    out = []
    for number, corpus in enumerate(corpora):
        groups = [(corpus.samples, 1.0), (_made_of(corpus, corpus.made), _MADE_WEIGHT)]
        if other_scripts:
            groups.insert(1, (_made_of(corpus, corpus.other_scripts), _SCRIPT_WEIGHT))
        for samples, share in groups:
            for sample in samples:
                if sample.is_trainable:
                    page_type = -1 if number or share == _MADE_WEIGHT else sample.example.page_type
                    out.append(
                        replace(sample.example, corpus=number, weight=share * corpus.weight, page_type=page_type)
                    )
    return out


def type_examples_of(corpora: Sequence[Corpus]) -> list[Example]:
    """Return pages that teach the page type alone: in other scripts, made ones, and those of further corpora."""
    first, *further = corpora
    groups = (
        _made_of(first, first.other_scripts),
        [sample for corpus in corpora for sample in _made_of(corpus, corpus.made)],
        [sample for corpus in further for sample in corpus.samples],
    )
    return [
        replace(sample.example, weight=weight)
        for samples, weight in zip(groups, _TYPE_WEIGHTS, strict=True)
        for sample in samples
        if sample.example.page_type >= 0 and len(sample.example.size)
    ]


def _made_of(corpus: Corpus, made: Mapping[str, list[Sample]]) -> list[Sample]:
    """Return the pages that are made of pages of a corpus."""
    return [each for sample in corpus.samples for each in made.get(sample.page_id, ())]
