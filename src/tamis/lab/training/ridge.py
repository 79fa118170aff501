"""Training of the Mountain Model's classifier: samples, cross-validation, sweeps."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import CorpusError, OptionError, needs_extra
from tamis.extractors.weights import Weights
from tamis.lab.evaluate.corpora import BrokenPage, LabelledPage
from tamis.lab.evaluate.metrics import is_cjk, split_words, word_ids
from tamis.page import parse_page
from tamis.papers.ridge import (
    FEATURES,
    Cells,
    MountainParameters,
    Mountains,
    Svm,
    cell_scores,
    cut_cells,
    fallback_cells,
    find_mountains,
)
from tamis.sites.labels import common_words

# Samples for training the Mountain Model: the cells of a labelled page, and how many of their words are content.

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
        scores: the scores of the cells before smoothing, with γ from the page's script.
        matched: how many words of each cell align with the gold text.
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
    page = parse_page(labelled.html)
    cells = cut_cells(page)
    cjk = is_cjk(labelled.gold)
    cell_words = [split_words(page.row_text(row), cjk=cjk) for row in cells.row.tolist()]
    gold = split_words(labelled.gold, cjk=cjk)
    words = np.array([len(texts) for texts in cell_words], dtype=np.int64)
    if int(words.sum()) * len(gold) > _MAX_ALIGNMENT:
        return None
    page_ids, gold_ids = word_ids((word for texts in cell_words for word in texts), gold)
    cell_of_word = np.repeat(np.arange(len(words)), words)
    matched = np.bincount(cell_of_word, common_words(page_ids, gold_ids), len(words)).astype(np.int64)
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


# Training of the Mountain Model's classifier (Bing 2008, section 4): a general one from corpora, or one for a site.
#
# A support vector machine with RBF kernel learns to classify ridges by their four features; the words of a ridge give
# its label, and its share of the words of the page's ridges its weight. Cross-validation keeps the pages of a site
# together. The same data, options and seed give the same weights.

GOOD: Final = 0.9  # "if the FM value is larger than 0.9, the result is good enough" (section 5)
LOCATED: Final = 0.8  # "if a page's FM value is larger than 0.8, the page's primary content is located rightly"

#: The axes of figures 3 and 4 of the paper, around the values that it chooses.
SMOOTHING: Final = (3, 5, 7, 9, 11)
BLANK: Final = (50, 100, 200, 300, 400, 500)
SPAN: Final = (1, 3, 5, 7, 9)
PEAK: Final = (1.0, 2.0, 3.0, 4.0, 5.0)


@dataclass(frozen=True, slots=True)
class RidgeConfig:
    """The hyperparameters. The paper gives the kernel and the four folds; the rest is ours.

    Attributes:
        cost: the machine's C. Between 1 and 10, and `gamma` between 1 and 5, the cross-validated mean F1 changes by
            less than a point; larger values of either overfit to single pages.
        word_weights: weight each ridge by its share of the words of its page's ridges. If all ridges weigh the same,
            a page with forty short ridges counts forty times, and an article as much as a caption: cross-validated
            on WCXB dev, Dragnet and L3S-GN1, mean F1 is 78.2 instead of 79.0. A site has too few ridges for it.
        max_ridges: the largest number of ridges to train on, sampled with the seed. More make no measurable
            difference, and each can become a support vector in the file.
    """

    shape: MountainParameters = field(default_factory=MountainParameters)
    cost: float = 1.0
    gamma: float = 1.0
    word_weights: bool = True
    max_ridges: int = 3000
    folds: int = 4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """The results of cross-validation, on held-out pages.

    Attributes:
        mean: mean F1 over aligned words. A page without a ridge of content gives what the extractor falls back to.
        good: the share of pages above 0.9.
        located: the share of pages above 0.8.
    """

    pages: int
    mean: float
    good: float
    located: float
    accuracy: float

    def as_card(self) -> dict[str, float]:
        """Return the scores for the card of a weights file."""
        return {
            "pages": self.pages,
            "mean F1 over aligned words": round(self.mean, 4),
            "pages above 0.9": round(self.good, 4),
            "pages above 0.8": round(self.located, 4),
            "ridge accuracy": round(self.accuracy, 4),
        }


@dataclass(frozen=True, slots=True)
class _Ridges:
    """The ridges of a page: features, words, matched words and labels; words and matched words without any."""

    features: Floats
    words: Ints
    matched: Ints
    content: Bools
    fallback: tuple[int, int]

    def weights(self) -> Floats:
        """Return the share of each ridge in the words of all ridges of the page."""
        return np.asarray(self.words / max(int(self.words.sum()), 1))


def _find_ridges(samples: Sequence[Sample], shape: MountainParameters) -> list[_Ridges]:
    out = []
    for sample in samples:
        mountains, words, matched = sample.ridges(shape)
        content, fallback = is_content(words, matched), sample.fallback(mountains)
        out.append(_Ridges(mountains.features(), words, matched, content, fallback))
    return out


def _fit(pages: Iterable[_Ridges], config: RidgeConfig) -> Svm:
    with needs_extra("scikit-learn", "train"):
        from sklearn.svm import SVC  # noqa: PLC0415 (an extra)
    pages = list(pages)
    points = np.concatenate([np.zeros((0, len(FEATURES))), *(page.features for page in pages)])
    content = np.concatenate([np.zeros(0, dtype=np.bool_), *(page.content for page in pages)])
    sampled = np.sort(np.random.default_rng(config.seed).permutation(len(points))[: config.max_ridges])
    if len(np.unique(content[sampled])) < 2:  # noqa: PLR2004 (content and boilerplate)
        raise CorpusError("the pages need ridges of both classes, content and boilerplate: give more pages")
    weights = np.ones(len(sampled))
    if config.word_weights:
        weights = np.concatenate([page.weights() for page in pages])[sampled]
    # Normalized to a mean of 1, so that C means the same with and without weights.
    machine = SVC(C=config.cost, gamma=config.gamma)
    machine.fit(points[sampled], content[sampled], sample_weight=weights / weights.mean())
    return from_scikit(machine)


def from_scikit(machine: Any) -> Svm:  # noqa: ANN401 (scikit-learn has no types)
    """Return the decision function of a fitted two-class ``sklearn.svm.SVC`` with RBF kernel and a numeric gamma."""
    return Svm(
        np.asarray(machine.support_vectors_, dtype=np.float64),
        np.asarray(machine.dual_coef_[0], dtype=np.float64),
        float(machine.intercept_[0]),
        float(machine.gamma),
    )


def cross_validate(samples: Sequence[Sample], config: RidgeConfig) -> Scores:
    """Cross-validate by site: test on the sites of each fold in turn, and train on the others."""
    return _validate(samples, _find_ridges(samples, config.shape), config)


def _validate(samples: Sequence[Sample], pages: list[_Ridges], config: RidgeConfig) -> Scores:
    with needs_extra("scikit-learn", "train"):
        from sklearn.model_selection import GroupKFold  # noqa: PLC0415 (an extra)
    groups = [sample.group for sample in samples]
    if len(set(groups)) < config.folds:
        raise CorpusError(f"{len(set(groups))} sites are too few for {config.folds} folds")
    scores = np.zeros(len(samples))
    correct = total = 0
    for train_pages, test_pages in GroupKFold(config.folds).split(groups, groups=groups):
        machine = _fit((pages[number] for number in train_pages), config)
        for number in test_pages:
            page = pages[number]
            chosen = machine.decide(page.features) > 0
            scores[number] = page_score(samples[number].gold, page.words[chosen], page.matched[chosen], page.fallback)
            correct += int((chosen == page.content).sum())
            total += len(chosen)
    return Scores(
        pages=len(samples),
        mean=float(scores.mean()),
        good=float((scores > GOOD).mean()),
        located=float((scores > LOCATED).mean()),
        accuracy=correct / max(total, 1),
    )


def train(samples: Sequence[Sample], config: RidgeConfig, card: dict[str, Any]) -> Weights:
    """Train on all pages and return the weights, with the hyperparameters added to the card."""
    machine = _fit(_find_ridges(samples, config.shape), config)
    return Weights(
        "ridge",
        {
            "svm": machine.to_values(),
            "shape": asdict(config.shape),
        },
        {
            **card,
            "pages": len(samples),
            "features": list(FEATURES),
            "cost": config.cost,
            "word weights": config.word_weights,
            "ridges": config.max_ridges,
            "seed": config.seed,
            "support vectors": len(machine.coefficients),
        },
    )


@dataclass(frozen=True, slots=True)
class Sweep:
    """One of the paper's figures: the share of good pages for each pair of two parameters."""

    title: str
    column_name: str
    column_values: tuple[float, ...]
    row_name: str
    row_values: tuple[float, ...]
    share: tuple[tuple[float, ...], ...]

    def as_table(self) -> str:
        """Return a Markdown table, with the best value in bold."""
        best = max(value for row in self.share for value in row)
        lines = [
            f"| {self.row_name} \\ {self.column_name} | "
            + " | ".join(f"{value:g}" for value in self.column_values)
            + " |",
            "| --- |" + " ---: |" * len(self.column_values),
        ]
        for value, row in zip(self.row_values, self.share, strict=True):
            cells = [f"**{share:.3f}**" if share == best else f"{share:.3f}" for share in row]
            lines.append(f"| {value:g} | " + " | ".join(cells) + " |")
        return "\n".join([self.title, "", *lines])


