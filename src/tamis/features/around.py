"""Where a block stands: the elements above it, what they are and what their authors call them."""

from typing import Final

import numpy as np
import numpy.typing as npt

from tamis.features.vocabulary import NOTIONS, notions
from tamis.page import Page, tags
from tamis.page.sums import prefix

Floats = npt.NDArray[np.float32]

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

NAMES: Final = (
    *(f"host:{names.split()[0]}" for names in _HOSTS),
    *(f"above:{name}" for name in _ABOVE),
    *(f"near:{notion}" for notion in NOTIONS),
    *(f"far:{notion}" for notion in NOTIONS),
)
_HOST_OF: Final = np.full(len(tags.NAMES), -1)
for _number, _names in enumerate(_HOSTS):
    for _name in _names.split():
        _HOST_OF[tags.IDS[_name]] = _number
_ABOVE_OF: Final = np.full(len(tags.NAMES), -1)
for _number, _name in enumerate(_ABOVE):
    _ABOVE_OF[tags.IDS[_name]] = _number


def measure_around(page: Page) -> Floats:
    """Return the columns of `NAMES` for each block.

    How: an element covers a range of blocks, so each of its notions is +1 where the range begins and -1 where it
    ends; one cumulative sum over the blocks then tells how many such elements each block stands in.
    """
    blocks = page.blocks
    size = len(blocks)
    starts = prefix(np.bincount(blocks.start, minlength=len(page)))
    first, last = starts[: len(page)], starts[page.end]  # the blocks that begin in each row's subtree
    out = np.zeros((size, len(NAMES)), dtype=np.float32)
    host = _HOST_OF[page.tag[blocks.host]]
    known = np.flatnonzero(host >= 0)
    out[known, host[known]] = 1.0

    tagged = np.flatnonzero((_ABOVE_OF[page.tag] >= 0) & (last > first))
    named_rows, named_notions = _named(page)
    covers = last[named_rows] - first[named_rows]
    far = np.where(covers > NEAR, len(NOTIONS), 0)
    rows = np.concatenate([tagged, named_rows[covers > 0]])
    columns = np.concatenate([_ABOVE_OF[page.tag[tagged]], len(_ABOVE) + (named_notions + far)[covers > 0]])
    width = len(_ABOVE) + 2 * len(NOTIONS)
    change = np.bincount(first[rows] * width + columns, minlength=(size + 1) * width)
    change -= np.bincount(last[rows] * width + columns, minlength=(size + 1) * width)
    above = np.cumsum(change.reshape(size + 1, width)[:size], axis=0)
    np.minimum(above, 2, out=out[:, len(_HOSTS) :], casting="unsafe")
    return out


def _named(page: Page) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return rows and the notions of their names, as pairs."""
    looks, classes = page.looks
    dressed = np.flatnonzero(looks)
    names, rows, values = list(classes), dressed.tolist(), (looks[dressed] - 1).tolist()
    for attribute in _ATTRIBUTES:
        for row, value in page.attribute(attribute).items():
            rows.append(row)
            values.append(len(names))
            names.append(value)
    place, number = notions(names)
    count = np.bincount(place, minlength=len(names))
    start = np.cumsum(count) - count
    own = np.array(values, dtype=np.int64)
    times = count[own]
    which = np.repeat(start[own] - np.cumsum(times) + times, times) + np.arange(int(times.sum()))
    return np.repeat(np.array(rows, dtype=np.int64), times), number[which]
