"""The title: the heading that the page's own title speaks of, else that title without the site's name.

A page has up to four titles for machines (OpenGraph, ``title``, JSON-LD, Twitter) and any number of headings. Those
for machines carry the site's name; headings carry what the page shows beside them. `choose` takes the one that both
stand behind. ``bench/titles.py`` measures the rule, and chooses its numbers anew on a part of the sites to show what
they are worth on the others.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tamis.metadata.inline_text import blocks_near, clean, first_heading, line_of
from tamis.metadata.site_names import DIVIDERS, folded, is_site, letters, site_names, without_site
from tamis.metadata.structured import Said, Structured
from tamis.page import Page

_ANCHORS: Final = re.compile(r"[¶§#🔗\s]+$")
_ENDS: Final = " |-–—:·•»›/~"
_MOST: Final = 50  #: headings looked at
_ABOVE, _BELOW = 2, 6  #: blocks before and after the title where the line below it may stand
_LONGEST, _RUNS = 200, 1000  #: characters of a run of text that may be a title, and how many runs are looked at


@dataclass(frozen=True, slots=True)
class TitleRule:
    """The numbers of the choice, each the best on WCXB dev by ``bench/titles.py``, where none moves much.

    Attributes:
        alike: the share of words that a heading has in common with a title for machines to be the title. Above it
            the heading is the label on 2 pages of 3, below it on 1 of 5.
        front: a last part that may be the site's name is left out where so many words stand before it …
        tail: … and it has so many at most.
        named: words of a title that a longer heading repeats, which then is the title: a heading of a forum has
            "Thread:" before it, one of a blog the date.
    """

    alike: float = 0.3
    front: int = 2
    tail: int = 5
    named: int = 2


@dataclass(frozen=True, slots=True)
class Titles:
    """What may be the title of a page.

    Attributes:
        first: its first headings.
        second: gives the headings below those, which are wanted on few pages.
        told: what it calls itself for machines.
        names: what its site is called.
        lines: gives the letters of the runs of text that it shows, which are wanted where it has no heading.
    """

    first: tuple[str, ...]
    second: Callable[[], tuple[str, ...]]
    told: tuple[Said, ...]
    names: frozenset[str]
    lines: Callable[[], frozenset[str]] = frozenset


def find_title(said: Structured, site: str | None, url: str | None) -> Said | None:
    """Return the title of a page.

    >>> from tamis.page import parse_page
    >>> from tamis.metadata.structured import read_structured
    >>> page = parse_page("<title>Tea | The Kettle</title><h1>The Kettle</h1><h1>Tea</h1>")
    >>> find_title(read_structured(page), "The Kettle", None)
    Said(value='Tea', source='h1')
    """
    return choose(gather(said, site, url))


def gather(said: Structured, site: str | None, url: str | None) -> Titles:
    """Return all that may be the title of a page."""
    page = said.page
    titles = [Said(clean(page.row_text(row)), "title") for row in page.rows_of("title").tolist()[:1]]
    given = (said.first("og:title"), *titles, said.linked("headline"), said.first("twitter:title"))
    told = [Said(_ANCHORS.sub("", clean(one.value)), one.source) for one in given if one]
    names = site_names(site, url) | _beyond(told)
    return Titles(
        _headings(page, "h1"),
        lambda: (*_headings(page, "h2"), *_headings(page, "h3")),
        tuple(one for one in told if one.value),
        names,
        lambda: _lines(page),
    )


def choose(given: Titles, rule: TitleRule | None = None) -> Said | None:
    """Return the title among all that may be it."""
    rule = rule or TitleRule()
    names = given.names
    headings = [without_site(heading, names) for heading in given.first]
    if not given.told:
        return Said(headings[0], "h1") if headings else None
    whole = [Said(without_site(one.value, names), one.source) for one in given.told]
    told = [Said(_without_tail(one.value, rule), one.source) for one in whole]
    if not headings:
        return _shown_piece(whole, given) or _shown_second(told, given) or told[0]
    best, likeness = _best(headings, told, names)
    same = {letters(one.value) for one in (*told, *whole)}
    if likeness > 0 and letters(best) in same:
        return Said(best, "h1")
    below = _shown_second((*told, *whole), given) if likeness < rule.alike else None
    if below:  # the heading is the site's name, or a slogan: blogs have the title one level below
        return below
    for one in whole:
        if _repeats(best, one.value, rule.named):
            return one
    alone = len(headings) == 1 and len(told) == 1 and likeness >= 0  # one against one: what is shown is trusted
    return Said(best, "h1") if likeness >= rule.alike or alone else told[0]


def _best(headings: Sequence[str], told: Sequence[Said], names: frozenset[str]) -> tuple[str, float]:
    """Return the heading that is most like what the page calls itself, and how much; the site's name is the last."""
    best, likeness = "", -2.0
    for heading in headings:
        found = max(_likeness(heading, one.value) for one in told) - is_site(heading, names)
        if found > likeness:
            best, likeness = heading, found
    return best, likeness


