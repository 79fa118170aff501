"""The features of the elements above each block, and of the element with the most prose.

A *branch point* is an element that contains fewer blocks than its parent. The levels of a block are the branch points
above it, from the innermost outwards: wrappers that add no block are skipped, so the same content has the same
features however deep it is wrapped.
"""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Floats = NDArray[float32]

cython.declare(LEVELS="int", _ELEMENT="int", _IS_PARAGRAPH="bytes", _DRAWS_NOTHING="bytes")

_ELEMENT: Final = enums.ELEMENT
LEVELS: Final = 5  #: levels of branch points above each block
_IS_PARAGRAPH: Final = tags.tag_mask("p blockquote pre").tobytes()
#: Elements that draw nothing. They are not counted: a script among paragraphs changes no feature.
_DRAWS_NOTHING: Final = tags.tag_mask("script style template link meta base").tobytes()


@cython.cclass
class _BlockSums:
    """What is summed for each block: its size, its characters without white space, those in links, sentence ends."""

    size = cython.declare("float[::1]", visibility="readonly")
    nonspace = cython.declare("float[::1]", visibility="readonly")
    linked = cython.declare("float[::1]", visibility="readonly")
    stops = cython.declare("float[::1]", visibility="readonly")
    heading_level = cython.declare("unsigned char[::1]", visibility="readonly")

    def __init__(self, count: int) -> None:
        self.size, self.nonspace = array("f", bytes(4 * count)), array("f", bytes(4 * count))
        self.linked, self.stops = array("f", bytes(4 * count)), array("f", bytes(4 * count))
        self.heading_level = bytearray(count)  # 1 to 6 for headings, else 0


@cython.cclass
class LevelColumns:
    """The columns that `fill_levels` fills, looked up by their names: those of level 0. The other levels follow."""

    size = cython.declare("int", visibility="readonly")
    blocks = cython.declare("int", visibility="readonly")
    mean_size = cython.declare("int", visibility="readonly")
    density = cython.declare("int", visibility="readonly")
    similar_siblings = cython.declare("int", visibility="readonly")
    share_of_page = cython.declare("int", visibility="readonly")
    link_share = cython.declare("int", visibility="readonly")
    stop_rate = cython.declare("int", visibility="readonly")
    position = cython.declare("int", visibility="readonly")
    paragraph_share = cython.declare("int", visibility="readonly")

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


@cython.cclass
class ProseColumns:
    """The columns that `fill_prose` fills, looked up by their names in the feature schema."""

    blocks_before_prose = cython.declare("int", visibility="readonly")
    blocks_after_prose = cython.declare("int", visibility="readonly")
    in_prose = cython.declare("int", visibility="readonly")
    levels_to_prose = cython.declare("int", visibility="readonly")
    prose_share = cython.declare("int", visibility="readonly")

    def __init__(self, column: Mapping[str, int]) -> None:
        self.blocks_before_prose = column["blocks_before_prose"]
        self.blocks_after_prose = column["blocks_after_prose"]
        self.in_prose = column["in_prose"]
        self.levels_to_prose = column["levels_to_prose"]
        self.prose_share = column["prose_share"]


