"""HTML in the page's own structure: the content elements in their containers and ancestors, with classes and ids.

Song 2015 keeps the structure of the content: this is the page minus the noise, not a rebuilt document. It is safe by
construction: elements and attributes are on allow-lists, everything written is escaped, URLs are checked. An element
that is not allowed (a form, a button, a custom element) becomes a ``span``. Sounds, videos and players become links,
as in a rebuilt document, and images have the best of their URLs.
"""

from collections.abc import Iterable
from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.document.detectors.images import find_captioned_boxes, find_images
from tamis.document.detectors.media import Media, find_media
from tamis.document.parts import Image, Text
from tamis.html import tags
from tamis.html.text import safe_url
from tamis.page import Page
from tamis.page.parse import base_url
from tamis.page.sums import Bools, in_subtree, prefix_sums, subtree_sums
from tamis.render.registry import DEFAULT, RenderOptions

_ELEMENTS: Final = tags.tag_mask("""
    div section article main header footer aside nav hgroup address search p pre blockquote ul ol li menu dl dt dd
    figure figcaption h1 h2 h3 h4 h5 h6 table caption colgroup col thead tbody tfoot tr td th details summary center
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q ruby rb rp rt rtc s samp small
    span strike strong sub sup time tt u var br wbr hr img picture source
""")
#: Blocks that stand in a ``div`` of their own right.
_OUTERMOST: Final = tags.tag_mask("div section article main blockquote figure p pre ul ol dl table")
#: Elements without text that belong to the content where they stand inside it.
_TEXTLESS: Final = tags.tag_mask("br wbr hr img picture source col colgroup")
_IMAGES: Final = tags.tag_mask("img picture source")
_NAMES: Final = """
    class id lang dir title alt width height colspan rowspan scope headers start reversed value type datetime open
"""
#: Attributes that are kept as they are; `_URL_ATTRIBUTES` are kept where they are safe.
_ATTRIBUTES: Final = frozenset(_NAMES.split())
_URL_ATTRIBUTES: Final = frozenset({"href", "src"})


def original_html(
    page: Page,
    mask: Bools,
    url: str | None = None,
    options: RenderOptions = DEFAULT,
    *,
    also: Iterable[int] = (),
    xpaths: bool = False,
    innermost: bool = False,
) -> str:
    """Return the selected rows in the elements that the page has them in.

    `also` are rows of other elements to keep; with `xpaths`, each element has its XPath as the attribute ``x``; with
    `innermost`, the elements around the innermost one that holds everything are left out.

    >>> from tamis.page import parse_page
    >>> html = '<div id=main onclick="x()"><nav>Home</nav><article class=post><p>Boil <b>water</b>.</article></div>'
    >>> page = parse_page(html)
    >>> original_html(page, page.shown & (np.arange(len(page)) > 7))
    '<div id="main"><article class="post"><p>Boil <b>water</b>.</p></article></div>'
    >>> original_html(page, page.shown & (np.arange(len(page)) > 7), innermost=True)
    '<p>Boil <b>water</b>.</p>'
    """
    base = base_url(page, url)
    boxes = frozenset(find_captioned_boxes(page))
    media = find_media(page, mask, base, url, boxes)
    images = find_images(page, mask, base, boxes) if options.images else {}
    kept = _kept_rows(page, mask, options, (*images, *media, *also))
    if innermost:
        rows = np.flatnonzero(kept)
        around = rows[np.logical_and.accumulate(page.end[rows] > rows[-1:])]  # each holds all that follow
        blocks = around[page.is_element[around] & _OUTERMOST[page.tag[around]]]
        kept[: int(blocks[-1]) if len(blocks) else 0] = False
    out: list[str] = []
    open_elements: list[tuple[int, str]] = []  # the end of each open element, and the tag that closes it
    for row in np.flatnonzero(kept).tolist():
        while open_elements and row >= open_elements[-1][0]:
            out.append(open_elements.pop()[1])
        if page.is_text[row]:
            out.append(escape(page.text[page.offset[row] : page.offset[row + 1]], quote=False))
            continue
        if row in media:
            out.append(_media_link(media[row], options, in_link=bool(page.link[row])))
            continue
        tag = page.tag[row]
        allowed = bool(_ELEMENTS[tag])
        # What a browser shows as a block must not run into its neighbours: options, fields, legends.
        space = " " if tags.BLOCK[tag] and not allowed else ""
        name = page.tag_name(row) if allowed else "span"
        path = f' x="{escape(page.xpaths.of(row))}"' if xpaths else ""
        out.append(f"{space}<{name}{_attributes(page, row, base, options, images.get(row))}{path}>")
        if not tags.VOID[tag]:
            open_elements.append((int(page.end[row]), f"</{name}>{space}"))
    out.extend(closing for _, closing in reversed(open_elements))
    return "".join(out)


