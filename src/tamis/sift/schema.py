"""The feature schema: the name and meaning of each column of the feature matrix, in the order of the columns.

`COLUMN` maps a name to its column. The loops that fill the matrix, the weights files and the training look columns up
by name, so that no column number is written anywhere.
"""

from itertools import groupby
from types import MappingProxyType
from typing import Final, NamedTuple

from tamis._core.levels import LEVELS

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


class Feature(NamedTuple):
    """One column of the feature matrix.

    Attributes:
        name: the name, unique in the schema.
        description: what is measured.
        log: whether the matrix holds the logarithm: ``log(1 + value)``.
    """

    name: str
    description: str
    log: bool = False


#: Families of elements that a block may be contained in. A family is named after its first tag.
CONTAINERS: Final = (
    "p", "li", "td th", "h1", "h2", "h3", "h4 h5 h6", "div", "section article main", "dt dd", "blockquote", "pre",
    "figcaption caption", "option select optgroup", "header footer nav aside", "form fieldset legend", "body",
    "summary details", "ul ol dl table tr tbody", "address center",
)  # fmt: skip
#: Elements counted among the ancestors of a block. The tags that lay out pages of the 2000s (``table``, ``td``,
#: ``font``, ``center``) are left out: on today's pages, which the training data has, they mean something else.
ANCESTORS: Final = (
    "article", "main", "nav", "header", "footer", "aside", "section", "form", "ul", "ol", "dl", "figure",
    "blockquote", "details", "pre", "a", "button", "p", "h1", "h2", "h3", "code", "noscript", "dialog", "hgroup",
    "time", "label",
)  # fmt: skip
#: The page types, in the order of the networks' outputs (the seven of WCXB).
PAGE_TYPES: Final = ("article", "forum", "product", "collection", "listing", "documentation", "service")

