"""Where the start tag and the end tag of each element stand.

The parser tells both, but it makes a dozen Python objects for each element that is asked, and that was half the cost
of locating a page. Where a start tag stands it tells cheaply. On most of a page the end tags need no parser: elements
that end between two start tags have their end tags there, in order. Only elements of which that is not plain (an end
tag that fits nothing, or leaves something open) are asked.
"""

from dataclasses import dataclass
from itertools import compress, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.html import tags
from tamis.page.source_tokens import CHUNK, END, START, TEXT, Source, SourceTokens
from tamis.page.sums import Bools, in_subtree

if TYPE_CHECKING:
    from tamis.page.columns import Page

Ints = npt.NDArray[np.int64]

_line = attrgetter("source_line")
_col = attrgetter("source_col")

_ID: Final = tags.Numbers(tags.IDS).__getitem__

#: Elements whose end tag may be left out, and the end tags that close them then ("generate implied end tags").
_LEFT_OUT: Final = tags.tag_mask("dd dt li optgroup option p rb rp rt rtc")
_CLOSERS: Final = tags.tag_mask(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header"
    " hgroup li dd dt main menu nav ol pre section summary td th ul"
)
#: In a table rows and cells may be left open too.
_LEFT_OUT_ROWS: Final = _LEFT_OUT | tags.tag_mask("tbody td tfoot th thead tr")
_ROW_CLOSERS: Final = tags.tag_mask("table tbody tfoot thead tr")
#: Their end tags may stand before content that still belongs to the element, and their start tags where there is one
#: already. There is one of each, so the parser is asked.
_FRAME: Final = tags.tag_mask("body frameset head html")
#: In ``head`` what a ``noscript`` holds may end it; a ``form`` between the rows of a table is empty.
_ASKED: Final = _FRAME | tags.tag_mask("form noscript")
#: Elements that are opened again after an end tag closed what they stand in: they need not hold what they are closed
#: by in the end.
_FORMATTING: Final = tags.tag_mask("a b big code em font i nobr s small strike strong tt u")
#: Elements whose content is text to the tokenizer; in SVG it is markup to the parser, which knows that it reads SVG.
_RAW: Final = tags.tag_mask("iframe noembed noframes plaintext script style textarea title xmp")
#: The other way round: text in SVG.
_CDATA: Final = "<![CDATA["


@dataclass(frozen=True, slots=True)
class TagSpans:
    """Where tags stand; -1 for rows that are no elements, and for elements that the parser implied or opened again.

    Attributes:
        start: where the start tag of each row begins.
        content: where it ends.
        stop: where the end tag ends; as `content` where there is none.
    """

    start: Ints
    content: Ints
    stop: Ints


def tag_spans(page: "Page", document: turbohtml.Document, source: Source, tokens: SourceTokens) -> TagSpans:
    """Find the tags of all rows. The document is the page parsed again, with source locations."""
    start, content, stop = (np.full(len(page), -1, dtype=np.int64) for _ in range(3))
    rows, begin = _places(page, document, source)
    asked = rows
    found = _by_place(tokens, rows, begin) if tokens.sure else None
    foreign = _foreign(page, source, tokens, found) if found is not None else None
    if found is not None and foreign is not None:
        own, at = found
        start[own], content[own], stop[own] = tokens.begin[at], tokens.end[at], tokens.end[at]
        again = rows[start[rows] < 0]
        asked = _match_ends(page, tokens, found, again, foreign | tags.VOID[page.tag], stop)
        dubious = own[~(_after_tag(source, content[own]) & _after_tag(source, stop[own]))]
        asked = np.union1d(asked, dubious)
    nodes, done = document.descendants, 1  # row 0 is the document itself
    for row in asked.tolist():
        place = next(islice(nodes, row - done, None)).source_location
        done = row + 1
        if place is None:
            start[row] = content[row] = stop[row] = -1
            continue
        first = place.start_tag
        start[row], content[row] = first.start_offset, first.end_offset
        stop[row] = (place.end_tag or first).end_offset
    return TagSpans(start, content, stop)


