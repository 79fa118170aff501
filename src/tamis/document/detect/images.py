"""Images: which belong to the content, and the best URL of each.

An image belongs to the content if no unselected text is between it and an element with selected text: an image in a
box with an advertiser's unselected line does not.
"""

import re
from bisect import bisect_left
from typing import Final

import numpy as np

from tamis._kernels.loader import walk
from tamis.document.detect.invisible import strip_invisible
from tamis.document.spans import Image
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Hidden, Page
from tamis.page.sums import Bools, prefix_sums

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
_AVATAR: Final = re.compile(
    r"avatar|gravatar|userpic|profile[-_](?:pic|photo|image)|author[-_](?:pic|photo|image|thumb)", re.IGNORECASE
)
_MAX_AVATAR: Final = 200  #: pixels; a larger picture of a person is a portrait
_FLAG: Final = re.compile(r"\bflag-?icons?\b|/flags?/|^flag\s", re.IGNORECASE)
_MAX_FLAG: Final = 64  #: pixels; a larger one is about the flag
_PIXEL_STYLE: Final = re.compile(r"(?:^|;)(?:(?:width|height):[0-3]px|display:none)")
_MIN_PIXELS: Final = 32  #: images of this size or smaller are icons, spacers and trackers
_FIGURE, _NOSCRIPT = (tags.tag_mask(name).tobytes() for name in ("figure", "noscript"))
_PARAGRAPH_LIKE: Final = tags.tag_mask("p figure li td")
_MAX_LEVELS: Final = 100  #: from an image up to an element with selected text


def find_images(
    page: Page, mask: Bools, base: str | None, captioned_boxes: frozenset[int] = frozenset()
) -> dict[int, Image]:
    """Return the images of the content by row. `captioned_boxes` are figures without a ``figure`` element.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>A <img src="a.png" alt="cat"> cat.</p>')
    >>> find_images(page, page.is_text, "https://example.org/")
    {6: Image(src='https://example.org/a.png', alt='cat', width=None, height=None)}
    """
    rows = page.rows_of("img")
    if (page.tag == tags.OTHER).any():
        rows = np.union1d(rows, np.array(page.select("amp-img"), dtype=np.int64))
    if not len(rows) or not mask.any():
        return {}
    content = ContentTest(page, mask, captioned_boxes)
    noscript = _noscript_images(page)
    out = {}
    for row in rows.tolist():
        if page.hidden[row] or not content.has(row):
            continue
        image = _read_image(page, row, base, noscript.get(row))
        if image is not None:
            out[row] = image
    for row in _noscript_figures(page, rows.tolist(), out):
        image = _read_image(page, row, base, None) if content.has(row) else None
        if image is not None:
            out[row] = image
    return _without_repeats(page, dict(sorted(out.items())))


def _noscript_figures(page: Page, rows: list[int], found: dict[int, Image]) -> list[int]:
    """Return the images in a ``noscript`` of a ``figure`` that has no other image: a script would add one."""
    hidden = [row for row in rows if page.hidden[row] == Hidden.ELEMENT]
    figures = walk.ancestors_with_tag(hidden, page.parent, page.tag, _FIGURE, outermost=False)
    noscripts = walk.ancestors_with_tag(hidden, page.parent, page.tag, _NOSCRIPT, outermost=False)
    shown = sorted(found)
    out: list[int] = []
    for row, figure, noscript in zip(hidden, figures, noscripts, strict=True):
        if 0 <= figure < noscript and bisect_left(shown, figure) == bisect_left(shown, int(page.end[figure])):
            out.append(row)
            shown.append(row)
            shown.sort()
    return out


def _without_repeats(page: Page, images: dict[int, Image]) -> dict[int, Image]:
    """Return images without those that repeat before any text: a copy is for phones, or opens a large view."""
    text_count = prefix_sums(page.shown)
    out: dict[int, Image] = {}
    last = -1
    figures = walk.ancestors_with_tag(list(images), page.parent, page.tag, _FIGURE, outermost=False)
    figure_of = dict(zip(images, figures, strict=True))
    for row, image in images.items():
        if last >= 0 and image.src == images[last].src and text_count[row] == text_count[last]:
            if figure_of[row] < 0 or figure_of[row] == figure_of[last]:
                if image.alt and not out[last].alt:
                    out[last] = image
                continue
            if figure_of[last] < 0:  # the copy with a caption stays
                del out[last]
        out[row] = image
        last = row
    return out


