"""What every extractor promises, as checks that any extractor can be passed through.

`test_extractors.py` runs them on all registered extractors, `test_checks.py` on extractors that break each promise.
"""

import inspect
import re
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

import tamis
from tamis.extractors.registry import Extractor, Selection, checked_select
from tamis.page import Page, parse_page
from tamis.page.layout import LAYOUT_COLUMNS, Layout, with_layout

HOSTILE_MARKUP = {
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
    "only comments": "<!-- a --><!-- b -->",
    "only images": "<img src=a><img src=b alt='A cup of tea'>",
    "frameset": "<frameset><frame src=a></frameset><noframes>text</noframes>",
    "broken entities": "<p>&#xFFFFFFFF; &nosuch; &#0; &amp",
    "unclosed everything": "<div><p><b><table><tr><td><ul><li><select><option>text",
    "misnested formatting": "<b>1<p>2</b>3<i>4</p>5</i>6<a href=x>7<a href=y>8<div>9</a>",
    "foster parenting": "<table>lost<b>x<tr><td>y</b>z<p>w</table>after",
    "templates": "<template><p>in<template>deep</template></template><p>x<table><template><tr></table>",
    "text after the body": "<html><body><p>in</body></html>after<p>and more",
    "one huge word": "<p>" + "a" * 200_000,
    "many attributes": "<p " + " ".join(f"a{k}=v" for k in range(5000)) + ">text</p>",
    "many classes": "<p class='" + " ".join(f"c{k}" for k in range(20_000)) + "'>text</p>",
    "many inline elements": "<p>" + "<b>a</b> " * 1000,
    "many line breaks": "<p>" + "a<br>" * 1000,
    "svg and math": "<p>x</p><svg><text>drawn</text></svg><math><mi>y</mi></math>",
    "every Unicode plane": "<p>" + "".join(chr(plane << 16 | 0x41) for plane in range(17)) + "</p>",
    "combining marks": "<p>" + "a\u0301" * 3000,
}


def synthetic_layout(page: Page) -> Page:
    """Return the page with a made-up layout: varied rectangles, some empty, some invisible, some far outside."""
    row = np.arange(len(page))
    columns = {name: np.zeros(len(page), dtype) for name, dtype in LAYOUT_COLUMNS.items()}
    columns["left"][:] = row % 11 * 100 - 200
    columns["right"][:] = columns["left"] + row % 5 * 250
    columns["top"][:] = row * 20
    columns["bottom"][:] = columns["top"] + row % 3 * 20
    columns["visibility"][:] = np.where(row % 13 == 12, row % 5, 0)
    columns["background"][:] = row % 4 * 0x40404000 + 0xFF
    columns["inline"][:] = page.is_text | (row % 2 == 1)
    return with_layout(page, Layout(**columns, width=1280, height=20 * len(page), viewport=(1280, 1024)))


def check_description(extractor: Extractor) -> None:
    assert isinstance(extractor, Extractor)
    assert extractor.name
    assert extractor.name == extractor.name.lower()
    assert extractor.summary
    assert "\n" not in extractor.summary
    assert extractor.source


def check_selection(page: Page, selection: Selection) -> None:
    for column in (selection.mask, selection.score, selection.reason):
        assert column.shape == (len(page),)
    assert selection.mask.dtype == np.bool_
    assert not (selection.mask & ~page.shown).any(), "a row is selected that is not shown text"
    assert np.isfinite(selection.score).all()
    assert selection.reason.max(initial=0) < len(selection.reasons)


def check_repeatable(extractor: Extractor, make_page: Callable[[], Page]) -> None:
    """The selection is valid, the same for the same page, and the page is not changed."""
    page = make_page()
    before = _copy_columns(page)
    first, second = extractor.select(page), extractor.select(make_page())
    check_selection(page, first)
    assert (first.mask == second.mask).all()
    assert (first.score == second.score).all()
    assert (first.reason == second.reason).all()
    for name, column in _copy_columns(page).items():
        assert (column == before[name]).all(), f"{name} was changed"


def check_words(extractor: Extractor, page: Page) -> None:
    """The letters of the text are those of the selected rows, in the order of the page; code may be completed."""
    extraction = tamis.extract(page, extractor=extractor)
    rows = extraction.selection.mask.nonzero()[0]
    selected = "".join(page.row_text(row) for row in rows)
    written, expected = re.findall(r"\w", extraction.text), re.findall(r"\w", selected)
    if page.tag_count("pre"):
        letters = iter(written)
        assert all(letter in letters for letter in expected), page.markup
    else:
        assert written == expected, page.markup


def check_hostile(extractor: Extractor, page: Page) -> None:
    """The selection and its outputs are valid, and an empty extraction has a reason."""
    check_selection(page, checked_select(extractor, page))
    extraction = tamis.extract(page, extractor=extractor)
    extraction.text.encode("utf-8")
    extraction.html.encode("utf-8")
    assert bool(extraction) == (extraction.empty_reason is None)
    assert extraction.text or extraction.empty_reason


def check_linear_memory(extractor: Extractor, make_page: Callable[[str], Page], unit: str) -> None:
    """Twice the page takes about twice the memory."""

    def peak(times: int) -> int:
        page = make_page("<body>" + unit * times + "text")
        tracemalloc.start()
        try:
            extractor.select(page)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(100)  # creates what is cached, such as tables of characters
    assert peak(4_000) < 2.8 * peak(2_000)


def check_no_recursion(extractor: Extractor, make_page: Callable[[str], Page]) -> None:
    """Selection and outputs need no more stack for a deeply nested page than for a flat one."""

    def extract(html: str) -> None:
        extraction = tamis.extract(make_page(html), extractor=extractor)
        assert extraction.page.depth.max() > 2
        _ = extraction.text, extraction.html, extraction.blocks, extraction.title

    extract("<p>Some text.")  # imports what is imported on first use, which takes stack
    with _recursion_limit(150):
        extract("<div>" * 3000 + "Some text.")


@contextmanager
def _recursion_limit(frames: int) -> Iterator[None]:
    """Allow so many frames above the current one."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _copy_columns(page: Page) -> dict[str, np.ndarray]:
    names = ("node_type", "tag", "parent", "end", "depth", "offset", "link", "hidden", "pre", "block_ancestor")
    columns = {name: getattr(page, name).copy() for name in names}
    if page.layout is not None:
        columns |= {f"layout.{name}": column.copy() for name, column in page.layout.columns().items()}
    return columns


def parse_with_layout(markup: str | bytes) -> Page:
    return synthetic_layout(parse_page(markup))
