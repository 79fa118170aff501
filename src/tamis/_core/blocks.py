"""Loops over the text runs of a page: counting their characters, cutting them into blocks."""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis._core.shadow import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, is_space
from tamis._core.text import first_visible, last_visible
from tamis.html import characters, tags

if TYPE_CHECKING:
    from numpy import int32, uint8
    from numpy.typing import NDArray

    Ints = NDArray[int32]
    Bytes = NDArray[uint8]
    from numpy import uint8

cython.declare(
    _ELEMENT_KIND="int", _BR="int", _TEXT="int", _CLASS_COUNT="int", _OTHER="int", _SPACE="int", _LETTER="int",
    _WIDE_CLASS="int", _SYMBOL_CLASS="int", _DOLLAR="unsigned int", _POUND="unsigned int", _YEN="unsigned int",
    _RUPEE="unsigned int", _EURO="unsigned int", _BMP_SIZE="unsigned int", _IDEOGRAPHS="unsigned int",
    _TAGS="unsigned int", _EMOJI_FIRST="unsigned int", _EMOJI_LAST="unsigned int", _STOP_CLASS="int",
    _PROSE_COLUMNS="int", _TAG_NUMBERS="int", _TABLE_FLAG="int", _CELL_FLAG="int", _ROW_FLAG="int",
    _STRUCTURE_FLAG="int", _LAYOUT_FLAG="int", _PRE_FLAG="int", _EMPTY_FLAG="int",
)  # fmt: skip

_BR: Final = tags.IDS["br"]
_TEXT: Final = enums.TEXT
_ELEMENT_KIND: Final = enums.ELEMENT
_TAG_NUMBERS: Final = len(tags.NAMES)
_BODIES: Final = tuple(tags.IDS[name] for name in ("body", "frameset", "html"))
_CLASS_COUNT, _OTHER, _SPACE, _LETTER, _WIDE_CLASS, _SYMBOL_CLASS = (
    characters.CLASSES,
    characters.OTHER,
    characters.SPACE,
    characters.LETTER,
    characters.WIDE,
    characters.SYMBOL,
)
_BMP_SIZE, _IDEOGRAPHS, _TAGS = characters.BMP_SIZE, characters.IDEOGRAPHS, characters.TAGS
_EMOJI_FIRST, _EMOJI_LAST = characters.EMOJI
_STOP_CLASS: Final = characters.STOP
_PROSE_COLUMNS: Final = 80  #: a cell of two sentences or more that is longer is prose
_DOLLAR, _POUND, _YEN, _RUPEE, _EURO = map(ord, characters.CURRENCY_SIGNS)


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    codes="const unsigned int[::1]", offset="const int[::1]", bmp_classes="bytes", rows="int", row="int",
    position="int", stop="int", base="int", word_count="int", nonspace_count="int", previous_class="int",
    code="unsigned int", char_class="int", by_class="int[::1]", words="int[::1]", nonspace="int[::1]",
    first_class="unsigned char[::1]", last_class="unsigned char[::1]", other_count="int", currency_count="int",
)  # fmt: skip
def count_characters(  # noqa: C901 (one loop, compiled)
    codes: Sequence[int], offset: "NDArray[int32]", bmp_classes: bytes
) -> tuple[Any, ...]:
    """Count the characters of each text run.

    Returns the columns of `tamis.page.columns.CharCounts`: characters by class (rows by classes), words,
    characters that are not white space, the class of the first and of the last of those; how many characters of the
    page are in class OTHER, where the invisible ones are; and how many are signs of currencies.

    A run starts a new word even where the run before it ended inside one.

    Args:
        codes: the code points of the page's text.
        offset: where each row's text begins, with one entry more.
        bmp_classes: the class of each code point of the Basic Multilingual Plane.

    >>> import numpy as np
    >>> from tamis.html import characters
    >>> codes = memoryview("Two for $8".encode("utf-32-le")).cast("I")
    >>> counts = count_characters(codes, np.array([0, 0, 10], dtype=np.int32), characters.bmp_classes())
    >>> by_class, words, nonspace, first_class, last_class, other_count, currency_count = counts
    >>> list(words), list(nonspace), first_class[1] == characters.UPPER, currency_count
    ([0, 3], [0, 8], True, 1)
    """
    rows = len(offset) - 1
    by_class = array("i", bytes(4 * _CLASS_COUNT * rows))
    words, nonspace = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    first_class, last_class = bytearray(rows), bytearray(rows)
    position = other_count = currency_count = 0
    for row in range(rows):
        stop = offset[row + 1]
        if stop == position:
            continue
        base = row * _CLASS_COUNT
        word_count = nonspace_count = 0
        previous_class = _SPACE
        while position < stop:
            code = codes[position]
            if code < _BMP_SIZE:
                char_class = bmp_classes[code]
            elif code >= _TAGS:
                char_class = _OTHER
            elif code >= _IDEOGRAPHS:
                char_class = _WIDE_CLASS
            elif _EMOJI_FIRST <= code <= _EMOJI_LAST:
                char_class = _SYMBOL_CLASS
            else:
                char_class = _LETTER
            by_class[base + char_class] += 1
            if char_class == _SYMBOL_CLASS and (
                code == _DOLLAR or code == _POUND or code == _YEN or code == _RUPEE or code == _EURO  # noqa: PLR1714 (compiled)
            ):
                currency_count += 1
            if char_class != _SPACE:
                if not nonspace_count:
                    first_class[row] = char_class
                nonspace_count += 1
                if previous_class == _SPACE:
                    word_count += 1
                last_class[row] = char_class
            previous_class = char_class
            position += 1
        words[row] = word_count
        nonspace[row] = nonspace_count
        other_count += by_class[base + _OTHER]
    return by_class, words, nonspace, first_class, last_class, other_count, currency_count


