"""Every part leads back to the page, and forward to each output."""

import re
from pathlib import Path

import pytest
import turbohtml

import tamis
from tamis.document import Code, Definitions, Figure, Formula, Heading, Item, Paragraph, Rule
from tamis.document.document import iter_parts
from tamis.document.spans import plain_text

PAGES = sorted(Path(__file__).parent.parent.glob("*/*/page.html"))
EXCEPT = {"formulas", "ruby"}  # their words are not those of the source


@pytest.fixture(params=[path for path in PAGES if path.parent.name not in EXCEPT], ids=lambda path: path.parent.name)
def found(request):
    return tamis.extract(request.param.read_bytes(), "https://example.org/", extractor="body")


def words(text):
    return re.findall(r"\w+", text)


def holds(text, wanted):
    """Whether the words stand in a text in their order; what was hidden, or is markup, may stand between."""
    letters = iter(text)
    return all(letter in letters for word in wanted for letter in word)


def own_words(part):
    match part:
        case Paragraph() | Heading():
            return words(plain_text(part.spans))
        case Code(text=text):
            return words(text)
        case _:
            return []


def test_following_an_xpath_in_the_page_gives_the_text(found):
    fresh = turbohtml.parse(found.page.markup, detect_encoding=True)
    checked = 0
    for part in found.document:
        wanted = own_words(part)
        if not wanted:
            continue
        (element,) = fresh.xpath(found.document.locate(part).xpath)
        assert holds(element.text, wanted)
        checked += 1
    assert checked


def test_source_offsets_give_the_text(found):
    source = found.page.positions.source
    for part in found.document:
        wanted = own_words(part)
        place = found.document.locate(part)
        if wanted:
            assert 0 <= place.start < place.stop <= len(source)
            assert holds(turbohtml.parse(source[place.start : place.stop]).text, wanted)


@pytest.mark.parametrize("form", ["text", "markdown", "html", "xml"])
def test_offsets_in_outputs_give_the_text(found, form):
    written = found.render(form)
    for part in found.document:
        wanted = own_words(part)
        if wanted and part in written.spans:
            assert holds(written.text_of(part), wanted)
    # A cell or a term of Markdown is one line: there the cell has a span, and not the paragraphs in it.
    covered = {id(inner) for part in written.spans for inner in iter_parts((part,))}
    assert all(id(part) in covered for part in found.document if own_words(part))


def test_every_part_has_a_place(found):
    for part in found.document:
        assert found.page.is_element[part.element]
        assert part.first < part.stop <= len(found.page)
        if not isinstance(part, Rule | Figure | Formula | Item | Definitions):
            assert found.document.locate(part).xpath.startswith("/html")


def test_a_document_is_built_once(found):
    assert found.document is found.document
