/* Random ops: first their meaning, then their form. */
#include "gen.h"

#include <string.h>

/* Some are keywords of C or C++, or names a kernel could use itself. */
static const char *const words[] = {"q",    "k",      "v",       "gate", "up",     "left", "right",
                                    "data", "int",    "class",   "new",  "memcpy", "bool", "first",
                                    "last", "size_t", "outputs", "row",  "NULL",   "out1", "main"};
#define NWORDS ((int64_t)(sizeof words / sizeof words[0]))

/* Mostly small, rarely large. */
static int64_t skewed(test_prng *prng, int64_t low, int64_t high)
{
    int64_t ceiling = test_prng_range(prng, low, high);
    ceiling = test_prng_range(prng, low, ceiling);
    return test_prng_range(prng, low, ceiling);
}

static int part_count(test_prng *prng)
{
    int rare = (int)test_prng_range(prng, 0, 199);
    if (rare == 0) {
        return (int)test_prng_range(prng, 30, 70);
    }
    if (rare < 12) {
        return (int)test_prng_range(prng, 7, 20);
    }
    return (int)test_prng_range(prng, 1, 6);
}

static void choose_dtype(test_prng *prng, gen_op *op)
{
    for (;;) {
        const gen_dtype *dtype = &gen_dtypes[test_prng_range(prng, 0, gen_ndtypes - 1)];
        const char *spellings[3] = {dtype->name, dtype->onnx, dtype->openvino};
        int which = (int)test_prng_range(prng, 0, 2);
        if (op->vocabulary == GEN_ONNX) {
            which = 1;
            const int since = op->joins && dtype->onnx_since == 2 ? 4 : dtype->onnx_since;
            if (since == 0 || since > op->opset) {
                continue;
            }
        } else if (op->vocabulary == GEN_OPENVINO || op->vocabulary == GEN_VARIADIC) {
            which = 2;
        }
        if (spellings[which] != NULL) {
            op->dtype = dtype;
            op->spelling = spellings[which];
            return;
        }
    }
}

/* Few narrow columns and many rows, the main case of vector code. */
static void choose_narrow(test_prng *prng, gen_op *op)
{
    bool alike = test_prng_chance(prng, 40);
    int64_t length = test_prng_range(prng, 1, 4);
    op->nparts = (int)test_prng_range(prng, 1, 8);
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].length = alike ? length : test_prng_range(prng, 0, 6);
    }
}

static void choose_lengths(test_prng *prng, gen_op *op)
{
    int style = (int)test_prng_range(prng, 0, 9);
    op->nparts = part_count(prng);
    for (int i = 0; i < op->nparts; ++i) {
        int64_t length = 1;
        if (style < 6) {
            length = test_prng_range(prng, 0, 9);
        } else if (style < 8) {
            length = skewed(prng, 0, 200);
        }
        op->parts[i].length = test_prng_chance(prng, 4) ? 0 : length;
    }
}

/* Equal parts. In ONNX from opset 18 on, parts may also be ceil(dim / n) each, the last one with
 * the rest, which is at least 0 (onnx/reference/ops/op_split.py). */
static void choose_equal(test_prng *prng, gen_op *op)
{
    op->nparts = part_count(prng);
    op->equal = true;
    int64_t chunk = test_prng_chance(prng, 3) ? 0 : skewed(prng, 1, 40);
    int64_t dim = chunk * op->nparts;
    if (op->vocabulary == GEN_ONNX && op->opset >= 18) {
        dim = test_prng_range(prng, dim - dim / 2, dim);
        chunk = (dim + op->nparts - 1) / op->nparts;
    }
    for (int i = 0; i < op->nparts; ++i) {
        int64_t length = dim < chunk ? dim : chunk;
        op->parts[i].length = length;
        dim -= length;
    }
}

/* Chooses dims [from, to) with a product of about `target`. */
static void choose_dims(test_prng *prng, gen_op *op, int from, int to, int64_t target)
{
    for (int d = from; d < to; ++d) {
        int64_t factor = d == to - 1 ? target : test_prng_range(prng, 1, target);
        if (d != to - 1 && test_prng_chance(prng, 40)) {
            factor = 1;
        }
        op->dims[d] = factor;
        target /= factor;
    }
}

