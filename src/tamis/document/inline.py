"""The spans of a paragraph: white space, line breaks, inserts, marks of notes, and links that belong together."""

from dataclasses import dataclass, field, replace
from typing import Final, Literal

import numpy as np

from tamis.document.parts import (
    CodeSpan,
    Emphasis,
    Heading,
    Image,
    LineBreak,
    Link,
    Paragraph,
    Part,
    Ruby,
    Span,
    Text,
    only_images,
    spans_text,
    trim,
)
from tamis.html import tags
from tamis.html.text import strip_invisible
from tamis.lazy import lazy_pattern
from tamis.page import Page
from tamis.page.sums import Bools

# Collect the spans of a paragraph: collapse white space across elements, open inline elements only when needed.
#
# An inline element is opened when text in it arrives. So an icon without text leaves no empty element, and the space
# before a bold word comes before the bold. A block inside an inline element ends the paragraph; the inline elements
# that are open continue in the next one.

_MAX_DEPTH: Final = 6  #: levels of spans; elements that are nested deeper are ignored
_TAB_WIDTH: Final = 4
_MAX_LINE: Final = 200  #: characters of a line that are kept to judge the break after it
_JOINED_TAGS: Final = frozenset({"em", "strong", "del", "ins", "mark"})  #: editors split these into pieces


@dataclass(slots=True)
class OpenElement:
    """An inline element that is open: its tag, the row after its subtree, and its link if it is one."""

    tag: str
    end: int
    link: Link | None = None


