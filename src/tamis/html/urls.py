"""URLs as pages write them: split without exceptions, made absolute, and restricted to schemes that run nothing."""

import re
from functools import lru_cache
from typing import Final
from urllib.parse import SplitResult, urljoin, urlsplit

from tamis.lazy import lazy_pattern

#: Schemes that links and images may have; the empty one is that of a relative URL.
SCHEMES: Final = frozenset({"http", "https", "mailto", "tel", ""})
#: Characters of a URL: what Internet Explorer accepted, and sites have kept to since. A relative URL is short and
#: becomes as long as the base: without a limit, outputs of 300 MB could come from a page of 0.4 MB.
MAX_URL_CHARS: Final = 2083
#: Attributes in which pages that load images and players lazily keep the URL, in order of trust.
LAZY_URLS: Final = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-url",
    "data-image",
    "data-hi-res-src",
    "data-image-loader",
    "data-full-src",
    "data-large-file",
    "data-orig-file",
    "data-original-src",
    "data-lazyload",
    "data-img-src",
    "data-actualsrc",
    "data-echo",
    "data-delayed-url",
    "data-litespeed-src",
)
LAZY_SRCSETS: Final = ("data-srcset", "data-lazy-srcset")


def split_url(url: str | None) -> SplitResult | None:
    """Return the parts of a URL, or None if it is missing or malformed.

    >>> split_url("https://example.org/tea").path, split_url("http://["), split_url("")
    ('/tea', None, None)
    """
    try:
        return urlsplit(url) if url else None
    except ValueError:
        return None


def hostname(url: str | None, *, strip_www: bool = False) -> str:
    """Return the host of a URL in lower case, or an empty string if it has none or is malformed.

    >>> hostname("https://www.Example.org:8080/tea"), hostname("https://www.example.org/tea", strip_www=True)
    ('www.example.org', 'example.org')
    >>> hostname("http://["), hostname("/tea"), hostname(None)
    ('', '', '')
    """
    parts = split_url(url)
    host = (parts.hostname or "") if parts else ""
    return host.removeprefix("www.") if strip_www else host


#: Two dots, a semicolon, or a question mark or hash sign at the end are left to the parser of URLs.
_PLAIN_URL: Final = lazy_pattern(
    r"https?://[a-z0-9.-]+/(?!\.)(?:[\w!$%&'()*+,:=@~/-]|\.(?![./]))*(?:\?[\w!$%&'()*+,:=@~./-]+)?(?:#[\w!$%&'()*+,:=@~./-]+)?",
    re.ASCII,
)

#: A fragment, or a path without empty and dot segments, from the root of the site or the folder of the page.
_PLAIN_REFERENCE: Final = lazy_pattern(
    r"(#[\w!$%&'()*+,:;=?@~./-]+)"
    r"|(?:(/(?:[\w!$%&'()*+,=@~:-][\w!$%&'()*+,=@~:.-]*/)*(?:[\w!$%&'()*+,=@~:-][\w!$%&'()*+,=@~:.-]*)?)"
    r"|[\w!$%&'()*+,=@~-][\w!$%&'()*+,=@~.-]*(?:/[\w!$%&'()*+,=@~-][\w!$%&'()*+,=@~.-]*)*/?)"
    r"(?:\?[\w!$%&'()*+,:;=?@~./-]+)?(?:#[\w!$%&'()*+,:;=?@~./-]+)?",
    re.ASCII,
)


@lru_cache(maxsize=64)
def _prefixes(base: str) -> tuple[str, str, str] | None:
    """Return what stands before a path from the folder of a page, a fragment and a path from the root.

    None where the parser of URLs has to see each reference: the page has no ``http`` URL.
    """
    parts = split_url(base)
    if parts is None or parts.scheme not in {"http", "https"}:
        return None
    return urljoin(base, "x")[:-1], urljoin(base, "#x")[:-2], urljoin(base, "/x")[:-2]


def safe_url(url: str, base: str | None) -> str | None:
    r"""Return a URL made absolute, or None if it is malformed, too long, or its scheme is not in `SCHEMES`.

    >>> safe_url("/a?b=1", "https://example.org/x"), safe_url("java\tscript:alert(1)", None)
    ('https://example.org/a?b=1', None)
    >>> safe_url("x" * 3000, None) is None
    True
    """
    if len(url) > MAX_URL_CHARS and len(url.strip()) > MAX_URL_CHARS:
        return None
    if _PLAIN_URL.fullmatch(url):  # most links: absolute already, and nothing about them to resolve
        return url if len(url) <= MAX_URL_CHARS else None
    plain = _PLAIN_REFERENCE.fullmatch(url)
    prefixes = (_prefixes(base) if base else ("", "", "")) if plain else None
    if plain and prefixes:  # most other links: nothing about them to resolve either
        url = prefixes[plain.lastindex or 0] + url
        return url if len(url) <= MAX_URL_CHARS else None
    url = url.strip()
    if not url.isprintable():
        url = "".join(char for char in url if char > "\x1f")  # browsers drop control characters too
    try:
        if base:
            url = urljoin(base, url)
        scheme = urlsplit(url).scheme.lower()
    except ValueError:
        return None
    return url if scheme in SCHEMES and len(url) <= MAX_URL_CHARS else None


#: Parameters that say where a reader came from. They change nothing on the page that a link leads to.
_TRACKING: Final = lazy_pattern(
    r"(?:utm_\w+|fbclid|gclid|gclsrc|dclid|wbraid|gbraid|msclkid|yclid|twclid|igshid|mc_cid|mc_eid|_hsenc|_hsmi"
    r"|mkt_tok|_gl|_ga|oly_(?:anon|enc)_id|vero_id|wickedid|s_cid|ref_src|__twitter_impression)=",
    re.IGNORECASE,
)


def clean_url(url: str) -> str:
    """Return a URL without the parameters that track readers.

    >>> clean_url("https://e.org/tea?id=1&utm_source=x#pot"), clean_url("https://e.org/tea?fbclid=1")
    ('https://e.org/tea?id=1#pot', 'https://e.org/tea')
    """
    base, question_mark, rest = url.partition("?")
    if not question_mark or _TRACKING.search(rest) is None:
        return url
    query, hash_sign, fragment = rest.partition("#")
    kept = "&".join(pair for pair in query.split("&") if not _TRACKING.match(pair))
    return base + (f"?{kept}" if kept else "") + hash_sign + fragment