static void choose_shape(test_prng *prng, const gen_limits *limits, bool narrow, gen_op *op)
{
    static const int64_t outers[] = {1, 1, 8, 8, 8, 8, 40, 40, 300, 3000};
    static const int64_t inners[] = {1, 1, 1, 8, 8, 8, 8, 40, 40, 300};
    int64_t copies = test_prng_chance(prng, 95) ? 40 : 800;
    int64_t bytes = test_prng_chance(prng, 80) ? 3000 : limits->bytes;
    int64_t dim = 0;
    op->rank = (int)test_prng_range(prng, 1, GEN_MAX_RANK);
    op->axis = (int)test_prng_range(prng, 0, op->rank - 1);
    for (int i = 0; i < op->nparts; ++i) {
        dim += op->parts[i].length;
    }
    choose_dims(prng, op, 0, op->axis,
                test_prng_range(prng, 1, outers[test_prng_range(prng, 0, 9)]));
    choose_dims(prng, op, op->axis + 1, op->rank,
                test_prng_range(prng, 1, inners[test_prng_range(prng, 0, 9)]));
    if (narrow) {
        copies = limits->copies;
        bytes = limits->bytes;
        op->rank = (int)test_prng_range(prng, 2, GEN_MAX_RANK);
        op->axis = (int)test_prng_range(prng, 1, op->rank - 1);
        choose_dims(prng, op, 0, op->axis, test_prng_range(prng, 1, skewed(prng, 64, 3000)));
        choose_dims(prng, op, op->axis + 1, op->rank, skewed(prng, 1, 6));
    }
    op->dims[op->axis] = dim;
    for (int d = op->rank - 1; d >= 0; --d) {
        while (d > op->axis && op->dims[d] > 1 && gen_elements(op) * op->dtype->bytes > bytes) {
            op->dims[d] /= 2;
        }
    }
    for (int d = op->axis - 1; d >= 0; --d) {
        while (op->dims[d] > 1 &&
               (gen_copies(op) > copies || gen_elements(op) * op->dtype->bytes > bytes)) {
            op->dims[d] /= 2;
        }
    }
    if (op->rank > 1 && test_prng_chance(prng, 2)) {
        int d = (int)test_prng_range(prng, 0, op->rank - 1);
        op->dims[d] = d == op->axis ? dim : 0;
    }
}

static void choose_names(test_prng *prng, gen_op *op)
{
    bool taken[sizeof words / sizeof words[0]] = {false};
    bool plain = test_prng_chance(prng, 50);
    for (int i = 0; i < op->nparts; ++i) {
        int word = (int)test_prng_range(prng, 0, NWORDS - 1);
        if (plain || taken[word]) {
            snprintf(op->parts[i].name, sizeof op->parts[i].name, "part_%d", i);
        } else {
            snprintf(op->parts[i].name, sizeof op->parts[i].name, "%s", words[word]);
            taken[word] = true;
        }
    }
}

static void drop_parts(test_prng *prng, gen_op *op)
{
    int keep = (int)test_prng_range(prng, 0, op->nparts - 1);
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].wanted = i == keep || !test_prng_chance(prng, 25);
    }
}

static void choose_outputs(test_prng *prng, gen_op *op)
{
    bool must_count = op->vocabulary == GEN_ONNX && op->equal && op->opset < 18;
    op->listed_outputs = op->nparts;
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].wanted = true;
    }
    if (gen_infers(op)) { /* one input each, with or without a name */
        if (test_prng_chance(prng, 50)) {
            choose_names(prng, op);
        }
        return;
    }
    if (op->vocabulary == GEN_NOTATION) {
        /* /n has only the number of parts */
        if (!op->equal && test_prng_chance(prng, 60)) {
            choose_names(prng, op);
            drop_parts(prng, op);
        }
        return;
    }
    if (op->vocabulary == GEN_ONNX && op->equal && op->opset >= 18 && test_prng_chance(prng, 20)) {
        op->listed_outputs = (int)test_prng_range(prng, 1, op->nparts);
        must_count = true;
    }
    if (test_prng_chance(prng, 50)) {
        op->list_outputs = true;
        choose_names(prng, op);
        if (test_prng_chance(prng, 40)) {
            drop_parts(prng, op);
        }
    } else if (must_count || (op->vocabulary == GEN_ONNX && test_prng_chance(prng, 30))) {
        op->count_outputs = op->listed_outputs;
    } else {
        op->listed_outputs = op->nparts;
    }
    bool any = false;
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].wanted = op->parts[i].wanted && i < op->listed_outputs;
        any = any || op->parts[i].wanted;
    }
    op->parts[0].wanted = op->parts[0].wanted || !any;
}

