"""CETD-auto: chooses between `cectd` and `cehtd` for each page.

Song 2015 leaves open "how to automatically leverage" the advantages of CECTD-DS and CEHTD-DS (section 6). Where their
selections differ, a logistic function of six features, each a share of characters, chooses one of them. Scores and
reasons are those of the method chosen.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from tamis.extractors.base import Selection
from tamis.extractors.cehtd import NO_LAYOUT, select_by_layout, select_by_text
from tamis.extractors.cetd import Cectd
from tamis.html import tags
from tamis.page import Page
from tamis.page.layout import Layout
from tamis.page.sums import Bools

#: Weights of the logistic function, learned from the development pages of CleanEval and WCXB by
#: `python bench/visual.py choose CORPORA --layout DIR`; see docs/visual.md. Above 0 they favor the layout.
WEIGHTS: Final[dict[str, float]] = {
    "dropped in column": -2.66,
    "dropped outside column": -0.69,
    "dropped invisible": -2.03,
    "added": 4.16,
    "text keeps": -0.9,
    "agreement": 0.98,
}
BIAS: Final = 0.03
#: The column of the content: between this quantile of the left edges, by characters, and that of the right edges.
_COLUMN_TAIL: Final = 0.1
_SCRIPT: Final = tags.IDS["script"]


def features(
    page: Page, layout: Layout, by_text: Bools, by_layout: Bools, *, has_scripts: bool | None = None
) -> dict[str, float]:
    """Return the features of two selections: shares of characters, by the names of `WEIGHTS`.

    A script may show text that is hidden. On a page without scripts it stays hidden, and is not counted.

    Args:
        page: the page.
        layout: its layout.
        by_text: the mask that `cectd` selects.
        by_layout: the mask that `cehtd` selects.
        has_scripts: whether the page had scripts, for archived pages without them; if None, by its markup.
    """
    chars = page.chars
    if has_scripts is None:
        has_scripts = bool((page.tag == _SCRIPT).any())
    shown = page.shown if has_scripts else page.shown & layout.visible

    def share(part: Bools, total: Bools) -> float:
        return float(chars[part & shown].sum() / max(int(chars[total & shown].sum()), 1))

    dropped, both = by_text & ~by_layout, by_text & by_layout
    left, right = content_column(page, layout, both if both.any() else by_layout)
    middle = (layout.left + layout.right) / 2
    in_column = (middle >= left) & (middle <= right)
    return {
        "dropped in column": share(dropped & layout.visible & in_column, shown),
        "dropped outside column": share(dropped & layout.visible & ~in_column, shown),
        "dropped invisible": share(dropped & ~layout.visible, shown),
        "added": share(by_layout & ~by_text, shown),
        "text keeps": share(by_text, shown),
        "agreement": share(both, by_text | by_layout),
    }


def content_column(page: Page, layout: Layout, mask: Bools) -> tuple[float, float]:
    """Return the left and right edge of the column that selected text stands in, without outliers."""
    rows = np.flatnonzero(mask & layout.visible)
    if not len(rows):
        return 0.0, 0.0
    return (
        _weighted_quantile(layout.left[rows], page.chars[rows], _COLUMN_TAIL),
        _weighted_quantile(layout.right[rows], page.chars[rows], 1 - _COLUMN_TAIL),
    )


def _weighted_quantile(values: npt.NDArray[Any], weights: npt.NDArray[Any], share: float) -> float:
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, share * sums[-1])])


def layout_logit(values: dict[str, float]) -> float:
    """Return the logit that `cehtd` is the better choice: above 0, it is chosen."""
    return BIAS + sum(weight * values[name] for name, weight in WEIGHTS.items())


@dataclass(frozen=True, slots=True)
class CetdAuto:
    """`cectd` or `cehtd`, chosen by the page's features."""

    name: ClassVar[str] = "cetd-auto"
    summary: ClassVar[str] = "cectd or cehtd, chosen for each page (needs a layout)"
    source: ClassVar[str] = "Song, Sun, Liao 2015, section 6"
    needs_layout: ClassVar[bool] = True

    def select(self, page: Page) -> Selection:
        """Select with the method that the features favor."""
        layout = page.layout
        if layout is None:
            return select_by_text(page, NO_LAYOUT)
        by_text, by_layout = Cectd().select(page), select_by_layout(page, layout)
        if (by_text.mask == by_layout.mask).all():
            return by_layout
        logit = layout_logit(features(page, layout, by_text.mask, by_layout.mask))
        return by_layout if logit > 0 else by_text
