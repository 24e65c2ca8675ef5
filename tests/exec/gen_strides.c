/* Row strides: padding of an element, of a cache line, up to another leading dimension, and far
 * more. Includes where the spec language forbids them. */
#include "gen.h"

/* Maximum bytes of padding in one tensor; for random ops and for classes, which are larger. */
#define GAPS       400000
#define CLASS_GAPS 6000000

static int64_t rows_of(const gen_op *op)
{
    int64_t rows = 1;
    for (int d = 0; d < op->axis; ++d) {
        rows *= op->dims[d];
    }
    return rows;
}

static int64_t element_bits(const gen_op *op)
{
    return op->dtype->bits > 0 ? op->dtype->bits : 8 * op->dtype->bytes;
}

static bool has_open_rows(const gen_op *op)
{
    bool open = false;
    for (int d = 0; d < op->axis; ++d) {
        open = open || op->numbers[d] != 0;
    }
    return open;
}

/* The unit of strides: groups of 3 bytes, or whole bytes if the program computes addresses from
 * row numbers. */
static int64_t unit_of(const gen_op *op)
{
    int64_t unit = 1;
    if (op->order == GEN_PLANES) {
        return 24 / op->dtype->bits;
    }
    while (op->dtype->bits > 0 && has_open_rows(op) && unit * op->dtype->bits % 8 != 0) {
        unit *= 2;
    }
    return unit;
}

/* Elements of padding between rows, `far` at most. */
static int64_t gap_of(test_prng *prng, const gen_op *op, int64_t row, int64_t far)
{
    const int64_t line = 512 / element_bits(op) > 0 ? 512 / element_bits(op) : 1;
    switch (test_prng_range(prng, 0, 7)) {
    case 0:
        return 0; /* written, but without padding */
    case 1:
        return 1;
    case 2:
        return test_prng_range(prng, 1, 9);
    case 3:
        return line;
    case 4: /* up to a whole number of lines, or one element more */
        return line - row % line + (test_prng_chance(prng, 30) ? line : 0);
    case 5:
        return row;
    case 6:
        return test_prng_range(prng, 1, 70);
    default: /* rarely the maximum, also not byte-aligned */
        return test_prng_chance(prng, 10) ? far - test_prng_range(prng, 0, far < 16 ? 0 : 16)
                                          : test_prng_range(prng, 100, 5000);
    }
}

static int64_t stride_of(test_prng *prng, const gen_limits *limits, const gen_op *op, int64_t row)
{
    const int64_t unit = unit_of(op);
    const int64_t most = (limits->copies == INT64_MAX ? CLASS_GAPS : GAPS) / rows_of(op);
    int64_t gap = gap_of(prng, op, row, GAPS / rows_of(op) * 8 / element_bits(op));
    if (gap * element_bits(op) / 8 > most) {
        gap = test_prng_range(prng, 0, 3);
    }
    const int64_t stride = row + gap + (row + gap == 0);
    return (stride + unit - 1) / unit * unit;
}

void gen_choose_strides(test_prng *prng, const gen_limits *limits, gen_op *op)
{
    int64_t inner = 1;
    const int which = (int)test_prng_range(prng, 0, 3); /* the full tensor, parts, or both */
    for (int d = op->axis + 1; d < op->rank; ++d) {
        inner *= op->dims[d];
    }
    if (rows_of(op) == 0) {
        return;
    }
    if (which != 1) {
        op->stride = stride_of(prng, limits, op, op->dims[op->axis] * inner);
    }
    /* after /n the notation has only one stride */
    const bool one = op->equal && op->vocabulary == GEN_NOTATION;
    int64_t all = 0;
    for (int i = 0; which != 0 && i < op->nparts && i < op->listed_outputs; ++i) {
        gen_part *part = &op->parts[i];
        if (!part->wanted || (!one && test_prng_chance(prng, 35))) {
            continue;
        }
        all = one && i > 0 ? all : stride_of(prng, limits, op, part->length * inner);
        part->stride = all;
        /* only a list can give them */
        op->list_outputs = op->list_outputs || op->vocabulary != GEN_NOTATION;
        op->count_outputs = 0;
    }
}
