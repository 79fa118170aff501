"""Supply the layout that an extractor needs.

An extractor never starts a browser: it reads ``page.layout``. Whoever calls `select` supplies the layout, here or
from a `tamis.visual.store.LayoutFolder`.
"""

from tamis.errors import RenderError
from tamis.extractors.base import Extractor
from tamis.extractors.registry import needs_layout
from tamis.page import Page
from tamis.visual.browser import Browser, shared_browser


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