# What `table_facts` looks for, one bit each.
TABLE_BIT, CELL_BIT, ROW_BIT, HEADER_BIT, STRUCTURE_BIT, LAYOUT_BIT, PRE_BIT, EMPTY_BIT = (1 << k for k in range(8))


_TABLE_FLAG, _CELL_FLAG, _ROW_FLAG, _STRUCTURE_FLAG, _LAYOUT_FLAG, _PRE_FLAG, _EMPTY_FLAG = (
    TABLE_BIT,
    CELL_BIT,
    ROW_BIT,
    STRUCTURE_BIT,
    LAYOUT_BIT,
    PRE_BIT,
    EMPTY_BIT,
)


@cython.ccall
@cython.returns("list")
@cython.locals(
    tag="const unsigned char[::1]", parent="const int[::1]", end="const int[::1]", hidden="const unsigned char[::1]",
    nonspace="const int[::1]", by_class="const int[:, ::1]", flags="bytes", rows="int", row="int", count="int",
    k="int", size="int", flag="int", table_of="int[::1]", number_of="int[::1]", columns="int[::1]", stops="int[::1]",
    facts="int[::1]", out="list",
)  # fmt: skip
def table_facts(  # noqa: C901, PLR0912 (two loops, compiled)
    tag: "Bytes", parent: "Ints", end: "Ints", hidden: "Bytes", nonspace: "Ints", by_class: "Ints", flags: bytes
) -> list[tuple[int, int, int, int, int, int, int, int]]:
    """Return what `tamis.page.tables` asks of each table.

    Its row; the bits of what it contains, outside of tables inside it, which are structure and layout; the number of
    its rows, of its cells, and of its cells of prose; the columns of its longest cell, and of the whole; how many
    ``pre`` it has. A long one is structure.

    Args:
        tag: the tag of each row.
        parent: its parent.
        end: the end of its subtree.
        hidden: its `Hidden` bits.
        nonspace: characters of its text run that are not white space.
        by_class: its characters of each class.
        flags: the bits above of each tag.
    """
    rows = len(tag)
    table_of, number_of = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    columns, stops = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    count = 0
    for row in range(rows):
        columns[row + 1], stops[row + 1] = columns[row], stops[row]
        if not hidden[row] and nonspace[row]:
            columns[row + 1] += nonspace[row] + by_class[row, _WIDE_CLASS]
            stops[row + 1] += by_class[row, _STOP_CLASS]
        if flags[tag[row]] & _TABLE_FLAG:
            number_of[row] = count
            table_of[row] = row + 1
            count += 1
        elif row:
            table_of[row] = table_of[parent[row]]
    facts = array("i", bytes(4 * 8 * count))
    for row in range(rows):
        flag = flags[tag[row]]
        if not flag or not table_of[row]:
            continue
        k = 8 * number_of[table_of[row] - 1]
        if flag & _TABLE_FLAG:
            facts[k] = row
            facts[k + 6] = columns[end[row]] - columns[row]
            if table_of[parent[row]]:
                k = 8 * number_of[table_of[parent[row]] - 1]
                facts[k + 1] |= _STRUCTURE_FLAG | _LAYOUT_FLAG
            continue
        facts[k + 1] |= flag
        if flag & _ROW_FLAG:
            facts[k + 2] += 1
        size = columns[end[row]] - columns[row]
        if flag & _PRE_FLAG:
            facts[k + 7] += 1
            if size > _PROSE_COLUMNS:
                facts[k + 1] |= _STRUCTURE_FLAG
        if flag & _CELL_FLAG:
            if size == 0:
                facts[k + 1] |= _EMPTY_FLAG
            facts[k + 3] += 1
            facts[k + 4] += size > _PROSE_COLUMNS and stops[end[row]] - stops[row] > 1
            facts[k + 5] = max(facts[k + 5], size)
    out: list[tuple[int, int, int, int, int, int, int, int]] = []
    for k in range(count):
        own = facts[8 * k : 8 * k + 8]
        out.append(tuple(own))  # type: ignore[arg-type]
    return out


