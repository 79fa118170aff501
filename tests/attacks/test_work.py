"""Hostile pages are held to the work that they may cause: nodes, cells, calls and characters, never seconds."""

import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis.document import containers, parts
from tamis.document.detectors.formulas import asciimath, mathml
from tamis.document.detectors.formulas import find as formulas
from tamis.document.detectors.notes import find as notes
from tamis.explain import explain
from tamis.html.text import estimate_tokens
from tamis.page import Page, parse
from tamis.page.parse import reopening_limit
from tamis.render import json, markdown
from tamis.render.json import estimated_chars
from tamis.render.markdown import grid
from tamis.render.registry import RenderOptions, TextBuffer
from tests.attacks.pages import BY_NAME
from tests.sampling import sampled

SIZES = (250, 1000)


def body(name, number):
    return tamis.extract(BY_NAME[name].page(number), "https://example.org/a/b", extractor="body")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reopened formatting", "reopened fonts"])
def test_elements_that_are_opened_again_meet_the_limit_before_parsing(name):
    markup = BY_NAME[name].page(8_000)
    extraction = tamis.extract(markup, extractor="body")
    assert len(extraction.page) < 500_000
    assert [warning.type for warning in extraction.warnings] == ["limit reached"]
    assert reopening_limit(markup.encode(), 1_000_000) == reopening_limit(markup, 1_000_000) < len(markup)
    for sign in ("é", "漢", "\U0001f375"):  # strings of one, two and four bytes for each character
        assert reopening_limit(markup + sign, 1_000_000) == reopening_limit(markup, 1_000_000)


@pytest.mark.parametrize(
    "html",
    [
        "<p><b>x" * 9_000,  # equal elements are opened again three times at most
        "<p><b id=a>x</b></p>" * 9_000,
        "".join(f"<table><tr><td><font size={k}>x</table>" for k in range(9_000)),
        "".join(f"<a id=a{k} href=/x>x</a><p>y" for k in range(9_000)),
    ],
    ids=["equal", "closed", "in cells", "links"],
)
def test_pages_without_elements_to_open_again_are_read_whole(html):
    assert reopening_limit(html, 1_000_000) is None


@given(
    st.lists(
        st.sampled_from([
            "<b>", "<b id=a>", "<i id=c>", "</b>", "</i>", "<b-x>", "</b-x>", "<p>", "</p>", "<table>", "<td>",
            "</table>", "<TABLE>", '<p title="</b>">', '<span title="<b>">', "<font", "<", "</", "<big/>", "</BIG >",
        ]),
        min_size=1,
        max_size=12,
    ),
    st.integers(1, 400),
)  # fmt: skip
def test_the_quick_look_for_elements_to_open_again_misses_none(pieces, max_nodes):
    markup = ("".join(pieces) * 40).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parse, "_MIN_REOPENING", 0)
        found = reopening_limit(markup, 8 * max_nodes)
        patch.setattr(parse, "_may_reopen", lambda *_: True)
        assert reopening_limit(markup, 8 * max_nodes) == found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["spanning header", "spanning rows", "header of a long table", "ragged table"])
def test_cells_span_no_more_than_the_table_has(name):
    for number in SIZES:
        extraction = body(name, number)
        (table,) = [part for part in extraction.document.parts if type(part).__name__ == "Table"]
        cells = sum(len(row.cells) for row in table.rows)
        assert sum(map(len, grid(table))) <= 20 * cells + 30_000
        assert len(extraction.markdown) <= 100 * cells + 200_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sampled(["long list", "header of a long table", "long heading", "nested lists", "rows"], 5)
)
def test_chunks_count_each_word_a_bounded_number_of_times(name):
    counted = []
    for number in SIZES:
        extraction = body(name, number)
        chars = [0]

        def count(text, chars=chars):
            chars[0] += len(text)
            return estimate_tokens(text)

        assert all(chunk.tokens <= 512 for chunk in extraction.chunks(count_tokens=count))
        counted.append(chars[0] / len(extraction.markdown))
    assert counted[1] < 2 * counted[0] + 10


@pytest.mark.slow
@pytest.mark.parametrize("name", ["heading with links", "code in a section"])
def test_rows_are_read_a_bounded_number_of_times(name, monkeypatch):
    reads = []
    for method in ("attributes", "attribute_of"):
        read = getattr(Page, method)
        monkeypatch.setattr(Page, method, lambda *args, read=read: (reads.append(args[1]), read(*args))[1])
    calls = []
    for number in SIZES:
        reads.clear()
        assert body(name, number).markdown
        calls.append(len(reads) / number)
    assert calls[1] < 1.2 * calls[0] + 1


