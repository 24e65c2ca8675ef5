/* Rules on how many parts there are and how long each is, for every operator. Knows nothing of
 * names. */
#include "split/resolve_rules.h"

#include "base/checked.h"

static const char *lengths_word(const sg_judge *judge)
{
    return sg_op_lengths_word(judge->op->kind);
}

static const char *parts_word(const sg_judge *judge)
{
    return sg_op_parts_word(judge->op->kind);
}

static bool joins(const sg_judge *judge)
{
    return sg_op_joins(judge->op->kind);
}

/* Takes a number of parts as split->nparts. word: the field it was written in. */
static bool judge_count(sg_judge *judge, int64_t count, const char *word, sg_span span)
{
    if (count < 1 && judge->op->is_notation) {
        return sg_diag_error(judge->diag, span, "'/%lld' makes no part: write '/1' or more",
                             (long long)count);
    }
    if (count < 1) {
        return sg_diag_error(judge->diag, span, "'%s' must be at least 1, but is %lld", word,
                             (long long)count);
    }
    if (count > SG_MAX_PARTS) {
        return sg_diag_fail(judge->diag, SG_EXIT_BUDGET, span,
                            "%lld parts are more than splitgen %s one tensor: %lld",
                            (long long)count, joins(judge) ? "joins to" : "makes of",
                            (long long)SG_MAX_PARTS);
    }
    judge->split->nparts = count;
    judge->count_known = true;
    return true;
}

/* split->nparts equal parts. otherwise: how this operator writes unequal ones. */
static void judge_equal(sg_judge *judge, sg_span span, const char *otherwise)
{
    int64_t extent = 0;
    if (!sg_judge_extent(judge, &extent)) {
        return;
    }
    const int64_t count = judge->split->nparts;
    if (extent % count != 0) {
        if (judge->op->is_notation) {
            otherwise = sg_arena_printf(
                judge->arena, "write unequal parts one by one, as in '%s %lld *'",
                joins(judge) ? "<-" : "->", (long long)sg_ceil_div64(extent, count));
        }
        sg_diag_error(judge->diag, span,
                      "cannot split axis %d (length %lld) into %lld equal parts; %s",
                      judge->split->axis, (long long)extent, (long long)count, otherwise);
        sg_judge_note_shape(judge);
        return;
    }
    judge->lengths = SG_NEW_ARRAY(judge->arena, int64_t, count);
    for (int64_t i = 0; i < count; i++) {
        judge->lengths[i] = extent / count;
    }
}

/* Chunks of ceil(d / n) until the axis ends, as onnx/reference/ops/op_split.py slices them. Where
 * the chunks in front of the last one are more than the axis has, a reader that gives the last one
 * what remains makes its length negative, so such a split deserves a word. */
static void judge_uneven(sg_judge *judge, sg_span span)
{
    int64_t extent = 0;
    if (!sg_judge_extent(judge, &extent)) {
        return;
    }
    const int64_t count = judge->split->nparts;
    const int64_t chunk = sg_ceil_div64(extent, count);
    int64_t first_empty = count;
    int64_t left = extent;
    judge->lengths = SG_NEW_ARRAY(judge->arena, int64_t, count);
    for (int64_t i = 0; i < count; i++) {
        if (left == 0 && first_empty == count) {
            first_empty = i;
        }
        judge->lengths[i] = chunk < left ? chunk : left;
        left -= judge->lengths[i];
    }
    int64_t before_last = 0;
    if (sg_mul64(chunk, count - 1, &before_last) && before_last <= extent) {
        return;
    }
    const char *which = first_empty == count - 1
                            ? sg_arena_printf(judge->arena, "part %lld is", (long long)first_empty)
                            : sg_arena_printf(judge->arena, "parts %lld to %lld are",
                                              (long long)first_empty, (long long)(count - 1));
    sg_diag_warn(
        judge->diag, span,
        "%s empty: axis %d has %lld, and %lld chunks of %lld in front of the last part are "
        "more; say what is meant by the lengths in 'split'",
        which, judge->split->axis, (long long)extent, (long long)(count - 1), (long long)chunk);
}