_TEXT: Final = (
    Feature("size", "estimated number of words, comparable across scripts", log=True),
    Feature("words", "runs of characters without white space", log=True),
    Feature("text_nodes", "shown text nodes", log=True),
    Feature("links", "a elements", log=True),
    Feature("line_breaks", "br elements", log=True),
    Feature("images", "img elements", log=True),
    Feature("form_fields", "input, button, select, textarea, label and option elements", log=True),
    Feature("repeats", "other blocks with the same text, for blocks of at most 60 characters", log=True),
    Feature("link_share", "share of the non-space characters that are in links"),
    Feature("stop_rate", "characters that end a sentence, per word"),
    Feature("comma_rate", "commas, colons and semicolons, per word"),
    Feature("punctuation_share", "share of other punctuation"),
    Feature("digit_share", "share of digits"),
    Feature("uppercase_share", "share of uppercase letters"),
    Feature("symbol_share", "share of symbols"),
    Feature("ideograph_share", "share of ideographs, kana and hangul"),
    Feature("word_length", "non-space characters per word, at most 30"),
    Feature("starts_uppercase", "the first character is an uppercase letter"),
    Feature("starts_digit", "the first character is a digit"),
    Feature("starts_punctuation", "the first character is punctuation or a symbol"),
    Feature("ends_stop", "the last character ends a sentence"),
    Feature("ends_punctuation", "the last character is other punctuation or a symbol"),
    Feature("all_links", "at least nine tenths of the characters are in links"),
    Feature("is_short", "the size is below four"),
    Feature("bold_share", "share of the characters directly in b or strong"),
    Feature("in_metadata", "the page's metadata contains how this long block begins"),
    Feature("quotes_earlier", "this long block begins or ends as an earlier one does"),
    Feature("in_panel", "the block is in a collapsed panel, which a click shows"),
)
_CONTAINER: Final = tuple(
    Feature(f"container:{tags.split()[0]}", f"the block's container is one of: {tags}") for tags in CONTAINERS
)
_ANCESTOR: Final = tuple(Feature(f"ancestor:{tag}", f"{tag} elements above the text, at most 2") for tag in ANCESTORS)
_NEAR: Final = tuple(
    Feature(f"near:{category}", f"ancestors of at most 4 blocks with a {category} name, at most 2")
    for category in NAME_CATEGORIES
)
_FAR: Final = tuple(
    Feature(f"far:{category}", f"ancestors of more than 4 blocks with a {category} name, at most 2")
    for category in NAME_CATEGORIES
)
_LEVEL: Final = tuple(
    Feature(f"{name}@{level}", f"{description}, at level {level}", log)
    for name, description, log in (
        ("size", "size of all blocks", True),
        ("blocks", "number of blocks", True),
        ("mean_size", "mean size of a block", True),
        ("density", "non-space characters per element that draws something", True),
        ("similar_siblings", "siblings with the same tag and class", True),
        ("share_of_page", "share of the page's size", False),
        ("link_share", "share of the non-space characters that are in links", False),
        ("stop_rate", "characters that end a sentence, per word", False),
        ("position", "the block's index among all blocks, from 0 to 1", False),
        ("paragraph_share", "share of the size that is in p, blockquote or pre", False),
    )
    for level in range(LEVELS)
)
_STRUCTURE: Final = (
    Feature("template_blocks", "blocks with the same tags and classes in three generations", log=True),
    Feature("template_size", "mean size of those blocks", log=True),
    Feature("template_link_share", "share of their non-space characters that are in links"),
    Feature("blocks_before_prose", "distance in blocks to the start of the element with the most prose", log=True),
    Feature("blocks_after_prose", "distance in blocks from its end", log=True),
    Feature("in_prose", "the block is in that element"),
    Feature("levels_to_prose", "the lowest level whose ancestor contains that element"),
    Feature("prose_share", "share of the page's prose that is in that element"),
    Feature("depth", "depth of the container, as if the innermost element with all blocks were the body"),
    Feature("article_share", "size of the innermost article element around the block, relative to the largest one"),
    Feature("article_number", "its number among the article elements, in document order", log=True),
)
_POSITION: Final = (
    Feature("size_since_heading", "size of the blocks since the last heading", log=True),
    Feature("size_since_title", "size of the blocks since the block that matches the title best", log=True),
    Feature("block_position", "share of the page's blocks before this one"),
    Feature("text_position", "share of the page's size before this block"),
    Feature("heading_level", "level of the last heading, 0 before the first"),
    Feature("has_h1", "the page has an h1 block"),
    Feature("after_h1", "the block is after the first h1"),
    Feature("h1_distance", "distance in blocks from the first h1, within 60"),
    Feature("title_match", "overlap of the block's words with those of the page's title"),
    Feature("best_title_match", "the largest such overlap on the page"),
    Feature("after_title", "the block is after the one that matches the title best"),
    Feature("title_distance", "distance in blocks from that block, within 60"),
    Feature("heading_title_match", "overlap of the last heading with the page's title"),
    Feature("heading_link_share", "share of the last heading's non-space characters that are in links"),
)
_PAGE: Final = (
    Feature("page_blocks", "blocks of the page", log=True),
    Feature("page_size", "size of the page", log=True),
    Feature("page_h2", "h2 elements", log=True),
    Feature("page_images", "img elements", log=True),
    Feature("page_forms", "form elements", log=True),
    Feature("page_list_items", "li elements", log=True),
    Feature("page_cells", "td elements", log=True),
    Feature("page_h3", "h3 elements", log=True),
    Feature("page_articles", "article elements", log=True),
    Feature("page_times", "time elements", log=True),
    Feature("page_code", "pre elements", log=True),
    Feature("page_linked_headings", "headings that are links", log=True),
    Feature("page_prices", "currency signs", log=True),
    Feature("page_h1", "h1 elements, at most 3"),
    Feature("page_link_share", "share of the page's non-space characters that are in links"),
    Feature("page_paragraph_share", "share of the page's size that is directly in p elements"),
    Feature("page_stop_rate", "characters that end a sentence, per word of the page"),
    Feature("page_long_share", "share of the page's size in blocks of more than 30 words"),
    Feature("page_template_share", "share of the page's size in blocks whose template repeats five times or more"),
)
_DECLARATION: Final = (
    *(
        Feature(f"declares:{page_type}", f"structured data or generator speak for the page type {page_type}")
        for page_type in PAGE_TYPES
    ),
    *(
        Feature(f"path:{page_type}", f"words of the canonical URL speak for the page type {page_type}")
        for page_type in PAGE_TYPES
    ),
    Feature("path_known", "the page declares its canonical URL"),
    Feature("path_segments", "segments of its path", log=True),
    Feature("path_date", "the path has a year"),
    Feature("path_slug", "words of the last segment", log=True),
)

SCHEMA: Final = (
    *_TEXT, *_CONTAINER, *_ANCESTOR, *_NEAR, *_FAR, *_LEVEL, *_STRUCTURE, *_POSITION, *_PAGE, *_DECLARATION
)  # fmt: skip
#: The names of the columns, in order.
NAMES: Final = tuple(feature.name for feature in SCHEMA)
#: The column of each name.
COLUMN: Final = MappingProxyType({name: column for column, name in enumerate(NAMES)})


def _log_ranges() -> tuple[tuple[int, int], ...]:
    ranges = []
    for log, run in groupby(range(len(SCHEMA)), key=lambda column: SCHEMA[column].log):
        columns = list(run)
        if log:
            ranges.append((columns[0], columns[-1] + 1))
    return tuple(ranges)


#: The columns that hold logarithms, as ranges.
LOG_RANGES: Final = _log_ranges()
