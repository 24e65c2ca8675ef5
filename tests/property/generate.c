/* Random split cases: legal ones with zeros, ones, primes and near-overflow dimensions, and ones
 * that break a rule. */
#include <string.h>

#include "split_case.h"

/* Legal for every kind of op, so that only disturbing breaks the rules. */
static const char *const common_types[] = {"f32", "float", "FP32", "f16", "f64", "FP64"};
static const char *const split_types[] = {"u8",  "i16",    "i32",    "u64",          "bool",
                                          "c64", "c128",   "string", "f32",          "bf16",
                                          "f16", "f8e4m3", "f64",    "tensor(float)"};
static const char *const odd_types[] = {"u4", "nf4", "f8e5m2fnuz", "bf16", "string", "c128", "f31"};

static const int64_t small_dims[] = {0,  1,  1,  2,  2,  3,  4,  5,  6,   7,   8,   11,
                                     13, 16, 17, 31, 32, 61, 64, 97, 128, 251, 256, 1009};
static const int64_t large_dims[] = {INT64_C(65536),
                                     INT64_C(1000003),
                                     INT64_C(2147483647),
                                     INT64_C(4294967296),
                                     INT64_C(1099511627776),
                                     INT64_C(576460752303423488),
                                     INT64_C(1152921504606846975),
                                     INT64_C(2305843009213693951),
                                     INT64_C(4611686018427387904),
                                     INT64_C(9223372036854775807)};

/* Divides dim into count lengths, zeros included. */
static void cut(rng *r, int64_t dim, int count, int64_t *lengths)
{
    int64_t left = dim;
    for (int i = 0; i < count; i++) {
        int64_t most = rng_one_in(r, 3) ? left : left / (count - i);
        lengths[i] = i == count - 1 ? left : rng_in(r, 0, most);
        left -= lengths[i];
    }
    if (rng_one_in(r, 4)) { /* parts of the same length, as far as possible */
        for (int i = 0; i + 1 < count; i++) {
            lengths[count - 1] += lengths[i] - dim / count;
            lengths[i] = dim / count;
        }
    }
}

static int64_t a_divisor(rng *r, int64_t dim)
{
    int64_t limit = dim < CASE_MAX_LIST ? dim : CASE_MAX_LIST;
    for (int64_t n = rng_in(r, 1, limit > 1 ? limit : 1); n > 1; n--) {
        if (dim % n == 0) {
            return n;
        }
    }
    return 1;
}

static void generate_dims(rng *r, int64_t max_elements, split_case *c)
{
    c->rank = (int)rng_in(r, 1, rng_one_in(r, 4) ? CASE_MAX_RANK : 4);
    /* with every empty dimension counted as 1; 16 bytes of the widest type must fit too */
    const int64_t limit = max_elements > 0 ? max_elements : INT64_MAX / 16;
    int64_t product = 1;
    for (int i = 0; i < c->rank; i++) {
        int64_t dim = RNG_PICK(r, small_dims);
        if (max_elements == 0 && rng_one_in(r, 3)) {
            dim = RNG_PICK(r, large_dims);
        } else if (dim == 0 && !rng_one_in(r, 3)) {
            dim = 1;
        }
        while (dim > 0 && product > limit / dim) {
            dim /= 2;
        }
        c->dims[i] = dim;
        product *= dim == 0 ? 1 : dim;
    }
}

static void generate_outputs(rng *r, int64_t parts, split_case *c)
{
    if (parts > CASE_MAX_LIST || rng_one_in(r, 3)) {
        return;
    }
    c->noutputs = (int)parts;
    c->outputs_counted = rng_one_in(r, 3);
    int used = 2;
    for (int i = 0; i < c->noutputs; i++) {
        c->outputs[i] = 1;
        if (i > 0 && rng_one_in(r, 4)) {
            c->outputs[i] = 0;
        } else if (rng_one_in(r, 5) && used < 9) {
            c->outputs[i] = used++;
        }
    }
}

static void generate_lengths(rng *r, int64_t dim, bool rest_allowed, split_case *c)
{
    c->nlengths = (int)rng_in(r, 1, rng_one_in(r, 6) ? CASE_MAX_LIST : 6);
    cut(r, dim, c->nlengths, c->lengths);
    if (rest_allowed && rng_one_in(r, 4)) {
        c->lengths[rng_in(r, 0, c->nlengths - 1)] = -1;
    }
    generate_outputs(r, c->nlengths, c);
}

static void generate_parts(int64_t parts, split_case *c)
{
    c->has_parts = true;
    c->parts = parts;
}

