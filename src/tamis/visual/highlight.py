"""A screenshot of a page with its content highlighted, as in the papers' figures."""

import io
from typing import Final

import numpy as np

from tamis.errors import MissingExtraError
from tamis.extractors.base import Selection
from tamis.page import Page

#: RGBA. Content is tinted and everything else fades; both stay readable.
_CONTENT_TINT: Final = (255, 214, 0, 70)
_BLOCK_EDGE: Final = (200, 120, 0, 160)
_FADE: Final = (255, 255, 255, 120)
_MARGIN: Final = 3  #: pixels around a block


def highlight(screenshot: bytes, page: Page, selection: Selection) -> bytes:
    """Return a screenshot (PNG) of a rendered page with the selected blocks highlighted."""
    try:
        from PIL import Image, ImageDraw  # noqa: PLC0415 (an extra)
    except ImportError as error:
        raise MissingExtraError.for_module("pillow", "visual") from error
    with Image.open(io.BytesIO(screenshot)) as image:
        base = image.convert("RGBA")
    overlay = Image.new("RGBA", base.size, _FADE)
    canvas = ImageDraw.Draw(overlay)
    rectangles = content_rectangles(page, selection)
    for rectangle in rectangles:
        canvas.rectangle(rectangle, fill=_CONTENT_TINT)
    for left, top, _, bottom in rectangles:  # a bar at the left shows where one block ends and the next begins
        canvas.rectangle((left, top, left + _MARGIN - 1, bottom), fill=_BLOCK_EDGE)
    out = io.BytesIO()
    Image.alpha_composite(base, overlay).convert("RGB").save(out, "PNG")
    return out.getvalue()


def content_rectangles(page: Page, selection: Selection) -> list[tuple[float, float, float, float]]:
    """Return the visible rectangle of each selected block: left, top, right, bottom."""
    layout = page.layout
    assert layout is not None, "the page was rendered"
    rows = np.flatnonzero(selection.mask & layout.visible)
    if not len(rows):
        return []
    block = page.blocks.block_of[rows]  # ascending: blocks are in document order, as rows are
    first = np.flatnonzero(np.diff(block, prepend=-1))
    left, top = (np.minimum.reduceat(edge[rows], first) - _MARGIN for edge in (layout.left, layout.top))
    right, bottom = (np.maximum.reduceat(edge[rows], first) + _MARGIN for edge in (layout.right, layout.bottom))
    return list(zip(left.tolist(), top.tolist(), right.tolist(), bottom.tolist(), strict=True))
