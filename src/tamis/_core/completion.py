"""What is kept of a page: the choice of blocks, and the lists, tables, code, headings and captions among them.

`keep_best` chooses, `settle_choice` takes out comments. `complete_groups`, `settle_lists` and `complete_structure`
complete a choice, in this order. `tamis.sift.choice` calls them. Blocks are bytes here: 1 where they are kept.
"""

from array import array
from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float32, float64, int64, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Bytes = NDArray[uint8]

cython.declare(
    _IS_LIST="bytes", _IS_CELL="bytes", _IS_STRUCTURE="bytes", _IS_SECTION_HEADING="bytes", _LI="int", _TR="int",
    _TABLE="int", _MIN_MEMBERS="int", _MIN_ROWS="int", _MAX_RATIO="int", _MIN_COLUMNS="int", _MIN_SECTION_CHARS="int",
    _MAX_LINE_CHARS="int", _MIN_REPEATED_CHARS="int", _MIN_LISTED="int", _HASH_SEED="unsigned long long",
    _HASH_PRIME="unsigned long long", _HASH_MASK="unsigned long long", _PARAGRAPH="int", _MAX_CARD_CHARS="int",
    _MIN_PARAGRAPHS="int", _MIN_PARAGRAPH_CHARS="int", _MAX_CARD_LEVELS="int", _LINKED="double", _IS_CARD="bytes",
    _IS_NO_CARD="bytes", _IS_ANY_HEADING="bytes", _IS_ENTRY="bytes", _MAY_BE_LABEL="bytes", _LEVELS_OF_TAG="bytes",
    _IS_NO_BOX="bytes", _IS_LAYOUT="bytes", _IS_PRE_TAG="bytes", _PRE_TAG="int", _CODE_TAG="int", _MATH_TAG="int",
    _QUOTATION="int", _CAPTION="int", _FOOTER="int", _CITE="int", _LINE_END="int", _MAX_LEVELS="int",
    _MIN_CHARS="int", _MIN_SHARE="double", _MAX_AD_CHARS="int", _MAX_BOX_CHARS="int", _MIN_NOTICE_CHARS="int",
    _MIN_NOTICES="int", _MAX_QUOTED_CHARS="int", _MAX_NAME_CHARS="int", _MAX_SECTION_LEVELS="int",
    _MIN_TABLE_SHARE="double", _MAX_SHARE="double", _MAX_LIST_CHARS="int", _MIN_LIST_PROBABILITY="double",
    _IS_ITEM_LIST="bytes", _IS_ITEM="bytes",
    _INPUT="int", _BUTTON="int", _MIN_HEADING_PROBABILITY="double", SHORT_PAGE="double",
    _MIN_BODY="double", _MAX_APPEAL_CHARS="int", _MIN_COPIED_SHARE="double", _MIN_APPEAL_BLOCKS="int",
    _MIN_BUTTON_SHARE="double", _LINK_TAG="int",
)  # fmt: skip

# The choice.

#: Words of a page of which networks, having learned clean pages, take everything for content.
SHORT_PAGE: Final = 150.0
#: Comments are left out where the rest of the selection has at least this many words; else they are the content.
_MIN_BODY: Final = 40.0
#: Of a heading that is kept with the text below it. The heading of a box beside the text has less.
_MIN_HEADING_PROBABILITY: Final = 0.02
_CHROME_TAGS: Final = ("nav", "footer", "aside")
_CHROME_NAMES: Final = ("nav", "footer", "related", "popular", "share", "sidebar", "newsletter", "cookie")


@cython.cclass
class ChoiceColumns:
    """The features that a choice reads, by their names in the feature schema."""

    chrome_tags = cython.declare("int[::1]", visibility="readonly")
    chrome_names = cython.declare("int[::1]", visibility="readonly")
    comments = cython.declare("int[::1]", visibility="readonly")
    all_links = cython.declare("int", visibility="readonly")
    in_code = cython.declare("int", visibility="readonly")
    in_figure = cython.declare("int", visibility="readonly")
    in_h1 = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.chrome_tags = array("i", [column[f"ancestor:{name}"] for name in _CHROME_TAGS])
        self.chrome_names = array("i", [column[f"near:{name}"] for name in _CHROME_NAMES])
        self.comments = array("i", [column["near:comment"], column["far:comment"]])
        self.all_links, self.in_code = column["all_links"], column["ancestor:pre"]
        self.in_figure, self.in_h1 = column["ancestor:figure"], column["container:h1"]


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(matrix="const float[:, :]", columns="const int[::1]", block="int", k="int")
def _has_any(matrix: "NDArray[float32]", columns: Any, block: int) -> bool:  # noqa: ANN401 (an array)
    """Tell whether a block has one of some features."""
    for k in range(len(columns)):  # noqa: SIM110 (compiled, without an object for each)
        if matrix[block, columns[k]] > 0:
            return True
    return False


