"""A picture of a page with its content shaded, as in the papers' figures."""

import io
from typing import Final

import numpy as np

from tamis.errors import MissingExtraError
from tamis.extractors.base import Selection
from tamis.page import Page

#: What is content is tinted, what is not fades: both can still be read.
_TINT: Final = (255, 214, 0, 70)
_EDGE: Final = (200, 120, 0, 160)
_VEIL: Final = (255, 255, 255, 120)
_MARGIN: Final = 3  #: pixels around a block


def shade(picture: bytes, page: Page, selection: Selection) -> bytes:
    """Return a picture (PNG) of a rendered page with the selected blocks shaded and the rest faded."""
    try:
        from PIL import Image, ImageDraw  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pillow", "visual") from error
    with Image.open(io.BytesIO(picture)) as image:
        base = image.convert("RGBA")
    veil = Image.new("RGBA", base.size, _VEIL)
    drawing = ImageDraw.Draw(veil)
    layout = content_rectangles(page, selection)
    for box in layout:
        drawing.rectangle(box, fill=_TINT)
    for left, top, _, bottom in layout:  # a bar at the side shows where one block ends and the next begins
        drawing.rectangle((left, top, left + _MARGIN - 1, bottom), fill=_EDGE)
    out = io.BytesIO()
    Image.alpha_composite(base, veil).convert("RGB").save(out, "PNG")
    return out.getvalue()


def content_rectangles(page: Page, selection: Selection) -> list[tuple[float, float, float, float]]:
    """Return the rectangle of each selected block, as far as it is seen: left, top, right, bottom."""
    layout = page.layout
    assert layout is not None, "drawn"
    rows = np.flatnonzero(selection.mask & layout.visible)
    if not len(rows):
        return []
    of = page.blocks.block_of[rows]  # ascends: blocks are in document order, as rows are
    first = np.flatnonzero(np.diff(of, prepend=-1))
    left, top = (np.minimum.reduceat(side[rows], first) - _MARGIN for side in (layout.left, layout.top))
    right, bottom = (np.maximum.reduceat(side[rows], first) + _MARGIN for side in (layout.right, layout.bottom))
    return list(zip(left.tolist(), top.tolist(), right.tolist(), bottom.tolist(), strict=True))
