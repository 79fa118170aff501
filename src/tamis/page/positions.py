"""The position of each row in the source: of elements, of text, of what both contain."""

import re
from bisect import bisect_left
from dataclasses import dataclass
from html import unescape
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._core.enums import ELEMENT
from tamis._core.enums import TEXT as TEXT_ROW
from tamis.page import parse
from tamis.page.parse import find_repair, fix_mojibake, needs_repair
from tamis.page.source_tags import TEXT, Ints, Source, SourceTokens, TagSpans, read_tokens, tag_spans

if TYPE_CHECKING:
    from tamis.page.columns import Page

__all__ = ["SourcePositions", "decode", "find_positions", "xpath"]

# The positions of the text rows of a page in its source.

_BEYOND_SOURCE: Final = 1 << 62  # an offset after the end of any source
_LOOK_AHEAD: Final = 64  # tokens: a moved text is within its table, and a bounded search keeps the time linear


@dataclass(frozen=True, slots=True)
class _Texts:
    """Text rows and the text tokens to match them with.

    Attributes:
        rows: the rows that have text.
        row_texts: the text of each.
        begin: where each text token begins.
        end: where it ends.
        token_texts: its data.
        source_length: the length of the source.
        limit: for each row of the page, where its end tag ends; the end of the source if it has none.
    """

    rows: Ints
    row_texts: list[str]
    begin: Ints
    end: Ints
    token_texts: list[str]
    source_length: int
    limit: Ints


def find_text_positions(page: "Page", tokens: SourceTokens, spans: TagSpans) -> None:
    """Write into `spans` the positions of the text tokens that each text row was made from.

    A text comes after its parent's start tag and after its previous sibling, so its token is searched from there on.
    A row may consist of several tokens (a stray end tag between them leaves no row), a token may be split among rows
    (a table's stray text is moved, its white space stays), and white space may have no row.

    Nearly every row is between the same tags as a token with the same text. Those are paired at once, the others are
    searched one by one. If a search contradicts a pair, all rows are searched.
    """
    rows = np.flatnonzero((page.node_type == TEXT_ROW) & (page.offset[1:] > page.offset[:-1]))
    text_tokens = tokens.of_type(TEXT)
    source_length = int(tokens.end[-1]) if len(tokens.end) else 0
    text, offset = page.text, page.offset[np.append(rows, len(page))].tolist()  # only these rows have text
    texts = _Texts(
        rows,
        [text[a:b] for a, b in pairwise(offset)],
        tokens.begin[text_tokens],
        tokens.end[text_tokens],
        tokens.texts,
        source_length,
        np.where(spans.stop > spans.content, spans.stop, source_length),
    )
    pairs = _pair(page, texts, spans)
    no_pairs = np.full(len(rows), -1, dtype=np.int64)
    positions = _search(page, texts, spans, pairs) or _search(page, texts, spans, no_pairs)
    assert positions is not None, "without pairs there is nothing to contradict"
    spans.start[rows], spans.stop[rows] = positions


def _pair(page: "Page", texts: _Texts, spans: TagSpans) -> Ints:
    """Return for each text row the token that is certainly its own, else -1.

    Certain is what the search would find first: between two start tags there are as many rows as tokens, each row has
    the text of its token, and its token is the first one after everything that comes before the row.
    """
    count = len(texts.rows)
    pairs = np.full(count, -1, dtype=np.int64)
    elements = np.flatnonzero(spans.start >= 0)
    if not count or not len(elements) or not len(texts.token_texts) or (np.diff(spans.start[elements]) <= 0).any():
        return pairs
    row_gap = np.searchsorted(elements, texts.rows)
    token_gap = np.searchsorted(spans.start[elements], texts.begin)
    gaps = len(elements) + 1
    same_count = np.bincount(row_gap, minlength=gaps) == np.bincount(token_gap, minlength=gaps)
    index, token = np.flatnonzero(same_count[row_gap]), np.flatnonzero(same_count[token_gap])
    row_texts = map(texts.row_texts.__getitem__, index.tolist())
    token_texts = map(texts.token_texts.__getitem__, token.tolist())
    same_text = np.fromiter(map(eq, row_texts, token_texts), np.bool_, len(index))
    index, token = index[same_text], token[same_text]
    row = texts.rows[index]
    # What ends before the row must end before its token and after the previous token.
    stop = spans.stop.copy()
    stop[row] = texts.end[token]
    latest = _latest_stop(page, stop)[row]
    floor = np.maximum(spans.content[page.parent[row]], np.where(row - 1 != page.parent[row], stop[row - 1], -1))
    begin, previous_begin = texts.begin[token], np.append(-1, texts.begin)[token]
    certain = (
        (latest <= begin) & (floor > previous_begin) & (floor <= begin) & (begin < texts.limit[page.parent[row]])
    )
    pairs[index[certain]] = token[certain]
    return pairs


