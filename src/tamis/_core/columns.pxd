# C types of columns.py. They do not change what it computes.
cimport cython

cdef int _A, _OTHER_ROW, _ELEMENT_ROW, _TEXT_ROW, _NO_TAG
cdef int _IS_BLOCK, _IS_LINK, _IS_PRE, _IS_RAW, _IS_CHILDLESS, _IS_NOTHING

@cython.locals(
    nodes=list, texts=list, ids=dict, tag_flags=bytes, data=str,
    rows=cython.int, row=cython.int, level=cython.int, length=cython.int, block_edges=cython.int, above=cython.int,
    run=cython.int, joined=cython.int,
    children=cython.int, tag_id=cython.int, flags=cython.int, is_block=cython.bint,
    node_type=cython.uchar[::1], tag=cython.uchar[::1], link=cython.uchar[::1], pre=cython.uchar[::1],
    parent=cython.int[::1], end=cython.int[::1], depth=cython.int[::1], offset=cython.int[::1],
    block_ancestor=cython.int[::1], inline_run=cython.int[::1], children_left=cython.int[::1],
)
cpdef tuple walk(object document)

@cython.locals(
    start=cython.int, row=cython.int, rows=cython.int, size=cython.int, ancestor=cython.int, out=list,
    known=cython.int[::1], path=cython.int[::1],
)
cpdef list ancestors_with_tag(list starts, const int[::1] parent, const unsigned char[::1] tag, bytes mask, bint outermost)

@cython.locals(start=cython.int, stop=cython.int, row=cython.int)
cpdef object remove_rows(unsigned char[::1] node_type, unsigned char[::1] tag, tuple ranges, bytes kept_tags)

@cython.locals(rows=cython.Py_ssize_t, row=cython.Py_ssize_t, out=list)
cpdef list rows_among(list nodes, object selected)

@cython.locals(rows=cython.int, row=cython.int, ids=cython.int[::1], types=cython.uchar[::1], id_of=dict)
cpdef tuple class_ids(list nodes, object node_type)

@cython.locals(
    rows=cython.int, row=cython.int, number=cython.int, out=cython.int[::1], number_of=cython.int[::1], order=list,
)
cpdef tuple text_class_ids(const int[::1] class_ids, const unsigned char[::1] has_blocks, int classes)
