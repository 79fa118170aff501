"""The page's text in pieces: *blocks*, as a reader sees them, and *cells*, as the Mountain Model does.

A block is a run of inline content under its nearest block-level element: a paragraph, a heading, a list item, a
table cell, a bare run of text between two boxes. Two or more ``br`` in a row end a block, as they end a paragraph
for the reader. Every shown text row with ink belongs to exactly one block.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import runs

if TYPE_CHECKING:
    from tamis.page.columns import Page


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a page, in document order, as columns.

    Attributes:
        start: the first text row of each block.
        stop: the row after its last text row.
        container: the block-level element it stands in.
        block_of: for each row of the page its block, or -1 for rows that are no shown text.
        rows: the text rows of all blocks, one after another.
        first: where each block's rows begin in `rows`.
    """

    start: npt.NDArray[np.int32]
    stop: npt.NDArray[np.int32]
    container: npt.NDArray[np.int32]
    block_of: npt.NDArray[np.int32]
    rows: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.start)

    def sum(self, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """Sum a column of the page over the text rows of each block.

        >>> from tamis.page import parse_page
        >>> page = parse_page("<p>one <b>two</b></p><p>three</p>")
        >>> page.blocks.sum(page.words).tolist()
        [2.0, 1.0]
        """
        if not len(self):
            return np.zeros(0)
        return np.add.reduceat(values[self.rows], self.first, dtype=np.float64)

    def broadcast(self, values: npt.NDArray[Any], fill: float = 0) -> npt.NDArray[Any]:
        """Give each text row its block's value; every other row gets `fill`."""
        if not len(self):
            return np.full(len(self.block_of), fill, dtype=values.dtype)
        return np.where(self.block_of >= 0, values[self.block_of], np.asarray(fill, dtype=values.dtype))


def cut_blocks(page: "Page") -> Blocks:
    """Cut a page's shown text into blocks.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<div>lead <i>in</i><p>para</p>tail<br><br>next</div>")
    >>> [page.text[page.offset[a] : page.offset[b]] for a, b in zip(page.blocks.start, page.blocks.stop)]
    ['lead in', 'para', 'tail', 'next']
    """
    columns = runs.block_columns(
        (page.tag, page.inline_run, page.block_ancestor, page.shown.view(np.uint8), page.nonspace)
    )
    start, stop, host, of, rows, first = (np.frombuffer(column, dtype=np.int32) for column in columns)
    return Blocks(start, stop, host, of, rows, first)


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
    """Cut a page's shown text into the cells of the Mountain Model, with their places in the source.

    A text that the standard moves in the tree (out of a table, say) stands where the source has it. One that
    cannot be found there is put where the text before it ended, with no width.

    >>> from tamis.page import parse_page
    >>> cells = cut_cells(parse_page("<p>one <b>two</b></p>"))
    >>> cells.start.tolist(), cells.stop.tolist()
    ([3, 10], [7, 13])
    """
    rows = np.flatnonzero(page.shown)
    start, stop = page.positions.start[rows].copy(), page.positions.stop[rows].copy()
    lost = start < 0
    if lost.any():
        before = np.maximum.accumulate(np.where(lost, 0, stop)) if len(rows) else stop
        start[lost], stop[lost] = before[lost], before[lost]
    order = np.argsort(start, kind="stable")
    return Cells(rows[order], start[order], stop[order])
