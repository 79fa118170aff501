"""Check the positions of text: a span in the source that does not hold a row's characters is removed.

Pairing rows with what was written is a search, and damaged markup can mislead it. A position that is wrong is worse
than none.
"""

import re
from html import unescape
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from tamis.page.columns import Page

_TAG: Final = re.compile(r"<[a-zA-Z/!?][^<>]*>")
_WORD: Final = re.compile(r"\w+")


def drop_wrong_spans(page: "Page", source: str, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> None:
    """Set the span of each text row whose characters are not in it to -1, in place."""
    text, offset = page.text, page.offset.tolist()
    for row in np.flatnonzero(page.is_text & (page.nonspace > 0) & (start >= 0)).tolist():
        written, shown = source[start[row] : stop[row]], text[offset[row] : offset[row + 1]]
        if written != shown and not holds_words(written, shown):
            start[row] = stop[row] = -1


def holds_words(written: str, shown: str) -> bool:
    """Tell whether the letters and digits of a text are in a piece of source, in order.

    >>> holds_words("one &amp; <b>t</b>wo", "one & two"), holds_words("<br>", "one")
    (True, False)
    """
    letters = iter("".join(_WORD.findall(unescape(_TAG.sub("", written)))))
    return all(letter in letters for word in _WORD.findall(shown) for letter in word)