@dataclass(slots=True)
class InlineBuilder:
    """Collects the spans of a paragraph.

    Attributes:
        open: the inline elements around the current row.
        first: the first row in the paragraph, or -1 while it is empty.
        stop: the row after its last row.
        container: the block-level element that contains it.
        verse: whether it has preformatted text.
        may_have_invisible: whether the page may have invisible characters.
        line: the text of the current line so far.
        bold_line: whether all of that text is bold.
    """

    may_have_invisible: bool = True
    open: list[OpenElement] = field(default_factory=list)
    first: int = -1
    stop: int = -1
    container: int = -1
    verse: bool = False
    line: str = ""
    bold_line: bool = True
    _levels: "list[list[str | Span]]" = field(
        default_factory=lambda: [[]]
    )  # of each open element, and of the paragraph
    _space: bool = False  # white space comes before the next text
    _content: bool = False  # the current line has content

    def enter(self, tag: str, end: int, link: Link | None = None) -> None:
        """Open an inline element. It becomes a span when text in it arrives."""
        if len(self.open) < _MAX_DEPTH:
            self.open.append(OpenElement(tag, end, link))

    def leave(self, row: int) -> None:
        """Close the inline elements that end before a row."""
        while self.open and self.open[-1].end <= row:
            if len(self._levels) > len(self.open):
                self._close()
            self.open.pop()

    def text(self, value: str, row: int, container: int) -> None:
        """Add the text of a row."""
        visible = strip_invisible(value) if self.may_have_invisible and not value.isascii() else value
        text = " ".join(visible.split())
        if not text:
            self._space |= any(map(str.isspace, value))
            return
        if visible[0] != text[0]:  # white space is before it
            self._space = True
        self._add(text, row, container)
        self._space = visible[-1] != text[-1]

    def lines(self, value: str, row: int, container: int) -> None:
        """Add preformatted text: line ends become line breaks, and indents are kept."""
        for number, line in enumerate(strip_invisible(value).expandtabs(_TAB_WIDTH).split("\n")):
            if number:
                self.line_break(row)
            if not line.strip():
                self._space |= bool(line)
                continue
            indent = "" if self._content else "\u00a0" * (len(line) - len(line.lstrip()))
            self._space |= self._content and line[0].isspace()
            self._add(indent + " ".join(line.split()), row, container)
            self._space = line[-1].isspace()
        self.verse = True

    def span(self, span: Span, row: int, container: int, stop: int | None = None) -> None:
        """Add a complete span."""
        self._add(span, row, container, stop)

    def space(self) -> None:
        """Put white space before the next text."""
        self._space = True

    def line_break(self, row: int) -> None:
        """End the line."""
        if self.first >= 0:
            self._levels[-1].append(LineBreak())
            self.stop = max(self.stop, row + 1)
        self._space = self._content = False
        self.line, self.bold_line = "", True

    @property
    def after_break(self) -> bool:
        """Whether the paragraph ends with a line break: another one ends the paragraph."""
        return self.first >= 0 and not self._content

    @property
    def only_images(self) -> bool:
        """Whether the paragraph has images and no text: a break after them ends it."""
        if self.line:  # told first: a paragraph may have a hundred thousand lines
            return False
        pieces = [piece for pieces in self._levels for piece in pieces if not isinstance(piece, str)]
        return bool(only_images(tuple(pieces)))

    def take(self) -> tuple[Span, ...]:
        """Return the spans and begin a new paragraph. Open elements stay open."""
        while len(self._levels) > 1:
            self._close()
        pieces = self._levels[0]
        if len(pieces) == 1 and isinstance(pieces[0], str):  # most paragraphs
            spans: tuple[Span, ...] = (Text(pieces[0]),)
        else:
            spans = trim(_merge(pieces))
        self._levels = [[]]
        self.first = self.stop = self.container = -1
        self._space = self._content = self.verse = False
        self.line, self.bold_line = "", True
        return spans

    def discard_space(self) -> None:
        """Begin a new paragraph where the last one has nothing but white space."""
        self._space = self.verse = False

    def _add(self, piece: "str | Span", row: int, container: int, stop: int | None = None) -> None:
        if self.first < 0:
            self.first, self.container = row, container
        self.stop = max(self.stop, row + 1) if stop is None else max(self.stop, row + 1, stop)
        levels, opened = self._levels, self.open
        is_after_space = self._space and self._content
        if is_after_space:
            levels[-1].append(" ")
        if isinstance(piece, str):
            self.line = f"{self.line[-_MAX_LINE:]} {piece}" if is_after_space else self.line[-_MAX_LINE:] + piece
            self.bold_line = self.bold_line and bool(opened) and any(element.tag == "strong" for element in opened)
        self._space, self._content = False, True
        while len(levels) <= len(opened):
            levels.append([])
        levels[-1].append(piece)

    def _close(self) -> None:
        """Add the innermost open element as a span to the level around it."""
        element = self.open[len(self._levels) - 2]
        pieces = self._levels.pop()
        line_breaks: list[str | Span] = []  # at the end of an element they move behind it
        while pieces and isinstance(pieces[-1], LineBreak):
            line_breaks.append(pieces.pop())
        spans = _merge(pieces)
        if element.tag == "q" and not spans_text(spans).strip():  # an image needs no quotation marks
            self._levels[-1] += spans
        elif spans:
            self._levels[-1].append(_make_span(element, spans))
        self._levels[-1] += line_breaks


def _make_span(element: OpenElement, spans: tuple[Span, ...]) -> Span:
    if element.link is not None:
        return Link(element.link.href, spans, element.link.role, element.link.label)
    if element.tag == "code":
        return CodeSpan(spans_text(spans).replace("\n", " "))
    if element.tag == "ruby":
        return _make_ruby(spans)
    return Emphasis(element.tag, spans)


def _make_ruby(spans: tuple[Span, ...]) -> Span:
    """Return base and reading, without the parentheses for browsers that do not support ruby."""
    reading = "".join(spans_text(span.spans) for span in spans if isinstance(span, Emphasis) and span.tag == "rt")
    base = "".join(
        spans_text((span,)) for span in spans if not (isinstance(span, Emphasis) and span.tag in {"rt", "rp"})
    )
    return Ruby(base.strip(), reading.strip()) if reading else Text(base)


