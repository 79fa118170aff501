import lxml.html
import pytest

from tamis.compat import readability as ours
from tests.compat.pages import ARTICLE, SENTENCES
from tests.compat.real import load, outcome

theirs = load("readability")


@pytest.mark.parametrize("page", [ARTICLE, ARTICLE.encode()], ids=["text", "bytes"])
def test_titles_authors_and_types_are_the_same(page):
    mine, real = ours.Document(page), theirs.Document(page)
    for name in ("title", "short_title", "author", "summary", "content"):
        values = [outcome(getattr(document, name)) for document in (mine, real)]
        assert [type(value) for value in values] == [str, str], name
        if name in {"title", "author"}:
            assert values[0] == values[1]
    assert mine.short_title() == "How tea is made"


@pytest.mark.parametrize("page", ["<html></html>", "hello", "<p>a"])
def test_a_page_without_a_title_or_an_author_has_the_same_values(page):
    mine, real = ours.Document(page), theirs.Document(page)
    for name in ("title", "short_title", "author"):
        assert outcome(getattr(mine, name)) == outcome(getattr(real, name))
    assert isinstance(mine.summary(), str)
    assert isinstance(mine.content(), str)


@pytest.mark.parametrize("page", ["<p>x", "<title>Tea</title><body>x", "<div>\0a</div>"])
def test_a_page_without_main_content_has_its_whole_body_as_summary(page):
    for package in (ours, theirs):
        summary = outcome(package.Document(page).summary)
        assert lxml.html.document_fromstring(summary).text_content().strip("\ufffd") in {"x", "a"}


@pytest.mark.parametrize("page", ["", b"", "  ", None, 5], ids=repr)
def test_input_that_is_no_page_is_unparseable(page):
    with pytest.raises(ours.Unparseable):
        ours.Document(page).summary()
    assert outcome(theirs.Document(page).summary).__name__ == "Unparseable"
    assert issubclass(ours.Unparseable, ValueError)


def test_summary_is_a_document_or_a_part_with_resolved_links():
    document = ours.Document(ARTICLE, url="https://example.org/tea")
    whole, part = document.summary(), document.summary(html_partial=True)
    assert whole == f"<html><body>{part}</body></html>"
    (paragraph,) = lxml.html.fromstring(part).xpath("//p[@class='quiet']")
    assert SENTENCES[2].strip() in paragraph.text_content()
    assert 'href="https://example.org/scales"' in part
    assert "Imprint" not in part
    assert "Imprint" in document.content()


@pytest.mark.parametrize(
    ("around", "start"),
    [
        (
            "<div class=page><div class=post-body>{}</div><nav><a href=/x>Next</a></nav></div>",
            'div class="post-body"',
        ),
        ("<table class=page><tr><td><div class=story>{}</div></table>", 'div class="story"'),
    ],
)
def test_summary_begins_with_the_element_that_holds_the_content(around, start):
    page = around.format("".join(f"<p>{sentence * 3}</p>" for sentence in SENTENCES))
    for package in (ours, theirs):
        assert package.Document(page).summary(html_partial=True).startswith(f"<div><{start}>")


def test_summary_begins_where_a_browser_reads_it_the_same():
    page = f"<table><tr><td><p>{SENTENCES[0] * 4}</p><p>{SENTENCES[1] * 4}</p></table>"
    assert ours.Document(page).summary(html_partial=True).startswith("<div><table>")


def test_keywords_without_effect_say_so_once():
    with pytest.warns(UserWarning, match="'positive_keywords' has no effect"):
        ours.Document(ARTICLE, positive_keywords=["news"])
    ours.Document(ARTICLE, positive_keywords=["news"])
    with pytest.warns(UserWarning, match="'retry_length' has no effect"):
        ours.Document(ARTICLE, retry_length=10)


def test_signs_of_titles_are_plain():
    page = "<body><title>Tea \N{EM DASH} pots\N{NO-BREAK SPACE}and «cups»</title><p>Boil the water."
    assert ours.Document(page).title() == theirs.Document(page).title() == 'Tea - pots and "cups"'
