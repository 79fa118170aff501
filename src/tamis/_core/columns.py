"""The columns of a page, from the nodes of the parser: walking, climbing, reading attributes; what a page hides."""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import turbohtml

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import attributes, tags

if TYPE_CHECKING:
    from numpy import bool_, int32, uint8
    from numpy.typing import NDArray

cython.declare(
    _A="int", _OTHER_ROW="int", _ELEMENT_ROW="int", _TEXT_ROW="int", _NO_TAG="int", _IS_BLOCK="int", _IS_LINK="int",
    _IS_PRE="int", _IS_RAW="int", _IS_CHILDLESS="int", _IS_NOTHING="int",
)  # fmt: skip

_ELEMENT_NODE, _TEXT_NODE, _CDATA_NODE, _COMMENT_NODE = (
    turbohtml.Element,
    turbohtml.Text,
    turbohtml.CData,
    turbohtml.Comment,
)
_OTHER_ROW, _ELEMENT_ROW, _TEXT_ROW = enums.OTHER, enums.ELEMENT, enums.TEXT
_NO_TAG: Final = tags.OTHER
_IDS: Final = dict(tags.IDS)
_A: Final = tags.IDS["a"]


def _pack_flags(**masks: "NDArray[bool_]") -> bytes:
    return bytes(
        sum(1 << bit for bit, mask in enumerate(masks.values()) if mask[tag]) for tag in range(len(tags.NAMES))
    )


# Properties of a tag, one bit each: looked up once per node.
_IS_BLOCK, _IS_LINK, _IS_PRE, _IS_RAW, _IS_CHILDLESS, _IS_NOTHING = 1, 2, 4, 8, 16, 32
_TAG_FLAGS: Final = _pack_flags(
    block=tags.BLOCK,
    link=tags.LINK,
    pre=tags.PRE,
    raw=tags.RAW,
    # In SVG and MathML these names end the foreign content first, so they never have children there either.
    childless=tags.tag_mask("br img meta hr embed"),
    nothing=tags.tag_mask("script style"),
)


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    document="object", nodes="list", texts="list", ids="dict", tag_flags="bytes", data="str", rows="int", row="int",
    level="int", length="int", block_edges="int", above="int", run="int", joined="int", children="int", tag_id="int",
    flags="int", is_block="bint", node_type="unsigned char[::1]", tag="unsigned char[::1]", link="unsigned char[::1]",
    pre="unsigned char[::1]", parent="int[::1]", end="int[::1]", depth="int[::1]", offset="int[::1]",
    block_ancestor="int[::1]", inline_run="int[::1]", children_left="int[::1]",
)  # fmt: skip
def walk(document: Any) -> tuple[Any, ...]:  # noqa: ANN401, C901, PLR0912, PLR0915 (one loop, compiled)
    """Return a document's nodes in document order, the columns of the page, and its text runs.

    The columns: node_type, tag, parent, end, depth, offset (one entry more), link, pre, block_ancestor and
    inline_run; see `tamis.page.columns.Page`.

    One pass is enough: the parser gives the type, tag and number of children of each node, and a count of the
    children that are still to come gives parents, depths and ends.

    An ``a`` with a name and without ``href`` is an anchor, not a link. Old pages leave it open, and then it contains
    the rest of the page.

    A comment or a script between two texts is nothing to a reader: the first text row has both texts, the second is
    empty.

    >>> nodes, node_type, tag, parent, *_, texts = walk(turbohtml.parse("<p>one<p>two"))
    >>> list(parent), texts
    ([-1, 0, 1, 1, 3, 4, 3, 6], ['one', 'two'])
    """
    nodes = [document, *document.descendants]
    rows = len(nodes)
    node_type, tag = bytearray(rows), bytearray(rows)
    link, pre = bytearray(rows), bytearray(rows)
    parent, end, depth = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    block_ancestor, inline_run = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    children_left = array("i", bytes(4 * rows))
    offset = array("i", bytes(4 * rows + 4))
    texts: list[str] = []
    ids, tag_flags = _IDS, _TAG_FLAGS
    row = level = length = block_edges = joined = 0
    run = -1  # the text row that a text after a comment continues; `joined` is the last row that continued it
    above = -1  # the row of the open element
    for node in nodes:
        parent[row] = above
        depth[row] = level
        offset[row] = length
        if row:
            link[row] = link[above]
            pre[row] = pre[above]
            block_ancestor[row] = block_ancestor[above]
        children = 0
        is_block = False
        node_class = type(node)
        if node_class is _ELEMENT_NODE:
            node_type[row] = _ELEMENT_ROW
            tag_id = ids.get(node.tag, 0)
            tag[row] = tag_id
            flags = tag_flags[tag_id]
            if flags & _IS_BLOCK:
                block_ancestor[row] = row
                block_edges += 1
                is_block = True
            if flags & _IS_LINK and (
                tag_id != _A
                or node.attr("href") is not None
                or (node.attr("name") is None and node.attr("id") is None)
            ):
                link[row] = 1
            if flags & _IS_PRE:
                pre[row] = 1
            if not flags & _IS_CHILDLESS:
                children = len(node)
            if not flags & _IS_NOTHING or "math" in (node.attr("type") or ""):  # a script may be a formula
                while joined > run >= 0:
                    offset[joined] = length
                    joined -= 1
                run = -1
        elif node_class is _TEXT_NODE or node_class is _CDATA_NODE:
            node_type[row] = _TEXT_ROW
            if not tag_flags[tag[above]] & _IS_RAW:
                data = node.data
                if run >= 0 and parent[run] == above:
                    joined = row
                else:
                    while joined > run >= 0:
                        offset[joined] = length
                        joined -= 1
                    run = row
                length += len(data)
                texts.append(data)
        elif node_class is not _COMMENT_NODE:  # the document, and a template's fragment
            children = len(node)
        inline_run[row] = block_edges
        row += 1
        if children:
            children_left[row - 1] = children
            above = row - 1
            level += 1
            continue
        end[row - 1] = row
        if is_block:
            block_edges += 1
        while above >= 0:
            children_left[above] -= 1
            if children_left[above]:
                break
            end[above] = row
            if node_type[above] == _ELEMENT_ROW and tag_flags[tag[above]] & _IS_BLOCK:
                block_edges += 1
            above = parent[above]
            level -= 1
    while joined > run >= 0:
        offset[joined] = length
        joined -= 1
    offset[rows] = length
    return nodes, node_type, tag, parent, end, depth, offset, link, pre, block_ancestor, inline_run, texts


