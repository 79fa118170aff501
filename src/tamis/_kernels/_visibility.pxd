# The types of hide.py, for compiling it as _hide. Nothing here changes what it does.
cimport cython

cdef int _TEMPLATE, _ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY

@cython.locals(
    rows=cython.Py_ssize_t, row=cython.Py_ssize_t, at=cython.Py_ssize_t, many=cython.Py_ssize_t, number=cython.int,
    bits=cython.int, style=str, value=str, out=bytearray, closer=list,
)
cpdef tuple visibility_bits(list nodes, list candidates, const unsigned char[::1] tag, bytes by_tag, bytes spared)

@cython.locals(at=cython.Py_ssize_t, rest=str)
cpdef bint declares(str style, str name, tuple values)

@cython.locals(row=cython.int)
cpdef object propagate_down(const int[::1] parent, unsigned char[::1] bits)

@cython.locals(row=cython.Py_ssize_t, out=list)
cpdef list large_hidden(const unsigned char[::1] bits, const int[::1] end, const int[::1] offset, double most)
