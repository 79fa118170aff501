"""The images that stand for a page: the icon of its site, and the image that it shows first."""

import re
from typing import Final

from tamis.html.urls import LAZY_URLS, safe_url
from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced

_ICON_SELECTOR: Final = "link[rel~='icon' i][href],link[rel~='apple-touch-icon' i][href]"
_MAX_ICONS: Final = 20
_SIZE: Final = re.compile(r"(\d{1,4})x\d{1,4}", re.IGNORECASE)
_ANY_SIZE: Final = 10_000  #: of an icon that scales
_MAX_ROWS_AFTER_TITLE: Final = 300  #: where the first image of the content may stand
_MAX_IMAGES: Final = 200
_MIN_IMAGE_PIXELS: Final = 200  #: of the width and height that an image declares
#: Images that show no content: of the site, of people, of controls.
_DECORATION: Final = re.compile(
    r"logo|avatar|gravatar|icon|sprite|pixel|spacer|badge|emoji|banner|\bad[sv]?\b|blank|loading", re.IGNORECASE
)


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


def find_first_image(source: MetadataSource) -> Sourced[str] | None:
    """Return the URL of the first large image after the title, for pages that declare none."""
    page, title = source.structured.page, source.title_row
    if title is None:
        return None
    for row in page.rows_of("img").tolist()[:_MAX_IMAGES]:
        if not title < row < title + _MAX_ROWS_AFTER_TITLE or page.hidden[row]:
            continue
        attributes = page.attributes(row)
        names = " ".join(attributes.get(name, "")[:300] for name in ("class", "id", "src", "alt"))
        sizes = [attributes[name] for name in ("width", "height") if attributes.get(name, "").isdigit()]
        if _DECORATION.search(names) or any(int(size[:6]) < _MIN_IMAGE_PIXELS for size in sizes):
            continue
        values = (attributes.get(name, "") for name in (*LAZY_URLS, "src"))
        url = next(
            (safe_url(value, source.base_url) for value in values if value and not value.startswith("data:")), None
        )
        if url:
            return Sourced(url, "visible")
    return None
