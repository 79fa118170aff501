"""VIPS-leaf: where a rendered page is cut, and which blocks are selected."""

import pytest

import tamis
from tamis.browser import shared_browser
from tamis.page import parse_page
from tamis.papers.baselines.vips import Segmenter, VipsLeaf, visible_leaves

pytestmark = pytest.mark.slow  # a browser


@pytest.fixture
def render(chromium):  # noqa: ARG001
    return lambda markup: shared_browser().render(parse_page(markup))


def cut(page, relative_size=0.0):
    blocks = Segmenter(page, page.layout, relative_size).blocks()
    texts = [
        " ".join(page.row_text(row) for row in range(block.start, block.stop) if page.is_text[row])
        for block in blocks
    ]
    return [" ".join(text.split()) for text in texts if text.strip()]


def test_page_is_cut_at_rules(render):
    assert cut(render("<span>a</span> b<hr>c <span>d</span>"), 9.0) == ["a b c d"]  # too small to be cut
    assert cut(render("<span>a</span> b<hr>c <span>d</span>")) == ["a b", "c d"]
    assert cut(render("<div>a<div>b<hr>c</div>d</div>")) == ["a", "b", "c", "d"]


def test_inline_nodes_are_cut_at_line_breaks(render):
    assert cut(render("<body><span>a <b>b</b><br>c <b>d</b></span>")) == ["a b", "c d"]
    assert cut(render("<body><span>a <b>b</b><div>c</div>d</span>")) == ["a b", "c", "d"]


def test_children_with_a_different_background_are_split_off(render):
    page = render("<body><i>a</i> <i style='background: #eee'>b</i> <i>c</i>")
    assert cut(page) == ["a", "b", "c"]
    assert cut(render("<body><i>a</i> <i>b</i> <i>c</i>")) == ["a b c"]


def test_only_blocks_above_the_relative_size_are_cut(render):
    page = render("<div style='height: 500px'><p>a</p><p>b</p></div><div style='height: 20px'><p>c</p><p>d</p></div>")
    assert cut(page, 0.2) == ["a", "b", "c d"]
    assert cut(page, 2.0) == ["a b c d"]


def test_leaves_are_texts_and_empty_elements_and_links_are_not_text_leaves(render):
    markup = "<p>one<img style='width: 9px; height: 9px'><a href=x>two</a><br><b></b><i hidden>three</i>"
    page = render(markup)
    leaves, text_leaves = visible_leaves(page, page.layout)
    assert [page.row_text(row) or page.tag_name(row) for row in leaves.nonzero()[0]] == ["one", "img", "two"]
    assert [page.row_text(row) for row in text_leaves.nonzero()[0]] == ["one"]


PAGE = (
    "<div style='background: #ddd'>" + "<a href=/x>go</a> " * 9 + "</div>"
    "<div style='background: #fff'><h2>A heading</h2>" + "<p>A sentence that says a thing or two.</p>" * 5 + "</div>"
)


def test_prose_is_selected_without_links_and_its_heading_is_the_title(render):
    extraction = tamis.extract(render(PAGE), extractor="vips-leaf")
    assert "A sentence" in extraction.text
    assert "go" not in extraction.text
    assert extraction.selection.title == "A heading"


def test_block_is_selected_above_the_share_of_text_leaves(render):
    page = render("<p>one <a href=x>two</a> three</p>")
    assert VipsLeaf(min_text_share=0.6).select(page).mask.any()
    assert not VipsLeaf(min_text_share=0.7).select(page).mask.any()
