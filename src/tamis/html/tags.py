"""HTML elements as small integers, and classes of elements.

A row of a `Page` has a tag id: an index into `NAMES` (0 for text runs and for elements that are not listed). Each
class of elements is a boolean mask over tag ids, so ``BLOCK[page.tag]`` classifies a whole page at once.
"""

import re
from typing import Final

import numpy as np
import numpy.typing as npt

_LIST: Final = """
    (other) html head body title meta link base script style template noscript
    a abbr acronym address applet area article aside audio b basefont bdi bdo bgsound big blink blockquote br
    button canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt
    em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr
    i iframe img input ins kbd label legend li listing main map mark marquee math menu menuitem meter
    nav nobr noembed noframes object ol optgroup option output p param picture plaintext portal pre progress
    q rb rp rt rtc ruby s samp search section select slot small source span strike strong sub summary sup svg
    table tbody td textarea tfoot th thead time tr track tt u ul var video wbr xmp
    mi mo mn ms mtext mrow msup msub mfrac msqrt semantics annotation annotation-xml path g text tspan desc use
"""
NAMES: Final[tuple[str, ...]] = tuple(_LIST.split())

OTHER: Final = 0
IDS: Final[dict[str, int]] = {name: index for index, name in enumerate(NAMES)}


def tag_mask(names: str) -> npt.NDArray[np.bool_]:
    """Return a boolean mask over tag ids, true for the given names.

    >>> bool(tag_mask("p div")[IDS["p"]]), bool(tag_mask("p div")[IDS["span"]])
    (True, False)
    """
    out = np.zeros(len(NAMES), dtype=np.bool_)
    for name in names.split():
        out[IDS[name]] = True
    return out


def tag_pattern(mask: npt.NDArray[np.bool_]) -> re.Pattern[bytes]:
    """Return what finds a tag of a mask in the bytes of a few rows of tags, several times faster than an array does.

    >>> tag_pattern(tag_mask("p div")).search(bytes([IDS["b"], IDS["p"]])).start()
    1
    """
    return re.compile(b"[" + re.escape(bytes(np.flatnonzero(mask).tolist())) + b"]")


#: Elements that start and end a line (the standard's rendering section: display block, list-item, table parts). `td`,
#: `th` and `option` are here because their texts must never run together.
BLOCK: Final = tag_mask(
    """
    html body address article aside blockquote caption center dd details dialog dir div dl dt fieldset figcaption
    figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav noframes ol
    optgroup option p plaintext pre search section summary table tbody td tfoot th thead title tr ul xmp
    noscript template head iframe select textarea datalist
    """
)

#: All characters inside these are link characters (Song 2015's program counts the three alike).
LINK: Final = tag_mask("a button select")

#: Elements whose text is code for the browser. They keep their row and lose their text.
RAW: Final = tag_mask("script style iframe noembed noframes")

#: Elements whose text is not rendered in place: metadata, fallbacks, values of fields.
NOT_RENDERED: Final = tag_mask("head title template noscript datalist textarea canvas audio video desc annotation")

#: Elements that keep white space.
PRE: Final = tag_mask("pre textarea listing plaintext xmp")

HEADING: Final = tag_mask("h1 h2 h3 h4 h5 h6")
CELL: Final = tag_mask("td th")
#: Elements without content, which a serializer must not close.
VOID: Final = tag_mask("area base basefont bgsound br col embed frame hr img input link meta param source track wbr")
