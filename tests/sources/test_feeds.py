"""Feeds of every format are parsed to the same values, and what is no feed is a clear error."""

import json

import pytest

from tamis.errors import SourceError
from tamis.sources.feeds import MAX_ENTRIES, FeedEntry, parse_feed

RSS = """<?xml version="1.0" encoding="iso-8859-1"?>
<rss version="2.0"><channel><title>Café</title><link>https://e.org/</link>
<item><title>Tea</title><link>https://e.org/tea</link><guid>1</guid><author>Ann</author>
<pubDate>Thu, 01 Jan 2026 00:00:00 GMT</pubDate></item></channel></rss>""".encode("iso-8859-1")
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Café</title><link href="https://e.org/"/>
<entry><title>Tea</title><link href="/tea"/><id>1</id><author><name>Ann</name></author>
<published>2026-01-01</published></entry></feed>""".encode()
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://e.org/"><title>Café</title>
<link>https://e.org/</link></channel><item rdf:about="https://e.org/tea"><title>Tea</title><link>https://e.org/tea</link>
<dc:creator>Ann</dc:creator></item></rdf:RDF>""".encode()
JSON = json.dumps(
    {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Café",
        "home_page_url": "https://e.org/",
        "items": [{"id": 1, "url": "/tea", "title": "Tea", "authors": [{"name": "Ann"}]}, "not an item"],
    }
).encode()


@pytest.mark.parametrize(("kind", "data"), [("rss", RSS), ("atom", ATOM), ("rdf", RDF), ("json", JSON)])
def test_every_format_gives_the_same_entry(kind, data):
    feed = parse_feed(data, "https://e.org/feed")
    assert (feed.type, feed.title) == (kind, "Café")
    (entry,) = feed.entries
    assert (entry.url, entry.title, entry.author) == ("https://e.org/tea", "Tea", "Ann")
    assert entry.id in {"1", "https://e.org/tea"}


def test_a_url_stands_once_and_relative_ones_are_resolved():
    items = [
        {"url": "a"},
        {"url": "https://e.org/a"},
        {"url": "javascript:x"},
        {"url": "http://["},
        {"title": "none"},
    ]
    feed = parse_feed(json.dumps({"items": items}).encode(), "https://e.org/feed.json")
    assert feed.entries == (FeedEntry("https://e.org/a", "https://e.org/a"),)


@pytest.mark.parametrize(
    "data", [b"", b"<p>a page", b"{}", b'{"items": 3}', b"{" * 99_999, b"\x00\xff\xfe", b"%PDF-1.7"]
)
def test_what_is_no_feed_is_an_error(data):
    with pytest.raises(SourceError, match="not a feed"):
        parse_feed(data)


def test_the_header_outranks_the_declaration_and_a_mark_outranks_both():
    assert parse_feed(RSS.replace(b"iso-8859-1", b"utf-16"), encoding="iso-8859-1").title == "Café"
    text = RSS.decode("iso-8859-1")
    assert parse_feed(b"\xef\xbb\xbf" + text.encode(), encoding="iso-8859-1").title == "Café"


@pytest.mark.slow
def test_a_feed_of_a_million_entries_is_cut():
    items = [{"url": f"/{number}"} for number in range(MAX_ENTRIES + 5)]
    assert len(parse_feed(json.dumps({"items": items}).encode(), "https://e.org/").entries) == MAX_ENTRIES