static void choose_writing(test_prng *prng, gen_op *op)
{
    const bool infers = gen_infers(op);
    const bool concat_1 = infers && op->vocabulary == GEN_ONNX && op->opset < 4; /* by default 1 */
    bool has_default_axis = op->vocabulary == GEN_SPLIT || op->vocabulary == GEN_NOTATION ||
                            (op->vocabulary == GEN_ONNX && !infers && op->opset > 1) || concat_1;
    bool has_rest = op->vocabulary == GEN_SPLIT || op->vocabulary == GEN_NOTATION ||
                    (op->vocabulary == GEN_VARIADIC && !infers);
    op->rest = -1;
    if (has_rest && !op->equal && test_prng_chance(prng, 30)) {
        op->rest = (int)test_prng_range(prng, 0, op->nparts - 1);
    }
    op->negative_axis = test_prng_chance(prng, 40);
    op->omit_axis = has_default_axis && op->axis == concat_1 && test_prng_chance(prng, 50);
    op->axis_in_list = op->vocabulary == GEN_VARIADIC && !infers && test_prng_chance(prng, 50);
    op->floats = op->vocabulary != GEN_NOTATION && test_prng_chance(prng, 5);
    op->commas = test_prng_chance(prng, 50);
    if (op->vocabulary == GEN_SPLIT && test_prng_chance(prng, 15)) {
        op->align = op->dtype->align << test_prng_range(prng, 0, 6);
    }
}

/* Whether every row of every tensor consists of whole groups of 3 bytes. */
static bool is_grouped(const gen_op *op)
{
    int64_t group = 24 / op->dtype->bits;
    int64_t inner = 1;
    int64_t end = 0;
    for (int d = op->axis + 1; d < op->rank; ++d) {
        inner *= op->dims[d];
    }
    for (int i = 0; i < op->nparts; ++i) {
        end += op->parts[i].length;
        if (end * inner % group != 0) {
            return false;
        }
    }
    return true;
}

static void choose_order(test_prng *prng, gen_op *op)
{
    bool openvino = op->vocabulary == GEN_OPENVINO || op->vocabulary == GEN_VARIADIC;
    if (op->dtype->bits == 0) {
        return;
    }
    /* OpenVINO's u1 has always had this order, its u2 formerly; u3 and u6 were in planes */
    op->order = openvino && op->dtype->bits == 1 ? GEN_MSB : GEN_LSB;
    if (op->vocabulary == GEN_NOTATION) {
        return;
    }
    op->write_order = test_prng_chance(prng, 60);
    if (!op->write_order || (openvino && (op->dtype->bits == 1 || op->dtype->bits == 4))) {
        return;
    }
    if (8 % op->dtype->bits == 0) {
        op->order = test_prng_chance(prng, 70) ? GEN_MSB : GEN_LSB;
        return;
    }
    /* elements that cross bytes have one order, except in OpenVINO */
    if (op->dtype->openvino == NULL) {
        return;
    }
    if (op->axis + 1 < op->rank && test_prng_chance(prng, 60)) {
        op->dims[op->rank - 1] *= 24 / op->dtype->bits;
    }
    op->order = is_grouped(op) ? GEN_PLANES : GEN_LSB;
}

/* Whether one item of an open dimension has whole bytes in every packed tensor. */
static bool is_whole_bytes(const gen_op *op)
{
    int64_t slice = op->dtype->bits;
    int64_t dim = 0;
    bool whole = op->order != GEN_PLANES || is_grouped(op);
    for (int d = 0; d < op->rank; ++d) {
        slice *= d == op->axis ? 1 : op->dims[d];
    }
    for (int i = 0; i < op->nparts; ++i) {
        whole = whole && (!op->parts[i].wanted || slice * op->parts[i].length % 8 == 0);
        dim += op->parts[i].length;
    }
    return whole && slice * dim % 8 == 0;
}

/* Whether every part begins and ends at whole bytes of a row, for any open dimension after the
 * axis. */
static bool ends_at_bytes(const gen_op *op)
{
    int64_t item = op->dtype->bits;
    int64_t at = 0;
    bool whole = true;
    for (int d = op->axis + 1; d < op->rank; ++d) {
        item *= op->dims[d];
    }
    for (int i = 0; i < op->nparts; ++i) {
        at += op->parts[i].length;
        whole = whole && at * item % 8 == 0;
    }
    return whole;
}

/* Opens a dimension, unless packed elements forbid it: with a number of its own or, sometimes,
 * the number of another one. */
