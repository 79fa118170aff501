"""Figures as inline SVG: bars, lines for thresholds, ridges as bands. The page's style sheet has the colours."""

from html import escape
from typing import Final

import numpy as np

from tamis.explain.figures import Figure, Floats
from tamis.page.sums import Bools

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
