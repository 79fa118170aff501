"""The loops over a page's rows that no whole-array operation does: walking the nodes, handing values down, counting.

This file is compiled as ``_walk`` (Cython's pure Python mode, with the types in ``_walk.pxd``) where a wheel is built
or the package is installed with a compiler at hand, and runs as it stands where not: same source, same answers.
Import from `tamis.page.loops`, which takes the one that is there.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import turbohtml

from tamis.page import characters, tags

if TYPE_CHECKING:
    from numpy import bool_, int32, uint8
    from numpy.typing import NDArray

_ELEMENT, _TEXT, _CDATA, _COMMENT = turbohtml.Element, turbohtml.Text, turbohtml.CData, turbohtml.Comment
_IDS: Final = dict(tags.IDS)
_A: Final = tags.IDS["a"]
_BR: Final = tags.IDS["br"]
_TEMPLATE: Final = tags.IDS["template"]
_KINDS, _OTHER, _SPACE, _LETTER, _WIDE, _SYMBOL = (
    characters.KINDS,
    characters.OTHER,
    characters.SPACE,
    characters.LETTER,
    characters.WIDE,
    characters.SYMBOL,
)
_PLANE, _IDEOGRAPHS, _TAGS = characters.PLANE, characters.IDEOGRAPHS, characters.TAGS
_EMOJI_FIRST, _EMOJI_LAST = characters.EMOJI
_ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY = 1, 2, 4, 8  # of tamis.page.columns.Hidden; numbers, for the compiler


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
    childless=tags.table("br img meta hr embed"),
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


def enclosing(
    starts: list[int], parent: "NDArray[int32]", tag: "NDArray[uint8]", wanted: bytes, *, outermost: bool
) -> list[int]:
    """Return for each of some rows the nearest, or the outermost, row at or above it with a wanted tag, or -1.

    >>> import numpy as np
    >>> parent, tag = np.array([-1, 0, 1, 2], dtype=np.int32), np.array([0, 1, 1, 0], dtype=np.uint8)
    >>> enclosing([3, 0], parent, tag, bytes([0, 1]), outermost=False)
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


def hand_down(parent: "NDArray[int32]", bits: "NDArray[uint8]") -> None:
    """Give every row the bits of the rows above it, in place.

    >>> import numpy as np
    >>> bits = np.array([0, 4, 1, 0], dtype=np.uint8)
    >>> hand_down(np.array([-1, 0, 1, 0], dtype=np.int32), bits)
    >>> bits.tolist()
    [0, 4, 5, 0]
    """
    for row in range(1, len(parent)):
        bits[row] |= bits[parent[row]]


def hide(
    nodes: list[Any], candidates: list[Any], tag: "NDArray[uint8]", by_tag: bytes, spared: bytes
) -> tuple[bytearray, list[int]]:
    """Return for each row the bits of `tamis.page.columns.Hidden` that its tag and its own attributes give it.

    Also returns the rows that want a closer look: templates, and what the attribute ``hidden`` hides.

    Args:
        nodes: of the page.
        candidates: those of them whose attributes may hide them, in document order.
        tag: of each row.
        by_tag: the bits of each tag.
        spared: 1 for each tag whose attributes hide nothing.

    >>> import numpy as np
    >>> document = turbohtml.parse('<p hidden><p aria-hidden=true style="color: red; Display : none"><b>')
    >>> nodes = [document, *document.descendants]
    >>> none, tag = bytes(256), np.zeros(len(nodes), dtype=np.uint8)
    >>> bits, closer = hide(nodes, document.select("p"), tag, none, none)
    >>> list(bits), closer
    ([0, 0, 0, 0, 1, 6, 0], [4])
    """
    rows = len(nodes)
    out = bytearray(rows)
    closer: list[int] = []
    at = 0
    many = len(candidates)
    for row in range(rows):
        number = tag[row]
        out[row] = by_tag[number]
        if number == _TEMPLATE:
            closer.append(row)
        if at == many or nodes[row] is not candidates[at]:
            continue
        at += 1
        if spared[number]:
            continue
        element = nodes[row]
        bits = 0
        if element.attr("hidden") is not None:
            bits = _ATTRIBUTE
            closer.append(row)
        value = element.attr("aria-hidden")
        if value is not None and value.lower() == "true":
            bits |= _ARIA
        value = element.attr("style")
        if value is not None:
            style = value.lower()
            if declares(style, "display", ("none",)):
                bits |= _DISPLAY
            if declares(style, "visibility", ("hidden", "collapse")):
                bits |= _VISIBILITY
        out[row] |= bits
    return out, closer


def guards(bits: "NDArray[uint8]", end: "NDArray[int32]", offset: "NDArray[int32]", most: float) -> list[int]:
    """Return the rows that have bits and hold more than so many characters."""
    out: list[int] = []
    for row in range(len(bits)):
        if bits[row] and offset[end[row]] - offset[row] > most:
            out.append(row)  # noqa: PERF401 (compiled, a loop knows the type of its row; a comprehension does not)
    return out


