"""VIPS-leaf: where a rendered page is cut, and which pieces are kept."""

import pytest

import tamis
from tamis.errors import BrowserError
from tamis.extractors.baselines.vips import Segmenter, VipsLeaf, leaves
from tamis.page import parse_page
from tamis.visual.browser import shared_browser
from tamis.visual.chromium import find_chromium


@pytest.fixture(scope="module")
def draw():
    pytest.importorskip("playwright")
    try:
        find_chromium()
    except BrowserError as error:
        pytest.skip(str(error))
    return lambda markup: shared_browser().render(parse_page(markup))


def cut(page, relative=0.0):
    blocks = Segmenter(page, page.layout, relative).blocks()
    texts = [" ".join(page.row_text(row) for row in range(b.start, b.stop) if page.is_text[row]) for b in blocks]
    return [" ".join(text.split()) for text in texts if text.strip()]


def test_a_rule_cuts_wherever_it_stands(draw):
    assert cut(draw("<span>a</span> b<hr>c <span>d</span>"), 9.0) == ["a b c d"]  # too small to be cut
    assert cut(draw("<span>a</span> b<hr>c <span>d</span>")) == ["a b", "c d"]
    assert cut(draw("<div>a<div>b<hr>c</div>d</div>")) == ["a", "b", "c", "d"]


def test_line_breaks_cut_inline_nodes(draw):
    assert cut(draw("<body><span>a <b>b</b><br>c <b>d</b></span>")) == ["a b", "c d"]
    assert cut(draw("<body><span>a <b>b</b><div>c</div>d</span>")) == ["a b", "c", "d"]


def test_another_background_is_split_off(draw):
    page = draw("<body><i>a</i> <i style='background: #eee'>b</i> <i>c</i>")
    assert cut(page) == ["a", "b", "c"]
    assert cut(draw("<body><i>a</i> <i>b</i> <i>c</i>")) == ["a b c"]


def test_what_is_large_is_cut_and_what_is_small_is_not(draw):
    page = draw("<div style='height: 500px'><p>a</p><p>b</p></div><div style='height: 20px'><p>c</p><p>d</p></div>")
    assert cut(page, 0.2) == ["a", "b", "c d"]
    assert cut(page, 2.0) == ["a b c d"]


def test_leaves_are_texts_and_empty_boxes_and_links_are_no_text_leaves(draw):
    markup = "<p>one<img style='width: 9px; height: 9px'><a href=x>two</a><br><b></b><i hidden>three</i>"
    page = draw(markup)
    every, texts = leaves(page, page.layout)
    assert [page.row_text(row) or page.tag_name(row) for row in every.nonzero()[0]] == ["one", "img", "two"]
    assert [page.row_text(row) for row in texts.nonzero()[0]] == ["one"]


PAGE = (
    "<div style='background: #ddd'>" + "<a href=/x>go</a> " * 9 + "</div>"
    "<div style='background: #fff'><h2>A heading</h2>" + "<p>A sentence that says a thing or two.</p>" * 5 + "</div>"
)


def test_prose_is_kept_and_links_are_not_and_the_heading_is_the_title(draw):
    found = tamis.extract_page(draw(PAGE), extractor="vips-leaf")
    assert "A sentence" in found.text
    assert "go" not in found.text
    assert found.selection.title == "A heading"


def test_the_threshold_is_a_share_of_leaves(draw):
    page = draw("<p>one <a href=x>two</a> three</p>")
    assert VipsLeaf(share=0.6).select(page).mask.any()
    assert not VipsLeaf(share=0.7).select(page).mask.any()
