/* Rules on the inputs of a standard's Concat, which say what the whole is: tensors of one element
 * type and one rank, of the same dimensions but for the axis. What they make is judged as if it had
 * been written. Of a model's some may lack what inference does not know: what is known is judged.
 */
#include "split/resolve_rules.h"

#include <string.h>

#include "base/checked.h"

/* "input 2 ('mask')" */
static const char *title(const sg_judge *judge, int64_t i)
{
    const char *name = judge->op->outputs.items[i].name;
    return name != NULL && name[0] != '\0'
               ? sg_arena_printf(judge->arena, "input %lld ('%s')", (long long)i,
                                 sg_judge_quote(judge, name))
               : sg_arena_printf(judge->arena, "input %lld", (long long)i);
}

/* The note behind an input that differs from another one. Always false. */
static bool note_other(const sg_judge *judge, int64_t other, sg_span span)
{
    sg_diag_note(judge->diag, span, "%s is given here", title(judge, other));
    return false;
}

static bool judge_dtype(const sg_judge *judge, int64_t i, sg_dtype *dtype)
{
    const sg_op_output *input = &judge->op->outputs.items[i];
    if (!input->dtype.present) {
        return sg_diag_error(judge->diag, input->span,
                             "'dtype' of %s is missing: name the element type, as in \"f32\"",
                             title(judge, i));
    }
    const sg_str spelling = sg_str_from(input->dtype.text);
    if (!sg_dtype_find(spelling, dtype)) {
        return sg_diag_error(
            judge->diag, input->dtype.span, "%s",
            sg_dtype_problem(judge->arena, spelling, sg_judge_quote(judge, input->dtype.text)));
    }
    return true;
}

static bool judge_dtypes(const sg_judge *judge)
{
    const sg_op_outputs *inputs = &judge->op->outputs;
    sg_dtype first = 0;
    int64_t first_at = judge->partial ? inputs->count : 0; /* the input that has it */
    bool first_known = false;
    bool ok = true;
    for (int64_t i = 0; i < inputs->count; i++) {
        sg_dtype dtype = 0;
        if (judge->partial && !inputs->items[i].dtype.present) {
            continue;
        }
        if (!judge_dtype(judge, i, &dtype)) {
            ok = false;
            continue;
        }
        if (i <= first_at) {
            first = dtype;
            first_at = i;
            first_known = true;
        } else if (first_known && dtype != first) {
            sg_diag_error(judge->diag, inputs->items[i].dtype.span,
                          "%s has dtype '%s', but %s has '%s': tensors that are joined have one "
                          "element type",
                          title(judge, i), sg_dtype_get(dtype)->name, title(judge, first_at),
                          sg_dtype_get(first)->name);
            ok = note_other(judge, first_at, inputs->items[first_at].dtype.span);
        }
    }
    return ok;
}

/* The first input that has a shape; 0: none has. */
static int64_t first_shape(const sg_judge *judge)
{
    int64_t i = 0;
    while (i < judge->op->outputs.count && !judge->op->outputs.items[i].shape.present) {
        i++;
    }
    return i < judge->op->outputs.count ? i : 0;
}

static bool judge_rank(const sg_judge *judge, int64_t i, int64_t first_at)
{
    const sg_op_output *input = &judge->op->outputs.items[i];
    const sg_op_list *first = &judge->op->outputs.items[first_at].shape;
    const int64_t rank = input->shape.count;
    if (!input->shape.present) {
        return judge->partial ||
               sg_diag_error(judge->diag, input->span, "'shape' of %s is missing", title(judge, i));
    }
    if (rank == 0) {
        return sg_diag_error(judge->diag, input->shape.span,
                             "%s has rank 0: a scalar has no axis to join along", title(judge, i));
    }
    if (first->present && first->count > 0 && rank != first->count) {
        sg_diag_error(judge->diag, input->shape.span,
                      "%s has %lld dimension%s, but %s has %lld: tensors that are joined have as "
                      "many",
                      title(judge, i), (long long)rank, sg_judge_plural(rank),
                      title(judge, first_at), (long long)first->count);
        return note_other(judge, first_at, first->span);
    }
    return true;
}

static bool judge_ranks(const sg_judge *judge, int64_t first)
{
    bool ok = true;
    for (int64_t i = 0; i < judge->op->outputs.count; i++) {
        ok = judge_rank(judge, i, first) && ok;
    }
    return ok;
}