def declares(style: str, name: str, values: tuple[str, ...]) -> bool:
    """Return whether a style sets a property to one of some values.

    >>> declares("color:red;display: none", "display", ("none",)), declares("x-display:none", "display", ("none",))
    (True, False)
    """
    at = style.find(name)
    while at >= 0:
        if at == 0 or style[at - 1] in ";{" or style[at - 1].isspace():
            rest = style[at + len(name) :].lstrip()
            if rest.startswith(":") and rest[1:].lstrip().startswith(values):
                return True
        at = style.find(name, at + 1)
    return False


def values_of(nodes: list[Any], rows: Sequence[int], name: str) -> list[str]:
    """Return the values of an attribute of some elements, of those that have it.

    >>> document = turbohtml.parse("<p id=x><p>")
    >>> values_of(document.select("p"), [0, 1], "id")
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


def class_names(nodes: list[Any], kind: "NDArray[Any]") -> tuple[Any, dict[str, int]]:
    """Return a number for each row's ``class`` (0: none; equal numbers, equal classes), and the number of each.

    >>> import numpy as np
    >>> document = turbohtml.parse("<p class=x><p><p class=x>")
    >>> nodes, kind, *_ = walk(document)
    >>> numbers, known = class_names(nodes, np.frombuffer(kind, dtype=np.uint8))
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


def tally(  # noqa: C901 (one loop, compiled)
    codes: Sequence[int], offset: "NDArray[int32]", plane: bytes
) -> tuple[Any, ...]:
    """Count the characters of each text run: by kind (rows by kinds), its words, its ink, its first and last kind.

    A run begins a word of its own even where the run before it ended in one. White space is no ink, and neither the
    first nor the last character of anything. `codes` are the code points of the text. The last thing returned is how
    many of all are of no other kind: those that nobody sees are among them.

    >>> import numpy as np
    >>> from tamis.page import characters
    >>> codes = memoryview("Two words".encode("utf-32-le")).cast("I")
    >>> kinds, words, ink, first, last, _ = tally(codes, np.array([0, 0, 9], dtype=np.int32), characters.plane())
    >>> list(words), list(ink), first[1] == characters.UPPER, last[1] == characters.LOWER
    ([0, 2], [0, 8], True, True)
    """
    rows = len(offset) - 1
    kinds = array("i", bytes(4 * _KINDS * rows))
    words, ink = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    first, last = bytearray(rows), bytearray(rows)
    place = others = 0
    for row in range(rows):
        stop = offset[row + 1]
        if stop == place:
            continue
        base = row * _KINDS
        many = dark = 0
        before = _SPACE
        while place < stop:
            code = codes[place]
            if code < _PLANE:
                kind = plane[code]
            elif code >= _TAGS:
                kind = 0
            elif code >= _IDEOGRAPHS:
                kind = _WIDE
            elif _EMOJI_FIRST <= code <= _EMOJI_LAST:
                kind = _SYMBOL
            else:
                kind = _LETTER
            kinds[base + kind] += 1
            if kind != _SPACE:
                if not dark:
                    first[row] = kind
                dark += 1
                if before == _SPACE:
                    many += 1
                last[row] = kind
            before = kind
            place += 1
        words[row] = many
        ink[row] = dark
        others += kinds[base + _OTHER]
    return kinds, words, ink, first, last, others


def cut(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cut the shown text rows into blocks: a new one where the segment changes, or two ``br`` have no ink between.

    Takes the columns tag, segment, box, shown and ink. Returns the first text row of each block, the row after its
    last, its host, the block of each row (-1: none), the text rows of all blocks, and where each block's begin there.
    """
    tag, segment, box, shown, ink = columns
    rows = len(tag)
    of, own, start = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    stop, host, first = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    block = current = last_break = -1
    extra = total = size = 0
    for row in range(rows):
        of[row] = -1
        total += ink[row]
        if tag[row] == _BR:
            if total == last_break:
                extra += 1
            last_break = total
        if shown[row]:
            if segment[row] + extra != current:
                current = segment[row] + extra
                block += 1
                start[block] = row
                host[block] = box[row]
                first[block] = size
            stop[block] = row + 1
            of[row] = block
            own[size] = row
            size += 1
    block += 1
    return start[:block], stop[:block], host[:block], of, own[:size], first[:block]


def chosen(blocks: tuple[Any, ...], rows: tuple[Any, ...], text: str) -> tuple[list[int], list[str], list[int]]:
    """Return the blocks that have chosen text: their numbers, what they say, and the hard ones.

    Hard are those that say less than their rows do (some were not chosen), have a line break or keep white space;
    they are given as places in the other lists, and say nothing there.

    Args:
        blocks: start and stop of the blocks.
        rows: mask, ink, tag, pre and offset of the rows.
        text: of the page.
    """
    start, stop = blocks
    mask, ink, tag, pre, offset = rows
    numbers: list[int] = []
    said: list[str] = []
    hard: list[int] = []
    for block in range(len(start)):
        some = False
        plain = not pre[start[block]]
        for row in range(start[block], stop[block]):
            if ink[row]:
                if mask[row]:
                    some = True
                else:
                    plain = False
            elif tag[row] == _BR:
                plain = False
        if some:
            own = ""
            if plain:
                begin, end = offset[start[block]], offset[stop[block]]
                own = " ".join(text[begin:end].split())
            else:
                hard.append(len(numbers))
            numbers.append(block)
            said.append(own)
    return numbers, said, hard
