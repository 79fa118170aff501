"""Loops that find what a page hides: by tag, by attribute, by style, and below hidden elements."""

from typing import TYPE_CHECKING, Final

from tamis._core import enums
from tamis._core import shadow as cython
from tamis.html import attributes, tags

if TYPE_CHECKING:
    from numpy import int32, uint8
    from numpy.typing import NDArray

cython.declare(
    _TEMPLATE="int", _ATTRIBUTE="int", _ARIA="int", _DISPLAY="int", _VISIBILITY="int", _HIDDEN_KIND="int",
    _ARIA_KIND="int", _STYLE_KIND="int", _LAST_HIDING="int",
)  # fmt: skip

_TEMPLATE: Final = tags.IDS["template"]
_HIDDEN_KIND, _ARIA_KIND, _STYLE_KIND = (attributes.KINDS[name] for name in ("hidden", "aria-hidden", "style"))
_LAST_HIDING: Final = max(_HIDDEN_KIND, _ARIA_KIND, _STYLE_KIND)
_ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY = map(int, list(enums.Hidden)[:4])


@cython.ccall
@cython.returns("tuple")
@cython.locals(
    listed="tuple", tag="const unsigned char[::1]", bits_of_tag="bytes", exempt="bytes", rows="Py_ssize_t",
    row="Py_ssize_t", k="Py_ssize_t", kind="int", tag_id="int", style="str", out="bytearray", to_check="list",
    listed_rows="list", kinds="list", values="list",
)  # fmt: skip
def visibility_bits(  # noqa: C901 (two loops, compiled)
    listed: tuple[list[int], list[int], list[str]], tag: "NDArray[uint8]", bits_of_tag: bytes, exempt: bytes
) -> tuple[bytearray, list[int]]:
    """Return the bits of `tamis.page.columns.Hidden` that each row's tag and attributes give it.

    Also return the rows that the caller must check: templates, and elements with the ``hidden`` attribute.

    Args:
        listed: the listed attributes of the page: rows, kinds (`tamis.html.attributes.LISTED`) and values.
        tag: the tag of each row.
        bits_of_tag: the bits of each tag.
        exempt: 1 for each tag whose attributes hide nothing.

    >>> import numpy as np
    >>> kinds = [attributes.KINDS[name] for name in ("hidden", "aria-hidden", "style")]
    >>> none, listed = bytes(256), ([1, 2, 2], kinds, ["", "true", "color: red; Display : none"])
    >>> bits, to_check = visibility_bits(listed, np.zeros(4, dtype=np.uint8), none, none)
    >>> list(bits), to_check
    ([0, 1, 6, 0], [1])
    """
    rows = len(tag)
    out = bytearray(rows)
    to_check: list[int] = []
    for row in range(rows):
        tag_id = tag[row]
        out[row] = bits_of_tag[tag_id]
        if tag_id == _TEMPLATE:
            to_check.append(row)
    listed_rows, kinds, values = listed
    for k in range(len(kinds)):
        kind = kinds[k]
        if kind > _LAST_HIDING:
            continue
        row = listed_rows[k]
        if exempt[tag[row]]:
            continue
        if kind == _HIDDEN_KIND:
            out[row] |= _ATTRIBUTE
            to_check.append(row)
        elif kind == _ARIA_KIND and values[k].lower() == "true":
            out[row] |= _ARIA
        elif kind == _STYLE_KIND:
            style = values[k].lower()
            if declares(style, "display", ("none",)):
                out[row] |= _DISPLAY
            if declares(style, "visibility", ("hidden", "collapse")):
                out[row] |= _VISIBILITY
    return out, to_check


@cython.ccall
@cython.returns("bint")
@cython.locals(style="str", name="str", values="tuple", start="Py_ssize_t", after="Py_ssize_t")
def declares(style: str, name: str, values: tuple[str, ...]) -> bool:
    """Return whether a style attribute sets a property to one of the values.

    >>> declares("color:red;display: none", "display", ("none",)), declares("x-display:none", "display", ("none",))
    (True, False)
    """
    start = style.find(name)
    while start >= 0:
        after = start + len(name)
        if start == 0 or style[start - 1] in ";{" or style[start - 1].isspace():
            while after < len(style) and style[after].isspace():
                after += 1
            if style.startswith(":", after):
                after += 1
                while after < len(style) and style[after].isspace():
                    after += 1
                if style.startswith(values, after):
                    return True
        start = style.find(name, after)  # what was read has no other name in it: each character is read once
    return False


@cython.ccall
@cython.locals(parent="const int[::1]", bits="unsigned char[::1]", row="int")
def propagate_down(parent: "NDArray[int32]", bits: "NDArray[uint8]") -> None:
    """Add to each row, in place, the bits of its ancestors.

    >>> import numpy as np
    >>> bits = np.array([0, 4, 1, 0], dtype=np.uint8)
    >>> propagate_down(np.array([-1, 0, 1, 0], dtype=np.int32), bits)
    >>> bits.tolist()
    [0, 4, 5, 0]
    """
    for row in range(1, len(parent)):
        bits[row] |= bits[parent[row]]


@cython.ccall
@cython.returns("list")
@cython.locals(
    bits="const unsigned char[::1]", wanted="int", end="const int[::1]", offset="const int[::1]", min_chars="int",
    row="Py_ssize_t", out="list",
)  # fmt: skip
def rows_with_bits(
    bits: "NDArray[uint8]", wanted: int, end: "NDArray[int32]", offset: "NDArray[int32]", min_chars: int
) -> list[int]:
    """Return the rows with one of the `wanted` bits that contain at least `min_chars` characters.

    >>> import numpy as np
    >>> bits, end = np.array([0, 4, 4], dtype=np.uint8), np.array([3, 2, 3], dtype=np.int32)
    >>> rows_with_bits(bits, 4, end, np.array([0, 0, 9, 10], dtype=np.int32), 6)
    [1]
    """
    out: list[int] = []
    for row in range(len(bits)):
        if bits[row] & wanted and offset[end[row]] - offset[row] >= min_chars:
            out.append(row)  # noqa: PERF401 (compiled, a loop knows the type of its row; a comprehension does not)
    return out
