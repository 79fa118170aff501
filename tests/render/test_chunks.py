"""Chunks: whole parts, in order, below their headings, and with where they come from."""

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.api.options import Options
from tamis.batch.rows import RowOptions, make_row
from tamis.document.parts import Heading, List, Row
from tamis.html.text import estimate_tokens
from tamis.render.registry import RenderOptions
from tamis.render.schema import SCHEMA
from tamis.sources.records import Record
from tests.sampling import sampled

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*/page.html"))
BODY = "<p>Boil the water, and wait a little longer than you think.</p>"


def extract(body, **options):
    return tamis.extract(f"<title>How to brew tea</title><body>{body}", extractor="body", **options)


def characters(text):
    return Counter(char for char in text if char.isalnum())


@pytest.mark.parametrize("max_tokens", [40, 200, 100_000])
@pytest.mark.parametrize("path", sampled(PAGES, 4), ids=lambda path: path.parent.name)
def test_chunks_of_real_pages_are_whole_ordered_and_small(path, max_tokens):
    extraction = tamis.extract(path.read_bytes(), "https://www.example.org/")
    chunks = extraction.chunks(max_tokens)
    parts = set(extraction.document)
    rows = [part.first for chunk in chunks for part in chunk.parts if part in parts]
    assert rows == sorted(rows)
    for chunk in chunks:
        assert chunk.tokens == estimate_tokens(chunk.text)
        assert chunk.tokens <= max_tokens, chunk.text
        assert chunk.index == chunks.index(chunk)
    if max_tokens == 100_000:
        assert len(chunks) == 1
        assert chunks[0].text == extraction.markdown


@pytest.mark.parametrize("path", sampled(PAGES, 4), ids=lambda path: path.parent.name)
def test_no_character_is_lost(path):
    extraction = tamis.extract(path.read_bytes())
    chunks = extraction.chunks(60, format="text")
    written = characters("".join(chunk.text for chunk in chunks))
    assert not characters(extraction.render("text", title=True).text) - written


def test_headings_above_are_carried_along():
    extraction = extract(f"<h1>How to brew tea</h1>{BODY}<h2>Green</h2><h3>Sencha</h3>{BODY * 3}<h2>Black</h2>{BODY}")
    chunks = extraction.chunks(40)
    assert [chunk.headings for chunk in chunks if chunk.text.count("## Sencha")][-1] == (
        "How to brew tea",
        "Green",
        "Sencha",
    )
    assert chunks[-1].headings == ("How to brew tea", "Black")
    assert chunks[-1].text.startswith("# How to brew tea\n\n## Black\n\nBoil")
    assert all(chunk.text.startswith("# How to brew tea") for chunk in chunks)


def test_a_heading_never_ends_a_chunk():
    extraction = extract("".join(f"<h2>Kind {n}</h2>{BODY}" for n in range(9)))
    for max_tokens in range(20, 90, 5):
        for chunk in extraction.chunks(max_tokens):
            assert not isinstance(chunk.parts[-1], Heading)


def test_a_list_that_is_too_large_is_divided_between_items_and_keeps_its_numbers():
    extraction = extract("<ol>" + "".join(f"<li>Step {n}: boil the water once more." for n in range(1, 9)) + "</ol>")
    chunks = extraction.chunks(40)
    assert len(chunks) > 2
    numbers = [int(n) for chunk in chunks for n in re.findall(r"^(\d+)\. Step", chunk.text, re.MULTILINE)]
    assert numbers == list(range(1, 9))
    assert len(extraction.chunks(1000)) == 1
    assert any(isinstance(part, List) for part in extraction.chunks(1000)[0].parts)


def test_a_table_that_is_too_large_repeats_its_header():
    rows = "".join(f"<tr><td>kind {n}<td>{n} minutes" for n in range(20))
    chunks = extract(f"<table><tr><th>kind<th>time{rows}</table>").chunks(60)
    assert len(chunks) > 2
    for chunk in chunks:
        assert chunk.text.count("| kind | time |\n| --- | --- |\n| kind") == 1
        assert all(isinstance(part, Row) for part in chunk.parts if not isinstance(part, Heading))


