"""The pictures of the papers, for any page: what each method measures, and where it draws the line."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tamis.extractors.ceds import Ceds
from tamis.extractors.cehtd import hybrid_characters, hybrid_density
from tamis.extractors.cetd import (
    composite_density,
    composite_run,
    content_rows,
    count,
    density_sums,
    path_minimum,
    text_density,
)
from tamis.extractors.ridge import Ridge, cell_scores, find_mountains
from tamis.page import Page
from tamis.page.cells import cut_cells
from tamis.page.sums import Bools, in_subtree

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """A picture of a paper for one page: a value for each node, cell or block, in document order.

    Attributes:
        name: the name in data.
        title: what is shown.
        source: the paper and its figure.
        unit: what has a value: nodes, cells or blocks.
        values: the values.
        kept: which of them the method takes for content.
        thresholds: the lines that the method draws: a label and a value.
        ridges: for the mountain model, the first cell of each ridge, the one after its last, and whether it is
            content.
        note: why there are no values, if there are none.
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
        note = "needs the layout of a browser (extra: visual, and Chromium)"
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
    _, _, importance, threshold = Ceds().judge(page)
    return Figure(
        "importance", title, source, "blocks", importance, importance > threshold, (("threshold", threshold),)
    )
