"""Articles of several pages: the URL of the next part, and the parts joined."""

import tamis
from tamis.api import options
from tamis.api.pagination import PagedArticle


def test_next_page_is_the_link_to_the_next_part():
    url = "https://example.org/story/tea.html"
    assert tamis.next_page("<link rel=next href='tea-2.html'>", url) == "https://example.org/story/tea-2.html"
    assert tamis.next_page("<a href='?page=2'>Weiter »</a>", url) == url + "?page=2"
    assert (
        tamis.next_page("<a href='?page=1'>1</a><a href='?page=2'>2</a><a href='?page=3'>3</a>", url + "?page=2")
        == url + "?page=3"
    )
    assert tamis.next_page("<a href='/other-story'>Next</a>", url) is None
    assert tamis.next_page("<a href='https://evil.example/tea?page=2' rel=next>Next</a>", url) is None
    assert tamis.next_page("<p>The end.", url) is None


def test_next_page_reads_no_more_than_the_limits(monkeypatch):
    read = []
    monkeypatch.setattr(
        options, "parse_page", lambda markup, **_: read.append(len(markup)) or tamis.parse_page(markup)
    )
    page = "".join(f"<p><b id=b{k}>x" for k in range(8_000))  # each paragraph opens all elements before it again
    assert tamis.next_page(page) is None
    assert 0 < sum(read) < len(page) / 4


def test_joined_pages_do_not_repeat_common_blocks():
    pages = [tamis.extract(f"<h1>Tea</h1><p>Part {n}.</p><p>About us</p>", extractor="body") for n in (1, 2, 3)]
    article = tamis.join_pages(pages)
    assert isinstance(article, PagedArticle)
    assert article.text == "Tea\n\nPart 1.\n\nAbout us\n\nPart 2.\n\nPart 3."
    assert article.title == "Tea"
    assert article.markdown.count("# Tea") == 1
    assert article.html.count("<h1>") == 1
    assert pages[1].text.startswith("Tea")
    assert tamis.join_pages([]).text == ""