def _places(page: "Page", document: turbohtml.Document, source: Source) -> tuple[Ints, Ints]:
    """Return the elements that have a place in the source, and where each begins."""
    nodes = document.descendants
    is_element = page.is_element.tobytes()
    done = 1
    lines: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    columns: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    while chunk := list(islice(nodes, CHUNK)):
        elements = list(compress(chunk, is_element[done : done + len(chunk)]))
        done += len(chunk)
        lines.append(np.array(list(map(_line, elements)), dtype=np.float64))  # None, implied, becomes nan
        columns.append(np.array(list(map(_col, elements)), dtype=np.float64))
    assert done == len(page), "the same source gives the same rows"
    line, column = np.concatenate(lines), np.concatenate(columns)
    known = ~np.isnan(line)
    return np.flatnonzero(page.is_element)[known], source.offsets(line[known], column[known])


def _by_place(tokens: SourceTokens, rows: Ints, begin: Ints) -> tuple[Ints, Ints] | None:
    """Return the elements that have a place of their own, and their start tags among the tokens.

    An element that was opened again has the place of the first one. None where the tokens do not tell: the tokenizer
    took something else for tags than the parser, or elements were moved, out of a table for instance.
    """
    starts = tokens.of_type(START)
    if not len(rows) or not len(starts):
        return None
    own, offset = rows, begin
    if (np.diff(begin) <= 0).any():
        _, which, times = np.unique(begin, return_inverse=True, return_counts=True)
        own, offset = rows[times[which] == 1], begin[times[which] == 1]
    at = starts[np.minimum(np.searchsorted(tokens.begin[starts], offset), len(starts) - 1)]
    if (tokens.begin[at] != offset).any() or (np.diff(offset) <= 0).any():
        return None
    return own, at


def _after_tag(source: Source, offset: Ints) -> Bools:
    """Return whether a tag ends right before an offset; ``</>``, of which no token is made, does not count."""
    codes = source.codes
    empty = (codes[offset - 3] == ord("<")) & (codes[offset - 2] == ord("/"))
    return np.asarray((codes[offset - 1] == ord(">")) & ~empty)


def _foreign(page: "Page", source: Source, tokens: SourceTokens, found: tuple[Ints, Ints]) -> Bools | None:
    """Return the elements of SVG and MathML that their own start tag closes.

    None where the tokenizer may have read something there otherwise than the parser.
    """
    own, at = found
    out = np.zeros(len(page), dtype=np.bool_)
    roots = np.flatnonzero(np.isin(page.tag, (tags.IDS["svg"], tags.IDS["math"])))
    if not len(roots):
        return out
    if _CDATA in source.text:
        return None
    closing = tokens.self_closing[at] == 1
    there = in_subtree(page.end, roots)[own] & (closing | _FRAME[page.tag[own]] | _RAW[page.tag[own]])
    for row, place in zip(own[there].tolist(), at[there].tolist(), strict=True):
        if page.nodes[row].namespace is turbohtml.Namespace.HTML:
            continue
        if _FRAME[page.tag[row]]:
            return None
        text = slice(int(tokens.end[place]), int(tokens.end[min(place + 1, len(tokens.end) - 1)]))
        if _RAW[page.tag[row]] and TEXT in tokens.kinds[place + 1 : place + 2] and "<" in source.text[text]:
            return None
        out[row] = bool(tokens.self_closing[place])
    return out


