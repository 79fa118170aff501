"""Which elements without text, such as images and videos, belong to the content.

One does if no unselected text is between it and an element with selected text: an image in a box with an advertiser's
unselected line does not.
"""

from typing import Final

import numpy as np

from tamis.html import tags
from tamis.page import Page
from tamis.page.sums import Bools, prefix_sums

_PARAGRAPH_LIKE: Final = tags.tag_mask("p figure li td")
_MAX_LEVELS: Final = 100  #: from an image up to an element with selected text


class ContentTest:
    """Tells which elements without text, such as images and videos, belong to the selected text."""

    def __init__(self, page: Page, mask: Bools, captioned_boxes: frozenset[int] = frozenset()) -> None:
        self._page, self._captioned_boxes = page, captioned_boxes
        self._first, self._stop = int(np.argmax(mask)), len(mask) - int(np.argmax(mask[::-1]))
        self._selected, self._unselected = prefix_sums(mask), prefix_sums(page.shown & ~mask)

    def has(self, row: int) -> bool:
        """Tell whether an element belongs to the content."""
        page, selected, unselected = self._page, self._selected, self._unselected
        if not self._first - _MAX_LEVELS < row < self._stop + _MAX_LEVELS:
            return False
        inner = row  # the outermost element around the image without selected text
        for _ in range(_MAX_LEVELS):
            outer = int(page.parent[inner])
            if outer <= 0:
                return False
            if selected[page.end[outer]] > selected[outer]:
                break
            inner = outer
        else:
            return False
        figure = self._figure(row, outer)
        in_figure = figure >= 0
        # Beside the caption of a figure there may be no text that was left out.
        box = min(inner, figure) if in_figure else inner
        others = int(unselected[page.end[box]] - unselected[box])
        if others > (int(unselected[page.end[figure]] - unselected[figure]) if in_figure else 0):
            return False
        # Before the first and after the last selected text only a figure counts, or an image in the same paragraph.
        return self._first <= row < self._stop or in_figure or bool(_PARAGRAPH_LIKE[page.tag[outer]])

    def _figure(self, row: int, outer: int) -> int:
        """Return the outermost figure around an element, up to another element around it; -1 if there is none."""
        page, found = self._page, -1
        while row > outer:
            row = int(page.parent[row])
            if page.tag[row] == tags.IDS["figure"] or row in self._captioned_boxes:
                found = row
        return found
