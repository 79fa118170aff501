"""Loops over the blocks of a page that complete a choice: lists and tables, headings, repeats, labels."""

from array import array
from typing import TYPE_CHECKING, Any, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import tags

if TYPE_CHECKING:
    from numpy import float64, int32, int64, uint8
    from numpy.typing import NDArray

    from tamis._core.blocks import Columns

    Ints = NDArray[int32]
    Bytes = NDArray[uint8]

cython.declare(
    _IS_LIST="bytes", _IS_CELL="bytes", _IS_STRUCTURE="bytes", _IS_SECTION_HEADING="bytes", _LI="int", _TR="int",
    _TABLE="int", _MIN_MEMBERS="int", _MIN_ROWS="int", _MAX_RATIO="int", _MIN_COLUMNS="int", _MIN_SECTION_CHARS="int",
    _MAX_LINE_CHARS="int", _MIN_REPEATED_CHARS="int", _MIN_LISTED="int", _HASH_SEED="unsigned long long",
    _HASH_PRIME="unsigned long long", _HASH_MASK="unsigned long long", _PARAGRAPH="int", _MAX_CARD_CHARS="int",
    _MIN_PARAGRAPHS="int", _MIN_PARAGRAPH_CHARS="int", _MAX_CARD_LEVELS="int", _LINKED="double", _IS_CARD="bytes",
    _IS_NO_CARD="bytes", _IS_ANY_HEADING="bytes",
)  # fmt: skip

_IS_LIST: Final = tags.tag_mask("ul ol menu").tobytes()
_IS_CELL: Final = tags.CELL.tobytes()
_IS_STRUCTURE: Final = tags.tag_mask("h1 h2 h3 h4 h5 h6 table form nav article section pre").tobytes()
_IS_SECTION_HEADING: Final = tags.tag_mask("h2 h3 h4 h5 h6").tobytes()  #: the model knows headlines
_LI, _TR, _TABLE = tags.IDS["li"], tags.IDS["tr"], tags.IDS["table"]
_MIN_MEMBERS: Final = 3  #: items; of two, half is one
_MIN_ROWS: Final = 2  #: a header and a row
_MAX_RATIO: Final = 3  #: of an item that is added to the largest that was kept: a larger one is something else
_MIN_COLUMNS: Final = 2
_MIN_SECTION_CHARS: Final = 40  #: below a heading; a teaser may have fewer
_MAX_LINE_CHARS: Final = 100  #: that are not kept between a heading and its text: date and author of a post
_MIN_REPEATED_CHARS: Final = 25  #: of a block that is left out because it repeats the one before it


@cython.cfunc
@cython.locals(chars="const int[::1]", kept="const unsigned char[::1]", count="int", block="int", sums="int[::1]")
def _char_sums(chars: "Ints", kept: "Bytes") -> Any:  # noqa: ANN401 (an array)
    """Return two sums before each block, one after another: of the characters, and of those that are kept."""
    count = len(chars)
    sums = array("i", bytes(8 * (count + 1)))
    for block in range(count):
        sums[2 * block + 2] = sums[2 * block] + chars[block]
        sums[2 * block + 3] = sums[2 * block + 1] + (chars[block] if kept[block] else 0)
    return sums


@cython.ccall
@cython.locals(
    page="Columns", chars="const int[::1]", kept="const unsigned char[::1]", out="unsigned char[::1]",
    tag="unsigned char[::1]", parent="int[::1]", end="int[::1]", rows="int", row="int", own="int", table="int",
    inner="int", has_tables="bint", sums="int[::1]", group="int[::1]", table_of="int[::1]", cells="int[::1]",
    structure="int[::1]",
)  # fmt: skip
def complete_groups(page: "Columns", chars: "Ints", kept: "Bytes", out: "Bytes") -> None:
    """Mark in `out` the blocks of items and table rows that are missing in lists and tables of which half is kept.

    Items are those of one list, rows those of one table that is not for layout: it has two columns, and neither
    headings nor other structure.

    Args:
        page: the page.
        chars: the characters of each block.
        kept: which blocks are kept.
        out: which blocks are kept in the end.
    """
    tag, parent, end = page.tag, page.parent, page.end
    rows = len(tag)
    sums = _char_sums(chars, kept)
    group = array("i", bytes(4 * rows))  # of an item or a table row: its list or table, from 1
    table_of = array("i", bytes(4 * rows))  # the nearest table, from 1
    cells = array("i", bytes(4 * rows + 4))
    structure = array("i", bytes(4 * rows + 4))
    has_tables = False
    for row in range(rows):
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
    _complete(page, group, sums, out, False)  # noqa: FBT003 (compiled)
    if not has_tables:
        return
    for row in range(rows):
        group[row] = 0
        if tag[row] == _TR and table_of[row]:
            table = table_of[row] - 1
            inner = structure[end[table]] - structure[table] - 1  # besides the table itself
            if inner == 0 and cells[end[row]] - cells[row] >= _MIN_COLUMNS:
                group[row] = table + 1
    _complete(page, group, sums, out, True)  # noqa: FBT003 (compiled)