static void open_dim(test_prng *prng, gen_op *op, int d)
{
    const int64_t length = op->dims[d];
    const bool again = op->nnumbers > 0 && test_prng_chance(prng, 10);
    if (op->nnumbers == GEN_MAX_NUMBERS && !again) {
        return;
    }
    op->dims[d] = 1;
    if (op->dtype->bits > 0 && (!is_whole_bytes(op) || (d > op->axis && !ends_at_bytes(op)))) {
        op->dims[d] = length;
        return;
    }
    if (again) {
        op->numbers[d] = (int)test_prng_range(prng, 1, op->nnumbers);
        return;
    }
    op->expected[op->nnumbers] = length > 0 ? length : test_prng_range(prng, 1, 9);
    op->numbers[d] = ++op->nnumbers;
}

/* Opens one dimension before the axis, or any of those before and after it. */
static void choose_free(test_prng *prng, int percent, bool behind, gen_op *op)
{
    if (!test_prng_chance(prng, percent)) {
        return;
    }
    const bool one = test_prng_chance(prng, 40);
    for (int d = 0; d < op->rank; ++d) {
        const bool may = d < op->axis || (d > op->axis && behind && !one);
        if (may && test_prng_chance(prng, 60) && (!one || op->nnumbers == 0)) {
            open_dim(prng, op, d);
        }
    }
}

const char *const gen_number_names[GEN_MAX_NUMBERS] = {"n", "time", "k", "H"};

/* Chooses everything that depends on the numbers. behind: a dimension after the axis may be
 * open. */
static void finish(test_prng *prng, const gen_limits *limits, int free, bool behind, gen_op *op)
{
    const bool strided = test_prng_chance(prng, limits->strides);
    op->equal = op->equal && !gen_infers(op); /* every input has its own shape */
    choose_order(prng, op);
    choose_writing(prng, op);
    choose_outputs(prng, op);
    choose_free(prng, free, behind && !strided, op);
    if (strided) {
        gen_choose_strides(prng, limits, op);
    }
}

void gen_random(test_prng *prng, const gen_limits *limits, int index, gen_op *op)
{
    memset(op, 0, sizeof *op);
    snprintf(op->name, sizeof op->name, "op_%d", index);
    op->vocabulary = (gen_vocabulary)test_prng_range(prng, 0, GEN_VOCABULARIES - 1);
    op->joins = test_prng_chance(prng, limits->joins);
    if (op->vocabulary == GEN_ONNX) {
        static const int opsets[] = {1, 2, 7, 11, 12, 13, 17, 18, 18, 18, 21, 25, 28};
        static const int of_concat[] = {1, 2, 3, 4, 5, 7, 10, 11, 12, 13, 13, 18, 28};
        op->opset = (op->joins ? of_concat : opsets)[test_prng_range(prng, 0, 12)];
    }
    choose_dtype(prng, op);
    bool narrow = test_prng_chance(prng, 8);
    if (op->vocabulary == GEN_OPENVINO ||
        (op->vocabulary != GEN_VARIADIC && test_prng_chance(prng, 25))) {
        choose_equal(prng, op);
    } else if (narrow) {
        choose_narrow(prng, op);
    } else {
        choose_lengths(prng, op);
    }
    narrow = narrow && (!op->equal || op->nparts <= 8);
    choose_shape(prng, limits, narrow, op);
    finish(prng, limits, limits->free, true, op);
}

/* --- classes ---------------------------------------------------------------------------------- */

typedef struct class_facts {
    const char *name;
    int64_t bytes[2]; /* of the input, from and to */
} class_facts;

static const class_facts classes[GEN_CLASSES] = {
    [GEN_MANY] = {"many", {2000, 3000000}},    [GEN_WIDE] = {"wide", {20000, 1500000}},
    [GEN_L2] = {"l2", {60000, 900000}},        [GEN_LLC] = {"llc", {1000000, 12000000}},
    [GEN_FAR] = {"far", {26000000, 34000000}}, [GEN_BITS] = {"bits", {30, 40000}},
};

gen_class gen_class_find(const char *name)
{
    gen_class kind = GEN_MANY;
    while (kind < GEN_CLASSES && strcmp(classes[kind].name, name) != 0) {
        ++kind;
    }
    return kind;
}

static int64_t pick(test_prng *prng, const int *from, int count)
{
    return from[test_prng_range(prng, 0, count - 1)];
}
#define PICK(prng, ...)                                                                            \
    pick(prng, (const int[]){__VA_ARGS__}, (int)(sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))

