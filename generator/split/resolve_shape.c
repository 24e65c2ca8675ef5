/* Rules on the element type, the guaranteed alignment, the shape and the axis. Parts and outputs
 * are checked elsewhere. */
#include "split/resolve_rules.h"

#include "base/checked.h"

/* Element types of ONNX Split's T by schema version: 1 has three floats, 2 and 11 have fifteen
 * types, 13 adds bfloat16; none has a float8 or a packed type (onnx/defs/tensor/old.cc,
 * onnx/defs/tensor/defs.cc). Concat has the same lists, the second since 4. Returns 0 if no version
 * has the type. The fifteen are the first of sg_dtype, which begins in the order of
 * TensorProto.DataType. */
static int onnx_since(sg_dtype dtype)
{
    if (dtype == SG_DTYPE_F16 || dtype == SG_DTYPE_F32 || dtype == SG_DTYPE_F64) {
        return 1;
    }
    return dtype <= SG_DTYPE_C128 ? 2 : dtype == SG_DTYPE_BF16 ? 13 : 0;
}

static bool check_standard(const sg_check *check, const sg_dtype_info *info)
{
    const sg_op *op = check->op;
    if (sg_op_is_onnx(op->kind)) {
        const char *name = sg_check_operator(check);
        int since = onnx_since(check->split->dtype);
        if (since == 2 && sg_op_joins(op->kind)) {
            since = 4;
        }
        if (since == 0) {
            return sg_diag_error(check->diag, op->dtype.span,
                                 "no version of ONNX %s takes dtype '%s'", name, info->name);
        }
        if (check->version != 0 && check->version < since) {
            return sg_diag_error(check->diag, op->dtype.span,
                                 "opset %lld has %s-%d, which does not take dtype '%s'; %s-%d does",
                                 (long long)op->opset.value, name, check->version, info->name, name,
                                 since);
        }
    }
    if (sg_op_is_openvino(op->kind) && info->openvino[0] == '\0') {
        return sg_diag_error(check->diag, op->dtype.span, "OpenVINO has no element type '%s'",
                             info->name);
    }
    return true;
}

void sg_check_dtype(sg_check *check)
{
    const sg_op *op = check->op;
    if (!op->dtype.present) {
        sg_diag_error(check->diag, op->span,
                      "'dtype' is missing: name the element type, as in \"f32\"");
        return;
    }
    sg_str spelling = sg_str_from(op->dtype.text);
    if (!sg_dtype_find(spelling, &check->split->dtype)) {
        const char *shown = sg_check_quote(check, op->dtype.text);
        sg_diag_error(check->diag, op->dtype.span, "%s",
                      sg_dtype_problem(check->arena, spelling, shown));
        return;
    }
    const sg_dtype_info *info = sg_dtype_get(check->split->dtype);
    if (!check_standard(check, info)) {
        return;
    }
    check->split->element_bits = info->bits;
    check->split->element_bytes = info->packed ? 1 : info->bits / 8;
    check->dtype_known = true;
}

/* The alignment of one element under C compilers for 64-bit targets. */
static int64_t natural_align(const sg_split *split)
{
    return split->element_bytes / sg_dtype_numbers(split->dtype);
}

void sg_check_align(sg_check *check)
{
    const sg_op_int *align = &check->op->align;
    int64_t natural = check->dtype_known ? natural_align(check->split) : 1;
    if (!align->present) {
        check->split->align = natural;
        return;
    }
    const long long value = align->value;
    if (value < 1 || (value & (value - 1)) != 0) {
        sg_diag_error(check->diag, align->span, "'align' must be a power of two, but is %lld",
                      value);
    } else if (value > SG_MAX_ALIGN) {
        sg_diag_error(check->diag, align->span, "'align' is %lld, but may be %lld at most", value,
                      (long long)SG_MAX_ALIGN);
    } else if (value < natural) {
        sg_diag_error(check->diag, align->span,
                      "'align' is %lld, but elements of '%s' are aligned to %lld already", value,
                      sg_dtype_get(check->split->dtype)->name, (long long)natural);
    }
    check->split->align = value;
}

