"""The compiled forward pass: the Python side of inference.c, which has the reasons and the layout of the weights.

There is no Python copy of these loops, and this file runs compiled alone: `tamis.sift.network` computes the same in
NumPy. The names that it does not define are those of inference.h, declared in the `.pxd`.
"""
# mypy: ignore-errors
# ruff: noqa: ANN001, ANN202, F821 (names and types are in the .pxd)

import cython
import numpy as np


def tile_sizes():
    """Return the smallest number of blocks, and the number of units that layers have a multiple of."""
    return TILE_BLOCKS, LANES_


def supported():
    """Return whether this processor has the instructions that the module was compiled for."""
    return bool(inference_supported())


def forward_all(matrix, share, networks):
    """Return for each network a logit for each block, and one for each page type; and the features of the page.

    Those are the mean of each feature, weighted by share, and then the maximum of each.

    Args:
        matrix: features x blocks, with at least as many blocks as `tile_sizes` says.
        share: each block's part of the page's size.
        networks: for each network its weights (see inference.h), its number of hidden units, width and page types,
            and its dilations as an array of C integers.
    """
    features = matrix.shape[0]
    blocks = matrix.shape[1]
    tile_count = (blocks + TILE_BLOCKS - 1) // TILE_BLOCKS
    if blocks < TILE_BLOCKS or features == 0 or share.shape[0] != blocks:
        raise ValueError(f"{features} features of {blocks} blocks with {share.shape[0]} shares")
    chunk = min(tile_count, CHUNK_TILES)
    feature = np.empty(chunk * features, dtype=np.intc)
    used = np.empty(features, dtype=np.intc)
    values = np.empty(chunk * features * TILE_BLOCKS, dtype=np.float32)
    tile_end = np.empty(chunk, dtype=np.intp)
    packed.values = cython.address(values[0])
    packed.feature = cython.address(feature[0])
    packed.tile_end = cython.address(tile_end[0])
    packed.blocks = blocks
    packed.first_tile = packed.last_tile = 0
    values_by_feature = cython.address(matrix[0, 0])
    used_features = cython.address(used[0])
    pooled = np.empty(2 * features, dtype=np.float32)
    pooled_view = pooled
    pooled_out = cython.address(pooled_view[0])
    shares = cython.address(share[0])
    with cython.nogil:
        used_count = find_used(values_by_feature, features, blocks, used_features)
        pool_features(values_by_feature, features, blocks, used_features, used_count, shares, pooled_out)
    outputs = [
        _forward(
            values_by_feature, used_features, used_count, cython.address(packed), features, share, weights, hidden,
            width, page_types, dilations,
        )
        for weights, hidden, width, page_types, dilations in networks
    ]  # fmt: skip
    return outputs, pooled


def bound_features(matrix, bounds):
    """Lower the features, features by blocks, that are above their bounds."""
    features = matrix.shape[0]
    blocks = matrix.shape[1]
    if bounds.shape[0] != features:
        raise ValueError(f"{features} features with {bounds.shape[0]} bounds")
    if features and blocks:
        values = cython.address(matrix[0, 0])
        bound_values = cython.address(bounds[0])
        with cython.nogil:
            bound_features_(values, features, blocks, bound_values)


def _forward(  # noqa: PLR0917 (C pointers)
    matrix, used, used_count, packed, features, share, weights, hidden, width, page_types, dilations
):
    if hidden < 1 or width < 1 or hidden % LANES_ or width % LANES_ or page_types < 1:
        raise ValueError(f"a network of {hidden} and {width} units with {page_types} page types")
    if (
        not dilations.shape[0]
        or not 1 <= min(dilations) <= max(dilations) <= CHUNK_TILES
        or (max(dilations) != dilations[dilations.shape[0] - 1])
    ):
        raise ValueError(f"dilations {list(dilations)}")
    net.weights = cython.NULL
    net.features, net.hidden, net.width, net.page_types = features, hidden, width, page_types
    net.layers = dilations.shape[0]
    net.dilations = cython.address(dilations[0])
    if weights.shape[0] != weights_size(cython.address(net)):
        raise ValueError(f"{weights.shape[0]} weights where {weights_size(cython.address(net))} are expected")
    net.weights = cython.address(weights[0])
    logits, page_type_logits = np.empty(packed.blocks, dtype=np.float32), np.empty(page_types, dtype=np.float32)
    logits_view, page_type_view = logits, page_type_logits
    workspace_view = np.empty(workspace_size(cython.address(net), packed.blocks), dtype=np.float32)
    block_out = cython.address(logits_view[0])
    type_out = cython.address(page_type_view[0])
    workspace = cython.address(workspace_view[0])
    shares = cython.address(share[0])
    tile_count = (packed.blocks + TILE_BLOCKS - 1) // TILE_BLOCKS
    with cython.nogil:
        tile = 0
        while tile < tile_count:
            last = min(tile_count, tile + CHUNK_TILES)
            if packed.first_tile != tile or packed.last_tile != last:  # a small page is packed once for all networks
                packed.first_tile = tile
                packed.last_tile = last
                pack_tiles(matrix, used, used_count, packed)
            forward_tiles(cython.address(net), packed, workspace)
            tile = last
        forward(cython.address(net), packed.blocks, shares, workspace, block_out, type_out)
    return logits, page_type_logits
