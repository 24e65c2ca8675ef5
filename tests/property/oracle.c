/* A second implementation of the rules, as a plain list of reasons for refusal. */
#include "oracle.h"

#include <string.h>

__extension__ typedef __int128 wide;

#define MOST_PARTS 1000000

static const struct {
    const char *spelling;
    const char *type;
    int bytes; /* 0: packed, 4 bits each */
    int align;
    int onnx; /* first schema version of Split that lists it; 99: none */
    bool openvino;
} types[] = {
    {"u8", "u8", 1, 1, 2, true},
    {"i16", "i16", 2, 2, 2, true},
    {"i32", "i32", 4, 4, 2, true},
    {"u64", "u64", 8, 8, 2, true},
    {"bool", "bool", 1, 1, 2, true},
    {"c64", "c64", 8, 4, 2, false},
    {"c128", "c128", 16, 8, 2, false},
    {"string", "string", 8, 8, 2, true},
    {"f32", "f32", 4, 4, 1, true},
    {"float", "f32", 4, 4, 1, true},
    {"tensor(float)", "f32", 4, 4, 1, true},
    {"FP32", "f32", 4, 4, 1, true},
    {"f16", "f16", 2, 2, 1, true},
    {"FP16", "f16", 2, 2, 1, true},
    {"bf16", "bf16", 2, 2, 13, true},
    {"f64", "f64", 8, 8, 1, true},
    {"FP64", "f64", 8, 8, 1, true},
    {"f8e4m3", "f8e4m3", 1, 1, 99, true},
    {"f8e5m2fnuz", "f8e5m2fnuz", 1, 1, 99, false},
    {"u4", "u4", 0, 1, 99, true},
    {"nf4", "nf4", 0, 1, 99, true},
};

/* The type with this spelling; NULL: none. */
static const char *type_of(const char *spelling)
{
    for (size_t i = 0; spelling != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(spelling, types[i].spelling) == 0) {
            return types[i].type;
        }
    }
    return NULL;
}

static bool type_ok(const split_case *c, verdict *v)
{
    for (size_t i = 0; c->dtype != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(c->dtype, types[i].spelling) != 0) {
            continue;
        }
        v->packed = types[i].bytes == 0;
        v->element_bytes = v->packed ? 1 : types[i].bytes;
        if (c->align != 0) {
            bool power = false;
            for (int64_t a = 1; a <= 4096; a *= 2) {
                power = power || a == c->align;
            }
            if (!power || c->align < types[i].align) {
                return false;
            }
        }
        const int since = types[i].onnx == 2 && c->kind == SG_OP_ONNX_CONCAT ? 4 : types[i].onnx;
        return (!case_is_onnx(c) || c->opset >= since) &&
               (types[i].openvino || !case_is_openvino(c));
    }
    return false;
}

static bool shape_ok(const split_case *c, const verdict *v)
{
    wide bytes = v->packed ? 4 : v->element_bytes; /* the limit on packed elements is in bits */
    for (int i = 0; i < c->rank; i++) {
        if (c->dims[i] < 0) {
            return false;
        }
        bytes *= c->dims[i] > 0 ? c->dims[i] : 1;
        if (bytes > (v->packed ? INT64_C(1) << 62 : INT64_MAX)) {
            return false;
        }
    }
    return c->rank >= 1;
}

static bool axis_ok(const split_case *c, verdict *v)
{
    if (!c->has_axis && (case_is_openvino(c) || (c->kind == SG_OP_ONNX_SPLIT && c->opset == 1) ||
                         (c->kind == SG_OP_ONNX_CONCAT && c->opset > 3))) {
        return false;
    }
    if (c->has_axis && c->axis_in_list && c->kind != SG_OP_OPENVINO_VARIADIC) {
        return false;
    }
    wide axis = c->has_axis ? c->axis : c->kind == SG_OP_ONNX_CONCAT ? 1 : 0;
    if (axis < 0) {
        axis += c->rank;
    }
    v->axis = axis >= 0 && axis < c->rank ? (int)axis : -1;
    return v->axis >= 0;
}

