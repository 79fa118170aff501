"""CEHTD (Song 2015, section 3.4) against values computed by hand."""

import math
from statistics import NormalDist

import numpy as np
import pytest

import tamis
from tamis.page import parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout
from tamis.papers.cehtd import hybrid_characters, hybrid_density, visual_importance, widest_element
from tamis.papers.cetd import Cectd


def page_with_layout(markup, **spans):
    """Return a page with a layout made by hand: left and right edge by tag name, or by the words of a text."""
    page = parse_page(markup)
    columns = {name: np.zeros(len(page), dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    columns["bottom"] += 10
    for row in range(len(page)):
        name = page.tag_name(row) if page.is_element[row] else page.row_text(row).strip().replace(" ", "_")
        columns["left"][row], columns["right"][row] = spans.get(name, (0, 0))
        columns["visibility"][row] = name not in spans
    return with_layout(page, Layout(**columns, width=1000, height=100, viewport=(1000, 1000)))


MIXED = "<div><p>alone</p><section>beside <b>bold</b></section></div>"
SPANS = {
    "body": (0, 1000),
    "div": (100, 900),
    "p": (100, 500),
    "section": (500, 900),
    "b": (600, 650),
    "alone": (100, 140),
    "beside": (500, 600),
    "bold": (600, 650),
}


def text_row(page, text):
    return next(row for row in range(len(page)) if page.is_text[row] and page.row_text(row).strip() == text)


def share(first, last, middle=500, sigma=400):
    normal = NormalDist(middle, sigma)
    return normal.cdf(last) - normal.cdf(first)


def test_widest_element_is_visible_and_below_body():
    page = page_with_layout(MIXED, **SPANS)
    assert widest_element(page, page.layout) == (100, 900)  # not the body, which is wider
    hidden = {name: span for name, span in SPANS.items() if name != "div"}
    page = page_with_layout(MIXED, **hidden)
    assert widest_element(page, page.layout) == (100, 500)  # the first of equally wide ones


def test_edges_of_the_widest_element_are_at_one_sigma():
    page = page_with_layout("<p>text</p>", body=(0, 1000), p=(100, 900), text=(100, 200))
    importance = visual_importance(page, page.layout)
    assert importance[text_row(page, "text")] == pytest.approx(math.erf(1 / math.sqrt(2)), abs=1e-9)


def test_leaf_has_the_rectangle_of_its_element_and_mixed_text_its_own():
    page = page_with_layout(MIXED, **SPANS)
    importance = visual_importance(page, page.layout)
    assert importance[text_row(page, "alone")] == pytest.approx(share(100, 500))
    assert importance[text_row(page, "beside")] == pytest.approx(share(500, 600))
    assert importance[text_row(page, "bold")] == pytest.approx(share(600, 650))


def test_hidden_text_has_no_weight():
    hidden = {name: span for name, span in SPANS.items() if name != "beside"}
    page = page_with_layout(MIXED, **hidden)
    assert visual_importance(page, page.layout)[text_row(page, "beside")] == 0
    page = page_with_layout(
        "<div hidden><p>text</p></div><p>x</p>", body=(0, 9), div=(0, 9), p=(0, 9), text=(0, 9), x=(0, 9)
    )
    assert hybrid_characters(page, page.layout)[text_row(page, "text")] == 0


def test_hybrid_density_equals_the_formula():
    spans = {"body": (0, 1000), "div": (0, 1000), "p": (0, 1000)}
    spans |= dict.fromkeys(("a", "some_words_here", "link"), (0, 100))
    page = page_with_layout("<div><p>some words here</p><a>link</a></div>", **spans)
    hybrid = hybrid_characters(page, page.layout)
    density, run = hybrid_density(page, hybrid)
    wide, small = share(0, 1000, 500, 500) * 15, share(0, 100, 500, 500) * 4
    assert hybrid[text_row(page, "some words here")] == pytest.approx(wide)
    body_share = 4 / (wide + small)

    def formula(characters, tags, plain, links, link_tags):
        base = math.log(math.log(characters / max(plain, 1) * links + body_share * characters + math.e))
        inner = characters / max(links, 1) * tags / max(link_tags, 1)
        return characters / tags * math.log(inner) / base

    total = wide + small
    assert density[page.rows_of("div")[0]] == pytest.approx(formula(total, 2, 15, 4, 1))
    # Without tags, T is HC / C, so the density is C times a logarithm.
    assert density[page.rows_of("p")[0]] == pytest.approx(formula(wide, wide / 15, 15, 0, 0))
    assert density[page.rows_of("a")[0]] == pytest.approx(formula(small, small / 4, 0, 4, 0))
    length = hybrid[text_row(page, "some words here")]
    term = length * math.log(length) / math.log(math.log(body_share * length + math.e))
    assert run[text_row(page, "some words here")] == pytest.approx(term)


def test_page_with_nothing_visible_is_selected_by_text():
    page = page_with_layout("<div><p>" + "A sentence that goes on for a while. " * 9 + "</div>")
    selection = tamis.extract(page, extractor="cehtd").selection
    assert selection.mask.any()
    assert (selection.mask == Cectd().select(page).mask).all()
    assert selection.note == "selected by text alone: nothing on the page is visible"


def test_text_in_the_middle_is_denser_than_text_at_the_edge():
    prose = "A sentence of some length that says a thing. " * 6
    markup = f"<body><header>x</header><aside><p>{prose}</p></aside><main><p>{prose}</p></main>"
    page = page_with_layout(
        markup, body=(0, 1000), header=(0, 1000), x=(0, 10), aside=(0, 100), main=(250, 750), p=(250, 750)
    )
    columns = page.layout.columns()
    rows = [row for row in range(len(page)) if page.is_text[row] and len(page.row_text(row)) > 99]
    columns["visibility"][rows] = 0
    columns["left"][page.rows_of("p")[0]], columns["right"][page.rows_of("p")[0]] = 0, 100
    density, _ = hybrid_density(page, hybrid_characters(page, page.layout))
    assert density[page.rows_of("main")[0]] > density[page.rows_of("aside")[0]] > 0
