/* Rules on the number and the lengths of parts, for every operator. Names are checked elsewhere. */
#include "split/resolve_rules.h"

#include "base/checked.h"

static const char *lengths_word(const sg_check *check)
{
    return sg_op_lengths_word(check->op->kind);
}

static const char *parts_word(const sg_check *check)
{
    return sg_op_parts_word(check->op->kind);
}

static bool joins(const sg_check *check)
{
    return sg_op_joins(check->op->kind);
}

/* Sets split->nparts. word: the field that the count was written in. */
static bool check_count(sg_check *check, int64_t count, const char *word, sg_span span)
{
    if (count < 1 && check->op->is_notation) {
        return sg_diag_error(check->diag, span, "'/%lld' makes no part: write '/1' or more",
                             (long long)count);
    }
    if (count < 1) {
        return sg_diag_error(check->diag, span, "'%s' must be at least 1, but is %lld", word,
                             (long long)count);
    }
    if (count > SG_MAX_PARTS) {
        return sg_diag_fail(check->diag, SG_EXIT_BUDGET, span,
                            "%lld parts are more than splitgen %s one tensor: %lld",
                            (long long)count, joins(check) ? "joins to" : "makes of",
                            (long long)SG_MAX_PARTS);
    }
    check->split->nparts = count;
    check->count_known = true;
    return true;
}

/* Whether the lengths fit an axis of this many: they sum to it, or with what remains to no more; a
 * negative sum stands for that many equal parts. */
static bool fits_axis(int64_t extent, int64_t sum, bool rest)
{
    return sum < 0 ? extent > 0 && extent % -sum == 0 : rest ? sum <= extent : sum == extent;
}

/* The axis that the parts fit, in preference the one that was meant: one that has exactly as many,
 * or else the last one. -1: none. */
static int fitting_axis(const sg_check *check, int64_t sum, bool rest)
{
    int found = -1;
    for (int axis = check->split->rank - 1; axis >= 0; axis--) {
        const int64_t extent = check->split->dims[axis];
        const bool is_open = extent < 0 || check->op->shape.items[axis].nopen > 0;
        if (is_open || axis == check->split->axis || !fits_axis(extent, sum, rest)) {
            continue;
        }
        if (extent == sum || extent == -sum) {
            return axis;
        }
        found = found < 0 ? axis : found;
    }
    return found;
}

/* How an axis is written. */
static const char *axis_text(const sg_check *check, int axis)
{
    return sg_arena_printf(check->arena, check->op->is_notation ? "'@%d'" : "'axis = %d'", axis);
}

/* A clause for parts that do not fit the axis: that nobody gave it, and the axis that they fit. ""
 * if there is neither, or the op is a model's, where nobody can write another. */
static const char *other_axis(const sg_check *check, int64_t sum, bool rest)
{
    const sg_op *op = check->op;
    if (op->origin != NULL || check->split->rank < 2) {
        return "";
    }
    const int axis = fitting_axis(check, sum, rest);
    const char *given = op->axis.present ? ""
                                         : sg_arena_printf(check->arena, "axis %d is the default",
                                                           check->split->axis);
    const char *fits =
        axis < 0 ? ""
                 : sg_arena_printf(check->arena, "axis %d has %lld: write %s", axis,
                                   (long long)check->split->dims[axis], axis_text(check, axis));
    return given[0] == '\0' && fits[0] == '\0'
               ? ""
               : sg_arena_printf(check->arena, " (%s%s%s)", given,
                                 given[0] != '\0' && fits[0] != '\0' ? "; " : "", fits);
}

/* N equal parts of the first axis, which nobody gave, are legal; but if the last one has N
 * elements, it is probably meant, as in u8[480,640,3] -> /3. */
static void note_last_axis(const sg_check *check)
{
    const sg_op *op = check->op;
    const int last = check->split->rank - 1;
    const int axis = check->split->axis;
    const int64_t count = check->split->nparts;
    if (!op->axis.present && op->origin == NULL && axis != last && count > 1 &&
        check->split->dims[last] == count && check->split->dims[axis] != count) {
        sg_diag_remark(check->diag, op->parts.present ? op->parts.span : op->span,
                       "axis %d is split, which is the default, but axis %d has %lld: write %s for "
                       "axis %d, or %s to keep axis %d without this note",
                       axis, last, (long long)count, axis_text(check, last), last,
                       axis_text(check, axis), axis);
    }
}

/* Splits into split->nparts equal parts. otherwise: how this operator is written with unequal
 * parts. */
static void check_equal(sg_check *check, sg_span span, const char *otherwise)
{
    int64_t extent = 0;
    if (!sg_check_extent(check, &extent)) {
        return;
    }
    const int64_t count = check->split->nparts;
    if (extent % count != 0) {
        if (check->op->is_notation) {
            otherwise = sg_arena_printf(
                check->arena, "write unequal parts one by one, as in '%s %lld *'",
                joins(check) ? "<-" : "->", (long long)sg_ceil_div64(extent, count));
        }
        sg_diag_error(check->diag, span,
                      "cannot split axis %d (length %lld) into %lld equal parts%s; %s",
                      check->split->axis, (long long)extent, (long long)count,
                      other_axis(check, -count, false), otherwise);
        sg_check_note_shape(check);
        return;
    }
    check->lengths = SG_NEW_ARRAY(check->arena, int64_t, count);
    for (int64_t i = 0; i < count; i++) {
        check->lengths[i] = extent / count;
    }
    note_last_axis(check);
}

