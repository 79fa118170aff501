"""Where a block stands: the elements above it, what they are and what their authors call them."""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.features.ground import Floats, Ground
from tamis.features.loops import mark, notions_of, read_names
from tamis.features.scan import hashes_of
from tamis.features.vocabulary import NOTIONS, SPELLINGS
from tamis.page import Page, tags
from tamis.page.loops import rows_among

#: The element a block stands in, by family.
_HOSTS: Final = (
    "p", "li", "td th", "h1", "h2", "h3", "h4 h5 h6", "div", "section article main", "dt dd", "blockquote", "pre",
    "figcaption caption", "option select optgroup", "header footer nav aside", "form fieldset legend", "body",
    "summary details", "ul ol dl table tr tbody", "address center",
)  # fmt: skip
#: Elements anywhere above it. Those that lay out pages of the 2000s (``table``, ``td``, ``font``, ``center``) are not
#: here: on today's pages, which the training has, they mean something else.
_ABOVE: Final = (
    "article", "main", "nav", "header", "footer", "aside", "section", "form", "ul", "ol", "dl", "figure",
    "blockquote", "details", "pre", "a", "button", "p", "h1", "h2", "h3", "code", "noscript", "dialog", "hgroup",
    "time", "label",
)  # fmt: skip
#: An element with at most this many blocks is right around a block; a larger one is somewhere above it.
NEAR: Final = 4
_ATTRIBUTES: Final = ("id", "role", "itemprop")  #: besides ``class``
_NAMED: Final = ",".join(f"[{name}]" for name in _ATTRIBUTES)
_HASHES: Final = hashes_of(SPELLINGS)
_MOST: Final = 2.0  # elements of one name above a block: more say no more

NAMES: Final = (
    *(f"host:{names.split()[0]}" for names in _HOSTS),
    *(f"above:{name}" for name in _ABOVE),
    *(f"near:{notion}" for notion in NOTIONS),
    *(f"far:{notion}" for notion in NOTIONS),
)
_HOST_OF: Final = np.full(len(tags.NAMES), len(_HOSTS))  # the last stands for none
for _number, _names in enumerate(_HOSTS):
    for _name in _names.split():
        _HOST_OF[tags.IDS[_name]] = _number
_ABOVE_OF: Final = np.full(len(tags.NAMES), -1, dtype=np.int32)
for _number, _name in enumerate(_ABOVE):
    _ABOVE_OF[tags.IDS[_name]] = _number
_IS_HOST: Final = np.eye(len(_HOSTS) + 1, dtype=np.float32)[: len(_HOSTS)]


def measure_around(page: Page, ground: Ground, out: Floats) -> None:
    """Fill the rows of `NAMES` for the blocks of a page."""
    blocks = page.blocks
    names, rows, values = _named_rows(page, ground)
    out[: len(_HOSTS)] = _IS_HOST[:, _HOST_OF[page.tag[blocks.host]]]
    mark(
        out[len(_HOSTS) :],
        (ground.begun, ground.until),
        (page.tag, _ABOVE_OF),
        (rows, values),
        notions_of(names, _HASHES, len(NOTIONS)),
        (len(_ABOVE), len(NOTIONS), NEAR, _MOST),
    )


def _named_rows(page: Page, ground: Ground) -> tuple[list[str], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Return the names of the elements that hold blocks; and rows with the numbers of their names."""
    names = list(ground.classes)
    dressed = np.flatnonzero(ground.looks).astype(np.int32)
    elements = page.nodes[0].select(_NAMED)
    rows, values = read_names(elements, rows_among(page.nodes, elements), ground.holds, _ATTRIBUTES, names)
    return (
        names,
        np.concatenate([dressed, np.frombuffer(rows, dtype=np.int32)]),
        np.concatenate([ground.looks[dressed] - 1, np.frombuffer(values, dtype=np.int32)]),
    )