@cython.ccall
@cython.returns("list")
@cython.locals(
    starts="list", parent="const int[::1]", tag="const unsigned char[::1]", mask="bytes", outermost="bint",
    start="int", row="int", rows="int", size="int", ancestor="int", out="list", known="int[::1]", path="int[::1]",
)  # fmt: skip
def ancestors_with_tag(
    starts: list[int], parent: "NDArray[int32]", tag: "NDArray[uint8]", mask: bytes, *, outermost: bool
) -> list[int]:
    """Return for each start row the nearest, or the outermost, row at or above it whose tag is in the mask, or -1.

    >>> import numpy as np
    >>> parent, tag = np.array([-1, 0, 1, 2], dtype=np.int32), np.array([0, 1, 1, 0], dtype=np.uint8)
    >>> ancestors_with_tag([3, 0], parent, tag, bytes([0, 1]), outermost=False)
    [2, -1]
    """
    rows = len(parent)
    known, path = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))  # 0: unknown; -1: none; else row + 1
    out: list[int] = []
    for start in starts:
        row = start
        size = 0
        while row >= 0 and known[row] == 0:
            path[size] = row
            size += 1
            row = parent[row]
        ancestor = known[row] if row >= 0 else -1
        while size:  # back down: each row is visited once, whatever the depth of the page
            size -= 1
            row = path[size]
            if mask[tag[row]] and (ancestor < 0 or not outermost):
                ancestor = row + 1
            known[row] = ancestor
        out.append(ancestor - 1 if ancestor > 0 else -1)
    return out


