"""Lines: runs of inline content between the edges of blocks and ``br``. A note may be one line of a paragraph."""

import numpy as np

from tamis.html import tags
from tamis.page import Page

_BR = tags.IDS["br"]


class Lines:
    """The lines of a page's shown text.

    Attributes:
        first: the first shown text row of each line.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        breaks = np.cumsum((page.tag == _BR) & page.is_element).astype(np.int64)
        self._number = page.inline_run.astype(np.int64) + breaks  # grows at every edge
        shown = np.flatnonzero(page.shown & (np.arange(len(page)) > page.body))
        numbers = self._number[shown]
        is_first = np.ones(len(shown), dtype=np.bool_)
        is_first[1:] = numbers[1:] != numbers[:-1]
        self.first = shown[is_first]
        self._first_numbers = numbers[is_first]

    def start_of(self, row: int) -> int:
        """Return the row where the line of a row begins: its first text, or the inline element around that."""
        index = int(np.searchsorted(self._first_numbers, self._number[row]))
        if index == len(self.first) or self._first_numbers[index] != self._number[row]:
            return row
        return self.top_of(min(int(self.first[index]), row), row)

    def top_of(self, row: int, within: int | None = None) -> int:
        """Return the outermost inline element that begins a line with a row; the row itself if there is none."""
        page = self.page
        number = self._number[row]
        for _ in range(8):
            parent = int(page.parent[row])
            if parent <= page.body or tags.BLOCK[page.tag[parent]] or not page.is_element[parent]:
                break
            if self._number[parent] != number or (within is not None and page.end[parent] <= within):
                break
            row = parent
        return row

    def stop_of(self, row: int) -> int:
        """Return the row after the last row of the line of a row, or the end of its block."""
        stop = int(np.searchsorted(self._number, self._number[row], side="right"))
        return min(stop, len(self.page))
