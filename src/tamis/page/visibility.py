"""What is there but not shown, read from attributes alone: no style sheet is needed and none is loaded.

Pages hide more than text. A guard against flicker hides the whole page until a script lifts it; a page behind its
open dialog is hidden from screen readers; a forum built by scripts keeps its posts in ``noscript``; React streams
content in hidden boxes that a script moves into place. All of that is meant to be read. So an element that holds most
of the page's text hides nothing, and neither do ``html``, ``body`` and React's boxes.
"""

import re
from typing import Final

import numpy as np
import numpy.typing as npt
import turbohtml

from tamis._kernels.loader import visibility
from tamis.html import tags
from tamis.page.columns import Hidden

# Plain numbers: an enumeration's `|` costs a microsecond, and pages have hundreds of hidden elements.
_ATTRIBUTE, _UNSHOWN = int(Hidden.ATTRIBUTE), int(Hidden.ELEMENT)
#: A page does not hide itself; a template is hidden by what it is.
_SPARED: Final = tags.tag_mask("html body template").tobytes()
_TEMPLATE, _NOSCRIPT = tags.IDS["template"], tags.IDS["noscript"]

_UNSHOWN_BY_TAG: Final = (tags.NOT_RENDERED.astype(np.uint8) * np.uint8(_UNSHOWN)).tobytes()

#: What is looked at, chosen by the parser in C: most pages have hundreds of styles and few of these.
_SPECIAL: Final = '[hidden],[aria-hidden="true" i],[style*="none" i],[style*="visib" i]'
_STREAMED: Final = re.compile(r"S:[0-9a-f]+")  # the id of a box that React's server renderer fills and moves

#: An element that holds more than half of the page's text, and at least a paragraph of it, hides nothing. On the
#: development pages of WCXB such elements are content 7 times in 10; smaller hidden ones, 1 time in 10.
_MOST: Final = 0.5
_PARAGRAPH: Final = 500  # characters


def hidden_rows(
    document: turbohtml.Document,
    nodes: list[turbohtml.Node],
    tag: npt.NDArray[np.uint8],
    parent: npt.NDArray[np.int32],
    end: npt.NDArray[np.int32],
    offset: npt.NDArray[np.int32],
) -> npt.NDArray[np.uint8]:
    """Return why each row is not shown: a set of `Hidden` bits, its own and those of the rows above; 0 is shown."""
    found, closer = visibility.visibility_bits(nodes, document.select(_SPECIAL), tag, _UNSHOWN_BY_TAG, _SPARED)
    bits = np.frombuffer(found, dtype=np.uint8)
    for row in closer:
        attribute = nodes[row].attr  # type: ignore[attr-defined]
        if tag[row] == _TEMPLATE:
            if attribute("shadowrootmode"):  # a browser shows it
                bits[row] = 0
        elif _STREAMED.fullmatch(attribute("id") or ""):
            bits[row] -= _ATTRIBUTE
    most = max(_MOST * int(offset[-1]), _PARAGRAPH)
    for row in visibility.large_hidden(bits, end, offset, most):
        if bits[row] != _UNSHOWN or tag[row] == _NOSCRIPT:
            bits[row] = 0
    visibility.propagate_down(parent, bits)
    return bits
