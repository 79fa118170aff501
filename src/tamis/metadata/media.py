"""The images, videos and sounds that stand for a page, and the icon of its site."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import unquote, urlsplit

from tamis.html.text import LAZY_URLS, safe_url
from tamis.metadata.readers import urls_in
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import JSONObject, Sourced, as_list, item_types

_ICON_SELECTOR: Final = "link[rel~='icon' i][href],link[rel~='apple-touch-icon' i][href]"
_MAX_ICONS: Final = 20
_SIZE: Final = re.compile(r"(\d{1,4})x\d{1,4}", re.IGNORECASE)
_ANY_SIZE: Final = 10_000  #: of an icon that scales
_MAX_ROWS_BEFORE_TITLE: Final = 40  #: where the image over the headline may stand
_MAX_ROWS_AFTER_TITLE: Final = 300  #: where the first image of the content may stand
_MAX_IMAGES: Final = 200
_MIN_IMAGE_PIXELS: Final = 200  #: of the width and height that an image declares
#: Images that show no content: of the site, of people, of controls.
_DECORATION: Final = re.compile(
    r"logo|avatar|gravatar|icon|sprite|pixel|spacer|badge|emoji|banner|\bad[sv]?\b|blank|loading|placeholder",
    re.IGNORECASE,
)
#: The last part of the path of an image that a site declares for pages without one of their own.
_SITE_DEFAULT: Final = re.compile(
    r"(?:^|[-_.])(?:(?:fb|og|twitter|social|facebook|site|default|share|sharing|open-?graph)[-_]?)*"
    r"(?:logo|placeholder|default|fallback|favicon|apple-touch-icon|no-?image|"
    r"(?:fb|og|twitter|social|facebook|site|default|share|sharing|open-?graph)[-_]?(?:share|sharing|image|img|card|"
    r"thumb(?:nail)?|preview|default|banner|media))(?:$|[-_.@\d])",
    re.IGNORECASE,
)
_SVG: Final = re.compile(r"\.svgz?(?:$|[?#])", re.IGNORECASE)
_OPEN_GRAPH: Final = ("og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src")
_MAX_MEDIA: Final = 20  #: videos or sounds of one page
#: Properties of JSON-LD items that hold a video or a sound, and the keys of its file.
_MEDIA_PROPERTIES: Final = ("video", "audio", "associatedMedia", "encoding", "subjectOf", "mainEntity")
_MEDIA_KEYS: Final = ("contentUrl", "embedUrl", "url")


@dataclass(frozen=True, slots=True)
class Image:
    """An image: its URL, where that was read, and its size in pixels where the page tells."""

    url: str
    source: str
    width: int | None = None
    height: int | None = None


def find_favicon(source: MetadataSource) -> Sourced[str] | None:
    """Return the URL of the icon of the site: the largest that the page declares, those that scale first.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> page = parse_page("<link rel=icon href=/a.png sizes=16x16><link rel='shortcut icon' href=/b.png sizes=32x32>")
    >>> find_favicon(MetadataSource(read_structured(page), "https://example.org/tea")).value
    'https://example.org/b.png'
    """
    page = source.structured.page
    best, best_size = None, -1
    for row in page.select(_ICON_SELECTOR)[:_MAX_ICONS]:
        attributes = page.attributes(row)
        url = safe_url(attributes["href"], source.base_url)
        sizes = [int(size[1]) for size in _SIZE.finditer(attributes.get("sizes", "")[:100])]
        scales = attributes.get("sizes", "").lower() == "any" or "svg" in attributes.get("type", "")
        size = _ANY_SIZE if scales else max(sizes, default=0)
        if url and size > best_size:
            best, best_size = Sourced(url, f"link {attributes['rel'].lower()}"), size
    return best


# The lead image.


def find_images(source: MetadataSource) -> Iterator[Image]:
    """Yield the images that may lead a page: the declared ones, then those in or over the article, then defaults.

    An image that a site declares for all of its pages (a logo, a placeholder, an icon) is not one of them, unless
    there is no other; a logo never is. A declared image that stands in the article, too, is the same.
    """
    defaults = []
    logos = _logos(source)
    for image in (*_json_ld_images(source), *_open_graph_images(source)):
        name = unquote(urlsplit(image.url).path).rstrip("/").rpartition("/")[2]
        is_small = any(size is not None and size < _MIN_IMAGE_PIXELS for size in (image.width, image.height))
        if image.url in logos or is_small or _SVG.search(image.url):
            continue
        if _SITE_DEFAULT.search(name):
            defaults.append(image)
        else:
            yield image
    yield from _shown_images(source)
    yield from (image for image in defaults if not _DECORATION.search(image.url.rpartition("/")[2]))


def image_reader(source: MetadataSource) -> Iterator[Sourced[str]]:
    """Yield the URLs of the images that may lead a page."""
    first = _lead_image(source)
    if first is not None:
        yield Sourced(first.url, first.source)
        yield from (Sourced(image.url, image.source) for image in islice(find_images(source), 1, None))


def image_size(source: MetadataSource, side: str) -> Sourced[int] | None:
    """Return the width or the height of the lead image, where the page tells."""
    image = _lead_image(source)
    size = getattr(image, side) if image else None
    return Sourced(size, image.source) if image and size else None


def _lead_image(source: MetadataSource) -> Image | None:
    """Return the first image, which three fields ask for."""
    if "lead image" not in source.cache:
        source.cache["lead image"] = next(find_images(source), None)
    image: Image | None = source.cache["lead image"]
    return image


def _json_ld_images(source: MetadataSource) -> Iterator[Image]:
    structured = source.structured
    for item in structured.main_items:
        for entry in as_list(item.get("image")):
            value = entry
            if (
                isinstance(entry, dict)
                and isinstance(entry.get("@id"), str)
                and not entry.keys() & {"url", "contentUrl"}
            ):
                value = structured.by_id.get(entry["@id"], entry)
            for url in urls_in(value, source.base_url, "url", "contentUrl"):
                sizes = (value.get(side) if isinstance(value, dict) else None for side in ("width", "height"))
                yield Image(url, "json-ld image", *map(_pixels, sizes))


def _open_graph_images(source: MetadataSource) -> Iterator[Image]:
    meta = source.structured.meta
    sizes = [_pixels(next(iter(meta.get(f"og:image:{side}", ())), None)) for side in ("width", "height")]
    for number, value in enumerate(source.structured.metas(*_OPEN_GRAPH)):
        url = safe_url(value.value, source.base_url)
        if url:
            yield Image(url, value.source, *(sizes if number == 0 and value.source.startswith("og:") else ()))


def _pixels(value: object) -> int | None:
    """Return a size in pixels.

    >>> _pixels("640px"), _pixels(640.0), _pixels({"@type": "Distance", "name": "640 px"}), _pixels("auto")
    (640, 640, 640, None)
    """
    if isinstance(value, dict):
        value = value.get("name") or value.get("value")
    if isinstance(value, str):
        digits = re.match(r"\s*(\d{1,5})(?:\.\d+)?\s*(?:px)?\s*$", value[:40])
        value = int(digits[1]) if digits else None
    return int(value) if isinstance(value, int | float) and 0 < value < 10 * _ANY_SIZE else None


def _logos(source: MetadataSource) -> frozenset[str]:
    """Return the URLs that JSON-LD names as the logo of somebody."""
    logos = (logo for item in source.structured.items for logo in urls_in(item.get("logo"), source.base_url, "url"))
    return frozenset(logos)


def _shown_images(source: MetadataSource) -> Iterator[Image]:
    """Yield the large images over the title and after it, as far as the content goes."""
    page, title = source.structured.page, source.title_row
    if title is None:
        return
    rows = source.content_rows
    stop = max(title + _MAX_ROWS_AFTER_TITLE, rows.stop if rows else 0)
    images = page.rows_of("img")
    images = images[(images > title - _MAX_ROWS_BEFORE_TITLE) & (images < stop)].tolist()[:_MAX_IMAGES]
    for row in sorted(images, key=lambda row: row < title):  # those over the title after those below
        attributes = page.attributes(row)
        names = " ".join(attributes.get(name, "")[:300] for name in ("class", "id", "src", "alt"))
        sizes = [_pixels(attributes.get(name)) for name in ("width", "height")]
        if page.hidden[row] or _DECORATION.search(names) or any(size and size < _MIN_IMAGE_PIXELS for size in sizes):
            continue
        if row < title and not all(sizes):
            continue  # over the title there are controls and advertisements
        values = (attributes.get(name, "") for name in (*LAZY_URLS, "src"))
        urls = (safe_url(value, source.base_url) for value in values if value and not value.startswith("data:"))
        url = next(urls, None)
        if url and not _SVG.search(url):
            yield Image(url, "visible", *sizes)


# Videos and sounds.


def find_media(source: MetadataSource, kind: str) -> Iterator[Sourced[tuple[str, ...]]]:
    """Yield the URLs of the videos (or the sounds) of a page, of each source: JSON-LD, OpenGraph, elements."""
    structured, page, base = source.structured, source.structured.page, source.base_url
    items = [item for item in _media_items(source) if f"{kind}object" in item_types(item)]
    named = [url for item in structured.main_items for url in urls_in(item.get(kind), base, *_MEDIA_KEYS)]
    by_source = {
        f"json-ld {kind}": [*(url for item in items for url in urls_in(item, base, *_MEDIA_KEYS)), *named],
        f"og:{kind}": [
            url
            for value in structured.metas(f"og:{kind}", f"og:{kind}:url", f"og:{kind}:secure_url")
            if (url := safe_url(value.value, base))
        ],
        kind: [
            url
            for row in page.select(f"{kind}[src],{kind} source[src]")[:_MAX_MEDIA]
            if (url := safe_url(page.attributes(row)["src"], base))
        ],
    }
    for name, urls in by_source.items():
        if urls:
            yield Sourced(tuple(dict.fromkeys(urls))[:_MAX_MEDIA], name)


def _media_items(source: MetadataSource) -> list[JSONObject]:
    """Return the main items and what they hold: a video in a list of other pages does not belong to this one."""
    items = list(source.structured.main_items[:1])
    for item in source.structured.main_items[:1]:
        for name in _MEDIA_PROPERTIES:
            items += [entry for entry in as_list(item.get(name)) if isinstance(entry, dict)]
    return items
