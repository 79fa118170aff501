# The C types of levels.py, which is compiled as _levels. They do not change what it computes.
cimport cython

cdef int LEVELS
cdef bytes _IS_PARAGRAPH, _DRAWS_NOTHING

cdef class LevelColumns:
    cdef readonly int size, blocks, mean_size, density, similar_siblings, share_of_page, link_share, stop_rate
    cdef readonly int position, paragraph_share

cdef class ProseColumns:
    cdef readonly int blocks_before_prose, blocks_after_prose, in_prose, levels_to_prose, prose_share

@cython.locals(
    rows=cython.int, count=cython.int, block=cython.int, row=cython.int, first_block=cython.int[::1],
    last_block=cython.int[::1], has_blocks=cython.uchar[::1],
)
cpdef tuple block_ranges(int[::1] start, int[::1] end, unsigned char[::1] node_type)

@cython.locals(
    rows=cython.int, row=cython.int, above=cython.int, blocks=cython.int, branch_point=cython.int[::1],
    elements_before=cython.int[::1], is_branch_point=cython.uchar[::1],
)
cpdef tuple find_branch_points(
    int[::1] parent, int[::1] end, int[::1] first_block, unsigned char[::1] node_type, unsigned char[::1] tag, int body
)

@cython.locals(
    tag=cython.uchar[::1], parent=cython.int[::1], end=cython.int[::1], first_block=cython.int[::1],
    elements_before=cython.int[::1], branch_point=cython.int[::1], similar_siblings=cython.int[::1],
    size_of=cython.float[::1], nonspace_of=cython.float[::1], linked_of=cython.float[::1], stops_of=cython.float[::1],
    count=cython.int, sums=cython.double[::1], block=cython.int, k=cython.int, level_rows=cython.int[::1],
    total=cython.double, row=cython.int, level=cython.int, above=cython.int, first=cython.int, last=cython.int,
    blocks=cython.int, low=cython.int, high=cython.int, size=cython.double, nonspace=cython.double,
    linked=cython.double, stops=cython.double, paragraphs=cython.double, elements=cython.int,
)
cpdef object fill_levels(
    float[:, ::1] out, LevelColumns columns, int[::1] container, tuple rows, tuple branch_points, tuple block_stats,
    int body
)

@cython.locals(
    end=cython.int[::1], first_block=cython.int[::1], size_of=cython.float[::1], nonspace_of=cython.float[::1],
    linked_of=cython.float[::1], stops_of=cython.float[::1], count=cython.int, score=cython.double[::1],
    prose=cython.double[::1], total=cython.double, share=cython.double, highest=cython.double, main=cython.int,
    block=cython.int, k=cython.int, row=cython.int, first=cython.int, last=cython.int, stop=cython.int,
    level=cython.int,
)
cpdef object fill_prose(float[:, ::1] out, ProseColumns columns, int[::1] level_rows, tuple rows, tuple block_stats)