@cython.cfunc
@cython.locals(
    page="Columns", group="const int[::1]", sums="const int[::1]", out="unsigned char[::1]", cells="bint",
    first_block="int[::1]", last_block="int[::1]", rows="int", row="int", k="int", low="int", high="int", total="int",
    selected="int", minimum="int", block="int", members="int[::1]", kept_members="int[::1]", largest="int[::1]",
)  # fmt: skip
def _complete(
    page: "Columns",
    group: Any,  # noqa: ANN401 (an array)
    sums: Any,  # noqa: ANN401 (an array)
    out: "Bytes",
    cells: bool,  # noqa: FBT001 (compiled)
) -> None:
    """Mark the blocks of members that are not kept; with `cells`, the other blocks of kept members too."""
    first_block, last_block = page.first_block, page.last_block
    rows = len(last_block)
    members, kept_members = array("i", bytes(4 * rows + 4)), array("i", bytes(4 * rows + 4))
    largest = array("i", bytes(4 * rows + 4))
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


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    page="Columns", chars="const int[::1]", kept="const unsigned char[::1]", container="int[::1]",
    tag="unsigned char[::1]", count="int", block="int", stop="int", start="int", index="int", first_kept="int",
    total="int", selected="int", sums="int[::1]", headings="list", missing="list", alone="list",
)  # fmt: skip
def find_headings(
    page: "Columns", chars: "Ints", kept: "Bytes"
) -> tuple[list[int], list[tuple[int, int]], list[int]]:
    """Return the section headings that may have to be added or dropped.

    First the blocks of all section headings. Then those that are missing above a section that is kept, each as its
    index among them, and the first kept block below it. Then the kept ones with a section of which nothing is kept.
    The first list is empty if the second is.
    """
    container, tag = page.container, page.tag
    count = len(container)
    sums = _char_sums(chars, kept)
    headings: list[int] = []
    missing: list[tuple[int, int]] = []
    alone: list[int] = []
    for block in range(count):
        if _IS_SECTION_HEADING[tag[container[block]]]:
            headings.append(block)  # noqa: PERF401 (compiled)
    stop = count
    for index in range(len(headings) - 1, -1, -1):
        start = headings[index] + 1
        first_kept = start
        while first_kept < stop and not kept[first_kept]:
            first_kept += 1
        total = sums[2 * stop] - sums[2 * start]
        selected = sums[2 * stop + 1] - sums[2 * start + 1]
        block = headings[index]
        if kept[block]:
            if total > 0 and selected == 0:
                alone.append(block)
        elif (
            total >= _MIN_SECTION_CHARS
            and 2 * selected >= total
            and first_kept < stop
            and sums[2 * first_kept] - sums[2 * start] <= _MAX_LINE_CHARS
        ):
            missing.append((index, first_kept))
        stop = block
    return headings if missing else [], missing[::-1], alone[::-1]


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", chars="const int[::1]", kept="const unsigned char[::1]", level_of="bytes", container="int[::1]",
    tag="unsigned char[::1]", count="int", block="int", level="int", has_heading="bint", has_text="bint",
    sums="int[::1]", left="unsigned char[::1]", empty="list", ends="int[::1]", counts="int[::1]", stop="int", k="int",
)  # fmt: skip
def find_empty_sections(page: "Columns", chars: "Ints", kept: "Bytes", level_of: bytes) -> list[int]:
    """Return the kept headings below the first level whose section has text, none of which is kept.

    Three of one level are a list, and are left out.

    Args:
        page: the page.
        chars: the characters of each block.
        kept: which blocks are kept.
        level_of: the level of each tag that is a heading; 0 for others.
    """
    container, tag = page.container, page.tag
    count = len(container)
    has_heading = has_text = False
    sums, left = array("i", bytes(4 * (count + 1))), bytearray(kept)
    for block in range(count):
        level = level_of[tag[container[block]]]
        sums[block + 1] = sums[block] + (0 if level else chars[block])
        if kept[block]:
            has_heading = has_heading or level > 0
            has_text = has_text or level == 0
    empty: list[int] = []
    if not has_heading or not has_text:
        return empty
    ends = array("i", [count] * 8)  # by level: where the section ends that is open
    counts = array("i", [0] * 8)
    for block in range(count - 1, -1, -1):
        level = level_of[tag[container[block]]]
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
            empty.append(int(block))
            counts[level] += 1
            left[block] = 0
    return [block for block in empty if counts[level_of[tag[container[block]]]] < _MIN_LISTED]