def sweep(samples: Sequence[Sample], config: RidgeConfig) -> tuple[Sweep, Sweep]:
    """Compute figures 3 and 4 of the paper: smoothing window by blank cells, and span window by peak factor."""
    base = config.shape

    def share(**changes: Any) -> float:  # noqa: ANN401 (fields of MountainParameters)
        return _validate(samples, _find_ridges(samples, replace(base, **changes)), config).good

    figure_3 = tuple(tuple(share(smoothing=window, blank=blank) for blank in BLANK) for window in SMOOTHING)
    figure_4 = tuple(tuple(share(span=span, peak=peak) for peak in PEAK) for span in SPAN)
    return (
        Sweep(
            "Share of pages above 0.9 by smoothing window and source per blank cell (figure 3)",
            "source per blank cell",
            BLANK,
            "smoothing window",
            SMOOTHING,
            figure_3,
        ),
        Sweep(
            "Share of pages above 0.9 by span window and peak factor (figure 4)",
            "peak factor",
            PEAK,
            "span window",
            SPAN,
            figure_4,
        ),
    )


# A plot of the Mountain Model's parameter sweeps, like figures 3 and 4 of the paper.


def plot_sweeps(sweeps: Sequence[Sweep], path: Path) -> None:
    """Plot each sweep as lines, one for each value of its row parameter."""
    with needs_extra("matplotlib", "train"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 (an extra)
        from matplotlib.figure import Figure  # noqa: PLC0415 (likewise)
    figure = Figure(figsize=(6 * len(sweeps), 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    for axes, sweep in zip(figure.subplots(1, len(sweeps), squeeze=False)[0], sweeps, strict=True):
        for value, share in zip(sweep.row_values, sweep.share, strict=True):
            axes.plot(sweep.column_values, share, marker="o", label=f"{sweep.row_name} {value:g}")
        axes.set_xlabel(sweep.column_name)
        axes.set_ylabel("share of pages above 0.9")
        axes.legend()
        axes.grid(visible=True, alpha=0.3)
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:  # no such folder, or an unknown image format
        raise OptionError(f"cannot write {path}: {error}") from error
