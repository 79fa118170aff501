"""Ridge: the Mountain Model.

L. Bing, Y. Wang, Y. Zhang, H. Wang: Primary content extraction with Mountain Model. CIT 2008, 479–484.

The page is a row of *information cells*, the texts between ``>`` and ``<`` in the source. Each has a score; side by
side they look like mountains. Cells of content are high and stand together: they make *ridges*. So do some others,
a long notice at the foot for instance. A support vector machine tells them apart by four features of a ridge.
Selects the cells of the ridges that it takes for content; scores are smoothed cell scores.
"""

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.extractors.base import Selection
from tamis.html import characters
from tamis.model.svm import Svm
from tamis.model.weights import Weights, from_json
from tamis.page import Page
from tamis.page.cells import Cells, cut_cells

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


@dataclass(frozen=True, slots=True)
class Shape:
    """How mountains are made of cells. The defaults are what the paper's figures 3 and 4 settle on.

    Attributes:
        smoothing: the smoothing window, an odd number of cells.
        blank: the source between two cells that one blank cell stands for, in characters.
        span: the longest valley of a ridge, in cells.
        peak: the peak threshold as a multiple of the mean score.
        gamma: characters a sentence; by the page's script where it is None.
    """

    smoothing: int = 5
    blank: int = 200
    span: int = 5
    peak: float = 3.0
    gamma: float | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """The mountains of a page: all cells, blank ones among them, and the ridges.

    Attributes:
        cell: the number of each cell among the page's cells, -1 for a blank one.
        score: its smoothed score.
        start: the first cell of each ridge.
        stop: the cell after its last.
    """

    cell: Ints
    score: Floats
    start: Ints
    stop: Ints

    def features(self) -> Floats:
        """Return a row for each ridge with its four features (equations 4 to 7)."""
        count = len(self.start)
        if not count:
            return np.zeros((0, len(FEATURES)))
        sums = np.concatenate(([0.0], np.cumsum(self.score)))
        cells = self.stop - self.start
        mean = (sums[self.stop] - sums[self.start]) / cells
        # Every ridge has a peak, but deep valleys can outweigh it: where no mean is above 0, none is the highest.
        top = mean.max()
        height = mean / top if top > 0 else np.ones(count)
        return np.column_stack(
            (height, cells / cells.max(), np.arange(1, count + 1) / count, (self.start + 1) / len(self.cell))
        )

    def of_cell(self) -> Ints:
        """Return the ridge of each cell, -1 for none."""
        out = np.full(len(self.cell) + 1, 0, dtype=np.int64)
        out[self.start] += 1
        inside = np.cumsum(out[:-1]) - 1
        ends = np.append(self.stop, 0)
        return np.where((inside >= 0) & (np.arange(len(self.cell)) < ends[inside]), inside, -1)


def sentence_length(page: Page) -> float:
    """Return γ by the script that most of the page's characters are in.

    >>> from tamis.page import parse_page
    >>> [sentence_length(parse_page(text)) for text in ("tea", "お茶", "चाय")]
    [75.0, 12.0, 1.0]
    """
    kinds = np.bincount(page.char_classes, minlength=characters.SYMBOL + 1)
    wide, uncased = kinds[characters.WIDE], kinds[characters.LETTER]
    cased = kinds[characters.UPPER] + kinds[characters.LOWER]
    if wide > max(cased, uncased):
        return GAMMA_WIDE
    return GAMMA_CASED if cased > uncased else GAMMA_UNKNOWN


