"""Pages without main content: their links, grouped as the page groups them.

A page is a catalogue when nothing was selected, or when most of what was selected are links. ``python
bench/index_pages.py CORPUS`` prints how many pages of each kind that is: 2 of WCXB's 792 articles, of which nothing
was selected, 2 of 91 documentation pages, 38 of 99 listings.
"""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tamis.document.detect.invisible import strip_invisible
from tamis.html import tags
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.base_url import base_url

if TYPE_CHECKING:
    from tamis.api import Extraction

#: The share of link characters in what was selected above which the page is a catalogue.
MOSTLY: Final = 0.5
_LANDMARKS: Final = tags.tag_mask("nav header footer aside main section article form body menu")
_AROUND: Final = tags.tag_mask("nav header footer aside form menu")  #: groups of these come last
_HEADINGS: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 caption legend dt summary")
_MOST: Final = 1000  #: links of one page


@dataclass(slots=True)
class Group:
    """Links that stand together: the heading above them, and text and address of each."""

    heading: str
    around: bool
    links: list[tuple[str, str]] = field(default_factory=list)


def is_catalogue(found: "Extraction") -> bool:
    """Whether a page has no main content but links."""
    page, mask = found.page, found.selection.mask
    chosen = int(page.nonspace[mask].sum())
    if not chosen:
        return True
    return int(page.nonspace[mask & page.link].sum()) / chosen > MOSTLY


def grouped_links(page: Page, url: str | None) -> list[Group]:
    """Return the links of a page in groups: first those of its middle, then those around it.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<nav><a href=/>Home</a></nav><h2>Teas</h2><a href=/green>Green</a> <a href=/b>Black</a>')
    >>> [(group.heading, group.links) for group in grouped_links(page, "https://e.org/")]
    [('Teas', [('Green', 'https://e.org/green'), ('Black', 'https://e.org/b')]), ('', [('Home', 'https://e.org/')])]
    """
    base = base_url(page, url)
    links = _links(page, base)
    holds_link = {row for row, _, _ in links}
    headings = [
        row
        for row in range(len(page))
        if page.is_element[row] and _HEADINGS[page.tag[row]] and not page.hidden[row] and page.tag_name(row) != "a"
    ]
    # A heading that is a link is an entry; one that is none is the heading of those below it.
    inner = sorted(holds_link)
    plain = [row for row in headings if not _any_between(inner, row, int(page.end[row]))]
    groups: dict[tuple[int, int], Group] = {}
    place, last = 0, -1
    for row, text, address in links:
        while place < len(plain) and plain[place] < row:
            last = plain[place]
            place += 1
        landmark = _landmark(page, row)
        head = last if last > landmark and last < page.end[landmark] else -1
        key = (landmark, head)
        if key not in groups:
            named = _text(page, head) if head >= 0 else page.attributes(landmark).get("aria-label", "")
            groups[key] = Group(" ".join(strip_invisible(named).split())[:120], _is_around(page, row))
        groups[key].links.append((text, address))
    return sorted(groups.values(), key=lambda group: group.around)


def _links(page: Page, base: str | None) -> list[tuple[int, str, str]]:
    """Return row, text and address of each link; of several to one address, the one that says most."""
    addresses = page.attribute("href")
    best: dict[str, tuple[int, str, str]] = {}
    for row in page.rows_of("a").tolist():
        if row not in addresses or page.hidden[row] or addresses[row].startswith("#"):
            continue
        text = _text(page, row)
        address = safe_url(addresses[row], base)
        if not text or not address or not address.startswith(("http://", "https://")):
            continue
        if address not in best or len(text) > len(best[address][1]):
            best[address] = (row, text, address)
    return sorted(best.values())[:_MOST]


def _text(page: Page, row: int) -> str:
    return " ".join(strip_invisible(page.row_text(row)).split())[:300]


def _any_between(rows: list[int], start: int, stop: int) -> bool:
    from bisect import bisect_left  # noqa: PLC0415 (one use)

    place = bisect_left(rows, start)
    return place < len(rows) and rows[place] < stop


def _landmark(page: Page, row: int) -> int:
    while row > page.body and not _LANDMARKS[page.tag[row]]:
        row = int(page.parent[row])
    return max(row, 0)


def _is_around(page: Page, row: int) -> bool:
    """Whether a link stands in what is around a page's middle; a header inside an article is not."""
    while row > page.body:
        if page.tag_name(row) in {"main", "article"}:
            return False
        if _AROUND[page.tag[row]]:
            return True
        row = int(page.parent[row])
    return False
