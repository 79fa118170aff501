"""Images: which belong to the content, and the best URL of each.

An image belongs to the content if no unselected text is between it and an element with selected text: an image in a
box with an advertiser's unselected line does not.
"""

import re
from bisect import bisect_left
from typing import Final

import numpy as np

from tamis._kernels.loader import walk
from tamis.document.detect.content_test import ContentTest
from tamis.document.detect.image_urls import best_url
from tamis.document.detect.invisible import strip_invisible
from tamis.document.spans import Image
from tamis.html import tags
from tamis.page import Hidden, Page
from tamis.page.sums import Bools, prefix_sums

_AVATAR: Final = re.compile(
    r"avatar|gravatar|userpic|profile[-_](?:pic|photo|image)|author[-_](?:pic|photo|image|thumb)", re.IGNORECASE
)
_MAX_AVATAR: Final = 200  #: pixels; a larger picture of a person is a portrait
_FLAG: Final = re.compile(r"\bflag-?icons?\b|/flags?/|^flag\s", re.IGNORECASE)
_MAX_FLAG: Final = 64  #: pixels; a larger one is about the flag
_PIXEL_STYLE: Final = re.compile(r"(?:^|;)(?:(?:width|height):[0-3]px|display:none)")
_MIN_PIXELS: Final = 32  #: images of this size or smaller are icons, spacers and trackers
_FIGURE, _NOSCRIPT = (tags.tag_mask(name).tobytes() for name in ("figure", "noscript"))


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
    alt = " ".join(strip_invisible(attributes.get("alt", "")).split())
    url = best_url(page, row, attributes, base, noscript)
    is_icon = url is not None and not alt and url.partition("?")[0].endswith((".svg", ".ico"))
    return None if url is None or is_icon else Image(url, alt, width, height)


def _pixels(value: str | None) -> int | None:
    value = (value or "").strip().removesuffix("px")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None  # noqa: PLR2004 (sane sizes)
