"""Where an article comes from: the agency that sent it, and the place where it was written."""

import re
from typing import Final

from tamis.metadata.structured import Said, Structured

_PLACE: Final = re.compile(r"[^\d{}:/]{2,60}$")
#: What articles begin with in capitals, and a dash, beside the place they come from.
_NO_PLACES: Final = re.compile(
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


def find_agency(said: Structured, opening: str) -> Said | None:
    """Return the agency that an article comes from."""
    found = said.first("article:source", "dc.source", "source", "news_source") or said.linked("isBasedOn")
    if found and "://" not in found.value:
        return found
    named = _AGENCIES.search(opening[:300])
    return Said(named[1], "visible") if named else None


def find_location(said: Structured, opening: str) -> Said | None:
    """Return where an article was written: what its data says, or its first words."""
    found = said.linked("contentLocation", "locationCreated", "dateline") or said.first(
        "geo.placename", "og:locality"
    )
    if found and _PLACE.match(found.value):
        return Said(found.value.partition(" (")[0], found.source)
    line = _DATELINE.match(opening)
    place = line[1].strip(" -–—") if line else ""
    return Said(place, "visible") if place and not _NO_PLACES.search(place) else None
