"""`Layout`: where a browser draws each row of a page, and how."""

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.page.columns import Page

Floats = npt.NDArray[np.float32]
#: The columns of `Layout`, with the type that each has in memory, in the browser's answer and on disk.
COLUMNS = {
    "left": np.float32,
    "top": np.float32,
    "right": np.float32,
    "bottom": np.float32,
    "visibility": np.uint8,
    "size": np.float32,
    "weight": np.uint16,
    "colour": np.uint32,
    "background": np.uint32,
    "inline": np.bool_,
}


class Visibility(IntEnum):
    """Why a reader does not see a row."""

    VISIBLE = 0
    NO_BOX = 1  #: ``display: none``, a closed ``details``, nothing to draw, or a row the browser does not have
    INVISIBLE = 2  #: ``visibility: hidden``
    TRANSPARENT = 3  #: ``opacity: 0``, its own or an ancestor's
    OUTSIDE = 4  #: clipped away by an ancestor, or where no scrolling leads


@dataclass(frozen=True, eq=False)
class Layout:
    """The boxes of a page's rows as columns, in CSS pixels from the page's top left corner.

    A rectangle is what can be visible of an element or a text run: what an ancestor clips away is not in it. The
    rectangle of a text run is that of a DOM Range around it, so it covers all its lines.

    Attributes:
        left: of each row.
        top: likewise.
        right: likewise.
        bottom: likewise.
        visibility: an `Visibility`; 0 is visible.
        size: of the font, in CSS pixels.
        weight: of the font; 400 is normal, 700 bold.
        colour: of the text, 0xRRGGBBAA.
        background: the nearest background that is not transparent, own or inherited.
        inline: laid out in a line of text rather than as a block.
        width: of the page when it was drawn.
        height: likewise.
        viewport: the width and height of the window it was drawn in.
        unmatched: elements and texts of the page that the browser's document does not have; they count as visibility.
    """

    left: Floats
    top: Floats
    right: Floats
    bottom: Floats
    visibility: npt.NDArray[np.uint8]
    size: Floats
    weight: npt.NDArray[np.uint16]
    colour: npt.NDArray[np.uint32]
    background: npt.NDArray[np.uint32]
    inline: npt.NDArray[np.bool_]
    width: int
    height: int
    viewport: tuple[int, int]
    unmatched: int = 0

    def __len__(self) -> int:
        return len(self.left)

    @property
    def visible(self) -> npt.NDArray[np.bool_]:
        """Which rows a reader sees."""
        return np.asarray(self.visibility == Visibility.VISIBLE)

    @property
    def area(self) -> npt.NDArray[np.float64]:
        """Square pixels of each row, 0 for those that are not visible."""
        size = (self.right.astype(np.float64) - self.left) * (self.bottom.astype(np.float64) - self.top)
        return np.where(self.visible, size, 0.0)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in COLUMNS}


def with_layout(page: "Page", layout: Layout) -> "Page":
    """Return the page with boxes for its rows. Extractors that need boxes then ask no browser.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Tea")
    >>> zeros = {name: np.zeros(len(page), kind) for name, kind in COLUMNS.items()}
    >>> with_layout(page, Layout(**zeros, width=0, height=0, viewport=(1280, 1024))).layout is None
    False
    """
    if len(layout) != len(page):
        raise OptionError(f"these boxes are for a page of {len(layout)} rows, this one has {len(page)}")
    return replace(page, layout=layout)
