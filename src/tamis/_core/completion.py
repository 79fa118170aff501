"""The lists and tables among the kept blocks of a page. Blocks are bytes here: 1 where they are kept."""

from array import array
from typing import TYPE_CHECKING, Any, Final

from tamis._core import shadow as cython
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float64, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Bytes = NDArray[uint8]

cython.declare(
    _IS_LIST="bytes", _IS_CELL="bytes", _IS_STRUCTURE="bytes", _LI="int", _TR="int", _TABLE="int", _MIN_MEMBERS="int",
    _MIN_ROWS="int", _MAX_RATIO="int", _MIN_COLUMNS="int", IS_HEADING="bytes", CAPTION="int",
    _MIN_TABLE_SHARE="double", _MAX_LIST_CHARS="int", _MIN_LIST_PROBABILITY="double", _IS_ITEM_LIST="bytes",
    _IS_ITEM="bytes",
)  # fmt: skip

# Whole lists and tables: if half or more of the items or rows are kept, all are.
#
# A model judges each block by itself, and leaves holes in a list of ingredients or a table of results. Items are
# those of one ``ul`` or ``ol``, rows those of one ``table`` that is not for layout.

_IS_LIST: Final = tags.tag_mask("ul ol menu").tobytes()
_IS_CELL: Final = tags.CELL.tobytes()
_IS_STRUCTURE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 table form nav article section pre").tobytes()
_LI, _TR, _TABLE = tags.IDS["li"], tags.IDS["tr"], tags.IDS["table"]
_MIN_MEMBERS: Final = 3  #: items; of two, half is one
_MIN_ROWS: Final = 2  #: a header and a row
_MAX_RATIO: Final = 3  #: of an item that is added to the largest that was kept: a larger one is something else
_MIN_COLUMNS: Final = 2
#: Of the characters of a table that stays. Swept .1, .25, .5: WCXB dev .91156, .91168, .91177; without .91170.
_MIN_TABLE_SHARE: Final = 0.5
IS_HEADING: Final = tags.HEADING.tobytes()
CAPTION: Final = tags.IDS["caption"]
_IS_ITEM_LIST: Final = tags.tag_mask("ul ol dl").tobytes()
_IS_ITEM: Final = tags.tag_mask("li dt dd").tobytes()
_MAX_LIST_CHARS: Final = 2000  #: a longer list is a thread, a listing or a layout
#: The mean probability from which a list is kept whole. Of 202 lists of 2,303 labelled pages with items left out, 151
#: are as short. From here on, 60 % of what was left out is in the gold text; below, 12 % of what was kept. With
#: definition lists, words F1 rises on five of nine pages that change, by .04 in sum.
_MIN_LIST_PROBABILITY: Final = 0.4


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(chars="const int[::1]", kept="const unsigned char[::1]", sums="int[::1]", block="int")
def _sum_chars(chars: Any, kept: "Bytes", sums: Any) -> None:  # noqa: ANN401 (arrays)
    """Write two sums before each block, one after another: of the characters, and of those that are kept."""
    for block in range(len(chars)):
        sums[2 * block + 2] = sums[2 * block] + chars[block]
        sums[2 * block + 3] = sums[2 * block + 1] + (chars[block] if kept[block] else 0)


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(kept="const unsigned char[::1]", block="int", count="int")
def _is_complete(kept: "Bytes") -> bool:
    """Tell whether all blocks or none are kept, so that there is nothing to complete."""
    count = 0
    for block in range(len(kept)):
        count += kept[block] != 0
    return count == 0 or count == len(kept)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="unsigned char[::1]", excluded="const unsigned char[::1]", kept="const unsigned char[::1]", block="int",
)  # fmt: skip
def _leave_excluded(out: "Bytes", excluded: "Bytes", kept: "Bytes") -> None:
    """Take the excluded blocks out of `out` that are not among the `kept` ones.

    >>> out = bytearray([1, 1, 1])
    >>> _leave_excluded(out, bytes([1, 1, 0]), bytes([1, 0, 0]))
    >>> list(out)
    [1, 0, 1]
    """
    for block in range(len(out)):
        if excluded[block] and not kept[block]:
            out[block] = 0


