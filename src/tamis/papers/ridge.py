"""Ridge: the Mountain Model.

L. Bing, Y. Wang, Y. Zhang, H. Wang: Primary content extraction with Mountain Model. CIT 2008, 479–484.

The page is a sequence of *information cells*, the texts between ``>`` and ``<`` in the source. Each has a score;
plotted side by side the scores look like mountains. Content cells have high scores and are close together: they form
*ridges*. So do some others, for instance a long notice in the footer. A support vector machine classifies ridges by
four features. Selects the cells of ridges that are classified as content. Scores are smoothed cell scores.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.extractors.registry import Selection
from tamis.extractors.weights import Weights, from_json
from tamis.html import characters
from tamis.page import Page
from tamis.page.sums import prefix_sums

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

ALPHA: Final = 0.5  # "a full stopped Cell's score is upgraded 50 %" (section 3.1)
BETA: Final = -0.5  # "an anchor text should be degraded 50 %"
#: "A sentence in Chinese contains 12 Chinese characters on average"; "about 15 words in a sentence … and 5 letters
#: in a word, so γ is set to 75 in English"; "if the language's statistics information is unknown, γ can be 1".
GAMMA_WIDE: Final = 12.0
GAMMA_CASED: Final = 75.0
GAMMA_UNKNOWN: Final = 1.0
FEATURES: Final = ("height", "width", "ridge position", "cell position")
_REASONS: Final = (
    "in no ridge",
    "in a ridge of boilerplate",
    "in a ridge of content",
    "a cell above the mean of a page without a ridge of content",
)
_BOILERPLATE, _CONTENT, _FALLBACK = 1, 2, 3  #: indices into the reasons


# Cells: the text of a page in the pieces of the Mountain Model (Bing 2008).


@dataclass(frozen=True, slots=True)
class Cells:
    """The information cells of a page (Bing 2008): each shown text between ``>`` and ``<``.

    Attributes:
        row: the text row of each cell, in the order of the source.
        start: where its text begins in the source.
        stop: where it ends.
    """

    row: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.row)


def cut_cells(page: "Page") -> Cells:
    """Cut a page's shown text into cells, with their positions in the source.

    Text that the parser moves in the tree (out of a table, for example) has its position in the source. Text that is
    not found there gets an empty span where the text before it ends.

    >>> from tamis.page import parse_page
    >>> cells = cut_cells(parse_page("<p>one <b>two</b></p>"))
    >>> cells.start.tolist(), cells.stop.tolist()
    ([3, 10], [7, 13])
    """
    rows = np.flatnonzero(page.shown)
    start, stop = page.positions.start[rows].copy(), page.positions.stop[rows].copy()
    missing = start < 0
    if missing.any():
        previous_stop = np.maximum.accumulate(np.where(missing, 0, stop))
        start[missing], stop[missing] = previous_stop[missing], previous_stop[missing]
    order = np.argsort(start, kind="stable")
    return Cells(rows[order], start[order], stop[order])


# The decision function of a support vector machine with RBF kernel, in NumPy.

_BATCH: Final = 1024  # points per batch: the kernel matrix stays small however many points a page has


@dataclass(frozen=True, slots=True, eq=False)
class Svm:
    """A fitted support vector machine.

    >>> machine = Svm(np.array([[0.0], [1.0]]), np.array([-1.0, 1.0]), bias=0.0, gamma=1.0)
    >>> machine.decide(np.array([[0.0], [0.5], [1.0]])).round(3).tolist()
    [-0.632, 0.0, 0.632]
    """

    vectors: Floats
    coefficients: Floats
    bias: float
    gamma: float

    def decide(self, points: Floats) -> Floats:
        """Return the decision value of each point: positive for the positive class, larger where it is surer."""
        out = np.empty(len(points))
        square = (self.vectors**2).sum(axis=1)
        for first in range(0, len(points), _BATCH):
            batch = points[first : first + _BATCH]
            distance = (batch**2).sum(axis=1)[:, None] + square - 2 * batch @ self.vectors.T
            kernel = np.exp(-self.gamma * np.maximum(distance, 0))
            out[first : first + _BATCH] = kernel @ self.coefficients + self.bias
        return out

    def to_values(self) -> dict[str, Any]:
        """Return the machine as plain lists and numbers."""
        return {
            "vectors": self.vectors.tolist(),
            "coefficients": self.coefficients.tolist(),
            "bias": float(self.bias),
            "gamma": float(self.gamma),
        }

    @classmethod
    def from_values(cls, values: Mapping[str, Any]) -> "Svm":
        """Make a machine from what `to_values` returned. Other values raise an `OptionError`."""
        try:
            vectors = np.array(values["vectors"], dtype=np.float64)
            coefficients = np.array(values["coefficients"], dtype=np.float64)
            machine = cls(vectors, coefficients, float(values["bias"]), float(values["gamma"]))
        except (KeyError, TypeError, ValueError) as error:
            raise OptionError(f"invalid values for a support vector machine: {error}") from error
        if vectors.ndim != 2 or vectors.shape[0] != len(coefficients):  # noqa: PLR2004 (vectors by features)
            raise OptionError("invalid values for a support vector machine: the shapes do not match")
        return machine


@dataclass(frozen=True, slots=True)
class MountainParameters:
    """How ridges are found in a sequence of cells. The defaults are those of the paper's figures 3 and 4.

    Attributes:
        smoothing: size of the smoothing window, an odd number of cells.
        blank: characters of source between two cells that one blank cell represents.
        span: longest valley inside a ridge, in cells.
        peak: the peak threshold as a multiple of the mean score.
        gamma: characters per sentence; if None, by the page's script.
        real_mean: the thresholds are multiples of the mean score of real cells; if False, blank cells count too. The
            paper does not say which. Classifiers trained with either, cross-validated by site on WCXB dev, Dragnet
            and L3S-GN1, reach a mean F1 of 77.9 with it and 79.0 without.
    """

    smoothing: int = 5
    blank: int = 200
    span: int = 5
    peak: float = 3.0
    gamma: float | None = None
    real_mean: bool = False


@dataclass(frozen=True, slots=True)
class Mountains:
    """The sequence of a page's cells, blank cells included, and its ridges.

    Attributes:
        cell: one entry per cell of the sequence: its index among the page's cells, -1 for a blank one.
        score: one entry per cell of the sequence: its smoothed score.
        start: one entry per ridge: its first cell.
        stop: one entry per ridge: the cell after its last.
    """

    cell: Ints
    score: Floats
    start: Ints
    stop: Ints

    def features(self) -> Floats:
        """Return one row of four features per ridge (equations 4 to 7)."""
        count = len(self.start)
        if not count:
            return np.zeros((0, len(FEATURES)))
        sums = prefix_sums(self.score)
        cells = self.stop - self.start
        mean = (sums[self.stop] - sums[self.start]) / cells
        # Every ridge has a peak, but deep valleys can outweigh it. If no mean is above 0, all ridges have equal
        # height.
        highest = mean.max()
        height = mean / highest if highest > 0 else np.ones(count)
        return np.column_stack(
            (height, cells / cells.max(), np.arange(1, count + 1) / count, (self.start + 1) / len(self.cell))
        )

    def ridge_of_cell(self) -> Ints:
        """Return the ridge of each cell of the sequence, -1 for cells outside all ridges."""
        starts = np.full(len(self.cell) + 1, 0, dtype=np.int64)
        starts[self.start] += 1
        ridge = np.cumsum(starts[:-1]) - 1
        stops = np.append(self.stop, 0)
        return np.where((ridge >= 0) & (np.arange(len(self.cell)) < stops[ridge]), ridge, -1)


def sentence_length(page: Page) -> float:
    """Return γ for the script of most of the page's characters.

    >>> from tamis.page import parse_page
    >>> [sentence_length(parse_page(text)) for text in ("tea", "お茶", "चाय")]
    [75.0, 12.0, 1.0]
    """
    class_counts = np.bincount(page.char_classes, minlength=characters.SYMBOL + 1)
    wide, uncased = class_counts[characters.WIDE], class_counts[characters.LETTER]
    cased = class_counts[characters.UPPER] + class_counts[characters.LOWER]
    if wide > max(cased, uncased):
        return GAMMA_WIDE
    return GAMMA_CASED if cased > uncased else GAMMA_UNKNOWN


def visible_ratios(cells: Cells, length: Floats, source_length: int) -> Floats:
    """Return the share of visible text in the source span of each cell.

    The span runs from the middle of the gap before the cell to the middle of the gap after it. The gap before the
    first cell begins at the start of the source, and the one after the last cell ends at its end.

    >>> from tamis.page import parse_page
    >>> cells = cut_cells(parse_page("<p>four</p><b>x</b>"))
    >>> visible_ratios(cells, np.array([4.0, 1.0]), 19).round(3).tolist()
    [0.444, 0.154]
    """
    last_stop = np.maximum.accumulate(cells.stop) if len(cells) else cells.stop
    left = np.concatenate(([0], last_stop[:-1]))
    right = np.append(cells.start[1:], source_length)
    span = (np.maximum(cells.start, left) - left) / 2 + (cells.stop - cells.start)
    span = span + np.maximum(right - cells.stop, 0) / 2
    return np.asarray(np.minimum(length / np.maximum(span, 1), 1.0))


def cell_scores(page: Page, cells: Cells, gamma: float | None = None) -> Floats:
    """Return the score of each cell (equation 1): (L/γ + P)(1 + αS)(1 + βA)V."""
    length = page.chars[cells.row].astype(np.float64)
    is_stop = page.char_classes == characters.STOP
    stops = page.count(is_stop)[cells.row]
    ends_with_stop = _ends_with(page, is_stop)[cells.row]
    ratio = visible_ratios(cells, length, len(page.positions.source))
    sentences = length / (gamma if gamma is not None else sentence_length(page))
    return np.asarray((sentences + stops) * (1 + ALPHA * ends_with_stop) * (1 + BETA * page.link[cells.row]) * ratio)


def _ends_with(page: Page, is_mark: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return for each row whether `is_mark` is true for its last character that is not white space."""
    nonspace = np.flatnonzero(page.char_classes != characters.SPACE)
    if not len(nonspace):
        return np.zeros(len(page), dtype=np.bool_)
    last = nonspace[np.maximum(np.searchsorted(nonspace, page.offset[1:]) - 1, 0)]
    return np.asarray((last >= page.offset[:-1]) & (last < page.offset[1:]) & is_mark[last])


