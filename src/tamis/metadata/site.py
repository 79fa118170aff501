"""The name of the site that a page belongs to."""

from collections.abc import Iterator
from typing import Final

from tamis.html.urls import hostname
from tamis.metadata.inline_text import clean_line
from tamis.metadata.placeholders import is_template_text
from tamis.metadata.structured import Sourced, Structured, text_values

_MAX_SITE_CHARS: Final = 120  #: a longer text is no name


def find_site(structured: Structured, url: str | None) -> Sourced[str] | None:
    """Return the name of the site, or the host of the URL if the page does not name its site.

    >>> from tamis.metadata.structured import read_structured
    >>> from tamis.page import parse_page
    >>> page = parse_page("<meta property=og:site_name content='Kettle | All about tea'>")
    >>> find_site(read_structured(page), None)
    Sourced(value='Kettle', source='og:site_name')
    """
    for candidate in _candidates(structured):
        name = clean_line(candidate.value).split(" | ")[0].strip(" -–—|:·.")  # a motto follows the bar
        if name and len(name) <= _MAX_SITE_CHARS and not is_template_text(name):
            return Sourced(name, candidate.source)
    host = hostname(url, strip_www=True)
    return Sourced(host, "url") if host else None


def _candidates(structured: Structured) -> Iterator[Sourced[str]]:
    """Yield the names that a page gives its site, the most trusted source first."""
    if value := structured.first_meta("og:site_name"):
        yield value
    for item in structured.items:
        if "WebSite" in str(item.get("@type")):
            for name in text_values(item.get("name")):
                yield Sourced(name, "json-ld WebSite")
    if value := structured.first_json_ld("publisher", "sourceOrganization"):
        yield value
    if value := structured.first_meta("application-name", "apple-mobile-web-app-title", "dc.publisher"):
        yield value