@cython.cclass
class Columns:
    """The columns of a page: those of its rows and of their characters, and what follows from them.

    That are the blocks, the blocks of each row's subtree, the elements of each tag, and the classes of elements with
    blocks. All are made here, in one go and without the interpreter lock; NumPy sees them as views.

    Attributes:
        block_count: the number of blocks.
        start: the first text row of each block.
        stop: the row after its last text row.
        container: its nearest block-level element.
        block_chars: its characters that are not white space.
        first: where its rows begin in `text_rows`.
        text_rows: the text rows of all blocks, one after another.
        block_of: for each row of the page its block, or -1 for rows that are not shown text.
        first_block: row r contains the blocks ``first_block[r] : last_block[r]``. One entry more than there are rows.
        last_block: the block after the last of each row.
        has_blocks: which rows are elements that contain blocks.
        tag_rows: the rows of the elements with a known tag, by tag.
        tag_first: where those of each tag begin.
        class_ids: a number for the class of each element with blocks, in order of appearance; 0 for none.
        class_order: the numbers of these classes in the column of the page.
        word_count: the words of all blocks.
        body: the row of ``body``, else of ``frameset`` or ``html``, else 0.

    >>> import numpy as np
    >>> import tamis
    >>> columns = tamis.parse_page("<ul><li class=b>one<li class=a>two<br><br>three</ul>").columns
    >>> [list(column) for column in (columns.start, columns.stop, columns.container, columns.block_chars)]
    [[6, 8, 11], [7, 9, 12], [5, 7, 7], [3, 3, 5]]
    >>> list(columns.first_block), columns.last_block[7], columns.has_blocks[9]
    ([0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 2, 3], 3, 0)
    >>> sorted(columns.tag_rows), list(columns.class_ids), columns.class_order
    ([1, 2, 3, 4, 5, 7, 9, 10], [0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0], [1, 2])
    """

    node_type = cython.declare("unsigned char[::1]", visibility="readonly")
    tag = cython.declare("unsigned char[::1]", visibility="readonly")
    link = cython.declare("unsigned char[::1]", visibility="readonly")
    pre = cython.declare("unsigned char[::1]", visibility="readonly")
    hidden = cython.declare("unsigned char[::1]", visibility="readonly")
    first_class = cython.declare("unsigned char[::1]", visibility="readonly")
    last_class = cython.declare("unsigned char[::1]", visibility="readonly")
    has_blocks = cython.declare("unsigned char[::1]", visibility="readonly")
    parent = cython.declare("int[::1]", visibility="readonly")
    end = cython.declare("int[::1]", visibility="readonly")
    depth = cython.declare("int[::1]", visibility="readonly")
    offset = cython.declare("int[::1]", visibility="readonly")
    words = cython.declare("int[::1]", visibility="readonly")
    nonspace = cython.declare("int[::1]", visibility="readonly")
    start = cython.declare("int[::1]", visibility="readonly")
    stop = cython.declare("int[::1]", visibility="readonly")
    container = cython.declare("int[::1]", visibility="readonly")
    block_chars = cython.declare("int[::1]", visibility="readonly")
    first = cython.declare("int[::1]", visibility="readonly")
    text_rows = cython.declare("int[::1]", visibility="readonly")
    block_of = cython.declare("int[::1]", visibility="readonly")
    class_column = cython.declare("int[::1]", visibility="readonly")
    class_ids = cython.declare("int[::1]", visibility="readonly")
    class_order = cython.declare("list", visibility="readonly")
    first_block = cython.declare("int[::1]", visibility="readonly")
    last_block = cython.declare("int[::1]", visibility="readonly")
    inline_run = cython.declare("int[::1]", visibility="readonly")
    block_ancestor = cython.declare("int[::1]", visibility="readonly")
    tag_rows = cython.declare("int[::1]", visibility="readonly")
    tag_first = cython.declare("list", visibility="readonly")
    by_class = cython.declare("int[:, ::1]", visibility="readonly")
    block_count = cython.declare("int", visibility="readonly")
    currency_count = cython.declare("int", visibility="readonly")
    word_count = cython.declare("int", visibility="readonly")
    body = cython.declare("int", visibility="readonly")

    def __init__(self, page: dict[str, Any], characters: Any, like: "Columns | None" = None) -> None:  # noqa: ANN401 (arrays)
        # The rows of the page.
        self.node_type, self.tag, self.parent = page["node_type"], page["tag"], page["parent"]
        self.end, self.depth, self.offset = page["end"], page["depth"], page["offset"]
        self.inline_run, self.block_ancestor = page["inline_run"], page["block_ancestor"]
        self.link, self.pre, self.hidden = page["link"].view("uint8"), page["pre"].view("uint8"), page["hidden"]
        self.class_column = page["class_column"]
        # The characters of each row's text run.
        self.by_class, self.words, self.nonspace = characters.by_class, characters.words, characters.nonspace
        self.first_class, self.last_class = characters.first_class, characters.last_class
        self.currency_count = characters.currency_count
        _complete_columns(self, len(page["classes"]), like)