static bool lengths_ok(const split_case *c, int64_t dim, verdict *v)
{
    bool rest_allowed = c->kind != SG_OP_ONNX_SPLIT;
    int rests = 0;
    wide sum = 0;
    v->nparts = c->nlengths;
    for (int i = 0; i < c->nlengths; i++) {
        if (c->lengths[i] == -1 && rest_allowed) {
            rests++;
        } else if (c->lengths[i] < 0) {
            return false;
        } else {
            sum += c->lengths[i];
        }
    }
    if (c->nlengths == 0 || rests > 1 || sum > dim || (rests == 0 && sum < dim)) {
        return false;
    }
    for (int i = 0; i < c->nlengths; i++) {
        v->lengths[i] = c->lengths[i] == -1 ? (int64_t)(dim - sum) : c->lengths[i];
    }
    return true;
}

/* n parts of which part i holds the indices [i * chunk, (i + 1) * chunk) of the axis. */
static bool chunks_ok(int64_t n, int64_t dim, bool even, verdict *v)
{
    v->nparts = n;
    if (n < 1 || n > MOST_PARTS || (even && dim % n != 0)) {
        v->too_many = n > MOST_PARTS;
        return false;
    }
    const wide chunk = dim / n + (dim % n != 0);
    for (int64_t i = 0; i < n && i < CASE_MAX_LIST; i++) {
        wide from = i * chunk < dim ? i * chunk : dim;
        wide to = (i + 1) * chunk < dim ? (i + 1) * chunk : dim;
        v->lengths[i] = (int64_t)(to - from);
    }
    return true;
}

static bool parts_ok(const split_case *c, int64_t dim, verdict *v)
{
    bool lengths = c->nlengths != CASE_ABSENT;
    switch (c->kind) {
    case SG_OP_SPLIT:
    case SG_OP_SLICE_GROUP:
    case SG_OP_OPENVINO_SLICE_GROUP:
    case SG_OP_CONCAT:
        if (lengths == c->has_parts) {
            return false;
        }
        return lengths ? lengths_ok(c, dim, v) : chunks_ok(c->parts, dim, true, v);
    case SG_OP_OPENVINO_SPLIT:
        return !lengths && c->has_parts && chunks_ok(c->parts, dim, true, v);
    case SG_OP_OPENVINO_VARIADIC:
        return lengths && !c->has_parts && lengths_ok(c, dim, v);
    case SG_OP_ONNX_CONCAT:
    case SG_OP_OPENVINO_CONCAT:
        return false; /* joined() */
    case SG_OP_ONNX_SPLIT:
        break;
    }
    if (c->opset >= 18) {
        if (lengths == c->has_parts) {
            return false;
        }
        return lengths ? lengths_ok(c, dim, v) : chunks_ok(c->parts, dim, false, v);
    }
    if (c->has_parts) {
        return false;
    }
    return lengths ? lengths_ok(c, dim, v)
                   : c->noutputs != CASE_ABSENT && chunks_ok(c->noutputs, dim, true, v);
}

static bool outputs_ok(const split_case *c, verdict *v)
{
    for (int i = 0; i < CASE_MAX_LIST; i++) {
        v->wanted[i] =
            c->noutputs == CASE_ABSENT ||
            (i < c->noutputs && (c->outputs_counted || c->outputs[i] != 0 || c->strided[i]));
    }
    if (c->noutputs == CASE_ABSENT) {
        return true;
    }
    bool may_omit = c->kind == SG_OP_ONNX_SPLIT && c->has_parts;
    if (c->noutputs < 1 || c->noutputs > v->nparts || (c->noutputs < v->nparts && !may_omit)) {
        return false;
    }
    bool any = c->outputs_counted;
    for (int i = 0; !c->outputs_counted && i < c->noutputs; i++) {
        any = any || c->outputs[i] != 0 || c->strided[i];
        for (int j = 0; j < i; j++) {
            char a[16], b[16];
            const char *x = case_output_name(c, i, a, sizeof a);
            const char *y = case_output_name(c, j, b, sizeof b);
            if (x != NULL && y != NULL && strcmp(x, y) == 0) {
                return false;
            }
        }
    }
    return any;
}

