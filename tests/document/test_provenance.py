"""Provenance: every part has a location in the page and in each output."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import turbohtml

import tamis
from tamis.document import Code, Definitions, Emphasis, Figure, Formula, Heading, Item, Link, Paragraph, Rule
from tamis.document.parts import parts_in_order, spans_text
from tests.sampling import sampled

PAGES = sorted(Path(__file__).parent.parent.glob("*/*/page.html"))
EXCLUDED = {"ruby", "notes-side"}  # their words are not those of the source


@pytest.fixture(
    scope="module",
    params=sampled(
        [p for p in PAGES if p.parent.name not in EXCLUDED and not p.parent.name.startswith("formulas")], 6
    ),
    ids=lambda path: path.parent.name,
)
def extraction(request):
    return tamis.extract(request.param.read_bytes(), "https://example.org/", extractor="body")


def words(text):
    return re.findall(r"\w+", text)


def contains_in_order(text, expected):
    """Tell whether the letters of the words are in a text in order, with hidden text or markup between them."""
    letters = iter(text)
    return all(letter in letters for word in expected for letter in word)


def without_marks(spans):
    """Leave out the numbers of notes: Markdown has them as labels."""
    inner = [replace(s, spans=without_marks(s.spans)) if isinstance(s, Emphasis | Link) else s for s in spans]
    return tuple(span for span in inner if not (isinstance(span, Link) and span.role))


def direct_words(part):
    match part:
        case Paragraph() | Heading():
            text = spans_text(without_marks(part.spans))
            return [] if "et@eta.io" in text else words(text)  # a protected address is encoded in the source
        case Code(text=text):
            return words(text)
        case _:
            return []


def test_xpath_selects_the_element_with_the_text(extraction):
    fresh = turbohtml.parse(extraction.page.markup, detect_encoding=True)
    checked = 0
    for part in extraction.document:
        expected = direct_words(part)
        if not expected:
            continue
        (element,) = fresh.xpath(extraction.document.locate(part).xpath)
        assert contains_in_order(element.text, expected)
        checked += 1
    assert checked


def test_source_offsets_contain_the_text(extraction):
    source = extraction.page.positions.source
    for part in extraction.document:
        expected = direct_words(part)
        location = extraction.document.locate(part)
        if expected:
            assert 0 <= location.start < location.stop <= len(source)
            assert contains_in_order(turbohtml.parse(source[location.start : location.stop]).text, expected)


@pytest.mark.slow
@pytest.mark.parametrize("format_name", ["text", "markdown", "html", "xml"])
def test_output_offsets_contain_the_text(extraction, format_name):
    rendered = extraction.render(format_name)
    for part in extraction.document:
        expected = direct_words(part)
        if expected and part in rendered.spans:
            assert contains_in_order(rendered.text_of(part), expected)
    # In Markdown a cell or a term is one line: the cell has a range, and the paragraphs in it have none.
    covered = {id(inner) for part in rendered.spans for inner in parts_in_order((part,))}
    assert all(id(part) in covered for part in extraction.document if direct_words(part))


def test_every_part_has_a_location(extraction):
    for part in extraction.document:
        assert extraction.page.is_element[part.element]
        assert part.first < part.stop <= len(extraction.page)
        if not isinstance(part, Rule | Figure | Formula | Item | Definitions):
            assert extraction.document.locate(part).xpath.startswith("/html")
