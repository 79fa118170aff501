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
    """

    size: Floats
    ink: Floats
    link_ink: Floats
    stops: Floats
    begun: npt.NDArray[np.int32]

    @property
    def total(self) -> float:
        """The size of the page, at least one word."""
        return max(float(self.size.sum()), 1.0)
