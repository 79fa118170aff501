"""Text as lines on a screen: Liu 2017 measures density by the number of lines that a node's text fills.

A full-width character takes two columns, a combining mark none. Lines break at white space and next to full-width
characters, as in typesetting; a word longer than a line is cut.
"""

import unicodedata
from bisect import bisect_right
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.html import characters

COLUMNS: Final = 80  #: Liu 2017's maxLen: the maximum number of characters in a line


@cache
def _widths() -> npt.NDArray[np.uint8]:
    table = np.ones(characters.BMP_SIZE, dtype=np.uint8)
    for code in range(characters.BMP_SIZE):
        char = chr(code)
        if unicodedata.east_asian_width(char) in "WF":
            table[code] = 2
        elif unicodedata.combining(char):
            table[code] = 0
    return table


def widths(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Return the number of columns of each code point; two beyond the first plane (ideographs, emoji).

    >>> widths(np.array([ord("a"), ord("漢"), 0x301, 0x1F600], dtype=np.uint32)).tolist()
    [1, 2, 0, 2]
    """
    out = _widths()[np.minimum(codes, characters.BMP_SIZE - 1)]
    out[codes >= characters.BMP_SIZE] = 2
    return out


def wrap(text: str, columns: int = COLUMNS) -> list[str]:
    """Collapse white space and wrap text into lines of at most `columns` columns.

    >>> wrap("the quick brown fox", 10)
    ['the quick', 'brown fox']
    >>> wrap("漢字漢字", 4)
    ['漢字', '漢字']
    """
    text = " ".join(text.split())
    if not text:
        return []
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    return [text[start:stop] for start, stop in break_lines(codes, columns)]


def break_lines(codes: npt.NDArray[np.uint32], columns: int = COLUMNS) -> list[tuple[int, int]]:
    """Return the start and stop of each line of a text whose white space is collapsed, without trailing spaces."""
    width = widths(codes)
    column_of = np.concatenate(([0], np.cumsum(width, dtype=np.int64)))
    space = characters.classify(codes) == characters.SPACE
    # A line may end before position k if a space is there, or a wide character on either side.
    may_end = np.ones(len(codes) + 1, dtype=np.bool_)
    may_end[1:-1] = space[1:] | (width[1:] == 2) | (width[:-1] == 2)  # noqa: PLR2004 (two columns)
    ends: list[int] = np.flatnonzero(may_end).tolist()
    end_columns: list[int] = column_of[may_end].tolist()
    lines: list[tuple[int, int]] = []
    start, total = 0, len(codes)
    while start < total:
        limit = int(column_of[start]) + columns
        stop = ends[bisect_right(end_columns, limit) - 1]
        if stop <= start:  # one word, longer than the line
            stop = max(int(np.searchsorted(column_of, limit, side="right")) - 1, start + 1)
        lines.append((start, stop - 1 if stop - 1 > start and space[stop - 1] else stop))
        start = stop + 1 if stop < total and space[stop] else stop
    return lines
