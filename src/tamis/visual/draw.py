"""Boxes for an extractor: those that a page has, else those that the shared browser draws."""

from tamis.errors import RenderError
from tamis.page import Page
from tamis.visual.boxes import Boxes


def boxes_or_reason(page: Page) -> tuple[Boxes | None, str]:
    """Return the boxes of a page, or None and why this page cannot be drawn.

    That there is no browser at all is an error: no page can be drawn then.
    """
    if page.boxes is not None:
        return page.boxes, ""
    from tamis.visual.browser import shared_browser  # noqa: PLC0415 (starts nothing, but most pages bring boxes)

    try:
        return shared_browser().draw(page).boxes, ""
    except RenderError as error:
        return None, str(error)
