"""Training of the Mountain Model's classifier (Bing 2008, section 4): universal from corpora, or for one site.

Every ridge of every page is labelled by its words, described by its four features, and given to a support vector
machine with RBF kernel. Cross-validation keeps the pages of a site together. The same data, options and seed give
the same weights.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tamis.errors import CorpusError, MissingExtraError
from tamis.extractors.ridge import FEATURES, MountainParameters
from tamis.model.svm import Svm
from tamis.model.weights import Weights
from tamis.training.ridge_samples import Bools, Floats, Ints, Sample, label, page_score

GOOD: Final = 0.9  # "if the FM value is larger than 0.9, the result is good enough" (section 5)
LOCATED: Final = 0.8  # "if a page's FM value is larger than 0.8, the page's primary content is located rightly"

#: The axes of the paper's figures 3 and 4, around the values that it settles on.
SMOOTHING: Final = (3, 5, 7, 9, 11)
BLANK: Final = (50, 100, 200, 300, 400, 500)
SPAN: Final = (1, 3, 5, 7, 9)
PEAK: Final = (1.0, 2.0, 3.0, 4.0, 5.0)


@dataclass(frozen=True, slots=True)
class Training:
    """How to train. The paper gives the kernel and the four folds; the rest is ours.

    Attributes:
        shape: how mountains are made of cells.
        cost: the machine's C. Between 1 and 10, and `gamma` between 1 and 5, mean F1 on WCXB's development part
            changes by less than a point; larger values of either learn single pages.
        gamma: the width of its kernel.
        ridges: at most so many ridges are learned from, drawn with the seed: more change nothing that can be
            measured, and every one can become a support vector of the file.
        folds: of the cross-validation.
        seed: of the drawing.
    """

    shape: MountainParameters = field(default_factory=MountainParameters)
    cost: float = 1.0
    gamma: float = 1.0
    ridges: int = 3000
    folds: int = 4
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Scores:
    """What cross-validation says, over pages never trained on.

    Attributes:
        pages: how many.
        mean: mean F1 over aligned words.
        good: the share of pages above 0.9.
        located: the share of pages above 0.8.
        accuracy: the share of ridges that are judged rightly.
    """

    pages: int
    mean: float
    good: float
    located: float
    accuracy: float

    def as_card(self) -> dict[str, float]:
        """Return them for the card of a weights file."""
        return {
            "pages": self.pages,
            "mean F1 over aligned words": round(self.mean, 4),
            "pages above 0.9": round(self.good, 4),
            "pages above 0.8": round(self.located, 4),
            "ridges judged rightly": round(self.accuracy, 4),
        }


@dataclass(frozen=True, slots=True)
class _Described:
    """The ridges of a page: features, words, matched words and labels."""

    features: Floats
    words: Ints
    matched: Ints
    content: Bools


def _describe(samples: Sequence[Sample], shape: MountainParameters) -> list[_Described]:
    out = []
    for page in samples:
        mountains, words, matched = page.ridges(shape)
        out.append(_Described(mountains.features(), words, matched, label(words, matched)))
    return out


def _fit(pages: Iterable[_Described], training: Training) -> Svm:
    try:
        from sklearn.svm import SVC  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("scikit-learn", "train") from error
    kept = list(pages)
    points = np.concatenate([np.zeros((0, len(FEATURES))), *(page.features for page in kept)])
    content = np.concatenate([np.zeros(0, dtype=np.bool_), *(page.content for page in kept)])
    chosen = np.sort(np.random.default_rng(training.seed).permutation(len(points))[: training.ridges])
    if len(np.unique(content[chosen])) < 2:  # noqa: PLR2004 (content and clutter)
        raise CorpusError("these pages have no ridges of both kinds, content and clutter: more pages are needed")
    machine = SVC(C=training.cost, gamma=training.gamma).fit(points[chosen], content[chosen])
    return from_scikit(machine)


def from_scikit(machine: Any) -> Svm:  # noqa: ANN401 (scikit-learn has no types)
    """Return the decision of a fitted two-class ``sklearn.svm.SVC`` with RBF kernel and a numeric gamma."""
    return Svm(
        np.asarray(machine.support_vectors_, dtype=np.float64),
        np.asarray(machine.dual_coef_[0], dtype=np.float64),
        float(machine.intercept_[0]),
        float(machine.gamma),
    )


def cross_validate(samples: Sequence[Sample], training: Training) -> Scores:
    """Train on all sites but some, test on those, for each fold in turn."""
    return _validate(samples, _describe(samples, training.shape), training)


def _validate(samples: Sequence[Sample], pages: list[_Described], training: Training) -> Scores:
    try:
        from sklearn.model_selection import GroupKFold  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("scikit-learn", "train") from error
    groups = [page.group for page in samples]
    if len(set(groups)) < training.folds:
        raise CorpusError(f"{len(set(groups))} sites are too few for {training.folds} folds")
    scores = np.zeros(len(samples))
    right = total = 0
    for learned, tested in GroupKFold(training.folds).split(groups, groups=groups):
        machine = _fit((pages[number] for number in learned), training)
        for number in tested:
            page = pages[number]
            chosen = machine.decide(page.features) > 0
            scores[number] = page_score(samples[number], page.words, page.matched, chosen)
            right += int((chosen == page.content).sum())
            total += len(chosen)
    return Scores(
        pages=len(samples),
        mean=float(scores.mean()),
        good=float((scores > GOOD).mean()),
        located=float((scores > LOCATED).mean()),
        accuracy=right / max(total, 1),
    )


def train(samples: Sequence[Sample], training: Training, card: dict[str, Any]) -> Weights:
    """Train on all pages and return the weights, the card told what they were made from."""
    machine = _fit(_describe(samples, training.shape), training)
    shape = training.shape
    return Weights(
        "ridge",
        {
            "svm": machine.to_values(),
            "shape": {
                "smoothing": shape.smoothing,
                "blank": shape.blank,
                "span": shape.span,
                "peak": shape.peak,
                "gamma": shape.gamma,
            },
        },
        {
            **card,
            "pages": len(samples),
            "features": list(FEATURES),
            "cost": training.cost,
            "ridges": training.ridges,
            "seed": training.seed,
            "support vectors": len(machine.coefficients),
        },
    )


@dataclass(frozen=True, slots=True)
class Sweep:
    """One of the paper's figures: the share of good pages for each pair of two parameters.

    Attributes:
        title: what is shown.
        across: the name of the parameter of the columns, and its values.
        down: the name of the parameter of the rows, and its values.
        share: the share of pages above 0.9, by row and column.
    """

    title: str
    across: tuple[str, tuple[float, ...]]
    down: tuple[str, tuple[float, ...]]
    share: tuple[tuple[float, ...], ...]

    def as_table(self) -> str:
        """Return it as a Markdown table, its best value marked."""
        best = max(value for row in self.share for value in row)
        lines = [
            f"| {self.down[0]} \\ {self.across[0]} | " + " | ".join(f"{value:g}" for value in self.across[1]) + " |",
            "| --- |" + " ---: |" * len(self.across[1]),
        ]
        for value, row in zip(self.down[1], self.share, strict=True):
            cells = [f"**{share:.3f}**" if share == best else f"{share:.3f}" for share in row]
            lines.append(f"| {value:g} | " + " | ".join(cells) + " |")
        return "\n".join([self.title, "", *lines])


def sweep(samples: Sequence[Sample], training: Training) -> tuple[Sweep, Sweep]:
    """Return the paper's figures 3 and 4: smoothing window by blank cells, and span window by peak factor."""
    base = training.shape

    def share(**changes: Any) -> float:  # noqa: ANN401 (fields of MountainParameters)
        shape = MountainParameters(
            **{"smoothing": base.smoothing, "blank": base.blank, "span": base.span, "peak": base.peak, **changes}
        )
        return _validate(samples, _describe(samples, shape), training).good

    third = tuple(tuple(share(smoothing=window, blank=blank) for blank in BLANK) for window in SMOOTHING)
    fourth = tuple(tuple(share(span=span, peak=peak) for peak in PEAK) for span in SPAN)
    return (
        Sweep(
            "Share of pages above 0.9 by smoothing window and source a blank cell (figure 3)",
            ("source a blank cell", BLANK),
            ("smoothing window", SMOOTHING),
            third,
        ),
        Sweep(
            "Share of pages above 0.9 by span window and peak factor (figure 4)",
            ("peak factor", PEAK),
            ("span window", SPAN),
            fourth,
        ),
    )
