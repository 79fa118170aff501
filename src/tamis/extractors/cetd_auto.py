"""CETD-auto: text alone or boxes too, decided page by page.

Song 2015 leaves open "how to automatically leverage" the advantages of CECTD-DS and CEHTD-DS (section 6). Where the
two agree there is nothing to decide. Where they differ, a logistic function of six measured features, each a share,
says which one to believe. Scores and reasons are those of the method chosen.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.extractors.cehtd import NO_LAYOUT, by_text_alone, select_hybrid
from tamis.extractors.cetd import Cectd
from tamis.html import tags
from tamis.page import Page
from tamis.page.layout import Layout
from tamis.page.sums import Bools

#: What speaks for boxes (above 0) and against them, learned from the development pages of CleanEval and WCXB by
#: `python bench/visual.py choose CORPORA --layout DIR`; see docs/visual.md.
WEIGHTS: Final[dict[str, float]] = {
    "dropped in column": -2.66,
    "dropped beside": -0.69,
    "dropped unseen": -2.03,
    "added": 4.16,
    "text keeps": -0.9,
    "agreement": 0.98,
}
BIAS: Final = 0.03
#: The column of the content reaches from where a tenth of its characters have begun to where a tenth have not ended.
_TENTH: Final = 0.1
_SCRIPT: Final = tags.IDS["script"]


def features(
    page: Page, layout: Layout, by_text: Bools, by_boxes: Bools, *, scripted: bool | None = None
) -> dict[str, float]:
    """Return what is measured where two selections differ: shares of characters, by the names of `WEIGHTS`.

    Text that is hidden may be waiting for a script. On a page without one it stays hidden, and is not counted at all.
    `scripted` says so where the page cannot: archives take scripts out.
    """
    chars = page.chars
    if scripted is None:
        scripted = bool((page.tag == _SCRIPT).any())
    shown = page.shown if scripted else page.shown & layout.visible

    def share(part: Bools, whole: Bools) -> float:
        return float(chars[part & shown].sum() / max(int(chars[whole & shown].sum()), 1))

    dropped, both = by_text & ~by_boxes, by_text & by_boxes
    left, right = column(page, layout, both if both.any() else by_boxes)
    middle = (layout.left + layout.right) / 2
    inside = (middle >= left) & (middle <= right)
    return {
        "dropped in column": share(dropped & layout.visible & inside, shown),
        "dropped beside": share(dropped & layout.visible & ~inside, shown),
        "dropped unseen": share(dropped & ~layout.visible, shown),
        "added": share(by_boxes & ~by_text, shown),
        "text keeps": share(by_text, shown),
        "agreement": share(both, by_text | by_boxes),
    }


def column(page: Page, layout: Layout, mask: Bools) -> tuple[float, float]:
    """Return where the column of some text begins and ends, its tails left out."""
    rows = np.flatnonzero(mask & layout.visible)
    if not len(rows):
        return 0.0, 0.0
    return (
        _quantile(layout.left[rows], page.chars[rows], _TENTH),
        _quantile(layout.right[rows], page.chars[rows], 1 - _TENTH),
    )


def _quantile(values: npt.NDArray[Any], weights: npt.NDArray[Any], share: float) -> float:
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, share * sums[-1])])


def trust(measured: dict[str, float]) -> float:
    """Return how much is to be said for layout: above 0, more than for text alone."""
    return BIAS + sum(weight * measured[name] for name, weight in WEIGHTS.items())


@dataclass(frozen=True, slots=True)
class CetdAuto:
    """`cectd` or `cehtd`, whichever the page speaks for."""

    name: ClassVar[str] = "cetd-auto"
    summary: ClassVar[str] = "text density with or without layout, decided where the two differ"
    source: ClassVar[str] = "Song, Sun, Liao 2015, section 6"
    needs_layout: ClassVar[bool] = True

    def select(self, page: Page) -> Selection:
        """Select by the method that the measured features speak for."""
        layout = page.layout
        if layout is None:
            return by_text_alone(page, NO_LAYOUT)
        by_text, by_boxes = Cectd().select(page), select_hybrid(page, layout)
        if (by_text.mask == by_boxes.mask).all() or trust(features(page, layout, by_text.mask, by_boxes.mask)) > 0:
            return by_boxes
        return by_text
