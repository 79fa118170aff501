"""Whether a page writes the day or the month first: 3/4/2024."""

from typing import TYPE_CHECKING, Final

from tamis.html.urls import hostname
from tamis.metadata.dateparse import orders
from tamis.metadata.language import find_language

if TYPE_CHECKING:
    from tamis.metadata.source import MetadataSource

#: Countries that write the month first; those that write the year first have no use for the notation.
_MONTH_FIRST_REGIONS: Final = frozenset({"us", "ph", "pr", "gu", "fm", "mh", "pw", "as", "vi"})
_YEAR_FIRST_LANGUAGES: Final = frozenset({"zh", "ja", "ko", "fil", "mn", "hu", "lt"})
#: Top-level domains of two letters that are not used as countries.
_GENERIC_DOMAINS: Final = frozenset({"io", "co", "ai", "tv", "me", "fm", "ly", "gg", "to", "cc", "ws", "sh", "us"})
_COUNTRY_CHARS: Final = 2
_SAMPLE_CHARS: Final = 200_000  #: of the page's text that are searched for dates which tell the order


def writes_day_first(source: "MetadataSource") -> bool:
    """Return whether 3/4/2024 is in April: by other dates of the page, its language and its country.

    A date such as 25/4/2024 on the same page shows the order. Else the region of the declared language decides
    (en-US, en-GB), then the language, then the country of the host; English alone does not tell the country.
    """
    day_first, month_first = orders(source.structured.page.text[:_SAMPLE_CHARS])
    if day_first != month_first:
        return day_first > month_first
    declared = find_language(source)
    language, *subtags = declared.value.lower().split("-") if declared else [""]
    region = next((subtag for subtag in subtags if len(subtag) == _COUNTRY_CHARS), "")
    if region:
        return region not in _MONTH_FIRST_REGIONS and language not in _YEAR_FIRST_LANGUAGES
    if language not in {"", "en"}:
        return language not in _YEAR_FIRST_LANGUAGES
    country = hostname(source.url).rpartition(".")[2]
    return len(country) == _COUNTRY_CHARS and country not in _GENERIC_DOMAINS
