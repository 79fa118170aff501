"""The source text of a page: which characters are shown text, and where tags and lines are."""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.page import Page

Bools = npt.NDArray[np.bool_]

#: A tag, or something whose tags do not count: a comment, a script, a style. Each alternative ends at the next "<" or
#: at the end of the source, so the search takes linear time on any input.
_TAG_OR_OPAQUE: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[a-z/][^<>]*>?", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class SourceText:
    """The source of a page, as positions of characters.

    Attributes:
        visible: one entry per character: whether it is shown text and not white space.
        tags: the positions where tags begin.
        line_ends: the positions of line ends.
        rows: the shown text rows that have a position in the source.
        start: one entry per such row: where it begins.
        stop: one entry per such row: where it ends.
    """

    visible: Bools
    tags: npt.NDArray[np.int64]
    line_ends: npt.NDArray[np.int64]
    rows: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    stop: npt.NDArray[np.int64]


def read_source_text(page: Page) -> SourceText:
    r"""Return the source text of a page.

    >>> from tamis.page import parse_page
    >>> source = read_source_text(parse_page("<p>a b\n<!-- <i> --></p>"))
    >>> "".join(".x"[int(visible)] for visible in source.visible), source.tags.tolist(), source.line_ends.tolist()
    ('...x.x.................', [0, 19], [6])
    """
    source = page.positions.source
    rows = np.flatnonzero(page.shown & (page.positions.start >= 0))
    start, stop = page.positions.start[rows], page.positions.stop[rows]
    codes = np.frombuffer(source.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    blank = (codes <= ord(" ")) | (codes == 0xA0)  # noqa: PLR2004 (the no-break space)
    matches = _TAG_OR_OPAQUE.finditer(source)
    tags = [match.start() for match in matches if match[1] is None and not match[0].startswith("<!--")]
    return SourceText(
        visible=_in_spans(len(source), start, stop) & ~blank,
        tags=np.array(tags, dtype=np.int64),
        line_ends=np.flatnonzero(codes == ord("\n")),
        rows=rows,
        start=start,
        stop=stop,
    )


def _in_spans(length: int, start: npt.NDArray[np.int64], stop: npt.NDArray[np.int64]) -> Bools:
    """Return which positions are inside one of the spans."""
    change = np.bincount(start, minlength=length + 1) - np.bincount(stop, minlength=length + 1)
    return np.asarray(np.cumsum(change[:length]) > 0)


def visible_share(source: SourceText, mask: Bools) -> npt.NDArray[np.float64]:
    """Return for each row of the source the share of its visible characters for which `mask` is true."""
    visible = np.concatenate(([0], np.cumsum(source.visible)))
    masked = np.concatenate(([0], np.cumsum(source.visible & mask)))
    total = visible[source.stop] - visible[source.start]
    return np.asarray((masked[source.stop] - masked[source.start]) / np.maximum(total, 1))