void sg_check_note_shape(const sg_check *check)
{
    sg_diag_note(check->diag, check->op->shape.span, "the shape is given here");
}

/* "2 x 3 x 4" */
static const char *dims_text(const sg_check *check)
{
    const char *text = "";
    for (int i = 0; i < check->split->rank; i++) {
        text = sg_arena_printf(check->arena, "%s%s%lld", text, i == 0 ? "" : " x ",
                               (long long)check->split->dims[i]);
    }
    return text;
}

/* All later offsets and strides divide this product, so they cannot overflow. Empty dimensions
 * count as 1, because they do not shorten strides. NumPy has the same rule. */
static void check_size(sg_check *check)
{
    int64_t elements = 1;
    bool empty = false;
    for (int i = 0; i < check->split->rank; i++) {
        int64_t dim = check->split->dims[i];
        empty = empty || dim == 0;
        if (dim != 0 && !sg_mul64(elements, dim, &elements)) {
            sg_diag_error(check->diag, check->op->shape.span,
                          "the product %s is beyond 2^63 - 1 elements%s", dims_text(check),
                          empty ? " (an empty dimension counts as 1, as in strides)" : "");
            return;
        }
    }
    int64_t bytes = 0;
    if (!check->dtype_known) {
        return;
    }
    if (check->split->packing != SG_PACKING_NONE) {
        /* Offsets in packed tensors are counted in bits. */
        if (!sg_mul64(elements, check->split->element_bits, &bytes) || bytes > SG_MAX_BITS) {
            sg_diag_error(check->diag, check->op->shape.span,
                          "%s elements of %lld bit%s are beyond 2^62 bits%s", dims_text(check),
                          (long long)check->split->element_bits,
                          sg_check_plural(check->split->element_bits),
                          empty ? " (an empty dimension counts as 1, as in strides)" : "");
        }
        return;
    }
    if (!sg_mul64(elements, check->split->element_bytes, &bytes)) {
        sg_diag_error(check->diag, check->op->shape.span,
                      "%s elements of %lld bytes are beyond 2^63 - 1 bytes%s", dims_text(check),
                      (long long)check->split->element_bytes,
                      empty ? " (an empty dimension counts as 1, as in strides)" : "");
    }
}

void sg_check_shape(sg_check *check)
{
    const sg_op_list *shape = &check->op->shape;
    if (!shape->present) {
        sg_diag_error(check->diag, check->op->span, "'shape' is missing");
        return;
    }
    if (shape->count == 0) {
        sg_diag_error(check->diag, shape->span, "the shape has rank 0: a scalar has no axis to %s",
                      sg_op_joins(check->op->kind) ? "concatenate along" : "split");
        return;
    }
    if (shape->count > SG_MAX_RANK) {
        sg_diag_error(check->diag, shape->span, "the shape has %lld dimensions, but may have %d",
                      (long long)shape->count, SG_MAX_RANK);
        return;
    }
    sg_split *split = check->split;
    split->rank = (int)shape->count;
    split->dims = SG_NEW_ARRAY(check->arena, int64_t, split->rank);
    check->rank_known = true;
    bool legal = true;
    for (int i = 0; i < split->rank; i++) {
        const sg_op_num *dim = &shape->items[i];
        split->dims[i] = dim->rest ? -1 : dim->value;
        if (dim->rest || dim->value == -1) {
            sg_diag_error(check->diag, dim->span,
                          "dimension %d is %s: every dimension must be known when the kernel is "
                          "generated, or be open, which is written %s",
                          i, dim->rest ? "'*'" : "-1",
                          check->op->is_notation ? "'n?'" : "free(\"n\")");
            legal = false;
        } else if (dim->value < 0) {
            sg_diag_error(check->diag, dim->span, "dimension %d is %lld: it must be 0 or more", i,
                          (long long)dim->value);
            legal = false;
        }
    }
    if (legal) {
        check_size(check);
    }
}

