"""The news agency that an article comes from, and the location in its dateline."""

import re
from typing import Final

from tamis.metadata.source import MetadataSource
from tamis.metadata.structured import Sourced

_OPENING_CHARS: Final = 1000  #: of the content, where the dateline stands
_AGENCY_CHARS: Final = 300  #: of the opening, where an agency is named
_LOCATION: Final = re.compile(r"[^\d{}:/]{2,60}$")
#: Capitals before a dash that begin an article without being a location.
_NOT_LOCATIONS: Final = re.compile(
    r"\b(?:SUMMARY|TLDR|DISCLOSURE|UPDATED?|BREAKING|EXCLUSIVE|OPINION|REVIEW|NOTE|WATCH|ANALYSIS|EDITORIAL)\b"
)
#: News agencies as articles name them: CoreEx's "Source".
_AGENCIES: Final = re.compile(
    r"\b(Reuters|Associated Press|AP|Agence France-Presse|AFP|dpa|UPI|Bloomberg|Xinhua|TASS|EFE|ANSA|Kyodo|PTI|ANI|"
    r"IANS)\b"
)
_DATELINE: Final = re.compile(
    r"^\s*([A-ZÀ-Þ][A-ZÀ-Þ .'-]{2,30}(?:,\s[A-Z][\w.]{1,15})?)\s*"
    r"(?:\((\w[\w -]{1,20})\)|,\s\w+\.?\s\d{1,2})?\s*(?:[-–—]|--)\s"
)


def find_agency(source: MetadataSource) -> Sourced[str] | None:
    """Return the news agency that an article comes from: the declared one, else one named in its opening."""
    structured = source.structured
    declared = structured.first_meta(
        "article:source", "dc.source", "source", "news_source"
    ) or structured.first_json_ld("isBasedOn")
    if declared and "://" not in declared.value:
        return declared
    named = _AGENCIES.search(_opening(source)[:_AGENCY_CHARS])
    return Sourced(named[1], "visible") if named else None


def find_location(source: MetadataSource) -> Sourced[str] | None:
    """Return where an article was written: the declared location, else that of its dateline."""
    structured = source.structured
    declared = structured.first_json_ld("contentLocation", "locationCreated", "dateline") or structured.first_meta(
        "geo.placename", "og:locality"
    )
    if declared and _LOCATION.match(declared.value):
        return Sourced(declared.value.partition(" (")[0], declared.source)
    dateline = _DATELINE.match(_opening(source))
    location = dateline[1].strip(" -–—") if dateline else ""
    return Sourced(location, "visible") if location and not _NOT_LOCATIONS.search(location) else None


def _opening(source: MetadataSource) -> str:
    return source.text[:_OPENING_CHARS].lstrip()