def test_a_heading_that_would_fill_a_chunk_is_not_carried():
    chunks = extract(f"<h2>{'kind ' * 100}</h2>{BODY * 5}").chunks(40)
    assert sum(chunk.text.count("kind") for chunk in chunks) == 100
    assert sum(chunk.text.count("Boil") for chunk in chunks) == 5


@pytest.mark.slow
def test_a_very_long_list_and_table_are_divided():
    items = "".join(f"<li>Step {n}: boil the water." for n in range(5_000))
    rows = "".join(f"<tr><td>{n}<td>tea" for n in range(5_000))
    chunks = extract(f"<ol>{items}</ol><table><tr><th>n<th>kind{rows}</table>").chunks(20)
    assert "5000. Step 4999" in "".join(chunk.text for chunk in chunks)
    assert "| 4999 | tea |" in chunks[-1].text


def test_a_long_paragraph_is_divided_at_its_sentences():
    sentences = [f"Cup {n} of tea is ready." for n in range(60)]
    chunks = extract("<p>" + " ".join(sentences)).chunks(50)
    assert max(chunk.tokens for chunk in chunks) <= 50
    for chunk in chunks:
        assert chunk.text.startswith("# How to brew tea\n\nCup")
        assert chunk.text.endswith("ready.")


def test_what_has_no_sentences_is_divided_at_words_and_then_anywhere():
    chunks = extract("<p>" + "tea " * 500 + "<p>" + "x" * 3000).chunks(40)
    assert max(chunk.tokens for chunk in chunks) <= 40
    assert sum(chunk.text.count("tea") for chunk in chunks if "x" not in chunk.text) >= 500
    assert sum(chunk.text.count("x") for chunk in chunks) == 3000


def test_long_code_is_divided_at_lines_and_keeps_its_fences():
    code = "\n".join(f"step_{n} = boil(water, {n})" for n in range(60))
    chunks = extract(f"<pre><code class=language-python>{code}</code></pre>").chunks(60)
    assert max(chunk.tokens for chunk in chunks) <= 60
    assert all("```python\nstep_" in chunk.text and chunk.text.endswith(")\n```") for chunk in chunks)


def test_a_chunk_repeats_the_end_of_the_one_before():
    chunks = extract("<p>" + " ".join(f"Cup {n} of tea is ready." for n in range(60))).chunks(60, overlap=15)
    assert max(chunk.tokens for chunk in chunks) <= 60
    for before, chunk in pairwise(chunks):
        last = before.text.rsplit("Cup", 1)[1]
        assert f"Cup{last}" in chunk.text
    with pytest.raises(tamis.OptionError, match="overlap"):
        extract(BODY).chunks(10, overlap=10)


def test_a_chunk_says_where_it_comes_from():
    html = f"<html lang=en><meta name=author content='Ann Lee'><title>Tea</title><h2>Green</h2>{BODY}<p>Pour it."
    extraction = tamis.extract(html, "https://e.org/tea", extractor="body")
    first = extraction.chunks(500)[0]
    assert (first.url, first.title, first.language) == ("https://e.org/tea", "Tea", "en")
    assert first.authors == ("Ann Lee",)
    assert len(first.id) == 16
    assert first.id == tamis.extract(html, "https://e.org/tea", extractor="body").chunks(500)[0].id
    assert first.id != tamis.extract(html, "https://e.org/pot", extractor="body").chunks(500)[0].id
    start, stop = first.span
    assert html[start:stop].endswith("Pour it.")
    assert repr(first).startswith("Chunk(index=0")
    assert first.id in repr(first)
    assert "\n" not in repr(first)


def test_posts_of_a_thread_are_divided():
    post = "<article class=post><a class=author>ann</a>" + BODY * 4 + "</article>"
    chunks = extract(f"<div>{post * 3}</div>").chunks(60)
    assert len(chunks) >= 3
    assert max(chunk.tokens for chunk in chunks) <= 60


