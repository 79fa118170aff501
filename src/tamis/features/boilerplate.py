"""Evident boilerplate: menus, footers and notices that need no network.

A third of the blocks of a page are in menus and footers that say what they are: by their tag or name, and because
they consist of short links. They are left out before features are measured. So a page costs less, and a menu more or
less changes nothing else: no feature counts what it contains.

On WCXB dev, 0.5 % of the words in these elements are in the gold text, most of them by chance. Leaving them out of
what the network kept changed the mean F1 of no corpus by more than 0.0002 (docs/sift.md).
"""

from typing import Final

import numpy as np

from tamis._kernels.loader import scan
from tamis.features.element_names import ElementNames
from tamis.features.name_categories import NAME_CATEGORIES
from tamis.html import tags
from tamis.page import Page

# The conditions of `scan.boilerplate_ranges`. All but the third and the fifth hold outside article and main alone.
_IF_LINKS, _IF_SHORT, _ALWAYS, _IF_LIST, _IF_NOTICE, _CONTENT = 1, 2, 4, 8, 16, 32
_TAG_TABLE: Final = {
    "nav header": _IF_LINKS,
    "footer": _IF_SHORT,
    "select": _ALWAYS,
    "ul ol": _IF_LIST,
    "article main": _CONTENT,
}
_CATEGORY_TABLE: Final = {
    "nav footer share newsletter pagination breadcrumb popup": _IF_LINKS,
    "cookie": _IF_LINKS | _IF_NOTICE,
}
_FLAGS: Final = (
    bytes(sum(flag for names, flag in _TAG_TABLE.items() if name in names.split()) for name in tags.NAMES),
    bytes(sum(flag for names, flag in _CATEGORY_TABLE.items() if name in names.split()) for name in NAME_CATEGORIES),
)
_LIMITS: Final = (
    5.0,  # characters per word
    20.0,  # words of a block that is no link of a menu
    4.0,  # words of a link in a list
    300.0,  # words of a footer
    120.0,  # words of a notice
    6,  # blocks of a list of links
    6.0,  # mean words of the blocks of a menu
    0.7,  # share of the characters of a menu that are in links
    0.9,  # the same for a list without a name
    0.5,  # the largest share of the page: an element with more is its layout
)


def without_boilerplate(page: Page, names: ElementNames) -> Page:
    """Return the page without its evident boilerplate, or the page itself if there is none.

    >>> from tamis.features.element_names import read_element_names
    >>> from tamis.page import parse_page
    >>> menu = "<ul class=menu><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul>"
    >>> page = parse_page(menu + "<p>Boil the water, and wait. Then pour.")
    >>> judged = without_boilerplate(page, read_element_names(page))
    >>> len(page.blocks), len(judged.blocks), len(page) == len(judged)
    (3, 1, True)
    """
    if not len(page.blocks):
        return page
    first, last, has_blocks = page.block_ranges
    ranges = scan.boilerplate_ranges(
        (page.tag, page.end, first, last, has_blocks, page.nonspace, page.link.view(np.uint8)),
        (page.blocks.rows, page.blocks.first),
        (names.named, names.name_of, names.first, names.categories),
        _FLAGS,
        _LIMITS,
    )
    return page.without(tuple(ranges)) if ranges else page
