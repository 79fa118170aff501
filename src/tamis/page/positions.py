r"""The position of each row in the source: spans, XPaths and CSS selectors.

`parse_page` keeps no positions. They need a second parse, on first use: the parser gives the spans of elements, and
its tokens give the positions of text. Offsets count characters of `SourcePositions.source`: the decoded source with
its line ends converted to ``\n``, as the standard prescribes before parsing.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.page import encodings
from tamis.page.checked_positions import drop_wrong_spans
from tamis.page.columns import ELEMENT
from tamis.page.source_tokens import Source, read_tokens
from tamis.page.tag_spans import tag_spans
from tamis.page.text_positions import find_text_positions
from tamis.page.title_repair import find_repair, needs_repair
from tamis.page.twice_decoded import decode_again

if TYPE_CHECKING:
    from tamis.page.columns import Page

__all__ = ["SourcePositions", "css_selector", "decode", "find_positions", "xpath"]


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
    if isinstance(page.markup, str):
        source = page.markup
    else:
        assert page.encoding is not None
        source = encodings.decode(page.markup, page.encoding).removeprefix("\ufeff")
    if page.decoded_again is not None:
        source = decode_again(source.removeprefix("\ufeff"), page.decoded_again)
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
    """Return an XPath that selects a row (see `tamis.page.xpaths`).

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one<p>two<br>three")
    >>> xpath(page, 9)
    '/html/body/p[2]/text()[2]'
    """
    return page.xpaths.of(row)


def css_selector(page: "Page", row: int) -> str:
    """Return a CSS selector that selects an element; for a text row, its parent.

    >>> from tamis.page import parse_page
    >>> css_selector(parse_page("<p>one<p>two"), 6)
    'html > body > p:nth-of-type(2)'
    """
    element = row if page.node_type[row] == ELEMENT else max(int(page.parent[row]), 0)
    if page.node_type[element] != ELEMENT:
        return ":root"
    return str(page.nodes[element].css_path())  # type: ignore[attr-defined]