@cython.ccall
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", excluded="const unsigned char[::1]", tables="list",
    out="unsigned char[::1]", rows="int", k="int", sums="int[::1]", group="int[::1]", table_of="int[::1]",
    cells="int[::1]", structure="int[::1]", data_tables="int[::1]", members="int[::1]", kept_members="int[::1]",
    largest="int[::1]",
)  # fmt: skip
def complete_groups(page: "Columns", kept: "Bytes", excluded: "Bytes", tables: list[int], out: "Bytes") -> None:
    """Keep the rest of lists and tables of which half is kept; drop what is kept of tables where it is little.

    Items are those of one list, rows those of one table that is not for layout: it has two columns, and neither
    headings nor other structure.

    Args:
        page: the page.
        kept: which blocks are kept.
        excluded: which blocks stay out.
        tables: the rows of the tables that contain data.
        out: a copy of `kept`, which is completed.
    """
    if _is_complete(kept):
        return
    rows = len(page.tag)
    sums = array("i", bytes(8 * (len(kept) + 1)))
    group, table_of = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    cells, structure = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    members, kept_members = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    largest = array("i", bytes(4 * rows + 4))
    data_tables = array("i", tables)
    with cython.nogil:
        _sum_chars(page.block_chars, kept, sums)
        if _find_groups(page, group, table_of, cells, structure):
            _complete_members(page, group, sums, out, members, kept_members, largest, False)  # noqa: FBT003 (compiled)
            _find_table_rows(page, group, table_of, cells, structure)
            for k in range(rows + 1):
                members[k] = kept_members[k] = largest[k] = 0
            _complete_members(page, group, sums, out, members, kept_members, largest, True)  # noqa: FBT003 (compiled)
        else:
            _complete_members(page, group, sums, out, members, kept_members, largest, False)  # noqa: FBT003 (compiled)
        for k in range(len(data_tables)):
            _settle_table(page, data_tables[k], out)
        _leave_excluded(out, excluded, kept)


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", group="int[::1]", table_of="int[::1]", cells="int[::1]", structure="int[::1]",
    tag="unsigned char[::1]", parent="int[::1]", row="int", own="int", has_tables="bint",
)  # fmt: skip
def _find_groups(page: "Columns", group: Any, table_of: Any, cells: Any, structure: Any) -> bool:  # noqa: ANN401 (arrays)
    """Write the list of each item, and the nearest table of each row, both from 1; tell whether there are tables.

    Also count the cells and the elements of structure before each row.
    """
    tag, parent = page.tag, page.parent
    has_tables = False
    for row in range(len(tag)):
        own = tag[row]
        cells[row + 1] = cells[row] + (1 if _IS_CELL[own] else 0)
        structure[row + 1] = structure[row] + (1 if _IS_STRUCTURE[own] else 0)
        if own == _TABLE:
            table_of[row] = row + 1
            has_tables = True
        elif row:
            table_of[row] = table_of[parent[row]]
        if own == _LI and _IS_LIST[tag[parent[row]]]:
            group[row] = parent[row] + 1
    return has_tables


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", group="int[::1]", table_of="int[::1]", cells="int[::1]", structure="int[::1]",
    tag="unsigned char[::1]", end="int[::1]", row="int", table="int", inner="int",
)  # fmt: skip
def _find_table_rows(page: "Columns", group: Any, table_of: Any, cells: Any, structure: Any) -> None:  # noqa: ANN401 (arrays)
    """Write the table of each table row with two cells or more, from 1, if it has no structure."""
    tag, end = page.tag, page.end
    for row in range(len(tag)):
        group[row] = 0
        if tag[row] == _TR and table_of[row]:
            table = table_of[row] - 1
            inner = structure[end[table]] - structure[table] - 1  # besides the table itself
            if inner == 0 and cells[end[row]] - cells[row] >= _MIN_COLUMNS:
                group[row] = table + 1


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", group="const int[::1]", sums="const int[::1]", out="unsigned char[::1]", cells="bint",
    first_block="int[::1]", last_block="int[::1]", rows="int", row="int", k="int", low="int", high="int", total="int",
    selected="int", minimum="int", block="int", members="int[::1]", kept_members="int[::1]", largest="int[::1]",
)  # fmt: skip
def _complete_members(
    page: "Columns",
    group: Any,  # noqa: ANN401 (arrays)
    sums: Any,  # noqa: ANN401
    out: "Bytes",
    members: Any,  # noqa: ANN401
    kept_members: Any,  # noqa: ANN401
    largest: Any,  # noqa: ANN401
    cells: bool,  # noqa: FBT001 (compiled)
) -> None:
    """Mark the blocks of members that are not kept; with `cells`, the other blocks of kept members too."""
    first_block, last_block = page.first_block, page.last_block
    rows = len(last_block)
    for row in range(rows):
        k = group[row]
        if k:
            low, high = 2 * first_block[row], 2 * last_block[row]
            total = sums[high] - sums[low]
            if total > 0:
                members[k] += 1
                if 2 * (sums[high + 1] - sums[low + 1]) >= total:
                    kept_members[k] += 1
                    largest[k] = max(largest[k], total)
    minimum = _MIN_ROWS if cells else _MIN_MEMBERS
    for row in range(rows):
        k = group[row]
        if k and kept_members[k] and 2 * kept_members[k] >= members[k] >= minimum:
            low, high = 2 * first_block[row], 2 * last_block[row]
            total, selected = sums[high] - sums[low], sums[high + 1] - sums[low + 1]
            if selected < total <= _MAX_RATIO * largest[k] and (cells or 2 * selected < total):
                for block in range(first_block[row], last_block[row]):
                    out[block] = 1


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", table="int", out="unsigned char[::1]", tag="unsigned char[::1]", end="int[::1]",
    first_block="int[::1]", last_block="int[::1]", chars="int[::1]", first="int", last="int", block="int",
    kept_blocks="int", total="long long", kept="long long", row="int", is_whole="bint",
)  # fmt: skip
def _settle_table(page: "Columns", table: int, out: "Bytes") -> None:
    """Keep the rest of a data table of which a part is kept, or drop what is kept of it where it is little.

    Captions do not count: a long one is not a reason to drop the rows below it.
    """
    tag, end, first_block, last_block, chars = page.tag, page.end, page.first_block, page.last_block, page.block_chars
    first, last = first_block[table], last_block[table]
    kept_blocks = 0
    total = kept = 0
    for block in range(first, last):
        kept_blocks += out[block] != 0
        total += chars[block]
        if out[block]:
            kept += chars[block]
    if kept_blocks == 0 or kept_blocks == last - first:
        return
    row = table
    while row < end[table]:
        if tag[row] != CAPTION:
            row += 1
            continue
        for block in range(first_block[row], last_block[row]):
            total -= chars[block]
            if out[block]:
                kept -= chars[block]
        row = end[row]
    is_whole = kept >= _MIN_TABLE_SHARE * total
    for block in range(first, last):
        out[block] = is_whole


