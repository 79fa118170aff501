"""Supply the layout that an extractor needs, and show content on a screenshot."""

import io
from typing import Final

import numpy as np

from tamis.browser.browser import Browser, shared_browser
from tamis.errors import RenderError, needs_extra
from tamis.extractors.registry import Extractor, Selection, needs_layout
from tamis.page import Page

# Supply the layout that an extractor needs.
#
# An extractor never starts a browser: it reads ``page.layout``. Whoever calls `select` supplies the layout, here or
# from a `tamis.browser.store.LayoutFolder`.


def supply_layout(page: Page, extractor: Extractor, browser: Browser | None = None) -> tuple[Page, str | None]:
    """Return the page with its layout if the extractor needs one, and the reason if the page could not be rendered.

    A page that already has a layout, or whose extractor needs none, is returned as it is, without a browser. A page
    that fails to render is returned without a layout: the extractor falls back to the text and notes it.

    Args:
        page: the page.
        extractor: the extractor that will read it.
        browser: renders the page; the process's shared browser if not given.

    Raises:
        BrowserError: Chromium is not installed or does not start, so that no page could be rendered.
        MissingExtraError: playwright is not installed.
    """
    if page.layout is not None or not needs_layout(extractor):
        return page, None
    try:
        return (browser or shared_browser()).render(page), None
    except RenderError as error:
        return page, str(error)


# A screenshot of a page with its content highlighted, as in the papers' figures.

#: RGBA. Content is tinted and everything else fades; both stay readable.
_CONTENT_TINT: Final = (255, 214, 0, 70)
_BLOCK_EDGE: Final = (200, 120, 0, 160)
_FADE: Final = (255, 255, 255, 120)
_MARGIN: Final = 3  #: pixels around a block


def highlight(screenshot: bytes, page: Page, selection: Selection) -> bytes:
    """Return a screenshot (PNG) of a rendered page with the selected blocks highlighted."""
    with needs_extra("pillow", "browser"):
        from PIL import Image, ImageDraw  # noqa: PLC0415 (an extra)
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