@cython.ccall
@cython.returns("double")
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", order="const Py_ssize_t[::1]", probs="const double[::1]",
    size="const double[::1]", minimum="double", in_article="bint", kept="unsigned char[::1]",
    comments="unsigned char[::1]", expected_f1="double", total="double", body="double", block="int", count="int",
    found="bint",
)  # fmt: skip
def settle_choice(  # noqa: C901, PLR0912 (loops over blocks, compiled)
    matrix: "NDArray[float32]",
    columns: ChoiceColumns,
    order: "NDArray[int64]",
    probs: "NDArray[float64]",
    size: "NDArray[float64]",
    minimum: float,
    kept: "Bytes",
    comments: "Bytes",
    *,
    in_article: bool,
) -> float:
    """Mark the blocks to keep, and the blocks left out as comments; return the expected F1.

    Comments are blocks in elements that are named so, beside the body of an article. A page of nothing but comments
    is a discussion, and keeps them. The networks have learned that what is alone on a short page is content. Of short
    pages with a menu they know too few to tell, so what says itself that it is chrome is left out of them.

    Args:
        matrix: the features, blocks by features.
        columns: the features that are read.
        order: the blocks, those with high probabilities first.
        probs: the probability of each block.
        size: its size.
        minimum: the least expected F1; below it, nothing is kept.
        kept: filled with the blocks to keep; zero before.
        comments: filled with the blocks that are left out; zero before.
        in_article: whether the page may be an article with comments.
    """
    count = len(size)
    with cython.nogil:
        expected_f1 = _keep_best(order, probs, size, kept)
        total = 0.0
        for block in range(count):
            total += size[block]
            if expected_f1 < minimum:
                kept[block] = 0
        if total < SHORT_PAGE:
            for block in range(count):
                if _is_chrome(matrix, columns, block):
                    kept[block] = 0
        if in_article:
            body = 0.0
            found = False
            for block in range(count):
                if kept[block]:
                    if _has_any(matrix, columns.comments, block) and not matrix[block, columns.in_code] > 0:
                        comments[block] = 1  # one in code is content
                        found = True
                    else:
                        body += size[block]
            for block in range(count if found else 0):
                if body < _MIN_BODY:
                    comments[block] = 0
                elif comments[block]:
                    kept[block] = 0
    return expected_f1


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(matrix="const float[:, :]", columns="ChoiceColumns", block="int")
def _is_chrome(matrix: "NDArray[float32]", columns: ChoiceColumns, block: int) -> bool:
    """Tell whether a block says itself that it is chrome."""
    return _has_any(matrix, columns.chrome_tags, block) or (
        matrix[block, columns.all_links] > 0 and _has_any(matrix, columns.chrome_names, block)
    )


@cython.ccall
@cython.returns("bint")
@cython.locals(
    matrix="const float[:, :]", columns="ChoiceColumns", size="const double[::1]", minimum="double",
    kept="unsigned char[::1]", block="int", own="double", rest="double", in_rest="unsigned char[::1]", count="int",
)  # fmt: skip
def keep_fragment(
    matrix: "NDArray[float32]", columns: ChoiceColumns, size: "NDArray[float64]", minimum: float, kept: "Bytes"
) -> bool:
    """Keep all of a fragment of HTML but chrome, titles and captions, if this share of it is kept; tell whether.

    Titles and captions stay as they are: outputs with pictures have them anyway.
    """
    count = len(size)
    in_rest = bytearray(count)
    own = rest = 0.0
    for block in range(count):
        if kept[block]:
            own += size[block]
        if not (
            _is_chrome(matrix, columns, block)
            or matrix[block, columns.in_figure] > 0
            or matrix[block, columns.in_h1] > 0
        ):
            in_rest[block] = 1
            rest += size[block]
    if own < minimum * rest:
        return False
    for block in range(count):
        kept[block] |= in_rest[block]
    return True


@cython.cfunc
@cython.nogil
@cython.returns("double")
@cython.exceptval(check=False)
@cython.locals(
    order="const Py_ssize_t[::1]", probs="const double[::1]", size="const double[::1]", kept="unsigned char[::1]",
    count="Py_ssize_t", k="Py_ssize_t", best="Py_ssize_t", hits="double", total="double", half_f1="double",
    highest="double", all_hits="double",
)  # fmt: skip
def _keep_best(order: "NDArray[int64]", probs: "NDArray[float64]", size: "NDArray[float64]", kept: "Bytes") -> float:
    """Keep the prefix of an order of blocks with the highest expected F1; return that F1.

    >>> import numpy as np
    >>> kept = bytearray(2)
    >>> f1 = _keep_best(np.array([1, 0]), np.array([0.1, 0.9]), np.array([10.0, 10.0]), kept)
    >>> float(f1), list(kept)
    (0.9, [0, 1])
    """
    count = len(order)
    if count == 0:
        return 0.0
    all_hits = hits = total = 0.0
    for k in range(count):
        all_hits += probs[order[k]] * size[order[k]]
    all_hits = max(all_hits, 1e-9)
    best, highest = 0, -1.0
    for k in range(count):
        hits += probs[order[k]] * size[order[k]]
        total += size[order[k]]
        half_f1 = hits / (total + all_hits)
        if half_f1 > highest:
            best, highest = k, half_f1
    for k in range(best + 1):
        kept[order[k]] = 1
    return 2 * highest


@cython.ccall
@cython.returns("double")
@cython.locals(
    order="const Py_ssize_t[::1]", probs="const double[::1]", size="const double[::1]", kept="unsigned char[::1]"
)
def keep_best(order: "NDArray[int64]", probs: "NDArray[float64]", size: "NDArray[float64]", kept: "Bytes") -> float:
    """Keep the prefix of an order of blocks with the highest expected F1; return that F1."""
    return _keep_best(order, probs, size, kept)


@cython.ccall
@cython.locals(
    page="Columns", probs="const double[::1]", comments="const unsigned char[::1]", out="unsigned char[::1]",
    container="int[::1]", tag="unsigned char[::1]", block="int", is_heading="bint",
)  # fmt: skip
def excluded_blocks(page: "Columns", probs: "NDArray[float64]", comments: "Bytes", out: "Bytes") -> None:
    """Mark comments and the headings of boxes beside the text: they are not kept with what is around them."""
    container, tag = page.container, page.tag
    for block in range(len(container)):
        is_heading = _IS_ANY_HEADING[tag[container[block]]] != 0
        out[block] = comments[block] or (is_heading and probs[block] < _MIN_HEADING_PROBABILITY)


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
_CAPTION: Final = tags.IDS["caption"]
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
        if tag[row] != _CAPTION:
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