static void generate_onnx(rng *r, int64_t dim, split_case *c)
{
    static const int64_t opsets[] = {1, 2, 7, 10, 11, 12, 13, 17, 18, 19, 21, 28};
    c->has_opset = true;
    c->opset = RNG_PICK(r, opsets);
    c->has_axis = c->has_axis || c->opset == 1;
    if (rng_one_in(r, 2)) {
        generate_lengths(r, dim, false, c);
    } else if (c->opset >= 18) {
        generate_parts(rng_in(r, 1, CASE_MAX_LIST), c);
        generate_outputs(r, rng_one_in(r, 4) ? rng_in(r, 1, c->parts) : c->parts, c);
    } else {
        generate_outputs(r, a_divisor(r, dim), c);
        if (c->noutputs == CASE_ABSENT) {
            c->noutputs = (int)a_divisor(r, dim);
            c->outputs_counted = true;
        }
    }
}

void case_generate(rng *r, int64_t max_elements, split_case *c)
{
    memset(c, 0, sizeof *c);
    c->nlengths = CASE_ABSENT;
    c->noutputs = CASE_ABSENT;
    c->odd_input = CASE_ABSENT;
    c->kind = (sg_op_kind)rng_in(r, 0, 3);
    c->dtype = c->kind == SG_OP_SPLIT ? RNG_PICK(r, split_types) : RNG_PICK(r, common_types);
    generate_dims(r, max_elements, c);
    c->has_axis = rng_one_in(r, 2);
    c->axis = rng_in(r, -c->rank, c->rank - 1);
    if (!c->has_axis) {
        c->axis = 0;
    }
    if (c->kind == SG_OP_OPENVINO_SPLIT || c->kind == SG_OP_OPENVINO_VARIADIC) {
        c->has_axis = true;
        c->axis_in_list = c->kind == SG_OP_OPENVINO_VARIADIC && rng_one_in(r, 3);
    }
    const int64_t dim = c->dims[c->axis < 0 ? c->axis + c->rank : c->axis];
    if (c->kind == SG_OP_ONNX_SPLIT) {
        generate_onnx(r, dim, c);
    } else if (c->kind == SG_OP_OPENVINO_SPLIT || (c->kind == SG_OP_SPLIT && rng_one_in(r, 3))) {
        generate_parts(a_divisor(r, dim), c);
        generate_outputs(r, c->parts, c);
    } else {
        generate_lengths(r, dim, true, c);
    }
    if (c->kind == SG_OP_SPLIT && rng_one_in(r, 4)) {
        c->align = INT64_C(1) << rng_in(r, 4, 12);
    }
}

void case_generate_narrow(rng *r, split_case *c)
{
    memset(c, 0, sizeof *c);
    c->noutputs = CASE_ABSENT;
    c->odd_input = CASE_ABSENT;
    c->dtype = RNG_PICK(r, split_types);
    c->rank = (int)rng_in(r, 2, 3);
    c->dims[0] = rng_in(r, 2, rng_one_in(r, 3) ? 700 : 90);
    c->dims[1] = rng_in(r, 1, rng_one_in(r, 3) ? 70 : 9);
    c->dims[2] = rng_in(r, 1, 3);
    c->has_axis = true;
    c->axis = 1;
    generate_lengths(r, c->dims[1], false, c);
}

static int64_t any_number(rng *r)
{
    static const int64_t odd[] = {0,  1,  2,  3,     -1,      -2,        -3,
                                  64, 65, 17, 10007, 1000001, INT64_MAX, INT64_MIN};
    return rng_one_in(r, 4) ? RNG_PICK(r, large_dims) : RNG_PICK(r, odd);
}

/* The same op in the other direction, where the standards have one. */
static void turn(split_case *c, rng *r)
{
    if (c->kind == SG_OP_SPLIT) {
        c->kind = SG_OP_CONCAT;
        return;
    }
    if (c->nlengths < 1) {
        return;
    }
    const int axis = case_axis(c);
    int64_t left = c->dims[axis];
    for (int i = 0; i < c->nlengths; i++) {
        left -= c->lengths[i] > 0 ? c->lengths[i] : 0;
    }
    for (int i = 0; i < c->nlengths; i++) {
        c->lengths[i] = c->lengths[i] == -1 ? left : c->lengths[i];
    }
    c->kind = c->kind == SG_OP_ONNX_SPLIT ? SG_OP_ONNX_CONCAT : SG_OP_OPENVINO_CONCAT;
    c->noutputs = CASE_ABSENT;
    c->axis_in_list = false;
    c->has_axis = axis != 1 || c->kind == SG_OP_OPENVINO_CONCAT || c->opset > 3 || rng_one_in(r, 2);
}

/* A legal stride for a row of `length` on the axis; 0 if none is certainly legal. */
static int64_t a_stride(rng *r, const split_case *c, int64_t length)
{
    const int axis = case_axis(c);
    __extension__ __int128 width = length;
    __extension__ __int128 rows = 1;
    for (int i = 0; i < c->rank; i++) {
        width *= i > axis ? c->dims[i] : 1;
        rows *= i < axis && c->dims[i] > 0 ? c->dims[i] : 1;
    }
    static const int64_t gaps[] = {0, 1, 3, 16, 1000};
    width += RNG_PICK(r, gaps);
    return width * rows <= INT64_MAX / 16 ? (int64_t)width : 0;
}