/* One entry of the list; adds it to *sum, or remembers it in *rest as what remains. */
static bool judge_entry(const sg_judge *judge, int64_t index, bool rest_allowed, int64_t *sum,
                        int64_t *rest)
{
    const sg_op_list *lengths = &judge->op->lengths;
    const sg_op_num *entry = &lengths->items[index];
    if (rest_allowed && (entry->rest || entry->value == -1)) {
        if (*rest >= 0) {
            const char *what = entry->rest ? "'*'" : "-1";
            sg_diag_error(judge->diag, entry->span,
                          "only one length may be %s (what remains), but lengths %lld and %lld are",
                          what, (long long)*rest, (long long)index);
            sg_diag_note(judge->diag, lengths->items[*rest].span, "the first is here");
            return false;
        }
        *rest = index;
        return true;
    }
    if (entry->rest || entry->value < 0) {
        const char *range = judge->op->kind == SG_OP_ONNX_SPLIT
                                ? "ONNX lengths are 0 or more"
                                : "a length is 0 or more, or -1 for what remains";
        return sg_diag_error(judge->diag, entry->span, "length %lld is %lld: %s", (long long)index,
                             (long long)entry->value, range);
    }
    if (!sg_add64(*sum, entry->value, sum)) {
        return sg_diag_error(judge->diag, entry->span,
                             "the lengths sum to more than 2^63 - 1 up to length %lld",
                             (long long)index);
    }
    return true;
}

static void judge_lengths(sg_judge *judge, bool rest_allowed)
{
    const sg_op_list *lengths = &judge->op->lengths;
    if (lengths->count == 0) {
        sg_diag_error(judge->diag, lengths->span, "'%s' is empty: a %s has at least one part",
                      lengths_word(judge), joins(judge) ? "concat" : "split");
        return;
    }
    if (!judge_count(judge, lengths->count, lengths_word(judge), lengths->span)) {
        return;
    }
    bool legal = true;
    int64_t sum = 0;
    int64_t rest = -1;
    for (int64_t i = 0; i < lengths->count; i++) {
        legal = judge_entry(judge, i, rest_allowed, &sum, &rest) && legal;
    }
    int64_t extent = 0;
    if (!legal || !sg_judge_extent(judge, &extent)) {
        return;
    }
    if (rest >= 0 && sum > extent) {
        sg_diag_error(judge->diag, lengths->span,
                      "lengths exceed the axis: they sum to %lld before what remains, but axis %d "
                      "has %lld",
                      (long long)sum, judge->split->axis, (long long)extent);
        sg_judge_note_shape(judge);
        return;
    }
    if (rest < 0 && sum != extent) {
        sg_diag_error(judge->diag, lengths->span, "lengths sum to %lld, but axis %d has %lld",
                      (long long)sum, judge->split->axis, (long long)extent);
        sg_judge_note_shape(judge);
        return;
    }
    judge->lengths = SG_NEW_ARRAY(judge->arena, int64_t, lengths->count);
    for (int64_t i = 0; i < lengths->count; i++) {
        judge->lengths[i] = i == rest ? extent - sum : lengths->items[i].value;
    }
}

static bool judge_not_both(const sg_judge *judge)
{
    const sg_op *op = judge->op;
    if (!op->lengths.present || !op->parts.present) {
        return true;
    }
    sg_diag_error(judge->diag, op->parts.span, "give '%s' or '%s', not both", lengths_word(judge),
                  parts_word(judge));
    sg_diag_note(judge->diag, op->lengths.span, "'%s' is given here", lengths_word(judge));
    return false;
}

static void judge_plain(sg_judge *judge)
{
    const sg_op *op = judge->op;
    if (!judge_not_both(judge)) {
        return;
    }
    if (op->lengths.present) {
        judge_lengths(judge, true);
    } else if (op->parts.present) {
        if (judge_count(judge, op->parts.value, "parts", op->parts.span)) {
            judge_equal(judge, op->parts.span, "give 'lengths' for unequal parts");
        }
    } else if (op->outputs.present) {
        sg_diag_error(judge->diag, op->outputs.span,
                      "give 'lengths' or 'parts': '%ss' alone does not say how long a part is",
                      sg_judge_part_word(judge));
    } else {
        sg_diag_error(judge->diag, op->span, "give 'lengths' or 'parts': neither is there");
    }
}

