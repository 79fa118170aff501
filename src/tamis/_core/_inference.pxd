# C types of _inference.py, and what inference.h declares.
cimport cython
from libc.stddef cimport ptrdiff_t

cdef extern from "inference.h" nogil:
    const int TILE_BLOCKS
    const int LANES_ "LANES"
    const int CHUNK_TILES

    struct network:
        const float *weights
        ptrdiff_t features, hidden, width, page_types, layers
        const int *dilations

    struct tiles:
        float *values
        int *feature
        ptrdiff_t *tile_end
        ptrdiff_t blocks, first_tile, last_tile

    int inference_supported()
    ptrdiff_t weights_size(const network *)
    ptrdiff_t workspace_size(const network *, ptrdiff_t blocks)
    ptrdiff_t find_used(const float *matrix, ptrdiff_t features, ptrdiff_t blocks, int *used)
    void bound_features_ "bound_features"(float *matrix, ptrdiff_t features, ptrdiff_t blocks, const float *bounds)
    void pool_features(
        const float *matrix, ptrdiff_t features, ptrdiff_t blocks, const int *used, ptrdiff_t used_count,
        const float *share, float *pooled
    )
    void pack_tiles(const float *matrix, const int *used, ptrdiff_t used_count, tiles *)
    void forward_tiles(const network *, const tiles *, float *workspace)
    void forward(
        const network *, ptrdiff_t blocks, const float *share, float *workspace, float *logits, float *page_type_logits
    )

ctypedef const float *const_floats
ctypedef float *floats
ctypedef int *ints

@cython.locals(
    features=ptrdiff_t, blocks=ptrdiff_t, tile_count=ptrdiff_t, chunk=ptrdiff_t, used_count=ptrdiff_t, feature=cython.int[::1], used=cython.int[::1],
    values=cython.float[::1], tile_end=ptrdiff_t[::1], packed=tiles, values_by_feature=const_floats,
    used_features=ints, pooled_view=cython.float[::1], shares=const_floats, pooled_out=floats,
)
cpdef tuple forward_all(const float[:, ::1] matrix, const float[::1] share, object networks)

@cython.locals(values=floats, bound_values=const_floats, features=ptrdiff_t, blocks=ptrdiff_t)
cpdef object bound_features(float[:, ::1] matrix, const float[::1] bounds)

@cython.locals(
    net=network, logits_view=cython.float[::1], page_type_view=cython.float[::1], workspace_view=cython.float[::1],
    block_out=floats, type_out=floats, workspace=floats, shares=const_floats, tile_count=ptrdiff_t, tile=ptrdiff_t,
    last=ptrdiff_t,
)
cdef object _forward(
    const float *matrix, const int *used, ptrdiff_t used_count, tiles *packed, ptrdiff_t features, const float[::1] share, const float[::1] weights, ptrdiff_t hidden,
    ptrdiff_t width, ptrdiff_t page_types, const int[::1] dilations
)
