# The types of walk.py, for compiling it as _walk. Nothing here changes what it does.
cimport cython

cdef int _A
cdef int _IS_BLOCK, _IS_LINK, _IS_PRE, _IS_RAW, _IS_CHILDLESS

@cython.locals(
    nodes=list, texts=list, ids=dict, meaning=bytes, said=str,
    rows=cython.int, row=cython.int, level=cython.int, total=cython.int, edges=cython.int, above=cython.int,
    children=cython.int, number=cython.int, means=cython.int, closes=cython.bint,
    kind=cython.uchar[::1], tag=cython.uchar[::1], link=cython.uchar[::1], pre=cython.uchar[::1],
    parent=cython.int[::1], end=cython.int[::1], depth=cython.int[::1], offset=cython.int[::1],
    box=cython.int[::1], segment=cython.int[::1], owed=cython.int[::1],
)
cpdef tuple walk(object document)

@cython.locals(
    start=cython.int, row=cython.int, rows=cython.int, size=cython.int, found=cython.int, out=list,
    known=cython.int[::1], path=cython.int[::1],
)
cpdef list ancestors_with_tag(list starts, const int[::1] parent, const unsigned char[::1] tag, bytes wanted, bint outermost)

@cython.locals(row=cython.Py_ssize_t, out=list)
cpdef list attr_values(list nodes, list rows, str name)

@cython.locals(rows=cython.Py_ssize_t, row=cython.Py_ssize_t, out=list)
cpdef list rows_among(list nodes, object wanted)

@cython.locals(rows=cython.int, row=cython.int, number=cython.int, out=cython.int[::1], known=dict)
cpdef tuple class_ids(list nodes, const unsigned char[::1] kind)
