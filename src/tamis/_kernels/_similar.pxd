# The C types of similar.py, which is compiled as _similar. They do not change what it computes.
cimport cython

cdef unsigned long long _TAGS, _MAX_SIGNATURES, _SEED, _PRIME, _MASK_64, _MIX
cdef int _GRAM, _GRAM_SLOTS
cdef unsigned int _MASK_32, _MIX_32

@cython.locals(mask=cython.int)
cdef int _mask_for(int count) noexcept

@cython.locals(slot=cython.int)
cdef int _slot_for(unsigned long long[::1] keys, unsigned long long key, int mask) noexcept

@cython.locals(class_id=cython.ulonglong, tag_id=cython.ulonglong)
cdef unsigned long long _signature(int[::1] class_ids, unsigned char[::1] tag, int row) noexcept

@cython.locals(
    class_ids=cython.int[::1], tag=cython.uchar[::1], rows=cython.int, row=cython.int, key=cython.ulonglong,
    slot=cython.int, mask=cython.int, branch_points=cython.int, out=cython.int[::1], slot_of=cython.int[::1],
    members=cython.int[::1], keys=cython.ulonglong[::1],
)
cpdef object count_similar_siblings(int[::1] parent, tuple signature, unsigned char[::1] is_branch_point)

@cython.locals(
    class_ids=cython.int[::1], tag=cython.uchar[::1], size_of=cython.float[::1], nonspace_of=cython.float[::1],
    linked_of=cython.float[::1], count=cython.int, block=cython.int, above=cython.int, top=cython.int,
    key=cython.ulonglong, slot=cython.int, mask=cython.int, slot_of=cython.int[::1], members=cython.int[::1],
    pairs=cython.ulonglong[::1], triples=cython.ulonglong[::1], sizes=cython.double[::1],
    nonspaces=cython.double[::1], linked=cython.double[::1], blocks=cython.int[::1], mean_size=cython.float[::1],
    link_share=cython.float[::1],
)
cpdef tuple count_templates(tuple signature, int[::1] parent, int[::1] container, tuple block_stats)

@cython.locals(
    count=cython.int, block=cython.int, start=cython.int, stop=cython.int, seen=set, begins=str, ends=str,
    repeats=cython.int[::1], quotes_earlier=cython.int[::1], in_metadata=cython.int[::1], mask=cython.int,
    slot=cython.int, keys=cython.ulonglong[::1], members=cython.int[::1], slot_of=cython.int[::1],
    grams=cython.uchar[::1],
)
cpdef tuple find_repeats(
    str text, const int[::1] starts, const int[::1] stops, int max_label, str metadata, int quote
)

@cython.locals(key=cython.ulonglong, k=cython.Py_ssize_t)
cdef unsigned long long _hash_of(str text, Py_ssize_t start, Py_ssize_t stop) noexcept

@cython.locals(key=cython.uint, length=cython.int, char=cython.Py_UCS4, table=cython.uchar[::1])
cdef object _grams_of(str text)

@cython.locals(key=cython.uint, length=cython.int, char=cython.Py_UCS4)
cdef bint _may_contain(unsigned char[::1] table, str part) noexcept
