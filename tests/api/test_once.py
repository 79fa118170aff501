"""What several steps need of a page is computed once."""

import gc
import importlib
import itertools
import subprocess
import sys
import weakref
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import tamis
from tamis._core.loader import core
from tamis.api import options
from tamis.document.detectors import posts
from tamis.page import Page, parse
from tamis.render import text

OUTPUTS = ("text", "markdown", "json")
FORUM = Path(__file__).parents[1] / "pages" / "forum-thread" / "page.html"

#: What is computed once for a page: where it is called, its name, and which arguments make it another thing. The page
#: without its evident boilerplate is another page.
ONCE = [
    ("tamis.page.columns", "count_characters"),
    ("tamis.page.tables", "find_data_tables"),
    ("tamis.page.parse", "binary_type"),
    ("tamis.page.parse", "_parse"),
    ("tamis.metadata.source", "find_site"),
    ("tamis.metadata.source", "find_title"),
    ("tamis.metadata.title", "title_candidates"),
    ("tamis.metadata.structured", "read_structured"),
    ("tamis.sift.extractor", "read_element_names"),
    ("tamis.sift.extractor", "prune"),
    ("tamis.sift.extractor", "measure"),
    ("tamis.document.build", "build_document"),
]
#: The compiled steps of a page, and which argument makes a call another thing, if it is not the first.
STEPS = (
    "walk", "Columns", "class_ids", "read_names", "boilerplate_ranges", "title_overlap", "measure_blocks",
    "choose",
)  # fmt: skip
KEYS = {"class_ids": 1, "measure_blocks": 2}
PAGE = """<title>Tea - The Kettle</title><meta property=og:site_name content="The Kettle">
<nav class=menu><a href=/>Home</a> <a href=/tea>Tea</a></nav><main><h1>Tea</h1>
<p>She said <q>boil the water</q>, and we waited. Then we poured, and waited again.</p>
<table><tr><th>Tea<th>Minutes<tr><td>Green<td>2<tr><td>Black<td>4</table>
<p>It was good tea, and there was a second cup for everyone who had come.</p></main>"""


@pytest.fixture
def calls(monkeypatch):
    """The number of calls of each function, by its first argument: a page, its markup, what was read of it."""
    counted, kept = Counter(), []

    def count(owner, name):
        function = getattr(owner, name)

        def counting(*args, **keywords):
            kept.append(args)  # an object that is gone may have the identity of another
            key = args[KEYS.get(name, 0)]
            counted[name, id(key)] += 1
            return function(*args, **keywords)

        monkeypatch.setattr(owner, name, counting)

    for module, name in ONCE:
        count(importlib.import_module(module), name)
    for name in STEPS:
        count(core, name)
    count(options.registry, "get")
    return counted


@pytest.mark.parametrize("order", list(itertools.permutations(OUTPUTS)))
def test_nothing_is_computed_twice_for_a_page(calls, order):
    extraction = tamis.extract(PAGE.encode())
    for output in order:
        assert "boil the water" in getattr(extraction, output)
    assert {name for name, _ in calls} >= {name for _, name in ONCE}
    assert [key for key, count in calls.items() if count > 1] == []


@pytest.mark.parametrize("output", OUTPUTS)
def test_nothing_is_computed_twice_for_a_golden_page(calls, golden, output):
    getattr(tamis.extract(golden.html), output)
    assert [key for key, count in calls.items() if count > 1] == []


def test_quotations_are_found_once_for_a_text(monkeypatch):
    found = []
    find = text.quote_rows
    monkeypatch.setattr(text, "quote_rows", lambda page, mask: found.append(1) or find(page, mask))
    assert "“boil the water”" in tamis.extract(PAGE).text
    assert len(found) == 1


def test_binary_data_is_not_parsed(monkeypatch):
    parsed = []
    parse_markup = parse._parse
    monkeypatch.setattr(parse, "_parse", lambda *args: parsed.append(args[0]) or parse_markup(*args))
    data = b"%PDF-1.7 " + b"<p>Boil the water.</p>" * 99
    extraction = tamis.extract(data)
    assert extraction.empty_reason == "not a web page but a PDF document"
    assert extraction.page.markup == data
    assert not extraction.page.text
    assert (extraction.page.positions.start < 0).all()
    assert all(len(each) == 0 for each in parsed)


def test_a_page_without_some_rows_shares_what_does_not_depend_on_them():
    page = tamis.parse_page(PAGE)
    menu = int(page.rows_of("nav")[0])
    without = page.with_removed(((menu, int(page.end[menu])),))
    assert isinstance(without, Page)
    assert without.char_counts is page.char_counts
    assert without.text_classes is page.text_classes
    assert np.array_equal(without.end, page.end)
    assert len(without.blocks) < len(page.blocks)


def test_thread_of_a_forum_is_found_once(monkeypatch):
    found = []
    finder = posts._Finder
    monkeypatch.setattr(posts, "_Finder", lambda *args: found.append(1) or finder(*args))
    extraction = tamis.extract(FORUM.read_bytes())
    assert (extraction.page_type, bool(extraction.text), bool(extraction.markdown)) == ("forum", True, True)
    assert extraction.comments == ()
    assert extraction.metadata
    assert len(found) == 1


@pytest.mark.slow
def test_plain_text_imports_neither_metadata_nor_posts():
    program = (
        "import sys, tamis; tamis.extract('<main><h1>Tea</h1><p>' + 'Boil water, and wait. ' * 9).text;"
        "print([name for name in sys.modules if name.startswith('tamis.metadata') or name.endswith('.posts')])"
    )
    run = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("output", ["text", "markdown", "html", "json", "xml", "warnings"])
def test_a_page_is_freed_with_its_extraction(output):
    """No cycle keeps a page until the garbage collector looks for it: pages are large."""
    extraction = tamis.extract(PAGE + "<p>Hidden <i hidden>text of some length that a reader does not see.</i>")
    page = weakref.ref(extraction.page)
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        getattr(extraction, output)
        del extraction
        assert page() is None
    finally:
        if was_enabled:
            gc.enable()
