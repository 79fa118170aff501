"""CCB: content code blurring.

T. Gottron: Content code blurring: a new approach to content extraction. DEXA workshops 2008, 29–33.

The source is a vector over its characters: 1 for shown text, 0 for code. It is blurred as an image is: long texts
keep values near 1, single words between tags get low values. Characters above a threshold are content. This is the
character variant of the paper (CCB; TCCB is the token variant, and ACCB does not count anchors as code). Selects text
rows with most of their characters above the threshold. Scores are mean blurred values.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tamis.extractors.registry import Selection
from tamis.page import Page
from tamis.page.sums import prefix_sums
from tamis.papers.baselines.sequences import read_source_text, visible_share

Floats = npt.NDArray[np.float64]


def blur(values: Floats, radius: int) -> Floats:
    """Return the values blurred with a Gaussian, cut off at `radius`, which is three standard deviations.

    Beyond both ends the values count as 0.

    >>> blur(np.array([0.0, 0, 1, 0, 0]), 1).round(3).tolist()
    [0.0, 0.011, 0.978, 0.011, 0.0]
    """
    if not radius or not len(values):
        return values
    offset = np.arange(-radius, radius + 1)
    kernel = np.exp(-0.5 * (3 * offset / radius) ** 2)
    kernel /= kernel.sum()
    return np.convolve(np.pad(values, radius), kernel, mode="valid")


@dataclass(frozen=True, slots=True)
class Ccb:
    """Regions where the blurred source is mostly text.

    Attributes:
        radius: radius of the blur, in characters (r = 40).
        threshold: minimum blurred value of content (t = 0.75).
        iterations: number of times the vector is blurred. The paper repeats until little changes and gives no number;
            more iterations give fewer and longer regions (2 and 4 change F1 by less than a point on WCXB dev).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><p>" + "Tea takes its time. " * 9)
    >>> [page.row_text(row)[:9] for row in Ccb().select(page).mask.nonzero()[0]]
    ['Tea takes']
    """

    radius: int = 40
    threshold: float = 0.75
    iterations: int = 1
    name: ClassVar[str] = "ccb"
    summary: ClassVar[str] = "regions where the blurred source is mostly text"
    source: ClassVar[str] = "Gottron 2008"

    def select(self, page: Page) -> Selection:
        """Select the text rows in regions of mostly text."""
        source = read_source_text(page)
        kept, score = np.zeros(len(page), dtype=np.bool_), np.zeros(len(page))
        if len(source.rows):
            # A single space between two words is text; longer white space is formatting of the code.
            values = source.visible.astype(np.float64)
            values[1:-1] += ~source.visible[1:-1] & source.visible[:-2] & source.visible[2:]
            for _ in range(self.iterations):
                values = blur(values, self.radius)
            kept[source.rows] = visible_share(source, values > self.threshold) > 0.5  # noqa: PLR2004 (the majority)
            sums = prefix_sums(values)
            length = np.maximum(source.stop - source.start, 1)
            score[source.rows] = (sums[source.stop] - sums[source.start]) / length
        return Selection.from_mask(page, kept, score, ("in a region of mostly code", "in a region of mostly text"))