@cython.cfunc
@cython.locals(
    page="Columns", classes="int", like="Columns", rows="int", size="int", count="int", k="int", edges="int[::1]",
    order="int[::1]", place="int[::1]", counts="int[::1]", room="int[::1]",
)  # fmt: skip
def _complete_columns(page: Columns, classes: int, like: Columns | None) -> None:
    """Make the columns that follow from the others; the classes are those of `like`, if it is given."""
    rows = len(page.tag)
    size = _count_text_rows(page)  # no more blocks than that
    room = array("i", bytes(4 * (6 * size + 5 * rows + 1)))  # of all columns
    page.start, page.stop, page.container = room[:size], room[size : 2 * size], room[2 * size : 3 * size]
    page.block_chars, page.first = room[3 * size : 4 * size], room[4 * size : 5 * size]
    page.text_rows, room = room[5 * size : 6 * size], room[6 * size :]
    page.block_of, page.tag_rows = room[:rows], room[rows : 2 * rows]
    page.last_block, page.class_ids = room[2 * rows : 3 * rows], room[3 * rows : 4 * rows]
    page.first_block = room[4 * rows :]
    page.has_blocks = bytearray(rows)
    edges, counts = array("i", bytes(4 * (_TAG_NUMBERS + 1))), array("i", bytes(4))
    # The numbers of the classes in order of appearance, and the place of each number in that order, from 1.
    order, place = array("i", bytes(4 * classes + 4)), array("i", bytes(4 * classes + 4))
    count = 0
    with cython.nogil:
        _cut_blocks(page, counts)
        _find_ranges(page, counts[0])
        _sort_by_tag(page, edges)
        if like is None:
            count = _number_classes(page, order, place)
    page.block_count = size = counts[0]
    page.start, page.stop, page.container = page.start[:size], page.stop[:size], page.container[:size]
    page.block_chars, page.first = page.block_chars[:size], page.first[:size]
    page.tag_rows = page.tag_rows[: edges[_TAG_NUMBERS]]
    if like is not None:
        page.class_ids = like.class_ids
    page.tag_first = [edges[k] for k in range(_TAG_NUMBERS + 1)]
    page.body = 0
    for k in _BODIES:
        if edges[k + 1] > edges[k]:
            page.body = page.tag_rows[edges[k]]
            break
    page.class_order = [order[k] for k in range(count)] if like is None else like.class_order