@cython.ccall
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", probs="const double[::1]", excluded="const unsigned char[::1]",
    out="unsigned char[::1]", tag="unsigned char[::1]", first_block="int[::1]", last_block="int[::1]",
    chars="int[::1]", sums="int[::1]", counts="int[::1]", rows="int", row="int", some="int", block="int",
)  # fmt: skip
def settle_lists(page: "Columns", kept: "Bytes", probs: "NDArray[float64]", excluded: "Bytes", out: "Bytes") -> None:
    """Keep short lists whole, or drop them where few of their items were kept.

    Args:
        page: the page.
        kept: which blocks are kept.
        probs: the probability of each block.
        excluded: which blocks stay out.
        out: a copy of `kept`, which is completed.
    """
    if _is_complete(kept):
        return
    tag, first_block, last_block, chars = page.tag, page.first_block, page.last_block, page.block_chars
    rows = len(tag)
    sums, counts = array("i", bytes(4 * (len(kept) + 1))), array("i", bytes(4 * (len(kept) + 1)))
    with cython.nogil:
        for block in range(len(kept)):
            sums[block + 1] = sums[block] + chars[block]
            counts[block + 1] = counts[block] + (1 if kept[block] else 0)
        for row in range(rows - 1, -1, -1):  # the inner ones first
            if _IS_ITEM_LIST[tag[row]]:
                some = counts[last_block[row]] - counts[first_block[row]]
                if (
                    0 < some < last_block[row] - first_block[row]
                    and sums[last_block[row]] - sums[first_block[row]] <= _MAX_LIST_CHARS
                ):
                    _settle_list(page, row, probs, sums, out)
        _leave_excluded(out, excluded, kept)


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", row="int", probs="const double[::1]", sums="const int[::1]", out="unsigned char[::1]",
    tag="unsigned char[::1]", end="int[::1]", first_block="int[::1]", last_block="int[::1]", chars="int[::1]",
    items="int", kept_items="int", item="int", block="int", weight="double", total="int", selected="int",
)  # fmt: skip
def _settle_list(  # noqa: C901 (loops over items, compiled)
    page: "Columns",
    row: int,
    probs: "NDArray[float64]",
    sums: Any,  # noqa: ANN401 (an array)
    out: "Bytes",
) -> None:
    """Keep a list whole if its blocks are likely enough; drop it if less than half of it is kept."""
    tag, end, chars = page.tag, page.end, page.block_chars
    first_block, last_block = page.first_block, page.last_block
    items = kept_items = 0
    item = row + 1
    while item < end[row]:
        if _IS_ITEM[tag[item]] and sums[last_block[item]] > sums[first_block[item]]:
            items += 1
            kept_items += _has_kept(out, first_block[item], last_block[item])
        item = end[item]
    if kept_items in (0, items):
        return
    weight = 0.0
    total = selected = 0
    for block in range(first_block[row], last_block[row]):
        weight += probs[block] * chars[block]
        total += chars[block]
        if out[block]:
            selected += chars[block]
    if weight >= _MIN_LIST_PROBABILITY * total:
        item = row + 1
        while item < end[row]:
            if _IS_ITEM[tag[item]] and not _has_kept(out, first_block[item], last_block[item]):
                for block in range(first_block[item], last_block[item]):
                    out[block] = 1
            item = end[item]
    elif 2 * selected < total:
        for block in range(first_block[row], last_block[row]):
            out[block] = 0


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(out="const unsigned char[::1]", first="int", last="int", block="int")
def _has_kept(out: "Bytes", first: int, last: int) -> bool:
    """Tell whether one of a range of blocks is kept."""
    for block in range(first, last):  # noqa: SIM110 (compiled, without an object for each)
        if out[block]:
            return True
    return False
