# The types of scan.py, for compiling it as _scan. Nothing here changes what it does.
cimport cython

cdef unsigned long long _SEED, _PRIME, _ALL
cdef int _SLOTS

@cython.locals(
    keys=cython.ulonglong[::1], values=cython.int[::1], letters=cython.uchar[::1], first=cython.int[::1],
    numbers=cython.int[::1], last_seen=cython.int[::1], place=cython.int, size=cython.int, key=cython.ulonglong,
    small=cython.bint, capital=cython.bint, lower=cython.bint, known=cython.bint, at=cython.Py_ssize_t,
    letter=cython.uchar, slot=cython.int, number=cython.int,
)
cpdef tuple categorize(list names, tuple table, int notions)

@cython.locals(
    place=cython.int, row=cython.int, most=cython.Py_ssize_t, size=cython.Py_ssize_t, named=cython.int[::1],
    values=cython.int[::1], holds=cython.uchar[::1], looks=cython.int[::1],
)
cpdef tuple read_names(list elements, list rows, tuple ground, tuple attributes, list names)

@cython.locals(
    opens=cython.int[::1], closes=cython.int[::1], tag=cython.uchar[::1], column_of=cython.int[::1],
    rows=cython.int[::1], names=cython.int[::1], first=cython.int[::1], numbers=cython.int[::1],
    base=cython.int, count=cython.int, near=cython.int, row=cython.int, column=cython.int, covers=cython.int,
    place=cython.int, name=cython.int, k=cython.int, used=cython.uchar[::1], most=cython.float, columns=cython.int,
    blocks=cython.int, block=cython.int, above=cython.float, host=cython.int[::1], host_column=cython.int[::1],
)
cpdef object fill_ancestors(float[:, ::1] out, tuple hosts, tuple cover, tuple tagged, tuple named, tuple notions, tuple layout)

@cython.locals(
    size=cython.int, block=cython.int, start=cython.int, stop=cython.int, longest=cython.int, shortest=cython.int,
    own=str, word=str, wanted=set, words=set, telling=list, out=cython.float[::1],
)
cpdef object title_overlap(str text, const int[::1] starts, const int[::1] stops, str title)
