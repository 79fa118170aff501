"""Sitemaps (sitemaps.org): XML, plain text, gzipped, and indexes of others. `list_pages` downloads them."""

import io
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Unpack
from urllib.parse import urljoin, urlsplit

from turbohtml import CData, Element, HTMLParseError, Text, parse_xml

from tamis.errors import FetchError, SourceError
from tamis.sources.feeds import absolute_url, decode_xml, is_same_origin
from tamis.sources.files import read_page

if TYPE_CHECKING:
    from tamis.sources.fetch import FetchKeywords

#: What sitemaps.org allows a file: 50,000 URLs in 50 MB.
MAX_URLS: Final = 50_000
MAX_BYTES: Final = 52_428_800
_MAX_SITEMAPS: Final = 1_000  #: files that are read of one site


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page of a site, and when it was last changed, as the sitemap writes it."""

    url: str
    modified: str | None = None


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The pages that a sitemap lists, and further sitemaps."""

    pages: tuple[SitemapEntry, ...] = ()
    sitemaps: tuple[str, ...] = ()


def parse_sitemap(data: bytes, url: str | None = None) -> Sitemap:
    r"""Parse a sitemap; raise a `SourceError` if the data is not a sitemap.

    >>> parse_sitemap(b"<urlset><url><loc>https://e.org/tea</loc></url></urlset>").pages[0].url
    'https://e.org/tea'
    >>> parse_sitemap(b"https://e.org/tea\nhttps://e.org/pot\n").pages[1].url
    'https://e.org/pot'
    """
    data = read_page(io.BytesIO(data), ".gz", MAX_BYTES)  # plain, or gzipped
    if len(data) > MAX_BYTES:
        raise SourceError(f"larger than {MAX_BYTES} bytes")
    text = decode_xml(data, None).lstrip()
    if not text.startswith("<"):
        urls = [absolute_url(line, url) for line in text.splitlines()[:MAX_URLS]]
        if text and None in urls:
            raise SourceError("not a sitemap: expected XML, or one URL on each line")
        return Sitemap(tuple(SitemapEntry(each) for each in urls if each))
    try:
        root = parse_xml(text).root
    except (ValueError, HTMLParseError) as error:
        raise SourceError("not a sitemap: the XML is not well-formed") from error
    if root is None or _name(root.tag) not in {"urlset", "sitemapindex"}:
        raise SourceError("not a sitemap: expected <urlset> or <sitemapindex>")
    pages: list[SitemapEntry] = []
    sitemaps: list[str] = []
    for child in (each for each in root.children if isinstance(each, Element)):
        values = {_name(each.tag): _text(each) for each in child.children if isinstance(each, Element)}
        target = absolute_url(values.get("loc", ""), url)
        if target is None:
            continue
        if _name(child.tag) == "sitemap":
            sitemaps.append(target)
        else:
            pages.append(SitemapEntry(target, values.get("lastmod") or None))
    return Sitemap(tuple(pages[:MAX_URLS]), tuple(sitemaps))


def list_pages(
    url: str,
    *,
    is_trusted: bool = False,
    report: Callable[[str], object] | None = None,
    **keywords: "Unpack[FetchKeywords]",
) -> Iterator[SitemapEntry]:
    """Yield the pages of a site, each once, from its sitemap and those that it names.

    Args:
        url: a sitemap; of any other page, the sitemaps that ``robots.txt`` of its site names, else
            ``/sitemap.xml``.
        is_trusted: a person named the URL: its origin may be on a private network. Sitemaps elsewhere may not.
        report: called with a message for each further sitemap that cannot be read, which is left out.
        keywords: those of `tamis.fetch`.

    Raises:
        SourceError: there is no sitemap, or the first one cannot be read.
    """
    from tamis.sources.fetch import fetch  # noqa: PLC0415 (an extra)

    own = keywords.copy()
    if is_trusted:
        own["allow_private"] = True
    waiting, seen, pages = deque(_first_sitemaps(url, own)), set[str](), set[str]()
    for each in (own, keywords):
        each.setdefault("max_bytes", MAX_BYTES)
    while waiting and len(seen) < _MAX_SITEMAPS:
        target = waiting.popleft()
        if target in seen:
            continue
        seen.add(target)
        try:
            fetched = fetch(target, **(own if is_same_origin(target, url) else keywords))
            sitemap = parse_sitemap(fetched.body, fetched.url)
        except SourceError as error:
            if len(seen) == 1 and not waiting:
                raise SourceError(f"{target}: {error}") from error
            if report is not None:
                report(f"{target}: {error}")
            continue
        waiting.extend(sitemap.sitemaps)
        for entry in sitemap.pages:
            if entry.url not in pages:
                pages.add(entry.url)
                yield entry


def _first_sitemaps(url: str, keywords: "FetchKeywords") -> list[str]:
    from tamis.sources.fetch import fetch  # noqa: PLC0415 (an extra)

    if urlsplit(url).path.lower().endswith((".xml", ".xml.gz", ".txt", ".gz")) or "sitemap" in url.lower():
        return [url]
    try:
        robots = fetch(urljoin(url, "/robots.txt"), **keywords).body.decode("utf-8", "replace")
    except FetchError:
        robots = ""
    lines = (line.partition(":") for line in robots.splitlines())
    named = [absolute_url(value, url) for name, _, value in lines if name.strip().lower() == "sitemap"]
    return [each for each in named if each] or [urljoin(url, "/sitemap.xml")]


def _text(element: Element) -> str:
    return "".join(each.data for each in element.children if isinstance(each, (Text, CData))).strip()


def _name(tag: str) -> str:
    """Return the name of an element without its namespace."""
    return tag.rpartition(":")[2].rpartition("}")[2].lower()