# Structure in kept text: code, callouts and section headings among kept paragraphs are kept, captions with tables.
#
# A model judges each block by itself. Few of the pages that it learned from have code or callouts, and people who
# label pages disagree about short headings. A reader misses all three: a section without its heading runs into the
# one above. Labels, repeats and boxes that ask for something are left out.

_PRE_TAG, _CODE_TAG, _MATH_TAG = tags.IDS["pre"], tags.IDS["code"], tags.IDS["math"]
_QUOTATION, _FOOTER, _CITE = tags.IDS["blockquote"], tags.IDS["footer"], tags.IDS["cite"]
_LINE_END, _INPUT, _BUTTON = tags.IDS["br"], tags.IDS["input"], tags.IDS["button"]
_PARAGRAPH, _LINK_TAG = tags.IDS["p"], tags.IDS["a"]
_IS_ENTRY: Final = tags.tag_mask("li td th dd dt").tobytes()
_IS_PRE_TAG: Final = tags.PRE.tobytes()
_IS_SECTION_HEADING: Final = tags.tag_mask("h2 h3 h4 h5 h6").tobytes()  #: the model knows headlines
_IS_ANY_HEADING: Final = tags.HEADING.tobytes()
_LEVELS_OF_TAG: Final = bytes(int(name[1]) if tags.HEADING[tag] else 0 for tag, name in enumerate(tags.NAMES))
_MAX_LEVELS: Final = 8  #: from an element up to one with text around it
_MIN_CHARS: Final = 80  #: of the text around it that decides; labels and buttons of code have fewer
_MIN_SHARE: Final = 0.5  #: of that text, which must be kept
_MAX_QUOTED_CHARS: Final = 400  #: of a quotation that is kept because of the text around it
_MAX_SHARE: Final = 0.3  #: of the page: a box with more is its layout
_MIN_SECTION_CHARS: Final = 40  #: below a heading; a teaser may have fewer
_MAX_LINE_CHARS: Final = 100  #: that are not kept between a heading and its text: date and author of a post
_MAX_NAME_CHARS: Final = 300  #: of a heading; a longer one is not a heading
_MAX_SECTION_LEVELS: Final = 3  #: from a heading up to the element with its section
#: Headings of links to share a text, and of contents: nothing is left of their section.
_LINK_HEADINGS: Final = frozenset({
    "share", "share this", "share on", "share via", "share this post", "share this article", "share this story",
    "teilen", "partager", "compartir", "condividi", "compartilhar", "delen", "поделиться", "contents",
    "table of contents",
})  # fmt: skip
_MIN_LISTED: Final = 3  #: headings of one level with nothing below them that are a list
_MIN_REPEATED_CHARS: Final = 25  #: of a block that is left out because it repeats the one before it
#: Labels of advertisements, without white space and the signs around them. On seven corpora 44 such blocks were kept;
#: one is in the gold text.
_AD_LABELS: Final = frozenset({
    "advertisement", "advertisements", "sponsoredcontent", "sponsoredlinks", "anzeige", "werbung", "publicité",
    "publicidad", "pubblicità", "publicidade", "reklama", "реклама", "広告", "广告", "廣告",
})  # fmt: skip
#: Labels of links to the rest of a text or to share it, of forms and of players, written likewise. Of the 30 that
#: were kept on eight corpora, two are in the gold text. ("Learn more" and "Related:" are not here: half of them are.)
_LINK_LABELS: Final = frozenset({
    "readmore", "continuereading", "continuereadingthemainstory", "keepreading", "weiterlesen", "mehrlesen",
    "lirelasuite", "lireaussi", "àlireaussi", "leermás", "leetambién", "leggianche", "leggitutto", "leiamais",
    "leiatambém", "vejatambém", "leesook", "leesmeer", "leesverder", "czytajwięcej", "czytajtakże", "läsmer",
    "lesogså", "читатьдалее", "читайтетакже", "続きを読む", "devamınıoku", "relatedstories", "relatedarticles",
    "sharethisarticle", "sharethispost", "sharethisstory", "pinit", "copylink", "printthisarticle", "emailthis",
    "subscribenow", "signupnow", "enteryouremail", "enteryouremailaddress", "youremail", "youremailaddress",
    "clicktoenlarge", "playvideo", "watchvideo", "clicktoplay", "loading", "acceptcookies", "acceptallcookies",
})  # fmt: skip
_LABELS: Final = _AD_LABELS | _LINK_LABELS
#: Whether a block of this many characters may be such a label, with up to four signs.
_MAY_BE_LABEL: Final = bytes(
    any(0 <= chars - len(label) <= 4 for label in _LABELS)  # noqa: PLR2004 (signs)
    for chars in range(max(map(len, _LABELS)) + 5)
)
_LABEL_SIGNS: Final = "-–—:.…()[]*›»>→!"  #: around a label
_MAX_AD_CHARS: Final = 250  #: of an element that begins with such a label, and is an advertisement
_IS_LAYOUT: Final = tags.tag_mask("html body main article section td th table tbody tr form").tobytes()
#: Of a box with a field for an address, or with a notice and a control. On three corpora 2 % of the 12,283 words of
#: the former are gold, and 1 of 45 texts that stand three times or more on a page, each time beside a control.
_MAX_BOX_CHARS: Final = 400
_MIN_NOTICE_CHARS, _MIN_NOTICES = 48, 3
_IS_NO_BOX: Final = tags.tag_mask("html body main article").tobytes()
#: Of a card of another article between the paragraphs of one: a box with a heading that is a link. On five corpora 9
#: such boxes were kept, and none of their 129 words is gold. (Boxes that end with a link are gold as often as not.)
_MAX_CARD_CHARS: Final = 800
_IS_CARD: Final = tags.tag_mask("div section aside").tobytes()
_IS_NO_CARD: Final = tags.tag_mask("html body main article").tobytes()
_MIN_PARAGRAPHS, _MIN_PARAGRAPH_CHARS = 3, 48  #: of the article around it
_LINKED: Final = 0.9  #: of the characters of a heading that is a link
_MAX_CARD_LEVELS: Final = 8  #: from the heading up to the card
_HASH_SEED, _HASH_PRIME, _HASH_MASK = enums.SEED, enums.PRIME, enums.MASK_64


