"""Words for features: what a measurement says about a block, as a person would put it."""

import re
from collections.abc import Callable
from typing import Final

import numpy as np

from tamis.features.boilerplate import names_owner
from tamis.features.name_categories import CATEGORY_OF, NAME_CATEGORIES
from tamis.features.schema import COLUMN, NEAR_BLOCKS, SCHEMA
from tamis.page import ELEMENT, Page

_MANY: Final = 5  #: of things that are many
_MOST, _SOME, _FEW = 0.5, 0.1, 0.02  # shares
_MAX_ANCESTORS: Final = 60  #: elements around a block that are searched for a name
_NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop")
_AFTER_LOWERCASE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_WORD: Final = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")
_MAX_NAME: Final = 40  # characters of a name that are shown


def _count(one: str, many: str, none: str) -> Callable[[float], str]:
    return lambda value: none if value < 1 else one if value < 2 else many.format(round(value))  # noqa: PLR2004


def _share(most: str, some: str, none: str) -> Callable[[float], str]:
    return lambda value: most if value > _MOST else some if value > _FEW else none


def _flag(yes: str, no: str) -> Callable[[float], str]:
    return lambda value: yes if value > 0 else no


def _rate(many: str, few: str, limit: float = _SOME) -> Callable[[float], str]:
    return lambda value: many if value > limit else few


_WORDS: Final[dict[str, Callable[[float], str]]] = {
    "size": lambda value: "it is long" if value > 40 else "it is short" if value < 10 else "it is of middle length",  # noqa: PLR2004
    "words": _count("it has one word", "it has {} words", "it has no word"),
    "text_nodes": _count("its text is one piece", "its text is in {} pieces", "it has no text"),
    "word_length": _rate("its words are long", "its words are short", 8),
    "is_short": _flag("it is very short", "it is not very short"),
    "ideograph_share": _share("it is written in ideographs", "some of it is in ideographs", "it has no ideographs"),
    "links": _count("it has a link", "it has {} links", "it has no links"),
    "link_share": _share("most of its words are links", "some of its words are links", "it has no linked words"),
    "all_links": _flag("all of it is a link", "it is more than a link"),
    "template_link_share": _share(
        "blocks that look like it are mostly links", "blocks that look like it have some links",
        "blocks that look like it have no links",
    ),
    "stop_rate": _rate("it has short sentences", "it has few ends of sentences", 0.04),
    "comma_rate": _rate("it has commas", "it has hardly a comma", 0.02),
    "punctuation_share": _rate("it has much punctuation", "it has little punctuation", 0.05),
    "digit_share": _rate("much of it is digits", "it has few digits"),
    "uppercase_share": _rate("it has many capitals", "it has few capitals"),
    "symbol_share": _rate("it has symbols", "it has no symbols", 0.01),
    "starts_uppercase": _flag("it begins with a capital", "it does not begin with a capital"),
    "starts_digit": _flag("it begins with a digit", "it does not begin with a digit"),
    "starts_punctuation": _flag("it begins with a sign", "it begins with a letter or digit"),
    "ends_stop": _flag("it ends as a sentence does", "it does not end as a sentence does"),
    "ends_punctuation": _flag("it ends with a sign", "it does not end with a sign"),
    "bold_share": _share("it is bold", "some of it is bold", "it is not bold"),
    "line_breaks": _count("it has a line break", "it has {} line breaks", "it has no line breaks"),
    "repeats": _count(
        "its text is there twice", "its text is there {} times more", "its text is there once"
    ),
    "quotes_earlier": _flag("it begins or ends as an earlier block does", "it repeats no earlier block"),
    "in_metadata": _flag("the page's metadata has its beginning", "the page's metadata does not have its beginning"),
    "template_blocks": _count(
        "no other block looks like it", "{} blocks look like it", "no other block looks like it"
    ),
    "template_size": _rate("blocks that look like it are long", "blocks that look like it are short", 15),
    "images": _count("it has a picture", "it has {} pictures", "it has no pictures"),
    "form_fields": _count("it has a form field", "it has {} form fields", "it has no form fields"),
    "in_panel": _flag("it is in a collapsed panel", "it is in no collapsed panel"),
    "depth": _rate("it is deep in the tree", "it is high in the tree", 12),
    "blocks_before_prose": _count(
        "it is just before the longest text", "it is {} blocks before the longest text",
        "it is not before the longest text",
    ),
    "blocks_after_prose": _count(
        "it is just after the longest text", "it is {} blocks after the longest text",
        "it is not after the longest text",
    ),
    "in_prose": _flag("it is in the part with the longest text", "it is outside the part with the longest text"),
    "levels_to_prose": _rate("it is far from the longest text", "it is near the longest text", 2),
    "prose_share": _rate("the page has one long text", "the page's text is spread", 0.6),
    "article_share": _flag("it is in a large article element", "it is in no article element"),
    "article_number": _count(
        "it is in the first article element", "it is in article element {}", "it is in no article element"
    ),
    "size_since_heading": _count(
        "it is just below a heading", "it is {} words below a heading", "it is just below a heading"
    ),
    "size_since_title": _count(
        "it is just below the headline", "it is {} words below the headline", "it is not below the headline"
    ),
    "heading_level": _count("the heading above is an h1", "the heading above is an h{}", "no heading is above it"),
    "has_h1": _flag("the page has an h1", "the page has no h1"),
    "after_h1": _flag("it is below the h1", "it is above the h1"),
    "title_match": _rate("it has the words of the page's title", "it is not the page's title", 0.3),
    "best_title_match": _rate("the page shows its title", "the page does not show its title", 0.3),
    "after_title": _flag("it is below the headline", "it is above the headline"),
    "heading_title_match": _rate("the heading above is the headline", "the heading above is not the headline", 0.3),
    "heading_link_share": _share(
        "the heading above is a link", "the heading above has a link", "the heading above is no link"
    ),
}  # fmt: skip
#: Positions are shares or signed distances; all of them say where the block is.
_POSITIONS: Final = frozenset({"block_position", "text_position", "h1_distance", "title_distance"})
_LEVEL_WORDS: Final[dict[str, Callable[[float], str]]] = {
    "size": _rate("has much text", "has little text", 100),
    "blocks": _rate("has many blocks", "has few blocks", 12),
    "mean_size": _rate("has long blocks", "has short blocks", 12),
    "density": _rate("has much text for its tags", "has little text for its tags", 25),
    "similar_siblings": _rate("is one of many that look alike", "has few like it beside it", 3),
    "share_of_page": _rate("is a large part of the page", "is a small part of the page", 0.3),
    "link_share": _share("is mostly links", "has some links", "has no links"),
    "stop_rate": _rate("has sentences", "has few sentences", 0.03),
    "paragraph_share": _share("is mostly paragraphs", "has some paragraphs", "has no paragraphs"),
}
_PAGE_SHARES: Final = {
    "page_link_share": "is links",
    "page_paragraph_share": "is paragraphs",
    "page_long_share": "is in long blocks",
    "page_template_share": "is in blocks that look alike",
}
_PAGE_WORDS: Final[dict[str, Callable[[float], str]]] = {
    "page_blocks": lambda value: f"the page has {value:.0f} blocks",
    "page_size": lambda value: f"the page has about {value:.0f} words",
    "page_stop_rate": _rate("the page has short sentences", "the page has few sentences", 0.04),
    "path_known": _flag("the page declares its URL", "the page does not declare its URL"),
    "path_segments": _count("the page's URL has one part", "the page's URL has {} parts", "the page is a home page"),
    "path_date": _flag("the page's URL has a year", "the page's URL has no year"),
    "path_slug": _count(
        "the page's URL ends with one word", "the page's URL ends with {} words", "the page's URL ends with no words"
    ),
}
_LEVELS: Final = ("the element around it", "the next larger part", "a larger part around it", "most of the page")


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


