"""`BlockStats`: the measures of blocks that several features need, computed once per page."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class BlockStats:
    """Measures of the blocks of a page, and of the rows that contain them.

    Attributes:
        size: the estimated number of words of each block, comparable across scripts.
        nonspace: its characters that are not white space.
        link_nonspace: those of them in links.
        stops: the characters that end a sentence.
        first_block: for each row the first block of its subtree; one entry more, which is the number of blocks.
        last_block: for each row the block after the last of its subtree.
        has_blocks: 1 for each element that contains blocks.
        class_ids: a number for the ``class`` of each of those elements (0: none; equal numbers, equal classes).
    """

    size: Floats
    nonspace: Floats
    link_nonspace: Floats
    stops: Floats
    first_block: npt.NDArray[np.int32]
    last_block: npt.NDArray[np.int32]
    has_blocks: npt.NDArray[np.uint8]
    class_ids: npt.NDArray[np.int32]
