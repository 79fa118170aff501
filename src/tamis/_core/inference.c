/* The networks of tamis.sift.network as one compiled loop, in a third of NumPy's time.
 *
 * A page has about 270 blocks, so its matrix products are small. OpenBLAS splits them among threads that wait for each
 * other longer than they work, or loses half of its speed in pieces small enough for one thread. Here TILE_BLOCKS blocks
 * and some units are accumulated at a time, which fit the registers of a processor, and features that are 0 in all blocks
 * of a tile are left out.
 *
 * Instruction sets: this file includes itself for each one, with the layers alone. Every set computes the same bits: each
 * sum has the same terms in the same order. `forward` and `forward_tiles` choose.
 */

#ifndef VECTOR

#include "inference.h"

#include <string.h>

#if defined(__x86_64__) || defined(_M_X64)
#define TARGET __attribute__((target("avx2,fma")))
int inference_supported(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
/* Wide registers hold three times LANES units: what all shipped layers are a multiple of. */
#define HAS_WIDE 1
enum { WIDE_LANES = 48 };
static int wide_supported(void) { return __builtin_cpu_supports("avx512f") != 0; }
#else
#define TARGET
int inference_supported(void) { return 1; }
#endif

#define INLINE static inline __attribute__((always_inline)) TARGET

ptrdiff_t weights_size(const struct network *n) {
    return (n->features + 1) * n->hidden + (n->hidden + 1) * n->width +
           n->layers * (5 * n->width + 1) * n->width + n->width + (2 * n->width + 1) * n->page_types + 1;
}

/* The state of all blocks, with zeros on either side for the neighbours of the first and last blocks; two chunks of it; the
 * first layer of a chunk; the pooled state of the page; a bias. */
static ptrdiff_t padding_size(const struct network *n) { return n->dilations[n->layers - 1] * n->width; }
static ptrdiff_t state_size(const struct network *n, ptrdiff_t blocks) {
    return blocks * n->width + 2 * padding_size(n);
}
/* A chunk, and the blocks before it that its only tile computes again. */
static ptrdiff_t chunk_size(const struct network *n) { return (CHUNK_TILES + 1) * TILE_BLOCKS * n->width; }
ptrdiff_t workspace_size(const struct network *n, ptrdiff_t blocks) {
    return state_size(n, blocks) + 2 * chunk_size(n) + CHUNK_TILES * TILE_BLOCKS * n->hidden + 3 * n->width;
}

TARGET ptrdiff_t find_used(const float *matrix, ptrdiff_t features, ptrdiff_t blocks, int *used) {
    ptrdiff_t used_count = 0;
    for (ptrdiff_t feature = 0; feature < features; feature++) {
        const float *row = matrix + feature * blocks;
        int any = 0;
        for (ptrdiff_t block = 0; block < blocks; block++) any |= row[block] != 0;
        used[used_count] = (int)feature;
        used_count += any;
    }
    return used_count;
}

TARGET void bound_features(float *matrix, ptrdiff_t features, ptrdiff_t blocks, const float *bounds) {
    for (ptrdiff_t feature = 0; feature < features; feature++) {
        float *row = matrix + feature * blocks, bound = bounds[feature];
        int above = 0;
        for (ptrdiff_t block = 0; block < blocks; block++) above |= row[block] > bound;
        if (!above) continue; /* nothing is written where nothing changes */
        for (ptrdiff_t block = 0; block < blocks; block++) row[block] = row[block] > bound ? bound : row[block];
    }
}

TARGET void pool_features(const float *matrix, ptrdiff_t features, ptrdiff_t blocks, const int *used,
                          ptrdiff_t used_count, const float *share, float *pooled) {
    memset(pooled, 0, 2 * (size_t)features * sizeof(float));
    for (ptrdiff_t k = 0; k < used_count; k++) {
        const float *row = matrix + used[k] * blocks;
        float sums[8] = {0}, highest = row[0]; /* eight sums, whatever the registers hold: the same bits everywhere */
        ptrdiff_t block = 0;
        for (; block + 8 <= blocks; block += 8)
            for (int lane = 0; lane < 8; lane++) sums[lane] += row[block + lane] * share[block + lane];
        for (int lane = 0; block < blocks; block++, lane++) sums[lane] += row[block] * share[block];
        for (block = 0; block < blocks; block++) highest = row[block] > highest ? row[block] : highest;
        pooled[used[k]] = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
        pooled[features + used[k]] = highest;
    }
}

TARGET void pack_tiles(const float *matrix, const int *used, ptrdiff_t used_count, struct tiles *tiles) {
    ptrdiff_t blocks = tiles->blocks, size = 0;
    for (ptrdiff_t tile = tiles->first_tile; tile < tiles->last_tile; tile++) {
        ptrdiff_t first = tile * TILE_BLOCKS;
        if (first + TILE_BLOCKS > blocks) first = blocks - TILE_BLOCKS;
        for (ptrdiff_t k = 0; k < used_count; k++) {
            const float *row = matrix + used[k] * blocks + first;
            int any = 0;
            /* Written without a branch: where all values are 0, the next feature overwrites this one. */
            for (int block = 0; block < TILE_BLOCKS; block++) {
                tiles->values[TILE_BLOCKS * size + block] = row[block];
                any |= row[block] != 0;
            }
            tiles->feature[size] = used[k];
            size += any;
        }
        tiles->tile_end[tile - tiles->first_tile] = size;
    }
}

INLINE ptrdiff_t first_block(ptrdiff_t tile, ptrdiff_t blocks) {
    ptrdiff_t first = tile * TILE_BLOCKS; /* the last tile computes some blocks again rather than fewer */
    return first + TILE_BLOCKS <= blocks ? first : blocks - TILE_BLOCKS;
}

/* Where the hidden units of a tile are: those of a chunk alone are kept. */
INLINE float *hidden_of(float *hidden, ptrdiff_t tile, const struct tiles *tiles, ptrdiff_t width) {
    return hidden + (tile - tiles->first_tile) * TILE_BLOCKS * width;
}

/* The page as a whole: the mean of each unit over the blocks, weighted by share; then its maximum. */
static TARGET void pool(const float *restrict state, const float *restrict share, ptrdiff_t blocks, ptrdiff_t width,
                        float *restrict pooled) {
    float *restrict mean = pooled, *restrict max = pooled + width;
    memset(pooled, 0, 2 * width * sizeof(float)); /* no state is negative */
    for (ptrdiff_t block = 0; block < blocks; block++) {
        const float *restrict from = state + block * width;
        float weight = share[block];
        for (ptrdiff_t unit = 0; unit < width; unit++) {
            mean[unit] += weight * from[unit];
            max[unit] = max[unit] > from[unit] ? max[unit] : from[unit];
        }
    }
}

/* Add a vector times a matrix of size x width to `out`. */
static TARGET void add_product(const float *restrict vector, ptrdiff_t size, const float *restrict matrix,
                               ptrdiff_t width, float *restrict out) {
    for (ptrdiff_t k = 0; k < size; k++)
        for (ptrdiff_t unit = 0; unit < width; unit++) out[unit] += vector[k] * matrix[k * width + unit];
}

static TARGET float dot(const float *one, const float *two, ptrdiff_t size, float start) {
    float sums[4] = {start, 0, 0, 0}; /* four accumulators break the dependency chain */
    for (ptrdiff_t k = 0; k < size; k += 4)
        for (int lane = 0; lane < 4; lane++) sums[lane] += one[k + lane] * two[k + lane];
    return sums[0] + sums[1] + sums[2] + sums[3];
}


/* The layers for registers of 256 bits, then for those of 512. */
#define VECTOR 8
#define PARTS 2
#define NAMED(name) name##_8
#include "inference.c"
#undef VECTOR
#undef PARTS
#undef NAMED

#ifdef HAS_WIDE
#undef TARGET
#define TARGET __attribute__((target("avx512f,avx2,fma")))
#define VECTOR 16
#define PARTS 3
#define NAMED(name) name##_16
#include "inference.c"
#undef VECTOR
#undef PARTS
#undef NAMED
#undef TARGET
#define TARGET __attribute__((target("avx2,fma")))

static int is_wide(const struct network *n) {
    return wide_supported() && n->hidden % WIDE_LANES == 0 && n->width % WIDE_LANES == 0;
}
#define CHOOSE(n, name, ...) (is_wide(n) ? name##_16(__VA_ARGS__) : name##_8(__VA_ARGS__))
#else
#define CHOOSE(n, name, ...) name##_8(__VA_ARGS__)
#endif

void forward_tiles(const struct network *n, const struct tiles *tiles, float *workspace) {
    const float *weights = n->weights, *second = weights + (n->features + 1) * n->hidden;
    float *state = workspace + padding_size(n), *hidden = workspace + state_size(n, tiles->blocks) + 2 * chunk_size(n);
    CHOOSE(n, sparse_matmul_relu, tiles, weights, weights + n->features * n->hidden, n->hidden, hidden);
    CHOOSE(n, matmul_relu, tiles, hidden, n->hidden, second, second + n->hidden * n->width, n->width, state);
}

/* A residual layer of all blocks, in place. A chunk is written to the state when the next one is computed, which reads the
 * last blocks of this one as they were. */
static void residual_layer(const struct network *n, float *state, ptrdiff_t dilation, const float *weights,
                           const float *bias, ptrdiff_t blocks, float *chunks) {
    ptrdiff_t width = n->width, tile_count = (blocks + TILE_BLOCKS - 1) / TILE_BLOCKS, size = chunk_size(n);
    ptrdiff_t before = -1; /* the first block of the chunk that is not written yet */
    int own = 0;
    struct tiles part = {.blocks = blocks};
    for (ptrdiff_t tile = 0; tile < tile_count; tile += CHUNK_TILES, own ^= 1) {
        part.first_tile = tile;
        part.last_tile = tile + CHUNK_TILES < tile_count ? tile + CHUNK_TILES : tile_count;
        ptrdiff_t first = tile * TILE_BLOCKS;
        CHOOSE(n, residual_tiles, state, dilation, weights, bias, &part, width, chunks + own * size, first - TILE_BLOCKS);
        if (before >= 0)
            memcpy(state + before * width, chunks + (own ^ 1) * size + TILE_BLOCKS * width,
                   (size_t)((first - before) * width) * sizeof(float));
        before = first;
    }
    memcpy(state + before * width, chunks + (own ^ 1) * size + TILE_BLOCKS * width,
           (size_t)((blocks - before) * width) * sizeof(float));
}

void forward(const struct network *n, ptrdiff_t blocks, const float *share, float *workspace, float *logits,
             float *page_type_logits) {
    ptrdiff_t width = n->width, padding = padding_size(n), size = state_size(n, blocks);
    float *state = workspace + padding, *chunks = workspace + size;
    float *pooled = chunks + 2 * chunk_size(n) + CHUNK_TILES * TILE_BLOCKS * n->hidden, *bias = pooled + 2 * width;
    for (ptrdiff_t k = 0; k < padding; k++) workspace[k] = workspace[size - 1 - k] = 0;

    const float *weights = n->weights + (n->features + 1) * n->hidden + (n->hidden + 1) * width;
    for (ptrdiff_t layer = 0; layer < n->layers; layer++) {
        /* The pooled state is the same for all blocks, so it is a part of the bias. */
        pool(state, share, blocks, width, pooled);
        memcpy(bias, weights + 5 * width * width, width * sizeof(float));
        add_product(pooled, 2 * width, weights + 3 * width * width, width, bias);
        residual_layer(n, state, n->dilations[layer], weights, bias, blocks, chunks);
        weights += (5 * width + 1) * width;
    }

    const float *type_weights = weights + width, *type_bias = type_weights + 2 * width * n->page_types;
    for (ptrdiff_t block = 0; block < blocks; block++)
        logits[block] = dot(state + block * width, weights, width, type_bias[n->page_types]);
    pool(state, share, blocks, width, pooled);
    for (ptrdiff_t type = 0; type < n->page_types; type++) {
        float sum = type_bias[type]; /* without FMA, because this function is not TARGET */
        for (ptrdiff_t k = 0; k < 2 * width; k++) sum += pooled[k] * type_weights[k * n->page_types + type];
        page_type_logits[type] = sum;
    }
}

#else

typedef float NAMED(vector) __attribute__((vector_size(VECTOR * sizeof(float))));
typedef int NAMED(mask) __attribute__((vector_size(VECTOR * sizeof(int))));
/* The same at any address of a float. */
typedef float NAMED(unaligned) __attribute__((vector_size(VECTOR * sizeof(float)), aligned(sizeof(float)), may_alias));

INLINE void NAMED(start_from_bias)(NAMED(vector) sums[TILE_BLOCKS][PARTS], const float *bias) {
    for (int block = 0; block < TILE_BLOCKS; block++)
        for (int part = 0; part < PARTS; part++) sums[block][part] = *(const NAMED(unaligned) *)(bias + part * VECTOR);
}

/* Add to the sums one input of each block (at values, values + step ...) times that input's weights. */
INLINE void NAMED(accumulate)(NAMED(vector) sums[TILE_BLOCKS][PARTS], const float *values, ptrdiff_t step,
                              const float *weights) {
    NAMED(vector) own[PARTS];
#pragma GCC unroll 6
    for (int part = 0; part < PARTS; part++) own[part] = *(const NAMED(unaligned) *)(weights + part * VECTOR);
#pragma GCC unroll 6
    for (int block = 0; block < TILE_BLOCKS; block++) {
        float value = values[block * step];
#pragma GCC unroll 6
        for (int part = 0; part < PARTS; part++) sums[block][part] += value * own[part];
    }
}

INLINE NAMED(vector) NAMED(relu)(NAMED(vector) values) {
    return (NAMED(vector))((NAMED(mask))values & (values > 0));
}

/* Store max(sums, 0) as units of TILE_BLOCKS blocks, each `width` after the one before. */
INLINE void NAMED(store_relu)(NAMED(vector) sums[TILE_BLOCKS][PARTS], float *out, ptrdiff_t width) {
    for (int block = 0; block < TILE_BLOCKS; block++)
        for (int part = 0; part < PARTS; part++)
            *(NAMED(unaligned) *)(out + block * width + part * VECTOR) = NAMED(relu)(sums[block][part]);
}

/* The same, added to `state`. */
INLINE void NAMED(store_residual)(NAMED(vector) sums[TILE_BLOCKS][PARTS], const float *state, float *out,
                                  ptrdiff_t width) {
    for (int block = 0; block < TILE_BLOCKS; block++)
        for (int part = 0; part < PARTS; part++) {
            ptrdiff_t at = block * width + part * VECTOR;
            *(NAMED(unaligned) *)(out + at) = *(const NAMED(unaligned) *)(state + at) + NAMED(relu)(sums[block][part]);
        }
}

/* In all layers the outer loop is over units: the weights of PARTS * VECTOR units, for all blocks, stay in the nearest cache. */

/* The first layer: out = relu(features @ weights + bias), over the features that each tile has. */
static TARGET void NAMED(sparse_matmul_relu)(const struct tiles *tiles, const float *weights, const float *bias,
                                      ptrdiff_t hidden, float *out) {
    for (ptrdiff_t unit = 0; unit < hidden; unit += PARTS * VECTOR) {
        ptrdiff_t k = 0;
        for (ptrdiff_t tile = tiles->first_tile; tile < tiles->last_tile; tile++) {
            NAMED(vector) sums[TILE_BLOCKS][PARTS];
            NAMED(start_from_bias)(sums, bias + unit);
            for (; k < tiles->tile_end[tile - tiles->first_tile]; k++)
                NAMED(accumulate)(sums, tiles->values + TILE_BLOCKS * k, 1, weights + tiles->feature[k] * hidden + unit);
            NAMED(store_relu)(sums, hidden_of(out, tile, tiles, hidden) + unit, hidden);
        }
    }
}

/* The second layer: out = relu(in @ weights + bias). */
static TARGET void NAMED(matmul_relu)(const struct tiles *tiles, float *in, ptrdiff_t in_width, const float *weights,
                               const float *bias, ptrdiff_t width, float *out) {
    for (ptrdiff_t unit = 0; unit < width; unit += PARTS * VECTOR)
        for (ptrdiff_t tile = tiles->first_tile; tile < tiles->last_tile; tile++) {
            const float *values = hidden_of(in, tile, tiles, in_width);
            NAMED(vector) sums[TILE_BLOCKS][PARTS];
            NAMED(start_from_bias)(sums, bias + unit);
            for (ptrdiff_t k = 0; k < in_width; k++) NAMED(accumulate)(sums, values + k, in_width, weights + k * width + unit);
            NAMED(store_relu)(sums, out + first_block(tile, tiles->blocks) * width + unit, width);
        }
}

/* A residual layer for some tiles: state + relu([state of the block `dilation` before, own, `dilation` after] @ weights +
 * bias). There are zeros before the first block and after the last. `out` begins with the block `out_first`. */
static TARGET void NAMED(residual_tiles)(const float *state, ptrdiff_t dilation, const float *weights, const float *bias,
                                         const struct tiles *tiles, ptrdiff_t width, float *out, ptrdiff_t out_first) {
    for (ptrdiff_t unit = 0; unit < width; unit += PARTS * VECTOR)
        for (ptrdiff_t tile = tiles->first_tile; tile < tiles->last_tile; tile++) {
            ptrdiff_t block = first_block(tile, tiles->blocks);
            const float *own = state + block * width;
            const float *row = weights + unit;
            NAMED(vector) sums[TILE_BLOCKS][PARTS];
            NAMED(start_from_bias)(sums, bias + unit);
            for (ptrdiff_t neighbour = -dilation; neighbour <= dilation; neighbour += dilation)
                for (ptrdiff_t k = 0; k < width; k++, row += width)
                    NAMED(accumulate)(sums, own + neighbour * width + k, width, row);
            NAMED(store_residual)(sums, own + unit, out + (block - out_first) * width + unit, width);
        }
}

#endif
