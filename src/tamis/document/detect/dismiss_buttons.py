"""Buttons that close a box, with a cross for a label: no text of the page."""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.page import Hidden, Page

_CROSSES: Final = frozenset({"×", "✕", "✖", "✗", "╳", "⨯", "x", "X"})
_MAX_CHARS: Final = 20  #: of the text of a button, with white space around its label


def hide_dismiss_buttons(page: Page, hidden: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Return which rows are hidden, with those of buttons that close a box.

    >>> from tamis.page import parse_page
    >>> page = parse_page("<p><button>×</button>Saved. <button>Undo</button>")
    >>> hidden = hide_dismiss_buttons(page, page.hidden)
    >>> [page.row_text(row) for row in range(len(page)) if page.is_text[row] and not hidden[row]]
    ['Saved. ', 'Undo']
    """
    out = hidden
    for row in page.rows_of("button").tolist():
        end = int(page.end[row])
        if page.offset[end] - page.offset[row] <= _MAX_CHARS and page.row_text(row).strip() in _CROSSES:
            out = out.copy() if out is hidden else out
            out[row:end] |= np.uint8(Hidden.ATTRIBUTE)
    return out