@pytest.mark.parametrize("name", ["AsciiMath matrices", "AsciiMath in parentheses"])
def test_tokens_of_a_formula_are_read_a_bounded_number_of_times(name, monkeypatch):
    peeks = []
    peek = asciimath._Parser._peek
    monkeypatch.setattr(asciimath._Parser, "_peek", lambda self: (peeks.append(1), peek(self))[1])
    markup = BY_NAME[name].page(1)
    assert tamis.extract(markup, extractor="body").markdown
    assert 0 < len(peeks) < 40 * len(markup)


def test_formulas_in_formulas_are_read_once(monkeypatch):
    reads = []
    read = mathml.read_mathml
    monkeypatch.setattr(mathml, "read_mathml", lambda page, row: (reads.append(row), read(page, row))[1])
    assert "x" in body("math in math in an equation table", 3).markdown
    assert 0 < len(reads) <= 3 * 4


@pytest.mark.parametrize(
    "make",
    [
        BY_NAME["title words against blocks"].page,
        lambda n: "<blockquote><p>Boil it, and wait.</p><footer>Ann</footer></blockquote>" * n,
        lambda n: "<h1>Tea</h1>" + "<p class=subtitle></p>" * n + "<p>Boil it, and wait.",
    ],
    ids=["blocks", "quotations", "subtitles"],
)
def test_arrays_of_the_page_are_not_searched_for_each_part(make, monkeypatch):
    """A search for a number of another type copies the array: with one for each part the cost is quadratic."""
    searched = []
    search = np.searchsorted
    monkeypatch.setattr(np, "searchsorted", lambda *args, **options: searched.append(1) or search(*args, **options))
    calls = []
    for number in SIZES:
        searched.clear()
        extraction = tamis.extract(make(number), "https://example.org/a/b")
        assert extraction.render("text").text
        assert extraction.metadata is not None
        calls.append(len(searched))
    assert calls[1] <= 2 * calls[0]


def test_provenance_is_computed_for_all_parts_at_once(monkeypatch):
    """A search of arrays for each part made JSON with provenance three times as costly as without."""
    shown = []
    monkeypatch.setattr(Page, "shown", property(lambda page, of=Page.shown: shown.append(1) or of.__get__(page)))
    counts = []
    for number in SIZES:
        page = tamis.parse_page("<p>Tea.</p>" * number)
        parts = tamis.extract(page, extractor="body").document
        shown.clear()
        assert all(parts.locate(part).xpath for part in parts)
        counts.append(len(shown))
    assert counts[1] == counts[0] > 0


def test_the_parts_of_a_document_are_walked_once(monkeypatch):
    walks = []
    walk = parts.parts_in_order
    monkeypatch.setattr(parts, "parts_in_order", lambda given: walks.append(given) or walk(given))
    extraction = tamis.extract("<p>Tea.</p>" * 9, extractor="body")
    extraction.to_json(provenance=True, contents=("markdown", "html"))
    assert walks.count(extraction.document.parts) == 1


@pytest.mark.parametrize(
    ("module", "name", "html"),
    [
        (formulas, "find_delimited", r"<p>We get \(a=b\) as planned.</p>"),
        (
            notes,
            "_find_notes",
            '<p>Tea<a id=r href="#n">1</a>.</p><p id=n class=footnote>Green. <a href="#r">↩</a></p>',
        ),
    ],
    ids=["formulas", "notes"],
)
def test_plain_text_and_the_document_share_what_was_found(module, name, html, monkeypatch):
    find, calls = getattr(module, name), []
    monkeypatch.setattr(module, name, lambda *args: calls.append(name) or find(*args))
    body_of = tamis.extract(html, extractor="body")
    assert body_of.text
    assert body_of.document.parts
    assert calls == [name]


@pytest.mark.parametrize(
    "make",
    [
        BY_NAME["captions of a table"].page,
        lambda n: "<figure>" + "<figcaption>Tea</figcaption>" * n + "</figure>",
        BY_NAME["code in a section"].page,
    ],
    ids=["captions of a table", "captions of a figure", "code in a section"],
)
def test_parts_are_built_without_a_walk_over_what_is_around_them(make, monkeypatch):
    """Tuples that grew with each caption, and sums over a section for each code block in it, were quadratic."""
    read = [0]

    class Counted(np.ndarray):
        def __getitem__(self, index):
            found = super().__getitem__(index)
            read[0] += np.size(found)
            return found

    set_value = containers.OpenBlock.__setattr__

    def set_counted(block, name, value):
        read[0] += len(value) if name == "caption" else 0
        set_value(block, name, value)

    counted = property(lambda page, of=Page.nonspace: of.__get__(page).view(Counted))
    monkeypatch.setattr(Page, "nonspace", counted)
    monkeypatch.setattr(containers.OpenBlock, "__setattr__", set_counted)
    counts = []
    for number in SIZES:
        page = tamis.parse_page(make(number))
        page.__dict__["tag"] = page.tag.view(Counted)
        read[0] = 0
        assert tamis.extract(page, extractor="body").document.parts
        counts.append(read[0] / number)
    assert counts[1] < 1.5 * counts[0]