@cython.cfunc
@cython.nogil
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(page="Columns", row="int", count="int")
def _count_text_rows(page: Columns) -> int:
    """Count the shown text rows."""
    count = 0
    for row in range(len(page.tag)):
        if page.nonspace[row] and page.node_type[row] == _TEXT and not page.hidden[row]:
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", counts="int[::1]", node_type="unsigned char[::1]", tag="unsigned char[::1]",
    hidden="unsigned char[::1]", nonspace="int[::1]", words="int[::1]", inline_run="int[::1]",
    block_ancestor="int[::1]", block_of="int[::1]", text_rows="int[::1]", start="int[::1]", stop="int[::1]",
    container="int[::1]", first="int[::1]", chars="int[::1]", rows="int", row="int", block="int", current_run="int",
    nonspace_at_break="int", extra_breaks="int", total_nonspace="int", size="int", word_count="int",
)  # fmt: skip
def _cut_blocks(page: Columns, counts: Any) -> None:  # noqa: ANN401 (an array)
    """Cut the shown text rows into blocks, and count these.

    A new block begins where the inline run changes, and after two ``br`` with nothing but white space between.
    """
    node_type, tag, hidden, nonspace, words = page.node_type, page.tag, page.hidden, page.nonspace, page.words
    inline_run, block_ancestor = page.inline_run, page.block_ancestor
    block_of, text_rows, start, stop = page.block_of, page.text_rows, page.start, page.stop
    container, first, chars = page.container, page.first, page.block_chars
    rows = len(tag)
    block = current_run = nonspace_at_break = -1
    extra_breaks = total_nonspace = size = word_count = 0
    for row in range(rows):
        block_of[row] = -1
        total_nonspace += nonspace[row]
        if tag[row] == _BR:
            if total_nonspace == nonspace_at_break:
                extra_breaks += 1
            nonspace_at_break = total_nonspace
        if nonspace[row] and node_type[row] == _TEXT and not hidden[row]:
            if inline_run[row] + extra_breaks != current_run:
                current_run = inline_run[row] + extra_breaks
                block += 1
                start[block] = row
                container[block] = block_ancestor[row]
                first[block] = size
            stop[block] = row + 1
            chars[block] += nonspace[row]
            word_count += words[row]
            block_of[row] = block
            text_rows[size] = row
            size += 1
    page.word_count = word_count
    counts[0] = block + 1


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", count="int", start="int[::1]", end="int[::1]", node_type="unsigned char[::1]", block="int",
    row="int", first_block="int[::1]", last_block="int[::1]", has_blocks="unsigned char[::1]", rows="int",
)  # fmt: skip
def _find_ranges(page: Columns, count: int) -> None:
    """Find which blocks begin in each row's subtree, as ranges, and which rows are elements with any."""
    start, end, node_type = page.start, page.end, page.node_type
    first_block, last_block, has_blocks = page.first_block, page.last_block, page.has_blocks
    rows = len(end)
    block = 0
    for row in range(rows):
        first_block[row] = block
        if block < count and start[block] == row:  # no two blocks begin at one row
            block += 1
    first_block[rows] = block
    for row in range(rows):
        last_block[row] = first_block[end[row]]
        has_blocks[row] = 1 if node_type[row] == _ELEMENT_KIND and last_block[row] > first_block[row] else 0


@cython.cfunc
@cython.nogil
@cython.returns("void")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", edges="int[::1]", tag="unsigned char[::1]", tag_rows="int[::1]", row="int", number="int",
)  # fmt: skip
def _sort_by_tag(page: Columns, edges: Any) -> None:  # noqa: ANN401 (an array)
    """Sort the rows of the elements with a known tag by tag; write where those of each tag begin."""
    tag, tag_rows = page.tag, page.tag_rows
    for row in range(len(tag)):
        if tag[row]:
            edges[tag[row] + 1] += 1
    for number in range(1, _TAG_NUMBERS + 1):
        edges[number] += edges[number - 1]
    for row in range(len(tag)):
        if tag[row]:
            tag_rows[edges[tag[row]]] = row
            edges[tag[row]] += 1
    for number in range(_TAG_NUMBERS, 0, -1):  # each edge moved on to the next one
        edges[number] = edges[number - 1]
    edges[0] = 0


@cython.cfunc
@cython.nogil
@cython.returns("int")
@cython.exceptval(check=False)
@cython.locals(
    page="Columns", order="int[::1]", place="int[::1]", class_column="int[::1]", has_blocks="unsigned char[::1]",
    out="int[::1]", row="int", number="int", count="int",
)  # fmt: skip
def _number_classes(page: Columns, order: Any, place: Any) -> int:  # noqa: ANN401 (arrays)
    """Number the classes of the elements with blocks, in order of appearance; return how many they are."""
    class_column, has_blocks, out = page.class_column, page.has_blocks, page.class_ids
    count = 0
    for row in range(len(class_column)):
        number = class_column[row]
        if number and has_blocks[row]:
            if not place[number]:
                order[count] = number
                count += 1
                place[number] = count
            out[row] = place[number]
    return count


# The text of the selected blocks, and what separates it.

cython.declare(
    _LINE_BREAK="int", _TEXT_TYPE="int", _IN_LIST="int", _IN_TABLE="int", _IN_CELL="int", _CONTEXT_FLAGS="bytes",
    _INITIALS="bytes", _IS_EMPTY="bytes", _ENDS="str", _ELEMENT_NODE_TYPE="int", _STOPS="str", _IS_TIGHT="bytes",
    _MAX_INLINE="int", _WORD_BREAK="int", _SPACE_SIGN="unsigned int",
)  # fmt: skip

