"""What the elements of a page are called in ``class``, ``id``, ``role`` and ``itemprop``, and evident boilerplate."""

from typing import Any, Final, NamedTuple

from tamis._core.enums import Boilerplate
from tamis._core.loader import core
from tamis._core.names import word_table
from tamis.html import tags
from tamis.html.attributes import KINDS
from tamis.html.words import is_copyright_line
from tamis.page import Page

# Categories of the names that authors give to parts of pages in ``class``, ``id``, ``role`` and ``itemprop``.
#
# These names are conventions of code, the same in every language of the text. Each line has a category and its
# words. A category becomes two features: an ancestor with such a name that is near the block, or one that is far
# from it.

_TABLE: Final = """
nav: nav navbar navigation navi menu menus menubar submenu topnav subnav sidenav megamenu mainmenu tabs tablist tab
header: header head masthead banner topbar top
footer: footer foot contentinfo colophon
sidebar: sidebar side aside rail sidecol complementary widget widgets
content: content contents maincontent article articles story entry hentry prose richtext editorial longform
body: body articlebody entrycontent postbody storybody markdown rte wysiwyg
main: main primary page
text: text txt copy paragraph description desc summary excerpt abstract lead intro dek standfirst teaser deck
title: title headline heading name caption subtitle h1 h2
meta: meta byline author authors dateline date time published timestamp posted info details submitted
post: post posts blogpost message messages topic thread threads reply replies discussion conversation forum bbs
comment: comment comments commentlist respond disqus discuss feedback response responses usercontent
user: user users avatar profile member username nickname poster signature sig bio
vote: vote votes score karma like likes upvote reactions reaction
related: related recommend recommended recommendations more similar also suggested next prev previous read
popular: popular trending latest recent hot top5 mostread newest editors picks
share: share sharing social socials addthis facebook twitter instagram follow pinterest linkedin whatsapp
advert: ad ads advert adverts advertisement advertising sponsor sponsored sponsors promo promotion promotions dfp gpt
newsletter: newsletter subscribe subscription signup mailing optin
cookie: cookie cookies consent gdpr onetrust ccpa
popup: modal popup dialog overlay lightbox tooltip dropdown drawer toast alert notice notification flyout offcanvas
search: search searchbox query autocomplete
filter: filter filters facet facets sort sorting refine refinement
pagination: pagination pager paging paginate pages loadmore
breadcrumb: breadcrumb breadcrumbs crumb crumbs
tag: tag tags tagcloud category categories cat label labels topics keywords badge
list: list lists listing listings items results result grid feed archive collection catalog catalogue index
item: item card cards tile tiles product products row col entryitem listitem cell
price: price prices pricing cost amount sale discount offer offers currency
buy: cart basket buy checkout purchase order quantity qty wishlist addtocart stock shipping delivery
option: option options variant variants swatch swatches size color colour select picker
specification: spec specs specification specifications feature features attributes properties technical
review: review reviews rating ratings stars testimonial testimonials
gallery: gallery carousel slider slideshow slick swiper slide thumbs thumbnail thumbnails
media: image images img photo picture figure video media player audio icon icons svg logo brand
form: form forms input field fields fieldset login signin register contact account
button: button btn buttons cta action actions toolbar controls control toggle
hero: hero jumbotron splash intro billboard
section: section block panel module box container wrapper wrap inner outer holder region area
faq: faq faqs accordion question questions answer answers qa
code: code highlight codehilite sourcecode syntax snippet prettyprint hljs prism pre
toc: toc tableofcontents contentsnav outline onthispage
documentation: doc docs document documentation api reference guide manual help tutorial section1 sphinx
note: note notes warning tip callout admonition important hint
legal: copyright legal disclaimer terms license policy imprint privacy
hidden: hidden hide sr visuallyhidden screenreader offscreen invisible skip noprint print assistive
language: language languages lang locale translate country region
quote: quote blockquote pullquote quoted citation cite
table: table tbl datatable infobox
team: team staff people person employee speaker
event: event events calendar schedule agenda
job: job jobs vacancy career careers position
location: map maps location locations address store stores branch
statistic: stats stat counter count counts number numbers
edit: edit edited editsection revision history source
download: download downloads attachment attachments file files pdf
paywall: paywall premium locked gate subscriberonly
"""

_LINES: Final = [line.split(":") for line in _TABLE.strip().splitlines()]
NAME_CATEGORIES: Final[tuple[str, ...]] = tuple(category for category, _ in _LINES)
#: The category of each word, as an index into `NAME_CATEGORIES`. A word listed twice belongs to the first.
CATEGORY_OF: Final = {
    word: number for number, (_, words) in reversed(list(enumerate(_LINES))) for word in words.split()
}


# `ElementNames`: what the elements of a page are called in ``class``, ``id``, ``role`` and ``itemprop``.

_ITEM_TYPE: Final = KINDS["itemtype"]
_WORDS: Final = word_table(CATEGORY_OF)


class ElementNames(NamedTuple):
    """The names of the elements that contain blocks, and the categories of their words.

    Attributes:
        named: the row of each name. An element may have several.
        name_of: the number of each name.
        first: the categories of name k are ``categories[first[k] : first[k + 1]]``.
        categories: indices into `tamis.sift.names.NAME_CATEGORIES`.
        item_types: the values of ``itemtype`` on the page.
    """

    named: Any
    name_of: Any
    first: Any
    categories: Any
    item_types: list[str]

    def as_tuple(self) -> tuple[Any, Any, Any, Any]:
        """Return the names as the compiled core reads them."""
        return self.named, self.name_of, self.first, self.categories


def read_element_names(page: Page) -> ElementNames:
    """Read the names of a page's elements.

    >>> from tamis.page import parse_page
    >>> names = read_element_names(parse_page("<div class='main-menu x'>Tea"))
    >>> list(names.named), [NAME_CATEGORIES[number] for number in names.categories]
    ([4], ['main', 'nav'])
    """
    class_ids, class_names = page.text_classes
    names = list(class_names)
    named, name_of = core.read_names(page.listed, page.block_ranges[2], class_ids, names)
    categories = core.categorize(names, _WORDS, len(NAME_CATEGORIES))
    _, kinds, values = page.listed
    is_typed = _ITEM_TYPE in kinds
    item_types = [value for kind, value in zip(kinds, values, strict=True) if kind == _ITEM_TYPE] if is_typed else []
    return ElementNames(named, name_of, *categories, item_types)


# Evident boilerplate: menus, footers and notices that need no network.
#
# A third of the blocks of a page are in menus and footers that say what they are: by their tag or name, and because
# they consist of short links. They are left out before features are measured. So a page costs less, and a menu more
# or less changes nothing else: no feature counts what it contains.
#
# On WCXB dev, 0.5 % of the words in these elements are in the gold text, most of them by chance. Leaving them out of
# what the network kept changed the mean F1 of no corpus by more than 0.0002 (docs/lab/sift.md).
#
# Lines with a copyright sign at the very end of a page need no element that says so: on eight corpora, 1.0 % of their
# words are in the gold text. Before other text they may be the source of an article.

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