@pytest.mark.parametrize(
    "html",
    ["<ul>" + "<li>x" * 500, "<dl>" + "<dt>a<dd>b" * 250, "<table>" + "<tr><th>a<td>b" * 250],
    ids=["items", "definitions", "cells"],
)
def test_items_and_cells_of_one_text_are_not_opened(html, monkeypatch):
    """Half of the cost of a page of tiny items was to open and to close each of them."""
    opened = []
    open_block = containers.BlockOpener.open
    monkeypatch.setattr(
        containers.BlockOpener, "open", lambda self, row, *args: opened.append(row) or open_block(self, row, *args)
    )
    document = tamis.extract(html, extractor="body").document
    assert len(document.in_order) > 1_000
    assert len(opened) <= 1 + html.count("<tr>")


def test_margins_of_a_line_are_written_at_once(monkeypatch):
    """Each of the margins around a line was written, and the parts that wait looked through, for itself."""
    written = []
    append = TextBuffer._append
    monkeypatch.setattr(TextBuffer, "_append", lambda self, text: written.append(1) or append(self, text))
    extraction = tamis.extract("<blockquote>" * 20 + "<p>Tea.</p>" * 100, extractor="body")
    assert extraction.markdown.count("Tea.") == 100
    assert len(written) < 3 * 100


def test_a_block_is_explained_without_a_search_of_all_boilerplate():
    """Each block compared with each removed part: 400 kB of short quotations took six seconds."""
    counts = []
    for number in (10, 40):
        page = tamis.parse_page("<nav><a href=/a>Home</a></nav><p>Boil the water, and wait.</p>" * number)
        extraction = tamis.extract(page)
        steps = [0]

        def count(frame, event, _argument, steps=steps):
            if frame.f_code.co_filename != explain.__file__:
                return None
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
            steps[0] += event == "opcode"
            return count

        sys.settrace(count)
        try:
            assert len(extraction.explain().blocks) == 2 * number
        finally:
            sys.settrace(None)
        counts.append(steps[0] / number)
    assert counts[1] < 1.2 * counts[0]


def test_contributions_of_a_bounded_number_of_blocks_are_computed(monkeypatch):
    """A thousand coalitions of each of 500 blocks: explaining a page of 3 kB took .6 seconds."""
    blocks = []
    values = explain.group_values
    monkeypatch.setattr(explain, "group_values", lambda *args: (blocks.append(len(args[-1])), values(*args))[1])
    explanation = tamis.extract("<p>x</p>" * 1_000).explain()
    assert sum(bool(block.contributions) for block in explanation.blocks) == sum(blocks) <= 250
    assert "contributions are computed for 250 of 1000 blocks" in explanation.note


@pytest.mark.parametrize("name", ["references to one note", "definitions", "notes", "ragged table", "paragraphs"])
def test_the_size_of_json_is_estimated_from_the_document(name):
    extraction = tamis.extract(
        BY_NAME[name].page(100), extractor="body", limits=tamis.Limits(max_output=1_000_000_000)
    )
    for provenance in (False, True):
        options = RenderOptions(provenance=provenance)
        size = len(extraction.render_with("json", options).text)
        assert 0.5 * size < estimated_chars(extraction, options) < 1.5 * size


def test_outputs_that_fit_are_written_once(monkeypatch):
    """The beginning of the content is written only to learn how much of an output fits that is too large."""
    written, explained = [], []
    as_dict, group_values = json.as_dict, explain.group_values
    monkeypatch.setattr(json, "as_dict", lambda *values: written.append(1) or as_dict(*values))
    monkeypatch.setattr(explain, "group_values", lambda *values: explained.append(1) or group_values(*values))
    extraction = tamis.extract(
        BY_NAME["references to one note"].page(500), extractor="body", limits=tamis.Limits(max_output=150_000)
    )
    assert not extraction.render("json").warnings
    assert len(written) == 1
    tamis.extract("<p>x" * 200, limits=tamis.Limits(max_output=200_000)).explain()
    assert len(explained) == 1


def test_chunks_in_many_margins_are_written_once(monkeypatch):
    """What a part is in takes tokens: else a chunk of it would be halved, and written again, until it fits."""
    lines = []
    begin_line = TextBuffer._begin_line
    monkeypatch.setattr(TextBuffer, "_begin_line", lambda self: lines.append(1) or begin_line(self))
    extraction = body("nested quotations", 2_000)
    assert extraction.markdown
    whole = len(lines)
    assert len(extraction.chunks()) > 10
    assert len(lines) - whole < 3.5 * whole  # Markdown again, for the tokens of each part, and the chunks