/* Before 18 the number of equal parts is the number of outputs of the node. */
static void judge_onnx_by_outputs(sg_judge *judge)
{
    const sg_op_outputs *outputs = &judge->op->outputs;
    if (!outputs->present) {
        sg_diag_error(judge->diag, judge->op->span,
                      "give 'split' or 'outputs': without 'split', Split-%d makes as many equal "
                      "parts as there are outputs",
                      judge->version);
    } else if (judge_count(judge, outputs->count, "outputs", outputs->span)) {
        judge_equal(judge, outputs->span, "give 'split' for unequal parts");
    }
}

static void judge_onnx(sg_judge *judge)
{
    const sg_op *op = judge->op;
    if (judge->version == 18) {
        if (!judge_not_both(judge)) {
            return;
        }
        if (op->lengths.present) {
            judge_lengths(judge, false);
        } else if (!op->parts.present) {
            sg_diag_error(judge->diag, op->span,
                          "Split-18 (opset %lld) needs 'split' or 'num_outputs': neither is there",
                          (long long)op->opset.value);
        } else if (judge_count(judge, op->parts.value, "num_outputs", op->parts.span)) {
            judge_uneven(judge, op->parts.span);
        }
        return;
    }
    if (judge->version != 0 && op->parts.present) {
        sg_diag_error(judge->diag, op->parts.span,
                      "'num_outputs' came with Split-18, but opset %lld has Split-%d: it makes as "
                      "many equal parts as there are outputs",
                      (long long)op->opset.value, judge->version);
    }
    if (op->lengths.present) {
        judge_lengths(judge, false);
    } else if (judge->version != 0 && !op->parts.present) {
        judge_onnx_by_outputs(judge);
    }
}

static void judge_openvino_split(sg_judge *judge)
{
    const sg_op *op = judge->op;
    if (op->lengths.present) {
        sg_diag_error(judge->diag, op->lengths.span,
                      "openvino.Split makes equal parts: lengths need openvino.VariadicSplit");
    } else if (!op->parts.present) {
        sg_diag_error(judge->diag, op->span, "'num_splits' is missing");
    } else if (judge_count(judge, op->parts.value, "num_splits", op->parts.span)) {
        judge_equal(judge, op->parts.span, "unequal parts need openvino.VariadicSplit");
    }
}

static void judge_openvino_variadic(sg_judge *judge)
{
    const sg_op *op = judge->op;
    if (op->parts.present) {
        sg_diag_error(judge->diag, op->parts.span,
                      "openvino.VariadicSplit takes 'split_lengths': 'num_splits' belongs to "
                      "openvino.Split");
    }
    if (op->lengths.present) {
        judge_lengths(judge, true);
    } else {
        sg_diag_error(judge->diag, op->span, "'split_lengths' is missing");
    }
}

void sg_judge_parts(sg_judge *judge)
{
    switch (judge->op->kind) {
    case SG_OP_SPLIT:
    case SG_OP_FAMILY:
    case SG_OP_OPENVINO_FAMILY:
    case SG_OP_CONCAT:
        judge_plain(judge);
        break;
    case SG_OP_ONNX_CONCAT:
    case SG_OP_OPENVINO_CONCAT: /* as long as its inputs are: sg_judge_inputs */
        if (judge->op->lengths.present) {
            judge_lengths(judge, false);
        }
        break;
    case SG_OP_ONNX_SPLIT:
        judge_onnx(judge);
        break;
    case SG_OP_OPENVINO_SPLIT:
        judge_openvino_split(judge);
        break;
    case SG_OP_OPENVINO_VARIADIC:
        judge_openvino_variadic(judge);
        break;
    }
}
