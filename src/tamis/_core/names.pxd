# C types of names.py. They do not change what it computes.
cimport cython

cdef unsigned long long _WORD_SEED, _WORD_PRIME, _WORD_MASK
cdef int _SLOTS, _MAX_TITLE_CHARS
cdef int _ELEMENT_TYPE, _REPORTED, _AROUND_LISTED, _LISTED, _UNNAMED, _CODE_CLUE, _DIGIT_CHARS
cdef double _CHARS_PER_WORD, _LONG_LINK_BLOCK, _SHORT_LINK, _MAX_FOOTER, _MAX_NOTICE, _MAX_MEAN_WORDS, _MIN_LINKS
cdef double _MIN_LIST_LINKS, _MAX_PAGE_SHARE
cdef int _ID_KIND, _ROLE_KIND, _ITEMPROP_KIND
cdef int _MIN_LIST_BLOCKS
cdef int _IF_LINKS, _IF_SHORT, _ALWAYS, _IF_LIST, _IF_NOTICE, _CONTENT

@cython.locals(
    keys=cython.ulonglong[::1], values=cython.int[::1], letters=cython.uchar[::1], first=cython.int[::1],
    numbers=cython.int[::1], last_name=cython.int[::1], name=cython.int, size=cython.int, key=cython.ulonglong,
    after_lower=cython.bint, upper=cython.bint, lower=cython.bint, in_word=cython.bint, k=cython.Py_ssize_t,
    letter=cython.uchar, slot=cython.int, category=cython.int,
)
cpdef tuple categorize(list names, tuple table, int categories)

@cython.locals(
    k=cython.int, row=cython.int, kind=cython.int, is_name=cython.bint, capacity=cython.Py_ssize_t, size=cython.Py_ssize_t, named=cython.int[::1], name_of=cython.int[::1],
    listed_rows=list, kinds=list, values=list,
)
cpdef tuple read_names(tuple listed, const unsigned char[::1] has_blocks, const int[::1] class_ids, list names)

@cython.locals(
    count=cython.int, block=cython.int, start=cython.int, stop=cython.int, longest=cython.int, shortest=cython.int,
    block_text=str, word=str, title_words=set, words=set, long_words=list, out=cython.float[::1],
    beginnings=cython.int[::1], known=cython.int,
)
cpdef object title_overlap(
    str text, const int[::1] offset, const int[::1] starts, const int[::1] stops, str title
)

cdef int _BEGINNINGS

@cython.locals(key=cython.int, letter=cython.int, k=cython.Py_ssize_t, number=cython.int)
cdef bint _has_beginning(str text, Py_ssize_t start, Py_ssize_t stop, int[::1] beginnings, int count) noexcept

cdef class Parts:
    cdef int[::1] head, next, first, bits
    cdef unsigned char[::1] is_word, letters

cdef int _SPACE_CODE, _LAST_ASCII

@cython.locals(
    letters=cython.uchar[::1], head=cython.int[::1], following=cython.int[::1], first=cython.int[::1],
    part_letters=cython.uchar[::1], bits_of=cython.int[::1], is_word=cython.uchar[::1], out=cython.int,
    length=cython.Py_ssize_t, k=cython.Py_ssize_t, number=cython.int, begin=cython.int, size=cython.int,
    same=cython.int, each=cython.int[::1], name=cython.Py_ssize_t,
)
cpdef tuple part_bits(list names, Parts parts)

@cython.locals(
    node_type=cython.uchar[::1], tag=cython.uchar[::1], end=cython.int[::1], has_blocks=cython.uchar[::1],
    parent=cython.int[::1], text_rows=cython.int[::1], inline_run=cython.int[::1], rows=cython.int, first=cython.int,
    last=cython.int, start=cython.int, stop=cython.int, k=cython.int,
    row=cython.int, nearest=cython.int, number=cython.int, flag=cython.uchar, seen=cython.int,
    seen_classes=cython.uchar[::1], class_numbers=list, around=list, listed=list, above=list,
)
cpdef tuple clue_rows(
    Columns page, const int[::1] class_ids, const unsigned char[::1] selected, int classes, bytes flags
)

@cython.locals(
    nonspace=cython.int[::1], words=cython.int[::1], by_class=cython.int[:, ::1], first_class=cython.uchar[::1],
    row=cython.int, out=list,
)
cpdef list number_rows(Columns page, const unsigned char[::1] selected, int signs)

@cython.locals(
    tag=cython.uchar[::1], end=cython.int[::1], first_block=cython.int[::1], last_block=cython.int[::1],
    has_blocks=cython.uchar[::1], nonspace=cython.int[::1], link=cython.uchar[::1], text_rows=cython.int[::1],
    first=cython.int[::1], named=cython.int[::1], name_of=cython.int[::1], first_category=cython.int[::1],
    categories=cython.int[::1], count=cython.int,
    row_count=cython.int, chars=cython.longlong[::1], linked=cython.longlong[::1], longs=cython.int[::1],
    others=cython.int[::1], block=cython.int, high=cython.int, low=cython.int, own=cython.longlong,
    own_linked=cython.longlong, k=cython.int, row=cython.int, place=cython.int, row_flags=cython.uchar[::1],
    flag=cython.uchar, size=cython.longlong, link_chars=cython.longlong, is_short=cython.bint, total=cython.longlong,
    left=cython.longlong, content_end=cython.int, out=list,
)
cpdef list boilerplate_ranges(Columns page, tuple names, bytes tag_flags, bytes category_flags)
