# The types of runs.py, for compiling it as _runs. Nothing here changes what it does.
cimport cython

cdef int _BR, _KINDS, _OTHER, _SPACE, _LETTER, _WIDE, _SYMBOL
cdef unsigned int _PLANE, _IDEOGRAPHS, _TAGS, _EMOJI_FIRST, _EMOJI_LAST

@cython.locals(
    rows=cython.int, row=cython.int, place=cython.int, stop=cython.int, base=cython.int, many=cython.int, dark=cython.int,
    before=cython.int, code=cython.uint, kind=cython.int, kinds=cython.int[::1], words=cython.int[::1],
    ink=cython.int[::1], first=cython.uchar[::1], last=cython.uchar[::1], others=cython.int,
)
cpdef tuple count_characters(const unsigned int[::1] codes, const int[::1] offset, bytes plane)

@cython.locals(
    tag=cython.uchar[::1], segment=cython.int[::1], box=cython.int[::1], shown=cython.uchar[::1], ink=cython.int[::1],
    rows=cython.int, row=cython.int, block=cython.int, current=cython.int, last_break=cython.int, extra=cython.int,
    total=cython.int, size=cython.int, of=cython.int[::1], own=cython.int[::1], start=cython.int[::1],
    stop=cython.int[::1], host=cython.int[::1], first=cython.int[::1],
)
cpdef tuple block_columns(tuple columns)

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], mask=cython.uchar[::1], ink=cython.int[::1], tag=cython.uchar[::1],
    pre=cython.uchar[::1], offset=cython.int[::1], numbers=list, said=list, hard=list, block=cython.int,
    row=cython.int, some=cython.bint, plain=cython.bint, own=str, begin=cython.Py_ssize_t, end=cython.Py_ssize_t,
)
cpdef tuple selected_blocks(tuple blocks, tuple rows, str text)
