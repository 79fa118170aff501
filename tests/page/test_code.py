"""Code of scripts and styles is set aside before a page is parsed, which changes nothing but the time."""

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

from tamis._core.loader import find_code
from tamis.page import parse, parse_page
from tests.needs import needs

CODE = "brew(pot, water); " * 9
PIECES = (
    "<p>Tea", " and milk. ", "</p>", "<div class=a>", "</div>", "<b>", "</b>", "<br>", "&amp;", "é", "\r\n", "\0",
    f"<script>{CODE}</script>", f"<SCRIPT type='a>b'>{CODE}</SCRIPT >", f"<style>{CODE}</style>", f"<style>{CODE}",
    f"<script><!--<script>{CODE}</script>{CODE}--></script>", f"<script><!--{CODE}</script>",
    f"<script>{CODE}\r\n\0</script>",
    f"<script/>{CODE}</script>", f"<script a=\">\" b='</script>'>{CODE}</script/>", "<script>", "</script>",
    "</style>",
    f"<svg><style>{CODE}</style></svg>", f"<svg><script>{CODE}<b></script>", "<svg>", "</svg>", "<svg/>",
    "<math>", "</math>",
    f"<svg><foreignObject><style>{CODE}</style></foreignObject></svg>",
    f"<svg><title><script>{CODE}</script></title></svg>",
    f"<textarea><script>{CODE}</script></textarea>", "<textarea>", f"<title><style>{CODE}</style></title>",
    "<iframe>",
    f"<a title='<script>{CODE}</script>'>x</a>", f'<a title="<script>">x</a>{CODE}', "<a title='", '<a title="',
    f"<!-- <script>{CODE}</script> -->", "<!-->", "<!--->", "<!--", "-->", "--!>", "<!x>", "<?x>", "</>", "</ x>",
    "<![CDATA[",
    "]]>", f"<noscript><style>{CODE}</style></noscript>", f"<select><style>{CODE}</style></select>", "<select>",
    "<table>",
    f"<table><tr><script>{CODE}</script><td>", f"<template><script>{CODE}</script></template>", "<template>",
    "<frameset>",
    "<plaintext>", f"<xmp><script>{CODE}</script></xmp>", "\x010", f"<script>\x01</script><script>{CODE}</script>",
    f"<script>\x011</script><style>{CODE}</style>", "<", "<s", "<scriptx>",
)  # fmt: skip


def rows_of(page):
    """Return all that is known of the rows of a page, with the code of its scripts."""
    names = (
        "node_type",
        "tag",
        "parent",
        "end",
        "depth",
        "offset",
        "link",
        "hidden",
        "pre",
        "block_ancestor",
        "inline_run",
    )
    columns = [getattr(page, name).tolist() for name in names]
    return columns, page.text, page.classes, page.listed, [page.raw_text(row) for row in range(len(page))]


def parsed_whole(markup):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parse, "find_code", None)
        return parse_page(markup)


@given(markup=st.lists(st.sampled_from(PIECES), max_size=8).map("".join), as_bytes=st.booleans())
@example(markup=f"<script>{CODE}</script><p>Tea<style>{CODE}</style> and milk.", as_bytes=True)
@example(markup=f"<svg><desc><style>{CODE}</style>", as_bytes=False)
def test_page_is_the_same_as_with_its_code(markup, as_bytes):
    markup = f"<meta charset=utf-8>{markup}".encode() if as_bytes else markup
    page, whole = parse_page(markup), parsed_whole(markup)
    assert rows_of(page) == rows_of(whole)
    assert page.encoding == whole.encoding
    assert page.document.serialize() == whole.document.serialize()


@needs("the compiled core")  # else code is parsed with the rest
@pytest.mark.parametrize(
    "markup",
    [f"<p>Tea<script>{CODE}</script>", f"<style>{CODE}</style><p>Tea", f"<p>Tea<svg/><script>{CODE}</script>"],
)
def test_code_is_not_parsed(markup):
    for page in (parse_page(markup), parse_page(f"<meta charset=utf-8>{markup}".encode())):
        assert CODE not in page.attribute_source.source
        assert CODE not in page.nodes[0].serialize()
        rows = np.flatnonzero((page.tag > 0) & np.isin(np.arange(len(page)), page.select("script,style")))
        assert [page.raw_text(row) for row in rows] == [CODE]
        assert CODE in page.raw_text(0)


@needs("the compiled core")  # else code is parsed with the rest
def test_short_code_and_code_that_only_looks_so_stay():
    for markup in (
        "<script>brew()</script>",
        f"<textarea><script>{CODE}</script></textarea>",
        f"<!--<style>{CODE}</style>-->",
    ):
        assert find_code(markup, 64) == []


HEADS = (
    "<meta charset=utf-8>", "<meta charset='UTF-8'>", "<meta charset=latin1>", "<!-- <meta charset=latin1> -->",
    "<!--", "-->",
    '<meta http-equiv="content-type" content="text/html; charset=utf-8">', "<!--><meta charset=ascii>",
    "<title>é</title>",
    '<meta name="content-type" content="text/html; charset=utf-8">', "<script charset=utf-8></script>",
    " " * 1024, "é",
)  # fmt: skip


@given(st.lists(st.sampled_from(HEADS), max_size=5).map("".join))
def test_what_is_utf8_for_certain_is_utf8_for_the_parser(head):
    markup = f"{head}<p>Tea à la crème, très chaud.".encode()
    if parse._is_utf8_for_certain(markup, None):
        assert turbohtml.parse(markup, detect_encoding=True).encoding == "UTF-8"
