"""Lines of text, the name of a page's site, how names are compared, and titles that a program left behind."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.html import tags
from tamis.html.text import hostname, strip_invisible, unescape
from tamis.lazy import lazy_pattern
from tamis.metadata.structured import Sourced, StructuredData, item_types, text_values
from tamis.page import Page

if TYPE_CHECKING:
    from tamis.metadata.source import MetadataSource

# The visible text of an element as one line, and the blocks around the page's heading.

_BUTTON, _BR = tags.IDS["button"], tags.IDS["br"]
_WORD_BREAKS: Final = tags.tag_mask("br img hr").tobytes()  #: elements that separate words without being blocks
_MAX_ROWS: Final = 500  #: rows that are read: titles, names and dates are short
#: Characters of a line. The longest title that WCXB dev labels has 257. Comparing lines costs more than linear
#: time, above all the normalisation of many combining characters.
MAX_LINE_CHARS: Final = 1000
_ICONS: Final = re.compile("[\ue000-\uf8ff]+")  #: private use, which fonts of icons draw
_MAX_RAW_CHARS: Final = 4 * MAX_LINE_CHARS  #: of a line before character references and white space are removed


def inline_text(page: Page, row: int) -> str:
    """Return the text that an element shows, as one line; without its buttons, unless it has nothing else.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<h1>News<br>Product <span hidden>(ad)</span><b>Man</b>agement <button>Copy</button></h1>")
    >>> inline_text(page, int(page.rows_of("h1")[0]))
    'News Product Management'
    """
    stop = min(int(page.end[row]), row + _MAX_ROWS)
    if stop == row + 2 and page.is_text[row + 1] and page.hidden[row + 1] == page.hidden[row]:  # as most are
        return clean_line(row_start(page, row))
    has_button = page.tag[row + 1 : stop].tobytes().find(_BUTTON) >= 0
    return (has_button and _line(page, row, stop, buttons=False)) or _line(page, row, stop, buttons=True)


def _line(page: Page, row: int, stop: int, *, buttons: bool) -> str:
    texts: list[str] = []
    previous_block = row
    button_stop = -1
    tag, is_text, hidden = (column[row:stop].tobytes() for column in (page.tag, page.is_text, page.hidden))
    for inner in range(row, stop):
        if inner < button_stop:
            continue
        if tag[inner - row] == _BUTTON and not buttons and inner > row:
            button_stop = int(page.end[inner])
        elif _WORD_BREAKS[tag[inner - row]]:
            texts.append(" ")
        elif is_text[inner - row] and (not hidden[inner - row] or hidden[0]):
            block = _block_ancestor(page, inner, row)
            texts.append(" " if block != previous_block else "")
            texts.append(row_start(page, inner))
            previous_block = block
    return clean_line("".join(texts))


def row_start(page: Page, row: int) -> str:
    """Return the text of a row and its descendants, cut to the length that a line can have."""
    start = int(page.offset[row])
    return page.text[start : min(int(page.offset[page.end[row]]), start + _MAX_RAW_CHARS)]


def _block_ancestor(page: Page, row: int, top: int) -> int:
    """Return the nearest block-level ancestor of a text row, not above `top`."""
    ancestor = int(page.parent[row])
    while ancestor > top and not tags.BLOCK[page.tag[ancestor]]:
        ancestor = int(page.parent[ancestor])
    return max(ancestor, top)


def blocks_near(page: Page, row: int, before: int, after: int) -> range:
    """Return the indices of the blocks from `before` blocks before a row to `after` blocks after it.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>a<p>b<h1>c</h1><p>d<p>e")
    >>> blocks_near(page, int(page.rows_of("h1")[0]), 1, 2)
    range(1, 4)
    """
    first = int(np.searchsorted(page.blocks.start, row))
    return range(max(first - before, 0), min(first + after, len(page.blocks)))


def block_text(page: Page, block: int) -> str:
    """Return the text of a block as one line, hidden rows included.

    >>> from tamis.page import parse_page
    >>> block_text(parse_page("<p>By <b>Ann</b> Lee<br>Oslo"), 0)
    'By Ann Lee Oslo'
    """
    first, stop = int(page.blocks.start[block]), int(page.blocks.stop[block])
    tag = page.tag[first:stop].tobytes()
    if tag.find(_BR) < 0:
        start = int(page.offset[first])
        return " ".join(page.text[start : min(int(page.offset[stop]), start + _MAX_RAW_CHARS)].split())
    edges = [first, *[first + k for k, number in enumerate(tag) if number == _BR][:_MAX_ROWS], stop]
    pieces = [page.text[page.offset[k] : page.offset[after]] for k, after in pairwise(edges)]
    return " ".join(" ".join(pieces)[:_MAX_RAW_CHARS].split())


def clean_line(text: str) -> str:
    r"""Return a text as one line, without invisible characters, icons and character references.

    Pages escape twice, above all in structured data. A line is cut to `MAX_LINE_CHARS`.

    >>> clean_line("Salt &amp;amp; \u200bpepper \uf0c1\n")
    'Salt & pepper'
    """
    text = text[:_MAX_RAW_CHARS]
    if "&" in text or not text.isascii():
        text = _ICONS.sub(" ", strip_invisible(unescape(unescape(text))))
    return " ".join(text.split())[:MAX_LINE_CHARS].rstrip()


def attr_matches(page: Page, row: int, pattern: re.Pattern[str], names: tuple[str, ...], levels: int) -> bool:
    """Tell whether a pattern matches the named attributes of an element or its ancestors, `levels` elements in all.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div class=comment><p>Tea.")
    >>> row = int(page.rows_of("p")[0])
    >>> [attr_matches(page, row, re.compile("comment"), ("class", "id"), levels) for levels in (1, 2)]
    [False, True]
    """
    for element in (row, *page.ancestors(row, levels - 1)):
        attributes = page.attributes(element)
        if pattern.search(" ".join(attributes.get(name, "") for name in names)):
            return True
    return False


#: What separates a title from the site's name: a sign with space around it, or a bar or an angle without.
SEPARATORS: Final = lazy_pattern(r"\s+[|\-–—·•:»›/~]+\s+|\s*[|»｜ㅣ]\s*")
_PLAIN_SIGNS: Final = str.maketrans("’‘“”–—", "''\"\"--", "®™©")
_NOT_ALNUM: Final = re.compile(r"\W")
_ASCII_SIGNS: Final = bytes(code for code in range(128) if _NOT_ALNUM.match(chr(code)))
MIN_NAME_CHARS: Final = 3  #: letters and digits of a site's name: "co" and "uk" name no site


def normalize(text: str) -> str:
    r"""Return a text without case and marks of ownership, with plain quotes and dashes and single spaces.

    >>> normalize("“Tea™” — it’s")
    '"tea" - it\'s'
    """
    return " ".join(_without_case(text).split())


def _without_case(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PLAIN_SIGNS))
    return text.casefold()


def alnum_key(text: str) -> str:
    """Return the letters and digits of a text, by which names and titles are compared.

    >>> alnum_key("Tea: it’s hot!")
    'teaitshot'
    """
    if text.isascii():  # as most are: deleting bytes is many times faster than a regular expression
        return text.lower().encode().translate(None, _ASCII_SIGNS).decode()
    return _NOT_ALNUM.sub("", _without_case(text))


def site_names(site: str | None, url: str | None) -> frozenset[str]:
    """Return the keys of a site's possible names: its name and the parts of its host.

    >>> sorted(site_names("The Kettle", "https://www.kettle.example.org/tea"))
    ['example', 'kettle', 'kettleexample', 'kettleexampleorg', 'org', 'thekettle']
    """
    host = hostname(url, strip_www=True)
    names = (site or "", host, host.rpartition(".")[0], *host.split("."))
    return frozenset(key for key in map(alnum_key, names) if len(key) >= MIN_NAME_CHARS)


def is_site_name(text: str, names: frozenset[str], *, strict: bool = False) -> bool:
    """Return whether a part of a title is one of a site's names, little more than one, or inside one.

    >>> is_site_name("Kettle Blog", frozenset({"kettle"})), is_site_name("How to brew tea", frozenset({"kettle"}))
    (True, False)
    """
    key = alnum_key(text)
    return bool(key) and any(
        key == name
        or (not strict and name in key and len(key) < 2 * len(name))
        or (key in name and len(key) > MIN_NAME_CHARS)
        for name in names
    )


def strip_site_name(title: str, names: frozenset[str]) -> str:
    """Return a title without the site's name before or after it.

    >>> strip_site_name("News | Brew tea - The Kettle", frozenset({"thekettle"}))
    'News | Brew tea'
    >>> strip_site_name("The Kettle", frozenset({"thekettle"}))
    'The Kettle'
    """
    return strip_ends(
        title, lambda part: is_site_name(part, names), lambda part: is_site_name(part, names, strict=True)
    )


def strip_ends(title: str, is_cut: Callable[[str], bool], is_cut_before: Callable[[str], bool] | None = None) -> str:
    """Return a title without those parts at its end and at its beginning that are to be cut; one part always stays.

    >>> strip_ends("Home | News | Brew tea - Home", lambda part: part == "Home")
    'News | Brew tea'
    """
    separators = list(SEPARATORS.finditer(title))
    first, last = 0, len(separators)  # the parts from `first` to `last` stay
    while first < last:
        start = separators[first - 1].end() if first else 0
        stop = separators[last].start() if last < len(separators) else len(title)
        if is_cut(title[separators[last - 1].end() : stop]):
            last -= 1
        elif (is_cut_before or is_cut)(title[start : separators[first].start()]):
            first += 1
        else:
            break
    start = separators[first - 1].end() if first else 0
    return title[start : separators[last].start() if last < len(separators) else len(title)]


#: What template languages write around a variable: ``{{x}}``, ``{% x %}``, ``<%= x %>``, ``${x}``, ``[[x]]``.
_TEMPLATE: Final = lazy_pattern(
    r"\{\{[^{}]*\}\}|\{%[^{}%]*%\}|<%[^<>%]*%>|[$#]\{[^{}]*\}|\[\[[^\[\]]*\]\]|%%?\w+%%?|\{[\w.]+\}"
)
_TEMPLATE_SIGNS: Final = frozenset("{%[")  #: each has one of these
#: The name of a variable instead of its value: "page.head.extra.author".
_VARIABLE: Final = lazy_pattern(r"(?:page|site|post|article|user|item|entry|data|this|props|node)(?:\.[a-z_]\w*)+")
#: Titles of pages that were not given one, in the languages of the web.
_UNTITLED: Final = frozenset(
    alnum_key(title)
    for title in (
        "Home", "Homepage", "Home page", "Main page", "Front page", "Index", "Default", "Untitled",
        "Untitled document", "Untitled page", "No title", "Document", "New page", "Page title", "Title", "undefined",
        "null", "none", "NaN",
        "Loading...", "Startseite", "Start", "Accueil", "Inicio", "Início", "Página inicial", "Página de inicio",
        "Homepagina", "Hem", "Hjem", "Forside", "Etusivu", "Strona główna", "Úvod", "Főoldal", "Acasă", "Anasayfa",
        "Главная", "Главная страница", "Головна", "首页", "首頁", "主页", "ホーム", "トップページ", "홈",
    )
)  # fmt: skip
_COUNTER: Final = lazy_pattern(r"\s*[(\[]\d{1,4}\+?[)\]]\s*")


def is_template_text(text: str) -> bool:
    """Return whether a text is nothing but variables of a template.

    >>> is_template_text("{{ site.name }}"), is_template_text("page.title"), is_template_text("Using {{ x }} in Vue")
    (True, True, False)
    """
    if "." in text and _VARIABLE.fullmatch(text.strip()):
        return True
    return not alnum_key(text if _TEMPLATE_SIGNS.isdisjoint(text) else _TEMPLATE.sub("", text))


def is_placeholder(title: str) -> bool:
    """Return whether a title says nothing about its page: "Home", "Untitled", a variable, signs alone.

    >>> is_placeholder("Home"), is_placeholder("${title}"), is_placeholder("Home baking")
    (True, True, False)
    """
    return is_template_text(title) or alnum_key(title) in _UNTITLED


def strip_placeholders(title: str) -> str:
    """Return a declared title without those parts that say nothing about its page, or an empty string.

    >>> strip_placeholders("Tea | {{site.name}}"), strip_placeholders("Home - The Kettle"), strip_placeholders("Home")
    ('Tea', 'The Kettle', '')
    """
    if is_placeholder(title):
        return ""
    return strip_ends(title, is_placeholder)


def strip_counter(title: str, shown: set[str]) -> str:
    """Return a title without the number of unread messages before it.

    A number that a heading of the page has too is part of the title. `shown` has the keys of the headings.

    >>> strip_counter("(4) Tea", {"tea"}), strip_counter("(500) Days of tea", {"500daysoftea"})
    ('Tea', '(500) Days of tea')
    """
    counter = _COUNTER.match(title)
    if counter is None or alnum_key(title) in shown:
        return title
    return title[counter.end() :] or title


# The name of the site that a page belongs to.

_MAX_SITE_CHARS: Final = 120  #: a longer text is not a name
#: An account, a URL, or the initials of a section's name: "@politifact", "http://www.tmz.com", "U.S".
_NOT_A_SITE: Final = lazy_pattern(r"@|https?:|www\.|//|(?:[A-Za-z]\.)+[A-Za-z]?\.?$|\W*$", re.IGNORECASE)


def find_site(structured: StructuredData, url: str | None) -> Sourced[str] | None:
    """Return the name of the site, or the host of the URL if the page does not name its site.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> page = parse_page("<meta property=og:site_name content='Kettle | All about tea'>")
    >>> find_site(read_structured(page), None)
    Sourced(value='Kettle', source='og:site_name')
    """
    return next(_sites(structured, url), None)


def find_sites(source: "MetadataSource") -> Iterator[Sourced[str]]:
    """Yield the names of the site, the most trusted first."""
    yield from [source.site] if source.site else []
    yield from _sites(source.structured, source.url)


def find_publishers(source: "MetadataSource") -> Iterator[Sourced[str]]:
    """Yield the names of the organisation that publishes the page."""
    structured = source.structured
    for candidate in (
        *structured.json_ld_texts("publisher", "sourceOrganization", "copyrightHolder"),
        *structured.metas(
            "citation_publisher", "dc.publisher", "dcterms.publisher", "publisher", "article:publisher"
        ),
    ):
        if name := _name(candidate.value):
            yield Sourced(name, candidate.source)


def _sites(structured: StructuredData, url: str | None) -> Iterator[Sourced[str]]:
    for candidate in _candidates(structured):
        if name := _name(candidate.value):
            yield Sourced(name, candidate.source)
    page = structured.page
    links = [page.attributes(row)["href"] for row in page.select("link[rel~='canonical' i][href]")[:1]]
    declared = [*links, *(value.value for value in structured.metas("og:url"))]
    for address, source in ((url, "url"), *((link, "canonical") for link in declared)):
        host = hostname(address, strip_www=True)
        if host:
            yield Sourced(host, source)


def _name(text: str) -> str:
    """Return the name of a site without its motto, or an empty string for an account, a URL or a piece of one.

    >>> _name("Kettle | All about tea"), _name("@kettle"), _name("https://kettle.example"), _name("U.S")
    ('Kettle', '', '', '')
    """
    name = clean_line(text).split(" | ")[0].strip(" -–—|:·.")  # a motto follows the bar
    if len(name) > _MAX_SITE_CHARS or is_template_text(name) or _NOT_A_SITE.match(name):
        return ""
    return name


def _candidates(structured: StructuredData) -> Iterator[Sourced[str]]:
    """Yield the names that a page gives its site, the most trusted source first."""
    yield from structured.metas("og:site_name")
    for item in structured.items:
        if "website" in item_types(item):
            for name in text_values(item.get("name")):
                yield Sourced(name, "json-ld WebSite")
    yield from structured.json_ld_texts("publisher", "sourceOrganization")
    yield from structured.metas("application-name", "apple-mobile-web-app-title", "dc.publisher")
