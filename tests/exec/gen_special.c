/* The fixed ops: shapes from models and corner cases. */
#include "gen.h"

#include <string.h>

typedef struct fixed {
    const char *dtype;
    int rank;
    int64_t dims[GEN_MAX_RANK];
    int axis;
    int repeat; /* > 0: that many parts of length[0] each */
    int nparts;
    int64_t lengths[9];
} fixed;

static const fixed cases[] = {
    /* transformers and recurrent nets */
    {"f32", 3, {1, 1024, 2304}, 2, 3, 0, {768}},
    {"f32", 3, {1, 1, 2304}, 2, 3, 0, {768}},
    {"f16", 3, {1, 24, 6144}, 2, 0, 3, {4096, 1024, 1024}},
    {"bf16", 3, {1, 12, 28672}, 2, 2, 0, {14336}},
    {"f16", 4, {1, 32, 20, 128}, 3, 2, 0, {64}},
    {"f32", 4, {1, 32, 1, 128}, 3, 2, 0, {64}},
    {"bf16", 4, {1, 5, 128, 192}, 3, 0, 2, {128, 64}},
    {"f16", 5, {2, 12, 3, 12, 64}, 2, 3, 0, {1}},
    {"f32", 2, {64, 1024}, 1, 4, 0, {256}},
    {"f32", 2, {1, 128}, 1, 4, 0, {32}},
    {"f32", 3, {1, 24, 80}, 2, 0, 3, {48, 16, 16}},
    {"f16", 3, {1, 128, 324}, 2, 0, 2, {320, 4}},
    /* detection, images, clouds, shapes */
    {"f32", 5, {1, 3, 20, 20, 85}, 4, 0, 4, {2, 2, 1, 80}},
    {"f32", 3, {1, 144, 84}, 1, 0, 2, {64, 80}},
    {"i8", 4, {1, 20, 20, 255}, 3, 3, 0, {85}},
    {"u8", 3, {224, 224, 3}, 2, 3, 0, {1}},
    {"u8", 3, {64, 65, 4}, 2, 4, 0, {1}},
    {"u8", 3, {54, 96, 2}, 2, 2, 0, {1}},
    {"i16", 2, {4801, 2}, 1, 2, 0, {1}},
    {"f32", 2, {8400, 4}, 1, 4, 0, {1}},
    {"f32", 2, {4097, 5}, 1, 0, 3, {3, 1, 1}},
    {"i64", 1, {4}, 0, 4, 0, {1}},
    /* corners */
    {"u8", 2, {100003, 7}, 1, 0, 3, {1, 2, 4}},
    {"u16", 2, {65537, 13}, 1, 0, 3, {5, 1, 7}},
    {"i8", 2, {4096, 128}, 1, 0, 2, {63, 65}},
    {"u8", 2, {900, 101}, 1, 0, 2, {33, 68}},
    {"u8", 2, {700, 300}, 1, 0, 5, {12, 200, 50, 3, 35}},
    {"f32", 2, {9, 250}, 1, 0, 2, {99, 151}},
    {"u8", 2, {8, 64}, 1, 2, 0, {32}},
    {"u8", 2, {3, 257}, 1, 257, 0, {1}},
    {"f32", 3, {2, 500, 3}, 1, 500, 0, {1}},
    {"u64", 1, {33}, 0, 33, 0, {1}},
    {"u64", 2, {2, 32}, 1, 32, 0, {1}},
    {"u8", 1, {1}, 0, 1, 0, {1}},
    {"c128", 2, {1, 1}, 1, 1, 0, {1}},
    {"c128", 2, {31, 2}, 1, 2, 0, {1}},
    {"f64", 2, {7, 5}, 1, 1, 0, {5}},
    {"f32", 2, {4, 6}, 1, 0, 6, {6, 0, 0, 0, 0, 0}},
    {"f32", 2, {4, 6}, 1, 0, 3, {0, 6, 0}},
    {"u8", 1, {0}, 0, 3, 0, {0}},
    {"f32", 3, {2, 0, 4}, 2, 2, 0, {2}},
    {"f32", 3, {0, 6, 4}, 1, 2, 0, {3}},
    {"u8", 1, {1000001}, 0, 0, 2, {1, 1000000}},
    {"u8", 2, {3, 100001}, 1, 0, 2, {1, 100000}},
    /* ordinary stores in the last-level cache: half vectors */
    {"u8", 2, {3145747, 2}, 1, 2, 0, {1}},
    {"f32", 2, {524309, 3}, 1, 3, 0, {1}},
    {"f32", 2, {18511, 85}, 1, 0, 4, {2, 2, 1, 80}},
    {"u8", 2, {9001, 700}, 1, 0, 3, {300, 300, 100}},
    {"string", 2, {400, 3}, 1, 0, 2, {1, 2}},
    {"bool", 3, {5, 7, 3}, 1, 0, 2, {3, 4}},
    /* packed elements: whole bytes, changing bit offsets, one element and many, many rows and
     * few */
    {"u4", 2, {64, 12288}, 1, 3, 0, {4096}},
    {"u4", 2, {4097, 3}, 1, 0, 2, {1, 2}},
    {"u2", 2, {1000, 13}, 1, 0, 2, {5, 8}},
    {"u1", 2, {333, 65}, 1, 0, 2, {1, 64}},
    {"i4", 2, {7, 2049}, 1, 0, 3, {1, 1024, 1024}},
    {"u4", 2, {9, 4001}, 1, 0, 2, {2001, 2000}},
    {"i2", 1, {100003}, 0, 0, 3, {1, 50001, 50001}},
    {"u3", 2, {129, 700}, 1, 0, 4, {3, 200, 497, 0}},
    {"u6", 3, {33, 5, 7}, 1, 0, 3, {1, 3, 1}},
    {"u1", 1, {9}, 0, 9, 0, {1}},
    {"u1", 2, {200, 9}, 1, 9, 0, {1}},
    {"u1", 2, {70, 64}, 1, 64, 0, {1}},
    {"nf4", 1, {7}, 0, 0, 1, {7}},
    {"nf4", 2, {3, 7}, 1, 0, 2, {7, 0}},
    {"f4e2m1", 4, {2, 3, 5, 3}, 2, 5, 0, {1}},
    {"u1", 2, {1, 1}, 1, 0, 1, {1}},
    {"u4", 2, {5, 1031}, 1, 0, 4, {127, 128, 129, 647}},
    /* vectors: rows for several iterations and a rest, both bit orders, prefetched lines */
    {"u3", 2, {2003, 5}, 1, 0, 2, {2, 3}},
    {"u6", 2, {1301, 3}, 1, 0, 2, {1, 2}},
    {"u1", 2, {8003, 2}, 1, 2, 0, {1}},
    {"u2", 2, {4001, 3}, 1, 0, 2, {1, 2}},
    {"u2", 2, {4001, 3}, 1, 0, 2, {1, 2}},
    {"u4", 2, {1009, 97}, 1, 0, 2, {33, 64}},
    {"u4", 2, {1009, 97}, 1, 0, 2, {33, 64}},
    {"u1", 2, {1500, 300}, 1, 0, 2, {100, 200}},
    {"u1", 2, {1500, 300}, 1, 0, 2, {100, 200}},
    {"u1", 2, {5000, 20}, 1, 0, 3, {7, 12, 1}},
    {"u1", 2, {5000, 20}, 1, 0, 3, {7, 12, 1}},
    {"u1", 2, {7001, 65}, 1, 0, 2, {1, 64}},
    {"u1", 2, {7001, 65}, 1, 0, 2, {1, 64}},
    {"i4", 2, {5003, 7}, 1, 0, 3, {1, 4, 2}},
    {"i4", 2, {5003, 7}, 1, 0, 3, {1, 4, 2}},
    /* straight-line code of several blocks; the last ones need a loop with most budgets */
    {"f32", 2, {64, 40}, 1, 2, 0, {20}},
    {"u8", 2, {300, 5}, 1, 5, 0, {1}},
    {"u8", 2, {20, 2000}, 1, 0, 3, {999, 1000, 1}},
    {"u16", 2, {2048, 3}, 1, 3, 0, {1}},
    {"f64", 2, {1025, 2}, 1, 2, 0, {1}},
    /* groups of narrow columns: many of them, beside wide ones, in rows that end inside a vector */
    {"u8", 2, {150, 257}, 1, 257, 0, {1}},
    {"u8", 2, {82000, 65}, 1, 65, 0, {1}}, /* enough to prefetch the next block */
    {"f32", 2, {100, 64}, 1, 64, 0, {1}},
    {"u16", 2, {130, 102}, 1, 34, 0, {3}},
    {"f32", 2, {90, 105}, 1, 35, 0, {3}},
    {"u16", 2, {133, 33}, 1, 11, 0, {3}},
    {"u8", 2, {300, 20}, 1, 20, 0, {1}},
    {"f64", 2, {70, 40}, 1, 40, 0, {1}},
    {"f32", 2, {70, 85}, 1, 0, 3, {2, 2, 81}},
    {"f32", 2, {70, 116}, 1, 2, 0, {58}},
    {"u8", 2, {3000, 40}, 1, 0, 8, {1, 2, 3, 4, 5, 6, 7, 12}},
    {"f16", 2, {90, 61}, 1, 0, 5, {3, 25, 1, 31, 1}},
    /* wide columns in groups: rows of whole lines and others, blocks of one row and of many */
    {"f32", 2, {40, 2560}, 1, 40, 0, {64}},
    {"f32", 2, {9, 3240}, 1, 40, 0, {81}},
    {"u8", 2, {90, 1650}, 1, 33, 0, {50}},
    {"f64", 2, {5, 13200}, 1, 33, 0, {400}},
    /* runs around the sizes at which copies change their form */
    {"u8", 2, {5, 270}, 1, 0, 4, {15, 16, 17, 222}},
    {"u8", 2, {5, 384}, 1, 0, 3, {127, 128, 129}},
    {"u8", 2, {5, 576}, 1, 0, 3, {191, 192, 193}},
    {"u8", 2, {5, 768}, 1, 0, 3, {255, 256, 257}},
    {"u8", 2, {60, 768}, 1, 0, 3, {255, 256, 257}},
    {"u8", 2, {60, 1536}, 1, 0, 3, {511, 512, 513}},
    {"u8", 2, {3, 3072}, 1, 0, 3, {1023, 1024, 1025}},
    {"u8", 2, {30, 3072}, 1, 0, 3, {1023, 1024, 1025}},
    {"u8", 2, {7, 12345}, 1, 0, 3, {4095, 4097, 4153}},
    /* interleaved streams of non-temporal stores: long rows, rows that are too long, and rows of
     * partial lines */
    {"u8", 2, {37, 3200}, 1, 0, 3, {1024, 2112, 64}},
    {"u8", 2, {2, 262336}, 1, 0, 2, {131136, 131200}},
    {"u8", 2, {43, 2410}, 1, 0, 2, {1201, 1209}},
    /* short runs with ordinary stores in a Zen 4's last cache */
    {"u8", 2, {24700, 257}, 1, 0, 3, {128, 128, 1}},
    /* many outputs larger than the cache of a Zen 4: of whole lines, of partial lines, and with
     * a few extra bytes */
    {"f32", 2, {301, 1024}, 1, 16, 0, {64}},
    {"f32", 2, {203, 1620}, 1, 20, 0, {81}},
    {"f32", 2, {1201, 229}, 1, 0, 9, {25, 33, 16, 24, 25, 51, 19, 35, 1}},
    {"u8", 2, {260, 4140}, 1, 46, 0, {90}},
    {"f32", 2, {100, 2673}, 1, 33, 0, {81}},
    /* one part, all of it one run; long runs, in and beyond private caches */
    {"u8", 2, {3000, 100}, 1, 1, 0, {100}},
    {"u8", 2, {1000, 85}, 1, 1, 0, {85}},
    {"u8", 2, {600, 4096}, 1, 1, 0, {4096}},
    {"f16", 2, {5, 14000}, 1, 0, 4, {12288, 513, 512, 687}},
    {"u8", 2, {70, 33001}, 1, 0, 3, {16500, 1, 16500}},
};