def _shown_second(told: Sequence[Said], given: Titles) -> Said | None:
    """Return the heading below the first ones that says what the page calls itself."""
    same = {letters(one.value) for one in told}
    return next((Said(heading, "heading") for heading in given.second() if letters(heading) in same), None)


def find_subtitle(said: Structured) -> Said | None:
    """Return the line below the title."""
    found = said.linked("alternativeHeadline")
    if found:
        return found
    page, title = said.page, first_heading(said.page)
    if title is None:
        return None
    near = blocks_near(page, title, _ABOVE, _BELOW)
    for row in page.select(".subtitle,.sub-title,.subheadline,.sub-headline,.standfirst,.dek,h1 + h2,hgroup p"):
        begins = int(np.searchsorted(page.blocks.start, row))
        text = line_of(page, row) if begins in near else ""  # farther away it is that of something else
        if text and not page.hidden[row]:
            return Said(text, "visible")
    return None


def _headings(page: Page, tag: str) -> tuple[str, ...]:
    rows = [row for row in page.rows_of(tag).tolist()[:_MOST] if not page.hidden[row]]
    texts = (_ANCHORS.sub("", line_of(page, row)) for row in rows)
    return tuple(dict.fromkeys(text for text in texts if text))


def _lines(page: Page) -> frozenset[str]:
    rows = np.flatnonzero(page.shown & (page.chars < _LONGEST)).tolist()[:_RUNS]
    return frozenset(letters(page.row_text(row)) for row in rows)


def _shown_piece(told: Sequence[Said], given: Titles) -> Said | None:
    """Return the part of a title that the page shows as a line of its own: pages without headings have bold lines."""
    for one in told:
        pieces = [piece for piece in DIVIDERS.split(one.value) if len(piece.split()) > 1]
        if len(pieces) > 1:
            lines = given.lines()
            shown = [piece for piece in pieces if letters(piece) in lines and not is_site(piece, given.names)]
            if shown:
                return Said(max(shown, key=len), one.source)
    return None


def _beyond(told: Sequence[Said]) -> frozenset[str]:
    """Return the site's name where ``title`` has it and ``og:title`` does not: what one has beyond the other."""
    said = {one.source: folded(one.value) for one in told}
    longer, shorter = said.get("title", ""), said.get("og:title", "")
    if not shorter or shorter not in longer:
        return frozenset()
    name = letters(longer.replace(shorter, "", 1).strip(_ENDS))
    return frozenset({name} if len(name) > 2 else ())  # noqa: PLR2004 (as `site_names`)


def _without_tail(title: str, rule: TitleRule) -> str:
    """Return a title without a short last part, which may well be the site's name.

    >>> _without_tail("How to brew tea - The Kettle", TitleRule())
    'How to brew tea'
    """
    cuts = list(DIVIDERS.finditer(title))
    if not cuts:
        return title
    front, tail = title[: cuts[-1].start()], title[cuts[-1].end() :]
    return front if len(front.split()) >= rule.front and len(tail.split()) <= rule.tail else title


def _repeats(heading: str, title: str, fewest: int) -> bool:
    """Whether a heading has all words of a title, one after another."""
    words, others = _words(title), _words(heading)
    return len(words) >= fewest and f" {' '.join(words)} " in f" {' '.join(others)} "


def _likeness(one: str, other: str) -> float:
    """Return the share of words in common, and a half more where one holds the other."""
    words, others = set(_words(one)), set(_words(other))
    first, second = folded(one), folded(other)
    shared = len(words & others) / max(len(words | others), 1)
    return shared + (0.5 if first in second or second in first else 0.0)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", folded(text))
