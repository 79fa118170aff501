"""`ElementNames`: what the elements of a page are called in ``class``, ``id``, ``role`` and ``itemprop``."""

from dataclasses import dataclass
from typing import Any, Final

from tamis._kernels.loader import scan, walk
from tamis._kernels.scan import word_table
from tamis.features.name_categories import CATEGORY_OF, NAME_CATEGORIES
from tamis.page import Page

_ATTRIBUTES: Final = ("id", "role", "itemprop")  # besides class
#: One pass of the parser finds all elements of interest.
_SELECTOR: Final = ",".join(f"[{name}]" for name in (*_ATTRIBUTES, "itemtype"))
_WORDS: Final = word_table(CATEGORY_OF)


@dataclass(frozen=True, slots=True, eq=False)
class ElementNames:
    """The names of the elements that contain blocks, and the categories of their words.

    Attributes:
        named: the row of each name. An element may have several.
        name_of: the number of each name.
        first: the categories of name k are ``categories[first[k] : first[k + 1]]``.
        categories: indices into `tamis.features.name_categories.NAME_CATEGORIES`.
        item_types: the values of ``itemtype`` on the page.
    """

    named: Any
    name_of: Any
    first: Any
    categories: Any
    item_types: list[str]


def read_element_names(page: Page) -> ElementNames:
    """Read the names of a page's elements.

    >>> from tamis.page import parse_page
    >>> names = read_element_names(parse_page("<div class='main-menu x'>Tea"))
    >>> list(names.named), [NAME_CATEGORIES[number] for number in names.categories]
    ([4], ['main', 'nav'])
    """
    class_ids, class_names = page.text_classes
    names = list(class_names)
    elements = page.nodes[0].select(_SELECTOR)
    named, name_of = scan.read_names(
        elements, walk.rows_among(page.nodes, elements), (page.block_ranges[2], class_ids), _ATTRIBUTES, names
    )
    categories = scan.categorize(names, _WORDS, len(NAME_CATEGORIES))
    item_types = walk.attr_values(elements, list(range(len(elements))), "itemtype")
    return ElementNames(named, name_of, *categories, item_types)