_LINE_BREAK: Final = tags.IDS["br"]
_SPACE_SIGN: Final = 32
_TEXT_TYPE: Final = enums.TEXT


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    page="Columns", mask="const unsigned char[::1]", text="str", start="int[::1]", stop="int[::1]",
    node_type="unsigned char[::1]", nonspace="int[::1]", tag="unsigned char[::1]", pre="unsigned char[::1]",
    hidden="unsigned char[::1]", offset="int[::1]", numbers="list", texts="list", parts="list", lines="list",
    line="str", block="int", row="int", selected="bint", regular="bint", preformatted="bint", block_text="str",
    begin="Py_ssize_t", end="Py_ssize_t",
)  # fmt: skip
def selected_blocks(  # noqa: C901, PLR0912 (two loops over the rows of a block, compiled)
    page: "Columns", mask: "NDArray[uint8]", text: str
) -> tuple[list[int], list[str]]:
    """Return the blocks with selected text: their numbers, and their texts with white space collapsed.

    In a block that keeps white space, the text is as it is, without line ends at its edges.

    Args:
        page: the page.
        mask: which rows are selected.
        text: the text of the page.
    """
    start, stop, node_type, nonspace, tag = page.start, page.stop, page.node_type, page.nonspace, page.tag
    pre, hidden, offset = page.pre, page.hidden, page.offset
    numbers: list[int] = []
    texts: list[str] = []
    for block in range(len(start)):
        selected = False
        preformatted = pre[start[block]] != 0
        regular = not preformatted
        for row in range(start[block], stop[block]):
            if nonspace[row]:
                if mask[row]:
                    selected = True
                else:
                    regular = False
            elif tag[row] == _LINE_BREAK:
                regular = False
        if not selected:
            continue
        numbers.append(block)
        if regular:
            texts.append(_collapse(text, offset[start[block]], offset[stop[block]]))
            continue
        parts: list[str] = []
        for row in range(start[block], stop[block]):
            begin, end = offset[row], offset[row + 1]
            if tag[row] == _LINE_BREAK:
                if not hidden[row]:
                    parts.append("\n" if preformatted else "\r")
            elif node_type[row] == _TEXT_TYPE and end > begin:
                if mask[row] or (preformatted and not nonspace[row] and not hidden[row]):
                    parts.append(text[begin:end])
                elif not hidden[row]:
                    parts.append(" ")  # white space, or a row that is not selected: it keeps the words apart
        block_text = "".join(parts)
        if preformatted:
            texts.append(block_text.strip("\n").rstrip())
        else:
            lines = [" ".join(line.split()) for line in block_text.split("\r")]
            texts.append("\n".join([line for line in lines if line]))
    return numbers, texts


@cython.cfunc
@cython.returns("str")
@cython.locals(
    text="str", begin="Py_ssize_t", end="Py_ssize_t", k="Py_ssize_t", after_space="bint", is_regular="bint",
    kind="int", data="const void *", code="unsigned int",
)  # fmt: skip
def _collapse(text: str, begin: int, end: int) -> str:
    """Return a part of a text with its white space collapsed. Most texts have nothing to collapse inside."""
    kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
    begin = first_visible(kind, data, begin, end)
    end = last_visible(kind, data, begin, end)
    after_space, is_regular = False, True
    for k in range(begin, end):
        code = PyUnicode_READ(kind, data, k)
        if not is_space(code):
            after_space = False
        elif after_space or code != _SPACE_SIGN:
            is_regular = False
            break
        else:
            after_space = True
    return text[begin:end] if is_regular else " ".join(text[begin:end].split())


_INITIALS: Final = bytes(
    number in {characters.UPPER, characters.LOWER, characters.DIGIT} for number in range(characters.CLASSES)
)


#: What a phrase may end with, besides a small letter or a digit.
PHRASE_ENDS: Final = ".!?:;,)%”\"’'"
_ENDS: Final = PHRASE_ENDS
_STOPS: Final = ".!?:"  #: what a sentence or a label ends with
_IS_EMPTY: Final = tags.tag_mask("span time i em b strong div").tobytes()
#: Elements whose characters belong to the words around them.
_IS_TIGHT: Final = tags.tag_mask("code kbd samp tt var sub sup rt rp ruby").tobytes()
_MAX_INLINE: Final = 8  #: from a text row up to the inline elements around it
_ELEMENT_NODE_TYPE: Final = enums.ELEMENT
_WORD_BREAK: Final = tags.IDS["wbr"]


