"""Supply the layout that an extractor needs. Extractors never start a browser: whoever calls `select` does, here."""

from tamis.errors import RenderError
from tamis.extractors.base import Extractor
from tamis.extractors.registry import needs_layout
from tamis.page import Page
from tamis.visual.browser import shared_browser


def supply_layout(page: Page, extractor: Extractor) -> tuple[Page, str | None]:
    """Return the page with its layout where the extractor needs one, and why it could not be rendered, if so.

    A missing browser is a `BrowserError`: no page can be rendered then.
    """
    if page.layout is not None or not needs_layout(extractor):
        return page, None
    try:
        return shared_browser().draw(page), None
    except RenderError as error:
        return page, str(error)