def test_values_of_one_name_in_the_head_are_bounded():
    extraction = tamis.extract(BY_NAME["meta elements"].page(5_000))
    assert len(extraction.structured.meta["article:author"]) == 1_000
    assert extraction.metadata.authors == ("Anna Berg",)


def test_chunks_of_deep_threads_repeat_the_nearest_authors_alone():
    chunks = body("nested posts", 40).chunks()
    assert len(chunks) > 3
    counts = [chunk.text.count("**Anna Berg**") - len(chunk.parts) for chunk in chunks]
    assert 4 < max(counts) <= 8


def test_a_long_part_is_not_written_in_vain_with_the_headings_before_it(monkeypatch):
    """It was written with them, without them, and in pieces: three times, which is most of the cost of chunks."""
    written = []
    write = markdown.spans_markdown
    monkeypatch.setattr(
        markdown, "spans_markdown", lambda *args, **options: written.append(1) or write(*args, **options)
    )
    extraction = body("misnested formatting", 500)
    assert extraction.markdown
    whole = len(written)
    assert len(extraction.chunks(64)) > 10
    assert len(written) - whole < 2.2 * whole  # once for the tokens of all parts, and once for the pieces


def test_chunks_of_a_table_do_not_span_more_than_the_table(monkeypatch):
    places = []
    of_table = markdown.grid
    monkeypatch.setattr(
        markdown, "grid", lambda table: (lines := of_table(table), places.append(sum(map(len, lines))))[0]
    )
    extraction = body("spanning rows", 1_000)
    assert extraction.markdown
    places.clear()
    assert extraction.chunks()
    assert sum(places) < 100 * 1_000  # and not 200 for each row


#: Calls of functions for each byte of a page of nothing but tiny parts. A call takes some 50 nanoseconds, and a byte
#: of page may take two microseconds.
CALLS = {
    "long list": {"text": 16, "chunks": 46},
    "definitions": {"text": 16, "chunks": 38},
    "header of a long table": {"text": 13},
    "note of many details": {"text": 14},
    "spanning rows": {"chunks": 30},
    "code in a section": {"text": 10},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CALLS)
def test_a_byte_of_page_takes_a_bounded_number_of_calls(name):
    attack = BY_NAME[name]
    small, large = (attack.page(number * attack.size // len(attack.page(attack.size))) for number in (3_000, 30_000))
    for output, most in CALLS[name].items():
        for markup in (small, large):  # the first loads what is loaded on first use
            extraction = tamis.extract(markup, "https://example.org/a/b", extractor="body")
            calls = [0]

            def count(_frame, event, _argument, calls=calls):
                calls[0] += event in {"call", "c_call"}

            sys.setprofile(count)
            try:
                assert extraction.chunks() if output == "chunks" else extraction.render(output).text
            finally:
                sys.setprofile(None)
        assert calls[0] < most * len(large), output


#: Attacks whose cost grew with the square of the page, or far above it, and the outputs that showed it.
GROWTH = {
    "TeX environments": "text markdown",
    "math in math in an equation table": "text html",
    "spans of formulas around mspace": "text markdown",
    "AsciiMath in parentheses": "text",
    "AsciiMath matrices": "text",
    "KaTeX text": "text markdown",
    "code in a section": "text html",
    "note of many details": "text markdown",
    "notes of details": "text html",
    "headings with links": "markdown metadata",
    "captions of a table": "text html",
    "deep lists": "text markdown",
    "nested lists": "markdown",
    "nested definitions": "text markdown",
    "nested quotations": "markdown",
    "definitions": "markdown html",
    "long list": "markdown html xml",
    "quotations with footers": "text html",
    "posts": "text markdown",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GROWTH)
def test_calls_grow_no_faster_than_the_page(name):
    """A page that is doubled again adds twice the calls that doubling it added before, and not four times as many."""
    attack = BY_NAME[name]
    unit = max(2, 250_000 // (len(attack.page(100)) - len(attack.page(1))))
    for output in GROWTH[name].split():
        counts = []
        for number in (2, unit, 2 * unit, 4 * unit):  # the first loads what is loaded on first use
            extraction = tamis.extract(attack.page(number), "https://example.org/a/b", extractor="body")
            calls = [0]

            def count(_frame, event, _argument, calls=calls):
                calls[0] += event in {"call", "c_call"}

            sys.setprofile(count)
            try:
                if output == "metadata":
                    assert extraction.metadata
                else:
                    assert extraction.render(output).text
            finally:
                sys.setprofile(None)
            counts.append(calls[0])
        _, one, two, four = counts
        assert four - two < 2.25 * (two - one) + 200, (output, counts)
