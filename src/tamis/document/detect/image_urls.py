"""The best URL of an image: pages that load images lazily keep it in other attributes than ``src``."""

import re
from typing import Final

from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page

#: Attributes in which pages that load images lazily keep the URL, in order of trust.
_LAZY_URLS: Final = (
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
)
_LAZY_SRCSETS: Final = ("data-srcset", "data-lazy-srcset")
_NOT_IMAGE_SCHEMES: Final = ("mailto:", "tel:")
_PLACEHOLDER: Final = re.compile(
    r"(?:^|/)(?:blank|spacer|pixel|placeholder|loading|loader|transparent|trans|clear|dummy|empty|1x1|grey|gray|lazy|"
    r"beacon|t)(?:[-_.]?(?:image|img|pixel|icon|spinner|\d{1,4}(?:x\d{1,4})?)){0,2}(?:\.(?:gif|png|svg|jpe?g|webp))?$",
    re.IGNORECASE,
)
_IMAGE_NAME: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|jfif)(?:$|[?#&/:!,;_])", re.IGNORECASE)


def best_url(page: Page, row: int, attributes: dict[str, str], base: str | None, noscript: int | None) -> str | None:
    """Return the best URL of an image; None if it has none. `noscript` is the row of a copy for other browsers."""
    candidates = [attributes.get(name, "") for name in _LAZY_URLS]
    candidates += [_largest(attributes.get(name, "")) for name in (*_LAZY_SRCSETS, "srcset")]
    if noscript is not None:
        candidates.append(page.attributes(noscript).get("src", ""))
    candidates += [_largest(srcset) for srcset in _source_srcsets(page, row)]
    source = attributes.get("src", "")
    usable = [candidate for candidate in (*candidates, source) if _is_usable(candidate)]
    named = [candidate for candidate in usable if _IMAGE_NAME.search(candidate)]
    if source in usable:  # a good ``src`` comes before odd ``data-`` values
        usable = [*named, source] if named else [source]
    for candidate in [*named, *usable]:
        url = safe_url(candidate, base)
        if url and not url.startswith(_NOT_IMAGE_SCHEMES):
            return url
    return None


def _is_usable(candidate: str) -> bool:
    """Tell whether an attribute has the URL of an image: neither data, nor a placeholder, nor a word or number."""
    value = candidate.strip()
    is_url = any(char in value for char in "/.") and not value.startswith(("data:", "{", "[", "<"))
    return is_url and not _PLACEHOLDER.search(value.split("?")[0])


def _source_srcsets(page: Page, row: int) -> list[str]:
    """Return the ``srcset`` of each ``source`` in the ``picture`` around an image."""
    parent = int(page.parent[row])
    if page.tag_name(parent) != "picture":
        return []
    rows = [k for k in range(parent + 1, int(page.end[parent])) if page.tag[k] == tags.IDS["source"]]
    return [source.get("srcset") or source.get("data-srcset") or "" for source in map(page.attributes, rows)]


def _largest(srcset: str) -> str:
    """Return the URL of the largest image of a ``srcset``.

    >>> _largest("a.jpg 1x, b.jpg 2x"), _largest("s.png 320w, l.png 1200w, m.png 640w"), _largest("")
    ('b.jpg', 'l.png', '')
    """
    best, best_size = "", 0.0
    for candidate in re.split(r",\s+|,(?=https?:)", srcset.strip().strip(",")):
        parts = candidate.split()
        if not parts:
            continue
        try:
            size = float(parts[-1][:-1]) if len(parts) > 1 else 1.0
        except ValueError:
            size = 1.0
        if size > best_size:
            best, best_size = parts[0], size
    return best
