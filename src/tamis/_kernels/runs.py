"""Loops over a page's text runs: counting their characters, cutting them into blocks, choosing blocks.

Compiled as ``_runs``, with the types in ``_runs.pxd``; import it from `tamis._kernels.loader`.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tamis.html import characters, tags

if TYPE_CHECKING:
    from numpy import int32
    from numpy.typing import NDArray

_BR: Final = tags.IDS["br"]
_TEXT: Final = 2  # `tamis.page.TEXT`, which imports this module
_CLASSES, _OTHER, _SPACE, _LETTER, _WIDE, _SYMBOL = (
    characters.CLASSES,
    characters.OTHER,
    characters.SPACE,
    characters.LETTER,
    characters.WIDE,
    characters.SYMBOL,
)
_BMP_SIZE, _IDEOGRAPHS, _TAGS = characters.BMP_SIZE, characters.IDEOGRAPHS, characters.TAGS
_EMOJI_FIRST, _EMOJI_LAST = characters.EMOJI


def count_characters(  # noqa: C901 (one loop, compiled)
    codes: Sequence[int], offset: "NDArray[int32]", bmp_classes: bytes
) -> tuple[Any, ...]:
    """Count the characters of each text run.

    Returns the columns of `tamis.page.char_counts.CharCounts`: characters by class (rows by classes), words,
    characters that are not white space, the class of the first and of the last of those; and how many characters of
    the page are in class OTHER, where the invisible ones are.

    A run starts a new word even where the run before it ended inside one.

    Args:
        codes: the code points of the page's text.
        offset: where each row's text begins, with one entry more.
        bmp_classes: the class of each code point of the Basic Multilingual Plane.

    >>> import numpy as np
    >>> from tamis.html import characters
    >>> codes = memoryview("Two words".encode("utf-32-le")).cast("I")
    >>> counts = count_characters(codes, np.array([0, 0, 9], dtype=np.int32), characters.bmp_classes())
    >>> by_class, words, nonspace, first_class, last_class, other_count = counts
    >>> list(words), list(nonspace), first_class[1] == characters.UPPER, last_class[1] == characters.LOWER
    ([0, 2], [0, 8], True, True)
    """
    rows = len(offset) - 1
    by_class = array("i", bytes(4 * _CLASSES * rows))
    words, nonspace = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    first_class, last_class = bytearray(rows), bytearray(rows)
    position = other_count = 0
    for row in range(rows):
        stop = offset[row + 1]
        if stop == position:
            continue
        base = row * _CLASSES
        word_count = nonspace_count = 0
        previous_class = _SPACE
        while position < stop:
            code = codes[position]
            if code < _BMP_SIZE:
                char_class = bmp_classes[code]
            elif code >= _TAGS:
                char_class = _OTHER
            elif code >= _IDEOGRAPHS:
                char_class = _WIDE
            elif _EMOJI_FIRST <= code <= _EMOJI_LAST:
                char_class = _SYMBOL
            else:
                char_class = _LETTER
            by_class[base + char_class] += 1
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
    return by_class, words, nonspace, first_class, last_class, other_count


def block_columns(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cut the shown text rows into blocks; return the columns of `tamis.page.blocks.Blocks`.

    A new block begins where the inline run changes, and after two ``br`` with nothing but white space between.

    Args:
        columns: tag, inline_run, block_ancestor, shown and nonspace of the rows.
    """
    tag, inline_run, block_ancestor, shown, nonspace = columns
    rows = len(tag)
    block_of, text_rows, start = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    stop, container, first = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    block = current_run = nonspace_at_break = -1
    extra_breaks = total_nonspace = size = 0
    for row in range(rows):
        block_of[row] = -1
        total_nonspace += nonspace[row]
        if tag[row] == _BR:
            if total_nonspace == nonspace_at_break:
                extra_breaks += 1
            nonspace_at_break = total_nonspace
        if shown[row]:
            if inline_run[row] + extra_breaks != current_run:
                current_run = inline_run[row] + extra_breaks
                block += 1
                start[block] = row
                container[block] = block_ancestor[row]
                first[block] = size
            stop[block] = row + 1
            block_of[row] = block
            text_rows[size] = row
            size += 1
    block += 1
    return start[:block], stop[:block], container[:block], block_of, text_rows[:size], first[:block]


def selected_blocks(  # noqa: C901, PLR0912 (two loops over the rows of a block, compiled)
    blocks: tuple[Any, ...], rows: tuple[Any, ...], text: str
) -> tuple[list[int], list[str]]:
    """Return the blocks with selected text: their numbers, and their texts with white space collapsed.

    In a block that keeps white space, the text is as it is, without line ends at its edges.

    Args:
        blocks: start and stop of the blocks.
        rows: node type, mask, nonspace, tag, pre, hidden and offset of the rows.
        text: the text of the page.
    """
    start, stop = blocks
    node_type, mask, nonspace, tag, pre, hidden, offset = rows
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
            elif tag[row] == _BR:
                regular = False
        if not selected:
            continue
        numbers.append(block)
        if regular:
            begin, end = offset[start[block]], offset[stop[block]]
            texts.append(" ".join(text[begin:end].split()))
            continue
        parts: list[str] = []
        for row in range(start[block], stop[block]):
            begin, end = offset[row], offset[row + 1]
            if tag[row] == _BR:
                if not hidden[row]:
                    parts.append("\n" if preformatted else "\r")
            elif node_type[row] == _TEXT and end > begin:
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
