"""Song 2015, section 3.4: by hand where it is arithmetic, by a real browser where it is about pages."""

import math
from statistics import NormalDist

import numpy as np
import pytest

import tamis
from tamis.extractors.cehtd import hybrid_characters, hybrid_density, visual_importance, widest
from tamis.extractors.cetd import Cectd
from tamis.page import parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout


def boxed(markup, **spans):
    """Return a page with boxes made by hand: for each tag its left and right, for texts by their words."""
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


def test_the_widest_element_is_under_the_body_and_seen():
    page = boxed(MIXED, **SPANS)
    assert widest(page, page.layout) == (100, 900)  # not the body, which is wider
    hidden = {name: span for name, span in SPANS.items() if name != "div"}
    page = boxed(MIXED, **hidden)
    assert widest(page, page.layout) == (100, 500)  # the first of equals


def test_the_widest_elements_edges_lie_at_one_sigma():
    page = boxed("<p>text</p>", body=(0, 1000), p=(100, 900), text=(100, 200))
    importance = visual_importance(page, page.layout)
    assert importance[text_row(page, "text")] == pytest.approx(math.erf(1 / math.sqrt(2)), abs=1e-9)


def test_a_leaf_has_its_elements_box_and_text_beside_elements_its_own():
    page = boxed(MIXED, **SPANS)
    importance = visual_importance(page, page.layout)
    assert importance[text_row(page, "alone")] == pytest.approx(share(100, 500))
    assert importance[text_row(page, "beside")] == pytest.approx(share(500, 600))
    assert importance[text_row(page, "bold")] == pytest.approx(share(600, 650))


def test_hidden_text_counts_nothing():
    hidden = {name: span for name, span in SPANS.items() if name != "beside"}
    page = boxed(MIXED, **hidden)
    assert visual_importance(page, page.layout)[text_row(page, "beside")] == 0
    page = boxed("<div hidden><p>text</p></div><p>x</p>", body=(0, 9), div=(0, 9), p=(0, 9), text=(0, 9), x=(0, 9))
    assert hybrid_characters(page, page.layout)[text_row(page, "text")] == 0


def test_hybrid_density_by_hand():
    page = boxed("<div><p>some words here</p><a>link</a></div>", body=(0, 1000), div=(0, 1000), p=(0, 1000),
                 a=(0, 100), some_words_here=(0, 100), link=(0, 100))  # fmt: skip
    hybrid = hybrid_characters(page, page.layout)
    density, run = hybrid_density(page, hybrid)
    wide, small = share(0, 1000, 500, 500) * 15, share(0, 100, 500, 500) * 4
    assert hybrid[text_row(page, "some words here")] == pytest.approx(wide)
    body_share = 4 / (wide + small)

    def by_hand(characters, tags, plain, links, link_tags):
        base = math.log(math.log(characters / max(plain, 1) * links + body_share * characters + math.e))
        inner = characters / max(links, 1) * tags / max(link_tags, 1)
        return characters / tags * math.log(inner) / base

    whole = wide + small
    assert density[page.rows_of("div")[0]] == pytest.approx(by_hand(whole, 2, 15, 4, 1))
    # No tags below: T is HC / C, so the density is C times a logarithm.
    assert density[page.rows_of("p")[0]] == pytest.approx(by_hand(wide, wide / 15, 15, 0, 0))
    assert density[page.rows_of("a")[0]] == pytest.approx(by_hand(small, small / 4, 0, 4, 0))
    length = hybrid[text_row(page, "some words here")]
    term = length * math.log(length) / math.log(math.log(body_share * length + math.e))
    assert run[text_row(page, "some words here")] == pytest.approx(term)


def test_a_page_of_which_nothing_is_seen_is_read_by_its_text_and_says_so():
    page = boxed("<div><p>" + "A sentence that goes on for a while. " * 9 + "</div>")
    found = tamis.extract_page(page, extractor="cehtd")
    assert (found.selection.mask == Cectd().select(page).mask).all()
    assert found.selection.note == "selected by text alone: nothing of the page is seen"


def test_text_in_the_middle_beats_text_at_the_edge():
    prose = "A sentence of some length that says a thing. " * 6
    markup = f"<body><header>x</header><aside><p>{prose}</p></aside><main><p>{prose}</p></main>"
    page = boxed(markup, body=(0, 1000), header=(0, 1000), x=(0, 10), aside=(0, 100), main=(250, 750), p=(250, 750))
    columns = page.layout.columns()
    rows = [row for row in range(len(page)) if page.is_text[row] and len(page.row_text(row)) > 99]
    columns["visibility"][rows] = 0
    columns["left"][page.rows_of("p")[0]], columns["right"][page.rows_of("p")[0]] = 0, 100
    density, _ = hybrid_density(page, hybrid_characters(page, page.layout))
    assert density[page.rows_of("main")[0]] > density[page.rows_of("aside")[0]] > 0
