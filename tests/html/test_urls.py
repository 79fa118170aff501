"""URLs of links: the short ways that most of them take give what the parser of URLs gives."""

from urllib.parse import urljoin, urlsplit

from hypothesis import given
from hypothesis import strategies as st

from tamis.html import text as urls
from tamis.html.text import MAX_URL_CHARS, SCHEMES, safe_url

_PIECES = ("a", "b", "/", "//", ".", "..", ":", ";", "?", "#", "x=1", "&", "%20", "é", "A1", " ", "\t", "@", "[")
_BASES = (
    None, "", "https://e.org", "https://e.org/a/b", "http://e.org/a//b/?x=1#y", "HTTP://E.org/a/../b;c", "//h/x",
    "https://[::1]/x", "http:///a/b", "http://[", "a/b", "/a/b", "mailto:x", "file:///x/y", "https://e.org//a",
)  # fmt: skip


def _resolved(url, base):
    """Return a URL as the parser of the standard library resolves it."""
    url = url.strip()
    if not url.isprintable():
        url = "".join(char for char in url if char > "\x1f")
    try:
        url = urljoin(base, url) if base else url
        scheme = urlsplit(url).scheme.lower()
    except ValueError:
        return None
    return url if scheme in SCHEMES and len(url) <= MAX_URL_CHARS else None


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join), st.sampled_from(_BASES))
def test_links_are_resolved_as_the_parser_of_urls_does(url, base):
    assert safe_url(url, base) == _resolved(url, base)


def test_plain_references_are_not_parsed(monkeypatch):
    parsed = []
    monkeypatch.setattr(urls, "urljoin", lambda *parts: parsed.append(parts) or urljoin(*parts))
    found = [
        safe_url(f"{start}{number}", "https://e.org/a/")
        for start in ("#n", "/w/Tea:", "b?x=")
        for number in range(50)
    ]
    assert {found[0], found[50], found[100]} == {
        "https://e.org/a/#n0",
        "https://e.org/w/Tea:0",
        "https://e.org/a/b?x=0",
    }
    assert len(parsed) <= 3  # once for the page
