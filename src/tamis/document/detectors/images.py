"""Images: the best URL of each, which belong to the content, and boxes with a caption."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from typing import Final
from urllib.parse import unquote

import numpy as np

from tamis._core.loader import core
from tamis.document.parts import Image
from tamis.html import tags
from tamis.html.text import LAZY_SRCSETS, LAZY_URLS, safe_url, strip_invisible, unescape
from tamis.page import Hidden, Page
from tamis.page.sums import Bools, nearest_ancestor, prefix_sums

# The best URL of an image: pages that load images lazily keep it in other attributes than ``src``.

_NOT_IMAGE_SCHEMES: Final = ("mailto:", "tel:")
_PLACEHOLDER: Final = re.compile(
    r"(?:blank|spacer|pixel|placeholder|loading|loader|transparent|trans|clear|dummy|empty|1x1|grey|gray|lazy|"
    r"beacon|t)(?:[-_.]?(?:image|img|pixel|dot|icon|spinner|\d{1,4}(?:x\d{1,4})?)){0,2}(?:\.(?:gif|png|svg|jpe?g|webp))?$",
    re.IGNORECASE,
)
_NAMED_PLACEHOLDER: Final = re.compile(r"(?:[a-z]{2,8}[-_.])?placeholder", re.IGNORECASE)
_IMAGE_NAME: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?|jfif)(?:$|[?#&/:!,;_])", re.IGNORECASE)


_MAX_WIDTHS: Final = 400  #: characters of a list of widths
_USUAL_WIDTH: Final = 1024
_MAX_LINK_LEVELS: Final = 3  #: from an image up to the link around it


def best_url(page: Page, row: int, attributes: dict[str, str], base: str | None, noscript: int | None) -> str | None:
    """Return the best URL of an image; None if it has none. `noscript` is the row of a copy for other browsers."""
    candidates = [_with_width(attributes[name], attributes) for name in LAZY_URLS if name in attributes]
    candidates += [_largest(attributes[name]) for name in (*LAZY_SRCSETS, "srcset") if name in attributes]
    if noscript is not None:
        candidates.append(page.attributes(noscript).get("src", ""))
    source = attributes.get("src", "")
    candidates = _pictures(page, row, candidates) or [_linked_picture(page, row, source)]
    usable = [candidate for candidate in (*candidates, source) if _is_usable(candidate)]
    named = [candidate for candidate in usable if _IMAGE_NAME.search(candidate)]
    if source in usable:  # a good ``src`` comes before odd ``data-`` values
        usable = [*named, source] if named else [source]
    for candidate in [*named, *usable]:
        url = safe_url(candidate, base)
        if url and not url.startswith(_NOT_IMAGE_SCHEMES):
            return url
    return None


def _with_width(url: str, attributes: dict[str, str]) -> str:
    """Return a URL with the largest of the widths that a script may write in it, as shops of Shopify have them.

    >>> _with_width("/a_{width}x.jpg", {"data-widths": "[180, 1080, 720]"})
    '/a_1080x.jpg'
    """
    if "{width}" not in url:
        return url
    widths = map(int, re.findall(r"\d{2,4}", attributes.get("data-widths", "")[:_MAX_WIDTHS]))
    return url.replace("{width}", str(max(widths, default=_USUAL_WIDTH)))


def _is_usable(candidate: str) -> bool:
    """Tell whether an attribute has the URL of an image: neither data, nor a placeholder, nor a word or number."""
    value = candidate.strip()
    if value.startswith(("data:", "{", "[", "<")) or ("/" not in value and "." not in value):
        return False
    path = value.partition("?")[0]
    return not (_NAMED_PLACEHOLDER.match(value.rpartition("/")[2]) or _PLACEHOLDER.match(path.rpartition("/")[2]))


def _pictures(page: Page, row: int, candidates: list[str]) -> list[str]:
    """Return candidates with those of the ``picture`` around an image.

    The first ``source`` without a condition is what browsers show, unless the image itself comes in a larger size.
    """
    parent = int(page.parent[row])
    if page.tag_name(parent) != "picture":
        return candidates
    rows = [k for k in range(parent + 1, int(page.end[parent])) if page.tag[k] == tags.IDS["source"]]
    sources = [page.attributes(k) for k in rows]
    srcsets = [source.get("srcset") or source.get("data-srcset") or "" for source in sources]
    free = next((srcset for srcset, source in zip(srcsets, sources, strict=True) if "media" not in source), "")
    own = page.attributes(row).get("srcset", "")
    is_shown = free and _sized(free)[1] >= _sized(own)[1]
    return [*([_largest(free)] if is_shown else []), *candidates, *map(_largest, srcsets)]


def _linked_picture(page: Page, row: int, source: str) -> str:
    """Return the URL of the link around an image if it is the same file, in its full size; else nothing."""
    link = next((k for k in page.ancestors(row, _MAX_LINK_LEVELS) if page.tag[k] == tags.IDS["a"]), -1)
    href = page.attribute_of(link, "href") if link >= 0 else None
    if not href or not source or not _IMAGE_NAME.search(href.partition("?")[0]):
        return ""
    names = [unquote(url).partition("?")[0].rpartition("/")[2] for url in (href, source)]
    full, shown = (_SIZE.sub("", name.rpartition(".")[0]) for name in names)
    return href if full == shown != "" else ""


def _largest(srcset: str) -> str:
    """Return the URL of the largest image of a ``srcset``.

    >>> _largest("a.jpg 1x, b.jpg 2x"), _largest("s.png 320w, l.png 1200w, m.png 640w"), _largest("")
    ('b.jpg', 'l.png', '')
    """
    return _sized(srcset)[0]


def _sized(srcset: str) -> tuple[str, float]:
    """Return the URL of the largest image of a ``srcset``, and its size."""
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
    return best, best_size


# Which elements without text, such as images and players, belong to the content.

_PARAGRAPH_LIKE: Final = tags.tag_mask("p figure li td")
#: What is beside the last paragraph and holds a picture or a player. A box around a picture may be that of a teaser.
_LAST: Final = tags.tag_mask("img p a picture iframe video audio")
_PLAYERS: Final = tags.tag_mask("iframe video audio object embed")
_MAX_LAST_ROWS: Final = 4  #: from the last text to a picture below it
_MAX_CONTENT_LEVELS: Final = 100  #: from an image up to an element with selected text


def belongs_to_content(
    page: Page, mask: Bools, rows: Iterable[int], captioned_boxes: frozenset[int] = frozenset()
) -> set[int]:
    """Return those of the elements without text that belong to the selected text.

    One does if no unselected text is between it and an element with selected text: an image in a box with an
    advertiser's unselected line does not.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>Tea.<img></p><div><img>Buy!</div><p>End.")
    >>> mask = page.is_text & [page.row_text(row) != "Buy!" for row in range(len(page))]
    >>> belongs_to_content(page, mask, page.rows_of("img").tolist()) == {int(page.rows_of("img")[0])}
    True
    """
    first, stop = int(np.argmax(mask)), len(mask) - int(np.argmax(mask[::-1]))
    rows = [row for row in rows if first - _MAX_CONTENT_LEVELS < row < stop + _MAX_CONTENT_LEVELS]
    if not rows:
        return set()
    left_out = page.shown & ~mask
    selected, unselected = page.count_selected(mask), prefix_sums(left_out)
    in_figure = np.zeros(len(page), dtype=np.bool_)
    for figure in (*page.rows_of("figure").tolist(), *captioned_boxes):
        in_figure[figure : page.end[figure]] = True
    beside_figures = prefix_sums(left_out & ~in_figure)
    out = set()
    for row in rows:
        inner, outer = row, page.body  # the outermost without selected text, and the one around it
        figures: list[int] = []
        for element in page.ancestors(row, _MAX_CONTENT_LEVELS):
            if page.tag[element] == tags.IDS["figure"] or element in captioned_boxes:
                figures.append(element)
            if selected[page.end[element]] > selected[element]:
                outer = element
                break
            inner = element
        if outer <= 0 or (outer == page.body and page.parent[inner] != outer):
            continue
        # Beside the captions of figures there may be no text that was left out.
        box = min(inner, figures[-1]) if figures else inner
        others = beside_figures if figures else unselected
        if others[page.end[box]] > others[box]:
            continue
        # Before the first selected text only a figure counts, or an image in the same paragraph; after the last one
        # also an image that follows it directly.
        follows = stop <= row <= stop + _MAX_LAST_ROWS and unselected[row] == unselected[stop]
        is_beside = _LAST[page.tag[inner]] or (_PLAYERS[page.tag[row]] and page.tag[inner] == tags.IDS["div"])
        is_last = follows and is_beside and outer == page.parent[page.block_ancestor[stop - 1]]
        if first <= row < stop or figures or _PARAGRAPH_LIKE[page.tag[outer]] or is_last:
            out.add(row)
    return out


# Images: which belong to the content, and the best URL of each.

_AVATAR_WORDS: Final = ("avatar", "userpic", "profile", "author")
_AVATAR: Final = re.compile(r"avatar|userpic|profile[-_](?:pic|photo|image)|author[-_](?:pic|photo|image|thumb)")
_MAX_AVATAR: Final = 200  #: pixels; a larger picture of a person is a portrait
_FLAG: Final = re.compile(r"\bflag-?icons?\b|/flags?/|^flag\s")
_MAX_FLAG: Final = 64  #: pixels; a larger one is about the flag
#: Names of files that are signs: beside a text, before an item, on a button.
_ICON: Final = re.compile(
    r"(?:^|[-_.])(?:icons?|badge|sprite|bullet|arrow|checkmark|tick|zoom|rating|printer|button)(?:[-_.]|\d|$)",
    re.IGNORECASE,
)
_MAX_ICON: Final = 128  #: pixels
_MAX_ICON_WORDS: Final = 3  #: of the alternative text: that of a picture says more
_PIXEL_STYLE: Final = re.compile(r"(?:^|;)(?:(?:width|height):[0-3]px|display:none)")
_MIN_PIXELS: Final = 32  #: images of this size or smaller are icons, spacers and trackers
_NOT_SHOWN: Final = int(Hidden.ELEMENT)  # reading it from the enumeration takes longer than comparing
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
    others = page.select("amp-img") if (page.tag == tags.OTHER).any() else ()
    if others:
        rows = np.union1d(rows, np.array(others, dtype=np.int64))
    if not len(rows) or not mask.any():
        return {}
    noscript = _noscript_images(page)
    out = {}
    in_content = belongs_to_content(page, mask, rows.tolist(), captioned_boxes)
    for row in sorted(in_content):
        if page.hidden[row]:
            continue
        image = _read_image(page, row, base, noscript.get(row))
        if image is not None:
            out[row] = image
    for row in _noscript_figures(page, rows.tolist(), out):
        image = _read_image(page, row, base, None) if row in in_content else None
        if image is not None:
            out[row] = image
    return _without_repeats(page, dict(sorted(out.items())))


#: What holds the pictures of a post, beside its text: of X, Mastodon and forums. "media" alone may hold an avatar.
_ATTACHMENT: Final = re.compile(
    r"(?:^|[\s_-])(?:attachments?|attachbox|(?:media|image|photo)[-_]gallery|tweet-?photo|post[-_](?:media|images?))(?:$|[\s_-])",
    re.IGNORECASE,
)
_MAX_ATTACHMENT_LEVELS: Final = 6  #: from a picture up to what holds it


def is_attachment(page: Page, row: int) -> bool:
    """Tell whether a picture of a post belongs to it though it is not in its text.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div data-testid="tweetPhoto"><img src=a.jpg></div><div class=media><img src=b.jpg></div>')
    >>> [is_attachment(page, row) for row in page.rows_of("img").tolist()]
    [True, False]
    """
    return any(
        _ATTACHMENT.search(page.attribute_of(k, name) or "")
        for k in page.ancestors(row, _MAX_ATTACHMENT_LEVELS)
        for name in ("class", "data-testid")
    )


def _noscript_figures(page: Page, rows: list[int], found: dict[int, Image]) -> list[int]:
    """Return the images in a ``noscript`` of a ``figure`` that has no other image: a script would add one."""
    if not rows or not page.tag_count("noscript"):
        return []
    columns = np.array(rows)
    hidden = columns[page.hidden[columns] == _NOT_SHOWN].tolist()
    if not hidden:
        return []
    figures = core.ancestors_with_tag(hidden, page.parent, page.tag, _FIGURE, outermost=False)
    noscripts = core.ancestors_with_tag(hidden, page.parent, page.tag, _NOSCRIPT, outermost=False)
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
    if len(images) < 2:  # noqa: PLR2004 (one has no copy)
        return images
    text_count = prefix_sums(page.shown)
    out: dict[int, Image] = {}
    last = -1
    figures = core.ancestors_with_tag(list(images), page.parent, page.tag, _FIGURE, outermost=False)
    figure_of = dict(zip(images, figures, strict=True))
    for row, image in images.items():
        no_text = last >= 0 and text_count[row] == text_count[last]
        if no_text and figure_of[row] == figure_of[last] >= 0 and _is_same_picture(images[last], image):
            if _quality(image) > _quality(out[last]):
                out[last] = replace(image, alt=image.alt or out[last].alt)
            continue
        if no_text and image.src == images[last].src:
            if figure_of[row] < 0 or figure_of[row] == figure_of[last]:
                if image.alt and not out[last].alt:
                    out[last] = image
                continue
            if figure_of[last] < 0:  # the copy with a caption stays
                del out[last]
        out[row] = image
        last = row
    return out


_NUMBER: Final = re.compile(r"\d{2,5}")
#: What tells the files of one picture apart.
_SIZE: Final = re.compile(
    r"[-_](?:small|medium|large|thumb(?:nail)?|mobile|desktop|\d{2,4}(?:x\d{2,4}|w|px)?|@?[1-4]x)(?![a-z])",
    re.IGNORECASE,
)
_THUMBNAIL: Final = re.compile(r"small|thumb|preview|lqip|blur|tiny|mini", re.IGNORECASE)


def _is_same_picture(first: Image, second: Image) -> bool:
    """Tell whether two images of a figure are one picture in two sizes: by its file, or by what it shows."""
    names = [
        _SIZE.sub("", image.src.partition("?")[0].rpartition("/")[2].partition(".")[0]) for image in (first, second)
    ]
    return (names[0] == names[1] != "") or bool(first.alt and first.alt == second.alt)


def _quality(image: Image) -> tuple[bool, int]:
    """Return what tells a picture from a smaller copy of it: its name, and the largest size in its URL."""
    sizes = [int(size) for size in _NUMBER.findall(image.src.partition("?")[0].partition("//")[2])]
    return _THUMBNAIL.search(image.src) is None, max(sizes, default=0)


def _noscript_images(page: Page) -> dict[int, int]:
    """Return for each image the one in the ``noscript`` after it: the same image for browsers without scripts."""
    out: dict[int, int] = {}
    if not page.tag_count("noscript"):
        return out
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
    names = f"{attributes.get('class', '')} {attributes.get('id', '')} {attributes.get('src', '')}".lower()
    size = max(width or 0, height or 0)
    # A word is found many times faster than one of several.
    if size <= _MAX_AVATAR and any(word in names for word in _AVATAR_WORDS) and _AVATAR.search(names):
        return None
    if size <= _MAX_FLAG and "flag" in names and _FLAG.search(names):
        return None
    if _PIXEL_STYLE.search(attributes.get("style", "").replace(" ", "")):
        return None
    alt = " ".join(strip_invisible(unescape(attributes.get("alt", ""))).split())  # pages escape twice
    url = best_url(page, row, attributes, base, noscript)
    is_icon = url is not None and not alt and url.partition("?")[0].endswith((".svg", ".ico"))
    if url is not None and size <= _MAX_ICON and len(alt.split()) <= _MAX_ICON_WORDS:
        is_icon = is_icon or _ICON.search(url.partition("?")[0].rpartition("/")[2]) is not None or "shields.io" in url
    return None if url is None or is_icon else Image(url, alt, width, height)


def _pixels(value: str | None) -> int | None:
    value = (value or "").strip().removesuffix("px")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 6 else None  # noqa: PLR2004 (sane sizes)


# Captioned boxes: figures without a ``figure`` element, as a box with an image and a caption.
#
# WordPress wrote ``div.wp-caption`` for fifteen years, newspapers have class names for the caption, and some pages
# mark the box as an ``ImageObject``. The caption is recognised by its class or property. The box is the nearest
# element around it that contains the image.

CLASSES: Final = ("caption", "img_desc", "img-desc", "image-desc", "cutline", "photo-desc")  #: parts of classes
_DECLARED: Final = ",".join(
    ("[itemprop~='caption']", "[itemtype*='schema.org/ImageObject']", *(f"[class*='{part}' i]" for part in CLASSES))
)
_CAPTION_CLASS: Final = re.compile(
    r"(?:caption(?:ed)?|(?:img|image|photo)[-_]desc\w{0,12}|cutline)"
    r"(?:[-_]*(?:text|box|wrap\w{0,6}|container|inner|left|right|center))?$",
    re.IGNORECASE,
)
_FIGURES: Final = tags.tag_mask("figure")
#: Elements that no captioned box contains: cards have headings, galleries lists, layouts tables.
_EXCLUDED: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 ul ol dl table video iframe form blockquote pre article")
_MAX_LEVELS: Final = 3  #: from the caption up to the box
_MAX_CHARS: Final = 600  #: of a caption: the longest captions of newspapers have some 500


def find_captioned_boxes(page: Page) -> dict[int, int]:
    """Return the elements that are figures without being ``figure`` elements, and the caption of each.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<div class="wp-caption"><img src="a.png"><p class="wp-caption-text">A cat.</p></div>')
    >>> [page.tag_name(row) for row in find_captioned_boxes(page)]
    ['div']
    """
    is_image = page.tag == tags.IDS["img"]
    captions = [row for row in page.select(_DECLARED) if _is_caption(page, row)] if is_image.any() else []
    if not captions:
        return {}
    images, excluded, figures = (
        prefix_sums(is_image),
        prefix_sums(_EXCLUDED[page.tag]),
        prefix_sums(_FIGURES[page.tag]),
    )
    nonspace = prefix_sums(page.nonspace * (page.hidden == 0))
    boxes: dict[int, int] = {}
    for row in captions:
        around = [row, *page.ancestors(row, _MAX_LEVELS)]
        box = next((k for k in around if images[page.end[k]] > images[k]), around[-1])
        end = page.end[box]
        chars = int(nonspace[end] - nonspace[box])
        if (
            box > page.body
            and images[end] > images[box]
            and excluded[end] == excluded[box]
            and figures[end] == figures[box]
            and 0 < chars <= _MAX_CHARS
            and not tags.CELL[page.tag[box]]
        ):
            boxes[box] = min(row, boxes.get(box, row))
    return {box: boxes[box] for box in _outermost(page, set(boxes))}


def find_unselected_captions(page: Page, mask: Bools, images: Iterable[int], boxes: frozenset[int]) -> frozenset[int]:
    """Return the captions without selected text of figures with a picture, and captioned boxes without any.

    A figure may also have a data table or code, of which something is selected.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<figure><img src="a.png"><figcaption>A cat.</figcaption></figure>')
    >>> [page.tag_name(row) for row in find_unselected_captions(page, page.is_text & False, [5], frozenset())]
    ['figcaption']
    """
    captions = page.rows_of("figcaption")
    if not len(captions) and not boxes:
        return frozenset()
    selected = page.count_selected(mask)
    others = [*page.data_tables, *page.rows_of("pre").tolist()] if len(captions) else []
    rows = sorted([*images, *(row for row in others if selected[page.end[row]] > selected[row])])
    figures = np.flatnonzero(_FIGURES[page.tag] & page.is_element)
    figure_of = nearest_ancestor(page.end, figures)[captions] if len(figures) else np.full(len(captions), -1)
    pairs = [*zip(captions.tolist(), figure_of.tolist(), strict=True), *((box, box) for box in boxes)]
    out = set()
    for caption, figure in pairs:
        has_image = figure >= 0 and bisect_left(rows, figure) < bisect_left(rows, int(page.end[figure]))
        if has_image and selected[page.end[caption]] == selected[caption]:
            chars = int(page.offset[page.end[caption]] - page.offset[caption])
            out |= {caption} if chars <= 2 * _MAX_CHARS else set()
    return frozenset(out)


def _is_caption(page: Page, row: int) -> bool:
    attributes = page.attributes(row)
    if "itemprop" in attributes or "itemtype" in attributes:
        return True
    return any(_CAPTION_CLASS.search(name) for name in attributes.get("class", "").split())


def _outermost(page: Page, boxes: set[int]) -> list[int]:
    """Return the boxes that are in no other box and in no ``figure``."""
    out: list[int] = []
    covered = np.zeros(len(page), dtype=np.bool_)
    for row in np.flatnonzero(_FIGURES[page.tag]).tolist():
        covered[row : page.end[row]] = True
    for row in sorted(boxes):
        if not covered[row]:
            covered[row : page.end[row]] = True
            out.append(row)
    return out
