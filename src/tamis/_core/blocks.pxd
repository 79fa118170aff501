# C types of blocks.py. They do not change what it computes.
cimport cython

cdef int _ELEMENT_KIND
cdef int _BR, _TEXT, _CLASS_COUNT, _OTHER, _SPACE, _LETTER, _WIDE_CLASS, _SYMBOL_CLASS
cdef unsigned int _DOLLAR, _POUND, _YEN, _RUPEE, _EURO
cdef unsigned int _BMP_SIZE, _IDEOGRAPHS, _TAGS, _EMOJI_FIRST, _EMOJI_LAST

@cython.locals(
    rows=cython.int, row=cython.int, position=cython.int, stop=cython.int, base=cython.int, word_count=cython.int,
    nonspace_count=cython.int, previous_class=cython.int, code=cython.uint, char_class=cython.int,
    by_class=cython.int[::1], words=cython.int[::1], nonspace=cython.int[::1], first_class=cython.uchar[::1],
    last_class=cython.uchar[::1], other_count=cython.int, currency_count=cython.int,
)
cpdef tuple count_characters(const unsigned int[::1] codes, const int[::1] offset, bytes bmp_classes)

@cython.locals(
    rows=cython.int, row=cython.int, block=cython.int, current_run=cython.int,
    nonspace_at_break=cython.int, extra_breaks=cython.int, total_nonspace=cython.int, size=cython.int,
    block_of=cython.int[::1], text_rows=cython.int[::1], start=cython.int[::1], stop=cython.int[::1],
    container=cython.int[::1], first=cython.int[::1],
)
cpdef tuple block_columns(
    const unsigned char[::1] node_type, const unsigned char[::1] tag, const unsigned char[::1] hidden,
    const int[::1] nonspace, const int[::1] inline_run, const int[::1] block_ancestor
)

@cython.locals(
    rows=cython.int, count=cython.int, block=cython.int, row=cython.int, first_block=cython.int[::1],
    last_block=cython.int[::1], has_blocks=cython.uchar[::1],
)
cpdef tuple block_ranges(int[::1] start, int[::1] end, unsigned char[::1] node_type)

cdef int _STOP_CLASS, _PROSE_COLUMNS, _TABLE_FLAG, _CELL_FLAG, _ROW_FLAG, _STRUCTURE_FLAG, _LAYOUT_FLAG, _PRE_FLAG, _EMPTY_FLAG

@cython.locals(
    rows=cython.int, row=cython.int, count=cython.int, k=cython.int, size=cython.int, flag=cython.int,
    table_of=cython.int[::1], number_of=cython.int[::1], columns=cython.int[::1], stops=cython.int[::1],
    facts=cython.int[::1], out=list,
)
cpdef list table_facts(
    const unsigned char[::1] tag, const int[::1] parent, const int[::1] end, const unsigned char[::1] hidden,
    const int[::1] nonspace, const int[:, ::1] by_class, bytes flags
)

@cython.locals(
    count=cython.int, row=cython.int, number=cython.int, rows=cython.longlong[::1], next_of=cython.int[::1], first=list,
)
cpdef tuple rows_by_tag(const unsigned char[::1] tag, int tags_)

cdef class Columns:
    cdef readonly unsigned char[::1] node_type, tag, link, pre, hidden, first_class, last_class, has_blocks
    cdef readonly int[::1] parent, end, depth, offset, words, nonspace, start, stop, container, text_rows, first, class_ids
    cdef readonly int[::1] first_block, last_block, inline_run
    cdef readonly int[:, ::1] by_class
    cdef readonly int currency_count