/* A dimension of an input by itself. */
static bool judge_number(const sg_judge *judge, int64_t i, int64_t d)
{
    const sg_op_num *dim = &judge->op->outputs.items[i].shape.items[d];
    if (dim->unknown) {
        return true;
    }
    if (dim->rest || dim->value == -1) {
        return sg_diag_error(judge->diag, dim->span,
                             "dimension %lld of %s is -1: every dimension must be known when the "
                             "kernel is generated, or be open, which is written free(\"n\")",
                             (long long)d, title(judge, i));
    }
    if (dim->value < 0) {
        return sg_diag_error(judge->diag, dim->span,
                             "dimension %lld of %s is %lld: it must be 0 or more", (long long)d,
                             title(judge, i), (long long)dim->value);
    }
    return true;
}

/* How often a number of that name is a factor of the dimension. */
static int64_t power(const sg_op_num *dim, const char *name)
{
    int64_t count = 0;
    for (int64_t i = 0; i < dim->nopen; i++) {
        count += strcmp(dim->open[i].name, name) == 0;
    }
    return count;
}

static bool same_factors(const sg_op_num *a, const sg_op_num *b)
{
    bool same = a->value == b->value && a->nopen == b->nopen;
    for (int64_t i = 0; same && i < a->nopen; i++) {
        same = power(a, a->open[i].name) == power(b, a->open[i].name);
    }
    return same;
}

/* The first number that both have and of which they expect another; NULL. */
static const sg_op_open *other_expected(const sg_op_num *a, const sg_op_num *b, int64_t *theirs)
{
    for (int64_t i = 0; i < a->nopen; i++) {
        for (int64_t k = 0; k < b->nopen; k++) {
            if (strcmp(a->open[i].name, b->open[k].name) == 0 &&
                a->open[i].expected != b->open[k].expected) {
                *theirs = b->open[k].expected;
                return &a->open[i];
            }
        }
    }
    return NULL;
}

/* A dimension beside the axis: it is that of the first input that it is known of, *known. */
static bool judge_same(const sg_judge *judge, int64_t i, int64_t d, int64_t axis, int64_t *known)
{
    const int64_t other = *known;
    const sg_op_num *dim = &judge->op->outputs.items[i].shape.items[d];
    const sg_op_num *first = &judge->op->outputs.items[other].shape.items[d];
    int64_t theirs = 0;
    if (dim->unknown || first->unknown) {
        *known = dim->unknown ? other : i;
        return true;
    }
    if (!same_factors(dim, first)) {
        sg_diag_error(judge->diag, dim->span,
                      "%s has %s in dimension %lld, but %s has %s: only along axis %lld may they "
                      "differ",
                      title(judge, i), sg_judge_quote(judge, sg_op_open_text(judge->arena, dim)),
                      (long long)d, title(judge, other),
                      sg_judge_quote(judge, sg_op_open_text(judge->arena, first)), (long long)axis);
        return note_other(judge, other, first->span);
    }
    const sg_op_open *open = other_expected(dim, first, &theirs);
    if (open != NULL) {
        sg_diag_error(judge->diag, dim->span, "%lld of '%s' are expected in %s, but %lld in %s",
                      (long long)open->expected, sg_judge_quote(judge, open->name), title(judge, i),
                      (long long)theirs, title(judge, other));
        return note_other(judge, other, first->span);
    }
    return true;
}

/* "5", "1..3", "2.." */
static const char *range_text(const sg_judge *judge, const sg_op_num *dim)
{
    if (!dim->unknown) {
        return sg_judge_quote(judge, sg_op_open_text(judge->arena, dim));
    }
    return dim->high == INT64_MAX ? sg_arena_printf(judge->arena, "%lld..", (long long)dim->value)
                                  : sg_arena_printf(judge->arena, "%lld..%lld",
                                                    (long long)dim->value, (long long)dim->high);
}

/* Whether one size lies in the range of every input. Ranges that have none in common have two that
 * are apart: the one that begins last and the one that ends first. */
static bool judge_ranges(const sg_judge *judge, int64_t d, int64_t axis)
{
    const sg_op_output *inputs = judge->op->outputs.items;
    int64_t low = 0;
    int64_t high = INT64_MAX;
    int64_t begins = 0;
    int64_t ends = 0;
    for (int64_t i = 0; i < judge->op->outputs.count; i++) {
        const sg_op_num *dim = inputs[i].shape.present ? &inputs[i].shape.items[d] : NULL;
        if (dim == NULL || dim->nopen > 0) {
            continue;
        }
        const int64_t to = dim->unknown ? dim->high : dim->value;
        begins = dim->value > low ? i : begins;
        low = dim->value > low ? dim->value : low;
        ends = to < high ? i : ends;
        high = to < high ? to : high;
    }
    if (low <= high) {
        return true;
    }
    const int64_t last = begins > ends ? begins : ends;
    const int64_t first = begins > ends ? ends : begins;
    sg_diag_error(
        judge->diag, inputs[last].shape.items[d].span,
        "%s has %s in dimension %lld, but %s has %s: only along axis %lld may they differ",
        title(judge, last), range_text(judge, &inputs[last].shape.items[d]), (long long)d,
        title(judge, first), range_text(judge, &inputs[first].shape.items[d]), (long long)axis);
    return note_other(judge, first, inputs[first].shape.items[d].span);
}

