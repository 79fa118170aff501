"""Words that authors give to parts of pages in ``class``, ``id``, ``role`` and ``itemprop``.

These are conventions of code, the same in every language of the text. Each line is one notion and its spellings; a
notion becomes two features: an element of that name right around a block, or somewhere above it.
"""

from typing import Final

_NOTIONS: Final = """
nav: nav navbar navigation navi menu menus menubar submenu topnav subnav sidenav megamenu mainmenu tabs tablist tab
header: header head masthead banner topbar top
footer: footer foot bottom contentinfo colophon
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
cookie: cookie cookies consent gdpr privacy onetrust ccpa
popup: modal popup dialog overlay lightbox tooltip dropdown drawer toast alert notice notification flyout offcanvas
search: search searchbox query autocomplete
filter: filter filters facet facets sort sorting refine refinement
page_of: pagination pager paging paginate pages loadmore
crumb: breadcrumb breadcrumbs crumb crumbs
tag: tag tags tagcloud category categories cat label labels topics keywords badge
list: list lists listing listings items results result grid feed archive collection catalog catalogue index
item: item card cards tile tiles product products row col entryitem listitem cell
price: price prices pricing cost amount sale discount offer offers currency
buy: cart basket buy checkout purchase order quantity qty wishlist addtocart stock shipping delivery
option: option options variant variants swatch swatches size color colour select picker
spec: spec specs specification specifications feature features attributes properties technical
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
doc: doc docs document documentation api reference guide manual help tutorial section1 sphinx
note: note notes warning tip callout admonition important hint
legal: copyright legal disclaimer terms license policy imprint
hide: hidden hide sr visuallyhidden screenreader offscreen invisible skip noprint print assistive
lang: language languages lang locale translate country region
quote: quote blockquote pullquote quoted citation cite
table: table tbl datatable infobox
team: team staff people person employee speaker
event: event events calendar schedule agenda
job: job jobs vacancy career careers position
place: map maps location locations address store stores branch
stat: stats stat counter count counts number numbers
edit: edit edited editsection revision history source
download: download downloads attachment attachments file files pdf
login_wall: paywall premium locked gate subscriberonly
"""

NOTIONS: Final[tuple[str, ...]] = tuple(line.split(":")[0] for line in _NOTIONS.strip().splitlines())


#: The number of the notion of each word.
SPELLINGS: Final = {
    word: number
    # The first notion of a word wins.
    for number, line in reversed(list(enumerate(_NOTIONS.strip().splitlines())))
    for word in line.split(":")[1].split()
}