@cython.cfunc
@cython.returns("bint")
@cython.exceptval(check=False)
@cython.locals(page="Columns", row="int", block="int", level="int")
def _is_tight(page: "Columns", row: int) -> bool:
    """Tell whether a text row is in an inline element whose characters belong to the words around it."""
    block = page.block_ancestor[row]
    for level in range(_MAX_INLINE):  # noqa: B007 (typed)
        row = page.parent[row]
        if row <= block:
            return False
        if _IS_TIGHT[page.tag[row]]:
            return True
    return False


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    page="Columns", mask="const unsigned char[::1]", text="str", inline_run="int[::1]", parent="int[::1]",
    offset="int[::1]", first_class="unsigned char[::1]", link="unsigned char[::1]", end="int[::1]",
    tag="unsigned char[::1]", node_type="unsigned char[::1]", hidden="unsigned char[::1]", pre="unsigned char[::1]",
    sure="list", links="list", boxes="list", before="int", row="int", k="int", low="int", stop="int", start="int",
    high="int", last="Py_UCS4", initial="Py_UCS4", is_end="bint", between="bint", is_new="bint", has_words="bint",
    other_words="bint", all_digits="bint", begin="int",
)  # fmt: skip
def gap_candidates(  # noqa: C901, PLR0912, PLR0915 (one loop, compiled)
    page: "Columns", mask: "NDArray[uint8]", text: str
) -> tuple[list[int], list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the selected rows before which a space is missing, and pairs of rows between which one may be.

    An element begins or ends between two rows of one line, the first does not end with white space, and the second
    begins with a letter or a digit. A space is missing if the second row begins a phrase with a capital letter, or is
    a link after a number in an element of its own. It may be missing between two links, if they lead to different
    URLs: those are the first pairs; the others have an element without text between them, or are a word and a number
    in two elements.
    """
    inline_run, parent, offset, first_class = page.inline_run, page.parent, page.offset, page.first_class
    link, end, tag, node_type = page.link, page.end, page.tag, page.node_type
    hidden, pre = page.hidden, page.pre
    sure: list[int] = []
    links: list[tuple[int, int]] = []
    boxes: list[tuple[int, int]] = []
    before = -1
    for row in range(len(mask)):
        if not mask[row]:
            continue
        begin, before = before, row
        if (
            begin < 0
            or inline_run[row] != inline_run[begin]
            or (row - begin == 1 and parent[row] == parent[begin])
            or not _INITIALS[first_class[row]]
            or offset[begin + 1] != offset[row]
            or offset[row] <= 0
        ):
            continue
        last, initial = text[offset[row] - 1], text[offset[row]]
        if last.isspace() or not initial.isalnum():
            continue
        # The texts without white space at their ends; neither is blank.
        low, stop, start, high = offset[begin], offset[begin + 1], offset[row], offset[row + 1]
        while low < stop and text[low].isspace():
            low += 1
        while high > start and text[high - 1].isspace():
            high -= 1
        if low == stop or high == start:
            continue
        between = parent[row] > begin and end[parent[begin]] <= row
        has_words = other_words = False
        for k in range(low, stop):
            if text[k] == " ":
                has_words = True
                break
        for k in range(start, high):
            if text[k] == " ":
                other_words = True
                break
        is_end = last.islower() or last.isdigit() or last in _ENDS
        is_new = initial.isupper() and is_end and stop - low > 1 and high - start > 1
        if is_new and not text[start + 1].isupper() and not pre[row]:
            if last in _STOPS and text[stop - 2].islower():
                is_new = has_words and (between or last != "." or other_words)
            else:
                is_new = between and (has_words or other_words)
            if is_new and not _is_tight(page, begin) and not _is_tight(page, row):
                sure.append(int(row))
                continue
        if last.isdigit() and link[row] and not link[begin] and between:
            all_digits = True
            for k in range(low, stop):
                all_digits = all_digits and text[k].isdigit()
            if all_digits:
                sure.append(int(row))
                continue
        if link[begin] and link[row] and between and not pre[row]:
            is_new = last.isdigit() or (not initial.isdigit() and (last.isalnum() or last in _ENDS))
            if is_new and not _is_tight(page, begin) and not _is_tight(page, row):
                links.append((int(begin), int(row)))
        if between and initial.isdigit() and last.isalpha() and stop - low > 2 and not pre[row]:  # noqa: PLR2004 (a word)
            boxes.append((int(begin), int(row)))
            continue
        if (
            (has_words or other_words)
            and (last.isalnum() or last in _ENDS)
            and not initial.islower()
            and not pre[row]
            and tag[row - 1] != _WORD_BREAK
        ):
            k = begin + 1
            while k < row and not (
                end[k] == k + 1 and node_type[k] == _ELEMENT_NODE_TYPE and _IS_EMPTY[tag[k]] and not hidden[k]
            ):
                k += 1
            if k < row and not _is_tight(page, begin) and not _is_tight(page, row):
                boxes.append((int(begin), int(row)))
    return sure, links, boxes


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", mask="const unsigned char[::1]", nonspace="int[::1]", link="unsigned char[::1]", row="int",
    out="list",
)  # fmt: skip
def sign_rows(page: "Columns", mask: "NDArray[uint8]") -> list[int]:
    """Return the selected rows in links that have one character besides white space."""
    nonspace, link = page.nonspace, page.link
    out: list[int] = []
    for row in range(len(mask)):
        if nonspace[row] == 1 and mask[row] and link[row]:
            out.append(int(row))  # noqa: PERF401 (compiled)
    return out


#: What `join_blocks` looks for above a block, one bit each.
_IN_LIST, _IN_TABLE, _IN_CELL = 1, 2, 4
_CONTEXT_FLAGS: Final = bytes(
    (1 if name in {"ul", "ol", "dl", "menu", "dir"} else 0)
    | (2 if name == "table" else 0)
    | (4 if name in {"td", "th"} else 0)
    for name in tags.NAMES
)


def separator(before: tuple[int, int, int, int], context: tuple[int, int, int, int]) -> str:
    r"""Return the separator of two pieces of text.

    A context is the outermost list and the nearest table, row of a data table and cell around a piece; -1 for none.
    Cells are divided by tabs, table rows and list items by line ends, everything else by blank lines.

    >>> separator((-1, 1, 2, 3), (-1, 1, 2, 4)), separator((7, -1, -1, -1), (7, -1, -1, -1))
    ('\t', '\n')
    """
    outer_list, table, row, cell = context
    if row >= 0 and row == before[2]:
        return "\t" if cell != before[3] else " "
    same_table = row >= 0 and before[2] >= 0 and table == before[1]
    same_list = outer_list >= 0 and outer_list == before[0]
    return "\n" if same_table or same_list else "\n\n"


@cython.ccall
@cython.returns("str")
@cython.locals(
    texts="list", numbers="list", page="Columns", data_rows="const unsigned char[::1]", lists="bint",
    parent="int[::1]", tag="unsigned char[::1]", container="int[::1]", number="int", rows="int", row="int",
    above="int", flags="int", k="int", outer_list="int", table="int", data_row="int", cell="int", before="int",
    contexts="int[::1]", has_data_rows="bint", parts="list", text="str", block="int",
)  # fmt: skip
def join_blocks(  # noqa: C901, PLR0912 (two loops, compiled)
    texts: list[str], numbers: list[int], page: "Columns", data_rows: "NDArray[uint8]", *, lists: bool
) -> str:
    """Return the texts of blocks, with the `separator` of what each is in between them; empty texts are left out.

    Args:
        texts: the texts.
        numbers: the number of the block of each.
        page: the page.
        data_rows: 1 for each ``tr`` of a data table, 0 for other rows; empty if there is none.
        lists: whether the page has items of lists.
    """
    parent, tag, container = page.parent, page.tag, page.container
    rows = 0
    for number in numbers:
        if container[number] >= rows:
            rows = container[number] + 1
    contexts = array("i", bytes(16 * rows))  # of each row: outermost list; nearest table, row of a table and cell
    has_data_rows = len(data_rows) > 0
    for row in range(rows):
        above = parent[row]
        flags = _CONTEXT_FLAGS[tag[row]]
        k = 4 * row
        if above < 0:
            outer_list = table = data_row = cell = -1
        else:
            outer_list, table = contexts[4 * above], contexts[4 * above + 1]
            data_row, cell = contexts[4 * above + 2], contexts[4 * above + 3]
        if lists and flags & _IN_LIST and outer_list < 0:
            outer_list = row
        if flags & _IN_TABLE:
            table = row
        if flags & _IN_CELL:
            cell = row
        if has_data_rows and data_rows[row]:
            data_row = row
        contexts[k], contexts[k + 1], contexts[k + 2], contexts[k + 3] = outer_list, table, data_row, cell
    parts: list[str] = []
    before = -1
    for block in range(len(texts)):
        text = texts[block]
        if not text:
            continue
        number = numbers[block]
        k = 4 * container[number]
        if before >= 0:
            if contexts[k + 2] >= 0 and contexts[k + 2] == contexts[before + 2]:
                parts.append("\t" if contexts[k + 3] != contexts[before + 3] else " ")
            elif (contexts[k + 2] >= 0 and contexts[before + 2] >= 0 and contexts[k + 1] == contexts[before + 1]) or (
                contexts[k] >= 0 and contexts[k] == contexts[before]
            ):
                parts.append("\n")
            else:
                parts.append("\n\n")
        parts.append(text)
        before = k
    return "".join(parts)
