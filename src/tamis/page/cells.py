"""Cells: the text of a page in the pieces of the Mountain Model (Bing 2008)."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tamis.page.columns import Page


@dataclass(frozen=True, slots=True)
class Cells:
    """The information cells of a page (Bing 2008): each shown text between ``>`` and ``<``.

    Attributes:
        row: the text row of each cell, in the order of the source.
        start: where its text begins in the source.
        stop: where it ends.
    """

    row: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.row)


def cut_cells(page: "Page") -> Cells:
    """Cut a page's shown text into cells, with their positions in the source.

    Text that the parser moves in the tree (out of a table, for example) has its position in the source. Text that is
    not found there gets an empty span where the text before it ends.

    >>> from tamis.page import parse_page
    >>> cells = cut_cells(parse_page("<p>one <b>two</b></p>"))
    >>> cells.start.tolist(), cells.stop.tolist()
    ([3, 10], [7, 13])
    """
    rows = np.flatnonzero(page.shown)
    start, stop = page.positions.start[rows].copy(), page.positions.stop[rows].copy()
    missing = start < 0
    if missing.any():
        previous_stop = np.maximum.accumulate(np.where(missing, 0, stop))
        start[missing], stop[missing] = previous_stop[missing], previous_stop[missing]
    order = np.argsort(start, kind="stable")
    return Cells(rows[order], start[order], stop[order])