def value_of(feature: str, stored: float) -> float:
    """Return what was measured, from the value in the matrix, which may be a logarithm."""
    return float(np.expm1(stored)) if SCHEMA[COLUMN[feature]].log else float(stored)


def describe(feature: str, stored: float, page: Page, block: int) -> str | None:
    """Return what the value of a feature says about a block; None if it says nothing that a person would see.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=related-posts><a href=/>Tea</a></div>")
    >>> describe("link_share", 0.9, page, 0), describe("near:related", 1.0, page, 0)
    ('most of its words are links', 'stands in an element called “related-posts”')
    """
    value = value_of(feature, stored)
    if feature in _WORDS:
        return _WORDS[feature](value)
    if feature in _POSITIONS:
        place = (block + 0.5) / max(len(page.blocks), 1)
        third = "first" if place < 1 / 3 else "second" if place < 2 / 3 else "last"
        return f"it is in the {third} third of the page"
    name, _, level = feature.partition("@")
    if level:
        if name == "position":
            where = "early" if value < 1 / 3 else "late" if value > 2 / 3 else "midway"
            return f"it is {where} in the part around it"
        return f"{_LEVELS[min(int(level), len(_LEVELS) - 1)]} {_LEVEL_WORDS[name](value)}"
    return _describe_family(feature, value, page, block)


def _describe_family(feature: str, value: float, page: Page, block: int) -> str | None:
    """Return the words for features that say what is there: elements, names, declarations."""
    family, _, member = feature.partition(":")
    if family == "page" or not member:
        return _page_words(feature, value)
    if value <= 0:
        return None
    match family:
        case "container":
            words = f"it is the text of <{page.tag_name(int(page.blocks.container[block])) or member}>"
        case "ancestor":
            words = f"it is inside <{member}>"
        case "declares":
            words = f"the page declares itself as {member}"
        case "path":
            words = f"the page's URL speaks for {member}"
        case _:
            found = find_name(page, block, member, near=family == "near")
            words = f"stands in an element {f'called “{found}”' if found else f'with a {member} name'}"
    return words


def _page_words(feature: str, value: float) -> str:
    """Return the words for features of the whole page."""
    if feature in _PAGE_SHARES:
        return f"{value:.0%} of the page {_PAGE_SHARES[feature]}"
    if feature in _PAGE_WORDS:
        return _PAGE_WORDS[feature](value)
    return f"the page has {value:.0f} {SCHEMA[COLUMN[feature]].description.partition(',')[0]}"


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