#define NCASES ((int)(sizeof cases / sizeof cases[0]))

/* Ops with row strides, or concats. Strides of the full tensor and of each part; 0: no padding.
 * If parts repeat, eight parts have the first stride, the next eight the next, up to the last
 * non-zero one, and so on. unwanted: a part that a concat does not write; -1: none. */
typedef struct placed {
    fixed op;
    bool joins;
    int64_t stride;
    int64_t strides[9];
    int unwanted;
} placed;

static const placed placed_cases[] = {
    /* planes to pixels, into and from wider rows, and padded to four channels */
    {{"u8", 3, {64, 65, 3}, 2, 3, 0, {1}}, true, 0, {0}, -1},
    {{"u8", 3, {224, 224, 3}, 2, 3, 0, {1}}, true, 0, {0}, -1},
    {{"u8", 3, {33, 65, 4}, 2, 0, 4, {1, 1, 1, 1}}, true, 0, {0}, 3},
    {{"u8", 3, {64, 65, 3}, 2, 3, 0, {1}}, true, 4, {0}, -1},
    {{"u8", 3, {64, 65, 3}, 2, 3, 0, {1}}, false, 4, {2}, -1},
    {{"f32", 2, {301, 3}, 1, 3, 0, {1}}, true, 0, {2}, -1},
    {{"u16", 2, {515, 2}, 1, 2, 0, {1}}, true, 5, {0}, -1},
    /* the Split and the Concat of a C2f block; a detection head; heads packed for attention */
    {{"f32", 4, {1, 64, 20, 20}, 1, 2, 0, {32}}, true, 0, {0}, -1},
    {{"f16", 4, {2, 48, 10, 10}, 1, 0, 3, {16, 16, 16}}, true, 0, {0}, -1},
    {{"f32", 3, {1, 84, 2100}, 1, 0, 2, {4, 80}}, true, 0, {0}, -1},
    {{"f32", 3, {1, 400, 85}, 2, 0, 4, {2, 2, 1, 80}}, true, 0, {0}, -1},
    {{"bf16", 4, {1, 5, 128, 192}, 3, 0, 2, {128, 64}}, true, 0, {0}, -1},
    {{"f16", 4, {1, 32, 20, 128}, 3, 2, 0, {64}}, true, 0, {0}, -1},
    /* leading dimensions: q, k and v of a buffer, into buffers; rows by lines; rows far apart */
    {{"f32", 3, {1, 24, 2304}, 2, 3, 0, {768}}, false, 4096, {1024}, -1},
    {{"f32", 3, {1, 24, 2304}, 2, 3, 0, {768}}, true, 4096, {1024}, -1},
    {{"f32", 3, {1, 24, 2304}, 2, 0, 3, {768, 768, 768}}, false, 2320, {784, 0, 769}, 1},
    {{"f16", 2, {37, 192}, 1, 0, 2, {64, 128}}, true, 224, {96, 0}, -1},
    {{"f32", 2, {5, 9}, 1, 0, 3, {3, 1, 5}}, false, 100003, {0}, -1},
    {{"u8", 2, {5, 9}, 1, 0, 3, {3, 1, 5}}, true, 0, {100003, 0, 70001}, -1},
    {{"u8", 2, {4097, 5}, 1, 0, 3, {1, 3, 1}}, true, 6, {0}, 1},
    {{"f32", 2, {1001, 8}, 1, 2, 0, {4}}, true, 9, {5}, -1},
    /* written explicitly, but without padding */
    {{"f64", 2, {300, 6}, 1, 0, 2, {2, 4}}, false, 6, {2, 4}, -1},
    /* more than fit as parameters; one; none; empty ones; pointers */
    {{"f32", 2, {19, 33}, 1, 33, 0, {1}}, true, 0, {0}, -1},
    {{"u8", 2, {70, 80}, 1, 40, 0, {2}}, true, 83, {3}, -1},
    {{"f32", 2, {3, 1280}, 1, 40, 0, {32}}, false, 0, {32, 40}, -1},
    {{"u64", 1, {33}, 0, 33, 0, {1}}, true, 0, {0}, -1},
    {{"u8", 2, {30, 100}, 1, 1, 0, {100}}, true, 0, {0}, -1},
    {{"f32", 2, {30, 25}, 1, 1, 0, {25}}, true, 41, {26}, -1},
    {{"u8", 1, {0}, 0, 3, 0, {0}}, true, 0, {0}, -1},
    {{"f32", 3, {2, 0, 4}, 2, 2, 0, {2}}, true, 0, {0}, -1},
    {{"f32", 3, {0, 6, 4}, 1, 2, 0, {3}}, true, 25, {13}, -1},
    {{"f32", 2, {4, 6}, 1, 0, 4, {0, 5, 0, 1}}, true, 7, {3, 0, 0, 0}, -1},
    {{"string", 2, {40, 3}, 1, 0, 2, {1, 2}}, true, 0, {0}, -1},
    {{"string", 2, {40, 3}, 1, 0, 2, {1, 2}}, false, 5, {2, 3}, -1},
    {{"c128", 2, {31, 2}, 1, 2, 0, {1}}, true, 3, {0}, -1},
    /* packed: rows of whole bytes, of bits, padding within bytes, parts that are not written */
    {{"u4", 2, {64, 384}, 1, 3, 0, {128}}, true, 400, {130}, -1},
    {{"u4", 2, {1, 36}, 1, 0, 2, {2, 34}}, true, 128, {36, 0}, -1},
    {{"u4", 2, {97, 3}, 1, 0, 2, {1, 2}}, true, 0, {0}, -1},
    {{"u4", 2, {97, 3}, 1, 0, 2, {1, 2}}, true, 4, {2, 3}, -1},
    {{"u4", 2, {97, 3}, 1, 0, 2, {1, 2}}, false, 5, {2, 3}, -1},
    {{"u1", 2, {70, 9}, 1, 9, 0, {1}}, true, 0, {0}, -1},
    {{"u1", 2, {333, 65}, 1, 0, 2, {1, 64}}, true, 67, {7, 0}, -1},
    {{"u1", 2, {333, 13}, 1, 0, 3, {1, 5, 7}}, true, 0, {0}, 1},
    {{"u1", 2, {333, 13}, 1, 0, 3, {1, 5, 7}}, true, 20, {3, 0, 9}, 2},
    {{"u2", 2, {129, 7}, 1, 0, 2, {3, 4}}, false, 8, {0, 9}, -1},
    {{"u3", 2, {65, 70}, 1, 0, 4, {3, 20, 47, 0}}, true, 71, {0, 21, 0, 0}, -1},
    {{"u6", 3, {33, 5, 7}, 1, 0, 3, {1, 3, 1}}, true, 36, {0}, -1},
};