/* Whether a row of `length` elements is legal with this stride. */
static bool stride_ok(const split_case *c, const verdict *v, int64_t stride, wide length)
{
    wide width = length;
    wide size = (wide)stride * (v->packed ? 4 : v->element_bytes);
    for (int i = 0; i < c->rank; i++) {
        width *= i > v->axis ? c->dims[i] : 1;
        if (i < v->axis && c->dims[i] > 0 && size <= INT64_MAX) {
            size *= c->dims[i];
        }
    }
    return stride >= 1 && stride >= width && size <= (v->packed ? INT64_C(1) << 62 : INT64_MAX);
}

/* For a case whose shape is legal. */
static bool strides_ok(const split_case *c, const verdict *v)
{
    bool ok = !c->has_stride || stride_ok(c, v, c->stride, c->dims[v->axis]);
    const bool listed = c->noutputs != CASE_ABSENT && !c->outputs_counted && !case_infers(c);
    for (int i = 0; listed && i < c->noutputs && i < v->nparts; i++) {
        ok = ok && (!c->strided[i] || stride_ok(c, v, c->strides[i], v->lengths[i]));
    }
    return ok;
}

/* The tensor of input i of a standard's Concat. */
static split_case input_of(const split_case *c, int i)
{
    split_case input = *c;
    const int axis = case_axis(c);
    if (axis >= 0) {
        input.dims[axis] = c->lengths[i];
    }
    if (i != c->odd_input) {
        return input;
    }
    input.dtype = c->odd_dtype != NULL ? c->odd_dtype : c->dtype;
    if (c->odd_dim == c->rank) {
        input.rank--;
    } else {
        input.dims[c->odd_dim] = c->odd;
    }
    return input;
}

/* The verdict on a standard's Concat, from its first input and the others. */
static verdict joined(const split_case *c)
{
    verdict v = {0};
    const int count = c->nlengths > 0 ? c->nlengths : 0;
    split_case whole = count > 0 ? input_of(c, 0) : *c;
    bool ok = count > 0 && whole.rank > 0 && axis_ok(&whole, &v);
    wide sum = 0;
    for (int i = 0; ok && i < count; i++) {
        const split_case input = input_of(c, i);
        const char *type = type_of(input.dtype);
        ok = input.rank == whole.rank && type != NULL && type_of(whole.dtype) == type;
        for (int d = 0; ok && d < input.rank; d++) {
            ok = input.dims[d] >= 0 && (d == v.axis || input.dims[d] == whole.dims[d]);
        }
        v.lengths[i] = input.dims[v.axis];
        v.wanted[i] = true;
        sum += v.lengths[i];
    }
    v.nparts = count;
    if (ok && sum <= INT64_MAX) {
        whole.dims[v.axis] = (int64_t)sum;
        v.legal = type_ok(&whole, &v) && shape_ok(&whole, &v) && strides_ok(&whole, &v);
    }
    return v;
}

verdict oracle_check(const split_case *c)
{
    verdict v = {0};
    if (case_is_onnx(c) && (!c->has_opset || c->opset < 1)) {
        return v;
    }
    if (case_infers(c)) {
        return joined(c);
    }
    bool head = type_ok(c, &v) && shape_ok(c, &v);
    if (!axis_ok(c, &v)) {
        return v;
    }
    bool parts = parts_ok(c, c->dims[v.axis], &v);
    bool outputs = outputs_ok(c, &v);
    const bool strides = head && strides_ok(c, &v);
    v.too_many = v.too_many && head && outputs && strides;
    v.legal = head && parts && outputs && strides;
    return v;
}