@cython.ccall
@cython.locals(
    page="Columns", text="str", source="object", kept="const unsigned char[::1]",
    excluded="const unsigned char[::1]", boxes="list", quotations="bint", cards="bint", appeals="bint",
    out="unsigned char[::1]",
    marked="unsigned char[::1]", before="int[::1]", breaks="int[::1]", row="int", rows="int", found="bint",
)  # fmt: skip
def complete_structure(
    page: "Columns",
    text: str,
    source: Any,  # noqa: ANN401 (where attributes are read)
    kept: "Bytes",
    excluded: "Bytes",
    boxes: list[int],
    out: "Bytes",
    *,
    quotations: bool,
    cards: bool,
    appeals: bool,
) -> None:
    """Complete the code, formulas, callouts, headings and captions among the kept blocks; drop labels and boxes.

    Args:
        page: the page.
        text: its text.
        source: where its attributes are read.
        kept: which blocks are kept.
        excluded: which blocks stay out.
        boxes: the rows of code and callouts that are known by their class.
        out: a copy of `kept`, which is completed.
        quotations: keep short quotations too. Those of articles are content; the posts of a forum quote each other.
        cards: keep cards of other articles between the paragraphs of one.
        appeals: keep boxes that ask for something twice.
    """
    if _is_complete(kept):
        return
    rows = len(page.tag)
    marked, before, breaks = bytearray(rows), array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    for row in boxes:
        marked[row] = 1
    with cython.nogil:
        for row in range(rows):
            before[row + 1] = before[row] + (1 if page.block_of[row] >= 0 else 0)
        found = _mark_elements(page, quotations, before, breaks, marked)
    if found or boxes:
        _add_elements(page, kept, marked, before, out)
    _complete_headings(page, text, out)
    _drop_empty_sections(page, out)
    _add_captions(page, before, out)
    _drop_repeats(page, text, source, out)
    _drop_labels(page, text, out)
    _drop_boxes(page, text, source, out)
    if not cards:
        _drop_cards(page, out)
    if not appeals:
        _drop_appeals(page, text, out)
    _leave_excluded(out, excluded, kept)


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", quotations="bint", before="const int[::1]", marked="unsigned char[::1]",
    tag="unsigned char[::1]", end="int[::1]", pre="unsigned char[::1]", row="int", own="int", block="int",
    found="bint", breaks="int[::1]",
)  # fmt: skip
def _mark_elements(page: "Columns", quotations: bool, before: Any, breaks: Any, marked: Any) -> bool:  # noqa: ANN401, FBT001 (arrays; compiled)
    """Mark code blocks, displayed formulas and, if wanted, quotations; tell whether there are any.

    Code is a block if it has several lines, or is all of a block. `before` counts the text rows before each row.
    """
    tag, end, pre = page.tag, page.end, page.pre
    found = False
    for row in range(len(tag)):
        breaks[row + 1] = breaks[row] + (1 if tag[row] == _LINE_END and not pre[row] else 0)
    for row in range(len(tag)):
        own = tag[row]
        if own in (_CODE_TAG, _MATH_TAG):
            if before[end[row]] == before[row]:
                continue
            block = page.block_of[page.text_rows[before[row]]]
            if (page.start[block] >= row and page.stop[block] <= end[row]) or (
                own == _CODE_TAG and breaks[end[row]] > breaks[row]
            ):
                marked[row] = 1
                found = True
        elif own == _PRE_TAG or (quotations and own == _QUOTATION):
            marked[row] = 1
            found = True
    return found


@cython.cfunc
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", marked="const unsigned char[::1]",
    before="const int[::1]", out="unsigned char[::1]", end="int[::1]", block_of="int[::1]", rows="int", row="int",
    inside="int", chars="int", k="int", total="int[::1]", around="int[::1]", selected="int[::1]", most="double",
)  # fmt: skip
def _add_elements(page: "Columns", kept: "Bytes", marked: Any, before: Any, out: "Bytes") -> None:  # noqa: ANN401 (arrays)
    """Add the marked elements with kept text around them."""
    end, block_of = page.end, page.block_of
    rows = len(end)
    # Sums before each row: of the characters that are shown, of those around the elements, of those that are kept.
    total, around = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    selected = array("i", bytes(4 * rows + 4))
    with cython.nogil:
        inside = 0  # the end of the elements that are open
        for row in range(rows):
            if marked[row] and end[row] > inside:
                inside = end[row]
            chars = page.nonspace[row] if block_of[row] >= 0 else 0
            total[row + 1] = total[row] + chars
            if row < inside:
                chars = 0
            around[row + 1] = around[row] + chars
            selected[row + 1] = selected[row] + (chars if chars and kept[block_of[row]] else 0)
        for row in range(rows):
            if not marked[row]:
                continue
            most = _MAX_QUOTED_CHARS if page.tag[row] == _QUOTATION else _MAX_SHARE * total[rows]
            if total[end[row]] - total[row] > most and not _IS_PRE_TAG[page.tag[row]]:
                continue
            if _is_in_kept_text(page, row, around, selected):
                for k in range(before[row], before[end[row]]):
                    out[block_of[page.text_rows[k]]] = 1