_MIN_LISTED: Final = 3  #: headings of one level with nothing below them that are a list


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", chars="const int[::1]", text="str", shortest="int", longest="int", minimum="int",
    start="int[::1]", stop="int[::1]", offset="int[::1]", count="int", block="int", k="int", of_length="int[::1]",
    key="unsigned long long", key_of="dict",
)  # fmt: skip
def find_equal_blocks(
    page: "Columns", chars: "Ints", text: str, shortest: int, longest: int, minimum: int
) -> list[int]:
    """Return the blocks of some length of which `minimum` or more have the same characters, white space apart."""
    start, stop, offset = page.start, page.stop, page.offset
    count = len(chars)
    of_length = array("i", bytes(4 * (longest + 1)))
    for block in range(count):
        if shortest <= chars[block] <= longest:
            of_length[chars[block]] += 1
    key_of: dict[int, list[int]] = {}
    for block in range(count):
        if shortest <= chars[block] <= longest and of_length[chars[block]] >= minimum:
            key = _HASH_SEED
            for k in range(offset[start[block]], offset[stop[block]]):
                if not text[k].isspace():
                    key = ((key ^ ord(text[k])) * _HASH_PRIME) & _HASH_MASK
            key_of.setdefault(int(key), []).append(int(block))
    return sorted([block for same in key_of.values() if len(same) >= minimum for block in same])


@cython.ccall
@cython.locals(
    page="Columns", chars="const int[::1]", out="unsigned char[::1]", container="int[::1]", tag="unsigned char[::1]",
    parent="int[::1]", end="int[::1]", link="unsigned char[::1]", first_block="int[::1]", last_block="int[::1]",
    nonspace="int[::1]", count="int", rows="int", members="int[::1]", first="int[::1]", last="int[::1]",
    is_article="bint", block="int", heading_block="int", row="int", box="int", shown="int", linked="int", k="int",
    size="int",
)  # fmt: skip
def drop_cards(  # noqa: C901, PLR0912 (loops over blocks and levels, compiled)
    page: "Columns", chars: "Ints", out: "Bytes"
) -> None:
    """Drop boxes with a heading that is a link, between the paragraphs of an article: they lead to other articles.

    Args:
        page: the page.
        chars: the characters of each block.
        out: which blocks are kept; those of cards are 0 afterwards.
    """
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


#: Of a card of another article between the paragraphs of one: a box with a heading that is a link. On five corpora 9
#: such boxes were kept, and none of their 129 words is gold. (Boxes that end with a link are gold as often as not.)
_MAX_CARD_CHARS: Final = 800
_IS_CARD: Final = tags.tag_mask("div section aside").tobytes()
_IS_NO_CARD: Final = tags.tag_mask("html body main article").tobytes()
_IS_ANY_HEADING: Final = tags.HEADING.tobytes()
_MIN_PARAGRAPHS, _MIN_PARAGRAPH_CHARS = 3, 48  #: of the article around it
_LINKED: Final = 0.9  #: of the characters of a heading that is a link
_MAX_CARD_LEVELS: Final = 8  #: from the heading up to the card
_PARAGRAPH: Final = tags.IDS["p"]
_HASH_SEED, _HASH_PRIME, _HASH_MASK = enums.SEED, enums.PRIME, enums.MASK_64


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", chars="const int[::1]", kept="const unsigned char[::1]", is_entry="bytes", container="int[::1]",
    start="int[::1]", tag="unsigned char[::1]", pre="unsigned char[::1]", before="int", block="int", out="list",
)  # fmt: skip
def find_repeated_pairs(page: "Columns", chars: "Ints", kept: "Bytes", is_entry: bytes) -> list[tuple[int, int]]:
    """Return pairs of kept blocks, one after the other, of equal length; cells, items and code are left out."""
    container, start, tag, pre = page.container, page.start, page.tag, page.pre
    out: list[tuple[int, int]] = []
    before = -1
    for block in range(len(container)):
        if not kept[block]:
            continue
        if (
            before >= 0
            and chars[block] == chars[before]
            and chars[block] >= _MIN_REPEATED_CHARS
            and not is_entry[tag[container[block]]]
            and not pre[start[block]]
        ):
            out.append((before, block))
        before = block
    return out


