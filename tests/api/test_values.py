"""Extractions, selections and pages as values: they pickle, copy and print in one line."""

import copy
import pickle

import numpy as np
import pytest

import tamis
from tamis.extractors import registry
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout

ARTICLE = (
    "<title>Bread at dawn</title><nav><a href=/>Home</a><a href=/news>News</a></nav><article><h1>Bread at dawn</h1>"
    + "<p>The baker gets up at four, and the street smells of bread by five.</p>" * 9
    + "</article><footer>Imprint</footer>"
)
COPIES = {
    "pickled": lambda value: pickle.loads(pickle.dumps(value)),
    "copied": copy.copy,
    "deeply copied": copy.deepcopy,
}


def without_browser() -> list[str]:
    return [name for name in registry.names() if not registry.needs_layout(registry.get(name))]


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", without_browser())
def test_an_extraction_survives_copying_with_every_extractor(name, way):
    extraction = tamis.extract(ARTICLE, "https://example.org/bread", extractor=name)
    again = COPIES[way](extraction)
    assert (again.selection.mask == extraction.selection.mask).all()
    assert again.text == extraction.text
    assert again.markdown == extraction.markdown
    assert again.url == extraction.url
    assert again.options == extraction.options


@pytest.mark.parametrize("way", COPIES)
def test_a_copy_can_still_select_again(way):
    extraction = tamis.extract(ARTICLE)
    again = COPIES[way](extraction)
    for favor in ("precision", "recall", 0.5, None):
        assert again.reselect(favor).text == extraction.reselect(favor).text


def test_used_extractions_pickle_too():
    extraction = tamis.extract(ARTICLE)
    before = (extraction.text, extraction.markdown, extraction.metadata.title, extraction.warnings, extraction.json)
    again = pickle.loads(pickle.dumps(extraction))
    assert (again.text, again.markdown, again.metadata.title, again.warnings, again.json) == before


@pytest.mark.parametrize("markup", ["<p>Tea", "<p>caf\xe9".encode("latin-1"), ""])
def test_a_page_pickles_with_its_encoding(markup):
    page = tamis.parse_page(markup, encoding="iso-8859-1" if isinstance(markup, bytes) else None)
    again = pickle.loads(pickle.dumps(page))
    assert again.text == page.text
    assert again.encoding == page.encoding
    assert (again.tag == page.tag).all()


def test_a_page_pickles_with_its_layout():
    page = tamis.parse_page("<p>Tea")
    columns = {name: np.ones(len(page), dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    placed = with_layout(page, Layout(**columns, width=9, height=9, viewport=(1280, 1024)))
    again = pickle.loads(pickle.dumps(placed))
    assert (again.layout.left == placed.layout.left).all()
    assert again.layout.viewport == (1280, 1024)


@pytest.mark.parametrize("html", [ARTICLE, "", "<p>Tea", b"%PDF-1.7"])
def test_a_repr_is_one_short_line(html):
    extraction = tamis.extract(html)
    for value in (extraction, extraction.selection, extraction.page):
        assert "\n" not in repr(value)
        assert len(repr(value)) < 200
        assert type(value).__name__ in repr(value)


def test_the_repr_of_an_extraction_says_what_was_found():
    assert (
        repr(tamis.extract("<h1>Tea</h1><p>Boil water.", extractor="body")) == "<Extraction by body: 'Tea', 2 blocks>"
    )
    assert repr(tamis.extract("")) == "<Extraction by sift: empty, the page is empty>"
