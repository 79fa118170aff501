"""Feeds: RSS, Atom and RDF by turbohtml's reader, JSON Feed as JSON. Nothing here fetches."""

import json
import re
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

import turbohtml
from turbohtml.extract import feed as read_xml_feed

from tamis.errors import SourceError

#: Entries of one feed that are read; feeds of real sites have at most a few thousand.
MAX_ENTRIES: Final = 10_000
_MEDIA_TYPES: Final = frozenset({
    "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json",
})  # fmt: skip
_DECLARED: Final = re.compile(rb"""\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.-]{1,40})["']""")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed. Values are as the feed writes them.

    Attributes:
        url: the URL of the article, absolute where the feed's URL is known.
        id: the entry's stable identifier, else its URL.
    """

    url: str
    id: str
    title: str | None = None
    author: str | None = None
    published: str | None = None
    updated: str | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed.

    Attributes:
        type: ``rss``, ``atom``, ``rdf`` or ``json``.
        url: the site it belongs to.
        entries: in the order of the feed, each URL once.
    """

    type: str
    title: str | None
    url: str | None
    entries: tuple[FeedEntry, ...]


def parse_feed(data: bytes, url: str | None = None, encoding: str | None = None) -> Feed:
    """Parse a feed; raise a `SourceError` if the data is not a feed.

    >>> feed = parse_feed(b'{"version": "https://jsonfeed.org/version/1.1", "items": [{"url": "/tea"}]}', "https://e.org/")
    >>> feed.type, feed.entries[0].url
    ('json', 'https://e.org/tea')
    """
    text = decode_xml(data, encoding).lstrip()
    parsed = _from_json(text) if text.startswith("{") else _from_xml(text)
    if parsed is None:
        raise SourceError("not a feed: expected RSS, Atom, RDF or JSON Feed")
    kind, title, site, entries = parsed
    unique: dict[str, FeedEntry] = {}
    for entry in entries[:MAX_ENTRIES]:
        target = absolute_url(entry.url, url or site)
        if target and target not in unique:
            unique[target] = replace(entry, url=target, id=entry.id or target)
    return Feed(kind, title, site, tuple(unique.values()))


def find_feeds(data: bytes, url: str | None = None) -> list[str]:
    """Return the URLs of the feeds that a page names in its ``link`` elements, in the order of the page.

    >>> find_feeds(b'<link rel="alternate" type="application/rss+xml" href="/feed.xml">', "https://e.org/a")
    ['https://e.org/feed.xml']
    """
    found = []
    for link in turbohtml.parse(data.decode("utf-8", "replace")).select("link[rel~=alternate][href]"):
        media_type = str(link.attrs.get("type") or "").partition(";")[0].strip().lower()
        target = absolute_url(str(link.attrs.get("href") or ""), url)
        if media_type in _MEDIA_TYPES and target is not None:
            found.append(target)
    return list(dict.fromkeys(found))


_Parsed = tuple[str, str | None, str | None, list[FeedEntry]]


def _from_xml(text: str) -> _Parsed | None:
    try:
        feed = read_xml_feed(text)
    except (ValueError, turbohtml.HTMLParseError):
        return None
    if feed is None:
        return None
    entries = [
        FeedEntry(
            entry.link or "", entry.id or "", _line(entry.title), _line(entry.author), entry.published, entry.updated
        )
        for entry in feed.entries
    ]
    return feed.type, _line(feed.title), feed.link, entries


def _from_json(text: str) -> _Parsed | None:
    try:
        feed = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(feed, dict) or not isinstance(feed.get("items"), list):
        return None
    entries = [
        FeedEntry(
            _text(item.get("url")) or _text(item.get("external_url")) or "",
            str(item.get("id") or ""),
            _line(_text(item.get("title"))),
            _author(item),
            _text(item.get("date_published")),
            _text(item.get("date_modified")),
        )
        for item in feed["items"]
        if isinstance(item, dict)
    ]
    return "json", _line(_text(feed.get("title"))), _text(feed.get("home_page_url")), entries


def _author(item: dict[str, Any]) -> str | None:
    authors = item.get("authors")
    candidates = [*(authors if isinstance(authors, list) else []), item.get("author")]
    names = [_text(candidate.get("name")) for candidate in candidates if isinstance(candidate, dict)]
    return next((_line(name) for name in names if name), None)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _line(value: str | None) -> str | None:
    return " ".join(value.split()) or None if value else None


def absolute_url(url: str, base: str | None) -> str | None:
    """Return a URL of a feed or a sitemap as an absolute one; None if it is not one of http or https."""
    if not url.strip():
        return None
    try:
        target = urljoin(base or "", url.strip())
    except ValueError:
        return None
    return target if target.lower().startswith(("http://", "https://")) else None


def is_same_origin(url: str, other: str) -> bool:
    """Return whether two URLs have the same scheme, host and port.

    >>> is_same_origin("http://e.org/a", "http://E.org/b"), is_same_origin("http://e.org/", "http://e.org:8080/")
    (True, False)
    """
    try:
        first, second = ((each.scheme, each.hostname, each.port) for each in map(urlsplit, (url, other)))
    except ValueError:
        return False
    return first == second


def decode_xml(data: bytes, encoding: str | None) -> str:
    """Decode as XML does: byte-order mark, then the header, then the declaration, then UTF-8."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace")
    declared = _DECLARED.match(data)
    for label in (encoding, declared[1].decode("ascii") if declared else None):
        try:
            if label:
                return data.decode(label, "replace")
        except LookupError:
            continue
    return data.decode("utf-8", "replace")