class NodeAttributes:
    """The attributes and names of elements, from the parser's nodes; `SerializedAttributes` (_scan.py) is faster.

    >>> source = NodeAttributes(turbohtml.parse("<p id=x class='a  b'><p>").select("p"))
    >>> source.values([0, 1], "id"), source.column([0, 1], "id"), source.all(0), source.tag(1)
    (['x'], ['x', None], {'id': 'x', 'class': 'a b'}, 'p')
    """

    def __init__(self, nodes: list[Any]) -> None:
        self.nodes = nodes

    def value(self, row: int, name: str) -> str | None:
        """Return the value of an attribute of a row, or None."""
        node = self.nodes[row]
        return node.attr(name) if type(node) is _ELEMENT_NODE else None

    def values(self, rows: Sequence[int], name: str) -> list[str]:
        """Return the values of an attribute, for those of the rows that have it."""
        return [value for row in rows if (value := self.value(row, name)) is not None]

    def column(self, rows: Sequence[int], name: str) -> list[str | None]:
        """Return the value of an attribute for each of the rows, None where it has none."""
        return [self.value(row, name) for row in rows]

    def table(self, rows: Sequence[int], names: tuple[str, ...]) -> list[list[str | None]]:
        """Return the values of some attributes for each of the rows, None where it has none."""
        return [[self.value(row, name) for name in names] for row in rows]

    def with_fragment(self, rows: Sequence[int]) -> list[int]:
        """Return those of the rows that are links to a URL with a fragment."""
        urls = zip(rows, self.column(rows, "href"), strict=True)
        return [row for row, url in urls if url and "#" in url and not url.endswith("#")]

    def by_row(self, name: str) -> dict[int, str]:
        """Return the values of an attribute by row, for the elements that have it, in document order."""
        values = enumerate(self.column(range(len(self.nodes)), name))
        return {row: value for row, value in values if value is not None}

    def all(self, row: int) -> dict[str, str]:
        """Return all attributes of a row; in lists of words, white space does not count."""
        node = self.nodes[row]
        if type(node) is not _ELEMENT_NODE:
            return {}
        return {
            name: " ".join(value) if isinstance(value, list) else value or "" for name, value in node.attrs.items()
        }

    def tag(self, row: int) -> str:
        """Return the name of an element as the parser spells it."""
        return str(self.nodes[row].tag)

    def raw_text(self, row: int) -> str | None:
        """Return the text of a text row, also that of a script; None for other rows."""
        node = self.nodes[row]
        return node.data if type(node) is _TEXT_NODE or type(node) is _CDATA_NODE else None


def list_attributes(
    nodes: list[Any], selected: list[Any], names: tuple[str, ...]
) -> tuple[list[int], list[int], list[str]]:
    """Return the attributes of some elements: rows, kinds (indices into `names`) and values.

    >>> nodes = turbohtml.parse("<p id=x hidden><p>").select("p")
    >>> list_attributes(nodes, nodes[:1], ("hidden", "id"))
    ([0, 0], [0, 1], ['', 'x'])
    """
    rows: list[int] = []
    kinds: list[int] = []
    values: list[str] = []
    for row, node in zip(rows_among(nodes, selected), selected, strict=True):
        for kind, name in enumerate(names):
            value = node.attr(name)
            if value is not None:
                rows.append(row)
                kinds.append(kind)
                values.append(value)
    return rows, kinds, values


@cython.ccall
@cython.locals(
    node_type="unsigned char[::1]", tag="unsigned char[::1]", ranges="tuple", kept_tags="bytes", start="int",
    stop="int", row="int",
)  # fmt: skip
def remove_rows(
    node_type: "NDArray[uint8]", tag: "NDArray[uint8]", ranges: tuple[tuple[int, int], ...], kept_tags: bytes
) -> None:
    """Make rows no text and no elements; those of some tags keep their tag.

    >>> import numpy as np
    >>> node_type, tag = np.array([1, 1, 2], dtype=np.uint8), np.array([1, 2, 0], dtype=np.uint8)
    >>> remove_rows(node_type, tag, ((1, 3),), bytes([0, 1, 0]))
    >>> node_type.tolist(), tag.tolist()
    ([1, 0, 0], [1, 0, 0])
    """
    for start, stop in ranges:
        for row in range(start, stop):
            node_type[row] = _OTHER_ROW
            if not kept_tags[tag[row]]:
                tag[row] = _NO_TAG


