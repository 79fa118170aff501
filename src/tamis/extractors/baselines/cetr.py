"""CETR: content extraction via tag ratios.

T. Weninger, W. H. Hsu, J. Han: CETR: content extraction via tag ratios. WWW 2010, 971–980.

Each line of the source, without comments, scripts and styles, has a ratio: characters of text over tags. The
ratios are smoothed; beside them stands how much the next lines differ, which is large at the borders of content
and inside it. In the plane of the two, lines that are noise lie near the origin. Clustering with one centre fixed
there leaves the content in the other clusters.
Selects text rows that have most of their characters on such lines; scores are smoothed ratios.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.extractors.baselines.clusters import cluster
from tamis.extractors.baselines.source import Code, majority, read_code
from tamis.page import Page

Floats = npt.NDArray[np.float64]


def smooth(values: Floats, radius: int) -> Floats:
    """Smooth with a Gaussian of that radius, cut off there (exp(-j² / 2r²), -r ≤ j ≤ r).

    >>> smooth(np.array([0.0, 4, 0]), 1).round(2).tolist()
    [1.1, 1.81, 1.1]
    """
    at = np.arange(-radius, radius + 1)
    kernel = np.exp(-(at**2) / (2 * max(radius, 1) ** 2))
    return np.convolve(np.pad(values, radius), kernel / kernel.sum(), mode="valid")


def slope(values: Floats, ahead: int) -> Floats:
    """Return how far the mean of the next lines lies from each line, without sign.

    >>> slope(np.array([0.0, 3, 6, 3]), 2).tolist()
    [4.5, 1.5, 4.5, 3.0]
    """
    sums = np.concatenate(([0.0], np.cumsum(values), np.full(ahead, values.sum())))
    at = np.arange(len(values))
    return np.asarray(np.abs((sums[at + 1 + ahead] - sums[at + 1]) / ahead - values))


def lines_of(code: Code, width: int) -> npt.NDArray[np.int64]:
    """Return the line of each character of the source.

    Where the source has lines that nobody can have written (`width` times as long as a line should be), all of it
    is cut into lines of `width` characters, as the paper does with a page on one line.
    """
    length = len(code.visible)
    at = np.concatenate(([0], code.line_ends + 1))
    seen = np.concatenate(([0], np.cumsum(code.visible)))
    held = np.diff(np.append(seen[at], seen[-1]))
    if len(held) and held.max() > width * width:
        return np.arange(length) // width
    return np.cumsum(np.bincount(code.line_ends + 1, minlength=length + 1)[:length])


@dataclass(frozen=True, slots=True)
class Cetr:
    r"""Lines with many characters a tag, found by clustering.

    Attributes:
        clusters: how many, the one at the origin among them (k = 3).
        radius: of the smoothing, in lines (r = 1).
        ahead: how many lines the derivative looks ahead (α = 3).
        width: the length of a line where the source has none (65 characters).

    >>> from tamis.page import parse_page
    >>> menu = "".join(f"<li><a href=/>item {number}</a>\n" for number in range(9))
    >>> page = parse_page(menu + "<p>Water just off the boil, three minutes, no more.\n" * 3 + menu)
    >>> [page.row_text(row).strip()[:14] for row in Cetr().select(page).mask.nonzero()[0]]
    ['item 6', 'item 7', 'item 8', 'Water just off', 'Water just off', 'Water just off', 'item 0']

    Smoothing, and looking ahead, take some lines next to the content along.
    """

    clusters: int = 3
    radius: int = 1
    ahead: int = 3
    width: int = 65
    name: ClassVar[str] = "cetr"
    summary: ClassVar[str] = "lines of the source with many characters a tag"
    source: ClassVar[str] = "Weninger, Hsu, Han 2010"

    def select(self, page: Page) -> Selection:
        """Select the text on content lines."""
        code = read_code(page)
        kept, score = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page))
        if len(code.rows):
            line = lines_of(code, self.width)
            count = int(line[-1]) + 1
            text = np.bincount(line[code.visible], minlength=count)
            tags = np.bincount(line[code.tags], minlength=count)
            # Lines without text or tags, once scripts, styles and comments are gone, are no lines.
            full = np.flatnonzero((text > 0) | (tags > 0))
            ratio = smooth(text[full] / np.maximum(tags[full], 1), self.radius)
            points = np.column_stack((ratio, smooth(slope(ratio, self.ahead), self.radius)))
            label, _ = cluster(points, self.clusters, origin=True)
            content, height = np.zeros(count, dtype=np.bool_), np.zeros(count)
            content[full], height[full] = label > 0, ratio
            kept[code.rows] = majority(code, content[line]) > 0.5  # noqa: PLR2004 (most of it)
            score[code.rows] = height[line[code.start]]
        return Selection.from_mask(page, kept, score, ("on a line with few characters a tag", "on a content line"))