def with_blanks(cells: Cells, blank: int) -> Ints:
    """Return the sequence of cells with blank cells between them: indices of cells, -1 for a blank cell.

    >>> from tamis.page import parse_page
    >>> with_blanks(cut_cells(parse_page("<p>one</p><!--" + "x" * 500 + "--><p>two</p>")), 200).tolist()
    [0, -1, -1, 1]
    """
    if not len(cells):
        return np.zeros(0, dtype=np.int64)
    gaps = np.maximum(cells.start[1:] - np.maximum.accumulate(cells.stop)[:-1], 0) // blank
    position = prefix_sums(gaps + 1)
    sequence = np.full(int(position[-1]) + 1, -1, dtype=np.int64)
    sequence[position] = np.arange(len(cells))
    return sequence


def smooth(scores: Floats, window: int) -> Floats:
    """Return smoothed scores (equations 2 and 3): high neighbours raise a cell's score, low ones lower it.

    Where the window extends beyond an end of the page, only existing cells count.

    >>> smooth(np.array([0.0, 3.0, 0.0]), 3).round(3).tolist()
    [0.6, 2.2, 0.6]
    """
    half, count = window // 2, len(scores)
    if not half or not count:
        return scores.astype(np.float64)
    position = np.arange(count)
    first, stop = np.maximum(position - half, 0), np.minimum(position + half + 1, count)
    sums = prefix_sums(scores)
    mean = (sums[stop] - sums[first]) / (stop - first)
    change = np.zeros(count)
    for distance in range(1, half + 1):
        weight = 1 - 0.2 * distance if distance <= 4 else 0.1  # noqa: PLR2004 (equation 3)
        change[distance:] += (scores[:-distance] - mean[distance:]) * weight
        change[:-distance] += (scores[distance:] - mean[:-distance]) * weight
    return np.asarray(scores + change / (window - 1))