@cython.cfunc
@cython.nogil
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", row="int", around="const int[::1]", selected="const int[::1]", level="int",
    end="int", chars="int", is_kept="bint",
)  # fmt: skip
def _is_in_kept_text(page: "Columns", row: int, around: Any, selected: Any) -> bool:  # noqa: ANN401 (arrays)
    """Tell whether half of the text around an element is kept: in the nearest element that has some."""
    for level in range(_MAX_LEVELS):  # noqa: B007 (typed)
        row = page.parent[row]
        end = page.end[row]
        chars = around[end] - around[row]
        if chars >= _MIN_CHARS or (chars and _IS_ENTRY[page.tag[row]]):
            is_kept: bool = selected[end] - selected[row] >= _MIN_SHARE * chars
            return is_kept
        if row <= page.body:
            break
    return False


@cython.cfunc
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]",
    parent="int[::1]", end="int[::1]", offset="int[::1]", count="int", block="int", stop="int", start="int",
    index="int", first_kept="int", total="int", selected="int", box="int", following="int", level="int",
    sums="int[::1]", headings="list", missing="list", alone="list", names="list", name="str",
)  # fmt: skip
def _complete_headings(page: "Columns", text: str, out: "Bytes") -> None:  # noqa: C901, PLR0912 (compiled)
    """Add the headings of sections that are kept, and drop those of links to share a text."""
    container, tag, parent, end, offset = page.container, page.tag, page.parent, page.end, page.offset
    count = len(container)
    headings: list[int] = []
    for block in range(count):
        if _IS_SECTION_HEADING[tag[container[block]]]:
            headings.append(block)  # noqa: PERF401 (compiled)
    if not headings:
        return
    sums = array("i", bytes(8 * (count + 1)))
    _sum_chars(page.block_chars, out, sums)
    missing: list[tuple[int, int]] = []  # the index of a heading above a section that is kept, and its first block
    alone: list[int] = []  # those that are kept with a section of which nothing is
    stop = count
    for index in range(len(headings) - 1, -1, -1):
        block = headings[index]
        start = block + 1
        total, selected = sums[2 * stop] - sums[2 * start], sums[2 * stop + 1] - sums[2 * start + 1]
        if out[block]:
            if total > 0 and selected == 0:
                alone.append(block)
        elif total >= _MIN_SECTION_CHARS and 2 * selected >= total:
            first_kept = start
            while first_kept < stop and not out[first_kept]:
                first_kept += 1
            if first_kept < stop and sums[2 * first_kept] - sums[2 * start] <= _MAX_LINE_CHARS:
                missing.append((index, first_kept))
        stop = block
    names: list[str] = []
    for block in headings if missing else []:
        box = container[block]
        name = text[offset[box] : offset[end[box]]] if offset[end[box]] - offset[box] < _MAX_NAME_CHARS else ""
        names.append(name.rpartition("Re:")[2].strip().casefold())  # without what an answer puts before it
    counts = Counter(names)
    for index, first_kept in missing:
        if counts[names[index]] > 1 or not names[index]:
            continue  # the posts of a thread repeat its title
        block = headings[index]
        box, following = container[block], page.text_rows[page.first[first_kept]]
        for level in range(_MAX_SECTION_LEVELS):  # noqa: B007 (typed)
            box = parent[box]
            if end[box] > following:
                out[block] = 1
                break
    for block in alone:
        box = container[block]
        if text[offset[box] : offset[end[box]]].strip(" :…\n\t").casefold() in _LINK_HEADINGS:
            out[block] = 0


@cython.cfunc
@cython.locals(
    page="Columns", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]", chars="int[::1]",
    count="int", block="int", level="int", has_heading="bint", has_text="bint", sums="int[::1]",
    left="unsigned char[::1]", empty="int[::1]", empty_count="int", ends="int[::1]", counts="int[::1]", stop="int",
    k="int",
)  # fmt: skip
def _drop_empty_sections(page: "Columns", out: "Bytes") -> None:  # noqa: C901 (compiled)
    """Drop headings below the first level whose section has text, none of which is kept; not three of one level.

    Three are a list. Of 310 such headings on six corpora (every third page of WCXB dev), 208 are not in the gold
    text; of those that are, most are the names of products or articles, in such lists.
    """
    container, tag, chars = page.container, page.tag, page.block_chars
    count = len(container)
    has_heading = has_text = False
    for block in range(count):
        if out[block]:
            level = _LEVELS_OF_TAG[tag[container[block]]]
            has_heading = has_heading or level > 0
            has_text = has_text or level == 0
    if not has_heading or not has_text:
        return
    sums, left, empty = array("i", bytes(4 * (count + 1))), bytearray(out), array("i", bytes(4 * count))
    for block in range(count):
        sums[block + 1] = sums[block] + (0 if _LEVELS_OF_TAG[tag[container[block]]] else chars[block])
    ends = array("i", [count] * 8)  # by level: where the section ends that is open
    counts = array("i", [0] * 8)
    empty_count = 0
    for block in range(count - 1, -1, -1):
        level = _LEVELS_OF_TAG[tag[container[block]]]
        if not level:
            continue
        stop = ends[level]
        for k in range(level, 8):
            ends[k] = block
        if not left[block] or level == 1 or sums[stop] == sums[block + 1]:
            continue
        k = block + 1
        while k < stop and not left[k]:
            k += 1
        if k == stop:
            empty[empty_count] = block
            empty_count += 1
            counts[level] += 1
            left[block] = 0
    for k in range(empty_count):
        if counts[_LEVELS_OF_TAG[tag[container[empty[k]]]]] < _MIN_LISTED:
            out[empty[k]] = 0


