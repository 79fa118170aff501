"""The title: the heading that the page's own title speaks of, else that title without the site's name."""

import re
import unicodedata
from typing import Final
from urllib.parse import urlsplit

from tamis.document.invisible import visible
from tamis.metadata.structured import Said, Structured
from tamis.page import Page

_DIVIDERS: Final = re.compile(r"\s+[|\-–—·•:»›/~]+\s+|\s*[|»]\s*")
_ANCHORS: Final = re.compile(r"[¶§#🔗\s]+$")
_ALIKE: Final = 0.2  #: share of words in common. On WCXB dev: h1 is the title in 2 of 3 above it, in 1 of 5 below
_MOST: Final = 50  #: headings looked at
_LONG, _SHORT = 3, 4  #: words of a title and of a name after it


def find_title(said: Structured, site: str | None, url: str | None) -> Said | None:
    """Return the title of a page.

    >>> from tamis.page import parse_page
    >>> from tamis.metadata.structured import read_structured
    >>> page = parse_page("<title>Tea | The Kettle</title><h1>The Kettle</h1><h1>Tea</h1>")
    >>> find_title(read_structured(page), "The Kettle", None)
    Said(value='Tea', source='h1')
    """
    page = said.page
    names = _site_names(site, url)
    titles = [Said(title, "title") for title in _texts(page, "title")[:1]]
    given = [
        found
        for found in (said.first("og:title"), *titles, said.linked("headline"), said.first("twitter:title"))
        if found
    ]
    told = [Said(without_site(found.value, names), found.source) for found in given]
    headings = _texts(page, "h1")
    best, score = "", -1.0
    for heading in headings:
        likeness = max((_likeness(heading, other.value) for other in told), default=0.0)
        if _names_site(heading, names) and len(headings) > 1:
            likeness -= 1
        if likeness > score:
            best, score = heading, likeness
    told = [found for found in told if found.value]
    agreed = len(told) > 1 and len({folded(found.value) for found in told[:2]}) == 1
    if best and (score >= _ALIKE or (len(headings) == 1 and not agreed)):
        return Said(best, "h1")
    return told[0] if told else None


def find_subtitle(said: Structured) -> Said | None:
    """Return the line below the title."""
    found = said.linked("alternativeHeadline")
    if found:
        return found
    for row in said.page.select(".subtitle,.sub-title,.subheadline,.sub-headline,.standfirst,.dek,h1 + h2,hgroup p")[
        :5
    ]:
        text = _clean(said.page.row_text(row))
        if text and not said.page.hidden[row]:
            return Said(text, "visible")
    return None


def without_site(title: str, names: frozenset[str]) -> str:
    """Return a title without the name of the site, or without a short last part that may well be one.

    >>> without_site("How to brew tea - The Kettle", frozenset())
    'How to brew tea'
    """
    title = _clean(title)
    while True:
        cuts = list(_DIVIDERS.finditer(title))
        if not cuts:
            return title
        head, tail = title[: cuts[0].start()], title[cuts[-1].end() :]
        if _names_site(tail, names):
            title = title[: cuts[-1].start()]
        elif _names_site(head, names):
            title = title[cuts[0].end() :]
        else:
            front = title[: cuts[-1].start()]
            return front if len(front.split()) >= _LONG and len(tail.split()) <= _SHORT else title


def _texts(page: Page, tag: str) -> list[str]:
    rows = [row for row in page.rows_of(tag).tolist()[:_MOST] if tag == "title" or not page.hidden[row]]
    return [text for text in (_clean(page.row_text(row)) for row in rows) if text]


def _clean(text: str) -> str:
    return _ANCHORS.sub("", " ".join(visible(text).split()))


def folded(text: str) -> str:
    r"""Return text as titles are compared: without case, with plain quotes and dashes.

    >>> folded("“Tea” — it’s")
    '"tea" - it\'s'
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(text.translate(str.maketrans("’‘“”–—", "''\"\"--")).split())


def _likeness(one: str, other: str) -> float:
    first, second = folded(one), folded(other)
    words, others = set(re.findall(r"\w+", first)), set(re.findall(r"\w+", second))
    shared = len(words & others) / max(len(words | others), 1)
    return shared + (0.5 if first in second or second in first else 0.0)


def _letters(text: str) -> str:
    return re.sub(r"\W", "", folded(text))


def _site_names(site: str | None, url: str | None) -> frozenset[str]:
    """Return what the site may be called, as letters alone: its name and the parts of its host."""
    try:
        host = (urlsplit(url or "").hostname or "").removeprefix("www.")
    except ValueError:
        host = ""
    names = {_letters(site or ""), _letters(host), _letters(host.rpartition(".")[0]), *map(_letters, host.split("."))}
    return frozenset(name for name in names if len(name) > 2)  # noqa: PLR2004 ("co", "uk" name no site)


def _names_site(text: str, names: frozenset[str]) -> bool:
    """Whether a part of a title is the site's name: one of its names, or little more than one, or inside one."""
    letters = _letters(text)
    return bool(letters) and any(
        letters == name
        or (name in letters and len(letters) < 2 * len(name))
        or (letters in name and len(letters) > 3)  # noqa: PLR2004 (a word, not a syllable)
        for name in names
    )
