"""`supply_layout`: renders a page only if its extractor needs a layout and the page has none."""

import pytest

import tamis
from tamis.browser import Browser, BrowserConfig, supply_layout
from tamis.browser.config import MAX_ROWS
from tamis.errors import BrowserError
from tamis.extractors import registry
from tamis.page import parse_page
from tamis.papers.cehtd import NO_LAYOUT

#: Every attempt to render with it is an error.
BROKEN_BROWSER = Browser(BrowserConfig(executable="/no/such/browser"))


def test_page_is_rendered_for_an_extractor_that_needs_layout(browser):
    page, failure = supply_layout(parse_page("<p>Tea"), registry.get("cehtd"), browser)
    assert failure is None
    assert page.layout.visible[page.rows_of("p")].all()


def test_page_is_not_rendered_for_an_extractor_that_needs_no_layout():
    page = parse_page("<p>Tea")
    assert supply_layout(page, registry.get("cectd"), BROKEN_BROWSER) == (page, None)


def test_page_that_has_a_layout_is_not_rendered_again(browser):
    page = browser.render(parse_page("<p>Tea"))
    assert supply_layout(page, registry.get("cehtd"), BROKEN_BROWSER) == (page, None)


@pytest.mark.slow
def test_page_that_fails_to_render_is_returned_with_the_reason_and_selected_by_text():
    page = parse_page("<p>Tea, and water just off the boil." + "<i>" * MAX_ROWS)
    supplied, failure = supply_layout(page, registry.get("cehtd"), BROKEN_BROWSER)
    assert supplied is page
    assert failure == f"the page has {len(page)} rows; at most {MAX_ROWS} are rendered"
    extraction = tamis.extract(supplied, extractor="cehtd")
    assert extraction.text == "Tea, and water just off the boil."
    assert extraction.selection.note == f"selected by text alone: {NO_LAYOUT}"


def test_missing_browser_is_an_error():
    pytest.importorskip("playwright")
    with pytest.raises(BrowserError, match="/no/such/browser"):
        supply_layout(parse_page("<p>Tea"), registry.get("cehtd"), BROKEN_BROWSER)
