"""Which rows are hidden, from tags and attributes alone; style sheets are not loaded.

Some hidden text is meant to be read. An anti-flicker snippet hides the whole page until a script shows it; a page
behind an open dialog is hidden from screen readers; a forum built by scripts keeps its posts in ``noscript``; React
streams content in hidden elements that a script moves into place. So an element that contains most of the page's text
does not count as hidden, and neither do ``html``, ``body``, React's elements and collapsed panels, which a click
shows (`tamis.page.panels`).
"""

import re
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._kernels.loader import visibility
from tamis.html import tags
from tamis.page.columns import Hidden
from tamis.page.panels import find_panels

# Plain integers: an enumeration's `|` takes a microsecond, and pages have hundreds of hidden elements.
_ATTRIBUTE, _NOT_RENDERED = int(Hidden.ATTRIBUTE), int(Hidden.ELEMENT)
_BY_ATTRIBUTES: Final = 255 - _NOT_RENDERED
#: Elements whose attributes hide nothing: a page does not hide itself, and a template is hidden by its tag.
_EXEMPT: Final = tags.tag_mask("html body template").tobytes()
_TEMPLATE, _NOSCRIPT = tags.IDS["template"], tags.IDS["noscript"]

_BITS_OF_TAG: Final = (tags.NOT_RENDERED.astype(np.uint8) * np.uint8(_NOT_RENDERED)).tobytes()

#: Elements whose attributes are read. The parser selects them in C: most pages have hundreds of styles, few of these.
_CANDIDATES: Final = '[hidden],[aria-hidden="true" i],[style*="none" i],[style*="visib" i]'
_STREAMED_ID: Final = re.compile(r"S:[0-9a-f]+")  # the id of an element that React's server renderer fills and moves

#: A hidden element counts as shown if it contains more than half of the page's text and at least a paragraph. On the
#: development pages of WCXB such elements are content 7 times in 10; smaller hidden ones, 1 time in 10.
_LARGE_SHARE: Final = 0.5
_LARGE_CHARS: Final = 500


def hidden_rows(
    document: turbohtml.Document,
    nodes: list[turbohtml.Node],
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
    offset: npt.NDArray[np.int32],
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int32]]:
    """Return for each row the `Hidden` bits of the row and its ancestors, 0 is shown; and the collapsed panels."""
    own_bits, to_check = visibility.visibility_bits(nodes, document.select(_CANDIDATES), tag, _BITS_OF_TAG, _EXEMPT)
    bits = np.frombuffer(own_bits, dtype=np.uint8)
    for row in to_check:
        attribute = nodes[row].attr  # type: ignore[attr-defined]
        if tag[row] == _TEMPLATE:
            if attribute("shadowrootmode"):  # a browser shows it
                bits[row] = 0
        elif _STREAMED_ID.fullmatch(attribute("id") or ""):
            bits[row] -= _ATTRIBUTE
    panels: list[int] = []
    hidden = np.flatnonzero(bits & _BY_ATTRIBUTES)
    hidden = hidden[offset[end[hidden]] > offset[hidden]]  # icons have no text to show
    if len(hidden):
        panels = find_panels(document, nodes, tag, parent, hidden.tolist())
        bits[panels] &= _NOT_RENDERED
    max_chars = max(_LARGE_SHARE * int(offset[-1]), _LARGE_CHARS)
    for row in visibility.large_hidden(bits, end, offset, max_chars):
        if bits[row] != _NOT_RENDERED or tag[row] == _NOSCRIPT:
            bits[row] = 0
    visibility.propagate_down(parent, bits)
    return bits, np.array(panels, dtype=np.int32)
