"""The characters of a text, read from its memory without the interpreter lock, and their hashes.

A function gets the kind of a text and its data: a character takes one, two or four bytes.
"""

from tamis._core import enums
from tamis._core import shadow as cython
from tamis._core.shadow import PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ, is_space

cython.declare(HASH_SEED="unsigned long long", _HASH_PRIME="unsigned long long", _HASH_MASK="unsigned long long")
HASH_SEED, _HASH_PRIME, _HASH_MASK = enums.SEED, enums.PRIME, enums.MASK_64


@cython.cfunc
@cython.nogil
@cython.inline
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(key="unsigned long long", code="unsigned long long")
def add_to_hash(key: int, code: int) -> int:
    """Return the hash of what `key` is the hash of, and one character more."""
    return ((key ^ code) * _HASH_PRIME) & _HASH_MASK


@cython.cfunc
@cython.nogil
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(
    kind="int", data="const void *", start="Py_ssize_t", stop="Py_ssize_t", key="unsigned long long", k="Py_ssize_t",
)  # fmt: skip
def hash_range(kind: int, data: str, start: int, stop: int) -> int:
    """Return the hash of a part of a text.

    >>> hash_range(1, "green tea", 6, 9) == hash_name("tea")
    True
    """
    key = HASH_SEED
    for k in range(start, stop):
        key = add_to_hash(key, PyUnicode_READ(kind, data, k))
    return key


@cython.cfunc
@cython.returns("unsigned long long")
@cython.exceptval(check=False)
@cython.locals(name="str")
def hash_name(name: str) -> int:
    """Return the hash of a name."""
    return hash_range(PyUnicode_KIND(name), PyUnicode_DATA(name), 0, len(name))


@cython.cfunc
@cython.nogil
@cython.returns("Py_ssize_t")
@cython.exceptval(check=False)
@cython.locals(kind="int", data="const void *", start="Py_ssize_t", stop="Py_ssize_t")
def first_visible(kind: int, data: str, start: int, stop: int) -> int:
    """Return where the white space at the start of a part of a text ends.

    >>> first_visible(1, "  tea", 0, 5), first_visible(1, "  ", 0, 2)
    (2, 2)
    """
    while start < stop and is_space(PyUnicode_READ(kind, data, start)):
        start += 1
    return start


@cython.cfunc
@cython.nogil
@cython.returns("Py_ssize_t")
@cython.exceptval(check=False)
@cython.locals(kind="int", data="const void *", start="Py_ssize_t", stop="Py_ssize_t")
def last_visible(kind: int, data: str, start: int, stop: int) -> int:
    """Return where the white space at the end of a part of a text begins.

    >>> last_visible(1, "tea  ", 0, 5), last_visible(1, "  ", 0, 2)
    (3, 0)
    """
    while start < stop and is_space(PyUnicode_READ(kind, data, stop - 1)):
        stop -= 1
    return stop