/* The length of an input along the axis, added to that of the whole. */
static bool judge_length(const sg_judge *judge, int64_t i, int64_t axis, int64_t *whole)
{
    const sg_op_num *dim = &judge->op->outputs.items[i].shape.items[axis];
    if (dim->nopen > 0) {
        return sg_diag_error(
            judge->diag, dim->span,
            "'%s' of %s cannot be open: dimension %lld is the concat axis; give it a "
            "number",
            sg_judge_quote(judge, sg_op_open_text(judge->arena, dim)), title(judge, i),
            (long long)axis);
    }
    if (!dim->unknown && !sg_add64(*whole, dim->value, whole)) {
        return sg_diag_error(judge->diag, dim->span,
                             "the inputs have more than 2^63 - 1 along axis %lld, up to %s",
                             (long long)axis, title(judge, i));
    }
    return true;
}

/* first: the first input that has a shape. */
static bool judge_dims(const sg_judge *judge, int64_t axis, int64_t *whole, int64_t first)
{
    const sg_op_outputs *inputs = &judge->op->outputs;
    const int64_t rank = inputs->items[first].shape.count;
    int64_t *known = SG_NEW_ARRAY(judge->arena, int64_t, rank);
    for (int64_t d = 0; d < rank; d++) {
        known[d] = first;
    }
    bool ok = true;
    for (int64_t i = first; i < inputs->count; i++) {
        for (int64_t d = 0; inputs->items[i].shape.present && d < rank; d++) {
            ok = judge_number(judge, i, d) &&
                 (axis < 0 || (d == axis ? judge_length(judge, i, axis, whole)
                                         : judge_same(judge, i, d, axis, &known[d]))) &&
                 ok;
        }
    }
    for (int64_t d = 0; judge->partial && ok && axis >= 0 && d < rank; d++) {
        ok = d == axis || judge_ranges(judge, d, axis);
    }
    return ok;
}

/* The axis counted from the front, or -1: not known, or out of range, which its own rule says. */
static int64_t axis_of(const sg_judge *judge, int64_t rank)
{
    int64_t axis = 0;
    if (judge->op->axis_rank != 0 || !sg_judge_axis_written(judge, &axis) || axis < -rank ||
        axis >= rank) {
        return -1;
    }
    return axis < 0 ? axis + rank : axis;
}

/* The op as it would be with its element type, its shape and, where the axis is known, its lengths
 * written out. */
static const sg_op *written_out(const sg_judge *judge, int64_t axis, int64_t whole,
                                int64_t first_at)
{
    const sg_op_outputs *inputs = &judge->op->outputs;
    const sg_op_list *first = &inputs->items[first_at].shape;
    sg_op *op = SG_NEW(judge->arena, sg_op);
    *op = *judge->op;
    op->dtype = inputs->items[0].dtype;
    op->shape = *first;
    if (axis < 0 || judge->partial) {
        return op;
    }
    op->shape.items = SG_NEW_ARRAY(judge->arena, sg_op_num, first->count);
    memcpy(op->shape.items, first->items, (size_t)first->count * sizeof *first->items);
    op->shape.items[axis].value = whole;
    op->lengths = (sg_op_list){true, SG_NEW_ARRAY(judge->arena, sg_op_num, inputs->count),
                               inputs->count, inputs->span};
    for (int64_t i = 0; i < inputs->count; i++) {
        op->lengths.items[i] = inputs->items[i].shape.items[axis];
    }
    return op;
}

bool sg_judge_inputs(sg_judge *judge)
{
    const sg_op_outputs *inputs = &judge->op->outputs;
    if (!inputs->present) {
        return sg_diag_error(judge->diag, judge->op->span,
                             "'inputs' is missing: the tensors that are joined, each with its "
                             "dtype and shape");
    }
    if (inputs->count < 1) {
        return sg_diag_error(judge->diag, inputs->span,
                             "'inputs' is empty: a Concat has at least one input");
    }
    const bool typed = judge_dtypes(judge);
    const int64_t first = first_shape(judge);
    if (!judge_ranks(judge, first)) {
        return false;
    }
    int64_t whole = 0;
    const int64_t axis = axis_of(judge, inputs->items[first].shape.count);
    if (!judge_dims(judge, axis, &whole, first) || !typed) {
        return false;
    }
    judge->op = written_out(judge, axis, whole, first);
    return true;
}