def _latest_stop(page: "Page", stop: Ints) -> Ints:
    """Return for each row the largest `stop` of the rows whose subtree ends before it."""
    latest = np.full(len(page) + 1, -1, dtype=np.int64)
    np.maximum.at(latest, page.end, stop)
    return np.maximum.accumulate(latest)


def _search(page: "Page", texts: _Texts, spans: TagSpans, pairs: Ints) -> tuple[Ints, Ints] | None:
    """Search the unpaired rows one by one; return the start and stop of all text rows, None if a pair is wrong."""
    begins: list[int] = [*texts.begin.tolist(), _BEYOND_SOURCE]
    ends: list[int] = texts.end.tolist()
    paired = pairs >= 0
    owner = np.full(len(begins), len(page), dtype=np.int64)  # the row of each token; len(page) if it is free
    owner[pairs[paired]] = texts.rows[paired]
    start, stop = spans.start.copy(), spans.stop.copy()
    start[texts.rows[paired]], stop[texts.rows[paired]] = texts.begin[pairs[paired]], texts.end[pairs[paired]]
    implied = (page.node_type == ELEMENT) & (spans.content < 0)
    index_of = dict(zip(texts.rows[~paired].tolist(), np.flatnonzero(~paired).tolist(), strict=True))
    to_visit = implied.copy()
    to_visit[texts.rows[~paired]] = True
    owners: list[int] = owner.tolist()
    parents: list[int] = page.parent.tolist()
    contents: list[int] = spans.content.tolist()
    stops: list[int] = stop.tolist()
    for row in np.flatnonzero(to_visit).tolist():
        parent = parents[row]
        floor = contents[parent]
        previous = row - 1
        while previous != parent:  # from the previous row up to the previous sibling
            if stops[previous] > floor:  # noqa: PLR1730 (max() is a call for every row)
                floor = stops[previous]
            previous = parents[previous]
        index = index_of.get(row)
        if index is None:  # an implied element contains what comes next in the source
            contents[row] = floor
            continue
        limit = int(texts.limit[parent])
        if limit <= floor:  # a reopened formatting element has the position of the first one
            limit = texts.source_length
        near = range(bisect_left(begins, floor), bisect_left(begins, limit))[:_LOOK_AHEAD]
        first, last = _tokens_of(texts.row_texts[index], texts.token_texts, owners, row, near)
        if first >= 0:
            if max(owners[first], owners[last]) < len(page):
                return None
            owners[first] = owners[last] = row
            start[row], stops[row] = begins[first], ends[last]
    stop[:] = stops
    paired_rows = texts.rows[paired]
    if (_latest_stop(page, stop)[paired_rows] > start[paired_rows]).any():  # a searched text overlaps a later pair
        return None
    return start[texts.rows], stop[texts.rows]


def _tokens_of(text: str, token_texts: list[str], owners: list[int], row: int, near: range) -> tuple[int, int]:
    """Return the first and last of the near tokens that together make up a text; (-1, -1) if none do.

    A token with the whole text is best, then a run of tokens that add up to it, then a token that contains it. Tokens
    of earlier rows are skipped.
    """
    container = -1
    for first in near:
        token = token_texts[first]
        if owners[first] < row or not token:
            continue
        if token == text:
            return first, first
        if text.startswith(token):
            last, length = first, len(token)
            for later in range(first + 1, near.stop):  # moved texts join across what is between them
                if length < len(text) and text.startswith(token_texts[later], length):
                    last = later
                    length += len(token_texts[later])
            if length == len(text):
                return first, last
        elif container < 0 and text in token:
            container = first
    return container, container


# Check the positions of text: a span in the source that does not hold a row's characters is removed.
#
# Pairing rows with what was written is a search, and damaged markup can mislead it. A position that is wrong is worse
# than none.