def test_provenance_is_kept():
    extraction = extract(f"<div>{BODY}<p>Then pour.</p></div>")
    chunk = extraction.chunks(1000)[0]
    location = chunk.locations[-1]
    assert location.xpath == "/html/body/div/p[2]"
    assert extraction.page.positions.source[location.start : location.stop] == "Then pour."
    assert set(chunk.parts[1:]) <= set(extraction.document)


def test_tokens_are_counted_as_the_caller_does():
    extraction = extract(BODY * 6)
    chunks = extraction.chunks(30, count_tokens=lambda text: len(text.split()))
    assert all(chunk.tokens == len(chunk.text.split()) <= 30 for chunk in chunks)
    assert len(chunks) == 3


@pytest.mark.parametrize(("arguments", "message"), [((0,), "at least 1"), ((9, "html"), "markdown or text")])
def test_wrong_values_are_option_errors(arguments, message):
    with pytest.raises(tamis.OptionError, match=message):
        extract(BODY).chunks(arguments[0], format=arguments[1] if len(arguments) > 1 else "markdown")


def test_a_page_without_content_has_no_chunks():
    assert tamis.extract("").chunks(100) == ()


@pytest.mark.slow
@given(st.lists(st.sampled_from(["p", "h2", "h3", "ul", "table", "quote"]), max_size=10), st.integers(4, 120))
def test_chunks_hold_everything_within_the_limit(kinds, max_tokens):
    pieces = {
        "p": BODY,
        "h2": "<h2>Kind</h2>",
        "h3": "<h3>Sort</h3>",
        "ul": "<ul><li>green tea<li>black tea<ul><li>nested tea</ul></ul>",
        "table": "<table><tr><th>a<th>b<tr><td>1<td>2<tr><td>3<td>4</table>",
        "quote": f"<blockquote>{BODY * 2}</blockquote>",
    }
    extraction = extract(BODY + "".join(pieces[kind] for kind in kinds))
    chunks = extraction.chunks(max_tokens)
    assert all(chunk.tokens <= max_tokens for chunk in chunks)
    written = characters("".join(chunk.text for chunk in chunks))
    assert not characters(extraction.markdown) - written


def test_run_of_headings_is_divided():
    extraction = tamis.extract("<h2>Green tea from the hills</h2>" * 500, extractor="body")
    chunks = extraction.chunks(max_tokens=100)
    assert len(chunks) > 10
    assert sum(len(chunk.parts) for chunk in chunks) == 500


def test_span_of_the_first_chunk_leaves_out_a_title_that_was_added():
    html = "<title>Tea</title><div><p>Warm the pot first, and then wait.</p></div>"
    (chunk,) = tamis.extract(html).chunks(100)
    assert chunk.text.startswith("# Tea\n")
    shown = html[slice(*chunk.span)]
    assert "Warm the pot first, and then wait." in shown
    assert "<title>" not in shown


@pytest.mark.slow
def test_json_and_rows_have_the_chunks_of_the_library():
    html = f"<h1>Tea</h1>{BODY * 4}"
    extraction = tamis.extract(html, "https://e.org/tea", extractor="body")
    ids = [chunk.id for chunk in extraction.chunks(40, overlap=12)]
    values = json.loads(extraction.to_json(max_tokens=40, overlap=12))
    assert [chunk["id"] for chunk in values["chunks"]] == ids
    assert len(ids) > 1
    assert {"url", "title", "authors", "date", "language", "headings", "tokens"} < set(values["chunks"][0])
    jsonschema.validate(values, SCHEMA)
    shown = RenderOptions(max_tokens=40, overlap=12)
    options = RowOptions(("chunks",), Options("body"), shown)
    row = make_row(Record("tea.html", "https://e.org/tea", html.encode()), options)
    assert [chunk["id"] for chunk in row["chunks"]] == ids


@pytest.mark.parametrize(
    "options", [{"max_tokens": 0}, {"overlap": 1}, {"max_tokens": 5, "overlap": 5}, {"max_tokens": "9"}]
)
def test_sizes_that_are_no_numbers_of_tokens_are_refused(options):
    with pytest.raises(tamis.errors.OptionError, match="tokens"):
        RenderOptions(**options)
