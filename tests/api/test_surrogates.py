"""Lone surrogates are replaced: every output can be encoded."""

import json

import pytest

import tamis
from tamis.render.registry import formats

PAGE = (
    "<title>T\ud800</title><meta name=author content='Ann \udc00 Lee'>"
    '<script type=application/ld+json>{"@type": "Article", "headline": "H \\ud83d", "author": "B \\ud83c\\udf75"}'
    "</script><p class='\ud800'>One <b>\udfff</b> <a href='/x\ud800' title='\ud800'>link</a> "
    "<img src='/i\ud800.jpg' alt='\ud801'></p><pre>\ud800</pre><table><tr><th>\ud800<td>b<tr><th>c<td>d</table>"
)


@pytest.mark.parametrize("entry", formats(), ids=lambda entry: entry.name)
def test_every_output_can_be_encoded(entry):
    extraction = tamis.extract(PAGE, "https://example.org/\ud800", extractor="body")
    extraction.render(entry, provenance=True, with_metadata=True).text.encode()


def test_metadata_has_no_surrogates():
    extraction = tamis.extract(PAGE, extractor="body")
    json.dumps(extraction.metadata.as_dict(), ensure_ascii=False, default=str).encode()
    assert "🍵" in str(extraction.metadata.authors)


def test_positions_stay_where_they_are():
    page = tamis.parse_page("<p>\ud800 one</p><p>two</p>")
    row = next(row for row in range(len(page)) if page.row_text(row) == "two" and page.is_text[row])
    assert page.positions.source[page.positions.start[row] : page.positions.stop[row]] == "two"
