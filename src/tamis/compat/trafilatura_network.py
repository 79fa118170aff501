"""Downloads, feeds, sitemaps and a small crawler with the interfaces of trafilatura (extra ``fetch``)."""

import time
from configparser import ConfigParser
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urldefrag, urljoin, urlsplit

from tamis.compat.markup import decode, has_tag, remove_elements, warn_ignored
from tamis.compat.trafilatura_run import DEFAULT_CONFIG, decompress, warn_of_settings
from tamis.errors import SourceError
from tamis.page import parse_page

if TYPE_CHECKING:
    from urllib.robotparser import RobotFileParser

    from tamis.sources.fetch import FetchKeywords
    from tamis.sources.fetched import Fetched

# ruff: noqa: FBT001, FBT002, PLR0917 (the signatures are those of trafilatura)

_IGNORED_SETTINGS: Final = ("USER_AGENTS", "COOKIE", "MAX_REDIRECTS")
_OK: Final = 200
#: The ends of paths that are not pages, so that a crawl does not fetch them.
_NO_PAGES: Final = (
    ".css",
    ".gif",
    ".ico",
    ".jpeg",
    ".jpg",
    ".js",
    ".mp3",
    ".mp4",
    ".pdf",
    ".png",
    ".svg",
    ".webp",
    ".zip",
)


class Response:
    """A download, with the attributes of trafilatura's class of this name; `headers` are those that Tamis keeps."""

    def __init__(self, data: bytes, status: int, url: str) -> None:
        self.data = data
        self.headers: dict[str, str] | None = None
        self.html: str | None = None
        self.status = status
        self.url = url

    def __bool__(self) -> bool:
        return self.data is not None

    def __repr__(self) -> str:
        return self.html or decode(self.data)

    def as_dict(self) -> dict[str, Any]:
        """Return the attributes as a dictionary."""
        return dict(vars(self))


def _keywords(config: ConfigParser | None, *, allow_private: bool = False) -> "FetchKeywords":
    """Return the keywords of `tamis.fetch` for a configuration."""
    config = config or DEFAULT_CONFIG
    warn_of_settings(config, _IGNORED_SETTINGS)
    return {
        "allow_private": allow_private or not config.getboolean("DEFAULT", "SSRF_PROTECTION", fallback=True),
        "timeout": config.getint("DEFAULT", "DOWNLOAD_TIMEOUT", fallback=30),
        "max_bytes": config.getint("DEFAULT", "MAX_FILE_SIZE", fallback=20_000_000),
    }


def _fetch(url: str, config: ConfigParser | None, *, allow_private: bool = False) -> "Fetched | None":
    from tamis.sources.fetch import fetch  # noqa: PLC0415 (an extra)

    try:
        return fetch(url, **_keywords(config, allow_private=allow_private))
    except SourceError:
        return None


def fetch_url(
    url: str,
    no_ssl: bool = False,
    config: ConfigParser | None = DEFAULT_CONFIG,
    options: object = None,
    *,
    allow_private: bool = False,
) -> str | None:
    """Download a page and return it as a string, or None where that fails.

    Args:
        url: the page's URL.
        no_ssl: has no effect: certificates are always checked.
        config: ``DOWNLOAD_TIMEOUT``, ``MAX_FILE_SIZE`` and ``SSRF_PROTECTION`` are read from it.
        options: trafilatura's ``Extractor``, whose `config` is read.
        allow_private: also connect to private and loopback addresses. Only Tamis has this keyword.
    """
    warn_ignored("trafilatura", no_ssl=no_ssl)
    fetched = _fetch(url, getattr(options, "config", None) or config, allow_private=allow_private)
    return (decode(fetched.body, fetched.encoding) or None) if fetched else None


def fetch_response(
    url: str,
    *,
    decode: bool = False,
    no_ssl: bool = False,
    with_headers: bool = False,  # noqa: ARG001 (ignored by trafilatura as well)
    config: ConfigParser = DEFAULT_CONFIG,
    allow_private: bool = False,
) -> Response | None:
    """Download a page and return the response, or None where that fails; the keywords are those of `fetch_url`.

    `decode` also sets `Response.html`. The headers are ``content-type`` alone.
    """
    warn_ignored("trafilatura", no_ssl=no_ssl)
    fetched = _fetch(url, config, allow_private=allow_private)
    if fetched is None:
        return None
    response = Response(fetched.body, fetched.http_status or _OK, fetched.url)
    response.headers = {"content-type": fetched.media_type} if fetched.media_type else {}
    response.html = decode_file(fetched.body) if decode else None
    return response


def decode_file(filecontent: bytes | str, max_size: int | None = None) -> str:
    """Return bytes as text, decoded as browsers do, decompressed where they are gzipped, of `max_size` at most."""
    if isinstance(filecontent, str):
        return filecontent
    return decode(decompress(filecontent, max_size))


