"""From markup to a `Page`: one parse and one walk over the parser's nodes."""

from typing import Any

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._kernels.loader import walk
from tamis.errors import EncodingNameError, MarkupTypeError
from tamis.html.surrogates import replace_surrogates
from tamis.page.columns import Page
from tamis.page.encodings import decode, true_encoding
from tamis.page.layout import Layout, with_layout
from tamis.page.title_repair import find_repair, needs_repair
from tamis.page.twice_decoded import actual_encoding, decode_again, may_be_wrong
from tamis.page.visibility import hidden_rows


def parse_page(markup: str | bytes, *, encoding: str | None = None) -> Page:
    """Parse markup into a `Page`.

    Bytes are decoded in the order of the standard: byte-order mark, `encoding` (from the HTTP header), the document's
    declaration, a guess from the bytes. Where the bytes contradict the document's declaration, they are decoded as
    what they are, and `Page.declared_encoding` has what was declared (`tamis.page.encodings`). Text that a program
    has decoded wrongly before it was saved is decoded again (`tamis.page.twice_decoded`). A title without an end tag
    is closed (`tamis.page.title_repair`).

    >>> page = parse_page("<p>Hello <b>world</b>")
    >>> page.text
    'Hello world'
    """
    if not isinstance(markup, (str, bytes)):
        raise MarkupTypeError(f"expected str or bytes, got {type(markup).__name__}")
    if isinstance(markup, str):
        markup = replace_surrogates(markup)
    page = _read(markup, encoding, encoding, None)
    if isinstance(markup, bytes) and encoding is None and _may_be_misdeclared(page):
        declared = page.encoding
        actual = true_encoding(markup, declared or "UTF-8")
        if actual is not None:
            page = _read(markup, actual, None, declared)
    return _decoded_again(page)


def _decoded_again(page: Page) -> Page:
    """Return a page as it was before a program decoded it wrongly and saved it; other pages as they are."""
    if not may_be_wrong(page.text):
        return page
    source = page.markup if isinstance(page.markup, str) else decode(page.markup, page.encoding or "UTF-8")
    source = source.removeprefix("\ufeff")
    encoding = actual_encoding(source)
    if encoding is None:
        return page
    source = decode_again(source, encoding)
    document = _with_closed_title(_parse(source, None), source)
    return _columns(document, page.markup, page.encoding, page.header_encoding, page.declared_encoding, encoding)


def _read(markup: str | bytes, encoding: str | None, header_encoding: str | None, declared: str | None) -> Page:
    document = _parse(markup, encoding)
    decoded_as = document.encoding
    if needs_repair(markup):
        source = markup if isinstance(markup, str) else decode(markup, decoded_as or "UTF-8")
        document = _with_closed_title(document, source)
    return _columns(document, markup, decoded_as, header_encoding, declared)


def _with_closed_title(document: turbohtml.Document, source: str) -> turbohtml.Document:
    """Return the document, or that of the repaired source if its title is open."""
    repair = find_repair(source)
    return _parse(repair.apply(source), None) if repair else document


def _parse(markup: str | bytes, encoding: str | None) -> turbohtml.Document:
    try:
        return turbohtml.parse(
            markup,
            encoding=encoding if isinstance(markup, bytes) else None,
            detect_encoding=isinstance(markup, bytes),
            positions=False,
            # A declarative shadow root stays a template here; `hidden_rows` knows that a browser shows it.
            allow_declarative_shadow_roots=False,
        )
    except LookupError as error:
        raise EncodingNameError(f"unknown encoding: {encoding}") from error


def _may_be_misdeclared(page: Page) -> bool:
    """Tell quickly whether the bytes of a page may not be what it declares: a legacy encoding, or invalid UTF-8."""
    return (page.encoding or "").upper() != "UTF-8" or "\ufffd" in page.text


def restore_page(
    markup: str | bytes, encoding: str | None, layout: Layout | None, removed: tuple[tuple[int, int], ...] = ()
) -> Page:
    """Return a pickled page: parse its markup again, add its layout, and remove what was removed."""
    page = parse_page(markup, encoding=encoding)
    page = page if layout is None else with_layout(page, layout)
    return page.without(removed) if removed else page


def _columns(
    document: turbohtml.Document,
    markup: str | bytes,
    encoding: str | None,
    header_encoding: str | None,
    declared: str | None,
    again: str | None = None,
) -> Page:
    nodes, node_type, tag, parent, end, depth, offset, link, pre, block_ancestor, inline_run, texts = walk.walk(
        document
    )
    text = replace_surrogates("".join(texts))
    tag_column, parents, ends, offsets = _uint8(tag), _int32(parent), _int32(end), _int32(offset)
    hidden, panels = hidden_rows(document, nodes, tag_column, parents, ends, offsets)
    return Page(
        node_type=_uint8(node_type),
        tag=tag_column,
        parent=parents,
        end=ends,
        depth=_int32(depth),
        offset=offsets,
        link=_uint8(link).view(np.bool_),
        hidden=hidden,
        panels=panels,
        pre=_uint8(pre).view(np.bool_),
        block_ancestor=_int32(block_ancestor),
        inline_run=_int32(inline_run),
        text=text,
        nodes=nodes,
        markup=markup,
        encoding=encoding,
        header_encoding=header_encoding,
        declared_encoding=declared,
        decoded_again=again,
    )


def _uint8(column: Any) -> npt.NDArray[np.uint8]:  # noqa: ANN401 (any buffer)
    return np.frombuffer(column, dtype=np.uint8)


def _int32(column: Any) -> npt.NDArray[np.int32]:  # noqa: ANN401 (any buffer)
    return np.frombuffer(column, dtype=np.int32)