/* Chunks of ceil(d / n) until the axis ends, as in onnx/reference/ops/op_split.py. If all chunks
 * before the last exceed the axis, implementations that compute the last one as the remainder get a
 * negative length, so warn. */
static void check_uneven(sg_check *check, sg_span span)
{
    int64_t extent = 0;
    if (!sg_check_extent(check, &extent)) {
        return;
    }
    const int64_t count = check->split->nparts;
    const int64_t chunk = sg_ceil_div64(extent, count);
    int64_t first_empty = count;
    int64_t left = extent;
    check->lengths = SG_NEW_ARRAY(check->arena, int64_t, count);
    for (int64_t i = 0; i < count; i++) {
        if (left == 0 && first_empty == count) {
            first_empty = i;
        }
        check->lengths[i] = chunk < left ? chunk : left;
        left -= check->lengths[i];
    }
    int64_t before_last = 0;
    if (sg_mul64(chunk, count - 1, &before_last) && before_last <= extent) {
        return;
    }
    const char *which = first_empty == count - 1
                            ? sg_arena_printf(check->arena, "part %lld is", (long long)count)
                            : sg_arena_printf(check->arena, "parts %lld to %lld are",
                                              (long long)first_empty + 1, (long long)count);
    sg_diag_warn(
        check->diag, span,
        "%s empty: axis %d has %lld, and %lld chunks of %lld before the last part exceed it; "
        "give the lengths in 'split'",
        which, check->split->axis, (long long)extent, (long long)(count - 1), (long long)chunk);
}

/* A length in messages: its number from 1, as entries of lists are counted in Lua, and the name of
 * its part. */
static const char *length_text(const sg_check *check, int64_t index)
{
    const sg_op_outputs *outputs = &check->op->outputs;
    const char *name =
        outputs->items != NULL && index < outputs->count ? outputs->items[index].name : NULL;
    return name != NULL && name[0] != '\0'
               ? sg_arena_printf(check->arena, "%lld ('%s')", (long long)index + 1,
                                 sg_check_quote(check, name))
               : sg_arena_printf(check->arena, "%lld", (long long)index + 1);
}

/* Checks one entry of the list, and adds it to *sum or sets *rest to the index of the entry that is
 * the remainder. */
static bool check_entry(const sg_check *check, int64_t index, bool rest_allowed, int64_t *sum,
                        int64_t *rest)
{
    const sg_op_list *lengths = &check->op->lengths;
    const sg_op_num *entry = &lengths->items[index];
    if (rest_allowed && (entry->rest || entry->value == -1)) {
        if (*rest >= 0) {
            const char *what = entry->rest ? "'*'" : "-1";
            sg_diag_error(check->diag, entry->span,
                          "only one length may be %s (what remains), but lengths %s and %s are",
                          what, length_text(check, *rest), length_text(check, index));
            sg_diag_note(check->diag, lengths->items[*rest].span, "the first is here");
            return false;
        }
        *rest = index;
        return true;
    }
    if (entry->rest || entry->value < 0) {
        const char *range = check->op->kind == SG_OP_ONNX_SPLIT
                                ? "ONNX lengths are 0 or more"
                                : "a length is 0 or more, or -1 for what remains";
        return sg_diag_error(check->diag, entry->span, "length %s is %lld: %s",
                             length_text(check, index), (long long)entry->value, range);
    }
    if (!sg_add64(*sum, entry->value, sum)) {
        return sg_diag_error(check->diag, entry->span,
                             "the lengths sum to more than 2^63 - 1 up to length %s",
                             length_text(check, index));
    }
    return true;
}

static void check_lengths(sg_check *check, bool rest_allowed)
{
    const sg_op_list *lengths = &check->op->lengths;
    if (lengths->count == 0) {
        sg_diag_error(check->diag, lengths->span, "'%s' is empty: a %s has at least one part",
                      lengths_word(check), joins(check) ? "concat" : "split");
        return;
    }
    if (!check_count(check, lengths->count, lengths_word(check), lengths->span)) {
        return;
    }
    bool legal = true;
    int64_t sum = 0;
    int64_t rest = -1;
    for (int64_t i = 0; i < lengths->count; i++) {
        legal = check_entry(check, i, rest_allowed, &sum, &rest) && legal;
    }
    int64_t extent = 0;
    if (!legal || !sg_check_extent(check, &extent)) {
        return;
    }
    if (rest >= 0 && sum > extent) {
        sg_diag_error(check->diag, lengths->span,
                      "lengths exceed the axis: they sum to %lld before what remains, but axis %d "
                      "has %lld%s",
                      (long long)sum, check->split->axis, (long long)extent,
                      other_axis(check, sum, true));
        sg_check_note_shape(check);
        return;
    }
    if (rest < 0 && sum != extent) {
        sg_diag_error(check->diag, lengths->span, "lengths sum to %lld, but axis %d has %lld%s",
                      (long long)sum, check->split->axis, (long long)extent,
                      other_axis(check, sum, false));
        sg_check_note_shape(check);
        return;
    }
    check->lengths = SG_NEW_ARRAY(check->arena, int64_t, lengths->count);
    for (int64_t i = 0; i < lengths->count; i++) {
        check->lengths[i] = i == rest ? extent - sum : lengths->items[i].value;
    }
}

