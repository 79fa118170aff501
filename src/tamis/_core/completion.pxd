# C types of completion.py. They do not change what it computes.
cimport cython

cdef bytes _IS_LIST, _IS_CELL, _IS_STRUCTURE, _IS_SECTION_HEADING
cdef int _LI, _TR, _TABLE, _MIN_MEMBERS, _MIN_ROWS, _MAX_RATIO, _MIN_COLUMNS, _MIN_SECTION_CHARS, _MAX_LINE_CHARS
cdef int _MIN_REPEATED_CHARS

@cython.locals(count=cython.int, block=cython.int, sums=cython.int[::1])
cdef object _char_sums(const int[::1] chars, const unsigned char[::1] kept)

@cython.locals(
    tag=cython.uchar[::1], parent=cython.int[::1], end=cython.int[::1], rows=cython.int, row=cython.int,
    own=cython.int, table=cython.int, inner=cython.int, has_tables=cython.bint,
    sums=cython.int[::1], group=cython.int[::1], table_of=cython.int[::1], cells=cython.int[::1],
    structure=cython.int[::1],
)
cpdef object complete_groups(
    Columns page, const int[::1] chars, const unsigned char[::1] kept, unsigned char[::1] out
)

@cython.locals(
    first_block=cython.int[::1], last_block=cython.int[::1], rows=cython.int,
    row=cython.int, k=cython.int, low=cython.int, high=cython.int, total=cython.int, selected=cython.int,
    minimum=cython.int, block=cython.int, members=cython.int[::1], kept_members=cython.int[::1],
    largest=cython.int[::1],
)
cdef object _complete(
    Columns page, const int[::1] group, const int[::1] sums, unsigned char[::1] out, bint cells
)

@cython.locals(
    container=cython.int[::1], tag=cython.uchar[::1],
    count=cython.int, block=cython.int, stop=cython.int, start=cython.int, index=cython.int,
    first_kept=cython.int, total=cython.int, selected=cython.int, sums=cython.int[::1], headings=list, missing=list,
    alone=list,
)
cpdef tuple find_headings(Columns page, const int[::1] chars, const unsigned char[::1] kept)

@cython.locals(
    container=cython.int[::1], start=cython.int[::1], tag=cython.uchar[::1], pre=cython.uchar[::1], before=cython.int,
    block=cython.int, out=list,
)
cpdef list find_repeated_pairs(
    Columns page, const int[::1] chars, const unsigned char[::1] kept, bytes is_entry
)

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], offset=cython.int[::1], first=cython.int, last=cython.int,
    block=cython.int, longest=cython.int, out=list, name=str,
)
cpdef list find_labels(
    Columns page, const int[::1] chars, const unsigned char[::1] kept, bytes may_be_label, str text, object labels,
    str signs
)

@cython.locals(
    text_rows=cython.int[::1], first=cython.int[::1], count=cython.int, stop=cython.int, k=cython.int,
    row=cython.int, block=cython.int,
)
cpdef object fill_rows(
    Columns page, const unsigned char[::1] kept, const double[::1] probs, const unsigned char[::1] reasons,
    unsigned char[::1] mask, double[::1] score, unsigned char[::1] reason
)

cdef int _MIN_LISTED
cdef unsigned long long _HASH_SEED, _HASH_PRIME, _HASH_MASK

@cython.locals(
    container=cython.int[::1], tag=cython.uchar[::1], count=cython.int, block=cython.int, level=cython.int,
    has_heading=cython.bint, has_text=cython.bint, sums=cython.int[::1], left=cython.uchar[::1], empty=list,
    ends=cython.int[::1], counts=cython.int[::1], stop=cython.int, k=cython.int,
)
cpdef list find_empty_sections(Columns page, const int[::1] chars, const unsigned char[::1] kept, bytes level_of)

@cython.locals(
    start=cython.int[::1], stop=cython.int[::1], offset=cython.int[::1], count=cython.int, block=cython.int,
    k=cython.int, of_length=cython.int[::1], key=cython.ulonglong, key_of=dict,
)
cpdef list find_equal_blocks(
    Columns page, const int[::1] chars, str text, int shortest, int longest, int minimum
)

cdef int _PARAGRAPH, _MAX_CARD_CHARS, _MIN_PARAGRAPHS, _MIN_PARAGRAPH_CHARS, _MAX_CARD_LEVELS
cdef double _LINKED
cdef bytes _IS_CARD, _IS_NO_CARD, _IS_ANY_HEADING

@cython.locals(
    container=cython.int[::1], tag=cython.uchar[::1], parent=cython.int[::1], end=cython.int[::1], link=cython.uchar[::1],
    first_block=cython.int[::1], last_block=cython.int[::1], nonspace=cython.int[::1], count=cython.int, rows=cython.int,
    members=cython.int[::1], first=cython.int[::1], last=cython.int[::1], is_article=cython.bint, block=cython.int,
    heading_block=cython.int, row=cython.int, box=cython.int, shown=cython.int, linked=cython.int, k=cython.int,
    size=cython.int,
)
cpdef object drop_cards(Columns page, const int[::1] chars, unsigned char[::1] out)