@cython.cfunc
@cython.locals(
    page="Columns", before="const int[::1]", out="unsigned char[::1]", tag="unsigned char[::1]", parent="int[::1]",
    end="int[::1]", row="int", box="int", own="int", k="int", count="int", selected="int", kept="int[::1]",
    size="int",
)  # fmt: skip
def _add_captions(page: "Columns", before: Any, out: "Bytes") -> None:  # noqa: ANN401 (an array)
    """Add the captions of tables, and the sources below quotations, of which half is kept."""
    tag, parent, end = page.tag, page.parent, page.end
    if (
        page.tag_first[_CAPTION] == page.tag_first[_CAPTION + 1]
        and page.tag_first[_QUOTATION] == page.tag_first[_QUOTATION + 1]
    ):
        return
    size = len(page.text_rows)
    kept = array("i", bytes(4 * (size + 1)))
    for k in range(size):
        kept[k + 1] = kept[k] + (1 if out[page.block_of[page.text_rows[k]]] else 0)
    for row in range(1, len(tag)):
        own, box = tag[row], parent[row]
        if own != _CAPTION and (own not in (_FOOTER, _CITE) or tag[box] != _QUOTATION):
            continue
        count = before[row] - before[box] + before[end[box]] - before[end[row]]
        selected = kept[before[row]] - kept[before[box]] + kept[before[end[box]]] - kept[before[end[row]]]
        if count and 2 * selected >= count:
            for k in range(before[row], before[end[row]]):
                out[page.block_of[page.text_rows[k]]] = 1


@cython.cfunc
@cython.returns("str")
@cython.locals(page="Columns", text="str", block="int")
def _block_text(page: "Columns", text: str, block: int) -> str:
    """Return the text of a block with its white space collapsed."""
    return " ".join(text[page.offset[page.start[block]] : page.offset[page.stop[block]]].split())


@cython.cfunc
@cython.locals(
    page="Columns", text="str", source="object", out="unsigned char[::1]", container="int[::1]", start="int[::1]",
    tag="unsigned char[::1]", pre="unsigned char[::1]", chars="int[::1]", before="int", block="int", first="int",
    second="int", is_alike="bint",
)  # fmt: skip
def _drop_repeats(page: "Columns", text: str, source: Any, out: "Bytes") -> None:  # noqa: ANN401
    """Drop kept blocks that repeat the kept block before them: copies for other sizes of the screen.

    Cells, items and code may repeat. So may siblings with the same class: their author repeats himself.
    """
    container, start, tag, pre, chars = page.container, page.start, page.tag, page.pre, page.block_chars
    before = -1
    for block in range(len(container)):
        if not out[block]:
            continue
        if (
            before >= 0
            and chars[block] == chars[before]
            and chars[block] >= _MIN_REPEATED_CHARS
            and not _IS_ENTRY[tag[container[block]]]
            and not pre[start[block]]
        ):
            first, second = container[before], container[block]
            is_alike = page.parent[first] == page.parent[second] and source.all(first).get("class") == source.all(
                second
            ).get("class")
            if not is_alike and _block_text(page, text, before) == _block_text(page, text, block):
                out[block] = 0
        before = block


@cython.cfunc
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", chars="int[::1]", first="int", last="int", block="int",
    longest="int", size="int", box="int", k="int", label="str",
)  # fmt: skip
def _drop_labels(page: "Columns", text: str, out: "Bytes") -> None:  # noqa: C901 (compiled)
    """Drop labels of links and forms, and those of advertisements with the short element that begins with one.

    They are looked for from the block before the first kept one to the last.
    """
    chars = page.block_chars
    first, last, longest = -1, -1, len(_MAY_BE_LABEL)
    for block in range(len(chars)):
        if out[block]:
            if first < 0:
                first = block
            last = block
    for block in range(max(0, first - 1), last + 1):
        if chars[block] >= longest or not _MAY_BE_LABEL[chars[block]]:
            continue
        label = "".join(text[page.offset[page.start[block]] : page.offset[page.stop[block]]].split())
        label = label.casefold().strip(_LABEL_SIGNS)
        if label not in _LABELS:
            continue
        out[block] = 0
        if label not in _AD_LABELS:
            continue
        box = page.container[block]
        while box > 0 and page.last_block[box] - page.first_block[box] == 1:
            box = page.parent[box]
        if page.first_block[box] != block or _IS_LAYOUT[page.tag[box]]:
            continue
        size = 0
        for k in range(block, page.last_block[box]):
            size += chars[k]
        for k in range(block, page.last_block[box] if size <= _MAX_AD_CHARS else block):
            out[k] = 0


