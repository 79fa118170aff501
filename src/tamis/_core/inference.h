/* The forward pass of a network over the blocks of a page; see inference.c. */

#ifndef TAMIS_INFERENCE_H
#define TAMIS_INFERENCE_H

#include <stddef.h>

enum {
    TILE_BLOCKS = 6, /* blocks computed together: 6 x 2 registers of sums, of the 16 there are */
    LANES = 16,      /* units computed together: every layer has a multiple of this */
    CHUNK_TILES = 64 /* tiles whose features are packed together: the memory of a large page stays that of its state */
};

/* A network. `weights` has all parameters one after another, each matrix by rows of inputs:
 *
 *     input weights (features x hidden), bias (hidden)
 *     second weights (hidden x width), bias (width)
 *     for each residual layer: neighbour weights (3 width x width), context weights (2 width x width), bias (width)
 *     block weights (width), page type weights (2 width x page_types), bias (page_types), block bias (1)
 */
struct network {
    const float *weights;
    ptrdiff_t features, hidden, width, page_types, layers;
    const int *dilations; /* for each residual layer, the distance of the neighbours in blocks; the last is largest */
};

/* The features of a chunk of a page, in tiles of TILE_BLOCKS blocks, without the features that are 0 in all blocks of a
 * tile. Entry k has the values of feature `feature[k]` for the blocks of its tile: values[TILE_BLOCKS * k ...]. The
 * entries of tile t end at tile_end[t - first_tile]. The last tile of the page has its last blocks, some of which may be
 * in the tile before. */
struct tiles {
    float *values;
    int *feature;
    ptrdiff_t *tile_end;
    ptrdiff_t blocks, first_tile, last_tile;
};

/* Return whether this processor has the instructions that the code below was compiled for. */
int inference_supported(void);

/* Return the number of floats in `weights`, and the number that `forward` needs to work in. */
ptrdiff_t weights_size(const struct network *network);
ptrdiff_t workspace_size(const struct network *network, ptrdiff_t blocks);

/* Write the features that are not 0 in all blocks into `used`; return how many they are. */
ptrdiff_t find_used(const float *matrix, ptrdiff_t features, ptrdiff_t blocks, int *used);

/* Lower the features that are above their bounds. */
void bound_features(float *matrix, ptrdiff_t features, ptrdiff_t blocks, const float *bounds);

/* Write the mean of each feature, weighted by share, and then the maximum of each. */
void pool_features(const float *matrix, ptrdiff_t features, ptrdiff_t blocks, const int *used, ptrdiff_t used_count,
                   const float *share, float *pooled);

/* Fill the tiles from first_tile to last_tile from a matrix of features x blocks. There is space for all used features in
 * each tile. */
void pack_tiles(const float *matrix, const int *used, ptrdiff_t used_count, struct tiles *tiles);

/* Compute the first two layers for the blocks of some tiles. */
void forward_tiles(const struct network *network, const struct tiles *tiles, float *workspace);

/* Compute a logit for each block and one for each page type, after `forward_tiles` for all tiles. `share` is each block's
 * part of the page's size. */
void forward(const struct network *network, ptrdiff_t blocks, const float *share, float *workspace, float *logits,
             float *page_type_logits);

#endif
