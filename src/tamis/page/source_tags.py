"""The source of a page: its tokens as columns, and the start tag and the end tag of each element."""

import re
from dataclasses import dataclass
from itertools import compress, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.html import tags
from tamis.page.sums import Bools, in_subtree

if TYPE_CHECKING:
    from tamis.page.columns import Page

# The tokens of a page's source as columns: the position and the type of each.

Ints = npt.NDArray[np.int64]

#: Tokens (and nodes) are read in chunks of this size: a million objects at once cost more than reading them.
CHUNK: Final = 4096
TEXT: Final = turbohtml.TokenType.TEXT.value
START: Final = turbohtml.TokenType.START_TAG.value
END: Final = turbohtml.TokenType.END_TAG.value
_line = attrgetter("line")
_column = attrgetter("col")
_type = attrgetter("type")
_tag = attrgetter("tag")
_data = attrgetter("data")
_self_closing = attrgetter("self_closing")
_FOREIGN_CONTENT: Final = re.compile("<(?:svg|math)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Source:
    r"""A source with its code points and the offsets of its lines.

    >>> Source.from_text("a\nbc\n").offsets([1, 2, 3], [0, 1, 0]).tolist()
    [0, 3, 5]
    """

    text: str
    codes: npt.NDArray[np.uint32]
    lines: Ints

    @classmethod
    def from_text(cls, text: str) -> "Source":
        """Return a source with the lines of a text."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
        return cls(text, codes, np.concatenate((np.zeros(1, np.int64), np.flatnonzero(codes == ord("\n")) + 1)))

    def offsets(self, line: npt.ArrayLike, column: npt.ArrayLike) -> Ints:
        """Return offsets from lines (counted from 1) and columns (counted from 0)."""
        return np.asarray(self.lines[np.asarray(line, np.int64) - 1] + np.asarray(column, np.int64))


@dataclass(frozen=True, slots=True)
class SourceTokens:
    """The tokens of a source, in order. The content of ``noscript`` is cut into tokens too, as the parser reads it.

    Attributes:
        begin: where each token begins, in characters of the source.
        end: where the next one begins.
        types: the type of each, a `turbohtml.TokenType` as a number.
        self_closing: which start tags end in ``/>``; set only if the source has SVG or MathML.
        tags: the name of each tag, None for other tokens.
        texts: the data of the text tokens, in order.
        reliable: whether the parser ends each ``noscript`` where the tokenizer does.
    """

    begin: Ints
    end: Ints
    types: npt.NDArray[np.uint8]
    self_closing: npt.NDArray[np.uint8]
    tags: list[str | None]
    texts: list[str]
    reliable: bool = True

    def of_type(self, token_type: int) -> Ints:
        """Return the indices of the tokens of a type."""
        return np.flatnonzero(self.types == token_type)


def read_tokens(source: Source) -> SourceTokens:
    """Cut a source into tokens.

    >>> read_tokens(Source.from_text("<p>a<noscript><b>c</b></noscript>")).tags
    ['p', None, 'noscript', 'b', None, 'b', 'noscript']
    """
    tokens = _tokenize(source)
    if "noscript" not in tokens.tags:
        return tokens
    # The tokenizer reads its content as one text, as a browser with scripts does; the parser reads markup.
    raw_texts: list[int] = []
    index = -1
    for _ in range(tokens.tags.count("noscript")):
        index = tokens.tags.index("noscript", index + 1)
        if tokens.types[index] == START and tokens.types[index + 1 : index + 2].tolist() == [TEXT]:
            raw_texts.append(index + 1)
    return _expand(source.text, tokens, raw_texts)


def _tokenize(source: Source) -> SourceTokens:
    stream = turbohtml.tokenize(source.text, capture_attributes=False)
    has_foreign_content = _FOREIGN_CONTENT.search(source.text) is not None
    lines: list[Ints] = [np.zeros(0, np.int64)]
    columns: list[Ints] = [np.zeros(0, np.int64)]
    types, self_closing = bytearray(), bytearray()
    tags: list[str | None] = []
    texts: list[str] = []
    while chunk := list(islice(stream, CHUNK)):
        lines.append(np.fromiter(map(_line, chunk), np.int64, len(chunk)))
        columns.append(np.fromiter(map(_column, chunk), np.int64, len(chunk)))
        chunk_types = bytes(map(_type, chunk))
        types += chunk_types
        tags += map(_tag, chunk)
        texts += map(_data, compress(chunk, (np.frombuffer(chunk_types, np.uint8) == TEXT).tobytes()))
        self_closing += bytes(map(_self_closing, chunk)) if has_foreign_content else bytes(len(chunk))
    begin = source.offsets(np.concatenate(lines), np.concatenate(columns))
    return SourceTokens(
        begin,
        np.append(begin, len(source.text))[1:],
        np.frombuffer(types, np.uint8),
        np.frombuffer(self_closing, np.uint8),
        tags,
        texts,
    )


def _expand(source: str, tokens: SourceTokens, raw_texts: list[int]) -> SourceTokens:
    """Replace text tokens, given by their indices, with the tokens of their content."""
    pieces: list[SourceTokens] = []
    reliable = True
    first = first_text = 0
    for index in [*raw_texts, len(tokens.tags)]:
        last_text = first_text + int(np.count_nonzero(tokens.types[first:index] == TEXT))
        pieces.append(
            SourceTokens(
                tokens.begin[first:index],
                tokens.end[first:index],
                tokens.types[first:index],
                tokens.self_closing[first:index],
                tokens.tags[first:index],
                tokens.texts[first_text:last_text],
            )
        )
        if index < len(tokens.tags):
            content = source[int(tokens.begin[index]) : int(tokens.end[index])]
            reliable &= _is_complete(content)
            pieces.append(_shift(_tokenize(Source.from_text(content)), int(tokens.begin[index])))
        first, first_text = index + 1, last_text + 1
    return SourceTokens(
        np.concatenate([piece.begin for piece in pieces]),
        np.concatenate([piece.end for piece in pieces]),
        np.concatenate([piece.types for piece in pieces]),
        np.concatenate([piece.self_closing for piece in pieces]),
        [tag for piece in pieces for tag in piece.tags],
        [text for piece in pieces for text in piece.texts],
        reliable,
    )


def _shift(tokens: SourceTokens, offset: int) -> SourceTokens:
    return SourceTokens(
        tokens.begin + offset, tokens.end + offset, tokens.types, tokens.self_closing, tokens.tags, tokens.texts
    )


def _is_complete(markup: str) -> bool:
    """Return whether markup leaves no comment, tag or raw text open, so that an end tag after it is read as one.

    >>> _is_complete("<img src=x>"), _is_complete("<!-- <img>"), _is_complete("<img src=")
    (True, False, False)
    """
    tokens = list(turbohtml.tokenize(f"{markup}</noscript>"))  # none if a tag is left open
    return (
        bool(tokens) and tokens[-1].type == END and tokens[-1].tag == "noscript" and "<noscript" not in markup.lower()
    )


# Assign end tags to elements without asking the parser.
#
# Elements that end between two start tags have their end tags there, in order. Where that is not certain (an end tag
# that fits no element, or leaves one open), the rows are returned for the caller to ask the parser.

#: Elements whose end tag may be omitted, and the end tags that then close them ("generate implied end tags").
_OMISSIBLE: Final = tags.tag_mask("dd dt li optgroup option p rb rp rt rtc")
_CLOSERS: Final = tags.tag_mask(
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header"
    " hgroup li dd dt main menu nav ol pre section summary td th ul"
)
#: The same for the parts of a table.
_OMISSIBLE_IN_TABLE: Final = _OMISSIBLE | tags.tag_mask("tbody td tfoot th thead tr")
_TABLE_CLOSERS: Final = tags.tag_mask("table tbody tfoot thead tr")
#: Each occurs once. Its end tag may come before content that still belongs to it, and its start tag may be repeated.
FRAME: Final = tags.tag_mask("body frameset head html")
#: The parser is asked for these. In ``head`` the content of a ``noscript`` may end it; a ``form`` between the rows of
#: a table is empty.
_ASK_PARSER: Final = FRAME | tags.tag_mask("form noscript")
#: Elements that are reopened after an end tag closed their parent: their end tag need not match what they contain.
_FORMATTING: Final = tags.tag_mask("a b big code em font i nobr s small strike strong tt u")


class _TagIds(dict[object, int]):
    """Tag ids by name, 0 for unknown names, so that ``map`` can look up whole lists without a Python frame."""

    def __missing__(self, key: object) -> int:
        return 0


_TAG_ID: Final = _TagIds(tags.IDS).__getitem__


@dataclass(frozen=True, slots=True)
class StartTags:
    """Elements that have a start tag of their own, in document order, and its token.

    Attributes:
        row: the row of each element.
        token: the index of its start tag among the tokens of the source.
    """

    row: Ints
    token: Ints


def match_end_tags(
    page: "Page", tokens: SourceTokens, starts: StartTags, reopened: Ints, closed: Bools, stop: Ints
) -> Ints:
    """Write the end of each element's end tag into `stop`; return the rows for which the parser must be asked.

    A gap is what lies between two start tags. The elements that end in it are the first element and its ancestors, up
    to but without the parent of the second. End tags close them from the innermost outwards.

    Args:
        page: the page.
        tokens: the tokens of its source.
        starts: its start tags.
        reopened: formatting elements that the parser opened again; they share a start tag.
        closed: the elements that have no end tag.
        stop: for each row, where its start tag ends; -1 for rows without one.
    """
    tag_ids = np.frombuffer(bytes(map(_TAG_ID, tokens.tags)), dtype=np.uint8)
    end_tags = tokens.of_type(END)
    end_tags = end_tags[~FRAME[tag_ids[end_tags]]]
    end_gap = np.searchsorted(starts.token, end_tags) - 1
    # A start tag without an element may have closed an element all the same.
    has_element = np.zeros(len(tag_ids), dtype=np.bool_)
    has_element[starts.token] = True
    start_tags = tokens.of_type(START)
    ignored = start_tags[~has_element[start_tags]]
    elements = starts.row[~(closed | FRAME[page.tag])[starts.row]][::-1]  # the innermost first
    element_gap = np.searchsorted(starts.row, page.end[elements]) - 1
    order = np.argsort(element_gap, kind="stable")
    elements, element_gap = elements[order], element_gap[order]
    # A gap is regular if its end tags are those of its elements. Gap -1, before the first element, is the last entry.
    gaps = len(starts.row)
    regular = _count_gaps(end_gap, gaps) == _count_gaps(element_gap, gaps)
    regular[-1] = False
    regular[np.searchsorted(starts.token, ignored) - 1] = False
    regular[np.searchsorted(starts.row, reopened) - 1] = False
    regular[np.searchsorted(starts.row, page.end[reopened]) - 1] = False
    end_names, element_names = tag_ids[end_tags[regular[end_gap]]], page.tag[elements[regular[element_gap]]]
    regular[end_gap[regular[end_gap]][(end_names != element_names) | (end_names == tags.OTHER)]] = False
    stop[elements[regular[element_gap]]] = tokens.end[end_tags[regular[end_gap]]]
    rest = np.sort(np.concatenate((end_tags[~regular[end_gap]], ignored)))
    return _match_irregular(page, tokens, starts, rest, reopened, closed, stop)


def _count_gaps(gap: Ints, size: int) -> Ints:
    """Return how often each gap occurs; gap -1 comes last."""
    return np.bincount(np.where(gap < 0, size, gap), minlength=size + 1)


def _match_irregular(
    page: "Page",
    tokens: SourceTokens,
    starts: StartTags,
    rest: Ints,
    reopened: Ints,
    closed: Bools,
    stop: Ints,
) -> Ints:
    """Match one by one the tags of gaps where end tags are omitted or too many; return the rows to ask for."""
    rows: list[int] = starts.row.tolist()
    next_rows = [*rows[1:], len(page)]
    parents: list[int] = page.parent.tolist()
    ends: list[int] = page.end.tolist()
    has_tag: list[bool] = (stop >= 0).tolist()
    reopened_rows = set(reopened.tolist())
    uncertain = reopened_rows.copy()
    unmatched: dict[int, list[int]] = {}  # gaps by tag id
    last_gap, row, limit = -2, -1, 0
    for token, gap in zip(rest.tolist(), (np.searchsorted(starts.token, rest) - 1).tolist(), strict=True):
        name = tokens.tags[token]
        assert name is not None, "tags have names"
        if gap != last_gap:
            last_gap = gap
            row, limit = (rows[gap], next_rows[gap]) if gap >= 0 else (-1, 0)
        tag_id = tags.IDS.get(name, tags.OTHER)
        candidate = row if tokens.types[token] == END else -1
        matches = False
        while candidate >= 0 and ends[candidate] <= limit:
            matches = has_tag[candidate] and not closed[candidate] and page.tag_name(candidate) == name
            implied = not has_tag[candidate] and candidate not in reopened_rows
            omitted = has_tag[candidate] and _may_be_omitted(int(page.tag[candidate]), tag_id)
            if matches or not (closed[candidate] or implied or omitted):
                break
            candidate = parents[candidate]
        if matches:
            stop[candidate] = tokens.end[token]
            row = parents[candidate]
            continue
        unmatched.setdefault(tag_id, []).append(gap)
        while row >= 0 and ends[row] <= limit:
            if has_tag[row]:
                uncertain.add(row)
            row = parents[row]
        row = -1  # the remaining end tags of this gap are uncertain too
    unresolved = _ASK_PARSER[page.tag[starts.row]]
    in_order = not len(reopened) and not page.tag_count("template")  # templates keep what their tables cannot contain
    for tag_id, unmatched_gaps in unmatched.items():
        same_tag = page.tag[starts.row] == tag_id
        if in_order and not _FORMATTING[tag_id]:  # the tag can only have closed an element that was open there
            low = np.searchsorted(unmatched_gaps, np.arange(len(starts.row)))
            high = np.searchsorted(unmatched_gaps, np.searchsorted(starts.row, page.end[starts.row]))
            same_tag &= high > low
        unresolved |= same_tag
    return np.union1d(starts.row[unresolved], np.array(sorted(uncertain), dtype=np.int64))


def _may_be_omitted(open_tag: int, closer: int) -> bool:
    """Return whether an end tag may close an ancestor of an element whose own end tag is missing."""
    return bool(
        (_OMISSIBLE[open_tag] and _CLOSERS[closer]) or (_OMISSIBLE_IN_TABLE[open_tag] and _TABLE_CLOSERS[closer])
    )


# The positions of each element's start tag and end tag in the source.
#
# The parser knows both, but it creates a dozen Python objects for each element that is asked; that was half of the
# time to find the positions of a page. Positions of start tags are cheap to read. On most of a page the end tags
# follow from the tokens (`tamis.page.source_tags`), and only the remaining elements are asked.

_element_line = attrgetter("source_line")
_element_column = attrgetter("source_col")

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
    unresolved = rows
    starts = _match_start_tags(tokens, rows, begin) if tokens.reliable else None
    self_closed = _self_closed(page, source, tokens, starts) if starts is not None else None
    if starts is not None and self_closed is not None:
        start[starts.row], content[starts.row] = tokens.begin[starts.token], tokens.end[starts.token]
        stop[starts.row] = content[starts.row]
        reopened = rows[start[rows] < 0]
        unresolved = match_end_tags(page, tokens, starts, reopened, self_closed | tags.VOID[page.tag], stop)
        after_tags = _after_tag(source, content[starts.row]) & _after_tag(source, stop[starts.row])
        unresolved = np.union1d(unresolved, starts.row[~after_tags])
    nodes, done = document.descendants, 1  # row 0 is the document itself
    for row in unresolved.tolist():
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
        lines.append(np.array(list(map(_element_line, elements)), dtype=np.float64))  # None (implied) becomes nan
        columns.append(np.array(list(map(_element_column, elements)), dtype=np.float64))
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