@cython.cfunc
@cython.locals(
    page="Columns", text="str", source="object", out="unsigned char[::1]", fields="list", controls="int",
    asking="list", often="list", boxes="list", around="list", same="list", texts="dict", row="int", box="int",
    count="int", k="int", block="int", sums="int[::1]", controls_before="int[::1]", rows="int",
)  # fmt: skip
def _drop_boxes(page: "Columns", text: str, source: Any, out: "Bytes") -> None:  # noqa: ANN401, C901 (compiled)
    """Drop boxes that ask for an address, and notices that stand beside a control again and again.

    These are newsletters, and placeholders for embedded content without consent. They are found without words.
    """
    fields = [page.tag_rows[k] for k in range(page.tag_first[_INPUT], page.tag_first[_INPUT + 1])]
    controls = len(fields) + page.tag_first[_BUTTON + 1] - page.tag_first[_BUTTON]
    if not controls:
        return
    asking = [
        row
        for row, (kind, name) in zip(fields, source.table(fields, ("type", "name")), strict=True)
        if (kind and kind.lower() == "email") or (name and "email" in name.lower())
    ]
    often: list[int] = (
        _find_equal_blocks(page, text, _MAX_BOX_CHARS, _MIN_NOTICES) if controls >= _MIN_NOTICES else []
    )
    if not asking and not often:
        return
    rows, count = len(page.tag), len(page.block_chars)
    sums, controls_before = array("i", bytes(4 * (count + 1))), array("i", bytes(4 * (rows + 1)))
    for block in range(count):
        sums[block + 1] = sums[block] + page.block_chars[block]
    for row in range(rows):
        controls_before[row + 1] = controls_before[row] + (
            1 if page.tag[row] == _INPUT or page.tag[row] == _BUTTON else 0
        )
    boxes = [_box_around(page, row, sums, controls_before, False) for row in asking]  # noqa: FBT003 (compiled)
    texts: dict[str, list[int]] = {}
    for block in often:
        texts.setdefault(_block_text(page, text, block), []).append(block)
    for same in texts.values():
        around = [_box_around(page, page.container[block], sums, controls_before, True) for block in same]  # noqa: FBT003
        if len(same) >= _MIN_NOTICES and all(around):
            boxes += around
    for box in boxes:
        if box:
            for block in range(page.first_block[box], page.last_block[box]):
                out[block] = 0


@cython.cfunc
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", row="int", sums="const int[::1]", controls_before="const int[::1]", smallest="bint", box="int",
)  # fmt: skip
def _box_around(page: "Columns", row: int, sums: Any, controls_before: Any, smallest: bool) -> int:  # noqa: ANN401, FBT001
    """Return the largest small element with a control around a row, or the smallest one; 0 if there is none."""
    box = 0
    while (
        row > 0
        and not _IS_NO_BOX[page.tag[row]]
        and sums[page.last_block[row]] - sums[page.first_block[row]] <= _MAX_BOX_CHARS
    ):
        if controls_before[page.end[row]] > controls_before[row]:
            box = row
            if smallest:
                break
        row = page.parent[row]
    return box


@cython.cfunc
@cython.returns("list")
@cython.locals(
    page="Columns", text="str", longest="int", minimum="int", chars="int[::1]", start="int[::1]", stop="int[::1]",
    offset="int[::1]", count="int", block="int", k="int", of_length="int[::1]", key="unsigned long long",
    key_of="dict",
)  # fmt: skip
def _find_equal_blocks(page: "Columns", text: str, longest: int, minimum: int) -> list[int]:
    """Return the blocks, of a notice's length or more, of which `minimum` have the same characters.

    White space does not count.
    """
    start, stop, offset, chars = page.start, page.stop, page.offset, page.block_chars
    count = len(chars)
    of_length = array("i", bytes(4 * (longest + 1)))
    for block in range(count):
        if _MIN_NOTICE_CHARS <= chars[block] <= longest:
            of_length[chars[block]] += 1
    key_of: dict[int, list[int]] = {}
    for block in range(count):
        if _MIN_NOTICE_CHARS <= chars[block] <= longest and of_length[chars[block]] >= minimum:
            key = _HASH_SEED
            for k in range(offset[start[block]], offset[stop[block]]):
                if not text[k].isspace():
                    key = ((key ^ ord(text[k])) * _HASH_PRIME) & _HASH_MASK
            key_of.setdefault(int(key), []).append(int(block))
    return sorted([block for same in key_of.values() if len(same) >= minimum for block in same])


#: Of an appeal: a box of several blocks that ends with its only link or button. Most of its text stands elsewhere in
#: such a box.
_MAX_APPEAL_CHARS: Final = 1000
_MIN_COPIED_SHARE: Final = 0.75
_MIN_APPEAL_BLOCKS: Final = 2
_MIN_BUTTON_SHARE: Final = 0.9  #: of the last block that is in the link


@cython.cfunc
@cython.locals(
    page="Columns", text="str", out="unsigned char[::1]", copied="list", is_copied="unsigned char[::1]",
    sums="int[::1]", controls="int[::1]", count="int", rows="int", row="int", box="int", size="int", block="int",
    found="bint", boxes="dict", same="set",
)  # fmt: skip
def _drop_appeals(page: "Columns", text: str, out: "Bytes") -> None:  # noqa: C901 (compiled)
    """Drop boxes that end with their only link or button, and most of whose text stands in another such box.

    These ask for donations or a subscription, once in the article and once below it. On ten corpora they are rare: 74
    kept words on one page, none of them gold. Of texts that stand twice beside a link, without these conditions, nine
    tenths are.
    """
    copied = _find_equal_blocks(page, text, _MAX_APPEAL_CHARS, 2)
    count, rows, found = len(out), len(page.tag), False
    is_copied: Any = bytearray(count)
    for block in copied:
        is_copied[block] = 1
        found = found or out[block] != 0
    if not found:
        return
    sums, controls = array("i", bytes(8 * (count + 1))), array("i", bytes(4 * (rows + 1)))
    _sum_chars(page.block_chars, is_copied, sums)
    for row in range(rows):
        controls[row + 1] = controls[row] + (1 if page.tag[row] in (_LINK_TAG, _BUTTON) else 0)
    boxes: dict[str, set[int]] = {}
    for block in copied:
        row, box = page.container[block], 0
        while row > 0 and not _IS_NO_BOX[page.tag[row]]:
            size = sums[2 * page.last_block[row]] - sums[2 * page.first_block[row]]
            if (
                size > _MAX_APPEAL_CHARS
                or sums[2 * page.last_block[row] + 1] - sums[2 * page.first_block[row] + 1] < _MIN_COPIED_SHARE * size
            ):
                break
            box, row = row, page.parent[row]
        if _ends_with_control(page, text, box, controls):
            boxes.setdefault(_block_text(page, text, block), set()).add(int(box))
    for same in boxes.values():
        for box in same if len(same) > 1 else ():
            for block in range(page.first_block[box], page.last_block[box]):
                out[block] = 0