def _merge(pieces: "list[str | Span]") -> tuple[Span, ...]:
    """Return spans, with adjacent strings as one text and adjacent pieces of an emphasis as one."""
    if len(pieces) == 1:
        piece = pieces[0]
        return (Text(piece) if isinstance(piece, str) else piece,)
    out: list[Span] = []
    strings: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            strings.append(piece)
            continue
        if strings:
            out.append(Text("".join(strings)))
            strings = []
        before = out[-1] if out else None
        if isinstance(piece, Emphasis) and isinstance(before, Emphasis) and _is_continued(before, piece):
            out[-1] = Emphasis(piece.tag, _join(before.spans, piece.spans))
        else:
            out.append(piece)
    if strings:
        out.append(Text("".join(strings)))
    return tuple(out)


def _is_continued(first: Emphasis, second: Emphasis) -> bool:
    """Tell whether two adjacent emphases are one that an editor split."""
    return first.tag == second.tag and first.tag in _JOINED_TAGS


def _join(first: tuple[Span, ...], second: tuple[Span, ...]) -> tuple[Span, ...]:
    if first and second and isinstance(first[-1], Text) and isinstance(second[0], Text):
        return (*first[:-1], Text(first[-1].text + second[0].text), *second[1:])
    return (*first, *second)


# Line breaks: what a ``br`` means. Many pages write it where a paragraph ends, or to fill a line.
#
# A line of a poem or an address is short. A line that is longer than the column of a page wraps by itself, so that a
# break after it ends a paragraph, or was left over by an editor.

_LONG_LINE: Final = 80  #: characters: a column of text has 45 to 75
_SHORT_LINE: Final = 30  #: characters, of a name or a value
_SENTENCE_END: Final = frozenset('.!?:…。！？”"')
_BR: Final = tags.IDS["br"]

Meaning = Literal["line", "paragraph", "space"]


def break_meaning(before: str, after: str, *, label: bool = False, in_item: bool = False) -> Meaning:
    """Return what the break between two lines means.

    `label` says that all of the first line is bold, `in_item` that it is in a list item.

    >>> break_meaning("12 Mill Lane", "Leeds"), break_meaning("Long line " * 9 + "ends.", "Another.")
    ('line', 'paragraph')
    >>> break_meaning("Why tea?", "Because " * 12), break_meaning("a long line " * 8 + "that", "goes on.")
    ('paragraph', 'space')
    """
    if not before or not after:
        return "line"
    if len(before) >= _LONG_LINE:
        goes_on = after[0].islower() and (before[-1].isalnum() or before[-1] == ",")
        return "space" if goes_on else "paragraph"
    if in_item:
        return "line"
    ends = before[-1] in _SENTENCE_END
    is_heading = label and (ends and len(after) >= _SHORT_LINE)  # a question, and the answer to it
    return "paragraph" if is_heading or (len(after) >= _LONG_LINE and (label or ends)) else "line"


def line_after(page: Page, mask: Bools, row: int) -> str:
    """Return the selected text after a ``br`` up to the next break or block, at most a long line of it.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one<br>two <b>three</b><br>four")
    >>> line_after(page, page.is_text, int(page.rows_of("br")[0]))
    'two three'
    """
    pieces: list[str] = []
    length = 0
    for k in range(int(page.end[row]), len(page)):
        if page.is_text[k]:
            if mask[k]:
                pieces.append(page.row_text(k))
                length += int(page.chars[k])
        elif page.tag[k] == _BR or tags.BLOCK[page.tag[k]]:
            break
        if length >= _LONG_LINE:
            break
    return " ".join("".join(pieces).split())


# Marks of notes: the number before a note and the arrow behind it belong to its first and last paragraph.


