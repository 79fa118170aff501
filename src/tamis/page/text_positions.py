"""Where the text rows of a page stand in its source."""

from bisect import bisect_left
from dataclasses import dataclass
from itertools import pairwise
from operator import eq
from typing import TYPE_CHECKING, Final

import numpy as np

from tamis.page.columns import ELEMENT
from tamis.page.columns import TEXT as TEXT_ROW
from tamis.page.source_tokens import TEXT, SourceTokens
from tamis.page.tag_spans import Ints, TagSpans

if TYPE_CHECKING:
    from tamis.page.columns import Page

_FAR: Final = 1 << 62  # an offset behind every source
_LOOK_AHEAD: Final = 64  # tokens: a moved text lies within its table, and a search of bounded length stays linear


@dataclass(frozen=True, slots=True)
class _Texts:
    """Text rows and text tokens, to be brought together.

    Attributes:
        rows: the rows that have text.
        said: what each says.
        begin: where each text token begins.
        end: where it ends.
        data: what it says.
        length: the length of the source.
        ceiling: for each row where its end tag ends; the end of the source where it has none.
    """

    rows: Ints
    said: list[str]
    begin: Ints
    end: Ints
    data: list[str]
    length: int
    ceiling: Ints


def place_text(page: "Page", tokens: SourceTokens, spans: TagSpans) -> None:
    """Give text rows the spans of the text tokens they were made from.

    Text stands after its parent's start tag and after the sibling before it, so its token is looked for from
    there on. A row may be made of several tokens (a stray end tag between them leaves no trace), a token may be
    shared by rows (a table's stray text is moved, its white space stays), and white space may leave no row at all.

    Nearly every row stands between the same tags as a token that says the same: those are paired at once, the others
    are looked for one by one. Where one of these comes upon a pair, all are looked for.
    """
    rows = np.flatnonzero((page.node_type == TEXT_ROW) & (page.offset[1:] > page.offset[:-1]))
    which = tokens.of_type(TEXT)
    length = int(tokens.end[-1]) if len(tokens.end) else 0
    text, offset = page.text, page.offset[np.append(rows, len(page))].tolist()  # only these rows have text
    texts = _Texts(
        rows,
        [text[a:b] for a, b in pairwise(offset)],
        tokens.begin[which],
        tokens.end[which],
        tokens.texts,
        length,
        np.where(spans.stop > spans.content, spans.stop, length),
    )
    partner = _pair(page, texts, spans)
    found = _look(page, texts, spans, partner) or _look(page, texts, spans, np.full(len(rows), -1, dtype=np.int64))
    assert found is not None, "nothing was paired that could be wrong"
    spans.start[rows], spans.stop[rows] = found


def _pair(page: "Page", texts: _Texts, spans: TagSpans) -> Ints:
    """Return for each text row the token that is surely its own, else -1.

    Sure is what the search would find at the first look: between two start tags there are as many rows as tokens,
    each row says what its token says, and its token is the first one after all that stands before the row.
    """
    count = len(texts.rows)
    nothing = np.full(count, -1, dtype=np.int64)
    own = np.flatnonzero(spans.start >= 0)
    if not count or not len(own) or not len(texts.data) or (np.diff(spans.start[own]) <= 0).any():
        return nothing
    gap = np.searchsorted(own, texts.rows)
    token_gap = np.searchsorted(spans.start[own], texts.begin)
    even = np.bincount(gap, minlength=len(own) + 1) == np.bincount(token_gap, minlength=len(own) + 1)
    mine, token = np.flatnonzero(even[gap]), np.flatnonzero(even[token_gap])
    said = map(texts.said.__getitem__, mine.tolist())
    same = np.fromiter(map(eq, said, map(texts.data.__getitem__, token.tolist())), np.bool_, len(mine))
    mine, token = mine[same], token[same]
    row = texts.rows[mine]
    # What ends before the row ends before its token, and behind the token before that one.
    stop = spans.stop.copy()
    stop[row] = texts.end[token]
    high = _latest_end(page, stop)[row]
    low = np.maximum(spans.content[page.parent[row]], np.where(row - 1 != page.parent[row], stop[row - 1], -1))
    begin, before = texts.begin[token], np.append(-1, texts.begin)[token]
    sure = (high <= begin) & (low > before) & (low <= begin) & (begin < texts.ceiling[page.parent[row]])
    nothing[mine[sure]] = token[sure]
    return nothing


