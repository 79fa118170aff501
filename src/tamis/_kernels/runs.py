"""The loops over a page's runs of text: counting their characters, cutting them into blocks, choosing among these.

Compiled as ``_runs`` where there is a compiler, like `tamis._kernels.walk`; import from `tamis._kernels.loader`.
"""

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from tamis.html import characters, tags

if TYPE_CHECKING:
    from numpy import int32
    from numpy.typing import NDArray

_BR: Final = tags.IDS["br"]
_KINDS, _OTHER, _SPACE, _LETTER, _WIDE, _SYMBOL = (
    characters.CLASSES,
    characters.OTHER,
    characters.SPACE,
    characters.LETTER,
    characters.WIDE,
    characters.SYMBOL,
)
_PLANE, _IDEOGRAPHS, _TAGS = characters.PLANE, characters.IDEOGRAPHS, characters.TAGS
_EMOJI_FIRST, _EMOJI_LAST = characters.EMOJI


def count_characters(  # noqa: C901 (one loop, compiled)
    codes: Sequence[int], offset: "NDArray[int32]", plane: bytes
) -> tuple[Any, ...]:
    """Count the characters of each text run: by kind (rows by kinds), its words, its ink, its first and last kind.

    A run begins a word of its own even where the run before it ended in one. White space is no ink, and neither the
    first nor the last character of anything. `codes` are the code points of the text. The last thing returned is how
    many of all are of no other kind: those that nobody sees are among them.

    >>> import numpy as np
    >>> from tamis.html import characters
    >>> codes = memoryview("Two words".encode("utf-32-le")).cast("I")
    >>> kinds, words, ink, first, last, _ = count_characters(codes, np.array([0, 0, 9], dtype=np.int32), characters.plane())
    >>> list(words), list(ink), first[1] == characters.UPPER, last[1] == characters.LOWER
    ([0, 2], [0, 8], True, True)
    """
    rows = len(offset) - 1
    kinds = array("i", bytes(4 * _KINDS * rows))
    words, ink = array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    first, last = bytearray(rows), bytearray(rows)
    place = others = 0
    for row in range(rows):
        stop = offset[row + 1]
        if stop == place:
            continue
        base = row * _KINDS
        many = dark = 0
        before = _SPACE
        while place < stop:
            code = codes[place]
            if code < _PLANE:
                kind = plane[code]
            elif code >= _TAGS:
                kind = 0
            elif code >= _IDEOGRAPHS:
                kind = _WIDE
            elif _EMOJI_FIRST <= code <= _EMOJI_LAST:
                kind = _SYMBOL
            else:
                kind = _LETTER
            kinds[base + kind] += 1
            if kind != _SPACE:
                if not dark:
                    first[row] = kind
                dark += 1
                if before == _SPACE:
                    many += 1
                last[row] = kind
            before = kind
            place += 1
        words[row] = many
        ink[row] = dark
        others += kinds[base + _OTHER]
    return kinds, words, ink, first, last, others


def block_columns(columns: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cut the shown text rows into blocks: a new one where the segment changes, or two ``br`` have no ink between.

    Takes the columns tag, segment, box, shown and ink. Returns the first text row of each block, the row after its
    last, its host, the block of each row (-1: none), the text rows of all blocks, and where each block's begin there.
    """
    tag, segment, box, shown, ink = columns
    rows = len(tag)
    of, own, start = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    stop, host, first = array("i", bytes(4 * rows)), array("i", bytes(4 * rows)), array("i", bytes(4 * rows))
    block = current = last_break = -1
    extra = total = size = 0
    for row in range(rows):
        of[row] = -1
        total += ink[row]
        if tag[row] == _BR:
            if total == last_break:
                extra += 1
            last_break = total
        if shown[row]:
            if segment[row] + extra != current:
                current = segment[row] + extra
                block += 1
                start[block] = row
                host[block] = box[row]
                first[block] = size
            stop[block] = row + 1
            of[row] = block
            own[size] = row
            size += 1
    block += 1
    return start[:block], stop[:block], host[:block], of, own[:size], first[:block]


def selected_blocks(
    blocks: tuple[Any, ...], rows: tuple[Any, ...], text: str
) -> tuple[list[int], list[str], list[int]]:
    """Return the blocks that have chosen text: their numbers, what they say, and the hard ones.

    Hard are those that say less than their rows do (some were not chosen), have a line break or keep white space;
    they are given as places in the other lists, and say nothing there.

    Args:
        blocks: start and stop of the blocks.
        rows: mask, ink, tag, pre and offset of the rows.
        text: of the page.
    """
    start, stop = blocks
    mask, ink, tag, pre, offset = rows
    numbers: list[int] = []
    said: list[str] = []
    hard: list[int] = []
    for block in range(len(start)):
        some = False
        plain = not pre[start[block]]
        for row in range(start[block], stop[block]):
            if ink[row]:
                if mask[row]:
                    some = True
                else:
                    plain = False
            elif tag[row] == _BR:
                plain = False
        if some:
            own = ""
            if plain:
                begin, end = offset[start[block]], offset[stop[block]]
                own = " ".join(text[begin:end].split())
            else:
                hard.append(len(numbers))
            numbers.append(block)
            said.append(own)
    return numbers, said, hard
