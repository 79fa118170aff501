# The types of twins.py, for compiling it as _twins. Nothing here changes what it does.
cimport cython

cdef unsigned long long _TAGS, _LOOKS, _SEED, _PRIME, _ALL, _MIX
cdef int _RUN, _RUNS
cdef unsigned int _KEY, _SPREAD

@cython.locals(mask=cython.int)
cdef int _mask_for(int count) noexcept

@cython.locals(slot=cython.int)
cdef int _slot_for(unsigned long long[::1] keys, unsigned long long key, int mask) noexcept

@cython.locals(look=cython.ulonglong, own=cython.ulonglong)
cdef unsigned long long _look(int[::1] classes, unsigned char[::1] tag, int row) noexcept

@cython.locals(
    rows=cython.int, row=cython.int, key=cython.ulonglong, slot=cython.int, mask=cython.int, heads=cython.int,
    classes=cython.int[::1], tag=cython.uchar[::1],
    out=cython.int[::1], slot_of=cython.int[::1], sizes=cython.int[::1], keys=cython.ulonglong[::1],
)
cpdef object count_similar_siblings(int[::1] parent, tuple looks, unsigned char[::1] is_head)

@cython.locals(
    size=cython.float[::1], ink=cython.float[::1], link_ink=cython.float[::1], count=cython.int, block=cython.int,
    up=cython.int, top=cython.int, key=cython.ulonglong, slot=cython.int, mask=cython.int, slot_of=cython.int[::1],
    classes=cython.int[::1], tag=cython.uchar[::1],
    members=cython.int[::1], pairs=cython.ulonglong[::1], triples=cython.ulonglong[::1], sizes=cython.double[::1],
    inks=cython.double[::1], links=cython.double[::1],
)
cpdef object fill_templates(float[:, ::1] out, tuple looks, int[::1] parent, int[::1] host, tuple measures)

@cython.locals(
    size=cython.int, block=cython.int, start=cython.int, stop=cython.int, said=set, begins=str, ends=str,
    repeats=cython.int[::1], echoes=cython.int[::1], told=cython.int[::1], mask=cython.int, slot=cython.int,
    keys=cython.ulonglong[::1], times=cython.int[::1], slot_of=cython.int[::1],
    runs=cython.uchar[::1],
)
cpdef tuple find_repeats(str text, const int[::1] starts, const int[::1] stops, int longest, str record, int quoted)

@cython.locals(key=cython.ulonglong, place=cython.Py_ssize_t)
cdef unsigned long long _hash_of(str text, Py_ssize_t start, Py_ssize_t stop) noexcept

@cython.locals(key=cython.uint, place=cython.int, letter=cython.Py_UCS4, table=cython.uchar[::1])
cdef object _runs_of(str text)

@cython.locals(key=cython.uint, place=cython.int, letter=cython.Py_UCS4)
cdef bint _may_hold(unsigned char[::1] table, str part) noexcept