static bool check_not_both(const sg_check *check)
{
    const sg_op *op = check->op;
    if (!op->lengths.present || !op->parts.present) {
        return true;
    }
    sg_diag_error(check->diag, op->parts.span, "give '%s' or '%s', not both", lengths_word(check),
                  parts_word(check));
    sg_diag_note(check->diag, op->lengths.span, "'%s' is given here", lengths_word(check));
    return false;
}

static void check_plain(sg_check *check)
{
    const sg_op *op = check->op;
    if (!check_not_both(check)) {
        return;
    }
    if (op->lengths.present) {
        check_lengths(check, true);
    } else if (op->parts.present) {
        if (check_count(check, op->parts.value, "parts", op->parts.span)) {
            check_equal(check, op->parts.span, "give 'lengths' for unequal parts");
        }
    } else if (op->outputs.present) {
        sg_diag_error(check->diag, op->outputs.span,
                      "give 'lengths' or 'parts': '%ss' alone does not say how long a part is",
                      sg_check_part_word(check));
    } else {
        sg_diag_error(check->diag, op->span, "give 'lengths' or 'parts': neither is there");
    }
}

/* Before version 18 the number of equal parts is the number of outputs of the node. */
static void check_onnx_by_outputs(sg_check *check)
{
    const sg_op_outputs *outputs = &check->op->outputs;
    if (!outputs->present) {
        sg_diag_error(check->diag, check->op->span,
                      "give 'split' or 'outputs': without 'split', Split-%d makes as many equal "
                      "parts as there are outputs",
                      check->version);
    } else if (check_count(check, outputs->count, "outputs", outputs->span)) {
        check_equal(check, outputs->span, "give 'split' for unequal parts");
    }
}

static void check_onnx(sg_check *check)
{
    const sg_op *op = check->op;
    if (check->version == 18) {
        if (!check_not_both(check)) {
            return;
        }
        if (op->lengths.present) {
            check_lengths(check, false);
        } else if (!op->parts.present) {
            sg_diag_error(check->diag, op->span,
                          "Split-18 (opset %lld) needs 'split' or 'num_outputs': neither is there",
                          (long long)op->opset.value);
        } else if (check_count(check, op->parts.value, "num_outputs", op->parts.span)) {
            check_uneven(check, op->parts.span);
        }
        return;
    }
    if (check->version != 0 && op->parts.present) {
        sg_diag_error(check->diag, op->parts.span,
                      "'num_outputs' came with Split-18, but opset %lld has Split-%d: it makes as "
                      "many equal parts as there are outputs",
                      (long long)op->opset.value, check->version);
    }
    if (op->lengths.present) {
        check_lengths(check, false);
    } else if (check->version != 0 && !op->parts.present) {
        check_onnx_by_outputs(check);
    }
}

static void check_openvino_split(sg_check *check)
{
    const sg_op *op = check->op;
    if (op->lengths.present) {
        sg_diag_error(check->diag, op->lengths.span,
                      "openvino.Split makes equal parts: lengths need openvino.VariadicSplit");
    } else if (!op->parts.present) {
        sg_diag_error(check->diag, op->span, "'num_splits' is missing");
    } else if (check_count(check, op->parts.value, "num_splits", op->parts.span)) {
        check_equal(check, op->parts.span, "unequal parts need openvino.VariadicSplit");
    }
}

static void check_openvino_variadic(sg_check *check)
{
    const sg_op *op = check->op;
    if (op->parts.present) {
        sg_diag_error(check->diag, op->parts.span,
                      "openvino.VariadicSplit takes 'split_lengths': 'num_splits' belongs to "
                      "openvino.Split");
    }
    if (op->lengths.present) {
        check_lengths(check, true);
    } else {
        sg_diag_error(check->diag, op->span, "'split_lengths' is missing");
    }
}

void sg_check_parts(sg_check *check)
{
    switch (check->op->kind) {
    case SG_OP_SPLIT:
    case SG_OP_SLICE_GROUP:
    case SG_OP_OPENVINO_SLICE_GROUP:
    case SG_OP_CONCAT:
        check_plain(check);
        break;
    case SG_OP_ONNX_CONCAT:
    case SG_OP_OPENVINO_CONCAT: /* the lengths come from the inputs: sg_check_inputs */
        if (check->op->lengths.present) {
            check_lengths(check, false);
        }
        break;
    case SG_OP_ONNX_SPLIT:
        check_onnx(check);
        break;
    case SG_OP_OPENVINO_SPLIT:
        check_openvino_split(check);
        break;
    case SG_OP_OPENVINO_VARIADIC:
        check_openvino_variadic(check);
        break;
    }
}
