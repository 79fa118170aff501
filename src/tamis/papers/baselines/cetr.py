"""CETR: content extraction via tag ratios.

T. Weninger, W. H. Hsu, J. Han: CETR: content extraction via tag ratios. WWW 2010, 971–980.

Each line of the source, without comments, scripts and styles, has a ratio: characters of text per tag. The ratios are
smoothed. A second dimension is the absolute difference to the mean of the next lines, which is large at the borders
of content and inside it. In the plane of the two, noise lies near the origin. Lines are clustered with one centre
fixed at the origin; content is in the other clusters. Selects text rows with most of their characters on content
lines. Scores are smoothed ratios.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.page.sums import prefix_sums
from tamis.papers.baselines.kmeans import cluster
from tamis.papers.baselines.sequences import SourceText, read_source_text, visible_share

Floats = npt.NDArray[np.float64]


def smooth(values: Floats, radius: int) -> Floats:
    """Return the values smoothed with a Gaussian: exp(-j² / 2r²) for -r ≤ j ≤ r.

    >>> smooth(np.array([0.0, 4, 0]), 1).round(2).tolist()
    [1.1, 1.81, 1.1]
    """
    offset = np.arange(-radius, radius + 1)
    kernel = np.exp(-(offset**2) / (2 * max(radius, 1) ** 2))
    return np.convolve(np.pad(values, radius), kernel / kernel.sum(), mode="valid")


def slope(values: Floats, ahead: int) -> Floats:
    """Return the absolute difference between each line and the mean of the next `ahead` lines.

    >>> slope(np.array([0.0, 3, 6, 3]), 2).tolist()
    [4.5, 1.5, 4.5, 3.0]
    """
    sums = np.concatenate(([0.0], np.cumsum(values), np.full(ahead, values.sum())))
    line = np.arange(len(values))
    return np.asarray(np.abs((sums[line + 1 + ahead] - sums[line + 1]) / ahead - values))


def line_numbers(source: SourceText, width: int) -> npt.NDArray[np.int64]:
    """Return the line of each character of the source.

    If a line has more than `width`² visible characters, nobody wrote it as a line. Then the whole source is cut into
    lines of `width` characters, as the paper does with a page on one line.
    """
    length = len(source.visible)
    line_start = np.concatenate(([0], source.line_ends + 1))
    visible_before = prefix_sums(source.visible)
    visible_in_line = np.diff(np.append(visible_before[line_start], visible_before[-1]))
    if len(visible_in_line) and visible_in_line.max() > width * width:
        return np.arange(length) // width
    return np.cumsum(np.bincount(source.line_ends + 1, minlength=length + 1)[:length])


@dataclass(frozen=True, slots=True)
class Cetr:
    r"""Lines with many characters per tag, found by clustering.

    Attributes:
        clusters: number of clusters, the one at the origin included (k = 3).
        radius: radius of the smoothing, in lines (r = 1).
        ahead: number of next lines for the derivative (α = 3).
        width: length of a line if the source has no lines (65 characters).

    >>> from tamis.page import parse_page
    >>> menu = "".join(f"<li><a href=/>item {number}</a>\n" for number in range(9))
    >>> page = parse_page(menu + "<p>Water just off the boil, three minutes, no more.\n" * 3 + menu)
    >>> [page.row_text(row).strip()[:14] for row in Cetr().select(page).mask.nonzero()[0]]
    ['item 6', 'item 7', 'item 8', 'Water just off', 'Water just off', 'Water just off', 'item 0']

    Smoothing and the derivative also select some lines next to the content.
    """

    clusters: int = 3
    radius: int = 1
    ahead: int = 3
    width: int = 65
    name: ClassVar[str] = "cetr"
    summary: ClassVar[str] = "lines of the source with many characters per tag"
    source: ClassVar[str] = "Weninger, Hsu, Han 2010"

    def select(self, page: Page) -> Selection:
        """Select the text rows on content lines."""
        source = read_source_text(page)
        kept, score = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page))
        if len(source.rows):
            line = line_numbers(source, self.width)
            count = int(line[-1]) + 1
            text = np.bincount(line[source.visible], minlength=count)
            tags = np.bincount(line[source.tags], minlength=count)
            # Lines that have neither text nor tags without scripts, styles and comments do not count.
            used = np.flatnonzero((text > 0) | (tags > 0))
            ratio = smooth(text[used] / np.maximum(tags[used], 1), self.radius)
            points = np.column_stack((ratio, smooth(slope(ratio, self.ahead), self.radius)))
            label, _ = cluster(points, self.clusters, origin=True)
            content, line_score = np.zeros(count, dtype=np.bool_), np.zeros(count)
            content[used], line_score[used] = label > 0, ratio
            kept[source.rows] = visible_share(source, content[line]) > 0.5  # noqa: PLR2004 (the majority)
            score[source.rows] = line_score[line[source.start]]
        return Selection.from_mask(page, kept, score, ("on a line with few characters per tag", "on a content line"))
