"""The characters of each text run, counted by class."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tamis._kernels.loader import runs
from tamis.html import characters


@dataclass(frozen=True, slots=True, eq=False)
class CharCounts:
    """Counts over the text run of each row; rows that are not text runs have zeros.

    Attributes:
        by_class: characters of each class (`tamis.html.characters`), rows by classes.
        words: maximal runs without white space.
        nonspace: characters that are not white space.
        first_class: the class of the first of those.
        last_class: the class of the last.
        other_count: characters of the whole page that are in class OTHER.
    """

    by_class: npt.NDArray[np.int32]
    words: npt.NDArray[np.int32]
    nonspace: npt.NDArray[np.int32]
    first_class: npt.NDArray[np.uint8]
    last_class: npt.NDArray[np.uint8]
    other_count: int


def count_characters(text: str, offset: npt.NDArray[np.int32]) -> CharCounts:
    """Count the characters of the text runs that begin at the offsets; the last offset is the end of the text.

    >>> counts = count_characters("Two words", np.array([0, 0, 9], dtype=np.int32))
    >>> counts.words.tolist(), counts.nonspace.tolist()
    ([0, 2], [0, 8])
    """
    codes = memoryview(text.encode("utf-32-le")).cast("I")
    by_class, words, nonspace, first_class, last_class, other_count = runs.count_characters(
        codes, offset, characters.bmp_classes()
    )
    return CharCounts(
        by_class=np.frombuffer(by_class, dtype=np.int32).reshape(len(offset) - 1, characters.CLASSES),
        words=np.frombuffer(words, dtype=np.int32),
        nonspace=np.frombuffer(nonspace, dtype=np.int32),
        first_class=np.frombuffer(first_class, dtype=np.uint8),
        last_class=np.frombuffer(last_class, dtype=np.uint8),
        other_count=other_count,
    )
