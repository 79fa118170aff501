"""Categories of the names that authors give to parts of pages in ``class``, ``id``, ``role`` and ``itemprop``.

These names are conventions of code, the same in every language of the text. Each line has a category and its words. A
category becomes two features: an ancestor with such a name that is near the block, or one that is far from it.
"""

from typing import Final

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
