# C types of text.py. They do not change what it computes.
cimport cython

cdef int _LINE_BREAK, _TEXT_TYPE
cdef int _IN_LIST, _IN_TABLE, _IN_CELL
cdef bytes _CONTEXT_FLAGS, _INITIALS, _IS_EMPTY
cdef str _ENDS
cdef int _ELEMENT_NODE_TYPE

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], node_type=cython.uchar[::1],
    nonspace=cython.int[::1], tag=cython.uchar[::1], pre=cython.uchar[::1], hidden=cython.uchar[::1],
    offset=cython.int[::1], numbers=list, texts=list, parts=list, lines=list, line=str, block=cython.int,
    row=cython.int, selected=cython.bint, regular=cython.bint, preformatted=cython.bint, block_text=str,
    begin=cython.Py_ssize_t, end=cython.Py_ssize_t,
)
cpdef tuple selected_blocks(Columns page, const unsigned char[::1] mask, str text)

@cython.locals(k=cython.Py_ssize_t, after_space=cython.bint, char=cython.Py_UCS4)
cdef str _collapse(str text, Py_ssize_t begin, Py_ssize_t end)

@cython.locals(
    inline_run=cython.int[::1], parent=cython.int[::1], offset=cython.int[::1], first_class=cython.uchar[::1],
    link=cython.uchar[::1], end=cython.int[::1], tag=cython.uchar[::1], node_type=cython.uchar[::1],
    out=list, before=cython.int, row=cython.int, k=cython.int, last=cython.Py_UCS4, initial=cython.Py_UCS4,
    is_end=cython.bint, found=cython.bint,
)
cpdef list gap_candidates(Columns page, const unsigned char[::1] mask, str text)

@cython.locals(
    parent=cython.int[::1], tag=cython.uchar[::1], container=cython.int[::1], number=cython.int,
    rows=cython.int, row=cython.int, above=cython.int, flags=cython.int, k=cython.int,
    outer_list=cython.int, table=cython.int, data_row=cython.int, cell=cython.int, before=cython.int,
    contexts=cython.int[::1], has_data_rows=cython.bint, parts=list, text=str, block=cython.int,
)
cpdef str join_blocks(
    list texts, list numbers, Columns page, const unsigned char[::1] data_rows, bint lists
)