#define NPLACED ((int)(sizeof placed_cases / sizeof placed_cases[0]))

static void fill(gen_op *op, const fixed *from, int index)
{
    memset(op, 0, sizeof *op);
    snprintf(op->name, sizeof op->name, "op_%d", index);
    op->dtype = gen_dtype_find(from->dtype);
    op->spelling = from->dtype;
    op->rank = from->rank;
    memcpy(op->dims, from->dims, sizeof op->dims);
    op->axis = from->axis;
    op->vocabulary = GEN_SPLIT;
    op->rest = -1;
    op->nparts = from->repeat > 0 ? from->repeat : from->nparts;
    op->listed_outputs = op->nparts;
    if (op->dtype->bits > 0) {
        op->order = op->dtype->bits % 3 != 0 && index % 2 == 1 ? GEN_MSB : GEN_LSB;
        op->write_order = op->order != GEN_LSB;
    }
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].length = from->lengths[from->repeat > 0 ? 0 : i];
        op->parts[i].wanted = true;
    }
}

/* The same as a concat, some with strides. */
static void fill_placed(gen_op *op, const placed *from, int index)
{
    fill(op, &from->op, index);
    op->joins = from->joins;
    op->stride = from->stride;
    int nstrides = 1;
    while (from->op.repeat > 0 && from->strides[nstrides] > 0) {
        ++nstrides;
    }
    for (int i = 0; i < op->nparts; ++i) {
        gen_part *part = &op->parts[i];
        part->wanted = i != from->unwanted;
        part->stride = part->wanted ? from->strides[from->op.repeat > 0 ? i / 8 % nstrides : i] : 0;
        op->list_outputs = op->list_outputs || !part->wanted || part->stride > 0;
    }
}

