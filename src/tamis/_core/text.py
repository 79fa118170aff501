"""The text of the selected blocks, and what separates it."""

from array import array
from typing import TYPE_CHECKING, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import characters, tags

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

cython.declare(
    _LINE_BREAK="int", _TEXT_TYPE="int", _IN_LIST="int", _IN_TABLE="int", _IN_CELL="int", _CONTEXT_FLAGS="bytes",
    _INITIALS="bytes", _IS_EMPTY="bytes", _ENDS="str", _ELEMENT_NODE_TYPE="int",
)  # fmt: skip

_LINE_BREAK: Final = tags.IDS["br"]
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
@cython.locals(text="str", begin="Py_ssize_t", end="Py_ssize_t", k="Py_ssize_t", after_space="bint", char="Py_UCS4")
def _collapse(text: str, begin: int, end: int) -> str:
    """Return a part of a text with its white space collapsed. Most texts have nothing to collapse inside."""
    while begin < end and text[begin].isspace():
        begin += 1
    while begin < end and text[end - 1].isspace():
        end -= 1
    after_space = False
    for k in range(begin, end):
        char = text[k]
        if char == " ":
            if after_space:
                return " ".join(text[begin:end].split())
            after_space = True
        elif char.isspace():
            return " ".join(text[begin:end].split())
        else:
            after_space = False
    return text[begin:end]


_INITIALS: Final = bytes(
    number in {characters.UPPER, characters.LOWER, characters.DIGIT} for number in range(characters.CLASSES)
)


#: What a phrase may end with, besides a small letter or a digit.
PHRASE_ENDS: Final = ".!?:;,)%”\"’'"
_ENDS: Final = PHRASE_ENDS
_IS_EMPTY: Final = tags.tag_mask("span time i em b strong div").tobytes()
_ELEMENT_NODE_TYPE: Final = enums.ELEMENT


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", mask="const unsigned char[::1]", text="str", inline_run="int[::1]", parent="int[::1]",
    offset="int[::1]", first_class="unsigned char[::1]", link="unsigned char[::1]", end="int[::1]",
    tag="unsigned char[::1]", node_type="unsigned char[::1]", out="list", before="int", row="int", k="int",
    last="Py_UCS4", initial="Py_UCS4", is_end="bint", found="bint",
)  # fmt: skip
def gap_candidates(page: "Columns", mask: "NDArray[uint8]", text: str) -> list[tuple[int, int]]:
    """Return pairs of selected rows, one after the other in one line, between which a space may be missing.

    An element begins or ends between them, the first does not end with white space, and the second begins with a
    letter or a digit. The first ends as a phrase does and the second begins with a capital letter; or the second is a
    link, after a link or a number; or an element without text is between them.
    """
    inline_run, parent, offset, first_class = page.inline_run, page.parent, page.offset, page.first_class
    link, end, tag, node_type = page.link, page.end, page.tag, page.node_type
    out: list[tuple[int, int]] = []
    before = -1
    for row in range(len(mask)):
        if not mask[row]:
            continue
        if (
            before >= 0
            and inline_run[row] == inline_run[before]
            and (row - before > 1 or parent[row] != parent[before])
            and _INITIALS[first_class[row]]
            and offset[before + 1] == offset[row]
            and offset[row] > 0
        ):
            last, initial = text[offset[row] - 1], text[offset[row]]
            if not last.isspace() and initial.isalnum():
                is_end = last.islower() or last.isdigit() or last in _ENDS
                found = initial.isupper() and is_end
                found = found or (link[row] != 0 and (link[before] != 0 or last.isdigit()))
                k = before + 1
                while k < row and not found:
                    found = end[k] == k + 1 and node_type[k] == _ELEMENT_NODE_TYPE and _IS_EMPTY[tag[k]] != 0
                    k += 1
                if found:
                    out.append((int(before), int(row)))
        before = row
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
