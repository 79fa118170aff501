"""The positions of each element's start tag and end tag in the source.

The parser knows both, but it creates a dozen Python objects for each element that is asked; that was half of the time
to find the positions of a page. Positions of start tags are cheap to read. On most of a page the end tags follow from
the tokens (`tamis.page.end_tags`), and only the remaining elements are asked.
"""

from dataclasses import dataclass
from itertools import compress, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.html import tags
from tamis.page.end_tags import FRAME, StartTags, match_end_tags
from tamis.page.source_tokens import CHUNK, START, TEXT, Ints, Source, SourceTokens
from tamis.page.sums import Bools, in_subtree

if TYPE_CHECKING:
    from tamis.page.columns import Page

_line = attrgetter("source_line")
_column = attrgetter("source_col")

#: Elements whose content is text for the tokenizer. In SVG it is markup for the parser, which knows that it reads
#: SVG.
_RAW: Final = tags.tag_mask("iframe noembed noframes plaintext script style textarea title xmp")
#: Text in SVG, a comment for the tokenizer.
_CDATA: Final = "<![CDATA["


@dataclass(frozen=True, slots=True)
class TagSpans:
    """Positions of tags; -1 for rows that are not elements and for elements that the parser implied or reopened.

    Attributes:
        start: where the start tag of each row begins.
        content: where the start tag ends.
        stop: where the end tag ends; equal to `content` where there is none.
    """

    start: Ints
    content: Ints
    stop: Ints


def tag_spans(page: "Page", document: turbohtml.Document, source: Source, tokens: SourceTokens) -> TagSpans:
    """Return the tag positions of all rows. `document` is the page parsed again, with source locations."""
    start, content, stop = (np.full(len(page), -1, dtype=np.int64) for _ in range(3))
    rows, begin = _start_positions(page, document, source)
    ask = rows
    starts = _match_start_tags(tokens, rows, begin) if tokens.reliable else None
    self_closed = _self_closed(page, source, tokens, starts) if starts is not None else None
    if starts is not None and self_closed is not None:
        start[starts.row], content[starts.row] = tokens.begin[starts.token], tokens.end[starts.token]
        stop[starts.row] = content[starts.row]
        reopened = rows[start[rows] < 0]
        ask = match_end_tags(page, tokens, starts, reopened, self_closed | tags.VOID[page.tag], stop)
        after_tags = _after_tag(source, content[starts.row]) & _after_tag(source, stop[starts.row])
        ask = np.union1d(ask, starts.row[~after_tags])
    nodes, done = document.descendants, 1  # row 0 is the document itself
    for row in ask.tolist():
        location = next(islice(nodes, row - done, None)).source_location
        done = row + 1
        if location is None:
            start[row] = content[row] = stop[row] = -1
            continue
        start_tag = location.start_tag
        start[row], content[row] = start_tag.start_offset, start_tag.end_offset
        stop[row] = (location.end_tag or start_tag).end_offset
    return TagSpans(start, content, stop)


def _start_positions(page: "Page", document: turbohtml.Document, source: Source) -> tuple[Ints, Ints]:
    """Return the rows of the elements that have a start tag, and where it begins."""
    nodes = document.descendants
    is_element = page.is_element.tobytes()
    done = 1
    lines: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    columns: list[npt.NDArray[np.float64]] = [np.zeros(0)]
    while chunk := list(islice(nodes, CHUNK)):
        elements = list(compress(chunk, is_element[done : done + len(chunk)]))
        done += len(chunk)
        lines.append(np.array(list(map(_line, elements)), dtype=np.float64))  # None (implied) becomes nan
        columns.append(np.array(list(map(_column, elements)), dtype=np.float64))
    assert done == len(page), "the same source gives the same rows"
    line, column = np.concatenate(lines), np.concatenate(columns)
    known = ~np.isnan(line)
    return np.flatnonzero(page.is_element)[known], source.offsets(line[known], column[known])


def _match_start_tags(tokens: SourceTokens, rows: Ints, begin: Ints) -> StartTags | None:
    """Return the elements that have a start tag of their own, with its token.

    A reopened element has the position of the first one. Return None where tokens and elements do not agree: the
    tokenizer and the parser read different tags, or elements were moved, for example out of a table.
    """
    start_tags = tokens.of_type(START)
    if not len(rows) or not len(start_tags):
        return None
    own_rows, own_begin = rows, begin
    if (np.diff(begin) <= 0).any():
        _, group, group_size = np.unique(begin, return_inverse=True, return_counts=True)
        own_rows, own_begin = rows[group_size[group] == 1], begin[group_size[group] == 1]
    index = np.minimum(np.searchsorted(tokens.begin[start_tags], own_begin), len(start_tags) - 1)
    token = start_tags[index]
    if (tokens.begin[token] != own_begin).any() or (np.diff(own_begin) <= 0).any():
        return None
    return StartTags(own_rows, token)


def _after_tag(source: Source, offset: Ints) -> Bools:
    """Return whether a tag ends right before each offset; ``</>``, which is not a token, does not count."""
    codes = source.codes
    is_empty = (codes[offset - 3] == ord("<")) & (codes[offset - 2] == ord("/"))
    return np.asarray((codes[offset - 1] == ord(">")) & ~is_empty)


def _self_closed(page: "Page", source: Source, tokens: SourceTokens, starts: StartTags) -> Bools | None:
    """Return which rows are elements of SVG or MathML that their start tag closes.

    Return None where the tokenizer may have read something there differently from the parser.
    """
    out = np.zeros(len(page), dtype=np.bool_)
    roots = np.flatnonzero(np.isin(page.tag, (tags.IDS["svg"], tags.IDS["math"])))
    if not len(roots):
        return out
    if _CDATA in source.text:
        return None
    start_tag = page.tag[starts.row]
    relevant = (tokens.self_closing[starts.token] == 1) | FRAME[start_tag] | _RAW[start_tag]
    relevant &= in_subtree(page.end, roots)[starts.row]
    for row, token in zip(starts.row[relevant].tolist(), starts.token[relevant].tolist(), strict=True):
        if page.nodes[row].namespace is turbohtml.Namespace.HTML:
            continue
        if FRAME[page.tag[row]]:
            return None
        text = slice(int(tokens.end[token]), int(tokens.end[min(token + 1, len(tokens.end) - 1)]))
        if _RAW[page.tag[row]] and TEXT in tokens.types[token + 1 : token + 2] and "<" in source.text[text]:
            return None
        out[row] = bool(tokens.self_closing[token])
    return out