def visible_ratios(cells: Cells, length: Floats, source: int) -> Floats:
    """Return for each cell the share of its source span that is visible text.

    The span runs from the middle of the gap to the left neighbour to the middle of the gap to the right one; the
    ends of the source are the neighbours of the first and the last cell.

    >>> from tamis.page import parse_page
    >>> cells = cut_cells(parse_page("<p>four</p><b>x</b>"))
    >>> visible_ratios(cells, np.array([4.0, 1.0]), 19).round(3).tolist()
    [0.444, 0.154]
    """
    reach = np.maximum.accumulate(cells.stop) if len(cells) else cells.stop
    left = np.concatenate(([0], reach[:-1]))
    right = np.append(cells.start[1:], source)
    span = (np.maximum(cells.start, left) - left) / 2 + (cells.stop - cells.start)
    span = span + np.maximum(right - cells.stop, 0) / 2
    return np.asarray(np.minimum(length / np.maximum(span, 1), 1.0))


def cell_scores(page: Page, cells: Cells, gamma: float | None = None) -> Floats:
    """Score cells by equation 1: (L/γ + P)(1 + αS)(1 + βA)V."""
    length = page.chars[cells.row].astype(np.float64)
    stop = page.char_classes == characters.STOP
    marks = page.count(stop)[cells.row]
    ended = _last_is(page, stop)[cells.row]
    ratio = visible_ratios(cells, length, len(page.positions.source))
    size = length / (gamma if gamma is not None else sentence_length(page))
    return np.asarray((size + marks) * (1 + ALPHA * ended) * (1 + BETA * page.link[cells.row]) * ratio)