@cython.cclass
class _Levels:
    """The branch points of a page, and the elements before each of its rows.

    Attributes:
        branch_point: the innermost branch point at or above each row.
        is_branch_point: which rows are one.
        count: how many are.
        elements_before: the elements before each row. Those that draw nothing are not counted.
        similar_siblings: how many siblings of each branch point are one and have its tag and class.
        rows: the branch points above each block, levels by blocks.
    """

    branch_point = cython.declare("int[::1]", visibility="readonly")
    is_branch_point = cython.declare("unsigned char[::1]", visibility="readonly")
    count = cython.declare("int", visibility="readonly")
    elements_before = cython.declare("int[::1]", visibility="readonly")
    similar_siblings = cython.declare("int[::1]", visibility="readonly")
    rows = cython.declare("int[::1]", visibility="readonly")

    def __init__(self, rows: int, blocks: int) -> None:
        self.branch_point, self.elements_before = array("i", bytes(4 * rows)), array("i", bytes(4 * rows + 4))
        self.is_branch_point, self.similar_siblings = bytearray(rows), array("i", bytes(4 * rows))
        self.rows, self.count = array("i", bytes(4 * LEVELS * blocks)), 0


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", body="int", levels="_Levels", parent="int[::1]", end="int[::1]", first_block="int[::1]",
    node_type="unsigned char[::1]", tag="unsigned char[::1]", rows="int", row="int", above="int", blocks="int",
    branch_point="int[::1]", elements_before="int[::1]", is_branch_point="unsigned char[::1]",
)  # fmt: skip
def _find_branch_points(page: "Columns", body: int, levels: _Levels) -> None:
    """Find the branch points. The body always is one; rows below no other belong to it."""
    branch_point, elements_before, is_branch_point = (
        levels.branch_point, levels.elements_before, levels.is_branch_point
    )  # fmt: skip
    parent, end, first_block, node_type, tag = page.parent, page.end, page.first_block, page.node_type, page.tag
    rows = len(parent)
    for row in range(rows):
        elements_before[row + 1] = elements_before[row] + (
            1 if node_type[row] == _ELEMENT and not _DRAWS_NOTHING[tag[row]] else 0
        )
        if row <= body:
            branch_point[row] = body
            if row == body:
                is_branch_point[row] = 1
                levels.count += 1
            continue
        above = parent[row]
        blocks = first_block[end[row]] - first_block[row]
        if node_type[row] == _ELEMENT and blocks > 0 and first_block[end[above]] - first_block[above] > blocks:
            branch_point[row] = row
            is_branch_point[row] = 1
            levels.count += 1
        else:
            branch_point[row] = branch_point[above] if above > body else body


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="LevelColumns", page="Columns", levels="_Levels", of_block="_BlockSums", body="int",
    sums="double[::1]", branch_point="int[::1]", elements_before="int[::1]", similar_siblings="int[::1]",
    tag="unsigned char[::1]", parent="int[::1]", end="int[::1]", first_block="int[::1]", container="int[::1]",
    size_of="float[::1]", nonspace_of="float[::1]", linked_of="float[::1]", stops_of="float[::1]", count="int",
    block="int", k="int", level_rows="int[::1]", total="double", row="int", level="int", above="int", first="int",
    last="int", blocks="int", low="int", high="int", size="double", nonspace="double", linked="double",
    stops="double", paragraphs="double", elements="int",
)  # fmt: skip
def _fill_levels(
    out: "Floats",
    columns: LevelColumns,
    page: "Columns",
    levels: _Levels,
    of_block: _BlockSums,
    sums: Any,  # noqa: ANN401 (an array)
    body: int,
) -> None:
    """Fill in the totals of the branch points above each block, and find their rows.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        page: the page.
        levels: the branch points.
        of_block: the sums of the blocks.
        sums: room for five numbers before each block.
        body: the row of the body, the highest level.
    """
    tag, parent, end, first_block, container = page.tag, page.parent, page.end, page.first_block, page.container
    branch_point, elements_before, similar_siblings, level_rows = (
        levels.branch_point, levels.elements_before, levels.similar_siblings, levels.rows
    )  # fmt: skip
    size_of, nonspace_of, linked_of, stops_of = of_block.size, of_block.nonspace, of_block.linked, of_block.stops
    count = len(container)
    for block in range(count):
        k = 5 * block
        sums[k + 5] = sums[k] + float(size_of[block])
        sums[k + 6] = sums[k + 1] + float(nonspace_of[block])
        sums[k + 7] = sums[k + 2] + float(linked_of[block])
        sums[k + 8] = sums[k + 3] + float(stops_of[block])
        sums[k + 9] = sums[k + 4] + (float(size_of[block]) if _IS_PARAGRAPH[tag[container[block]]] else 0.0)
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


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    out="float[:, ::1]", columns="ProseColumns", page="Columns", levels="_Levels", sums="_BlockSums",
    level_rows="int[::1]", end="int[::1]", first_block="int[::1]", size_of="float[::1]", nonspace_of="float[::1]",
    linked_of="float[::1]", stops_of="float[::1]", count="int", score="double[::1]", prose="double[::1]",
    total="double", share="double", highest="double", main="int", block="int", k="int", row="int", first="int",
    last="int", stop="int", level="int",
)  # fmt: skip
def _fill_prose(
    out: "Floats",
    columns: ProseColumns,
    page: "Columns",
    levels: _Levels,
    sums: _BlockSums,
    score: Any,  # noqa: ANN401 (arrays)
    prose: Any,  # noqa: ANN401
) -> None:
    """Fill in where each block is relative to the element with the most prose.

    That element is found as article readers do it: each block with a sentence end adds its size outside links to the
    score of its branch point at level 1, and half of that to the one at level 2. The highest score wins.

    Args:
        out: the feature matrix, transposed.
        columns: the columns to fill.
        page: the page.
        levels: the branch points above each block.
        sums: the sums of the blocks.
        score: room for a number of each row, zero before.
        prose: the same for each block.
    """
    end, first_block, level_rows = page.end, page.first_block, levels.rows
    size_of, nonspace_of, linked_of, stops_of = sums.size, sums.nonspace, sums.linked, sums.stops
    count = len(size_of)
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