def find_ridges(scores: Floats, peak: float, span: int, mean: float | None = None) -> tuple[Ints, Ints]:
    """Return the first cell of each ridge (definition 3), and the cell after its last.

    Cells above the mean (the primary threshold) form a group if at most `span` lower cells are between them. A group
    is a ridge if one of its cells is above the peak threshold. The mean is that of all scores unless it is given.

    >>> start, stop = find_ridges(np.array([9.0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 9, 0]), 3, 2)
    >>> start.tolist(), stop.tolist()
    ([0, 10], [3, 11])
    """
    none = np.zeros(0, dtype=np.int64)
    if not len(scores):
        return none, none
    mean = float(scores.mean()) if mean is None else mean
    high = np.flatnonzero(scores > mean)
    if not len(high):
        return none, none
    first = np.flatnonzero(np.diff(high, prepend=-span - 2) - 1 > span)
    start, stop = high[first], high[np.append(first[1:], len(high)) - 1] + 1
    highest = np.maximum.reduceat(scores[high], first)
    is_ridge = highest > peak * mean
    return start[is_ridge], stop[is_ridge]


def find_mountains(cells: Cells, scores: Floats, parameters: MountainParameters) -> Mountains:
    """Return the sequence of cells with smoothed scores, and its ridges."""
    sequence = with_blanks(cells, parameters.blank)
    if not len(sequence):
        none = np.zeros(0, dtype=np.int64)
        return Mountains(none, np.zeros(0), none, none)
    smoothed = smooth(np.where(sequence >= 0, scores[sequence], 0.0), parameters.smoothing)
    mean = float(smoothed[sequence >= 0].mean()) if parameters.real_mean else None
    start, stop = find_ridges(smoothed, parameters.peak, parameters.span, mean)
    return Mountains(sequence, smoothed, start, stop)