class ContentTest:
    """Tells which elements without text, such as images and videos, belong to the selected text."""

    def __init__(self, page: Page, mask: Bools, captioned_boxes: frozenset[int] = frozenset()) -> None:
        self._page, self._captioned_boxes = page, captioned_boxes
        self._first, self._stop = int(np.argmax(mask)), len(mask) - int(np.argmax(mask[::-1]))
        self._selected, self._unselected = prefix_sums(mask), prefix_sums(page.shown & ~mask)

    def has(self, row: int) -> bool:
        """Tell whether an element belongs to the content."""
        page, selected, unselected = self._page, self._selected, self._unselected
        if not self._first - _MAX_LEVELS < row < self._stop + _MAX_LEVELS:
            return False
        inner = row  # the outermost element around the image without selected text
        for _ in range(_MAX_LEVELS):
            outer = int(page.parent[inner])
            if outer <= 0:
                return False
            if selected[page.end[outer]] > selected[outer]:
                break
            inner = outer
        else:
            return False
        figure = self._figure(row, outer)
        in_figure = figure >= 0
        # Beside the caption of a figure there may be no text that was left out.
        box = min(inner, figure) if in_figure else inner
        others = int(unselected[page.end[box]] - unselected[box])
        if others > (int(unselected[page.end[figure]] - unselected[figure]) if in_figure else 0):
            return False
        # Before the first and after the last selected text only a figure counts, or an image in the same paragraph.
        return self._first <= row < self._stop or in_figure or bool(_PARAGRAPH_LIKE[page.tag[outer]])

    def _figure(self, row: int, outer: int) -> int:
        """Return the outermost figure around an element, up to another element around it; -1 if there is none."""
        page, found = self._page, -1
        while row > outer:
            row = int(page.parent[row])
            if page.tag[row] == tags.IDS["figure"] or row in self._captioned_boxes:
                found = row
        return found


def _noscript_images(page: Page) -> dict[int, int]:
    """Return for each image the one in the ``noscript`` after it: the same image for browsers without scripts."""
    out = {}
    images: list[int] = page.rows_of("img").tolist()
    nonspace = prefix_sums(page.nonspace)
    for row in page.rows_of("noscript").tolist():
        index = bisect_left(images, row)
        if 0 < index < len(images) and images[index] < page.end[row] and nonspace[images[index - 1]] == nonspace[row]:
            out[images[index - 1]] = images[index]
    return out


def _read_image(page: Page, row: int, base: str | None, noscript: int | None) -> Image | None:
    """Return an image with its best URL; None for icons, spacers and trackers."""
    attributes = page.attributes(row)
    width, height = _pixels(attributes.get("width")), _pixels(attributes.get("height"))
    if any(size is not None and size <= _MIN_PIXELS for size in (width, height)):
        return None
    names = " ".join(attributes.get(name, "") for name in ("class", "id", "src"))
    size = max(width or 0, height or 0)
    if (_AVATAR.search(names) and size <= _MAX_AVATAR) or (_FLAG.search(names) and size <= _MAX_FLAG):
        return None
    if _PIXEL_STYLE.search(attributes.get("style", "").replace(" ", "")):
        return None
    candidates = [attributes.get(name, "") for name in _LAZY_URLS]
    candidates += [_largest(attributes.get(name, "")) for name in (*_LAZY_SRCSETS, "srcset")]
    if noscript is not None:
        candidates.append(page.attributes(noscript).get("src", ""))
    candidates += [_largest(srcset) for srcset in _source_srcsets(page, row)]
    candidates.append(attributes.get("src", ""))
    alt = " ".join(strip_invisible(attributes.get("alt", "")).split())
    usable = [candidate for candidate in candidates if _is_usable(candidate)]
    source = attributes.get("src", "")
    named = [candidate for candidate in usable if _IMAGE_NAME.search(candidate)]
    if source in usable:  # a good ``src`` comes before odd ``data-`` values
        usable = [*named, source] if named else [source]
    for candidate in [*named, *usable]:
        url = safe_url(candidate, base)
        if url and not url.startswith(_NOT_IMAGE_SCHEMES):
            is_icon = not alt and url.partition("?")[0].endswith(".svg")
            return None if is_icon else Image(url, alt, width, height)
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


def _pixels(value: str | None) -> int | None:
    value = (value or "").strip().removesuffix("px")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None  # noqa: PLR2004 (sane sizes)