static void stretch(rng *r, split_case *c)
{
    const int64_t whole = a_stride(r, c, c->dims[case_axis(c)]);
    if (whole > 0 && rng_one_in(r, 2)) {
        c->has_stride = true;
        c->stride = whole;
    }
    for (int i = 0; !c->outputs_counted && i < c->noutputs && c->noutputs == c->nlengths; i++) {
        const int64_t length = c->lengths[i] < 0 ? c->dims[case_axis(c)] : c->lengths[i];
        c->strides[i] = a_stride(r, c, length);
        c->strided[i] = c->strides[i] > 0 && rng_one_in(r, 3);
    }
}

void case_generate_any(rng *r, split_case *c)
{
    case_generate(r, 0, c);
    if (rng_one_in(r, 2)) {
        turn(c, r);
    }
    if (rng_one_in(r, 3)) {
        stretch(r, c);
    }
}

static void disturb_stride(rng *r, split_case *c)
{
    if (c->noutputs > 0 && rng_one_in(r, 2)) {
        const int64_t i = rng_in(r, 0, c->noutputs - 1);
        c->strided[i] = true;
        c->strides[i] = rng_one_in(r, 2) ? any_number(r) : c->strides[i] - 1;
    } else {
        c->stride = !c->has_stride || rng_one_in(r, 2) ? any_number(r) : c->stride - 1;
        c->has_stride = true;
    }
}

/* Makes one input of a standard's Concat differ from the others. */
static void disturb_input(rng *r, split_case *c)
{
    c->odd_input = (int)rng_in(r, 0, c->nlengths > 0 ? c->nlengths - 1 : 0);
    c->odd_dim = (int)rng_in(r, 0, c->rank);
    c->odd = c->odd_dim < c->rank ? c->dims[c->odd_dim] : 0;
    if (c->odd_dim < c->rank && rng_one_in(r, 2)) {
        c->odd = any_number(r);
    }
    c->odd_dtype = rng_one_in(r, 2)   ? NULL
                   : rng_one_in(r, 2) ? RNG_PICK(r, common_types)
                                      : RNG_PICK(r, odd_types);
}

void case_disturb(rng *r, split_case *c)
{
    if (rng_one_in(r, 4)) {
        disturb_stride(r, c);
    }
    if (case_infers(c) && rng_one_in(r, 2)) {
        disturb_input(r, c);
    }
    for (int64_t n = rng_in(r, 1, 2); n > 0; n--) {
        switch (rng_in(r, 0, 11)) {
        case 0:
            c->dims[rng_in(r, 0, c->rank - 1)] = any_number(r);
            break;
        case 1:
            c->dims[rng_in(r, 0, c->rank - 1)] = RNG_PICK(r, large_dims);
            break;
        case 2:
            c->has_axis = !rng_one_in(r, 3);
            c->axis = rng_one_in(r, 2) ? any_number(r) : rng_in(r, -c->rank - 1, c->rank);
            break;
        case 3:
            if (c->nlengths > 0) {
                c->lengths[rng_in(r, 0, c->nlengths - 1)] = any_number(r);
            }
            break;
        case 4:
            if (c->nlengths > 0) {
                int64_t *length = &c->lengths[rng_in(r, 0, c->nlengths - 1)];
                *length = (int64_t)((uint64_t)*length + (uint64_t)rng_in(r, -2, 2));
            }
            break;
        case 5:
            c->nlengths = c->nlengths > 0 ? c->nlengths - 1 : CASE_ABSENT;
            break;
        case 6:
            c->has_parts = !c->has_parts;
            c->parts = rng_in(r, 1, 9);
            break;
        case 7:
            c->parts = any_number(r);
            break;
        case 8:
            if (c->noutputs != CASE_ABSENT && c->noutputs + 1 < CASE_MAX_LIST) {
                c->noutputs += rng_one_in(r, 2) ? 1 : -1;
                c->noutputs = c->noutputs < 0 ? 0 : c->noutputs;
            }
            break;
        case 9:
            if (c->noutputs > 0) {
                c->outputs_counted = false;
                c->outputs[rng_in(r, 0, c->noutputs - 1)] = (int)rng_in(r, 0, 2);
                c->outputs[rng_in(r, 0, c->noutputs - 1)] = (int)rng_in(r, 0, 2);
            }
            break;
        case 10:
            c->dtype = RNG_PICK(r, odd_types);
            break;
        default:
            if (case_is_onnx(c)) {
                c->opset = rng_in(r, -1, 19);
            } else {
                c->align = c->kind == SG_OP_SPLIT || c->kind == SG_OP_CONCAT ? any_number(r) : 0;
            }
            break;
        }
    }
}