@cython.ccall
@cython.returns("list")
@cython.locals(
    page="Columns", chars="const int[::1]", kept="const unsigned char[::1]", may_be_label="bytes", text="str",
    labels="object", signs="str", start="int[::1]", stop="int[::1]", offset="int[::1]", first="int", last="int",
    block="int", longest="int", out="list", name="str",
)  # fmt: skip
def find_labels(
    page: "Columns", chars: "Ints", kept: "Bytes", may_be_label: bytes, text: str, labels: frozenset[str], signs: str
) -> list[int]:
    """Return the blocks from before the first kept one to the last that have one of some labels, and signs around it.

    Args:
        page: the page.
        chars: the characters of each block.
        kept: which blocks are kept.
        may_be_label: whether a block of so many characters may be a label.
        text: the text of the page.
        labels: the labels, in lower case and without white space.
        signs: what may be around a label.
    """
    start, stop, offset = page.start, page.stop, page.offset
    first, last, longest = -1, -1, len(may_be_label)
    for block in range(len(chars)):
        if kept[block]:
            if first < 0:
                first = block
            last = block
    out: list[int] = []
    for block in range(max(0, first - 1), last + 1):
        if chars[block] < longest and may_be_label[chars[block]]:
            name = "".join(text[offset[start[block]] : offset[stop[block]]].split())
            if name.casefold().strip(signs) in labels:
                out.append(block)
    return out


@cython.ccall
@cython.locals(
    out="unsigned char[::1]", excluded="const unsigned char[::1]", kept="const unsigned char[::1]", block="int",
)  # fmt: skip
def leave_excluded(out: "Bytes", excluded: "Bytes", kept: "Bytes") -> None:
    """Take the excluded blocks out of `out` that are not among the `kept` ones.

    >>> out = bytearray([1, 1, 1])
    >>> leave_excluded(out, bytes([1, 1, 0]), bytes([1, 0, 0]))
    >>> list(out)
    [1, 0, 1]
    """
    for block in range(len(out)):
        if excluded[block] and not kept[block]:
            out[block] = 0


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    order="const Py_ssize_t[::1]", probs="const double[::1]", size="const double[::1]", kept="unsigned char[::1]",
    count="Py_ssize_t", k="Py_ssize_t", best="Py_ssize_t", hits="double", total="double", half_f1="double",
    highest="double", all_hits="double",
)  # fmt: skip
def keep_best(
    order: "NDArray[int64]", probs: "NDArray[float64]", size: "NDArray[float64]", kept: "Bytes"
) -> tuple[int, float]:
    """Keep the prefix of an order of blocks with the highest expected F1; return its length and that F1.

    >>> import numpy as np
    >>> kept = bytearray(2)
    >>> length, f1 = keep_best(np.array([1, 0]), np.array([0.1, 0.9]), np.array([10.0, 10.0]), kept)
    >>> length, float(f1), list(kept)
    (1, 0.9, [0, 1])
    """
    count = len(order)
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
    return best + 1, 2 * highest


@cython.ccall
@cython.locals(
    page="Columns", kept="const unsigned char[::1]", probs="const double[::1]", reasons="const unsigned char[::1]",
    mask="unsigned char[::1]", score="double[::1]", reason="unsigned char[::1]", text_rows="int[::1]",
    first="int[::1]", count="int", stop="int", k="int", row="int", block="int",
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
    text_rows, first = page.text_rows, page.first
    count = len(first)
    for block in range(count):
        stop = first[block + 1] if block + 1 < count else len(text_rows)
        for k in range(first[block], stop):
            row = text_rows[k]
            mask[row] = kept[block]
            score[row] = probs[block]
            reason[row] = reasons[block]