/* Every axis of one shape: into equal parts, into single indices, and into an unwanted part of 1
 * and the rest. */
static void fill_axis(gen_op *op, int number, int index)
{
    static const fixed base = {"f32", 4, {6, 12, 10, 24}, 0, 0, 0, {0}};
    static const char *const dtypes[] = {"f32", "u8", "f16", "i64"};
    int axis = number % 4;
    int64_t dim = base.dims[axis];
    fill(op, &base, index);
    op->dtype = gen_dtype_find(dtypes[number / 4 % 4]);
    op->spelling = op->dtype->name;
    op->axis = axis;
    switch (number / 16) {
    case 0:
        op->nparts = 2;
        op->equal = true;
        op->parts[0].length = op->parts[1].length = dim / 2;
        break;
    case 1:
        op->nparts = (int)dim;
        for (int i = 0; i < op->nparts; ++i) {
            op->parts[i].length = 1;
        }
        break;
    default:
        op->nparts = 2;
        op->rest = 1;
        op->list_outputs = true;
        op->parts[0].length = 1;
        op->parts[1].length = dim - 1;
        snprintf(op->parts[1].name, sizeof op->parts[1].name, "rest");
        break;
    }
    op->listed_outputs = op->nparts;
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].wanted = !op->list_outputs || i > 0;
    }
}

/* All of them as splits, then as concats; then those with strides. */
bool gen_special(int index, gen_op *op)
{
    enum { AXES = 48, BOTH = NCASES + AXES };
    const int which = index % BOTH;
    if (index >= 2 * BOTH) {
        const int number = index - 2 * BOTH;
        if (number < NPLACED) {
            fill_placed(op, &placed_cases[number], index);
        }
        return number < NPLACED;
    }
    if (which < NCASES) {
        fill(op, &cases[which], index);
    } else {
        fill_axis(op, which - NCASES, index);
    }
    op->joins = index >= BOTH;
    return true;
}
