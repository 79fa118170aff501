"""Each row is found by its source position, its XPath and its CSS selector."""

import re

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

from tamis.page import ELEMENT, TEXT, parse_page
from tamis.page.parse import find_repair, needs_repair
from tamis.page.positions import xpath
from tamis.page.source_tags import Source, read_tokens, tag_spans
from tamis.papers.ridge import cut_cells

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
def test_span_of_a_text_row_contains_its_text(html):
    page = parse_page(html)
    for row in np.flatnonzero(page.nonspace > 0):
        assert source_text(page, row) == page.row_text(row)


def test_texts_that_the_parser_joins_span_both_positions():
    page = parse_page("<table>moved<tr><td>cell</td></tr>too</table>after")
    row = next(row for row in np.flatnonzero(page.is_text) if page.row_text(row) == "movedtoo")
    assert (
        page.positions.source[page.positions.start[row] : page.positions.stop[row]]
        == "moved<tr><td>cell</td></tr>too"
    )


def source_text(page, row):
    """Return the text in a row's source span, without stray end tags and with references resolved."""
    positions = page.positions
    return turbohtml.unescape(re.sub("</[^>]*>", "", positions.source[positions.start[row] : positions.stop[row]]))


def test_spans_on_golden_pages_contain_their_rows(golden):
    page = parse_page(golden.html)
    positions = page.positions
    for row in np.flatnonzero(page.nonspace > 0):
        assert source_text(page, row) == page.row_text(row)
    for row in np.flatnonzero(page.is_element):
        if page.tag_name(row) not in {"tbody", "font"}:  # the parser implies the one and reopens the other
            assert positions.source[positions.start[row] + 1 :].lower().startswith(page.tag_name(row))


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
def test_tag_spans_equal_the_parsers_source_locations(html):
    repair = find_repair(html) if needs_repair(html) else None  # an open title is closed before parsing
    html = repair.apply(html) if repair else html
    page = parse_page(html)
    source = Source.from_text(html)
    document = turbohtml.parse(html, source_locations=True, allow_declarative_shadow_roots=False)
    spans = tag_spans(page, document, source, read_tokens(source))
    for row, node in enumerate(document.descendants, 1):
        location = node.source_location if page.node_type[row] == ELEMENT else None
        span = (spans.start[row], spans.content[row], spans.stop[row])
        if location is None:
            assert span == (-1, -1, -1)
        else:
            start_tag = location.start_tag
            end = (location.end_tag or start_tag).end_offset
            assert span == (start_tag.start_offset, start_tag.end_offset, end)


def test_positions_of_bytes_count_decoded_characters():
    page = parse_page("<meta charset=windows-1252><p>é<b>è</b>".encode("windows-1252"))
    row = next(row for row in np.flatnonzero(page.is_text) if page.row_text(row) == "è")
    assert page.positions.source[page.positions.start[row] : page.positions.stop[row]] == "è"


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_paths_select_their_rows(html):
    _check_paths(html)


def test_paths_select_their_rows_on_golden_pages(golden):
    _check_paths(golden.html.decode("utf-8"), every=7)


def _check_paths(html, every=1):
    page = parse_page(html)
    document = page.nodes[0]
    checked = 0
    for row in range(0, len(page), every):
        node = page.nodes[row]
        if page.hidden[row] or page.node_type[row] not in (ELEMENT, TEXT):
            continue
        if page.node_type[row] == ELEMENT:
            assert document.xpath(xpath(page, row)) == [node]
        else:
            assert document.xpath(xpath(page, row)) == [node.data]
        checked += 1
    assert checked


def test_cells_are_in_source_order_with_their_spans():
    page = parse_page("<table>moved<tr><td>cell</table>after")
    cells = cut_cells(page)
    assert [page.row_text(row) for row in cells.row] == ["moved", "cell", "after"]
    assert [page.positions.source[a:b] for a, b in zip(cells.start, cells.stop, strict=True)] == [
        "moved",
        "cell",
        "after",
    ]
