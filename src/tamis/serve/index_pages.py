"""Index pages: pages without main content, whose links are shown in groups, as the page groups them.

A page is an index page when nothing was selected, or when most of what was selected is links. ``python
bench/index_pages.py CORPUS`` prints how many pages of each page type that is: 2 of WCXB's 792 articles, of which
nothing was selected, 2 of 91 documentation pages, 38 of 99 listings.
"""

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tamis.html import tags
from tamis.html.text import strip_invisible
from tamis.html.urls import safe_url
from tamis.page import Page
from tamis.page.declared import base_url

if TYPE_CHECKING:
    from tamis.api import Extraction

#: The share of link characters among the selected characters above which a page is an index page.
MAX_LINK_SHARE: Final = 0.5
_LANDMARKS: Final = tags.tag_mask("nav header footer aside main section article form body menu")
_SURROUNDINGS: Final = tags.tag_mask("nav header footer aside form menu")  #: groups in these come last
_HEADINGS: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 caption legend dt summary")
_MAX_LINKS: Final = 1000
_MAX_HEADING_CHARS: Final = 120
_MAX_LINK_CHARS: Final = 300
_MAX_TEXT_ROWS: Final = 200  #: rows of a link that are read
_MAX_WRAPPERS: Final = 6  #: elements around a heading
_MAX_WRAPPER_CHARS: Final = 30  #: that such an element may have besides the heading: white space, "more"


@dataclass(slots=True)
class LinkGroup:
    """Links that belong together.

    Attributes:
        heading: the heading above them, or an empty string.
        surrounding: whether they are in the page's navigation, header or footer.
        links: text and URL of each.
    """

    heading: str
    surrounding: bool
    links: list[tuple[str, str]] = field(default_factory=list)


def is_index_page(extraction: "Extraction") -> bool:
    """Return whether a page has no main content but links."""
    page, mask = extraction.page, extraction.selection.mask
    selected = int(page.nonspace[mask].sum())
    if not selected:
        return True
    return int(page.nonspace[mask & page.link].sum()) / selected > MAX_LINK_SHARE


def grouped_links(page: Page, url: str | None) -> list[LinkGroup]:
    """Return the links of a page in groups: first those of its main part, then those of its surroundings.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<nav><a href=/>Home</a></nav><h2>Teas</h2><a href=/green>Green</a> <a href=/b>Black</a>')
    >>> [(group.heading, group.links) for group in grouped_links(page, "https://e.org/")]
    [('Teas', [('Green', 'https://e.org/green'), ('Black', 'https://e.org/b')]), ('', [('Home', 'https://e.org/')])]
    """
    links = _links(page, base_url(page, url))
    headings = _plain_headings(page, sorted(row for row, _, _ in links))
    groups: dict[tuple[int, int], LinkGroup] = {}
    next_heading, last_heading = 0, -1
    for row, text, link_url in links:
        while next_heading < len(headings) and headings[next_heading] < row:
            last_heading = headings[next_heading]
            next_heading += 1
        landmark = _landmark(page, row)
        heading = last_heading if landmark < last_heading < page.end[landmark] else -1
        if heading >= 0 and row >= page.end[_scope(page, heading)]:
            heading = -1  # it is the heading of a card before this one
        key = (landmark, heading)
        if key not in groups:
            name = _text(page, heading) if heading >= 0 else page.attributes(landmark).get("aria-label", "")
            name = " ".join(strip_invisible(name).split())[:_MAX_HEADING_CHARS]
            groups[key] = LinkGroup(name, _in_surroundings(page, row))
        groups[key].links.append((text, link_url))
    return sorted(groups.values(), key=lambda group: group.surrounding)


def _plain_headings(page: Page, link_rows: list[int]) -> list[int]:
    """Return the headings without a link. A heading with one is an entry itself, not the heading of entries."""
    headings = [
        row
        for row in range(len(page))
        if page.is_element[row] and _HEADINGS[page.tag[row]] and not page.hidden[row] and page.tag_name(row) != "a"
    ]
    return [row for row in headings if not _any_between(link_rows, row, int(page.end[row]))]


def _links(page: Page, base: str | None) -> list[tuple[int, str, str]]:
    """Return row, text and URL of each link. Of several with the same URL, the one with the longest text."""
    hrefs = page.attribute("href")
    longest: dict[str, tuple[int, str, str]] = {}
    for row in page.rows_of("a").tolist():
        if row not in hrefs or page.hidden[row] or hrefs[row].startswith("#"):
            continue
        text = _text(page, row)
        url = safe_url(hrefs[row], base)
        if not text or not url or not url.startswith(("http://", "https://")):
            continue
        if url not in longest or len(text) > len(longest[url][1]):
            longest[url] = (row, text, url)
    return sorted(longest.values())[:_MAX_LINKS]


def _scope(page: Page, heading: int) -> int:
    """Return the element whose heading it is: the nearest one with more text than the heading has."""
    scope = int(page.parent[heading])
    length = page.offset[page.end[heading]] - page.offset[heading]
    for _ in range(_MAX_WRAPPERS):
        if scope <= page.body or page.offset[page.end[scope]] - page.offset[scope] > length + _MAX_WRAPPER_CHARS:
            break
        scope = int(page.parent[scope])
    return max(scope, 0)


def _text(page: Page, row: int) -> str:
    """Return the text of a row, with a space between its blocks."""
    end, blocks = min(int(page.end[row]), row + _MAX_TEXT_ROWS), page.blocks.block_of
    pieces, block = [], -1
    for inner in range(row, end):
        if not page.is_text[inner]:
            continue
        if blocks[inner] != block:
            pieces.append(" ")
            block = int(blocks[inner])
        pieces.append(page.row_text(inner))
    return " ".join(strip_invisible("".join(pieces)).split())[:_MAX_LINK_CHARS]


def _any_between(rows: list[int], start: int, stop: int) -> bool:
    index = bisect_left(rows, start)
    return index < len(rows) and rows[index] < stop


def _landmark(page: Page, row: int) -> int:
    while row > page.body and not _LANDMARKS[page.tag[row]]:
        row = int(page.parent[row])
    return max(row, 0)


def _in_surroundings(page: Page, row: int) -> bool:
    """Return whether a link is in the surroundings of a page. A header inside an article is not."""
    while row > page.body:
        if page.tag_name(row) in {"main", "article"}:
            return False
        if _SURROUNDINGS[page.tag[row]]:
            return True
        row = int(page.parent[row])
    return False
