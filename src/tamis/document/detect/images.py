"""Pictures: which belong to the content, and the best address of each.

A picture belongs to the content when nothing but chosen text, or no text at all, stands between it and an element
that holds chosen text: a picture in a box with an advertiser's unchosen line does not.
"""

import re
from bisect import bisect_left
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import walk
from tamis.document.detect.invisible import visible
from tamis.document.spans import Image
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

#: Where pages that load pictures late keep the address, in the order of trust.
_LATE: Final = (
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-url",
    "data-image",
    "data-hi-res-src",
)
_LATE_SETS: Final = ("data-srcset", "data-lazy-srcset")
_NOT_PICTURES: Final = ("mailto:", "tel:")
_PLACEHOLDER: Final = re.compile(
    r"(?:^|/)(?:blank|spacer|pixel|placeholder|loading|transparent|1x1|grey)\b[^/]*$", re.IGNORECASE
)
Counts = npt.NDArray[np.int64]
_SMALL: Final = 32  #: pixels: smaller ones are icons, spacers and counters
_FIGURE: Final = tags.tag_mask("figure").tobytes()
_PARAGRAPHS: Final = tags.tag_mask("p figure li td")
_TRACKED: Final = 100  #: levels looked up from a picture for the element that holds the text around it


def find_images(page: Page, mask: Bools, base: str | None, boxes: frozenset[int] = frozenset()) -> dict[int, Image]:
    """Return the pictures of the content by row; `boxes` are figures in all but name.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<p>A <img src="a.png" alt="cat"> cat.</p>')
    >>> find_images(page, page.is_text, "https://example.org/")
    {6: Image(src='https://example.org/a.png', alt='cat', width=None, height=None)}
    """
    rows = page.rows_of("img")
    if not len(rows) or not mask.any():
        return {}
    first, last = int(np.argmax(mask)), len(mask) - int(np.argmax(mask[::-1]))
    chosen = prefix_sums(mask)
    other = prefix_sums(page.shown & ~mask)
    late = _without_scripts(page)
    out = {}
    for row in rows.tolist():
        if not first - _TRACKED < row < last + _TRACKED or page.hidden[row]:
            continue
        if not _belongs(page, row, (chosen, other), (first, last), boxes):
            continue
        image = _image(page, row, base, late.get(row))
        if image is not None:
            out[row] = image
    return _once(page, out)


def _once(page: Page, images: dict[int, Image]) -> dict[int, Image]:
    """Return pictures without those that come again before anything is said: one is for phones, or opens large."""
    said = prefix_sums(page.shown)
    out: dict[int, Image] = {}
    last = -1
    framed = dict(
        zip(
            images,
            walk.ancestors_with_tag(list(images), page.parent, page.tag, _FIGURE, outermost=False),
            strict=True,
        )
    )
    for row, image in images.items():
        if last >= 0 and image.src == images[last].src and said[row] == said[last]:
            if framed[row] < 0 or framed[row] == framed[last]:
                if image.alt and not out[last].alt:
                    out[last] = image
                continue
            if framed[last] < 0:  # the one with a caption stays
                del out[last]
        out[row] = image
        last = row
    return out


def stands_in_content(page: Page, mask: Bools, row: int) -> bool:
    """Whether something that is shown without text of its own, a picture or a video, belongs to the chosen text."""
    if not mask.any():
        return False
    span = int(np.argmax(mask)), len(mask) - int(np.argmax(mask[::-1]))
    return _belongs(page, row, (prefix_sums(mask), prefix_sums(page.shown & ~mask)), span, frozenset())


def _belongs(
    page: Page, row: int, counts: tuple[Counts, Counts], span: tuple[int, int], boxes: frozenset[int]
) -> bool:
    chosen, other = counts
    below = row
    for _ in range(_TRACKED):
        holder = int(page.parent[below])
        if holder <= 0:
            return False
        if chosen[page.end[holder]] > chosen[holder]:
            break
        below = holder
    else:
        return False
    captioned = any(page.tag[one] == tags.IDS["figure"] or one in boxes for one in (below, holder))
    if other[page.end[below]] > other[below] and not captioned:
        return False
    # Before the first and after the last chosen text only a figure counts, or what stands in the same paragraph.
    return span[0] <= row < span[1] or captioned or bool(_PARAGRAPHS[page.tag[holder]])


def _without_scripts(page: Page) -> dict[int, int]:
    """Return for each picture the one in the ``noscript`` right after it: the same, for browsers without scripts."""
    out = {}
    images: list[int] = page.rows_of("img").tolist()
    ink = prefix_sums(page.nonspace)
    for row in page.rows_of("noscript").tolist():
        place = bisect_left(images, row)
        if 0 < place < len(images) and images[place] < page.end[row] and ink[images[place - 1]] == ink[row]:
            out[images[place - 1]] = images[place]
    return out


def _image(page: Page, row: int, base: str | None, twin: int | None) -> Image | None:
    given = page.attributes(row)
    width, height = _pixels(given.get("width")), _pixels(given.get("height"))
    if any(size is not None and size <= _SMALL for size in (width, height)):
        return None
    candidates = [given.get(name, "") for name in _LATE]
    candidates += [_largest(given.get(name, "")) for name in (*_LATE_SETS, "srcset")]
    if twin is not None:
        candidates.append(page.attributes(twin).get("src", ""))
    candidates += [_largest(source) for source in _sources(page, row)]
    candidates.append(given.get("src", ""))
    for candidate in candidates:
        if not candidate.strip() or candidate.startswith("data:") or _PLACEHOLDER.search(candidate.split("?")[0]):
            continue
        address = safe_url(candidate, base)
        alt = " ".join(visible(given.get("alt", "")).split())
        if address and not address.startswith(_NOT_PICTURES):
            is_icon = not alt and address.partition("?")[0].endswith(".svg")  # a drawing that says nothing
            return None if is_icon else Image(address, alt, width, height)
    return None


def _sources(page: Page, row: int) -> list[str]:
    parent = int(page.parent[row])
    if page.tag_name(parent) != "picture":
        return []
    rows = [k for k in range(parent + 1, int(page.end[parent])) if page.tag[k] == tags.IDS["source"]]
    return [given.get("srcset") or given.get("data-srcset") or "" for given in map(page.attributes, rows)]


def _largest(srcset: str) -> str:
    """Return the largest picture of a ``srcset``.

    >>> _largest("a.jpg 1x, b.jpg 2x"), _largest("s.png 320w, l.png 1200w, m.png 640w"), _largest("")
    ('b.jpg', 'l.png', '')
    """
    best, size = "", 0.0
    for candidate in re.split(r",\s+|,(?=https?:)", srcset.strip().strip(",")):
        parts = candidate.split()
        if not parts:
            continue
        try:
            wide = float(parts[-1][:-1]) if len(parts) > 1 else 1.0
        except ValueError:
            wide = 1.0
        if wide > size:
            best, size = parts[0], wide
    return best


def _pixels(value: str | None) -> int | None:
    value = (value or "").strip().removesuffix("px")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None  # noqa: PLR2004 (sane sizes)
