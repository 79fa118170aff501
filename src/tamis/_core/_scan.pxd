# C types of _scan.py, and what scan.h declares.
cimport cython
from libc.stddef cimport ptrdiff_t
from libc.stdint cimport uint8_t

cdef extern from "Python.h":
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    str PyUnicode_FromKindAndData(int kind, const void *, Py_ssize_t)
    str PyUnicode_Substring(object, Py_ssize_t, Py_ssize_t)

cdef extern from "scan.h" nogil:
    const int IS_A, IS_VOID, IS_LITERAL, IS_SCRIPT, IS_TEMPLATE, DROPS_LINE_END, IS_SVG, IS_MATH, IS_SVG_TEXT
    const int IS_MATH_TEXT, IS_ANNOTATION, IS_PLAINTEXT
    const int KIND_CLASS, KIND_HREF, KIND_NAME, KIND_TYPE, KIND_ENCODING, KIND_STYLE, KIND_ARIA, KIND_LISTED

    struct names_ "names":
        const unsigned long long *keys
        const int *values
        int mask

    struct html_ "html":
        names_ tags
        names_ attributes

    struct row_ "row":
        int parent, end, depth, offset, block_ancestor, inline_run, start, stop, class_id
        uint8_t node_type, tag, link, pre, literal

    struct attribute_ "attribute":
        int row, kind, start, stop

    struct scan_ "scan":
        row_ *rows
        ptrdiff_t row_count
        attribute_ *listed
        ptrdiff_t listed_count
        attribute_ *classes
        ptrdiff_t class_count
        void *text
        ptrdiff_t text_length
        ptrdiff_t code_found

    struct counts_ "counts":
        int classes, other, space, letter, wide, symbol
        unsigned int bmp_size, tags, ideographs, emoji_first, emoji_last
        unsigned int currencies[5]
        int *by_class
        int *words
        int *nonspace
        unsigned char *first_class
        unsigned char *last_class
        int other_count, currency_count

    void count_text(const void *, int kind, const int *, ptrdiff_t rows, const unsigned char *, counts_ *)
    int may_reopen_ "may_reopen"(const unsigned char *, ptrdiff_t length, ptrdiff_t max_nodes)
    int may_reopen_text(const void *, int kind, ptrdiff_t length, ptrdiff_t max_nodes)
    void release_memory_ "release_memory"()
    int has_surrogates_ "has_surrogates"(const void *, int kind, ptrdiff_t length)
    int scan_page(const void *, int kind, ptrdiff_t length, const html_ *, int *, ptrdiff_t, scan_ *)
    ptrdiff_t find_code_ "find_code"(const void *, int kind, ptrdiff_t length, ptrdiff_t least, ptrdiff_t *, ptrdiff_t)
    void scan_free(scan_ *)
    ptrdiff_t name_end(const void *, int kind, ptrdiff_t)
    int next_attribute(const void *, int kind, ptrdiff_t *, attribute_ *name, attribute_ *value, unsigned long long *key)

@cython.locals(
    tag_keys=cython.ulonglong[::1], tag_numbers=cython.int[::1], attribute_keys=cython.ulonglong[::1],
    attribute_numbers=cython.int[::1], html=html_, found=scan_, kind=cython.int, length=ptrdiff_t,
    data=cython.p_void, status=cython.int, rows=ptrdiff_t, row=ptrdiff_t, ints=cython.int[:, ::1],
    bytes_=cython.uchar[:, ::1], k=ptrdiff_t, number=cython.int, listed_rows=list, listed_kinds=list, values=list,
    classes=list, code_rows=cython.int[::1], code_row=cython.p_int,
    count=ptrdiff_t,
)
cpdef object scan(str source, object code=*)


ctypedef const int *const_ints
ctypedef const unsigned char *const_bytes

@cython.locals(
    rows=ptrdiff_t, counts=counts_, class_view=cython.int[:, ::1], number_view=cython.int[:, ::1],
    edge_view=cython.uchar[:, ::1], kind=cython.int, data=cython.p_void, table=const_bytes, offsets=const_ints,
)
cpdef tuple count_page_characters(str text, const int[::1] offset, bytes bmp_classes)

@cython.locals(value=str)
cdef str _value(str source, Py_ssize_t start, Py_ssize_t stop)

cdef class SerializedAttributes:
    cdef readonly str source
    cdef readonly object code
    cdef readonly dict code_places
    cdef int[::1] start, stop
    cdef unsigned char[::1] node_type, literal

    @cython.locals(
        kind=cython.int, data=cython.p_void, at=ptrdiff_t, name=attribute_, value=attribute_, own=cython.ulonglong,
    )
    cdef object _find(self, Py_ssize_t row, unsigned long long key)

    @cython.locals(
        kind=cython.int, data=cython.p_void, at=ptrdiff_t, name=attribute_, value=attribute_, own=cython.ulonglong, out=dict,
    )
    cpdef dict all(self, Py_ssize_t row)

    @cython.locals(key=cython.ulonglong, out=list)
    cpdef list values(self, list rows, str name)

    @cython.locals(key=cython.ulonglong)
    cpdef list column(self, list rows, str name)

    @cython.locals(
        kind=cython.int, data=cython.p_void, at=ptrdiff_t, name=attribute_, value=attribute_, own=cython.ulonglong,
        key=cython.ulonglong, keys=list, count=Py_ssize_t, k=Py_ssize_t, row=Py_ssize_t, out=list, values=list,
    )
    cpdef list table(self, list rows, tuple names)

    @cython.locals(
        kind=cython.int, data=cython.p_void, at=ptrdiff_t, name=attribute_, value=attribute_, own=cython.ulonglong,
        key=cython.ulonglong, k=Py_ssize_t, row=Py_ssize_t, out=list,
    )
    cpdef list with_fragment(self, list rows)

    @cython.locals(key=cython.ulonglong, row=Py_ssize_t, out=dict)
    cpdef dict by_row(self, str name)

    cpdef object value(self, Py_ssize_t row, str name)

    @cython.locals(kind=cython.int, data=cython.p_void, start=Py_ssize_t)
    cpdef str tag(self, Py_ssize_t row)

    cpdef object raw_text(self, Py_ssize_t row)

cdef unsigned int _HASH_SIGN


@cython.locals(letters=const_bytes, kind=cython.int, data=cython.p_void, length=ptrdiff_t, found=cython.int)
cpdef bint may_reopen(object markup, Py_ssize_t max_nodes) except? False

@cython.locals(
    letters=const_bytes, kind=cython.int, data=cython.p_void, length=ptrdiff_t, places="ptrdiff_t[::1]", count=ptrdiff_t,
    k=ptrdiff_t, most=ptrdiff_t, first=cython.p_ptrdiff_t,
)
cpdef list find_code(object markup, Py_ssize_t least)

cpdef object release_memory()

@cython.locals(kind=cython.int, data=cython.p_void, length=ptrdiff_t, found=cython.int)
cpdef bint has_surrogates(str text)
