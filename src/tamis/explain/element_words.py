"""Words for elements: the name that says what an element is, and what evident boilerplate is."""

import re
from typing import Final

from tamis.features.boilerplate import names_owner
from tamis.features.name_categories import CATEGORY_OF, NAME_CATEGORIES
from tamis.features.schema import NEAR_BLOCKS
from tamis.page import ELEMENT, Page

_MAX_ANCESTORS: Final = 60  #: elements around a block that are searched for a name
_MAX_INNER: Final = 200  #: rows of a block that are searched for one
_NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop")
_AFTER_LOWERCASE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_WORD: Final = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")
_MAX_NAME: Final = 40  # characters of a name that are shown
#: What the elements are that `tamis.features.boilerplate` leaves out: by their tags, and by the categories of their
#: names.
_BOILERPLATE_TAGS: Final = {
    "nav": "a <nav> of short links",
    "header": "a <header> of short links",
    "footer": "a <footer> with little text",
    "select": "the choices of a <select>",
}
_BOILERPLATE_NAMES: Final = {
    "cookie": "a notice about cookies",
    "nav": "a menu",
    "footer": "a footer",
    "share": "links to share the page",
    "newsletter": "a newsletter",
    "pagination": "links to other pages",
    "breadcrumb": "the way to the page",
    "popup": "a pop-up",
}


def boilerplate_words(page: Page, start: int, stop: int) -> str:
    """Return what the rows of evident boilerplate are: a menu, a footer, a notice, a last line.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=cookie-bar>We use cookies. <a href=/more>More</a></div>")
    >>> row = int(page.blocks.container[0])
    >>> boilerplate_words(page, row, int(page.end[row]))
    'a notice about cookies in an element called “cookie-bar”'
    """
    is_element = page.node_type[start] == ELEMENT
    tag = page.tag_name(start) if is_element else ""
    if tag in _BOILERPLATE_TAGS:
        return _BOILERPLATE_TAGS[tag]
    if not is_element or names_owner(page.text[page.offset[start] : page.offset[stop]]):
        return "a last line of the page that names its owner"
    for category, words in _BOILERPLATE_NAMES.items():
        name = _name_with(page, start, category)
        if name is not None:
            return f"{words} in an element called “{name}”"
    return "a list of short links"


def find_name(page: Page, block: int, category: str, *, near: bool) -> str | None:
    """Return the name in ``class``, ``id``, ``role`` or ``itemprop`` that has a word of a category.

    The elements around the block are searched from the innermost outwards, those of few blocks or of many.
    """
    first, last, _ = page.block_ranges
    row = int(page.blocks.container[block])
    for _ in range(_MAX_ANCESTORS):
        if row <= 0:
            return None
        if (last[row] - first[row] <= NEAR_BLOCKS) == near:
            name = _name_with(page, row, category)
            if name is not None:
                return name
        row = int(page.parent[row])
    return None


def inner_name(page: Page, block: int, category: str) -> str | None:
    """Return such a name of an inline element in a block, as of a button or a link.

    >>> from tamis.page import parse_page
    >>> inner_name(parse_page("<div>Read <a class=more-button href=/>on</a></div>"), 0, "button")
    'more-button'
    """
    container, start, stop = (
        int(column[block]) for column in (page.blocks.container, page.blocks.start, page.blocks.stop)
    )
    above = int(page.parent[start])  # a block may begin in an inline element, which is before its first text
    while above > container:
        name = _name_with(page, above, category)
        if name is not None:
            return name
        above = int(page.parent[above])
    names = (_name_with(page, row, category) for row in range(start, min(stop, start + _MAX_INNER)))
    return next((name for name in names if name is not None), None)


def _name_with(page: Page, row: int, category: str) -> str | None:
    """Return the first name of an element that has a word of a category."""
    for attribute in _NAME_ATTRIBUTES:
        for name in page.attribute(attribute).get(row, "").split():
            if category in categories(name):
                return name[:_MAX_NAME]
    return None


def categories(name: str) -> set[str]:
    """Return the categories of the words of a name.

    >>> sorted(categories("relatedPosts-sidebar"))
    ['post', 'related', 'sidebar']
    """
    words = _NO_WORD.split(_AFTER_LOWERCASE.sub(" ", name).lower())
    return {NAME_CATEGORIES[CATEGORY_OF[word]] for word in words if word in CATEGORY_OF}