static bool refuse_axis_list(const sg_check *check)
{
    const sg_op *op = check->op;
    if (op->origin != NULL) {
        return sg_diag_error(check->diag, op->axis.span,
                             "'axis' input must be a scalar, but has rank %lld",
                             (long long)op->axis_rank);
    }
    if (op->axis_count != 1) {
        return sg_diag_error(check->diag, op->axis.span, "'axis' must be an integer, not a list");
    }
    return sg_diag_error(check->diag, op->axis.span,
                         "'axis' must be an integer, not a list; write axis = %lld",
                         (long long)op->axis.value);
}

/* In OpenVINO the axis is a tensor: Split-1 requires rank 0, VariadicSplit-1 rank 0 or shape [1]
 * (openvino split_shape_inference.hpp, variadic_split_shape_inference.hpp). In ONNX it is an
 * attribute of type INT. */
static bool check_axis_form(const sg_check *check)
{
    const sg_op *op = check->op;
    if (op->axis_rank == 0) {
        return true;
    }
    if (op->kind != SG_OP_OPENVINO_VARIADIC) {
        return refuse_axis_list(check);
    }
    if (op->axis_rank != 1 || op->axis_count != 1) {
        return sg_diag_error(check->diag, op->axis.span,
                             "'axis' must be an integer or a list of one, but has %lld entries",
                             (long long)op->axis_count);
    }
    return true;
}

/* The default axis of an op; false: it has none. */
static bool default_axis(const sg_check *check, int64_t *axis)
{
    const sg_op_kind kind = check->op->kind;
    const bool joins_onnx = kind == SG_OP_ONNX_CONCAT;
    *axis = joins_onnx ? 1 : 0;
    return !sg_op_is_openvino(kind) &&
           (joins_onnx ? check->version == 1 : kind != SG_OP_ONNX_SPLIT || check->version != 1);
}

bool sg_check_axis_written(const sg_check *check, int64_t *axis)
{
    *axis = check->op->axis.value;
    return check->op->axis.present || default_axis(check, axis);
}

static void report_no_axis(const sg_check *check)
{
    const sg_op *op = check->op;
    if (op->kind == SG_OP_OPENVINO_CONCAT) {
        sg_diag_error(
            check->diag, op->span,
            "'axis' is missing: it is an attribute of openvino.Concat and has no default");
    } else if (sg_op_is_openvino(op->kind)) {
        sg_diag_error(check->diag, op->span,
                      "'axis' is missing: it is an input of %s and has no default",
                      sg_op_kind_name(op->kind));
    } else if (check->version != 0) { /* else it is unknown whether there is a default */
        sg_diag_error(check->diag, op->span,
                      "'axis' is missing: %s-%d (opset %lld) has no default axis",
                      sg_check_operator(check), check->version, (long long)op->opset.value);
    }
}

static void report_axis(const sg_check *check, int64_t axis)
{
    const sg_op_int *written = &check->op->axis;
    const int rank = check->split->rank;
    sg_diag_error(check->diag, written->present ? written->span : check->op->span,
                  "axis %lld%s is out of range: a shape of %d dimension%s has axes %d to %d",
                  (long long)axis, written->present ? "" : ", the default of Concat-1,", rank,
                  sg_check_plural(rank), -rank, rank - 1);
    sg_check_note_shape(check);
}

void sg_check_axis(sg_check *check)
{
    int64_t axis = 0;
    if (check->op->axis.present && !check_axis_form(check)) {
        return;
    }
    if (!sg_check_axis_written(check, &axis)) {
        report_no_axis(check);
        return;
    }
    if (!check->rank_known) {
        return;
    }
    const int rank = check->split->rank;
    if (axis < -rank || axis >= rank) {
        report_axis(check, axis);
        return;
    }
    check->split->axis = (int)(axis < 0 ? axis + rank : axis);
    check->axis_known = true;
}

bool sg_check_extent(const sg_check *check, int64_t *extent)
{
    if (!check->axis_known || check->split->dims[check->split->axis] < 0 ||
        check->op->shape.items[check->split->axis].nopen > 0) {
        return false;
    }
    *extent = check->split->dims[check->split->axis];
    return true;
}