@cython.cfunc
@cython.returns("bint")
@cython.locals(
    page="Columns", text="str", box="int", controls="const int[::1]", row="int", start="int", whole="int",
    own="int", is_last="bint",
)  # fmt: skip
def _ends_with_control(page: "Columns", text: str, box: int, controls: Any) -> bool:  # noqa: ANN401 (an array)
    """Tell whether the last of several blocks of an element is the only link or button in it."""
    if (
        not box
        or controls[page.end[box]] - controls[box] != 1
        or page.last_block[box] - page.first_block[box] < _MIN_APPEAL_BLOCKS
    ):
        return False
    row = box
    while controls[row + 1] == controls[box]:
        row += 1
    start = page.offset[page.start[page.last_block[box] - 1]]
    whole = len("".join(text[start : page.offset[page.end[box]]].split()))
    own = len("".join(text[page.offset[row] : page.offset[page.end[row]]].split()))
    is_last: bool = page.offset[row] >= start and own >= _MIN_BUTTON_SHARE * whole
    return is_last


@cython.cfunc
@cython.locals(
    page="Columns", chars="int[::1]", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]",
    parent="int[::1]", end="int[::1]", link="unsigned char[::1]", first_block="int[::1]", last_block="int[::1]",
    nonspace="int[::1]", count="int", rows="int", members="int[::1]", first="int[::1]", last="int[::1]",
    is_article="bint", block="int", heading_block="int", row="int", box="int", shown="int", linked="int", k="int",
    size="int",
)  # fmt: skip
def _drop_cards(page: "Columns", out: "Bytes") -> None:  # noqa: C901, PLR0912 (loops over blocks and levels, compiled)
    """Drop boxes with a heading that is a link, between the paragraphs of an article: they lead to other articles."""
    chars = page.block_chars
    container, tag, parent, end, link = page.container, page.tag, page.parent, page.end, page.link
    first_block, last_block, nonspace = page.first_block, page.last_block, page.nonspace
    count, rows = len(container), len(parent)
    members, first, last = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    is_article = False
    for block in range(count):
        row = container[block]
        if out[block] and tag[row] == _PARAGRAPH and chars[block] >= _MIN_PARAGRAPH_CHARS:
            box = parent[row]
            if not members[box]:
                first[box] = block
            last[box] = block
            members[box] += 1
            is_article = is_article or members[box] >= _MIN_PARAGRAPHS
    if not is_article:
        return
    for heading_block in range(count):
        row = container[heading_block]
        if not _IS_ANY_HEADING[tag[row]] or parent[row] <= 0:
            continue
        if heading_block and container[heading_block - 1] == row:
            continue  # a heading of several lines
        shown = linked = 0
        for k in range(row, end[row]):
            shown += nonspace[k]
            if link[k]:
                linked += nonspace[k]
        if not linked or linked < _LINKED * shown:
            continue
        for _ in range(_MAX_CARD_LEVELS):
            box = parent[row]
            if members[box] >= _MIN_PARAGRAPHS and first[box] < first_block[row] and last_block[row] <= last[box]:
                if _IS_CARD[tag[row]]:
                    for block in range(first_block[row], last_block[row]):
                        out[block] = 0
                break
            row = box
            if row <= 0 or _IS_NO_CARD[tag[row]]:
                break
            size = 0
            for block in range(first_block[row], last_block[row]):
                size += chars[block]
                if size > _MAX_CARD_CHARS:
                    break
            if size > _MAX_CARD_CHARS:
                break


@cython.ccall
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", probs="const double[::1]", reasons="const unsigned char[::1]",
    mask="unsigned char[::1]", score="double[::1]", reason="unsigned char[::1]", text_rows="int[::1]",
    block_of="int[::1]", k="int", row="int", block="int",
)  # fmt: skip
def fill_rows(
    page: "Columns",
    kept: "Bytes",
    probs: "NDArray[float64]",
    reasons: "Bytes",
    mask: "Bytes",
    score: "NDArray[float64]",
    reason: "Bytes",
) -> None:
    """Give each text row whether its block is kept, the probability of its block, and the reason.

    Args:
        page: the page.
        kept: which blocks are kept.
        probs: the probability of each block.
        reasons: the reason of each block.
        mask: filled with `kept`.
        score: filled with `probs`.
        reason: filled with `reasons`.
    """
    text_rows, block_of = page.text_rows, page.block_of
    for k in range(len(text_rows)):
        row = text_rows[k]
        block = block_of[row]
        mask[row] = kept[block]
        score[row] = probs[block]
        reason[row] = reasons[block]
