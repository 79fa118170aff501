import pytest

from tamis.compat.resiliparse import extract_plain_text
from tests.compat.pages import ARTICLE, COMMENT, COMMENTED, SENTENCES
from tests.compat.real import load, outcome

theirs = load("resiliparse.extract.html2text").extract_plain_text
HTMLTree = load("resiliparse.parse.html").HTMLTree
PARTS = (
    "<h1>Tea</h1><p>See <a href='/x'>more</a>.</p><ul><li>one<li>two</ul><img alt=Pot src=p.png><ol><li>a<li>b</ol>"
)


def lines(text):
    return [line.strip() for line in text.splitlines() if line.strip()]


@pytest.mark.parametrize("page", ["", "  ", "<html></html>", "hello", b"", b"<p>x", 5, None], ids=repr)
@pytest.mark.parametrize("main_content", [False, True])
def test_pages_without_content_and_input_that_is_no_page(page, main_content):
    ours = outcome(extract_plain_text, page, main_content=main_content)
    real = outcome(theirs, page, main_content=main_content)
    assert ours == real if isinstance(real, str) else issubclass(ours, real)


@pytest.mark.parametrize(
    "keywords",
    [{}, {"links": True}, {"alt_texts": False}, {"list_bullets": False}, {"skip_elements": ["ul", "h1"]}],
    ids=str,
)
def test_keywords_write_the_same_lines(keywords):
    assert lines(extract_plain_text(PARTS, **keywords)) == lines(theirs(PARTS, **keywords))


def test_without_formatting_there_is_one_line():
    assert extract_plain_text(PARTS, preserve_formatting=False, list_bullets=False) == "Tea See more. one two Pot a b"


def test_minimal_html_has_headings_paragraphs_lists_and_links():
    html = extract_plain_text(
        "<h1 id=t>Tea</h1><div><p>See <b>the</b> <a href='/x'>cup</a>.</div>", "minimal_html", links=True
    )
    assert html == '<h1>Tea</h1><p>See the <a href="/x">cup</a>.</p>'


def test_main_content_leaves_menus_out():
    text = extract_plain_text(ARTICLE, main_content=True)
    assert SENTENCES[2].strip() in text
    assert "Imprint" not in text
    assert "Imprint" in extract_plain_text(ARTICLE)


def test_comments_belong_to_the_main_content_unless_they_are_left_out():
    assert COMMENT in extract_plain_text(COMMENTED, main_content=True)
    assert COMMENT not in extract_plain_text(COMMENTED, main_content=True, comments=False)


def test_a_tree_is_read():
    assert extract_plain_text(HTMLTree.parse("<p>Tea")) == "Tea"


def test_keywords_without_effect_say_so_once():
    with pytest.warns(UserWarning, match="'form_fields' has no effect"):
        extract_plain_text("<p>Tea", form_fields=True)
    extract_plain_text("<p>Tea", form_fields=True)
