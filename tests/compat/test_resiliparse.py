import codecs

import pytest

from tamis.compat import resiliparse
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


#: After the example in the documentation of Resiliparse.
EXAMPLE = """<!doctype html><head><title>My page</title></head><body><section id=wrapper>
<nav><ul><li>Nav 1</li><li><p>Nav 2</p><ul><li><p>Nav 3</p></li></ul></li></ul></nav>
<main>This is my sample page with a <a href="https://example.org">link</a>.<br><pre>foo
  bar</pre><p>baz<br>bam</p></main><img src="" alt="Some image"> <input type="text" value="Some text">
<textarea>Some long text</textarea><footer>&copy; 2021</footer></section></body>"""


@pytest.mark.parametrize(
    "keywords",
    [{}, {"alt_texts": False}, {"form_fields": True}, {"links": True, "skip_elements": ["nav"]}, {"noscript": True}],
    ids=str,
)
def test_the_documented_example_has_the_same_words(keywords):
    assert extract_plain_text(EXAMPLE, **keywords).split() == theirs(EXAMPLE, **keywords).split()
    line = theirs(EXAMPLE, preserve_formatting=False, **keywords)
    assert extract_plain_text(EXAMPLE, preserve_formatting=False, **keywords) == line


def test_without_formatting_there_is_one_line_without_bullets():
    text = extract_plain_text(PARTS, preserve_formatting=False)
    assert text == theirs(PARTS, preserve_formatting=False) == "Tea See more. one two Pot a b"


FORM = (
    "<p>Tea.</p><form><label>Name</label> <input value=Ann><input placeholder=Town><input type=hidden value=x>"
    "<textarea>Two &amp; three</textarea><select><option>cup</select><button>Send <b>it</b></button></form><p>End."
)


@pytest.mark.parametrize("form_fields", [False, True])
def test_form_fields_are_written_only_if_they_are_asked_for(form_fields):
    ours, real = (function(FORM, form_fields=form_fields).split() for function in (extract_plain_text, theirs))
    assert "".join(ours) == "".join(real)


def test_noscript_is_written_only_if_it_is_asked_for():
    page = "<html><body><p>Tea.</p><noscript><p>No scripts.</p></noscript><p>End.</p></body></html>"
    for noscript in (False, True):
        ours, real = (function(page, noscript=noscript) for function in (extract_plain_text, theirs))
        assert ours == real
        assert ("No scripts." in ours) is noscript


@pytest.mark.parametrize("page", [bytearray(b"<p>x"), memoryview(b"<p>x")], ids=["bytearray", "memoryview"])
def test_bytes_of_any_type_are_a_type_error(page):
    assert outcome(extract_plain_text, page) is outcome(theirs, page) is TypeError


def test_alternative_texts_end_without_a_space():
    assert (
        extract_plain_text("<p>Tea.</p><img alt=Pot src=p.png width=400 height=300><p>End.") == "Tea.\n\nPot\n\nEnd."
    )


def test_minimal_html_keeps_definitions_apart_and_has_alternative_texts():
    page = "<dl><dt>Oolong<dd>A tea.</dl><p>See <img alt='the pot' src=p.png>.</p>"
    html = extract_plain_text(page, "minimal_html")
    assert html == "<p>Oolong</p><p>A tea.</p><p>See the pot.</p>"
    assert "the pot" not in extract_plain_text(page, "minimal_html", alt_texts=False)


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
    with pytest.warns(UserWarning, match="'hidden_elements' has no effect"):
        extract_plain_text("<p>Tea", hidden_elements=True)
    extract_plain_text("<p>Tea", hidden_elements=True)
    with pytest.warns(UserWarning, match="'post_meta' has no effect"):
        extract_plain_text("<p>Tea", main_content=True, post_meta=False)
    extract_plain_text("<p>Tea", post_meta=False)


@pytest.mark.parametrize(
    "page",
    [
        "<h1>T</h1><div>a</div><div>b<p>c</p></div>",
        "<p>to do</p><ul><li>one<ul><li>in</li></ul></li><li>two</li></ul>",
        "<ol><li>one</li><li>two</li></ol>",
        "<p>e <img alt=pot src=x> f</p>",
        "<p>before</p><pre>a\n  b</pre>",
    ],
)
def test_lines_and_bullets_of_a_whole_page_are_the_same(page):
    assert extract_plain_text(page) == theirs(page)


@pytest.mark.parametrize(
    "data",
    [
        "日本語の文章です。お茶を飲みます。".encode("shift_jis"),
        "Вода кипит, и чай почти готов.".encode("cp1251"),
        "Thé à la menthe".encode(),
        b"",
        codecs.BOM_UTF8 + b"Tea",
        b"Tea \x81\x8d",
    ],
)
def test_bytes_are_decoded_as_the_package_decodes_them(data):
    ours, theirs = resiliparse, load("resiliparse.parse.encoding")
    for encoding in ("utf-8", "cp1251", theirs.detect_encoding(data)):
        assert outcome(ours.bytes_to_str, data, encoding) == outcome(theirs.bytes_to_str, data, encoding)
    assert ours.bytes_to_str(data, strip_bom=False) == theirs.bytes_to_str(data, strip_bom=False)
    if data != b"Tea \x81\x8d":
        assert ours.detect_encoding(data) == theirs.detect_encoding(data)
    page = b"<meta charset=euc-jp><p>x"
    assert ours.detect_encoding(page, from_html_meta=True) == theirs.detect_encoding(page, from_html_meta=True)
    assert outcome(ours.bytes_to_str, page, "klingon") is outcome(theirs.bytes_to_str, page, "klingon") is LookupError
