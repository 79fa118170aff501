"""What the sources of the core tell Cython means nothing to Python: types are text, decorators return what they get.

`hatch_build.py` joins the parts into one module and imports the real `cython` there. So a part has its C types beside
its code, and runs uncompiled where Cython is not installed.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, TypeVar

_T = TypeVar("_T")


def _same(value: _T) -> _T:
    return value


#: A function for Python and the core, one for the core alone, a class whose attributes have C types, and a function
#: that is copied to where it is called.
ccall = cfunc = cclass = inline = _same


class _NoGil(nullcontext[None]):
    """What needs no interpreter lock: the block of a ``with``, or a decorated function that such a block calls."""

    def __call__(self, function: _T) -> _T:
        return function


nogil = _NoGil()


def locals(**_types: str) -> Callable[[_T], _T]:  # noqa: A001 (Cython's name)
    """Say which C types the parameters and the local names of a function have."""
    return _same


def returns(_type: str) -> Callable[[_T], _T]:
    """Say which C type a function returns."""
    return _same


def exceptval(_value: object = None, *, check: bool = True) -> Callable[[_T], _T]:  # noqa: ARG001 (Cython's name)
    """Say which returned value tells that there may be an exception; none is checked for without `check`."""
    return _same


def declare(_type: str = "", *, visibility: str = "", **_types: str) -> Any:  # noqa: ANN401 (any attribute)
    """Say which C type a name of a module or an attribute of a class has."""


# The memory of a string, where the core has it: in Python the string itself.


def PyUnicode_KIND(_text: str) -> int:  # noqa: N802 (Python's names)
    """Return the size of a character."""
    return 1


def PyUnicode_DATA(text: str) -> str:  # noqa: N802
    """Return where the characters are."""
    return text


def PyUnicode_READ(_kind: int, data: str, place: int) -> int:  # noqa: N802
    """Return the code point of a character."""
    return ord(data[place])


def is_space(code: int) -> bool:
    """Tell whether a character is white space."""
    return chr(code).isspace()
