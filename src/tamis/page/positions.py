r"""Where each row stands in the source: spans, XPaths and CSS selectors.

The fast path carries no positions. This second parse, made on first use, does: the parser tells the span of every
element, and its tokens tell where text begins. Offsets count characters of `SourcePositions.source`: the decoded source
with its line ends made ``\n``, as the standard prescribes before parsing.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import turbohtml
import turbohtml.detect  # registers the codecs of the standard, by the name whatwg-…

from tamis.page.columns import ELEMENT, TEXT
from tamis.page.source_tokens import Source, read_tokens
from tamis.page.tag_spans import tag_spans
from tamis.page.text_positions import place_text

if TYPE_CHECKING:
    from tamis.page.columns import Page

__all__ = ["SourcePositions", "css_selector", "decode", "find_positions", "xpath"]


@dataclass(frozen=True, slots=True)
class SourcePositions:
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
        source = _decode(page.markup, page.encoding).removeprefix("\ufeff")
    return source.replace("\r\n", "\n").replace("\r", "\n") if "\r" in source else source


def _decode(markup: bytes, encoding: str) -> str:
    if encoding.lower() == "utf-8":
        try:
            return markup.decode("utf-8")  # where nothing is wrong the standard's decoder says the same, and slower
        except UnicodeDecodeError:
            pass
    return markup.decode("whatwg-" + encoding)


def find_positions(page: "Page") -> SourcePositions:
    """Find the source span of every row.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p>one &amp; <b>two</b>")
    >>> places = page.positions
    >>> [places.source[a:b] for a, b in zip(places.start[4:], places.stop[4:])]
    ['<p>one &amp; <b>two</b>', 'one &amp; ', '<b>two</b>', 'two']
    """
    source = Source.of(decode(page))
    document = turbohtml.parse(source.text, source_locations=True, allow_declarative_shadow_roots=False)
    tokens = read_tokens(source)
    spans = tag_spans(page, document, source, tokens)
    place_text(page, tokens, spans)
    _close(page, spans.start, spans.stop)
    return SourcePositions(source.text, spans.start, spans.stop)


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
        if stops[row] > stops[parent]:  # noqa: PLR1730 (max() is a call for every row)
            stops[parent] = stops[row]
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
    if page.node_type[row] == ELEMENT:
        return str(page.nodes[row].xpath_path())  # type: ignore[attr-defined]
    parent = int(page.parent[row])
    if page.node_type[row] != TEXT or parent < 0:
        return "/"
    siblings = np.flatnonzero((page.parent[parent : row + 1] == parent) & (page.node_type[parent : row + 1] == TEXT))
    return f"{page.nodes[parent].xpath_path()}/text()[{len(siblings)}]"  # type: ignore[attr-defined]


def css_selector(page: "Page", row: int) -> str:
    """Return a CSS selector that finds an element again; for text, its parent's.

    >>> from tamis.page import parse_page
    >>> css_selector(parse_page("<p>one<p>two"), 6)
    'html > body > p:nth-of-type(2)'
    """
    element = row if page.node_type[row] == ELEMENT else max(int(page.parent[row]), 0)
    if page.node_type[element] != ELEMENT:
        return ":root"
    return str(page.nodes[element].css_path())  # type: ignore[attr-defined]
