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
    _INITIALS="bytes", _IS_EMPTY="bytes", _ENDS="str", _ELEMENT_NODE_TYPE="int", _STOPS="str", _IS_TIGHT="bytes",
    _MAX_INLINE="int", _WORD_BREAK="int",
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
    URLs: those are the first pairs; the others have an element without text between them.
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
