# The types of walk.py, for compiling it as _walk. Nothing here changes what it does.
cimport cython

cdef int _A, _BR, _TEMPLATE
cdef int _KINDS, _OTHER, _SPACE, _LETTER, _WIDE, _SYMBOL
cdef unsigned int _PLANE, _IDEOGRAPHS, _TAGS, _EMOJI_FIRST, _EMOJI_LAST
cdef int _ATTRIBUTE, _ARIA, _DISPLAY, _VISIBILITY
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
cpdef list enclosing(list starts, const int[::1] parent, const unsigned char[::1] tag, bytes wanted, bint outermost)

@cython.locals(row=cython.int)
cpdef object hand_down(const int[::1] parent, unsigned char[::1] bits)

@cython.locals(row=cython.Py_ssize_t, out=list)
cpdef list values_of(list nodes, list rows, str name)

@cython.locals(
    rows=cython.Py_ssize_t, row=cython.Py_ssize_t, at=cython.Py_ssize_t, many=cython.Py_ssize_t, number=cython.int,
    bits=cython.int, style=str, value=str, out=bytearray, closer=list,
)
cpdef tuple hide(list nodes, list candidates, const unsigned char[::1] tag, bytes by_tag, bytes spared)

@cython.locals(row=cython.Py_ssize_t, out=list)
cpdef list guards(const unsigned char[::1] bits, const int[::1] end, const int[::1] offset, double most)

@cython.locals(at=cython.Py_ssize_t, rest=str)
cpdef bint declares(str style, str name, tuple values)

@cython.locals(rows=cython.Py_ssize_t, row=cython.Py_ssize_t, out=list)
cpdef list rows_among(list nodes, object wanted)

@cython.locals(rows=cython.int, row=cython.int, number=cython.int, out=cython.int[::1], known=dict)
cpdef tuple class_names(list nodes, const unsigned char[::1] kind)

@cython.locals(
    rows=cython.int, row=cython.int, place=cython.int, stop=cython.int, base=cython.int, many=cython.int, dark=cython.int,
    before=cython.int, code=cython.uint, kind=cython.int, kinds=cython.int[::1], words=cython.int[::1],
    ink=cython.int[::1], first=cython.uchar[::1], last=cython.uchar[::1], others=cython.int,
)
cpdef tuple tally(const unsigned int[::1] codes, const int[::1] offset, bytes plane)

@cython.locals(
    tag=cython.uchar[::1], segment=cython.int[::1], box=cython.int[::1], shown=cython.uchar[::1], ink=cython.int[::1],
    rows=cython.int, row=cython.int, block=cython.int, current=cython.int, last_break=cython.int, extra=cython.int,
    total=cython.int, size=cython.int, of=cython.int[::1], own=cython.int[::1], start=cython.int[::1],
    stop=cython.int[::1], host=cython.int[::1], first=cython.int[::1],
)
cpdef tuple cut(tuple columns)

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], mask=cython.uchar[::1], ink=cython.int[::1], tag=cython.uchar[::1],
    pre=cython.uchar[::1], offset=cython.int[::1], numbers=list, said=list, hard=list, block=cython.int,
    row=cython.int, some=cython.bint, plain=cython.bint, own=str, begin=cython.Py_ssize_t, end=cython.Py_ssize_t,
)
cpdef tuple chosen(tuple blocks, tuple rows, str text)