def _latest_end(page: "Page", stop: Ints) -> Ints:
    """Return for each row the last offset at which a row that is over before it ends."""
    latest = np.full(len(page) + 1, -1, dtype=np.int64)
    np.maximum.at(latest, page.end, stop)
    return np.maximum.accumulate(latest)


def _look(page: "Page", texts: _Texts, spans: TagSpans, partner: Ints) -> tuple[Ints, Ints] | None:
    """Look for the rows without a partner, one by one; return where all begin and end, None if a partner is wrong."""
    begins: list[int] = [*texts.begin.tolist(), _FAR]
    ends: list[int] = texts.end.tolist()
    paired = partner >= 0
    owner = np.full(len(begins), len(page), dtype=np.int64)  # the row that a token was given to
    owner[partner[paired]] = texts.rows[paired]
    start, stop = spans.start.copy(), spans.stop.copy()
    start[texts.rows[paired]], stop[texts.rows[paired]] = texts.begin[partner[paired]], texts.end[partner[paired]]
    implied = (page.node_type == ELEMENT) & (spans.content < 0)
    places = dict(zip(texts.rows[~paired].tolist(), np.flatnonzero(~paired).tolist(), strict=True))
    wanted = implied.copy()
    wanted[texts.rows[~paired]] = True
    taker: list[int] = owner.tolist()
    parents: list[int] = page.parent.tolist()
    contents: list[int] = spans.content.tolist()
    stops: list[int] = stop.tolist()
    for row in np.flatnonzero(wanted).tolist():
        parent = parents[row]
        floor = contents[parent]
        before = row - 1
        while before != parent:  # up from the last row before this one to the sibling it ends
            if stops[before] > floor:  # noqa: PLR1730 (max() is a call for every row)
                floor = stops[before]
            before = parents[before]
        place = places.get(row)
        if place is None:  # an implied element: it holds what comes next in the source
            contents[row] = floor
            continue
        ceiling = int(texts.ceiling[parent])
        if ceiling <= floor:  # a formatting element opened again: its place is that of the first one
            ceiling = texts.length
        near = range(bisect_left(begins, floor), bisect_left(begins, ceiling))[:_LOOK_AHEAD]
        first, last = _tokens_of(texts.said[place], texts.data, taker, row, near)
        if first >= 0:
            if max(taker[first], taker[last]) < len(page):
                return None
            taker[first] = taker[last] = row
            start[row], stops[row] = begins[first], ends[last]
    stop[:] = stops
    own = texts.rows[paired]
    if (_latest_end(page, stop)[own] > start[own]).any():  # a text that was looked for reaches beyond its place
        return None
    return start[texts.rows], stop[texts.rows]


def _tokens_of(text: str, data: list[str], taker: list[int], row: int, near: range) -> tuple[int, int]:
    """Return the first and last of the tokens, among those near, that together make a text; (-1, -1) if none do.

    A token that says the whole text is best; then a run of tokens that add up to it; then a token that holds it.
    One that a row before this one took is not looked at.
    """
    holder = -1
    for first in near:
        token = data[first]
        if taker[first] < row or not token:
            continue
        if token == text:
            return first, first
        if text.startswith(token):
            last, read = first, len(token)
            for more in range(first + 1, near.stop):  # moved texts join over what stands between them
                if read < len(text) and text.startswith(data[more], read):
                    last = more
                    read += len(data[more])
            if read == len(text):
                return first, last
        elif holder < 0 and text in token:
            holder = first
    return holder, holder
