"""From markup to a `Page`: one parse, one walk over the parser's nodes, and arithmetic from then on."""

import re
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._kernels.loader import walk
from tamis.errors import EncodingNameError, MarkupTypeError
from tamis.page.columns import Page
from tamis.page.layout import Layout, with_layout
from tamis.page.visibility import hidden_rows

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def parse_page(markup: str | bytes, *, encoding: str | None = None) -> Page:
    """Parse markup into a `Page`.

    Bytes are decoded by the standard's steps: byte-order mark, then `encoding` (what the HTTP header said), then
    the document's own declaration, then a guess from the bytes.

    >>> page = parse_page("<p>Hello <b>world</b>")
    >>> page.text
    'Hello world'
    """
    if not isinstance(markup, (str, bytes)):
        raise MarkupTypeError(f"expected str or bytes, got {type(markup).__name__}")
    try:
        document = turbohtml.parse(
            markup,
            encoding=encoding if isinstance(markup, bytes) else None,
            detect_encoding=isinstance(markup, bytes),
            positions=False,
            # A declared shadow root stays a template here; `hidden_rows` knows that a browser shows it.
            allow_declarative_shadow_roots=False,
        )
    except LookupError as error:
        raise EncodingNameError(f"unknown encoding: {encoding}") from error
    return _columns(document, markup, encoding)


def restore_page(markup: str | bytes, encoding: str | None, layout: Layout | None) -> Page:
    """Return the page that was pickled: its markup parsed again, with its layout."""
    page = parse_page(markup, encoding=encoding)
    return page if layout is None else with_layout(page, layout)


def _columns(document: turbohtml.Document, markup: str | bytes, encoding: str | None) -> Page:
    nodes, node_type, tag, parent, end, depth, offset, link, pre, block_ancestor, inline_run, texts = walk.walk(
        document
    )
    text = "".join(texts)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _LONE_SURROGATE.sub("\ufffd", text)  # same length, and nothing downstream can fail to encode it
    tags_of, parents, ends, offsets = _bytes(tag), _numbers(parent), _numbers(end), _numbers(offset)
    return Page(
        node_type=_bytes(node_type),
        tag=tags_of,
        parent=parents,
        end=ends,
        depth=_numbers(depth),
        offset=offsets,
        link=_bytes(link).view(np.bool_),
        hidden=hidden_rows(document, nodes, tags_of, parents, ends, offsets),
        pre=_bytes(pre).view(np.bool_),
        block_ancestor=_numbers(block_ancestor),
        inline_run=_numbers(inline_run),
        text=text,
        nodes=nodes,
        markup=markup,
        encoding=document.encoding,
        header_encoding=encoding,
    )


def _bytes(column: Any) -> npt.NDArray[np.uint8]:  # noqa: ANN401 (whatever holds bytes)
    return np.frombuffer(column, dtype=np.uint8)


def _numbers(column: Any) -> npt.NDArray[np.int32]:  # noqa: ANN401 (whatever holds integers of 32 bits)
    return np.frombuffer(column, dtype=np.int32)
