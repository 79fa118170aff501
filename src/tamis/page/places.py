r"""Where each row stands in the source: spans, XPaths and CSS selectors.

The fast path carries no positions. This second parse, made on first use, does: the parser tells the span of every
element, and its tokens tell where text begins. Offsets count characters of `Places.source`: the decoded source
with its line ends made ``\n``, as the standard prescribes before parsing.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import turbohtml
import turbohtml.detect  # registers the codecs of the standard, by the name whatwg-…

from tamis.page.columns import ELEMENT, TEXT

if TYPE_CHECKING:
    from tamis.page.columns import Page

__all__ = ["Places", "css_selector", "decode", "locate", "xpath"]


@dataclass(frozen=True, slots=True)
class Places:
    """Source spans as columns: ``source[start[row]:stop[row]]``, both -1 where the source has no such thing.

    An element's span runs from its start tag to its end tag, or to the end of what it holds; elements that the
    parser implied have the span of what they hold. A text row's span covers its characters as written, with
    references not yet resolved.
    """

    source: str
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]


def decode(page: "Page") -> str:
    """Return the source as text with normalised line ends, decoded as the parser decoded it."""
    if isinstance(page.markup, str):
        source = page.markup
    else:
        assert page.encoding is not None
        source = page.markup.decode("whatwg-" + page.encoding)
        source = source.removeprefix("\ufeff")
    return source.replace("\r\n", "\n").replace("\r", "\n")


def locate(page: "Page") -> Places:
    """Find the source span of every row.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one &amp; <b>two</b>")
    >>> places = page.places
    >>> [places.source[a:b] for a, b in zip(places.start[4:], places.stop[4:])]
    ['<p>one &amp; <b>two</b>', 'one &amp; ', '<b>two</b>', 'two']
    """
    source = decode(page)
    document = turbohtml.parse(source, source_locations=True, allow_declarative_shadow_roots=False)
    start = np.full(len(page), -1, dtype=np.int64)
    stop = np.full(len(page), -1, dtype=np.int64)
    content = np.full(len(page), -1, dtype=np.int64)  # where an element's start tag ends
    nodes = [document, *document.descendants]
    assert len(nodes) == len(page), "the same source gives the same rows"
    for row in np.flatnonzero(page.kind == ELEMENT).tolist():
        place = nodes[row].source_location
        if place is None:
            continue
        start[row] = place.start_tag.start_offset
        content[row] = place.start_tag.end_offset
        stop[row] = (place.end_tag or place.start_tag).end_offset
    _place_text(page, source, start, stop, content)
    _close(page, start, stop)
    return Places(source, start, stop)


def _place_text(
    page: "Page",
    source: str,
    start: npt.NDArray[np.int64],
    stop: npt.NDArray[np.int64],
    content: npt.NDArray[np.int64],
) -> None:
    """Give text rows the spans of the text tokens they were made from.

    Text stands after its parent's start tag and after the sibling before it, so its token is looked for from
    there on. A row may be made of several tokens (a stray end tag between them leaves no trace), a token may be
    shared by rows (a table's stray text is moved, its white space stays), and white space may leave no row at all.
    """
    begins, ends, data = _text_tokens(source)
    taken = bytearray(len(begins))
    parents: list[int] = page.parent.tolist()
    offsets: list[int] = page.offset.tolist()
    contents: list[int] = content.tolist()
    stops: list[int] = stop.tolist()
    closed = {row: stops[row] for row in range(len(page)) if stops[row] > contents[row]}  # those with end tags
    has_text = (page.kind == TEXT) & (page.offset[1:] > page.offset[:-1])
    implied = (page.kind == ELEMENT) & (content < 0)
    for row in np.flatnonzero(has_text | implied).tolist():
        parent = parents[row]
        floor = contents[parent]
        before = row - 1
        while before != parent:  # up from the last row before this one to the sibling it ends
            floor = max(floor, stops[before])
            before = parents[before]
        if implied[row]:  # holds what comes next in the source
            contents[row] = floor
            continue
        ceiling = closed.get(parent, len(source))
        if ceiling <= floor:  # a formatting element opened again: its place is that of the first one
            ceiling = len(source)
        near = range(bisect_left(begins, floor), bisect_left(begins, ceiling))[:_LOOK_AHEAD]
        first, last = _tokens_of(page.text[offsets[row] : offsets[row + 1]], data, taken, near)
        if first >= 0:
            taken[first] = taken[last] = 1
            start[row], stops[row] = begins[first], ends[last]
    stop[:] = stops


_LOOK_AHEAD = 64  # tokens: a moved text lies within its table, and a search of bounded length stays linear


def _tokens_of(text: str, data: list[str], taken: bytearray, near: range) -> tuple[int, int]:
    """Return the first and last of the tokens, among those near, that together make a text; (-1, -1) if none do.

    A token that says the whole text is best; then a run of tokens that add up to it; then a token that holds it.
    """
    holder = -1
    for first in near:
        token = data[first]
        if taken[first] or not token:
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


def _text_tokens(source: str) -> tuple[list[int], list[int], list[str]]:
    """Return the offsets and the data of all text tokens of a source."""
    begins: list[int] = []
    ends: list[int] = []
    data: list[str] = []
    for begin, end, text, holder in _tokens_with_holder(source):
        if holder == "noscript":  # the tokenizer reads it as a browser with scripts does, the parser without
            for inner_begin, inner_end, inner, _ in _tokens_with_holder(source[begin:end]):
                begins.append(begin + inner_begin)
                ends.append(begin + inner_end)
                data.append(inner)
        else:
            begins.append(begin)
            ends.append(end)
            data.append(text)
    return begins, ends, data


def _tokens_with_holder(source: str) -> Iterator[tuple[int, int, str, str | None]]:
    """Give each text token: where it begins and ends, its text, and the start tag right before it."""
    lines = [0, *(match.end() for match in re.finditer("\n", source))]
    text: str | None = None
    begin = 0
    tag: str | None = None
    for token in turbohtml.tokenize(source):
        offset = lines[token.line - 1] + token.col
        if text is not None:
            yield begin, offset, text, tag
        text = token.data if token.type == turbohtml.TokenType.TEXT else None
        begin = offset
        if text is None:
            tag = token.tag if token.type == turbohtml.TokenType.START_TAG else None
    if text is not None:
        yield begin, len(source), text, tag


def _close(page: "Page", start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> None:
    """Let every element span at least what it holds: children before parents, so rows from the last to the first."""
    parents: list[int] = page.parent.tolist()
    starts: list[int] = start.tolist()
    stops: list[int] = stop.tolist()
    implied: list[bool] = (start < 0).tolist()
    for row in range(len(page) - 1, 0, -1):
        if starts[row] < 0:
            continue
        parent = parents[row]
        stops[parent] = max(stops[parent], stops[row])
        if implied[parent]:
            starts[parent] = starts[row] if starts[parent] < 0 else min(starts[parent], starts[row])
    start[:], stop[:] = starts, stops


def xpath(page: "Page", row: int) -> str:
    """Return an XPath that finds a row again.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one<p>two<br>three")
    >>> xpath(page, 9)
    '/html/body/p[2]/text()[2]'
    """
    if page.kind[row] == ELEMENT:
        return str(page.nodes[row].xpath_path())  # type: ignore[attr-defined]
    parent = int(page.parent[row])
    if page.kind[row] != TEXT or parent < 0:
        return "/"
    siblings = np.flatnonzero((page.parent[parent : row + 1] == parent) & (page.kind[parent : row + 1] == TEXT))
    return f"{page.nodes[parent].xpath_path()}/text()[{len(siblings)}]"  # type: ignore[attr-defined]


def css_selector(page: "Page", row: int) -> str:
    """Return a CSS selector that finds an element again; for text, its parent's.

    >>> from tamis.page import parse_page
    >>> css_selector(parse_page("<p>one<p>two"), 6)
    'html > body > p:nth-of-type(2)'
    """
    element = row if page.kind[row] == ELEMENT else max(int(page.parent[row]), 0)
    if page.kind[element] != ELEMENT:
        return ":root"
    return str(page.nodes[element].css_path())  # type: ignore[attr-defined]
