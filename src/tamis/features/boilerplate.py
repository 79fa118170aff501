"""Evident boilerplate: menus, footers and notices that need no network.

A third of the blocks of a page are in menus and footers that say what they are: by their tag or name, and because
they consist of short links. They are left out before features are measured. So a page costs less, and a menu more or
less changes nothing else: no feature counts what it contains.

On WCXB dev, 0.5 % of the words in these elements are in the gold text, most of them by chance. Leaving them out of
what the network kept changed the mean F1 of no corpus by more than 0.0002 (docs/sift.md).

Lines with a copyright sign at the very end of a page need no element that says so: on eight corpora, 1.0 % of their
words are in the gold text. Before other text they may be the source of an article.
"""

import re
from typing import Final

import numpy as np

from tamis._kernels.loader import scan, walk
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
_CONTENT_TAGS: Final = tags.tag_mask("article main").tobytes()  # one byte per tag
_LEGAL: Final = re.compile(
    r"©|\(c\) ?(?:19|20)\d\d|copyright|rights reserved|rechte vorbehalten|droits réservés|derechos reservados"
    r"|diritti riservati|direitos reservados|права защищены|版权所有|著作権|無断",
    re.IGNORECASE,
)
_MAX_LEGAL_CHARS: Final = 200  #: of such a line, without white space
_MAX_LEGAL_SOURCE: Final = 1000  #: with white space


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
    ranges += _closing_lines(page, ranges)
    return page.without(tuple(sorted(ranges))) if ranges else page


def names_owner(text: str) -> bool:
    """Return whether a line is short and names the owner of a page, as the last lines of pages do.

    >>> names_owner("© 2026 The Mill. All rights reserved."), names_owner("The mill was rebuilt in 1824.")
    (True, False)
    """
    if len(text) > _MAX_LEGAL_SOURCE or not _LEGAL.search(text):
        return False
    return len("".join(text.split())) <= _MAX_LEGAL_CHARS


def _closing_lines(page: Page, removed: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the rows of the last lines of a page that name its owner; none if nothing but them would be left."""
    blocks = page.blocks
    first, last, _ = page.block_ranges
    found: list[int] = []
    block, number = len(blocks) - 1, len(removed) - 1
    while block >= 0:
        start = int(blocks.start[block])
        while number >= 0 and removed[number][0] > start:
            number -= 1
        if number >= 0 and start < removed[number][1]:
            block = int(first[removed[number][0]]) - 1
            continue
        if not names_owner(page.text[page.offset[start] : page.offset[blocks.stop[block]]]):
            break
        found.append(block)
        block -= 1
    if not found:
        return []
    containers = blocks.container[found].tolist()
    content = walk.ancestors_with_tag(containers, page.parent, page.tag, _CONTENT_TAGS, outermost=False)
    count = next((index for index, row in enumerate(content) if row >= 0), len(found))
    if count == len(found) and block < 0:
        return []
    return [
        (container, int(page.end[container]))
        if first[container] == number and last[container] == number + 1
        else (int(blocks.start[number]), int(blocks.stop[number]))
        for number, container in zip(found[:count], containers, strict=False)
    ]
