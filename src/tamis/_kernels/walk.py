"""The loops over a page's nodes that no whole-array operation does: walking them, climbing, reading attributes.

This file is compiled as ``_walk`` (Cython's pure Python mode, with the types in ``_walk.pxd``) where a wheel is built
or the package is installed with a compiler at hand, and runs as it stands where not: same source, same answers.
Import from `tamis._kernels.loader`, which takes the one that is there.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import turbohtml

from tamis.html import tags

if TYPE_CHECKING:
    from numpy import bool_, int32, uint8
    from numpy.typing import NDArray

_ELEMENT, _TEXT, _CDATA, _COMMENT = turbohtml.Element, turbohtml.Text, turbohtml.CData, turbohtml.Comment
_IDS: Final = dict(tags.IDS)
_A: Final = tags.IDS["a"]


def _bits(**tables: "NDArray[bool_]") -> bytes:
    return bytes(
        sum(1 << place for place, known in enumerate(tables.values()) if known[number])
        for number in range(len(tags.NAMES))
    )


# What a tag means, a bit each: looked up once a node.
_IS_BLOCK, _IS_LINK, _IS_PRE, _IS_RAW, _IS_CHILDLESS = 1, 2, 4, 8, 16
_MEANING: Final = _bits(
    block=tags.BLOCK,
    link=tags.LINK,
    pre=tags.PRE,
    raw=tags.RAW,
    # In HTML alone: inside drawings and formulas these names close the drawing first, so they never have children.
    childless=tags.tag_mask("br img meta hr embed"),
)


def walk(document: Any) -> tuple[Any, ...]:  # noqa: ANN401, C901, PLR0912, PLR0915 (one loop, compiled; see _walk.pxd)
    """Return a document's nodes in document order, and a column for each thing there is to know of all of them.

    In one pass: the parser tells the type, tag and number of children of each node, and the data of each text; a
    count of the children still owed gives parents, depths and ends. The columns: kind, tag, parent, end, depth,
    offset (one entry more), link, pre, box (the nearest block-level element, itself counted) and segment (how many
    block-level elements have begun or ended by then: texts with equal numbers stand in one line of inline content).
    The texts come last.

    An ``a`` with a name and no address marks a place. Old pages leave it open, and then it holds the whole page;
    it is no link.

    >>> nodes, kind, tag, parent, *_, texts = walk(turbohtml.parse("<p>one<p>two"))
    >>> list(parent), texts
    ([-1, 0, 1, 1, 3, 4, 3, 6], ['one', 'two'])
    """
    nodes = [document, *document.descendants]
    rows = len(nodes)
    kind, tag = bytearray(rows), bytearray(rows)
    link, pre = bytearray(rows), bytearray(rows)
    parent, end, depth = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    box, segment = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    owed = array("i", bytes(4 * rows))
    offset = array("i", bytes(4 * rows + 4))
    texts: list[str] = []
    ids, meaning = _IDS, _MEANING
    row = level = total = edges = 0
    above = -1
    for node in nodes:
        parent[row] = above
        depth[row] = level
        offset[row] = total
        if row:
            link[row] = link[above]
            pre[row] = pre[above]
            box[row] = box[above]
        children = 0
        closes = False
        own = type(node)
        if own is _ELEMENT:
            kind[row] = 1
            number = ids.get(node.tag, 0)
            tag[row] = number
            means = meaning[number]
            if means & _IS_BLOCK:
                box[row] = row
                edges += 1
                closes = True
            if means & _IS_LINK and (
                number != _A
                or node.attr("href") is not None
                or (node.attr("name") is None and node.attr("id") is None)
            ):
                link[row] = 1
            if means & _IS_PRE:
                pre[row] = 1
            if not means & _IS_CHILDLESS:
                children = len(node)
        elif own is _TEXT or own is _CDATA:
            kind[row] = 2
            if not meaning[tag[above]] & _IS_RAW:
                said = node.data
                total += len(said)
                texts.append(said)
        elif own is not _COMMENT:  # the document, and a template's fragment
            children = len(node)
        segment[row] = edges
        row += 1
        if children:
            owed[row - 1] = children
            above = row - 1
            level += 1
            continue
        end[row - 1] = row
        if closes:
            edges += 1
        while above >= 0:
            owed[above] -= 1
            if owed[above]:
                break
            end[above] = row
            if kind[above] == 1 and meaning[tag[above]] & _IS_BLOCK:
                edges += 1
            above = parent[above]
            level -= 1
    offset[rows] = total
    return nodes, kind, tag, parent, end, depth, offset, link, pre, box, segment, texts


def ancestors_with_tag(
    starts: list[int], parent: "NDArray[int32]", tag: "NDArray[uint8]", wanted: bytes, *, outermost: bool
) -> list[int]:
    """Return for each of some rows the nearest, or the outermost, row at or above it with a wanted tag, or -1.

    >>> import numpy as np
    >>> parent, tag = np.array([-1, 0, 1, 2], dtype=np.int32), np.array([0, 1, 1, 0], dtype=np.uint8)
    >>> ancestors_with_tag([3, 0], parent, tag, bytes([0, 1]), outermost=False)
    [2, -1]
    """
    rows = len(parent)
    known, path = (
        array("i", bytes(4 * rows)),
        array("i", bytes(4 * rows)),
    )  # 0: not known; -1: none; else a row and one
    out: list[int] = []
    for start in starts:
        row = start
        size = 0
        while row >= 0 and known[row] == 0:
            path[size] = row
            size += 1
            row = parent[row]
        found = known[row] if row >= 0 else -1
        while size:  # back down: every row is passed once, however deep a page is
            size -= 1
            row = path[size]
            if wanted[tag[row]] and (found < 0 or not outermost):
                found = row + 1
            known[row] = found
        out.append(found - 1 if found > 0 else -1)
    return out


def attr_values(nodes: list[Any], rows: Sequence[int], name: str) -> list[str]:
    """Return the values of an attribute of some elements, of those that have it.

    >>> document = turbohtml.parse("<p id=x><p>")
    >>> attr_values(document.select("p"), [0, 1], "id")
    ['x']
    """
    out: list[str] = []
    for row in rows:
        value = nodes[row].attr(name)
        if value is not None:
            out.append(value)
    return out


def rows_among(nodes: list[Any], wanted: Sequence[Any]) -> list[int]:
    """Return the rows of some nodes, both in document order: one merge over both lists.

    >>> rows_among(["a", "b", "c"], ["a", "c"])
    [0, 2]
    """
    out: list[int] = []
    rows = len(nodes)
    row = 0
    for node in wanted:
        while row < rows and nodes[row] is not node:
            row += 1
        if row == rows:
            raise ValueError("not a node of this page, or not in document order")
        out.append(row)
    return out


def class_ids(nodes: list[Any], kind: "NDArray[Any]") -> tuple[Any, dict[str, int]]:
    """Return a number for each row's ``class`` (0: none; equal numbers, equal classes), and the number of each.

    >>> import numpy as np
    >>> document = turbohtml.parse("<p class=x><p><p class=x>")
    >>> nodes, kind, *_ = walk(document)
    >>> numbers, known = class_ids(nodes, np.frombuffer(kind, dtype=np.uint8))
    >>> list(numbers), known
    ([0, 0, 0, 0, 1, 0, 1], {'x': 1})
    """
    rows = len(nodes)
    out = array("i", bytes(4 * rows))
    known: dict[str, int] = {}
    for row in range(rows):
        if kind[row] != 1:
            continue
        value = nodes[row].attr("class")
        if value is not None:
            number = known.get(value, 0)
            if number == 0:
                number = len(known) + 1
                known[value] = number
            out[row] = number
    return out, known
