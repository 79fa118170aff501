"""`Layout`: where and how a browser shows each row of a page."""

from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError
from tamis.lazy import dataclass

if TYPE_CHECKING:
    from tamis.page.columns import Page

Floats = npt.NDArray[np.float32]
#: The columns of `Layout` and their types: in memory, in what the browser returns, and on disk.
LAYOUT_COLUMNS: Final = {
    "left": np.float32,
    "top": np.float32,
    "right": np.float32,
    "bottom": np.float32,
    "visibility": np.uint8,
    "font_size": np.float32,
    "font_weight": np.uint16,
    "color": np.uint32,
    "background": np.uint32,
    "inline": np.bool_,
}


class Visibility(IntEnum):
    """Whether a reader sees a row, and if not, why."""

    VISIBLE = 0
    NO_BOX = 1  #: ``display: none``, a closed ``details``, nothing to render, or a row that the browser does not have
    INVISIBLE = 2  #: ``visibility: hidden``
    TRANSPARENT = 3  #: ``opacity: 0``, its own or an ancestor's
    OUTSIDE = 4  #: clipped by an ancestor, or where scrolling cannot reach


@dataclass(frozen=True, eq=False)
class Layout:
    """The layout of a page: one entry per row in each column, in CSS pixels from the page's top left corner.

    The rectangle of a row is the part that can be visible: what an ancestor clips is not in it. The rectangle of a
    text run is that of a DOM Range around it, so it covers all its lines.

    Attributes:
        left: left edge of each row.
        top: top edge.
        right: right edge.
        bottom: bottom edge.
        visibility: a `Visibility`.
        font_size: in CSS pixels.
        font_weight: 400 is normal, 700 is bold.
        color: color of the text, 0xRRGGBBAA.
        background: the row's background color, or that of the nearest ancestor that has one, 0xRRGGBBAA.
        inline: whether the row is laid out in a line of text rather than as a block.
        width: width of the rendered page.
        height: height of the rendered page.
        viewport: width and height of the window.
        unmatched: number of elements and texts of the page that the browser's document does not have. They count as
            not visible.
    """

    left: Floats
    top: Floats
    right: Floats
    bottom: Floats
    visibility: npt.NDArray[np.uint8]
    font_size: Floats
    font_weight: npt.NDArray[np.uint16]
    color: npt.NDArray[np.uint32]
    background: npt.NDArray[np.uint32]
    inline: npt.NDArray[np.bool_]
    width: int
    height: int
    viewport: tuple[int, int]
    unmatched: int = 0

    def __len__(self) -> int:
        return len(self.left)

    def __repr__(self) -> str:
        return f"<Layout of {len(self)} rows, {self.width}x{self.height}>"

    @property
    def visible(self) -> npt.NDArray[np.bool_]:
        """Which rows a reader sees."""
        return np.asarray(self.visibility == Visibility.VISIBLE)

    @property
    def area(self) -> npt.NDArray[np.float64]:
        """Area of each row in square pixels; 0 for rows that are not visible."""
        area = (self.right.astype(np.float64) - self.left) * (self.bottom.astype(np.float64) - self.top)
        return np.where(self.visible, area, 0.0)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in LAYOUT_COLUMNS}


def with_layout(page: "Page", layout: Layout) -> "Page":
    """Return a copy of the page that has this layout, for extractors that read it.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Tea")
    >>> columns = {name: np.zeros(len(page), dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    >>> with_layout(page, Layout(**columns, width=1280, height=40, viewport=(1280, 1024))).layout
    <Layout of 6 rows, 1280x40>

    Raises:
        OptionError: the layout has another number of rows.
    """
    if len(layout) != len(page):
        raise OptionError(f"the layout has {len(layout)} rows, but the page has {len(page)}")
    return replace(page, layout=layout)
