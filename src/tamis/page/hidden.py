"""What is there but not shown, read from attributes alone: no style sheet is needed and none is loaded.

Pages hide more than text. A guard against flicker hides the whole page until a script lifts it; a page behind its
open dialog is hidden from screen readers; a forum built by scripts keeps its posts in ``noscript``; React streams
content in hidden boxes that a script moves into place. All of that is meant to be read. So an element that holds most
of the page's text hides nothing, and neither do ``html``, ``body`` and React's boxes.
"""

import re
from collections.abc import Iterable
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis.page import tags
from tamis.page.columns import Hidden

# Plain numbers: an enumeration's `|` costs a microsecond, and pages have hundreds of hidden elements.
_ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY, _UNSHOWN = map(int, Hidden)
_BITS: Final = tuple(map(int, Hidden))
_WHOLE: Final = (tags.IDS["html"], tags.IDS["body"])
_TEMPLATE, _ANCHOR, _NOSCRIPT = tags.IDS["template"], tags.IDS["a"], tags.IDS["noscript"]

#: What is looked at, chosen by the parser in C: most pages have hundreds of styles and few of these.
_SPECIAL: Final = (
    '[hidden],[aria-hidden="true" i],[style*="display:none" i],[style*="display: none" i],[style*="display :" i],'
    '[style*="visibility" i],template[shadowrootmode],'
    "a[name]:not([href]),a[id]:not([href])"
)
_INVISIBLE: Final = re.compile(r"(?:^|[;{\s])visibility\s*:\s*(?:hidden|collapse)")
_NOT_DISPLAYED: Final = re.compile(r"(?:^|[;{\s])display\s*:\s*none")
_STREAMED: Final = re.compile(r"S:[0-9a-f]+")  # the id of a box that React's server renderer fills and moves

#: An element that holds more than half of the page's text, and at least a paragraph of it, hides nothing. On the
#: development pages of WCXB such elements are content 7 times in 10; smaller hidden ones, 1 time in 10.
_MOST: Final = 0.5
_PARAGRAPH: Final = 500  # characters


def look_closer(
    document: turbohtml.Document,
    elements: list[turbohtml.Element],
    element_rows: npt.NDArray[np.int64],
    tag: npt.NDArray[np.uint8],
    end: npt.NDArray[np.int32],
    offset: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.uint8], list[int]]:
    """Return why each row is not shown (a set of `Hidden` bits; 0 is shown), and the ``a`` that are no links.

    An ``a`` with a name and no address marks a place. Old pages leave it open, and then it holds the whole page.
    """
    unshown = np.flatnonzero(tags.UNSHOWN[tag]).tolist()
    marks = dict.fromkeys(unshown, _UNSHOWN)
    anchors: list[int] = []
    candidates = document.select(_SPECIAL)
    rows = _rows_of(candidates, elements, element_rows)
    for element, row, name in zip(candidates, rows, tag[rows].tolist(), strict=True):
        if name in _WHOLE:
            continue
        if name == _TEMPLATE:
            if element.attr("shadowrootmode"):  # a browser shows it
                del marks[row]
            continue
        if name == _ANCHOR and element.attr("href") is None:
            anchors.append(row)
        reason = _reason(element)
        if reason:
            marks[row] = marks.get(row, 0) | reason
    return _spread(marks, tag, end, offset), anchors


def _spread(
    marks: dict[int, int],
    tag: npt.NDArray[np.uint8],
    end: npt.NDArray[np.int32],
    offset: npt.NDArray[np.int32],
) -> npt.NDArray[np.uint8]:
    """Return the reasons of every row: those of its own marks and of the marks above it."""
    out = np.zeros(len(tag), dtype=np.uint8)
    rows = np.array(sorted(marks), dtype=np.int64)
    stops = end[rows]
    most = max(_MOST * int(offset[-1]), _PARAGRAPH)
    guard = (offset[stops] - offset[rows] > most).tolist()
    until = dict.fromkeys(_BITS, 0)  # where the last range with each reason ends
    for row, stop, is_guard in zip(rows.tolist(), stops.tolist(), guard, strict=True):
        reason = marks[row]
        if is_guard and (reason != _UNSHOWN or tag[row] == _NOSCRIPT):
            continue
        # Ranges nest: below one with the same reason nothing is left to do, however deep. Most have one reason.
        for bit in (reason,) if reason in until else _BITS:
            if reason & bit and row >= until[bit]:
                out[row:stop] |= np.uint8(bit)
                until[bit] = stop
    return out


def _reason(element: turbohtml.Element) -> int:
    """Return the `Hidden` bits of an element's own attributes."""
    reason = 0
    if element.attr("hidden") is not None and not _STREAMED.fullmatch(element.attr("id") or ""):
        reason |= _ATTRIBUTE
    aria = element.attr("aria-hidden")
    if aria and aria.lower() == "true":
        reason |= _ARIA
    style = element.attr("style")
    if style:
        style = style.lower()
        if "none" in style and _NOT_DISPLAYED.search(style):
            reason |= _DISPLAY
        if "visib" in style and _INVISIBLE.search(style):
            reason |= _VISIBILITY
    return reason


def _rows_of(
    wanted: Iterable[turbohtml.Element], elements: list[turbohtml.Element], rows: npt.NDArray[np.int64]
) -> list[int]:
    """Return the rows of some elements, given in document order: one merge over both lists."""
    out: list[int] = []
    place = 0
    for element in wanted:
        place = elements.index(element, place)
        out.append(place)
    return rows[out].tolist() if out else out
