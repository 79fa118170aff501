"""Evident boilerplate: menus, footers and notices that need no network.

A third of the blocks of a page are in menus and footers that say what they are: by their tag or name, and because
they consist of short links. They are left out before features are measured. So a page costs less, and a menu more or
less changes nothing else: no feature counts what it contains.

On WCXB dev, 0.5 % of the words in these elements are in the gold text, most of them by chance. Leaving them out of
what the network kept changed the mean F1 of no corpus by more than 0.0002 (docs/lab/sift.md).

Lines with a copyright sign at the very end of a page need no element that says so: on eight corpora, 1.0 % of their
words are in the gold text. Before other text they may be the source of an article.
"""

from typing import Final

from tamis._core.enums import Boilerplate
from tamis._core.loader import core
from tamis.html import tags
from tamis.html.words import is_copyright_line
from tamis.page import Page
from tamis.sift.names import NAME_CATEGORIES, ElementNames

_TAG_TABLE: Final = {
    "nav header": Boilerplate.IF_LINKS,
    "footer": Boilerplate.IF_SHORT,
    "select": Boilerplate.ALWAYS,
    "ul ol": Boilerplate.IF_LIST,
    "article main": Boilerplate.CONTENT,
}
_CATEGORY_TABLE: Final = {
    "nav footer share newsletter pagination breadcrumb popup": Boilerplate.IF_LINKS,
    "cookie": Boilerplate.IF_LINKS | Boilerplate.IF_NOTICE,
}
_TAG_FLAGS: Final = bytes(
    sum(flag for names, flag in _TAG_TABLE.items() if name in names.split()) for name in tags.NAMES
)
_CATEGORY_FLAGS: Final = bytes(
    sum(flag for names, flag in _CATEGORY_TABLE.items() if name in names.split()) for name in NAME_CATEGORIES
)
_CONTENT_TAGS: Final = tags.tag_mask("article main").tobytes()  # one byte per tag


def prune(page: Page, names: ElementNames) -> Page:
    """Return the page without its evident boilerplate, or the page itself if there is none.

    >>> from tamis.sift.names import read_element_names
    >>> from tamis.page import parse_page
    >>> menu = "<ul class=menu><li><a href=/>Home</a><li><a href=/tea>Tea</a></ul>"
    >>> page = parse_page(menu + "<p>Boil the water, and wait. Then pour.")
    >>> pruned = prune(page, read_element_names(page))
    >>> len(page.blocks), len(pruned.blocks), len(page) == len(pruned)
    (3, 1, True)
    """
    if not len(page.blocks):
        return page
    ranges = core.boilerplate_ranges(page.columns, names.as_tuple(), _TAG_FLAGS, _CATEGORY_FLAGS)
    ranges += _closing_lines(page, ranges)
    return page.with_removed(tuple(sorted(ranges))) if ranges else page


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
        if not is_copyright_line(page.text[page.offset[start] : page.offset[blocks.stop[block]]]):
            break
        found.append(block)
        block -= 1
    if not found:
        return []
    containers = blocks.container[found].tolist()
    content = core.ancestors_with_tag(containers, page.parent, page.tag, _CONTENT_TAGS, outermost=False)
    count = next((index for index, row in enumerate(content) if row >= 0), len(found))
    if count == len(found) and block < 0:
        return []
    return [
        (container, int(page.end[container]))
        if first[container] == number and last[container] == number + 1
        else (int(blocks.start[number]), int(blocks.stop[number]))
        for number, container in zip(found[:count], containers, strict=False)
    ]