def _media_link(media: Media, options: RenderOptions, *, in_link: bool) -> str:
    """Return the link to a sound, video or player, after the poster of a video. Links do not nest."""
    image = media.poster if options.images else None
    poster = f' <img src="{escape(image.src)}" alt="{escape(image.alt)}">' if image else ""
    if in_link:
        return poster
    label = "".join(escape(span.text, quote=False) for span in media.link.spans if isinstance(span, Text))
    return f'{poster} <a href="{escape(media.link.href)}">{label}</a> ' if options.links else f"{poster} {label} "


def _kept_rows(page: Page, mask: Bools, options: RenderOptions, found: Iterable[int]) -> Bools:
    """Return the selected text, every element around it, what stands between it without text, and what was found."""
    holds = subtree_sums(page.end, mask.astype(np.int64)) > 0
    selected = np.flatnonzero(mask)
    kept = mask.copy()
    if not len(selected):
        return kept
    inside = np.zeros(len(page), dtype=np.bool_)
    inside[1:] = holds[page.parent[1:]]  # children of an element that holds content
    counts = prefix_sums(mask)
    rows = np.arange(len(page))
    before, after = counts[rows] > 0, counts[page.end] < counts[-1]
    below = rows > page.body
    kept |= holds & page.is_element & below
    blank = page.is_text & (page.nonspace == 0) & (page.hidden == 0)
    textless = page.is_element & _TEXTLESS[page.tag] & (page.hidden == 0)
    kept |= inside & (blank | textless) & before & after & below
    # Cells of rows with content, also empty ones, so that columns stay aligned, and the images in them.
    cells = page.is_element & tags.CELL[page.tag] & inside & (page.hidden == 0)
    kept |= cells
    textless_in_cells = textless & in_subtree(page.end, np.flatnonzero(cells))
    # What stands in a kept textless element (a picture's sources) and what leads to one (a link around an image).
    images = np.flatnonzero(
        textless & below & (_in_content_container(page, counts) | (inside & before & after) | textless_in_cells)
    )
    _keep_with_ancestors(page, kept, holds, images.tolist())
    if not options.images:
        kept &= ~_IMAGES[page.tag] | page.is_text
    _keep_with_ancestors(page, kept, holds, found)
    if not options.tables:
        kept &= ~in_subtree(page.end, np.array(sorted(page.data_tables), dtype=np.int64))
    return kept


def _keep_with_ancestors(page: Page, kept: Bools, holds: Bools, rows: Iterable[int]) -> None:
    """Keep rows, and the elements around them up to one that holds content."""
    for row in rows:
        up = row
        while up > page.body and not holds[up] and (up == row or not kept[up]):
            kept[up] = True
            up = int(page.parent[up])


def _in_content_container(page: Page, counts: npt.NDArray[np.int64]) -> Bools:
    """Return which rows have selected text in their nearest block-level element, the body aside."""
    container = page.block_ancestor
    return np.asarray((counts[page.end[container]] > counts[container]) & (container > page.body))


def _attributes(page: Page, row: int, base: str | None, options: RenderOptions, image: Image | None) -> str:
    out = [f' src="{escape(image.src)}"'] if image else []
    for name, value in page.attributes(row).items():
        if name == "src" and image:
            continue
        if name in _ATTRIBUTES:
            out.append(f' {name}="{escape(value)}"')
        elif name in _URL_ATTRIBUTES and (options.links or name != "href"):
            target = safe_url(value, base)
            if target:
                out.append(f' {name}="{escape(target)}"')
    return "".join(out)