def fallback_cells(scores: Floats) -> Ints:
    """Return the cells to select on a page without a ridge of content: those above the mean score, or all.

    >>> fallback_cells(np.array([1.0, 1.0, 4.0])).tolist(), fallback_cells(np.array([2.0, 2.0])).tolist()
    ([2], [0, 1])
    """
    high = np.flatnonzero(scores > scores.mean()) if len(scores) else np.zeros(0, dtype=np.int64)
    return high if len(high) else np.arange(len(scores))


@cache
def shipped_weights() -> Weights:
    """Return the weights of the classifier that comes with the package, their hash checked."""
    return from_json(Path(__file__).with_name("weights").joinpath("ridge.json").read_text("utf-8"), "ridge.json")


@cache
def _shipped_classifier() -> Svm:
    return Svm.from_values(shipped_weights().values["svm"])


@dataclass(frozen=True, slots=True)
class Ridge:
    """Ridges of the Mountain Model that a support vector machine classifies as content.

    Attributes:
        parameters: how ridges are found.
        classifier: classifies ridges; if None, the one that comes with the package.
        fallback: on a page without a ridge of content select the cells above the mean score, or all of them.

    >>> from tamis.page import parse_page
    >>> menu = "<ul>" + "<li><a href=/somewhere>menu</a></li>" * 30 + "</ul>"
    >>> prose = "<p>Put the kettle on, and wait until it sings. Pour. Then wait three minutes, no more.</p>" * 5
    >>> page = parse_page(menu + prose + menu)
    >>> [page.row_text(row)[:9] for row in Ridge().select(page).mask.nonzero()[0]]
    ['Put the k', 'Put the k', 'Put the k', 'Put the k', 'Put the k']
    """

    parameters: MountainParameters = field(default_factory=MountainParameters)
    classifier: Svm | None = None
    fallback: bool = True
    name: ClassVar[str] = "ridge"
    summary: ClassVar[str] = "runs of high-scoring cells in the source, chosen by a classifier"
    source: ClassVar[str] = "Bing et al. 2008"

    @classmethod
    def from_weights(cls, weights: Weights) -> "Ridge":
        """Return the extractor that a weights file describes."""
        try:
            parameters = MountainParameters(**weights.values["shape"])
            return cls(parameters, Svm.from_values(weights.values["svm"]))
        except (KeyError, TypeError) as error:
            raise OptionError(f"invalid weights of the Mountain Model: {error}") from error

    def select(self, page: Page) -> Selection:
        """Select the cells of ridges that are content."""
        cells = cut_cells(page)
        mountains = find_mountains(cells, cell_scores(page, cells, self.parameters.gamma), self.parameters)
        classifier = self.classifier or _shipped_classifier()
        is_content = classifier.decide(mountains.features()) > 0
        not_blank = mountains.cell >= 0
        ridge, row = mountains.ridge_of_cell()[not_blank], cells.row[mountains.cell[not_blank]]
        reason, score = np.zeros(len(page), dtype=np.uint8), np.zeros(len(page))
        reason[row[ridge >= 0]] = np.where(is_content[ridge[ridge >= 0]], _CONTENT, _BOILERPLATE)
        score[row] = mountains.score[not_blank]
        if not (reason == _CONTENT).any() and self.fallback and len(row):
            # A short or even page has no peak. The paper does not say what then.
            reason[row[fallback_cells(score[row])]] = _FALLBACK
        return Selection((reason >= _CONTENT) & page.shown, score, reason, _REASONS)