/* Lengths as in models: equal, equal except for one, or arbitrary. */
static void choose_class_lengths(test_prng *prng, gen_class kind, gen_op *op)
{
    const bool many = kind == GEN_MANY;
    const int64_t scale = kind == GEN_WIDE ? PICK(prng, 16, 64, 128, 300) : 1;
    const int64_t base = PICK(prng, 1, 1, 2, 3, 4, 8, 16, 31, 64, 96, 192, 256) * scale;
    const int style = (int)test_prng_range(prng, 0, 9);
    op->nparts =
        (int)(many ? PICK(prng, 9, 12, 16, 26, 32, 33, 33, 34, 40, 48, 64, 64, 97, 128, 200)
                   : PICK(prng, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 12, 33));
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].length = base;
        if (style >= 6) {
            op->parts[i].length = test_prng_chance(prng, 3)
                                      ? 0
                                      : PICK(prng, 1, 1, 2, 3, 4, 6, 8, 16, 32, 64, 128) * scale;
        }
    }
    if (style == 4) {
        op->parts[op->nparts - 1].length = PICK(prng, 1, 2, 4);
    } else if (style == 5) {
        op->parts[0].length = PICK(prng, 1, 4);
    }
    op->parts[0].length += op->parts[0].length == 0;
    op->equal = style < 2;
}

static void choose_class_shape(test_prng *prng, gen_class kind, gen_op *op)
{
    const int64_t *limits = classes[kind].bytes;
    const int64_t bits = op->dtype->bits > 0 ? op->dtype->bits : 8 * op->dtype->bytes;
    const int64_t bytes = test_prng_range(
        prng, limits[0],
        kind == GEN_MANY && test_prng_chance(prng, 60) ? limits[1] / 30 : limits[1]);
    int64_t row = 0;
    for (int i = 0; i < op->nparts; ++i) {
        row += op->parts[i].length;
    }
    op->rank = (int)test_prng_range(prng, 2, 4);
    for (int d = 0; d < op->rank; ++d) {
        op->dims[d] = 1;
    }
    op->axis = op->rank - 1;
    if (op->rank > 2 && test_prng_chance(prng, 30)) { /* a dimension after the axis */
        op->dims[op->axis] = PICK(prng, 1, 2, 4, 7, 16);
        op->axis -= 1;
    }
    op->dims[op->axis] = row;
    row *= op->axis + 1 < op->rank ? op->dims[op->axis + 1] : 1;
    int64_t rows = bytes * 8 / (bits * row);
    rows = rows < 1 ? 1 : rows;
    if (test_prng_chance(prng, 50) && rows >= 8) {
        rows -= rows % 8;
    }
    if (op->axis > 1 && test_prng_chance(prng, 50) && rows >= 4) {
        op->dims[1] = 4;
        rows /= 4;
    }
    op->dims[0] = rows;
}

/* Items of a multiple of 8 rows, in which every tensor has whole bytes for any row length; most
 * lengths are odd. */
static void choose_items(test_prng *prng, gen_op *op)
{
    const int64_t *limits = classes[GEN_BITS].bytes;
    const bool odd = test_prng_chance(prng, 70);
    int64_t row = 0;
    for (int i = 0; i < op->nparts; ++i) {
        op->parts[i].length |= odd && op->parts[i].length > 0;
        row += op->parts[i].length;
    }
    op->rank = 3;
    op->axis = 2;
    op->dims[2] = row;
    if (test_prng_chance(prng, 30)) {
        op->dims[op->rank++] = PICK(prng, 1, 2, 3, 5);
        row *= op->dims[3];
    }
    const int64_t rows = 8 * PICK(prng, 1, 1, 2, 3, 8, 16);
    const int64_t items = test_prng_range(prng, limits[0], limits[1]) / (rows * row);
    op->dims[1] = rows;
    op->dims[0] = items < 2 ? 2 : items < 40 ? items : test_prng_range(prng, 2, 40);
}

void gen_of_class(test_prng *prng, const gen_limits *limits, gen_class kind, int index, gen_op *op)
{
    const bool bits = kind == GEN_BITS;
    do {
        memset(op, 0, sizeof *op);
        op->vocabulary = (gen_vocabulary)test_prng_range(prng, 0, GEN_VOCABULARIES - 1);
        op->opset = bits ? 28 : 13;
        op->joins = test_prng_chance(prng, limits->joins);
        choose_dtype(prng, op);
    } while (bits && op->dtype->bits == 0);
    snprintf(op->name, sizeof op->name, "op_%d", index);
    do {
        memset(op->parts, 0, sizeof op->parts);
        choose_class_lengths(prng, kind, op);
    } while (op->vocabulary == (op->equal ? GEN_VARIADIC : GEN_OPENVINO));
    if (bits) {
        choose_items(prng, op);
    } else {
        choose_class_shape(prng, kind, op);
    }
    finish(prng, limits, bits ? 100 : limits->free, !bits, op);
}
