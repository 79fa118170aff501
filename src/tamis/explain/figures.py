"""The pictures of the papers for any page, as SVG, and how far the extractors agree."""

from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import TamisError
from tamis.extractors import registry
from tamis.extractors.registry import Selection, checked_select, needs_layout
from tamis.page import Page
from tamis.page.sums import Bools, in_subtree
from tamis.papers.ceds import Ceds
from tamis.papers.cehtd import hybrid_characters, hybrid_density
from tamis.papers.cetd import (
    composite_density,
    composite_run,
    content_rows,
    count,
    density_sums,
    path_minimum,
    text_density,
)
from tamis.papers.ridge import Ridge, cell_scores, cut_cells, find_mountains

# What each registered extractor keeps of a page, and how far they agree.


@dataclass(frozen=True, slots=True)
class ExtractorResult:
    """What an extractor keeps of a page.

    Attributes:
        blocks: the blocks of which it keeps some.
        problem: why it did not run, or None.
    """

    name: str
    source: str
    words: int = 0
    blocks: int = 0
    problem: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Agreement:
    """What extractors keep, and how far each two agree.

    Attributes:
        results: one for each extractor that ran; the one that is explained comes first.
        failures: those that cannot run here, each with its `problem`.
        matrix: the words F1 of each two: the words that both keep, twice, by the words of one and of the other; 1 if
            both keep nothing.
    """

    results: tuple[ExtractorResult, ...]
    failures: tuple[ExtractorResult, ...]
    matrix: npt.NDArray[np.float64]

    def as_dict(self) -> dict[str, Any]:
        """Return the table as JSON values."""
        return {
            "extractors": [{"name": each.name, "words": each.words, "blocks": each.blocks} for each in self.results],
            "matrix": [[round(value, 4) for value in row] for row in self.matrix.tolist()],
            "failures": {each.name: each.problem for each in self.failures},
        }


def measure_agreement(page: Page, name: str, selection: Selection) -> Agreement:
    """Run every registered extractor that can run on a page, and compare what they keep.

    `name` is the extractor that is explained, `selection` what it selected. Extractors that need a layout run if the
    page has one.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<nav><a href=/>Home</a></nav><p>Boil the water, and wait. Then pour.</p>")
    >>> agreement = measure_agreement(page, "body", registry.get("body").select(page))
    >>> agreement.results[0].words, agreement.matrix.shape == (len(agreement.results),) * 2
    (8, True)
    """
    results, failures, masks = [], [], []
    names = [name, *(each for each in registry.names() if each != name)]
    for each in names:
        source = ""
        try:
            method = registry.get(each) if each in registry.names() else None
            source = method.source if method else "given by the caller"
            if method is not None and each != name and needs_layout(method) and page.layout is None:
                failures.append(ExtractorResult(each, source, problem="needs the layout of a browser"))
                continue
            mask = selection.mask if each == name or method is None else checked_select(method, page).mask
        except TamisError as error:
            failures.append(ExtractorResult(each, source, problem=str(error)))
            continue
        blocks = len(np.unique(page.blocks.block_of[mask])) if mask.any() else 0
        results.append(ExtractorResult(each, source, int(page.words[mask].sum()), blocks))
        masks.append(mask)
    return Agreement(tuple(results), tuple(failures), _pairwise_f1(np.array(masks), page.words))


def _pairwise_f1(masks: npt.NDArray[np.bool_], words: npt.NDArray[np.int32]) -> npt.NDArray[np.float64]:
    weighted = masks * words.astype(np.float64)
    both = weighted @ masks.T.astype(np.float64)
    total = np.add.outer(weighted.sum(axis=1), weighted.sum(axis=1))
    return np.where(total > 0, 2 * both / np.maximum(total, 1), 1.0)


# The pictures of the papers, for any page: what each method measures, and where it draws the line.

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A picture of a paper for one page: a value for each node, cell or block, in document order.

    Attributes:
        name: the name in data.
        source: the paper and its figure.
        unit: what has a value: nodes, cells or blocks.
        kept: which values the method takes for content.
        thresholds: the lines that the method draws: a label and a value.
        ridges: for the mountain model, the first cell of each ridge, the one after its last, and whether it is
            content.
    """

    name: str
    title: str
    source: str
    unit: str
    values: Floats = field(default_factory=lambda: np.zeros(0))
    kept: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    thresholds: tuple[tuple[str, float], ...] = ()
    ridges: tuple[tuple[int, int, bool], ...] = ()
    note: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the figure as JSON values."""
        return {
            "name": self.name,
            "title": self.title,
            "source": self.source,
            "unit": self.unit,
            "values": [round(value, 4) for value in self.values.tolist()],
            "kept": [number for number, kept in enumerate(self.kept.tolist()) if kept],
            "thresholds": [{"label": label, "value": value} for label, value in self.thresholds],
            "ridges": [{"start": start, "stop": stop, "content": content} for start, stop, content in self.ridges],
            "note": self.note,
        }


