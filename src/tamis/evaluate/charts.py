"""Two drawings for the report, as inline SVG: a box plot a corpus, and one extractor against another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import numpy as np

#: Pixels: the drawing's width, the room for names on its left, for figures on its right, and a row's height.
_WIDTH: Final = 860
_NAMES: Final = 170
_FIGURES: Final = 70
_ROW: Final = 30
#: Whiskers reach the last value within this many box widths (J. Tukey: Exploratory Data Analysis, 1977).
_WHISKER: Final = 1.5
_SIDE: Final = 460
_MARGIN: Final = 52
_TICKS: Final = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def box_plot(series: Mapping[str, Sequence[float]]) -> str:
    """Return one box a tool: quartiles, median, whiskers, the outliers beyond them, and a diamond for the mean."""
    shown = {name: np.asarray(values) for name, values in series.items() if len(values)}
    height = _ROW * len(shown) + 34

    def x(value: float) -> float:
        return _NAMES + value * (_WIDTH - _NAMES - _FIGURES)

    parts = [f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="box plot">']
    for tick in _TICKS:
        parts.append(f'<line class="grid" x1="{x(tick):.1f}" x2="{x(tick):.1f}" y1="4" y2="{height - 24}"/>')
        parts.append(f'<text class="tick" x="{x(tick):.1f}" y="{height - 8}" text-anchor="middle">{tick:g}</text>')
    for number, (name, values) in enumerate(shown.items()):
        middle = number * _ROW + 4 + _ROW / 2
        low, median, high = np.quantile(values, [0.25, 0.5, 0.75])
        reach = _WHISKER * (high - low)
        inner = values[(values >= low - reach) & (values <= high + reach)]
        parts.append(f'<text class="name" x="{_NAMES - 12}" y="{middle + 4}" text-anchor="end">{escape(name)}</text>')
        parts += [
            f'<circle class="outlier" cx="{x(value):.1f}" cy="{middle}" r="1.8"/>'
            # Snapshot once where many fall on the same place: a thousand dots in one pixel weigh and show nothing.
            for value in sorted(
                {round(float(each), 2) for each in values if each < inner.min() or each > inner.max()}
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
class Dot:
    """A page in a scatter: its two scores, its name, and which corpus (a number) it is of."""

    x: float
    y: float
    name: str
    group: int = 0


def scatter(dots: Sequence[Dot], across: str, up: str) -> str:
    """Return page against page: dots above the diagonal are pages on which the upward tool is better."""
    span = _SIDE - _MARGIN - 12

    def place(dot: Dot) -> str:
        return f'cx="{_MARGIN + dot.x * span:.1f}" cy="{12 + (1 - dot.y) * span:.1f}"'

    parts = [f'<svg class="chart scatter" viewBox="0 0 {_SIDE} {_SIDE}" role="img" aria-label="scatter">']
    for tick in _TICKS:
        right, down = _MARGIN + tick * span, 12 + (1 - tick) * span
        parts.append(f'<line class="grid" x1="{right:.1f}" x2="{right:.1f}" y1="12" y2="{12 + span}"/>')
        parts.append(f'<line class="grid" x1="{_MARGIN}" x2="{_MARGIN + span}" y1="{down:.1f}" y2="{down:.1f}"/>')
        parts.append(f'<text class="tick" x="{right:.1f}" y="{28 + span}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text class="tick" x="{_MARGIN - 8}" y="{down + 4:.1f}" text-anchor="end">{tick:g}</text>')
    parts.append(f'<line class="diagonal" x1="{_MARGIN}" y1="{12 + span}" x2="{_MARGIN + span}" y2="12"/>')
    parts += [
        f'<circle class="dot group{dot.group % 6}" {place(dot)} r="3"><title>{escape(dot.name)}: '
        f"{escape(across)} {dot.x:.3f}, {escape(up)} {dot.y:.3f}</title></circle>"
        for dot in dots
    ]
    middle = 12 + span / 2
    parts.append(
        f'<text class="axis" x="{_MARGIN + span / 2}" y="{_SIDE - 4}" text-anchor="middle">{escape(across)} →</text>'
    )
    turn = f'transform="rotate(-90 13 {middle})"'
    parts.append(f'<text class="axis" x="13" y="{middle}" text-anchor="middle" {turn}>{escape(up)} →</text>')
    return "".join([*parts, "</svg>"])
