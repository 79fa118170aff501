"""What all features stand on: the sizes of a page's blocks and which of them each row covers, measured once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """Measures of the blocks of a page.

    Attributes:
        size: the size of each block in words, whatever its script.
        ink: its characters that are not white space.
        link_ink: those of them in links.
        stops: the characters that end sentences.
        begun: how many blocks have begun before each row; one entry more than there are rows.
        until: how many have begun before the end of each row's subtree.
        holds: a 1 for each element that blocks begin in.
        looks: a number for the ``class`` of each of those (0: none; equal numbers, equal classes).
        classes: the classes, in the order of their numbers, from 1 on.
    """

    size: Floats
    ink: Floats
    link_ink: Floats
    stops: Floats
    begun: npt.NDArray[np.int32]
    until: npt.NDArray[np.int32]
    holds: npt.NDArray[np.uint8]
    looks: npt.NDArray[np.int32]
    classes: tuple[str, ...]

    @property
    def total(self) -> float:
        """The size of the page, at least one word."""
        return max(float(self.size.sum()), 1.0)
