"""The name of a page's site, how names and titles are compared, and titles that a program left behind."""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from tamis.html.urls import hostname
from tamis.lazy import lazy_pattern
from tamis.metadata.inline_text import clean_line
from tamis.metadata.structured import Sourced, StructuredData, item_types, text_values

if TYPE_CHECKING:
    from tamis.metadata.source import MetadataSource

#: What separates a title from the site's name: a sign with space around it, or a bar or an angle without.
SEPARATORS: Final = lazy_pattern(r"\s+[|\-–—·•:»›/~]+\s+|\s*[|»｜ㅣ]\s*")
_PLAIN_SIGNS: Final = str.maketrans("’‘“”–—", "''\"\"--", "®™©")
_NOT_ALNUM: Final = re.compile(r"\W")
MIN_NAME_CHARS: Final = 3  #: letters and digits of a site's name: "co" and "uk" name no site


def normalize(text: str) -> str:
    r"""Return a text without case and marks of ownership, with plain quotes and dashes and single spaces.

    >>> normalize("“Tea™” — it’s")
    '"tea" - it\'s'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_PLAIN_SIGNS))
    return " ".join(text.casefold().split())


def alnum_key(text: str) -> str:
    """Return the letters and digits of a text, by which names and titles are compared.

    >>> alnum_key("Tea: it’s hot!")
    'teaitshot'
    """
    return _NOT_ALNUM.sub("", normalize(text))


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
    return bool(_VARIABLE.fullmatch(text.strip())) or not alnum_key(_TEMPLATE.sub("", text))


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
