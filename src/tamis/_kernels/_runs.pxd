# C types of runs.py. They do not change what it computes.
cimport cython

cdef int _BR, _TEXT, _CLASSES, _OTHER, _SPACE, _LETTER, _WIDE, _SYMBOL
cdef unsigned int _BMP_SIZE, _IDEOGRAPHS, _TAGS, _EMOJI_FIRST, _EMOJI_LAST

@cython.locals(
    rows=cython.int, row=cython.int, position=cython.int, stop=cython.int, base=cython.int, word_count=cython.int,
    nonspace_count=cython.int, previous_class=cython.int, code=cython.uint, char_class=cython.int,
    by_class=cython.int[::1], words=cython.int[::1], nonspace=cython.int[::1], first_class=cython.uchar[::1],
    last_class=cython.uchar[::1], other_count=cython.int,
)
cpdef tuple count_characters(const unsigned int[::1] codes, const int[::1] offset, bytes bmp_classes)

@cython.locals(
    tag=cython.uchar[::1], inline_run=cython.int[::1], block_ancestor=cython.int[::1], shown=cython.uchar[::1],
    nonspace=cython.int[::1], rows=cython.int, row=cython.int, block=cython.int, current_run=cython.int,
    nonspace_at_break=cython.int, extra_breaks=cython.int, total_nonspace=cython.int, size=cython.int,
    block_of=cython.int[::1], text_rows=cython.int[::1], start=cython.int[::1], stop=cython.int[::1],
    container=cython.int[::1], first=cython.int[::1],
)
cpdef tuple block_columns(tuple columns)

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], node_type=cython.uchar[::1], mask=cython.uchar[::1],
    nonspace=cython.int[::1], tag=cython.uchar[::1], pre=cython.uchar[::1], hidden=cython.uchar[::1],
    offset=cython.int[::1], numbers=list, texts=list, parts=list, lines=list, line=str, block=cython.int,
    row=cython.int, selected=cython.bint, regular=cython.bint, preformatted=cython.bint, block_text=str,
    begin=cython.Py_ssize_t, end=cython.Py_ssize_t,
)
cpdef tuple selected_blocks(tuple blocks, tuple rows, str text)