@cython.ccall
@cython.returns("list")
@cython.locals(nodes="list", selected="object", rows="Py_ssize_t", row="Py_ssize_t", out="list")
def rows_among(nodes: list[Any], selected: Sequence[Any]) -> list[int]:
    """Return the rows of the selected nodes; both lists are in document order and are merged in one pass.

    >>> rows_among(["a", "b", "c"], ["a", "c"])
    [0, 2]
    """
    out: list[int] = []
    rows = len(nodes)
    row = 0
    for node in selected:
        while row < rows and nodes[row] is not node:
            row += 1
        if row == rows:
            raise ValueError("not a node of this page, or not in document order")
        out.append(row)
    return out


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    nodes="list", node_type="object", rows="int", row="int", ids="int[::1]", types="unsigned char[::1]", id_of="dict",
)  # fmt: skip
def class_ids(nodes: list[Any], node_type: "NDArray[Any]") -> tuple[Any, list[str]]:
    """Return a number for the ``class`` of each element (0: none; equal numbers mean equal classes), and the classes.

    >>> nodes, node_type, *_ = walk(turbohtml.parse("<p class=x><p><p class=x>"))
    >>> numbers, classes = class_ids(nodes, node_type)
    >>> list(numbers), classes
    ([0, 0, 0, 0, 1, 0, 1], ['x'])
    """
    rows = len(nodes)
    ids = array("i", bytes(4 * rows))
    id_of: dict[str, int] = {}
    for row in range(rows):
        if node_type[row] == _ELEMENT_ROW:
            value = nodes[row].attr("class")
            if value is not None:
                ids[row] = id_of.setdefault(value, len(id_of) + 1)
    return ids, list(id_of)


# What a page hides: by tag, by attribute, by style, and below hidden elements.

cython.declare(
    _TEMPLATE="int", _ATTRIBUTE="int", _ARIA="int", _DISPLAY="int", _VISIBILITY="int", _HIDDEN_KIND="int",
    _ARIA_KIND="int", _STYLE_KIND="int", _LAST_HIDING="int",
)  # fmt: skip

_TEMPLATE: Final = tags.IDS["template"]
_HIDDEN_KIND, _ARIA_KIND, _STYLE_KIND = (attributes.KINDS[name] for name in ("hidden", "aria-hidden", "style"))
_LAST_HIDING: Final = max(_HIDDEN_KIND, _ARIA_KIND, _STYLE_KIND)
_ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY = map(int, list(enums.Hidden)[:4])


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    listed="tuple", tag="const unsigned char[::1]", bits_of_tag="bytes", exempt="bytes", rows="Py_ssize_t",
    row="Py_ssize_t", k="Py_ssize_t", kind="int", tag_id="int", style="str", out="bytearray", to_check="list",
    listed_rows="list", kinds="list", values="list",
)  # fmt: skip
def visibility_bits(  # noqa: C901 (two loops, compiled)
    listed: tuple[list[int], list[int], list[str]], tag: "NDArray[uint8]", bits_of_tag: bytes, exempt: bytes
) -> tuple[bytearray, list[int]]:
    """Return the bits of `tamis.page.columns.Hidden` that each row's tag and attributes give it.

    Also return the rows that the caller must check: templates, and elements with the ``hidden`` attribute.

    Args:
        listed: the listed attributes of the page: rows, kinds (`tamis.html.attributes.LISTED`) and values.
        tag: the tag of each row.
        bits_of_tag: the bits of each tag.
        exempt: 1 for each tag whose attributes hide nothing.

    >>> import numpy as np
    >>> kinds = [attributes.KINDS[name] for name in ("hidden", "aria-hidden", "style")]
    >>> none, listed = bytes(256), ([1, 2, 2], kinds, ["", "true", "color: red; Display : none"])
    >>> bits, to_check = visibility_bits(listed, np.zeros(4, dtype=np.uint8), none, none)
    >>> list(bits), to_check
    ([0, 1, 6, 0], [1])
    """
    rows = len(tag)
    out = bytearray(rows)
    to_check: list[int] = []
    for row in range(rows):
        tag_id = tag[row]
        out[row] = bits_of_tag[tag_id]
        if tag_id == _TEMPLATE:
            to_check.append(row)
    listed_rows, kinds, values = listed
    for k in range(len(kinds)):
        kind = kinds[k]
        if kind > _LAST_HIDING:
            continue
        row = listed_rows[k]
        if exempt[tag[row]]:
            continue
        if kind == _HIDDEN_KIND:
            out[row] |= _ATTRIBUTE
            to_check.append(row)
        elif kind == _ARIA_KIND and values[k].lower() == "true":
            out[row] |= _ARIA
        elif kind == _STYLE_KIND:
            style = values[k].lower()
            if declares(style, "display", ("none",)):
                out[row] |= _DISPLAY
            if declares(style, "visibility", ("hidden", "collapse")):
                out[row] |= _VISIBILITY
    return out, to_check


