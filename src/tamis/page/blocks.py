"""Blocks: the text of a page in the pieces that a reader sees.

A block is a run of inline content under its nearest block-level element: a paragraph, a heading, a list item, a table
cell, or text between two block-level elements. Two or more ``br`` in a row end a block, as they end a paragraph for
the reader. Each shown text row belongs to exactly one block.
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
        container: its nearest block-level element.
        block_of: for each row of the page its block, or -1 for rows that are not shown text.
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
        """Return a column of the page: each text row has its block's value, other rows have `fill`."""
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
    start, stop, container, block_of, rows, first = (np.frombuffer(column, dtype=np.int32) for column in columns)
    return Blocks(start, stop, container, block_of, rows, first)
