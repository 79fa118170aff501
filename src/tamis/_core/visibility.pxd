# C types of visibility.py. They do not change what it computes.
cimport cython

cdef int _TEMPLATE, _ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY, _HIDDEN_KIND, _ARIA_KIND, _STYLE_KIND, _LAST_HIDING

@cython.locals(
    rows=cython.Py_ssize_t, row=cython.Py_ssize_t, k=cython.Py_ssize_t, kind=cython.int, tag_id=cython.int, style=str,
    out=bytearray, to_check=list, listed_rows=list, kinds=list, values=list,
)
cpdef tuple visibility_bits(tuple listed, const unsigned char[::1] tag, bytes bits_of_tag, bytes exempt)

@cython.locals(start=cython.Py_ssize_t, after=cython.Py_ssize_t)
cpdef bint declares(str style, str name, tuple values)

@cython.locals(row=cython.int)
cpdef object propagate_down(const int[::1] parent, unsigned char[::1] bits)

@cython.locals(row=cython.Py_ssize_t, out=list)
cpdef list rows_with_bits(
    const unsigned char[::1] bits, int wanted, const int[::1] end, const int[::1] offset, int min_chars
)
