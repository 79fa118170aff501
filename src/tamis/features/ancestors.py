"""Where a block stands: the elements above it, what they are and what their authors call them."""

from typing import Final

import numpy as np

from tamis._kernels.loader import scan, walk
from tamis._kernels.scan import hashes_of
from tamis.features.block_stats import BlockStats, Floats
from tamis.features.name_categories import NOTIONS, SPELLINGS
from tamis.html import tags
from tamis.page import Page

#: The element a block stands in, by family.
_HOSTS: Final = (
    "p", "li", "td th", "h1", "h2", "h3", "h4 h5 h6", "div", "section article main", "dt dd", "blockquote", "pre",
    "figcaption caption", "option select optgroup", "header footer nav aside", "form fieldset legend", "body",
    "summary details", "ul ol dl table tr tbody", "address center",
)  # fmt: skip
#: Elements anywhere above it. Those that lay out pages of the 2000s (``table``, ``td``, ``font``, ``center``) are not
#: here: on today's pages, which the training has, they mean something else.
_ABOVE: Final = (
    "article", "main", "nav", "header", "footer", "aside", "section", "form", "ul", "ol", "dl", "figure",
    "blockquote", "details", "pre", "a", "button", "p", "h1", "h2", "h3", "code", "noscript", "dialog", "hgroup",
    "time", "label",
)  # fmt: skip
#: An element with at most this many blocks is right around a block; a larger one is somewhere above it.
NEAR: Final = 4
_ATTRIBUTES: Final = ("id", "role", "itemprop")  #: besides ``class``
_NAMED: Final = ",".join(f"[{name}]" for name in _ATTRIBUTES)
_HASHES: Final = hashes_of(SPELLINGS)
_MOST: Final = 2.0  # elements of one name above a block: more say no more

NAMES: Final = (
    *(f"host:{names.split()[0]}" for names in _HOSTS),
    *(f"above:{name}" for name in _ABOVE),
    *(f"near:{notion}" for notion in NOTIONS),
    *(f"far:{notion}" for notion in NOTIONS),
)
_HOST_OF: Final = np.full(len(tags.NAMES), -1, dtype=np.int32)
for _number, _names in enumerate(_HOSTS):
    for _name in _names.split():
        _HOST_OF[tags.IDS[_name]] = _number
_ABOVE_OF: Final = np.full(len(tags.NAMES), -1, dtype=np.int32)
for _number, _name in enumerate(_ABOVE):
    _ABOVE_OF[tags.IDS[_name]] = len(_HOSTS) + _number


def measure_around(page: Page, stats: BlockStats, out: Floats) -> None:
    """Fill the rows of `NAMES` for the blocks of a page."""
    names = list(stats.class_names)
    elements = page.nodes[0].select(_NAMED)
    named = scan.read_names(
        elements, walk.rows_among(page.nodes, elements), (stats.holds, stats.class_ids), _ATTRIBUTES, names
    )
    scan.fill_ancestors(
        out,
        (page.blocks.container, _HOST_OF),
        (stats.begun, stats.until),
        (page.tag, _ABOVE_OF),
        named,
        scan.categorize(names, _HASHES, len(NOTIONS)),
        (len(_HOSTS) + len(_ABOVE), len(NOTIONS), NEAR, _MOST),
    )
