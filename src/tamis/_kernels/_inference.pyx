"""The compiled forward pass: the Python side of inference.c, which has the reasons and the layout of the weights.

There is no Python copy of these loops: where this module is missing, `tamis.model.network` computes the same in NumPy.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stddef cimport ptrdiff_t

import numpy as np

cdef extern from "inference.h" nogil:
    const int TILE_BLOCKS
    const int LANES_ "LANES"

    struct network:
        const float *weights
        ptrdiff_t features, hidden, width, page_types, layers
        const int *dilations

    struct tiles:
        float *values
        int *feature
        ptrdiff_t *tile_end
        ptrdiff_t blocks

    int inference_supported()
    ptrdiff_t weights_size(const network *)
    ptrdiff_t workspace_size(const network *, ptrdiff_t blocks)
    void pack_tiles(const float *matrix, ptrdiff_t features, int *used, tiles *)
    void forward(
        const network *, const tiles *, const float *share, float *workspace, float *logits, float *page_type_logits
    )

MIN_BLOCKS = TILE_BLOCKS  #: a page with fewer blocks is left to NumPy
LANES = LANES_  #: layers have a multiple of this number of units


def supported():
    """Return whether this processor has the instructions that the module was compiled for."""
    return bool(inference_supported())


def forward_all(const float[:, ::1] matrix, const float[::1] share, networks):
    """Return for each network a logit for each block, and one for each page type.

    Args:
        matrix: features x blocks, with at least `MIN_BLOCKS` blocks.
        share: each block's part of the page's size.
        networks: for each network its weights (see inference.h), its number of hidden units, width and page types, and
            its dilations as an array of C integers.
    """
    cdef ptrdiff_t features = matrix.shape[0], blocks = matrix.shape[1]
    cdef ptrdiff_t tile_count = (blocks + TILE_BLOCKS - 1) // TILE_BLOCKS
    if blocks < TILE_BLOCKS or features == 0 or share.shape[0] != blocks:
        raise ValueError(f"{features} features of {blocks} blocks with {share.shape[0]} shares")
    cdef int[::1] feature = np.empty(tile_count * features, dtype=np.intc), used = np.empty(features, dtype=np.intc)
    cdef float[::1] values = np.empty(tile_count * features * TILE_BLOCKS, dtype=np.float32)
    cdef ptrdiff_t[::1] tile_end = np.empty(tile_count, dtype=np.intp)
    cdef tiles packed = tiles(&values[0], &feature[0], &tile_end[0], blocks)
    cdef const float *values_by_feature = &matrix[0, 0]
    cdef int *used_features = &used[0]
    with nogil:
        pack_tiles(values_by_feature, features, used_features, &packed)
    return [
        _forward(&packed, features, share, weights, hidden, width, page_types, dilations)
        for weights, hidden, width, page_types, dilations in networks
    ]


cdef _forward(
    const tiles *packed, ptrdiff_t features, const float[::1] share, const float[::1] weights, ptrdiff_t hidden,
    ptrdiff_t width, ptrdiff_t page_types, const int[::1] dilations,
):
    if hidden < 1 or width < 1 or hidden % LANES_ or width % LANES_ or page_types < 1:
        raise ValueError(f"a network of {hidden} and {width} units with {page_types} page types")
    if not dilations.shape[0] or min(dilations) < 1 or max(dilations) != dilations[dilations.shape[0] - 1]:
        raise ValueError(f"dilations {list(dilations)}")
    cdef network net = network(NULL, features, hidden, width, page_types, dilations.shape[0], &dilations[0])
    if weights.shape[0] != weights_size(&net):
        raise ValueError(f"{weights.shape[0]} weights where {weights_size(&net)} are expected")
    net.weights = &weights[0]
    logits, page_type_logits = np.empty(packed.blocks, dtype=np.float32), np.empty(page_types, dtype=np.float32)
    cdef float[::1] logits_view = logits, page_type_view = page_type_logits
    cdef float *block_out = &logits_view[0]
    cdef float *type_out = &page_type_view[0]
    cdef const float *shares = &share[0]
    cdef float *workspace = <float *>PyMem_Malloc(workspace_size(&net, packed.blocks) * sizeof(float))
    if workspace is NULL:
        raise MemoryError
    with nogil:
        forward(&net, packed, shares, workspace, block_out, type_out)
    PyMem_Free(workspace)
    return logits, page_type_logits
