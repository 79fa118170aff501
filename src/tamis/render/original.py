"""HTML in the page's own structure: the content elements in their containers and ancestors, with classes and ids.

Song 2015 keeps the structure of the content: this is the page minus the noise, not a rebuilt document. It is safe by
construction: elements and attributes are on allow-lists, everything written is escaped, URLs are checked. An element
that is not allowed (a form, a button, a custom element) becomes a ``span``.
"""

from html import escape
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.base_url import base_url
from tamis.page.sums import Bools, prefix_sums, subtree_sums
from tamis.render.options import DEFAULT, RenderOptions

_ELEMENTS: Final = tags.tag_mask("""
    div section article main header footer aside nav hgroup address search p pre blockquote ul ol li menu dl dt dd
    figure figcaption h1 h2 h3 h4 h5 h6 table caption colgroup col thead tbody tfoot tr td th details summary center
    a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark nobr q ruby rb rp rt rtc s samp small
    span strike strong sub sup time tt u var br wbr hr img picture audio video source track
""")
#: Elements without text that belong to the content where they stand inside it.
_TEXTLESS: Final = tags.tag_mask("br wbr hr img picture audio video source track col colgroup")
_MEDIA: Final = tags.tag_mask("img picture audio video source track")
_NAMES: Final = """
    class id lang dir title alt width height colspan rowspan scope headers start reversed value type datetime open
    controls
"""
#: Attributes that are kept as they are; `_URL_ATTRIBUTES` are kept where they are safe.
_ATTRIBUTES: Final = frozenset(_NAMES.split())
_URL_ATTRIBUTES: Final = frozenset({"href", "src", "poster"})


def original_html(page: Page, mask: Bools, url: str | None = None, options: RenderOptions = DEFAULT) -> str:
    """Return the selected rows in the elements that the page has them in.

    >>> from tamis.page import parse_page
    >>> html = '<div id=main onclick="x()"><nav>Home</nav><article class=post><p>Boil <b>water</b>.</article></div>'
    >>> page = parse_page(html)
    >>> original_html(page, page.shown & (np.arange(len(page)) > 7))
    '<div id="main"><article class="post"><p>Boil <b>water</b>.</p></article></div>'
    """
    kept = _kept_rows(page, mask, options)
    base = base_url(page, url)
    out: list[str] = []
    open_elements: list[tuple[int, str]] = []  # the end of each open element, and the tag that closes it
    for row in np.flatnonzero(kept).tolist():
        while open_elements and row >= open_elements[-1][0]:
            out.append(open_elements.pop()[1])
        if page.is_text[row]:
            out.append(escape(page.text[page.offset[row] : page.offset[row + 1]], quote=False))
            continue
        tag = page.tag[row]
        allowed = bool(_ELEMENTS[tag])
        # What a browser shows as a block must not run into its neighbours: options, fields, legends.
        space = " " if tags.BLOCK[tag] and not allowed else ""
        name = page.tag_name(row) if allowed else "span"
        out.append(f"{space}<{name}{_attributes(page, row, base, options)}>")
        if not tags.VOID[tag]:
            open_elements.append((int(page.end[row]), f"</{name}>{space}"))
    out.extend(closing for _, closing in reversed(open_elements))
    return "".join(out)


def _kept_rows(page: Page, mask: Bools, options: RenderOptions) -> Bools:
    """Return the selected text, every element around it, and blank text and textless elements between it."""
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
    # What stands in a kept textless element (a picture's sources) and what leads to one (a link around an image).
    media = np.flatnonzero(textless & below & (_in_content_container(page, counts) | (inside & before & after)))
    for row in media.tolist():
        up = row
        while up > page.body and not holds[up] and (up == row or not kept[up]):
            kept[up] = True
            up = int(page.parent[up])
    if not options.images:
        kept &= ~_MEDIA[page.tag] | page.is_text
    if not options.tables:
        tables = np.flatnonzero((page.tag == tags.IDS["table"]) & page.is_element)
        for row in tables.tolist():
            kept[row : page.end[row]] = False
    return kept


def _in_content_container(page: Page, counts: npt.NDArray[np.int64]) -> Bools:
    """Return which rows have selected text in their nearest block-level element, the body aside."""
    container = page.block_ancestor
    return np.asarray((counts[page.end[container]] > counts[container]) & (container > page.body))


def _attributes(page: Page, row: int, base: str | None, options: RenderOptions) -> str:
    out = []
    for name, value in page.attributes(row).items():
        if name in _ATTRIBUTES:
            out.append(f' {name}="{escape(value)}"')
        elif name in _URL_ATTRIBUTES and (options.links or name != "href"):
            target = safe_url(value, base)
            if target:
                out.append(f' {name}="{escape(target)}"')
    return "".join(out)
