"""Two charts for the report, as inline SVG: a box plot, and a scatter plot of one tool against another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

#: Sizes of the box plot in pixels: its width, the column of names on the left, the column of numbers on the right,
#: and the height of a row.
_WIDTH: Final = 860
_NAME_WIDTH: Final = 170
_NUMBER_WIDTH: Final = 70
_ROW_HEIGHT: Final = 30
#: Whiskers end at the last value within this many interquartile ranges (J. Tukey: Exploratory Data Analysis, 1977).
_WHISKER_RANGE: Final = 1.5
#: Sizes of the scatter plot in pixels: its side, and the margin for the axes.
_SCATTER_SIDE: Final = 460
_MARGIN: Final = 52
_TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def box_plot(series: Mapping[str, Sequence[float]]) -> str:
    """Return one box per tool: quartiles, median, whiskers, outliers, and a diamond for the mean."""
    shown = {name: np.asarray(values) for name, values in series.items() if len(values)}
    height = _ROW_HEIGHT * len(shown) + 34

    def x(value: float) -> float:
        return _NAME_WIDTH + value * (_WIDTH - _NAME_WIDTH - _NUMBER_WIDTH)

    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="box plot">']
    for tick in _TICKS:
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="4" y2="{height - 24}"/>')
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:g}</text>')
    for number, (name, values) in enumerate(shown.items()):
        middle = number * _ROW_HEIGHT + 4 + _ROW_HEIGHT / 2
        low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
        reach = _WHISKER_RANGE * (high - low)
        inner = values[(values >= low - reach) & (values <= high + reach)]
        parts.append(
            f'<text class="name" x="{_NAME_WIDTH - 12}" y="{middle + 4}" text-anchor="end">{escape(name)}</text>'
        )
        parts += [
            f'<circle class="outlier" cx="{x(value):.1f}" cy="{middle}" r="1.8"/>'
            # Rounded, so that values in the same pixel are drawn once.
            for value in sorted(
                {round(float(value), 2) for value in values if value < inner.min() or value > inner.max()}
            )
        ]
        ends = f'x1="{x(inner.min()):.1f}" x2="{x(inner.max()):.1f}"'
        parts.append(f'<line class="whisker" {ends} y1="{middle}" y2="{middle}"/>')
        box = f'x="{x(low):.1f}" width="{max(1.0, x(high) - x(low)):.1f}" y="{middle - 8}" height="16"'
        parts.append(f'<rect class="box" {box} rx="2"><title>{escape(name)}: {low:.3f} to {high:.3f}</title></rect>')
        parts.append(
            f'<line class="median" x1="{x(median):.1f}" x2="{x(median):.1f}" y1="{middle - 8}" y2="{middle + 8}"/>'
        )
        mean = float(values.mean())
        parts.append(
            f'<path class="mean" d="M{x(mean):.1f} {middle - 5}l5 5l-5 5l-5-5z"><title>mean {mean:.3f}</title></path>'
        )
        parts.append(f'<text class="tick" x="{_WIDTH - 4}" y="{middle + 4}" text-anchor="end">{mean:.3f}</text>')
    return "".join([*parts, "</svg>"])


@dataclass(frozen=True, slots=True)
class Point:
    """A page in a scatter plot: its two scores, its name, and the number of its corpus."""

    x: float
    y: float
    name: str
    group: int = 0


def scatter_plot(points: Sequence[Point], x_name: str, y_name: str) -> str:
    """Return a scatter plot of pages. Above the diagonal, the tool on the y axis is better."""
    span = _SCATTER_SIDE - _MARGIN - 12

    def center(point: Point) -> str:
        return f'cx="{_MARGIN + point.x * span:.1f}" cy="{12 + (1 - point.y) * span:.1f}"'

    parts = [
        f'<svg class="chart scatter" viewBox="0 0 {_SCATTER_SIDE} {_SCATTER_SIDE}" role="img" aria-label="scatter">'
    ]
    for tick in _TICKS:
        right, down = _MARGIN + tick * span, 12 + (1 - tick) * span
        parts.append(f'<line class="grid" x1="{right:.1f}" x2="{right:.1f}" y1="12" y2="{12 + span}"/>')
        parts.append(f'<line class="grid" x1="{_MARGIN}" x2="{_MARGIN + span}" y1="{down:.1f}" y2="{down:.1f}"/>')
        parts.append(f'<text class="tick" x="{right:.1f}" y="{28 + span}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text class="tick" x="{_MARGIN - 8}" y="{down + 4:.1f}" text-anchor="end">{tick:g}</text>')
    parts.append(f'<line class="diagonal" x1="{_MARGIN}" y1="{12 + span}" x2="{_MARGIN + span}" y2="12"/>')
    parts += [
        f'<circle class="dot group{point.group % 6}" {center(point)} r="3"><title>{escape(point.name)}: '
        f"{escape(x_name)} {point.x:.3f}, {escape(y_name)} {point.y:.3f}</title></circle>"
        for point in points
    ]
    middle = 12 + span / 2
    parts.append(
        f'<text class="axis" x="{_MARGIN + span / 2}" y="{_SCATTER_SIDE - 4}" text-anchor="middle">'
        f"{escape(x_name)} →</text>"
    )
    turn = f'transform="rotate(-90 13 {middle})"'
    parts.append(f'<text class="axis" x="13" y="{middle}" text-anchor="middle" {turn}>{escape(y_name)} →</text>')
    return "".join([*parts, "</svg>"])