def make_figures(page: Page) -> tuple[Figure, ...]:
    """Return the figures of a page: three of Song 2015, one of Bing 2008 and one of Yu 2017.

    >>> from tamis.page import parse_page
    >>> [figure.name for figure in make_figures(parse_page("<p>Boil the water, and wait. Then pour."))]
    ['text-density', 'composite-density', 'hybrid-density', 'mountains', 'importance']
    """
    counts = count(page)
    return (
        _density(
            page, "text-density", "Text density of each node", 3, text_density(counts), page.chars.astype(np.float64)
        ),
        _density(
            page, "composite-density", "Composite text density of each node", 4, composite_density(page, counts),
            composite_run(page, counts),
        ),
        _hybrid(page),
        _mountains(page),
        _importance(page),
    )  # fmt: skip


def _density(page: Page, name: str, title: str, number: int, density: Floats, run: Floats) -> Figure:
    """Return the density of each element of the body, with the threshold of algorithm 2."""
    source = f"Song, Sun, Liao 2015, figure {number}"
    below = page.is_element & in_subtree(page.end, np.array([page.body])) & (page.hidden == 0)
    rows = np.flatnonzero(below)
    if not len(rows) or not page.shown.any():
        return Figure(name, title, source, "nodes", note="the page shows no text")
    density = np.where(page.is_element, density, 0.0)
    sums = density_sums(page, density, run)
    densest = int(rows[np.argmax(sums[rows])])
    marked = in_subtree(page.end, content_rows(page, density, sums))
    threshold = ("threshold", path_minimum(page, density, densest))
    return Figure(name, title, source, "nodes", density[rows], marked[rows], (threshold,))


def _hybrid(page: Page) -> Figure:
    name, title = "hybrid-density", "Hybrid text density of each node"
    if page.layout is None:
        note = "needs the layout of a browser (extra: browser, and Chromium)"
        return Figure(name, title, "Song, Sun, Liao 2015, figure 6", "nodes", note=note)
    density, run = hybrid_density(page, hybrid_characters(page, page.layout))
    return _density(page, name, title, 6, density, run)


def _mountains(page: Page) -> Figure:
    title, source = "Mountain model: smoothed score of each cell, and its ridges", "Bing et al. 2008, figure 1"
    cells = cut_cells(page)
    method = Ridge()
    mountains = find_mountains(cells, cell_scores(page, cells, method.parameters.gamma), method.parameters)
    if not len(mountains.score):
        return Figure("mountains", title, source, "cells", note="the page shows no text")
    mask = method.select(page).mask
    kept = (mountains.cell >= 0) & mask[cells.row[mountains.cell]]
    mean = float(mountains.score.mean())
    ridges = tuple(
        (start, stop, bool(kept[start:stop].any()))
        for start, stop in zip(mountains.start.tolist(), mountains.stop.tolist(), strict=True)
    )
    thresholds = (("primary threshold", mean), ("peak threshold", method.parameters.peak * mean))
    return Figure("mountains", title, source, "cells", mountains.score, kept, thresholds, ridges)


def _importance(page: Page) -> Figure:
    title, source = "Content importance of each block", "Yu, Jin 2017, figure 4"
    if not page.shown.any():
        return Figure("importance", title, source, "blocks", note="the page shows no text")
    _, _, importance, threshold = Ceds().score(page)
    return Figure(
        "importance", title, source, "blocks", importance, importance > threshold, (("threshold", threshold),)
    )


# Figures as inline SVG: bars, lines for thresholds, ridges as bands. The page's style sheet has the colours.

_WIDTH, _HEIGHT = 520, 200  # of the drawing, in its own units
_LEFT, _TOP, _BOTTOM = 44, 14, 22  # margins
_MAX_BARS: Final = 400  #: more values are drawn as the largest of each few