_TAG: Final = re.compile(r"<[a-zA-Z/!?][^<>]*>")
_WORD: Final = re.compile(r"\w+")


def drop_wrong_spans(page: "Page", source: str, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> None:
    """Set the span of each text row whose characters are not in it to -1, in place."""
    text, offset = page.text, page.offset.tolist()
    for row in np.flatnonzero(page.is_text & (page.nonspace > 0) & (start >= 0)).tolist():
        written, shown = source[start[row] : stop[row]], text[offset[row] : offset[row + 1]]
        if written != shown and not holds_words(written, shown):
            start[row] = stop[row] = -1


def holds_words(written: str, shown: str) -> bool:
    """Tell whether the letters and digits of a text are in a piece of source, in order.

    >>> holds_words("one &amp; <b>t</b>wo", "one & two"), holds_words("<br>", "one")
    (True, False)
    """
    letters = iter("".join(_WORD.findall(unescape(_TAG.sub("", written)))))
    return all(letter in letters for word in _WORD.findall(shown) for letter in word)


# The position of each row in the source: spans, XPaths and CSS selectors.
#
# `parse_page` keeps no positions. They need a second parse, on first use: the parser gives the spans of elements, and
# its tokens give the positions of text. Offsets count characters of `SourcePositions.source`: the decoded source with
# its line ends converted to ``\n``, as the standard prescribes before parsing.


@dataclass(frozen=True, slots=True)
class SourcePositions:
    """Source spans as columns: ``source[start[row]:stop[row]]``; both are -1 for rows that are not in the source.

    An element's span runs from its start tag to its end tag, or to the end of its content; an element that the parser
    implied has the span of its content. A text row's span covers its characters as written, with character references
    not resolved.
    """

    source: str
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]


def decode(page: "Page") -> str:
    """Return the source as text with normalized line ends, decoded as the parser decodes it."""
    if page.binary_type is not None:
        source = ""  # it was not parsed
    elif isinstance(page.markup, str):
        source = page.markup
    else:
        assert page.encoding is not None
        source = parse.decode(page.markup, page.encoding).removeprefix("\ufeff")
    if page.mojibake_encoding is not None:
        source = fix_mojibake(source.removeprefix("\ufeff"), page.mojibake_encoding)
    return source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source


def find_positions(page: "Page") -> SourcePositions:
    """Find the source span of every row.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one &amp; <b>two</b>")
    >>> positions = page.positions
    >>> [positions.source[a:b] for a, b in zip(positions.start[4:], positions.stop[4:])]
    ['<p>one &amp; <b>two</b>', 'one &amp; ', '<b>two</b>', 'two']
    """
    written = decode(page)
    repair = find_repair(written) if needs_repair(written) else None
    source = Source.from_text(repair.apply(written) if repair else written)
    document = turbohtml.parse(source.text, source_locations=True, allow_declarative_shadow_roots=False)
    tokens = read_tokens(source)
    spans = tag_spans(page, document, source, tokens)
    find_text_positions(page, tokens, spans)
    drop_wrong_spans(page, source.text, spans.start, spans.stop)
    _include_children(page, spans.start, spans.stop)
    if repair:
        for column in (spans.start, spans.stop):  # as if the end tag had not been inserted
            column[column > repair.position] -= len(repair.inserted)
    return SourcePositions(written, spans.start, spans.stop)


def _include_children(page: "Page", start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> None:
    """Extend the span of each element to its children; rows go from last to first, so children before parents."""
    parents: list[int] = page.parent.tolist()
    starts: list[int] = start.tolist()
    stops: list[int] = stop.tolist()
    implied: list[bool] = (start < 0).tolist()
    for row in range(len(page) - 1, 0, -1):
        if starts[row] < 0:
            continue
        parent = parents[row]
        if stops[row] > stops[parent]:  # noqa: PLR1730 (max() is a call for every row)
            stops[parent] = stops[row]
        if implied[parent]:
            starts[parent] = starts[row] if starts[parent] < 0 else min(starts[parent], starts[row])
    start[:], stop[:] = starts, stops


def xpath(page: "Page", row: int) -> str:
    """Return an XPath that selects a row (see `tamis.page.selectors`).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one<p>two<br>three")
    >>> xpath(page, 9)
    '/html/body/p[2]/text()[2]'
    """
    return page.xpaths.of(row)
