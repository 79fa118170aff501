"""Titles and names that a program left behind: "Home", "(4) Inbox", ``{{site.name}}``."""

import re
from typing import Final

from tamis.metadata.site_names import alnum_key, strip_ends

#: What template languages write around a variable: ``{{x}}``, ``{% x %}``, ``<%= x %>``, ``${x}``, ``[[x]]``.
_TEMPLATE: Final = re.compile(
    r"\{\{[^{}]*\}\}|\{%[^{}%]*%\}|<%[^<>%]*%>|[$#]\{[^{}]*\}|\[\[[^\[\]]*\]\]|%%?\w+%%?|\{[\w.]+\}"
)
#: The name of a variable instead of its value: "page.head.extra.author".
_VARIABLE: Final = re.compile(r"(?:page|site|post|article|user|item|entry|data|this|props|node)(?:\.[a-z_]\w*)+")
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
_COUNTER: Final = re.compile(r"\s*[(\[]\d{1,4}\+?[)\]]\s*")


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
