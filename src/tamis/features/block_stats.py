"""What all features stand on: the sizes of a page's blocks and which of them each row covers, measured once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class BlockStats:
    """Measures of the blocks of a page.

    Attributes:
        size: the size of each block in words, whatever its script.
        nonspace: its characters that are not white space.
        link_nonspace: those of them in links.
        stops: the characters that end sentences.
        begun: how many blocks have begun before each row; one entry more than there are rows.
        until: how many have begun before the end of each row's subtree.
        holds: a 1 for each element that blocks begin in.
        class_ids: a number for the ``class`` of each of those (0: none; equal numbers, equal classes).
        class_names: the classes, in the order of their numbers, from 1 on.
    """

    size: Floats
    nonspace: Floats
    link_nonspace: Floats
    stops: Floats
    begun: npt.NDArray[np.int32]
    until: npt.NDArray[np.int32]
    holds: npt.NDArray[np.uint8]
    class_ids: npt.NDArray[np.int32]
    class_names: tuple[str, ...]

    @property
    def total(self) -> float:
        """The size of the page, at least one word."""
        return max(float(self.size.sum()), 1.0)
