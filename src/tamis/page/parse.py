"""From markup to a `Page`: one parse, one pass over the parser's nodes, and arithmetic from then on.

The pass reads from the parser only what it alone knows (the kind, tag and number of children of each node, the
data of each text). Parents, depths and subtree ends follow from the numbers of children.
"""

import re
from itertools import compress
from operator import attrgetter
from typing import Final

import numpy as np
import turbohtml

from tamis.errors import EncodingNameError, MarkupTypeError
from tamis.page import tags
from tamis.page.columns import ELEMENT, OTHER, TEXT, Page
from tamis.page.hidden import look_closer
from tamis.page.sums import Bools, depths_of, ends_of, inside, parents_of

_KINDS: Final = tags.Numbers({turbohtml.Element: ELEMENT, turbohtml.Text: TEXT, turbohtml.CData: TEXT})
_TAGS: Final = tags.Numbers(tags.IDS)
_tag = attrgetter("tag")
_data = attrgetter("data")
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
            # A declared shadow root stays a template here; `look_closer` knows that a browser shows it.
            allow_declarative_shadow_roots=False,
        )
    except LookupError as error:
        raise EncodingNameError(f"unknown encoding: {encoding}") from error
    return _columns(document, markup, encoding)


def _columns(document: turbohtml.Document, markup: str | bytes, encoding: str | None) -> Page:
    nodes: list[turbohtml.Node] = [document, *document.descendants]
    rows = len(nodes)
    kind = np.frombuffer(bytes(map(_KINDS.__getitem__, map(type, nodes))), dtype=np.uint8)
    is_element = kind == ELEMENT
    elements: list[turbohtml.Element] = list(compress(nodes, is_element.tobytes()))  # type: ignore[arg-type]
    tag = np.zeros(rows, dtype=np.uint8)
    tag[is_element] = np.frombuffer(bytes(map(_TAGS.__getitem__, map(_tag, elements))), dtype=np.uint8)

    count = np.zeros(rows, dtype=np.int32)
    count[is_element] = np.fromiter(map(len, elements), dtype=np.int32, count=len(elements))
    for row in np.flatnonzero(kind == OTHER).tolist():  # the document, and a template's fragment
        count[row] = len(nodes[row])
    end = ends_of(count)
    depth = depths_of(end)
    parent = parents_of(count, depth)

    is_text = kind == TEXT
    shown = is_text & ~tags.RAW[tag[parent]]
    texts: list[str] = list(map(_data, compress(nodes, shown.tobytes())))
    text = "".join(texts)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = _LONE_SURROGATE.sub("�", text)  # same length, and nothing downstream can fail to encode it
    offset = np.zeros(rows + 1, dtype=np.int32)
    offset[1:][shown] = list(map(len, texts))
    np.cumsum(offset, out=offset)

    hidden, anchors = look_closer(document, elements, np.flatnonzero(is_element), tag, end, offset)
    is_link = tags.LINK[tag]
    is_link[anchors] = False
    return Page(
        kind=kind,
        tag=tag,
        parent=parent,
        end=end,
        depth=depth,
        offset=offset,
        link=inside(end, np.flatnonzero(is_link)),
        hidden=hidden,
        pre=inside(end, np.flatnonzero(tags.PRE[tag])),
        text=text,
        nodes=nodes,
        markup=markup,
        encoding=document.encoding,
        header_encoding=encoding,
    )


def shown_text(page: Page) -> Bools:
    """Return which rows are text that a reader sees: not blank, not hidden.

    >>> page = parse_page("<p>a</p> <p hidden>b</p>")
    >>> [page.row_text(row) for row in shown_text(page).nonzero()[0]]
    ['a']
    """
    return page.shown