def find_feed_urls(
    url: str,
    target_lang: str | None = None,
    external: bool = False,
    sleep_time: float = 2.0,
    config: ConfigParser = DEFAULT_CONFIG,
    *,
    allow_private: bool = False,
) -> list[str]:
    """Return the links of a feed, or of the feeds that a page names, sorted.

    Args:
        url: a feed or a page.
        target_lang: links that name another language are left out.
        external: keep links to other sites.
        sleep_time: seconds between downloads.
        config: see `fetch_url`.
        allow_private: see `fetch_url`.
    """
    from tamis.sources.feeds import find_feeds, parse_feed  # noqa: PLC0415 (few programs need it)

    found: set[str] = set()
    waiting, seen = [url], set[str]()
    while waiting:
        target = waiting.pop(0)
        if target in seen:
            continue
        if seen:
            time.sleep(sleep_time)
        seen.add(target)
        fetched = _fetch(target, config, allow_private=allow_private)
        if fetched is None:
            continue
        try:
            found.update(entry.url for entry in parse_feed(fetched.body, fetched.url, fetched.encoding).entries)
        except SourceError:  # a page
            waiting.extend(find_feeds(fetched.body, fetched.url) if target == url else ())
    return _wanted_links(found, url, target_lang, external=external)


def sitemap_search(
    url: str,
    target_lang: str | None = None,
    external: bool = False,
    sleep_time: float = 2.0,
    max_sitemaps: int = 10000,
    config: ConfigParser = DEFAULT_CONFIG,
    *,
    allow_private: bool = False,
) -> list[str]:
    """Return the pages of the sitemaps of a site, sorted; the keywords are those of `find_feed_urls`.

    `sleep_time` and `max_sitemaps` have no effect: sitemaps are few, and limited by Tamis.
    """
    from tamis.sources.sitemaps import list_pages  # noqa: PLC0415 (few programs need it)

    del sleep_time, max_sitemaps
    try:
        found = {entry.url for entry in list_pages(url, **_keywords(config, allow_private=allow_private))}
    except SourceError:
        return []
    return _wanted_links(found, url, target_lang, external=external)


def _wanted_links(links: set[str], url: str, language: str | None, *, external: bool) -> list[str]:
    """Return links sorted: those of the site unless `external`, those whose path names no other language."""
    site = _site(url)
    return sorted(
        link for link in links if (external or _site(link) == site) and (not language or _may_be_in(link, language))
    )


def _site(url: str) -> str:
    return (urlsplit(url).hostname or "").removeprefix("www.")


def _may_be_in(url: str, language: str) -> bool:
    """Return whether the first step of a URL's path is not another language, such as ``/de/``."""
    first = urlsplit(url).path.strip("/").partition("/")[0].lower()
    is_code = len(first) == 2 and first.isalpha()  # noqa: PLR2004 (ISO 639-1)
    return not is_code or first == language


def focused_crawler(
    homepage: str,
    max_seen_urls: int = 10,
    max_known_urls: int = 100000,
    todo: list[str] | None = None,
    known_links: list[str] | None = None,
    lang: str | None = None,
    config: ConfigParser = DEFAULT_CONFIG,
    rules: "RobotFileParser | None" = None,
    prune_xpath: str | list[str] | None = None,
    *,
    allow_private: bool = False,
) -> tuple[list[str], list[str]]:
    """Visit pages of a site, breadth first, and return the pages to visit next and all known links, sorted.

    Args:
        homepage: the first page.
        max_seen_urls: pages to visit.
        max_known_urls: links after which it ends.
        todo: pages to visit, from an earlier call.
        known_links: links known from an earlier call.
        lang: links that name another language are left out.
        config: see `fetch_url`; ``SLEEP_TIME`` seconds pass between downloads.
        rules: what ``robots.txt`` allows.
        prune_xpath: elements to remove before links are read.
        allow_private: see `fetch_url`.
    """
    waiting = list(dict.fromkeys(todo or [homepage]))
    known = dict.fromkeys([*(known_links or ()), *waiting])
    for visited in range(max_seen_urls):
        if not waiting or len(known) > max_known_urls:
            break
        target = waiting.pop(0)
        if rules is not None and not rules.can_fetch("*", target):
            continue
        if visited:
            time.sleep(config.getfloat("DEFAULT", "SLEEP_TIME", fallback=5.0))
        fetched = _fetch(target, config, allow_private=allow_private)
        for link in _page_links(fetched, prune_xpath) if fetched else ():
            if link not in known and _wanted_links({link}, homepage, lang, external=False):
                known[link] = None
                waiting.append(link)
    return waiting, sorted(known)


def _page_links(fetched: "Fetched", prune_xpath: str | list[str] | None) -> list[str]:
    markup = decode(fetched.body, fetched.encoding)
    if not has_tag(markup):
        return []
    if prune_xpath:
        markup = remove_elements(markup, xpath=[prune_xpath] if isinstance(prune_xpath, str) else prune_xpath)
    hrefs = (str(link.attrs.get("href") or "") for link in parse_page(markup).document.select("a[href]"))
    links = (urldefrag(urljoin(fetched.url, href)).url for href in hrefs)
    return [link for link in links if link.startswith("http") and not urlsplit(link).path.lower().endswith(_NO_PAGES)]