@cython.ccall
@cython.returns("bint")
@cython.locals(style="str", name="str", values="tuple", start="Py_ssize_t", after="Py_ssize_t")
def declares(style: str, name: str, values: tuple[str, ...]) -> bool:
    """Return whether a style attribute sets a property to one of the values.

    >>> declares("color:red;display: none", "display", ("none",)), declares("x-display:none", "display", ("none",))
    (True, False)
    """
    start = style.find(name)
    while start >= 0:
        after = start + len(name)
        if start == 0 or style[start - 1] in ";{" or style[start - 1].isspace():
            while after < len(style) and style[after].isspace():
                after += 1
            if style.startswith(":", after):
                after += 1
                while after < len(style) and style[after].isspace():
                    after += 1
                if style.startswith(values, after):
                    return True
        start = style.find(name, after)  # what was read has no other name in it: each character is read once
    return False


@cython.ccall
@cython.locals(parent="const int[::1]", bits="unsigned char[::1]", row="int")
def propagate_down(parent: "NDArray[int32]", bits: "NDArray[uint8]") -> None:
    """Add to each row, in place, the bits of its ancestors.

    >>> import numpy as np
    >>> bits = np.array([0, 4, 1, 0], dtype=np.uint8)
    >>> propagate_down(np.array([-1, 0, 1, 0], dtype=np.int32), bits)
    >>> bits.tolist()
    [0, 4, 5, 0]
    """
    for row in range(1, len(parent)):
        bits[row] |= bits[parent[row]]


@cython.ccall
@cython.returns("list")
@cython.locals(
    bits="const unsigned char[::1]", wanted="int", end="const int[::1]", offset="const int[::1]", min_chars="int",
    row="Py_ssize_t", out="list",
)  # fmt: skip
def rows_with_bits(
    bits: "NDArray[uint8]", wanted: int, end: "NDArray[int32]", offset: "NDArray[int32]", min_chars: int
) -> list[int]:
    """Return the rows with one of the `wanted` bits that contain at least `min_chars` characters.

    >>> import numpy as np
    >>> bits, end = np.array([0, 4, 4], dtype=np.uint8), np.array([3, 2, 3], dtype=np.int32)
    >>> rows_with_bits(bits, 4, end, np.array([0, 0, 9, 10], dtype=np.int32), 6)
    [1]
    """
    out: list[int] = []
    for row in range(len(bits)):
        if bits[row] & wanted and offset[end[row]] - offset[row] >= min_chars:
            out.append(row)  # noqa: PERF401 (compiled, a loop knows the type of its row; a comprehension does not)
    return out
