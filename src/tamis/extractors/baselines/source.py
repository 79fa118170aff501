"""The source of a page as characters: which ones a reader sees, and where the tags begin."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.page import Page

Bools = npt.NDArray[np.bool_]

#: A tag, or what has no tags in it: a comment, a script, a style. Each alternative ends at the next "<" or at the
#: end of the source at the latest, so that no input makes the search more than linear.
_PIECE: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[a-z/][^<>]*>?", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Code:
    """The source as columns over its characters.

    Attributes:
        visible: characters of shown text that are not white space.
        tags: where tags begin.
        line_ends: where lines end.
        rows: the shown text rows that were found in the source.
        start: where each of them begins.
        stop: where it ends.
    """

    visible: Bools
    tags: npt.NDArray[np.int64]
    line_ends: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]


def read_code(page: Page) -> Code:
    r"""Read the source of a page.

    >>> from tamis.page import parse_page
    >>> code = read_code(parse_page("<p>a b\n<!-- <i> --></p>"))
    >>> "".join(".x"[int(seen)] for seen in code.visible), code.tags.tolist(), code.line_ends.tolist()
    ('...x.x.................', [0, 19], [6])
    """
    source = page.positions.source
    rows = np.flatnonzero(page.shown & (page.positions.start >= 0))
    start, stop = page.positions.start[rows], page.positions.stop[rows]
    codes = np.frombuffer(source.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    blank = (codes <= ord(" ")) | (codes == 0xA0)  # noqa: PLR2004 (the space that does not break)
    pieces = _PIECE.finditer(source)
    tags = [piece.start() for piece in pieces if piece[1] is None and not piece[0].startswith("<!--")]
    return Code(
        _cover(len(source), start, stop) & ~blank,
        np.array(tags, dtype=np.int64),
        np.flatnonzero(codes == ord("\n")),
        rows,
        start,
        stop,
    )


def _cover(length: int, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> Bools:
    """Return which positions lie in one of the spans."""
    change = np.bincount(start, minlength=length + 1) - np.bincount(stop, minlength=length + 1)
    return np.asarray(np.cumsum(change[:length]) > 0)


def majority(code: Code, wanted: Bools) -> npt.NDArray[np.float64]:
    """Return for each row of the code the share of its visible characters for which `wanted` is true."""
    seen = np.concatenate(([0], np.cumsum(code.visible)))
    good = np.concatenate(([0], np.cumsum(code.visible & wanted)))
    ink = seen[code.stop] - seen[code.start]
    return np.asarray((good[code.stop] - good[code.start]) / np.maximum(ink, 1))
