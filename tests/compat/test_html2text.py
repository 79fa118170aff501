import pytest

from tamis.compat import html2text as ours
from tests.compat.real import load, outcome

theirs = load("html2text")
PAGE = "<h1>Tea</h1><p><strong>Soft</strong> water from <a href='/well'>the well</a>.</p><h2>Pots</h2>"


@pytest.mark.parametrize("page", ["", "<html></html>", "hello", "  "], ids=repr)
def test_pages_with_little_text_are_the_same(page):
    assert ours.html2text(page) == theirs.html2text(page)


def test_paragraphs_emphasis_headings_and_links_are_the_same():
    assert ours.html2text(PAGE, "https://example.org/") == theirs.html2text(PAGE, "https://example.org/")


def test_bytes_are_a_type_error():
    assert outcome(ours.html2text, b"<p>x</p>") is outcome(theirs.html2text, b"<p>x</p>") is TypeError


@pytest.mark.parametrize("name", ["ignore_links", "ignore_images"])
def test_settings_of_the_class(name):
    page = "<p>Hello, <a href='https://example.org/'>world</a> <img src='https://example.org/p.png' alt=pot>!</p>"
    texts = []
    for package in (ours, theirs):
        writer = package.HTML2Text()
        setattr(writer, name, True)
        texts.append(writer.handle(page))
    assert texts[0].split() == texts[1].split()


def test_tables_can_be_left_out():
    writer = ours.HTML2Text()
    page = "<p>Tea<table><tr><th>leaf<th>degrees<tr><td>green<td>70</table>"
    assert "| green | 70 |" in writer.handle(page)
    writer.ignore_tables = True
    assert "green" not in writer.handle(page)


def test_a_width_says_once_that_it_has_no_effect():
    with pytest.warns(UserWarning, match="'bodywidth' has no effect"):
        ours.html2text(PAGE, bodywidth=40)
    ours.html2text(PAGE, bodywidth=40)
    ours.html2text(PAGE, bodywidth=0)
