"""Features of what repeats on a page: siblings and templates, texts of blocks, and texts of the metadata.

Repeated structures are counted in open-addressing hash tables of C numbers: a dictionary would create an object for
each number.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis._core.levels import _BlockSums, _Levels
from tamis._core.shadow import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from tamis._core.text import first_visible, hash_range, last_visible
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

cython.declare(
    MAX_LABEL="int", QUOTE="int", _TAG_COUNT="unsigned long long", _MAX_SIGNATURES="unsigned long long",
    _MIX="unsigned long long", _GRAM="int", _GRAM_SLOTS="int", _MASK_32="unsigned int", _MIX_32="unsigned int",
)  # fmt: skip

#: The longest text, in characters, that repeats are counted of: longer texts hardly ever repeat.
MAX_LABEL: Final = 60
#: Characters of a block's beginning or end that are looked for in the metadata and in earlier blocks.
QUOTE: Final = 32
_TAG_COUNT: Final = len(tags.NAMES)
_MAX_SIGNATURES: Final = 1 << 24  # more than a page has: a signature is one of its classes and a tag
_MIX: Final = enums.MIX
_GRAM: Final = 4  # characters of an n-gram
_GRAM_SLOTS: Final = 1 << 14  # the metadata of a page has a few thousand n-grams
_MASK_32, _MIX_32 = 0xFFFFFFFF, enums.MIX_32  # the upper 14 of 32 bits are the slot


@cython.cclass
class RepeatColumns:
    """The columns that are filled here, looked up by their names in the feature schema."""

    template_blocks = cython.declare("int", visibility="readonly")
    template_size = cython.declare("int", visibility="readonly")
    template_link_share = cython.declare("int", visibility="readonly")
    repeats = cython.declare("int", visibility="readonly")
    quotes_earlier = cython.declare("int", visibility="readonly")
    in_metadata = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.template_blocks = column["template_blocks"]
        self.template_size = column["template_size"]
        self.template_link_share = column["template_link_share"]
        self.repeats = column["repeats"]
        self.quotes_earlier = column["quotes_earlier"]
        self.in_metadata = column["in_metadata"]


@cython.cfunc
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(count="int", mask="int")
def _mask_for(count: int) -> int:
    """Return the last slot of a table for `count` keys, at most half full. All bits of it are set.

    >>> _mask_for(3), _mask_for(20)
    (15, 63)
    """
    mask = 15
    while mask < 2 * count:
        mask = 2 * mask + 1
    return mask


@cython.cfunc
@cython.nogil
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(keys="unsigned long long[::1]", key="unsigned long long", mask="int", slot="int")
def _slot_for(keys: Any, key: int, mask: int) -> int:  # noqa: ANN401 (an array)
    """Return the slot of a positive key in a table; insert the key where it is missing.

    >>> table = array("Q", bytes(8 * 16))
    >>> _slot_for(table, 7, 15) == _slot_for(table, 7, 15) != _slot_for(table, 8, 15)
    True
    """
    slot = (key * _MIX) >> 32 & mask
    while keys[slot] != 0 and keys[slot] != key:
        slot = (slot + 1) & mask
    keys[slot] = key
    return slot


@cython.cfunc
@cython.nogil
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(
    class_ids="int[::1]", tag="unsigned char[::1]", row="int", class_id="unsigned long long",
    tag_id="unsigned long long",
)  # fmt: skip
def _signature(class_ids: "Ints", tag: "Bytes", row: int) -> int:
    """Return a number for the class and the tag of a row; 0 for no row (-1)."""
    if row < 0:
        return 0
    class_id, tag_id = int(class_ids[row]), int(tag[row])
    return class_id * _TAG_COUNT + tag_id


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", levels="_Levels", is_branch_point="unsigned char[::1]", parent="int[::1]", class_ids="int[::1]",
    tag="unsigned char[::1]", rows="int", row="int", key="unsigned long long", slot="int", mask="int",
    out="int[::1]", members="int[::1]", keys="unsigned long long[::1]",
)  # fmt: skip
def _count_similar_siblings(
    page: "Columns",
    levels: _Levels,
    keys: Any,  # noqa: ANN401 (arrays)
    members: Any,  # noqa: ANN401
) -> None:
    """Count for each branch point the sibling branch points with the same tag and class: list items, forum posts.

    The arrays are a hash table, zero before.
    """
    parent, class_ids, tag = page.parent, page.class_ids, page.tag
    is_branch_point, out = levels.is_branch_point, levels.similar_siblings
    rows, mask = len(parent), len(keys) - 1
    for row in range(rows):
        if is_branch_point[row]:
            key = int(parent[row])
            key = key * _MAX_SIGNATURES + _signature(class_ids, tag, row) + 1
            slot = _slot_for(keys, key, mask)
            out[row] = slot
            members[slot] += 1
    for row in range(rows):
        if is_branch_point[row]:
            out[row] = members[out[row]] - 1


@cython.cclass
class _Templates:
    """Two hash tables for the templates of a page, and what is summed for each template."""

    pairs = cython.declare("unsigned long long[::1]")
    triples = cython.declare("unsigned long long[::1]")
    slot_of = cython.declare("int[::1]")
    members = cython.declare("int[::1]")
    sizes = cython.declare("double[::1]")
    nonspaces = cython.declare("double[::1]")
    linked = cython.declare("double[::1]")

    def __init__(self, blocks: int) -> None:
        slots = _mask_for(blocks) + 1
        self.pairs, self.triples = array("Q", bytes(8 * slots)), array("Q", bytes(8 * slots))
        self.slot_of, self.members = array("i", bytes(4 * blocks)), array("i", bytes(4 * slots))
        self.sizes, self.nonspaces = array("d", bytes(8 * slots)), array("d", bytes(8 * slots))
        self.linked = array("d", bytes(8 * slots))


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="RepeatColumns", page="Columns", sums="_BlockSums", table="_Templates",
    class_ids="int[::1]", tag="unsigned char[::1]", parent="int[::1]", container="int[::1]", count="int",
    block="int", above="int", top="int", key="unsigned long long", slot="int", mask="int", slot_of="int[::1]",
    members="int[::1]",
)  # fmt: skip
def _fill_templates(
    out: "Floats", columns: RepeatColumns, page: "Columns", sums: _BlockSums, table: _Templates
) -> None:
    """Fill in for each block the number of blocks in its template, their mean size, and their share of links.

    Blocks share a template where container, parent and grandparent have the same tags and classes.
    """
    class_ids, tag, parent, container = page.class_ids, page.tag, page.parent, page.container
    slot_of, members = table.slot_of, table.members
    count, mask = len(container), len(table.pairs) - 1
    for block in range(count):
        above = parent[container[block]]
        top = parent[above] if above >= 0 else -1
        key = _signature(class_ids, tag, container[block])
        key = key * _MAX_SIGNATURES + _signature(class_ids, tag, above) + 1
        slot = _slot_for(table.pairs, key, mask)
        key = slot
        key = key * _MAX_SIGNATURES + _signature(class_ids, tag, top) + 1
        slot = _slot_for(table.triples, key, mask)
        slot_of[block] = slot
        members[slot] += 1
        table.sizes[slot] += float(sums.size[block])
        table.nonspaces[slot] += float(sums.nonspace[block])
        table.linked[slot] += float(sums.linked[block])
    for block in range(count):
        slot = slot_of[block]
        out[columns.template_blocks, block] = members[slot]
        out[columns.template_size, block] = table.sizes[slot] / members[slot]
        out[columns.template_link_share, block] = table.linked[slot] / table.nonspaces[slot]


@cython.cfunc
@cython.locals(
    out="float[:, ::1]", columns="RepeatColumns", page="Columns", text="str", metadata="str", starts="int[::1]",
    stops="int[::1]", offset="int[::1]", count="int", block="int", start="int", stop="int", first="int", last="int",
    low="int", high="int", mask="int", quote_mask="int", long_blocks="int", slot="int", other="int", is_quote="bint",
    keys="unsigned long long[::1]", quotes="unsigned long long[::1]", members="int[::1]", quoted="unsigned char[::1]",
    slot_of="int[::1]", grams="unsigned char[::1]", kind="int", data="const void *", length="int", likely="int[::1]",
    likely_count="int", has_metadata="bint",
)  # fmt: skip
def _fill_repeats(out: "Floats", columns: RepeatColumns, page: "Columns", text: str, metadata: str) -> None:
    """Fill in how often the text of each block repeats, whether it quotes an earlier one, and whether it is metadata.

    Repeats are counted for blocks of at most `MAX_LABEL` characters. Longer blocks are compared by their first and
    last `QUOTE` characters, because a reply quotes a part of what it answers.

    Args:
        out: the feature matrix, transposed, zero in these columns.
        columns: the columns to fill.
        page: the page.
        text: its text.
        metadata: the texts of its metadata.
    """
    starts, stops, offset = page.start, page.stop, page.offset
    count = len(starts)
    long_blocks = 0
    for block in range(count):
        long_blocks += offset[stops[block]] - offset[starts[block]] > MAX_LABEL
    mask, quote_mask = _mask_for(count - long_blocks), _mask_for(2 * long_blocks)
    keys, members = array("Q", bytes(8 * (mask + 1))), array("i", bytes(4 * (mask + 1)))
    quotes, quoted = array("Q", bytes(8 * (quote_mask + 1))), bytearray(quote_mask + 1)
    slot_of, likely = array("i", bytes(4 * count)), array("i", bytes(12 * long_blocks))
    has_metadata, grams = bool(metadata), _grams_of(metadata)
    kind, data, length = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text)
    likely_count = 0
    with cython.nogil:
        for block in range(count):
            start, stop = offset[starts[block]], offset[stops[block]]
            if stop - start <= MAX_LABEL:
                first = first_visible(kind, data, start, stop)
                slot = _slot_for(keys, hash_range(kind, data, first, last_visible(kind, data, first, stop)), mask)
                members[slot] += 1
                slot_of[block] = slot + 1
                continue
            last = min(start + 3 * QUOTE, length)
            first = first_visible(kind, data, start, last)
            last = min(first + QUOTE, last)
            slot = _slot_for(quotes, hash_range(kind, data, first, last), quote_mask)
            is_quote = quoted[slot]
            low = max(stop - 3 * QUOTE, start)
            high = last_visible(kind, data, low, stop)
            low = max(high - QUOTE, low)
            other = _slot_for(quotes, hash_range(kind, data, low, high), quote_mask)
            if is_quote or quoted[other]:
                out[columns.quotes_earlier, block] = 1
            quoted[slot] = quoted[other] = 1
            if has_metadata and _may_contain(grams, kind, data, first, last):
                likely[likely_count], likely[likely_count + 1], likely[likely_count + 2] = block, first, last
                likely_count += 3
        for block in range(count):
            if slot_of[block]:
                out[columns.repeats, block] = members[slot_of[block] - 1] - 1
    for slot in range(0, likely_count, 3):
        if text[likely[slot + 1] : likely[slot + 2]] in metadata:
            out[columns.in_metadata, likely[slot]] = 1


@cython.cfunc
@cython.locals(
    text="str", key="unsigned int", length="int", k="int", table="unsigned char[::1]", kind="int",
    data="const void *",
)  # fmt: skip
def _grams_of(text: str) -> Any:  # noqa: ANN401 (an array of bytes)
    """Return a table of all n-grams of a text, for `_may_contain`."""
    table = bytearray(_GRAM_SLOTS)
    kind, data, length = PyUnicode_KIND(text), PyUnicode_DATA(text), len(text)
    key = 0
    with cython.nogil:
        for k in range(length):
            # Characters more than four back are shifted out.
            key = ((key << 8) ^ PyUnicode_READ(kind, data, k)) & _MASK_32
            if k + 1 >= _GRAM:
                table[((key * _MIX_32) & _MASK_32) >> 18] = 1
    return table


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    table="unsigned char[::1]", kind="int", data="const void *", start="Py_ssize_t", stop="Py_ssize_t",
    key="unsigned int", k="Py_ssize_t",
)  # fmt: skip
def _may_contain(table: Any, kind: int, data: str, start: int, stop: int) -> bool:  # noqa: ANN401 (an array of bytes)
    """Return False only if the text of a table does not contain a part of another: a quick check for a long text.

    >>> table = _grams_of("bread and butter")
    >>> _may_contain(table, 1, "and butter", 0, 10), _may_contain(table, 1, "and bread", 0, 9)
    (True, False)
    """
    key = 0
    for k in range(start, stop):
        key = ((key << 8) ^ PyUnicode_READ(kind, data, k)) & _MASK_32
        if k - start + 1 >= _GRAM and table[((key * _MIX_32) & _MASK_32) >> 18] == 0:
            return False
    return True
