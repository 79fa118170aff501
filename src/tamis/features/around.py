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
#: Elements anywhere above it.
_ABOVE: Final = (
    "article", "main", "nav", "header", "footer", "aside", "section", "form", "table", "ul", "ol", "dl", "figure",
    "blockquote", "details", "pre", "a", "button", "p", "h1", "h2", "h3", "li", "td", "code", "center", "font",
    "fieldset", "svg", "noscript", "dialog", "search", "hgroup", "time", "iframe", "label",
)  # fmt: skip
#: An element with at most this many blocks is right around a block; a larger one is somewhere above it.
NEAR: Final = 4
_ATTRIBUTES: Final = ("class", "id", "role", "itemprop")

NAMES: Final = (
    *(f"host:{names.split()[0]}" for names in _HOSTS),
    *(f"above:{name}" for name in _ABOVE),
    *(f"near:{notion}" for notion in NOTIONS),
    *(f"far:{notion}" for notion in NOTIONS),
)
#: Which of the columns come from names that authors chose; training hides them at times.
FROM_NAMES: Final = np.array([name.startswith(("near:", "far:")) for name in NAMES])

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
    hosts = np.zeros((size, len(_HOSTS)), dtype=np.float32)
    host = _HOST_OF[page.tag[blocks.host]]
    known = np.flatnonzero(host >= 0)
    hosts[known, host[known]] = 1.0

    tagged = np.flatnonzero((_ABOVE_OF[page.tag] >= 0) & (last > first))
    named_rows, named_notions = (np.array(column, dtype=np.int64) for column in _named(page))
    covers = last[named_rows] - first[named_rows]
    far = np.where(covers > NEAR, len(NOTIONS), 0)
    rows = np.concatenate([tagged, named_rows[covers > 0]])
    columns = np.concatenate([_ABOVE_OF[page.tag[tagged]], len(_ABOVE) + (named_notions + far)[covers > 0]])
    width = len(_ABOVE) + 2 * len(NOTIONS)
    change = np.bincount(first[rows] * width + columns, minlength=(size + 1) * width)
    change = change - np.bincount(last[rows] * width + columns, minlength=(size + 1) * width)
    above = np.cumsum(change.reshape(size + 1, width)[:size], axis=0)
    return np.concatenate([hosts, np.minimum(above, 2).astype(np.float32)], axis=1)


def _named(page: Page) -> tuple[list[int], list[int]]:
    """Return rows and the notions of their names, as pairs."""
    rows: list[int] = []
    found: list[int] = []
    known: dict[str, list[int]] = {}
    for attribute in _ATTRIBUTES:
        for row, value in page.attribute(attribute).items():
            numbers = known.get(value)
            if numbers is None:
                numbers = sorted(set().union(*map(notions, value.split())))
                known[value] = numbers
            if numbers:
                rows.extend([row] * len(numbers))
                found.extend(numbers)
    return rows, found