def _match_ends(
    page: "Page",
    tokens: SourceTokens,
    found: tuple[Ints, Ints],
    again: Ints,
    shut: Bools,
    stop: Ints,
) -> Ints:
    """Give elements their end tags; return the rows of which it is not plain.

    Between two start tags, in a gap, the elements that end there are those from the first one up to, and without, the
    parent of the second. End tags close them from the innermost outwards.
    """
    own, at = found
    name = np.frombuffer(bytes(map(_ID, tokens.tags)), dtype=np.uint8)
    ends = tokens.of_type(END)
    ends = ends[~_FRAME[name[ends]]]
    gap = np.searchsorted(at, ends) - 1
    # A start tag of which no element was made may have closed something all the same.
    made = np.zeros(len(name), dtype=np.bool_)
    made[at] = True
    starts = tokens.of_type(START)
    unmade = starts[~made[starts]]
    open_ = own[~(shut | _FRAME[page.tag])[own]][::-1]  # the innermost first
    closing = np.searchsorted(own, page.end[open_]) - 1
    order = np.argsort(closing, kind="stable")
    open_, closing = open_[order], closing[order]
    # Gap -1, before the first element, is the last entry of the counts.
    plain = _counts(gap, len(own)) == _counts(closing, len(own))
    plain[-1] = False
    plain[np.searchsorted(at, unmade) - 1] = False
    plain[np.searchsorted(own, again) - 1] = False
    plain[np.searchsorted(own, page.end[again]) - 1] = False
    here, there = plain[gap], plain[closing]
    same = name[ends[here]] == page.tag[open_[there]]
    plain[gap[here][~same | (name[ends[here]] == tags.OTHER)]] = False
    here, there = plain[gap], plain[closing]
    stop[open_[there]] = tokens.end[ends[here]]
    events = np.sort(np.concatenate((ends[~here], unmade)))
    return _match_rest(page, tokens, found, events, again, shut, stop)


def _counts(gap: Ints, size: int) -> Ints:
    """Return how often each gap occurs; that of -1 comes last."""
    return np.bincount(np.where(gap < 0, size, gap), minlength=size + 1)


def _match_rest(
    page: "Page",
    tokens: SourceTokens,
    found: tuple[Ints, Ints],
    events: Ints,
    again: Ints,
    shut: Bools,
    stop: Ints,
) -> Ints:
    """Do the same for gaps where end tags are left out, or are too many: one by one."""
    own, at = found
    rows: list[int] = own.tolist()
    limits = [*rows[1:], len(page)]
    parents: list[int] = page.parent.tolist()
    after: list[int] = page.end.tolist()
    known: list[bool] = (stop >= 0).tolist()
    opened = set(again.tolist())
    unsure = opened.copy()
    odd: dict[int, list[int]] = {}
    last, row, limit = -2, -1, 0
    for place, number in zip(events.tolist(), (np.searchsorted(at, events) - 1).tolist(), strict=True):
        name = tokens.tags[place]
        assert name is not None, "tags have names"
        if number != last:
            last = number
            row, limit = (rows[number], limits[number]) if number >= 0 else (-1, 0)
        kind = tags.IDS.get(name, tags.OTHER)
        here = row if tokens.kinds[place] == END else -1
        fits = False
        while here >= 0 and after[here] <= limit:
            fits = known[here] and not shut[here] and page.tag_name(here) == name
            implied = not known[here] and here not in opened
            if fits or not (shut[here] or implied or (known[here] and _may_stay_open(int(page.tag[here]), kind))):
                break
            here = parents[here]
        if fits:
            stop[here] = tokens.end[place]
            row = parents[here]
            continue
        odd.setdefault(kind, []).append(number)
        while row >= 0 and after[row] <= limit:
            if known[row]:
                unsure.add(row)
            row = parents[row]
        row = -1  # what else is closed here is not plain either
    asked = _ASKED[page.tag[own]]
    in_order = not len(again) and not len(page.rows_of("template"))  # which keeps what its tables cannot hold
    for each, numbers in odd.items():
        its = page.tag[own] == each
        if in_order and not _FORMATTING[each]:  # it can only have closed what was open there
            low = np.searchsorted(numbers, np.arange(len(own)))
            high = np.searchsorted(numbers, np.searchsorted(own, page.end[own]))
            its &= high > low
        asked |= its
    return np.union1d(own[asked], np.array(sorted(unsure), dtype=np.int64))


def _may_stay_open(held: int, closer: int) -> bool:
    """Return whether an end tag closes an element around this one without a word about this one."""
    return bool((_LEFT_OUT[held] and _CLOSERS[closer]) or (_LEFT_OUT_ROWS[held] and _ROW_CLOSERS[closer]))
