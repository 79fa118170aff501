"""Words for features and elements: what a measurement says about a block, as a person would put it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis._core.features import NEAR_BLOCKS
from tamis.html.text import is_copyright_line
from tamis.page import ELEMENT, Page
from tamis.sift.schema import CATEGORY_OF, COLUMN, NAME_CATEGORIES, NAMES, SCHEMA

# Groups of features: the evidence about a block, in the parts that a person would name.


@dataclass(frozen=True, slots=True)
class Group:
    """A group of features.

    Attributes:
        name: the name in data.
        title: what it is called on pages.
        subject: what it is called in a sentence about a block.
    """

    name: str
    title: str
    description: str
    subject: str


#: The groups of a block's own features, in the order of the players (see `tamis.sift.contributions`).
OWN_GROUPS: Final = (
    Group("length", "Length", "how many words the block has, and how long they are", "its length"),
    Group("links", "Links", "how much of the block is links", "its links"),
    Group(
        "sentences",
        "Sentences",
        "punctuation, capitals, digits, bold text; how the block begins and ends",
        "its sentences",
    ),
    Group("repetition", "Repetition", "whether its text or its template is there several times", "its repetition"),
    Group(
        "elements", "Elements", "the tags that the block is in, and what is beside its text", "the elements around it"
    ),
    Group("names", "Names", "what class, id, role and itemprop of the elements around it say", "the names around it"),
    Group(
        "part",
        "Part of the page",
        "how much prose, and how many links, the parts of the page around it have",
        "the parts of the page around it",
    ),
    Group(
        "place",
        "Place",
        "where the block is, seen from the title, the headings and the start of the page",
        "its place",
    ),
    Group("page", "Page", "what the page as a whole has, and what it declares about itself", "the page as a whole"),
)
AROUND: Final = Group(
    "around", "Neighbours", "how likely the blocks before and after it, and the rest, look", "its neighbours"
)
SITE: Final = Group("site", "Site", "what was learned about the site (see docs/sites.md)", "the profile of the site")
GROUPS: Final = (*OWN_GROUPS, AROUND, SITE)

_MEMBERS: Final = {
    "length": "size words text_nodes word_length is_short ideograph_share",
    "links": "links link_share all_links template_link_share",
    "sentences": "stop_rate comma_rate punctuation_share digit_share uppercase_share symbol_share starts_uppercase "
    "starts_digit starts_punctuation ends_stop ends_punctuation bold_share line_breaks",
    "repetition": "repeats quotes_earlier in_metadata template_blocks template_size",
    "elements": "images form_fields in_panel depth",
    "part": "blocks_before_prose blocks_after_prose in_prose levels_to_prose prose_share article_share "
    "article_number",
    "place": "size_since_heading size_since_title block_position text_position heading_level has_h1 after_h1 "
    "h1_distance title_match best_title_match after_title title_distance heading_title_match heading_link_share",
}
_PREFIXES: Final = {
    "container": "elements",
    "ancestor": "elements",
    "near": "names",
    "far": "names",
    "declares": "page",
    "path": "page",
}
_GROUP_OF: Final = {feature: group for group, features in _MEMBERS.items() for feature in features.split()}


def group_of(feature: str) -> str:
    """Return the name of the group of a feature.

    >>> group_of("link_share"), group_of("near:related"), group_of("density@2"), group_of("page_h2")
    ('links', 'names', 'part', 'page')
    """
    if feature in _GROUP_OF:
        return _GROUP_OF[feature]
    if "@" in feature:
        return "part"
    prefix = feature.partition(":")[0].partition("_")[0]
    return "page" if prefix == "page" else _PREFIXES[prefix]


#: The columns of each group of own features, in the order of `OWN_GROUPS`.
GROUP_COLUMNS: Final = tuple(
    tuple(column for column, name in enumerate(NAMES) if group_of(name) == group.name) for group in OWN_GROUPS
)


# Words for features: what a measurement says about a block, as a person would put it.

_MANY: Final = 5  #: of things that are many
_MOST, _SOME, _FEW = 0.5, 0.1, 0.02  # shares


def _count(one: str, many: str, none: str) -> Callable[[float], str]:
    return lambda value: none if value < 1 else one if value < 2 else many.format(round(value))  # noqa: PLR2004


def _share(most: str, some: str, none: str) -> Callable[[float], str]:
    return lambda value: most if value > _MOST else some if value > _FEW else none


def _flag(yes: str, no: str) -> Callable[[float], str]:
    return lambda value: yes if value > 0 else no


def _rate(many: str, few: str, limit: float = _SOME) -> Callable[[float], str]:
    return lambda value: many if value > limit else few


def _others(count: float) -> str:
    return _count("one other block looks like it", "{} other blocks look like it", "no other block looks like it")(
        count
    )


_WORDS: Final[dict[str, Callable[[float], str]]] = {
    "size": lambda value: "it is long" if value > 40 else "it is short" if value < 10 else "it is of middle length",  # noqa: PLR2004
    "words": _count("it has one word", "it has {} words", "it has no word"),
    "text_nodes": _count("its text is one piece", "its text is in {} pieces", "it has no text"),
    "word_length": _rate("its words are long", "its words are short", 8),
    "is_short": _flag("it is short", "it is not very short"),
    "ideograph_share": _share("it is written in ideographs", "some of it is in ideographs", "it has no ideographs"),
    "links": _count("it has a link", "it has {} links", "it has no links"),
    "link_share": _share("most of its words are links", "some of its words are links", "it has no linked words"),
    "all_links": _flag("all of it is a link", "it is not only a link"),
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
    "starts_punctuation": _flag("it begins with a punctuation mark or symbol", "it begins with a letter or digit"),
    "ends_stop": _flag("it ends as a sentence does", "it does not end as a sentence does"),
    "ends_punctuation": _flag("it ends with a comma, bracket, symbol or the like", ""),
    "bold_share": _share("most of it is bold", "some of it is bold", "it is not bold"),
    "line_breaks": _count("it has a line break", "it has {} line breaks", "it has no line breaks"),
    "repeats": _count(
        "another block has the same text", "{} other blocks have the same text", "no other block has the same text"
    ),
    "quotes_earlier": _flag("it begins or ends as an earlier block does", "it repeats no earlier block"),
    "in_metadata": _flag("the page's metadata has its beginning", "the page's metadata does not have its beginning"),
    "template_blocks": lambda value: _others(value - 1),
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
    "article_share": lambda value: (
        "it is in a large article element" if value > _MOST
        else "it is in a small article element" if value > 0 else "it is in no article element"
    ),
    "article_number": _count(
        "it is in the first article element", "it is in article element {}", "it is in no article element"
    ),
    "size_since_heading": _count(
        "its heading begins one word before it", "its heading begins {} words before it",
        "its heading is just above it",
    ),
    "size_since_title": _count(
        "the headline begins one word before it", "the headline begins {} words before it",
        "it is not below the headline"
    ),
    "heading_level": _count("the heading above is an h1", "the heading above is an h{}", "no heading is above it"),
    "has_h1": _flag("the page has an h1", "the page has no h1"),
    "after_h1": _flag("it is below the h1", "it is above the h1"),
    "title_match": _rate("it has the words of the page's title", "it is not the page's title", 0.3),
    "best_title_match": _rate("the page shows its title", "the page does not show its title", 0.3),
    "after_title": _flag("it is below the headline", "it is above the headline"),
    "heading_title_match": _rate("the heading above is the headline", "the heading above is not the headline", 0.3),
    "heading_link_share": _share(
        "the heading above is a link", "the heading above has a link", "the heading above is not a link"
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
    "page_link_share": "is in links",
    "page_paragraph_share": "is in paragraphs",
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
_CALLED: Final = "stands in an element called "
_LEVELS: Final = (
    "the element around it", "the next larger part", "a larger part around it", "a much larger part around it"
)  # fmt: skip
_COUNTED_ONE: Final = (("elements", "element"), ("signs", "sign"), ("headings that are links", "linked heading"))
_MAX_COUNTED: Final = {"page_h1": 3}  # features that are counted no further
#: Features of the last heading before a block; a heading is the last one itself.
_HEADING: Final = frozenset({"size_since_heading", "heading_level", "heading_title_match", "heading_link_share"})
_HEADING_CONTAINERS: Final = tuple(COLUMN[f"container:{tag}"] for tag in ("h1", "h2", "h3", "h4"))
_TITLE: Final = frozenset({"after_title", "title_distance", "size_since_title"})
_CASE: Final = frozenset({"starts_uppercase", "uppercase_share"})
_SPACED_WORDS: Final = frozenset({"words", "word_length"})
#: Measured of long blocks alone, so that 0 says nothing of the others.
_LONG_ONLY: Final = frozenset({"quotes_earlier", "in_metadata"})
_MAX_REPEATED: Final = 60  #: characters of a block that is compared with all others


def value_of(feature: str, stored: float) -> float:
    """Return what was measured, from the value in the matrix, which may be a logarithm."""
    return float(np.expm1(stored)) if SCHEMA[COLUMN[feature]].log else float(stored)


def is_telling(feature: str, row: npt.NDArray[np.float32], page: Page, block: int) -> bool:  # noqa: PLR0911 (a list)
    """Return whether a feature of a block says something true in words, seen beside the block's other features.

    A page without an h1 has no block above it, a heading is not below itself, and Arabic has no capitals.

    >>> from tamis.sift.features import measure
    >>> from tamis.page import parse_page
    >>> page = parse_page("<h2>Tea</h2><p>Boil the water.</p>")
    >>> rows = measure(page).matrix
    >>> [is_telling("heading_level", rows[block], page, block) for block in (0, 1)]
    [False, True]
    >>> is_telling("after_h1", rows[1], page, 1)
    False
    """

    def value(name: str) -> float:
        return float(row[COLUMN[name]])

    if feature in _HEADING:
        return value("heading_level") > 0 and not row[list(_HEADING_CONTAINERS)].any()
    if feature in {"after_h1", "h1_distance"}:
        return value("has_h1") > 0 and value("h1_distance") != 0
    if feature in _TITLE:
        return value("best_title_match") > 0 and value("title_distance") != 0
    if feature in _SPACED_WORDS:
        return value("ideograph_share") <= _MOST
    if feature in _LONG_ONLY or feature == "ends_punctuation":
        return value(feature) > 0
    blocks = page.blocks
    if feature in _CASE:
        text = page.text[page.offset[blocks.start[block]] : page.offset[blocks.stop[block]]]
        return text.upper() != text.lower()
    if feature == "repeats":
        length = int(page.offset[blocks.stop[block]] - page.offset[blocks.start[block]])
        return value(feature) > 0 or length <= _MAX_REPEATED
    family, _, member = feature.partition(":")
    return family != "ancestor" or member != page.tag_name(int(blocks.container[block]))


def describe(feature: str, stored: float, page: Page, block: int) -> str | None:
    """Return what the value of a feature says about a block; None if it says nothing that a person would see.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=related-posts><a href=/>Tea</a></div>")
    >>> describe("link_share", 0.9, page, 0), describe("near:related", 1.0, page, 0)
    ('most of its words are links', 'stands in an element called “related-posts”')
    """
    value = value_of(feature, stored)
    if feature in _WORDS:
        return _WORDS[feature](value) or None
    if feature in _POSITIONS:
        place = (block + 0.5) / max(len(page.blocks), 1)
        third = "first" if place < 1 / 3 else "second" if place < 2 / 3 else "last"
        return f"it is in the {third} third of the page{' without its boilerplate' if page.removed else ''}"
    name, _, level = feature.partition("@")
    if level:
        if name == "position":
            where = "early" if value < 1 / 3 else "late" if value > 2 / 3 else "midway"
            return f"it is {where} in the part around it"
        return f"{_LEVELS[min(int(level), len(_LEVELS) - 1)]} {_LEVEL_WORDS[name](value)}"
    return _describe_family(feature, value, page, block)


def join_phrases(phrases: list[str]) -> str:
    """Return phrases as a list; elements with names are listed together.

    >>> join_phrases([f"{_CALLED}“nav”", f"{_CALLED}“menu”"]), join_phrases(["it is long", "it has 90 words"])
    ('stands in elements called “nav” and “menu”', 'it is long, it has 90 words')
    """
    if len(phrases) > 1 and all(phrase.startswith(_CALLED) for phrase in phrases):
        return f"stands in elements called {' and '.join(phrase.removeprefix(_CALLED) for phrase in phrases)}"
    return ", ".join(phrases)


def _describe_family(feature: str, value: float, page: Page, block: int) -> str | None:
    """Return the words for features that say what is there: elements, names, declarations."""
    family, _, member = feature.partition(":")
    if family == "page" or not member:
        return _page_words(feature, value, "the page without its boilerplate" if page.removed else "the page")
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
            inner = inner_name(page, block, member) if found is None and family == "near" else None
            if inner is not None:
                words = f"has an element called “{inner}”"
            else:
                words = f"{_CALLED}“{found}”" if found else f"stands in an element with a {member} name"
    return words


def _page_words(feature: str, value: float, subject: str) -> str:
    """Return the words for features of the whole page, which is measured without its evident boilerplate.

    >>> [_page_words("page_h2", value, "the page") for value in (0.0, 1.0, 4.0)]
    ['the page has no h2 elements', 'the page has one h2 element', 'the page has 4 h2 elements']
    """
    if feature in _PAGE_SHARES:
        return f"{value:.0%} of {subject} {_PAGE_SHARES[feature]}"
    if feature in _PAGE_WORDS:
        return _PAGE_WORDS[feature](value).replace("the page has", f"{subject} has")
    things, count = SCHEMA[COLUMN[feature]].description.partition(",")[0], round(value)
    if count == 1:
        for many, one in _COUNTED_ONE:
            things = things.replace(many, one)
    or_more = " or more" if count >= _MAX_COUNTED.get(feature, count + 1) else ""
    return f"{subject} has {('no', 'one')[count] if count < 2 else count} {things}{or_more}"  # noqa: PLR2004


# Words for elements: the name that says what an element is, and what evident boilerplate is.

_MAX_ANCESTORS: Final = 60  #: elements around a block that are searched for a name
_MAX_INNER: Final = 200  #: rows of a block that are searched for one
_NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop")
_AFTER_LOWERCASE: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NO_WORD: Final = re.compile(r"[\x00-/:-@\[-`{-\x7f]+")
_MAX_NAME: Final = 40  # characters of a name that are shown
#: What the elements are that `tamis.sift.features` leaves out: by their tags, and by the categories of their
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
    if not is_element or is_copyright_line(page.text[page.offset[start] : page.offset[stop]]):
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
