"""Every row can be found again: in the source, by XPath and by CSS selector."""

import re

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

from tamis.page import ELEMENT, TEXT, parse_page
from tamis.page.cells import cut_cells
from tamis.page.positions import css_selector, xpath
from tamis.page.source_tokens import Source, read_tokens
from tamis.page.tag_spans import tag_spans

HOSTILE = {
    "foster parenting": "<table>moved<tr><td>cell</td></tr></table>after",
    "misnesting": "<p>a<b>b<i>c</b>d</i>e<p>f",
    "line ends": "<p>one\r\ntwo\rthree</p>\r\n<p>four</p>",
    "references": "<p>a &amp; b &lt;c&gt; &#x4e2d;</p>d",
    "stray end tags": "<p>one</zz> two</p></div>three",
    "noscript": "<body><noscript><p>inner <b>text</b></p></noscript>outer",
    "astral": "<p>😀 smile <b>漢字</b> 𠀀</p>",
    "template": "<template><p>in</p></template><p>out</p>",
    "unclosed": "<ul><li>one<li>two<li>three",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_a_text_rows_span_holds_its_text(html):
    page = parse_page(html)
    for row in np.flatnonzero(page.nonspace > 0):
        assert written(page, row) == page.row_text(row)


def test_texts_that_were_moved_together_span_both_places():
    page = parse_page("<table>moved<tr><td>cell</td></tr>too</table>after")
    row = next(row for row in np.flatnonzero(page.is_text) if page.row_text(row) == "movedtoo")
    assert (
        page.positions.source[page.positions.start[row] : page.positions.stop[row]]
        == "moved<tr><td>cell</td></tr>too"
    )


def written(page, row):
    """The text of a row as its span in the source has it: stray end tags left out, references resolved."""
    places = page.positions
    return turbohtml.unescape(re.sub("</[^>]*>", "", places.source[places.start[row] : places.stop[row]]))


def test_spans_on_golden_pages(golden):
    page = parse_page(golden.html)
    places = page.positions
    for row in np.flatnonzero(page.nonspace > 0):
        assert written(page, row) == page.row_text(row)
    for row in np.flatnonzero(page.is_element):
        if page.tag_name(row) not in {"tbody", "font"}:  # which the parser implies, and opens again
            assert places.source[places.start[row] + 1 :].lower().startswith(page.tag_name(row))


NAMES = "a b body div form g head html li math mi noscript object option p select span svg table td template tr ul"
PIECES = [
    *(f"<{slash}{name}>" for name in [*NAMES.split(), "br", "style", "title", "x-y"] for slash in ("", "/")),
    *("<path/>", "<svg/>", "<g/>", "text", " ", "</>", "<!--c-->", "<!--", "\0", "&amp;", "<![CDATA[x]]>", "<"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("<select><select></select>")  # a start tag that closes
@example("<noscript>&amp;</noscript><p>x")  # text ends a noscript in the head
@example("<table><form></form><tr><td>x</table>")  # a form that is empty, whatever follows
@example("<svg><style></svg></style>x")  # text to the tokenizer, markup to the parser
@example("<noscript><!--</noscript><p>x")  # the other way round
@example("<template><tbody><select></h1></tbody><select>")  # moved within a template
def test_tags_stand_where_the_parser_says(html):
    page = parse_page(html)
    source = Source.of(html)
    document = turbohtml.parse(html, source_locations=True, allow_declarative_shadow_roots=False)
    spans = tag_spans(page, document, source, read_tokens(source))
    for row, node in enumerate(document.descendants, 1):
        place = node.source_location if page.node_type[row] == ELEMENT else None
        told = (spans.start[row], spans.content[row], spans.stop[row])
        if place is None:
            assert told == (-1, -1, -1)
        else:
            first = place.start_tag
            assert told == (first.start_offset, first.end_offset, (place.end_tag or first).end_offset)


def test_bytes_are_located_in_their_decoded_text():
    page = parse_page("<meta charset=windows-1252><p>é<b>è</b>".encode("windows-1252"))
    row = next(row for row in np.flatnonzero(page.is_text) if page.row_text(row) == "è")
    assert page.positions.source[page.positions.start[row] : page.positions.stop[row]] == "è"


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_paths_find_their_rows(html):
    _find_again(html)


def test_paths_find_their_rows_on_golden_pages(golden):
    _find_again(golden.html.decode("utf-8"), every=7)


def _find_again(html, every=1):
    page = parse_page(html)
    document = page.nodes[0]
    checked = 0
    for row in range(0, len(page), every):
        node = page.nodes[row]
        if page.hidden[row] or page.node_type[row] not in (ELEMENT, TEXT):
            continue
        if page.node_type[row] == ELEMENT:
            assert document.xpath(xpath(page, row)) == [node]
            assert document.select_one(css_selector(page, row)) is node
        else:
            assert document.xpath(xpath(page, row)) == [node.data]
            assert document.select_one(css_selector(page, row)) is node.parent
        checked += 1
    assert checked


def test_cells_stand_in_source_order_with_their_spans():
    page = parse_page("<table>moved<tr><td>cell</table>after")
    cells = cut_cells(page)
    assert [page.row_text(row) for row in cells.row] == ["moved", "cell", "after"]
    assert [page.positions.source[a:b] for a, b in zip(cells.start, cells.stop, strict=True)] == [
        "moved",
        "cell",
        "after",
    ]
