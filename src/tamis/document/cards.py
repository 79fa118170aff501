"""Cards: a link around several blocks, or around each of them, becomes one link.

A list of articles or products repeats a card with an image, a title, a line of text and a price, and all of it links
to one page. The title keeps the link: the heading, else the first line with several words.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from tamis.document.parts import Emphasis, Heading, Image, LineBreak, Link, Paragraph, Part, Span, Text
from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools

_MIN_TITLE_WORDS: Final = 3  #: of a line that keeps the link; a category or a date has fewer
_BOLD: Final = tags.tag_mask("b strong")
_MAX_DISTANCE: Final = 3  #: parts between two links of one card


def title_rows(page: Page, mask: Bools, link: int) -> tuple[int, int] | None:
    """Return the rows of the title in a link around blocks: the first row and the row after the last.

    >>> from tamis.page import parse_page
    >>> page = parse_page('<a href="/t"><p>News</p><h3>Green <b>tea</b></h3><p>From China.</p></a>')
    >>> first, stop = title_rows(page, page.is_text, int(page.rows_of("a")[0]))
    >>> page.text[page.offset[first] : page.offset[stop]]
    'Green tea'
    >>> page = parse_page('<a href="/t"><p><img></p><i>tea.example</i> <b>Green tea</b> <i>It is from China.</i></a>')
    >>> first, stop = title_rows(page, page.is_text, int(page.rows_of("a")[0]))
    >>> page.text[page.offset[first] : page.offset[stop]]
    'Green tea'
    """
    stop = int(page.end[link])
    selected = np.flatnonzero(mask[link:stop] & (page.nonspace[link:stop] > 0)) + link
    if not len(selected):
        return None
    for heading in (np.flatnonzero(tags.HEADING[page.tag[link:stop]]) + link).tolist():
        if mask[heading : page.end[heading]].any():
            return heading, int(page.end[heading])
    runs = page.inline_run[selected]
    run = next((k for k in dict.fromkeys(runs.tolist()) if _is_title(page, selected[runs == k])), int(runs[0]))
    rows = selected[runs == run]
    bold = [k for k in range(link, int(rows[-1])) if _BOLD[page.tag[k]] and rows[0] <= page.end[k] - 1 <= rows[-1]]
    if (
        len(bold) == 1 and mask[bold[0] : page.end[bold[0]]].any()
    ):  # the name of a page between its site and a summary
        return bold[0], int(page.end[bold[0]])
    return _outermost_inline(page, int(rows[0]), link), int(rows[-1]) + 1


def _is_title(page: Page, rows: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> bool:
    return int(page.words[rows].sum()) >= _MIN_TITLE_WORDS


def _outermost_inline(page: Page, row: int, link: int) -> int:
    """Return the outermost element in a link that begins with a text row and has no block in it."""
    while True:
        parent = int(page.parent[row])
        if parent <= link or row != parent + 1 or tags.BLOCK[page.tag[parent : page.end[parent]]].any():
            return row
        row = parent


def one_link_per_card(parts: list[Part]) -> list[Part]:
    """Return parts in which only one of several neighbours with one and the same link has it."""
    if len(parts) == 1:
        return parts
    out = list(parts)
    href, holder, last = "", -1, -1  # the link of the card, the part that has it, the last part of the card
    for index, part in enumerate(parts):
        found = _only_href(part)
        if not found:
            if isinstance(part, Heading):
                href = ""
            continue
        if found != href or index - last > _MAX_DISTANCE:
            href, holder = found, index
        elif isinstance(part, Heading) and not isinstance(out[holder], Heading):
            out[holder] = _unlinked(out[holder])
            holder = index
        else:
            out[index] = _unlinked(part)
        last = index
    return out


def _only_href(part: Part) -> str:
    """Return the URL of a paragraph or heading that is one link; ``""`` for any other part."""
    if not isinstance(part, (Paragraph, Heading)):
        return ""
    if len(part.spans) == 1 and isinstance(part.spans[0], Text):
        return ""
    spans = [span for span in part.spans if not _is_blank(span)]
    while len(spans) == 1 and isinstance(spans[0], Emphasis):
        spans = [span for span in spans[0].spans if not _is_blank(span)]
    only = spans[0] if len(spans) == 1 else None
    return only.href if isinstance(only, Link) and not only.role else ""


def _is_blank(span: Span) -> bool:
    return isinstance(span, LineBreak | Image) or (isinstance(span, Text) and not span.text.strip())


def _unlinked(part: Part) -> Part:
    return replace(part, spans=_without_links(part.spans)) if isinstance(part, Paragraph | Heading) else part


def _without_links(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    out: list[Span] = []
    for span in spans:
        match span:
            case Link(role=""):
                out += span.spans
            case Emphasis(tag, inner):
                out.append(Emphasis(tag, _without_links(inner)))
            case _:
                out.append(span)
    return tuple(out)


def join_links(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which neighbouring links to one URL are one link.

    >>> join_links((Link("/t", (Text("Green"),)), Text(" "), Link("/t", (Text("tea"),))))
    (Link(href='/t', spans=(Text(text='Green'), Text(text=' '), Text(text='tea')), role='', label=''),)
    """
    if sum(isinstance(span, Link) for span in spans) < 2:  # noqa: PLR2004 (one has no neighbour)
        return spans
    joined = _JoinedLinks()
    for span in spans:
        if isinstance(span, Link) and not span.role:
            joined.add_link(span)
        elif joined.link is not None and _is_blank(span) and not isinstance(span, Image):
            joined.after.append(span)
            joined.is_broken |= isinstance(span, LineBreak)
        else:
            joined.end_link()
            joined.out.append(span)
    joined.end_link()
    return tuple(joined.out)


class _JoinedLinks:
    """The spans so far, and the last link while only blanks follow it."""

    def __init__(self) -> None:
        self.out: list[Span] = []
        self.link: Link | None = None
        self.inner: list[Span] = []  # what the link contains
        self.after: list[Span] = []  # what follows it
        self.is_broken = False  # a line break follows it

    def add_link(self, link: Link) -> None:
        """Join a link to the one before it, if both have one URL; else it takes its place."""
        if self.link is None or self.link.href != link.href:
            self.end_link()
        elif all(_is_blank(span) for span in self.inner):  # a picture above its title
            self.out += [*self.inner, *self.after]
        elif self.is_broken:
            self.after += link.spans
            return
        else:
            self.inner += [*self.after, *link.spans]
            self.after = []
            return
        self.link, self.inner, self.after, self.is_broken = link, list(link.spans), [], False

    def end_link(self) -> None:
        """Write the last link and what follows it."""
        if self.link is not None:
            link = self.link
            is_alone = len(self.inner) == len(link.spans)  # nothing was joined to it
            self.out.append(link if is_alone else Link(link.href, tuple(self.inner), link.role, link.label))
            self.out += self.after
            self.link = None
