"""Fill the columns of the feature matrix that describe the ancestors of each block, level by level.

A *branch point* is an element that contains fewer blocks than its parent. The levels of a block are the branch points
above it, from the innermost outwards: wrappers that add no block are skipped, so the same content has the same
features however deep it is wrapped.

Compiled as ``_levels`` where there is a compiler; import from `tamis._kernels.loader`.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float32, int32, uint8
    from numpy.typing import NDArray

    Ints = NDArray[int32]
    Floats = NDArray[float32]
    Bytes = NDArray[uint8]

LEVELS: Final = 5  #: levels of branch points above each block
_IS_PARAGRAPH: Final = tags.tag_mask("p blockquote pre").tobytes()
#: Elements that draw nothing. They are not counted: a script among paragraphs changes no feature.
_DRAWS_NOTHING: Final = tags.tag_mask("script style template link meta base").tobytes()


class LevelColumns:
    """The columns that `fill_levels` fills, looked up by their names: those of level 0. The other levels follow."""

    def __init__(self, column: Mapping[str, int]) -> None:
        self.size = column["size@0"]
        self.blocks = column["blocks@0"]
        self.mean_size = column["mean_size@0"]
        self.density = column["density@0"]
        self.similar_siblings = column["similar_siblings@0"]
        self.share_of_page = column["share_of_page@0"]
        self.link_share = column["link_share@0"]
        self.stop_rate = column["stop_rate@0"]
        self.position = column["position@0"]
        self.paragraph_share = column["paragraph_share@0"]


class ProseColumns:
    """The columns that `fill_prose` fills, looked up by their names in the feature schema."""

    def __init__(self, column: Mapping[str, int]) -> None:
        self.blocks_before_prose = column["blocks_before_prose"]
        self.blocks_after_prose = column["blocks_after_prose"]
        self.in_prose = column["in_prose"]
        self.levels_to_prose = column["levels_to_prose"]
        self.prose_share = column["prose_share"]


def block_ranges(start: "Ints", end: "Ints", node_type: "Bytes") -> tuple[Any, Any, Any]:
    """Return which blocks begin in each row's subtree, as ranges, and which rows are elements with any.

    Row r contains the blocks ``first_block[r] : last_block[r]``. `first_block` has one entry more than there are
    rows: the number of blocks.

    >>> import numpy as np
    >>> start, end = np.array([2], dtype=np.int32), np.array([3, 3, 3], dtype=np.int32)
    >>> [list(column) for column in block_ranges(start, end, np.array([0, 1, 2], dtype=np.uint8))]
    [[0, 0, 0, 1], [1, 1, 1], [0, 1, 0]]
    """
    rows, count = len(end), len(start)
    first_block, last_block = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows))
    has_blocks = bytearray(rows)
    block = 0
    for row in range(rows):
        first_block[row] = block
        if block < count and start[block] == row:  # no two blocks begin at one row
            block += 1
    first_block[rows] = block
    for row in range(rows):
        last_block[row] = first_block[end[row]]
        has_blocks[row] = 1 if node_type[row] == 1 and last_block[row] > first_block[row] else 0
    return first_block, last_block, has_blocks


def find_branch_points(
    parent: "Ints", end: "Ints", first_block: "Ints", node_type: "Bytes", tag: "Bytes", body: int
) -> tuple[Any, Any, Any]:
    """Return the innermost branch point at or above each row, which rows are one, and the elements before each row.

    The body is always a branch point; rows below no other belong to it. Elements that draw nothing are not counted.
    """
    rows = len(parent)
    branch_point, elements_before = array("i", bytes(4 * rows)), array("i", bytes(4 * rows + 4))
    is_branch_point = bytearray(rows)
    for row in range(rows):
        elements_before[row + 1] = elements_before[row] + (
            1 if node_type[row] == 1 and not _DRAWS_NOTHING[tag[row]] else 0
        )
        if row <= body:
            branch_point[row] = body
            is_branch_point[row] = row == body
            continue
        above = parent[row]
        blocks = first_block[end[row]] - first_block[row]
        if node_type[row] == 1 and blocks > 0 and first_block[end[above]] - first_block[above] > blocks:
            branch_point[row] = row
            is_branch_point[row] = 1
        else:
            branch_point[row] = branch_point[above] if above > body else body
    return branch_point, is_branch_point, elements_before


def fill_levels(
    out: "Floats",
    columns: LevelColumns,
    container: "Ints",
    rows: tuple[Any, ...],
    branch_points: tuple[Any, ...],
    block_stats: tuple[Any, ...],
    body: int,
) -> Any:  # noqa: ANN401 (an array)
    """Fill in the totals of the branch points above each block; return their rows, levels by blocks.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        container: the container of each block.
        rows: tag, parent, end and first block of the rows, and the elements before each.
        branch_points: the branch point of each row, and how many similar siblings each has.
        block_stats: size, non-space characters, those in links and sentence ends of the blocks.
        body: the row of the body, the highest level.
    """
    tag, parent, end, first_block, elements_before = rows
    branch_point, similar_siblings = branch_points
    size_of, nonspace_of, linked_of, stops_of = block_stats
    count = len(container)
    sums = array("d", bytes(8 * 5 * (count + 1)))  # prefix sums: five numbers before each block
    for block in range(count):
        k = 5 * block
        sums[k + 5] = sums[k] + float(size_of[block])
        sums[k + 6] = sums[k + 1] + float(nonspace_of[block])
        sums[k + 7] = sums[k + 2] + float(linked_of[block])
        sums[k + 8] = sums[k + 3] + float(stops_of[block])
        sums[k + 9] = sums[k + 4] + (float(size_of[block]) if _IS_PARAGRAPH[tag[container[block]]] else 0.0)
    level_rows = array("i", bytes(4 * LEVELS * count))
    total = max(sums[5 * count], 1.0)
    for block in range(count):
        row = branch_point[container[block]]
        for level in range(LEVELS):
            if level:
                above = parent[row]
                row = branch_point[max(body, above)]
            level_rows[level * count + block] = row
            first, last = first_block[row], first_block[end[row]]
            blocks = last - first if last > first else 1
            low, high = 5 * first, 5 * last
            size = sums[high] - sums[low]
            nonspace = sums[high + 1] - sums[low + 1]
            linked = sums[high + 2] - sums[low + 2]
            stops = sums[high + 3] - sums[low + 3]
            paragraphs = sums[high + 4] - sums[low + 4]
            elements = elements_before[end[row]] - elements_before[row]
            out[columns.size + level, block] = size
            out[columns.blocks + level, block] = blocks
            out[columns.mean_size + level, block] = size / blocks
            out[columns.density + level, block] = nonspace / (max(1, elements))
            out[columns.similar_siblings + level, block] = similar_siblings[row]
            out[columns.share_of_page + level, block] = size / total
            out[columns.link_share + level, block] = linked / max(nonspace, 1.0)
            out[columns.stop_rate + level, block] = stops / (size + 1)
            out[columns.position + level, block] = (block - first) / (blocks + 0.0)
            out[columns.paragraph_share + level, block] = paragraphs / max(size, 1.0)
    return level_rows


def fill_prose(
    out: "Floats",
    columns: ProseColumns,
    level_rows: "Ints",
    rows: tuple["Ints", "Ints"],
    block_stats: tuple[Any, ...],
) -> None:
    """Fill in where each block is relative to the element with the most prose.

    That element is found as article readers do it: each block with a sentence end adds its size outside links to the
    score of its branch point at level 1, and half of that to the one at level 2. The highest score wins.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        level_rows: the branch points above each block, as `fill_levels` returned them.
        rows: end and first block of the rows.
        block_stats: size, non-space characters, those in links and sentence ends of the blocks.
    """
    end, first_block = rows
    size_of, nonspace_of, linked_of, stops_of = block_stats
    count = len(size_of)
    score = array("d", bytes(8 * len(end)))
    prose = array("d", bytes(8 * count))
    total = share = highest = 0.0
    main = level_rows[count]
    for block in range(count):
        if stops_of[block] > 0:
            prose[block] = float(size_of[block]) * (1.0 - float(linked_of[block] / nonspace_of[block]))
            total += prose[block]
            score[level_rows[count + block]] += prose[block]
            score[level_rows[2 * count + block]] += 0.5 * prose[block]
    for k in range(count, 3 * count):
        row = level_rows[k]
        if score[row] > highest or (score[row] == highest and row < main):
            highest = score[row]
            main = row
    first, last, stop = first_block[main], first_block[end[main]], end[main]
    for block in range(first, last):
        share += prose[block]
    share /= max(total, 1.0)
    for block in range(count):
        level = 0
        while level < LEVELS:
            row = level_rows[level * count + block]
            if row <= main and end[row] >= stop:
                break
            level += 1
        out[columns.blocks_before_prose, block] = first - block if first > block else 0
        out[columns.blocks_after_prose, block] = block - last + 1 if block >= last else 0
        out[columns.in_prose, block] = first <= block < last
        out[columns.levels_to_prose, block] = level
        out[columns.prose_share, block] = share
