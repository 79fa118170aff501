"""The loops that find what a page hides: by tag, by attribute, by style, and below what is hidden.

Compiled as ``_hide`` where there is a compiler, like `tamis._kernels.walk`; import from `tamis._kernels.loader`.
"""

from typing import TYPE_CHECKING, Any, Final

from tamis.html import tags

if TYPE_CHECKING:
    from numpy import int32, uint8
    from numpy.typing import NDArray

_TEMPLATE: Final = tags.IDS["template"]
_ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY = 1, 2, 4, 8  # of tamis.page.columns.Hidden; numbers, for the compiler


def visibility_bits(
    nodes: list[Any], candidates: list[Any], tag: "NDArray[uint8]", by_tag: bytes, spared: bytes
) -> tuple[bytearray, list[int]]:
    """Return for each row the bits of `tamis.page.columns.Hidden` that its tag and its own attributes give it.

    Also returns the rows that want a closer look: templates, and what the attribute ``hidden`` hides.

    Args:
        nodes: of the page.
        candidates: those of them whose attributes may hide them, in document order.
        tag: of each row.
        by_tag: the bits of each tag.
        spared: 1 for each tag whose attributes hide nothing.

    >>> import numpy as np
    >>> import turbohtml
    >>> document = turbohtml.parse('<p hidden><p aria-hidden=true style="color: red; Display : none"><b>')
    >>> nodes = [document, *document.descendants]
    >>> none, tag = bytes(256), np.zeros(len(nodes), dtype=np.uint8)
    >>> bits, closer = visibility_bits(nodes, document.select("p"), tag, none, none)
    >>> list(bits), closer
    ([0, 0, 0, 0, 1, 6, 0], [4])
    """
    rows = len(nodes)
    out = bytearray(rows)
    closer: list[int] = []
    at = 0
    many = len(candidates)
    for row in range(rows):
        number = tag[row]
        out[row] = by_tag[number]
        if number == _TEMPLATE:
            closer.append(row)
        if at == many or nodes[row] is not candidates[at]:
            continue
        at += 1
        if spared[number]:
            continue
        element = nodes[row]
        bits = 0
        if element.attr("hidden") is not None:
            bits = _ATTRIBUTE
            closer.append(row)
        value = element.attr("aria-hidden")
        if value is not None and value.lower() == "true":
            bits |= _ARIA
        value = element.attr("style")
        if value is not None:
            style = value.lower()
            if declares(style, "display", ("none",)):
                bits |= _DISPLAY
            if declares(style, "visibility", ("hidden", "collapse")):
                bits |= _VISIBILITY
        out[row] |= bits
    return out, closer


def declares(style: str, name: str, values: tuple[str, ...]) -> bool:
    """Return whether a style sets a property to one of some values.

    >>> declares("color:red;display: none", "display", ("none",)), declares("x-display:none", "display", ("none",))
    (True, False)
    """
    at = style.find(name)
    while at >= 0:
        if at == 0 or style[at - 1] in ";{" or style[at - 1].isspace():
            rest = style[at + len(name) :].lstrip()
            if rest.startswith(":") and rest[1:].lstrip().startswith(values):
                return True
        at = style.find(name, at + 1)
    return False


def propagate_down(parent: "NDArray[int32]", bits: "NDArray[uint8]") -> None:
    """Give every row the bits of the rows above it, in place.

    >>> import numpy as np
    >>> bits = np.array([0, 4, 1, 0], dtype=np.uint8)
    >>> propagate_down(np.array([-1, 0, 1, 0], dtype=np.int32), bits)
    >>> bits.tolist()
    [0, 4, 5, 0]
    """
    for row in range(1, len(parent)):
        bits[row] |= bits[parent[row]]


def large_hidden(bits: "NDArray[uint8]", end: "NDArray[int32]", offset: "NDArray[int32]", most: float) -> list[int]:
    """Return the rows that have bits and hold more than so many characters."""
    out: list[int] = []
    for row in range(len(bits)):
        if bits[row] and offset[end[row]] - offset[row] > most:
            out.append(row)  # noqa: PERF401 (compiled, a loop knows the type of its row; a comprehension does not)
    return out
