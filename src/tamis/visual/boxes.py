"""`Boxes`: where a browser draws each row of a page, and how."""

import base64
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tamis.errors import OptionError

if TYPE_CHECKING:
    from tamis.page import Page

Floats = npt.NDArray[np.float32]
#: The columns of `Boxes`, with the type that each has in memory, in the browser's answer and on disk.
COLUMNS = {
    "left": np.float32,
    "top": np.float32,
    "right": np.float32,
    "bottom": np.float32,
    "unseen": np.uint8,
    "size": np.float32,
    "weight": np.uint16,
    "colour": np.uint32,
    "background": np.uint32,
    "inline": np.bool_,
}


class Unseen(IntEnum):
    """Why a reader does not see a row."""

    SEEN = 0
    NO_BOX = 1  #: ``display: none``, a closed ``details``, nothing to draw, or a row the browser does not have
    INVISIBLE = 2  #: ``visibility: hidden``
    TRANSPARENT = 3  #: ``opacity: 0``, its own or an ancestor's
    OUTSIDE = 4  #: clipped away by an ancestor, or where no scrolling leads


@dataclass(frozen=True, eq=False)
class Boxes:
    """The boxes of a page's rows as columns, in CSS pixels from the page's top left corner.

    A rectangle is what can be seen of an element or a text run: what an ancestor clips away is not in it. The
    rectangle of a text run is that of a DOM Range around it, so it covers all its lines.

    Attributes:
        left: of each row.
        top: likewise.
        right: likewise.
        bottom: likewise.
        unseen: an `Unseen`; 0 is seen.
        size: of the font, in CSS pixels.
        weight: of the font; 400 is normal, 700 bold.
        colour: of the text, 0xRRGGBBAA.
        background: the nearest background that is not transparent, own or inherited.
        inline: laid out in a line of text rather than as a block.
        width: of the page when it was drawn.
        height: likewise.
        viewport: the width and height of the window it was drawn in.
        unmatched: elements and texts of the page that the browser's document does not have; they count as unseen.
    """

    left: Floats
    top: Floats
    right: Floats
    bottom: Floats
    unseen: npt.NDArray[np.uint8]
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
    def seen(self) -> npt.NDArray[np.bool_]:
        """Which rows a reader sees."""
        return np.asarray(self.unseen == Unseen.SEEN)

    @property
    def area(self) -> npt.NDArray[np.float64]:
        """Square pixels of each row, 0 for those that are not seen."""
        size = (self.right.astype(np.float64) - self.left) * (self.bottom.astype(np.float64) - self.top)
        return np.where(self.seen, size, 0.0)

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in COLUMNS}


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A browser's document in document order, as ``collect.js`` reads it: not yet matched with a page's rows.

    Attributes:
        kind: as in a `Page`.
        tag: an index into `names`, for elements.
        length: of text runs, in UTF-16 units.
        columns: those of `Boxes`.
        names: of elements.
        html: the document as the browser writes it, each element with its number in an attribute, where asked for.
        url: where the browser ended.
        width: of the page.
        height: likewise.
    """

    kind: npt.NDArray[np.uint8]
    tag: npt.NDArray[np.uint32]
    length: npt.NDArray[np.uint32]
    columns: dict[str, npt.NDArray[Any]]
    names: list[str]
    html: str | None
    url: str
    width: int
    height: int

    @classmethod
    def unpack(cls, answer: dict[str, Any]) -> "Drawn":
        """Return what the browser answered."""

        def column(name: str, kind: Any) -> npt.NDArray[Any]:  # noqa: ANN401 (a NumPy type)
            return np.frombuffer(base64.b64decode(answer[name]), dtype=kind)

        corners = column("box", np.float32).reshape(-1, 4)
        columns = {name: corners[:, place] for place, name in enumerate(("left", "top", "right", "bottom"))}
        for name in ("unseen", "size", "weight", "colour", "inline"):
            columns[name] = column(name, COLUMNS[name])
        columns["background"] = column("ground", np.uint32)
        return cls(
            column("kind", np.uint8),
            column("tag", np.uint32),
            column("length", np.uint32),
            columns,
            answer["names"],
            answer["html"],
            answer["url"],
            int(answer["width"]),
            int(answer["height"]),
        )


def with_boxes(page: "Page", boxes: Boxes) -> "Page":
    """Return the page with boxes for its rows. Extractors that need boxes then ask no browser.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Tea")
    >>> zeros = {name: np.zeros(len(page), kind) for name, kind in COLUMNS.items()}
    >>> with_boxes(page, Boxes(**zeros, width=0, height=0, viewport=(1280, 1024))).boxes is None
    False
    """
    if len(boxes) != len(page):
        raise OptionError(f"these boxes are for a page of {len(boxes)} rows, this one has {len(page)}")
    return replace(page, boxes=boxes)
