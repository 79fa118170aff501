"""What every extractor promises, whoever wrote it: one suite for all that are registered."""

import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

import tamis
from tamis.errors import BrowserError
from tamis.extractors import registry
from tamis.extractors.base import Extractor, Selection
from tamis.page import parse_page
from tamis.visual.chromium import find_chromium

HOSTILE = {
    "empty": "",
    "no bytes": b"",
    "white space": " \n\t \n",
    "plain text": "Just a line of text, and another one.\nNo markup at all.",
    "binary garbage": bytes(range(256)) * 40,
    "NUL bytes": "<p>a\0b</p>\0<p>\0</p>",
    "lone surrogates": "<p>\ud800 alone \udfff</p><p>and \ud83d split",
    "only links": "<ul>" + "<li><a href=/x>link</a></li>" * 30 + "</ul>",
    "only hidden": "<div hidden><p>You cannot see this.</p></div>",
    "only a script": "<script>document.write('x')</script>",
    "frameset": "<frameset><frame src=a></frameset><noframes>text</noframes>",
    "broken entities": "<p>&#xFFFFFFFF; &nosuch; &#0; &amp",
    "unclosed everything": "<div><p><b><table><tr><td><ul><li><select><option>text",
    "one huge word": "<p>" + "a" * 200_000,
    "many attributes": "<p " + " ".join(f"a{k}=v" for k in range(5000)) + ">text</p>",
    "svg and math": "<p>x</p><svg><text>drawn</text></svg><math><mi>y</mi></math>",
}


@pytest.fixture(params=registry.names())
def extractor(request) -> Extractor:
    found = registry.get(request.param)
    if registry.needs_layout(found):
        pytest.importorskip("playwright")
        try:
            find_chromium()
        except BrowserError as error:
            pytest.skip(str(error))
    return found


def check(page, selection: Selection):
    for column in (selection.mask, selection.score, selection.reason):
        assert len(column) == len(page)
    assert selection.mask.dtype == np.bool_
    assert not (selection.mask & ~page.shown).any()
    assert np.isfinite(selection.score).all()
    assert selection.reason.max(initial=0) < len(selection.reasons)


def columns(page):
    return [
        np.array(column, copy=True)
        for column in (
            page.node_type,
            page.tag,
            page.parent,
            page.end,
            page.depth,
            page.offset,
            page.link,
            page.hidden,
        )
    ]


def test_describes_itself(extractor):
    assert isinstance(extractor, Extractor)
    assert extractor.summary
    assert extractor.source
    assert registry.get(extractor.name).name == extractor.name


def test_selects_on_golden_pages_the_same_way_twice_and_leaves_the_page_alone(extractor, golden):
    page = parse_page(golden.html)
    before = columns(page)
    first, second = extractor.select(page), extractor.select(parse_page(golden.html))
    check(page, first)
    assert (first.mask == second.mask).all()
    assert (first.score == second.score).all()
    assert all((a == b).all() for a, b in zip(before, columns(page), strict=True))


@pytest.mark.parametrize("markup", HOSTILE.values(), ids=HOSTILE.keys())
def test_survives_hostile_input(extractor, markup):
    found = tamis.extract(markup, extractor=extractor)
    check(found.page, found.selection)
    found.text.encode("utf-8")
    found.html.encode("utf-8")
    assert bool(found) == (found.empty_reason is None)
    if not found.text:
        assert found.empty_reason


@pytest.fixture(scope="module")
def million_nested():
    return parse_page("<div>" * 1_000_000 + "text")


@pytest.fixture(scope="module")
def million_siblings():
    return parse_page("<body>" + "<p>a</p>" * 1_000_000)


@pytest.mark.slow
def test_survives_a_million_nested_tags(extractor, million_nested):
    check(million_nested, extractor.select(million_nested))


@pytest.mark.slow
def test_survives_a_million_siblings(extractor, million_siblings):
    check(million_siblings, extractor.select(million_siblings))


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["<div>", "<p>a</p>", "<ul><li><a href=x>b</a> text, more text.</li></ul>"])
def test_memory_is_linear_in_the_page(extractor, unit):
    def peak(times):
        page = parse_page("<body>" + unit * times + "text")
        tracemalloc.start()
        extractor.select(page)
        size = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return size

    peak(100)  # what is made once, such as tables of characters
    assert peak(20_000) < 2.8 * peak(10_000)


@pytest.mark.slow
def test_recursion_never_follows_the_depth_of_the_page(extractor):
    program = (
        "import sys, tamis\n"
        "sys.setrecursionlimit(150)\n"
        f"found = tamis.extract('<div>' * 3000 + 'Some text.', extractor={extractor.name!r})\n"
        "found.text, found.html, found.blocks, found.title\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