def figure_svg(figure: Figure) -> str:
    """Return a figure as an ``svg`` element; its note if it has no values.

    >>> figure = Figure("a", "A", "B 2008", "cells", np.array([1.0, 3.0]), np.array([False, True]), (("mean", 2.0),))
    >>> svg = figure_svg(figure)
    >>> svg.count('class="bar'), 'class="bar kept"' in svg, "mean 2" in svg
    (2, True, True)
    """
    if not len(figure.values):
        return f'<p class="note">{escape(figure.note or "no values")}</p>'
    bars, kept, per_bar = _bars(figure)
    low = min(0.0, float(bars.min()))
    high = max([*bars.tolist(), *(value for _, value in figure.thresholds), low + 1e-9])
    plot_width, plot_height = _WIDTH - _LEFT, _HEIGHT - _TOP - _BOTTOM

    def y(value: float) -> float:
        return float(_TOP + plot_height * (high - min(max(value, low), high)) / (high - low))

    step = plot_width / len(bars)
    label = f"{figure.title}: {len(figure.values)} {figure.unit}, the highest {_number(high)}"
    parts = [f'<svg class="figure" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}">']
    for start, stop, content in figure.ridges:
        x, width = _LEFT + start / per_bar * step, (stop - start) / per_bar * step
        state = " kept" if content else ""
        parts.append(
            f'<rect class="ridge{state}" x="{x:.1f}" y="{_TOP}" width="{width:.1f}" height="{plot_height}"/>'
        )
    zero = y(0.0)
    for number, (value, is_kept) in enumerate(zip(bars.tolist(), kept.tolist(), strict=True)):
        top, bottom = sorted((y(value), zero))
        if bottom - top >= 0.05:  # noqa: PLR2004 (what can be seen)
            parts.append(
                f'<rect class="bar{" kept" if is_kept else ""}" x="{_LEFT + number * step:.1f}" y="{top:.1f}" '
                f'width="{max(step * 0.9, 0.8):.2f}" height="{bottom - top:.1f}"/>'
            )
    parts.append(f'<line class="axis" x1="{_LEFT}" x2="{_WIDTH}" y1="{zero:.1f}" y2="{zero:.1f}"/>')
    for name, value in figure.thresholds:
        parts.append(f'<line class="limit" x1="{_LEFT}" x2="{_WIDTH}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(
            f'<text class="limit" x="{_WIDTH - 2}" y="{max(y(value) - 3, 10):.1f}" text-anchor="end">'
            f"{escape(name)} {_number(value)}</text>"
        )
    parts.append(f'<text x="{_LEFT - 5}" y="{_TOP + 8}" text-anchor="end">{_number(high)}</text>')
    parts.append(f'<text x="{_LEFT - 5}" y="{zero:.1f}" text-anchor="end">0</text>')
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 6}">1</text>')
    end = f"{len(figure.values)} {figure.unit}"
    parts.append(f'<text x="{_WIDTH - 2}" y="{_HEIGHT - 6}" text-anchor="end">{escape(end)}</text></svg>')
    return "".join(parts)


def _number(value: float) -> str:
    """Return a number with three digits that count, or all of its digits before the point; never with an exponent.

    >>> _number(1412.3), _number(0.5), _number(43.31)
    ('1412', '0.5', '43.3')
    """
    return f"{value:.3g}" if 1e-4 <= abs(value) < 999.5 or not value else f"{value:.0f}"  # noqa: PLR2004


def _bars(figure: Figure) -> tuple[Floats, Bools, int]:
    """Return the heights of the bars, which are kept, and how many values one bar is of."""
    per_bar = -(-len(figure.values) // _MAX_BARS)
    first = np.arange(0, len(figure.values), per_bar)
    return np.maximum.reduceat(figure.values, first), np.logical_or.reduceat(figure.kept, first), per_bar


def contribution_svg(logits: float, largest: float) -> str:
    """Return a bar from the middle: to the right for what speaks for content, to the left for what speaks against."""
    width = 50 * min(abs(logits) / max(largest, 1e-9), 1.0)
    x, state = (50.0, "kept") if logits > 0 else (50 - width, "against")
    return (
        '<svg class="amount" viewBox="0 0 100 10" aria-hidden="true"><line class="axis" x1="50" x2="50" y1="0" '
        f'y2="10"/><rect class="bar {state}" x="{x:.1f}" y="1" width="{width:.1f}" height="8"/></svg>'
    )