def join_marks(parts: tuple[Part, ...], element: int) -> tuple[Part, ...]:
    """Return the parts of a note, made from an element, in which no paragraph is only a mark.

    >>> mark = Paragraph(element=1, first=1, stop=2, spans=(Link("#r", (Text("[1]"),), "backlink", "1"),))
    >>> text = Paragraph(element=3, first=3, stop=4, spans=(Text("Green tea."),))
    >>> [spans_text(part.spans) for part in join_marks((mark, text), 0)]
    ['[1] Green tea.']
    """
    out = list(parts)
    if len(out) > 1 and isinstance(out[0], Paragraph) and isinstance(out[1], Paragraph) and _is_mark(out[0]):
        out[:2] = [_joined(out[0], out[1], element)]
    if len(out) > 1 and isinstance(out[-1], Paragraph) and isinstance(out[-2], Paragraph) and _is_mark(out[-1]):
        out[-2:] = [_joined(out[-2], out[-1], element)]
    if out and isinstance(out[0], Paragraph):
        out[0] = replace(out[0], spans=_merged(out[0].spans))
    return tuple(out)


def _is_mark(paragraph: Paragraph) -> bool:
    """Tell whether a paragraph has only backlinks, and brackets around them."""
    return any(map(_is_backlink, paragraph.spans)) and all(
        _is_backlink(span) or (isinstance(span, Text) and not span.text.strip(" []().")) for span in paragraph.spans
    )


def _is_backlink(span: Span) -> bool:
    if isinstance(span, Emphasis):
        return bool(span.spans) and all(map(_is_backlink, span.spans))
    return isinstance(span, Link) and span.role == "backlink"


def _joined(first: Paragraph, second: Paragraph, element: int) -> Paragraph:
    """Return two paragraphs as one, in the element that contains both."""
    spans = (*first.spans, Text(" "), *second.spans)
    return Paragraph(element=element, first=first.first, stop=second.stop, spans=spans)


def _merged(spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return spans in which adjacent pieces of a mark are one link."""
    out: list[Span] = []
    for span in spans:
        before = out[-1] if out else None
        if (
            isinstance(span, Link)
            and isinstance(before, Link)
            and span.role == before.role == "backlink"
            and len(spans_text(before.spans)) + len(spans_text(span.spans)) <= 8  # noqa: PLR2004 (a number in brackets)
        ):
            out[-1] = replace(before, spans=(Text(spans_text(before.spans) + spans_text(span.spans)),))
        else:
            out.append(span)
    return tuple(out)


# Cards: a link around several blocks, or around each of them, becomes one link.
#
# A list of articles or products repeats a card with an image, a title, a line of text and a price, and all of it
# links to one page. The title keeps the link: the heading, else the first line with several words.

_MIN_TITLE_WORDS: Final = 3  #: of a line that keeps the link; a category or a date has fewer
_BOLD: Final = tags.tag_mask("b strong")
_TITLE_CLASS: Final = lazy_pattern(r"(?:^|[\s_-])title(?:$|\s)")
_MAX_TITLES: Final = 10  #: elements of a link that are called so
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
    named = _named_title(page, mask, link)
    if named is not None:
        return named
    runs = page.inline_run[selected]
    run = next((k for k in dict.fromkeys(runs.tolist()) if _is_title(page, selected[runs == k])), int(runs[0]))
    rows = selected[runs == run]
    bold = [k for k in range(link, int(rows[-1])) if _BOLD[page.tag[k]] and rows[0] <= page.end[k] - 1 <= rows[-1]]
    if (
        len(bold) == 1 and mask[bold[0] : page.end[bold[0]]].any()
    ):  # the name of a page between its site and a summary
        return bold[0], int(page.end[bold[0]])
    return _outermost_inline(page, int(rows[0]), link), int(rows[-1]) + 1


def _named_title(page: Page, mask: Bools, link: int) -> tuple[int, int] | None:
    """Return the rows of the element in a link whose class says that it is the title, if only one is."""
    numbers = [n for n in page.class_numbers("title") if _TITLE_CLASS.search(page.classes[n - 1])]
    found = np.flatnonzero(np.isin(page.class_column[link : page.end[link]], numbers)) + link if numbers else ()
    rows = [row for row in map(int, found[:_MAX_TITLES]) if row > link and mask[row : page.end[row]].any()]
    return (rows[0], int(page.end[rows[0]])) if len(rows) == 1 else None


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
    return isinstance(span, (LineBreak, Image)) or (isinstance(span, Text) and not span.text.strip())


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