def _last_is(page: Page, wanted: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return for each row whether the last character of its run that is not white space is a wanted one."""
    dark = np.flatnonzero(page.char_classes != characters.SPACE)
    if not len(dark):
        return np.zeros(len(page), dtype=np.bool_)
    last = dark[np.maximum(np.searchsorted(dark, page.offset[1:]) - 1, 0)]
    return np.asarray((last >= page.offset[:-1]) & (last < page.offset[1:]) & wanted[last])


def with_blanks(cells: Cells, blank: int) -> Ints:
    """Return the sequence of cells with blank ones between: indices into the cells, -1 for a blank one.

    >>> from tamis.page import parse_page
    >>> with_blanks(cut_cells(parse_page("<p>one</p><!--" + "x" * 500 + "--><p>two</p>")), 200).tolist()
    [0, -1, -1, 1]
    """
    if not len(cells):
        return np.zeros(0, dtype=np.int64)
    gaps = np.maximum(cells.start[1:] - np.maximum.accumulate(cells.stop)[:-1], 0) // blank
    at = np.concatenate(([0], np.cumsum(gaps + 1)))
    out = np.full(int(at[-1]) + 1, -1, dtype=np.int64)
    out[at] = np.arange(len(cells))
    return out


def smooth(scores: Floats, window: int) -> Floats:
    """Smooth by equations 2 and 3: high neighbours lift a cell, low ones pull it down.

    Where the window reaches over an end of the page, only the cells that are there count.

    >>> smooth(np.array([0.0, 3.0, 0.0]), 3).round(3).tolist()
    [0.6, 2.2, 0.6]
    """
    half, count = window // 2, len(scores)
    if not half or not count:
        return scores.astype(np.float64)
    at = np.arange(count)
    low, high = np.maximum(at - half, 0), np.minimum(at + half + 1, count)
    sums = np.concatenate(([0.0], np.cumsum(scores)))
    mean = (sums[high] - sums[low]) / (high - low)
    change = np.zeros(count)
    for distance in range(1, half + 1):
        weight = 1 - 0.2 * distance if distance <= 4 else 0.1  # noqa: PLR2004 (equation 3)
        change[distance:] += (scores[:-distance] - mean[distance:]) * weight
        change[:-distance] += (scores[distance:] - mean[:-distance]) * weight
    return np.asarray(scores + change / (window - 1))


def find_ridges(scores: Floats, peak: float, span: int) -> tuple[Ints, Ints]:
    """Find ridges by definition 3; return where each begins and the cell after its end.

    Cells above the mean (the primary threshold) belong together while no more than `span` lower ones stand between;
    such a group is a ridge when one of its cells is above the peak threshold.

    >>> start, stop = find_ridges(np.array([9.0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 9, 0]), 3, 2)
    >>> start.tolist(), stop.tolist()
    ([0, 10], [3, 11])
    """
    none = np.zeros(0, dtype=np.int64)
    if not len(scores):
        return none, none
    mean = scores.mean()
    high = np.flatnonzero(scores > mean)
    if not len(high):
        return none, none
    first = np.flatnonzero(np.diff(high, prepend=-span - 2) - 1 > span)
    start, stop = high[first], high[np.append(first[1:], len(high)) - 1] + 1
    highest = np.maximum.reduceat(scores[high], first)
    peaked = highest > peak * mean
    return start[peaked], stop[peaked]


def survey(cells: Cells, scores: Floats, shape: Shape) -> Range:
    """Find the mountains that cells with these scores make."""
    sequence = with_blanks(cells, shape.blank)
    if not len(sequence):
        none = np.zeros(0, dtype=np.int64)
        return Range(none, np.zeros(0), none, none)
    smoothed = smooth(np.where(sequence >= 0, scores[sequence], 0.0), shape.smoothing)
    start, stop = find_ridges(smoothed, shape.peak, shape.span)
    return Range(sequence, smoothed, start, stop)


@cache
def universal() -> Weights:
    """Return the weights of the classifier that comes with the package."""
    return from_json(files("tamis.extractors").joinpath("data/ridge.json").read_text("utf-8"), "data/ridge.json")


@cache
def _universal_machine() -> Svm:
    return Svm.from_values(universal().values["svm"])


@dataclass(frozen=True, slots=True)
class Ridge:
    """Ridges of the Mountain Model that a support vector machine takes for content.

    Attributes:
        shape: how mountains are made of cells.
        machine: the classifier; the universal one where it is not given.

    >>> from tamis.page import parse_page
    >>> menu = "<ul>" + "<li><a href=/somewhere>menu</a></li>" * 30 + "</ul>"
    >>> prose = "<p>Put the kettle on, and wait until it sings. Pour. Then wait three minutes, no more.</p>" * 5
    >>> page = parse_page(menu + prose + menu)
    >>> [page.row_text(row)[:9] for row in Ridge().select(page).mask.nonzero()[0]]
    ['Put the k', 'Put the k', 'Put the k', 'Put the k', 'Put the k']
    """

    shape: Shape = field(default_factory=Shape)
    machine: Svm | None = None
    name: ClassVar[str] = "ridge"
    summary: ClassVar[str] = "ridges of high cells in the source, told apart by a classifier"
    source: ClassVar[str] = "Bing et al. 2008"

    @classmethod
    def of(cls, weights: Weights) -> "Ridge":
        """Return the extractor that a weights file describes."""
        try:
            shape = Shape(**weights.values["shape"])
            return cls(shape, Svm.from_values(weights.values["svm"]))
        except (KeyError, TypeError) as error:
            raise OptionError(f"these are no values of the Mountain Model: {error}") from error

    def select(self, page: Page) -> Selection:
        """Select the cells of the content's ridges."""
        cells = cut_cells(page)
        mountains = survey(cells, cell_scores(page, cells, self.shape.gamma), self.shape)
        machine = self.machine or _universal_machine()
        content = machine.decide(mountains.features()) > 0
        real = mountains.cell >= 0
        ridge, row = mountains.of_cell()[real], cells.row[mountains.cell[real]]
        reason, score = np.zeros(len(page), dtype=np.uint8), np.zeros(len(page))
        reason[row[ridge >= 0]] = np.where(content[ridge[ridge >= 0]], 2, 1)
        score[row] = mountains.score[real]
        mask = (reason == 2) & page.shown  # noqa: PLR2004 (the third of the reasons below)
        return Selection(mask, score, reason, ("in no ridge", "in a ridge of clutter", "in a ridge of content"))
