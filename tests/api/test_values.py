"""Extractions, selections and pages as values: they pickle, copy and print in one line."""

import copy
import pickle
from dataclasses import replace

import numpy as np
import pytest

import tamis
from tamis.document.warnings import ContentWarning
from tamis.extractors import registry
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout
from tamis.render.comments import Comment

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


def examples():
    """Return a large example of each exported class."""
    long = "Water just off the boil,\n three minutes. " * 99
    page = f"<title>{long}</title><h1>{long}</h1><p>{long}<ul><li>{long}<li>{long}</ul>"
    extraction = tamis.extract(page, f"https://example.org/{'a' * 3000}", extractor="body")
    return [
        extraction,
        extraction.page,
        extraction.selection,
        extraction.document,
        replace(extraction.metadata, description=long, tags=(long, long)),
        extraction.blocks[0],
        extraction.chunks(20)[0],
        extraction.render("markdown"),
        extraction.explain(),
        Comment(long, long, long, (Comment(long),)),
        ContentWarning("hidden text", long, 9, long, long),
        tamis.Fetched(long.encode(), extraction.url, "utf-8"),
        tamis.Limits(),
        tamis.Format("shout", "txt", ("text/plain",), lambda content, options: None, summary=long),  # noqa: ARG005
        tamis.SitePage(page, extraction.url),
    ]


def test_the_repr_of_every_public_value_is_one_short_line():
    values = examples()
    for value in values:
        assert "\n" not in repr(value), type(value)
        assert len(repr(value)) <= 200, repr(value)
        assert type(value).__name__ in repr(value)
    classes = {getattr(tamis, name) for name in tamis.__all__ if isinstance(getattr(tamis, name), type)}
    shown = {type(value) for value in values} | {tamis.Extractor}  # a protocol
    assert {each for each in classes if not issubclass(each, Exception)} <= shown


def test_a_notebook_shows_the_content_without_scripts():
    page = "<h1>Tea</h1><p onclick=x()>Boil <a href='javascript:x()'>water</a>.<script>x()</script><style>p{}</style>"
    extraction = tamis.extract(page, extractor="body")
    assert extraction._repr_html_() == "<h1>Tea</h1><p>Boil water.</p>"
    assert extraction._repr_markdown_() == "# Tea\n\nBoil water."
    assert tamis.extract("")._repr_html_() == "&lt;Extraction by sift: empty, the page is empty&gt;"


def test_the_repr_of_an_extraction_says_what_was_found():
    assert (
        repr(tamis.extract("<h1>Tea</h1><p>Boil water.", extractor="body")) == "<Extraction by body: 'Tea', 2 blocks>"
    )
    assert repr(tamis.extract("")) == "<Extraction by sift: empty, the page is empty>"
