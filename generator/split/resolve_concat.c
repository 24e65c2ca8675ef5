/* Rules on the inputs of a standard's Concat, which define its full tensor: they must have the same
 * element type and rank, and the same dimensions except on the axis. The result is then checked
 * like a written op. Inputs from a model may be partly unknown; the known properties are
 * checked. */
#include "split/resolve_rules.h"

#include <string.h>

#include "base/checked.h"

/* "input 2 ('mask')": inputs are counted from 1, as entries of lists are in Lua. */
static const char *title(const sg_check *check, int64_t i)
{
    const char *name = check->op->outputs.items[i].name;
    return name != NULL && name[0] != '\0'
               ? sg_arena_printf(check->arena, "input %lld ('%s')", (long long)i + 1,
                                 sg_check_quote(check, name))
               : sg_arena_printf(check->arena, "input %lld", (long long)i + 1);
}

/* Adds the note to an error about an input that differs from another one. Always false. */
static bool note_other(const sg_check *check, int64_t other, sg_span span)
{
    sg_diag_note(check->diag, span, "%s is given here", title(check, other));
    return false;
}

static bool check_dtype(const sg_check *check, int64_t i, sg_dtype *dtype)
{
    const sg_op_output *input = &check->op->outputs.items[i];
    if (!input->dtype.present) {
        return sg_diag_error(check->diag, input->span,
                             "'dtype' of %s is missing: name the element type, as in \"f32\"",
                             title(check, i));
    }
    const sg_str spelling = sg_str_from(input->dtype.text);
    if (!sg_dtype_find(spelling, dtype)) {
        return sg_diag_error(
            check->diag, input->dtype.span, "%s",
            sg_dtype_problem(check->arena, spelling, sg_check_quote(check, input->dtype.text)));
    }
    return true;
}

static bool check_dtypes(const sg_check *check)
{
    const sg_op_outputs *inputs = &check->op->outputs;
    sg_dtype first = 0;
    int64_t first_at = check->partial ? inputs->count : 0; /* the input that has this type */
    bool first_known = false;
    bool ok = true;
    for (int64_t i = 0; i < inputs->count; i++) {
        sg_dtype dtype = 0;
        if (check->partial && !inputs->items[i].dtype.present) {
            continue;
        }
        if (!check_dtype(check, i, &dtype)) {
            ok = false;
            continue;
        }
        if (i <= first_at) {
            first = dtype;
            first_at = i;
            first_known = true;
        } else if (first_known && dtype != first) {
            sg_diag_error(check->diag, inputs->items[i].dtype.span,
                          "%s has dtype '%s', but %s has '%s': tensors that are concatenated "
                          "have one element type",
                          title(check, i), sg_dtype_get(dtype)->name, title(check, first_at),
                          sg_dtype_get(first)->name);
            ok = note_other(check, first_at, inputs->items[first_at].dtype.span);
        }
    }
    return ok;
}

/* The first input with a shape; 0 if there is none. */
static int64_t first_shape(const sg_check *check)
{
    int64_t i = 0;
    while (i < check->op->outputs.count && !check->op->outputs.items[i].shape.present) {
        i++;
    }
    return i < check->op->outputs.count ? i : 0;
}

static bool check_rank(const sg_check *check, int64_t i, int64_t first_at)
{
    const sg_op_output *input = &check->op->outputs.items[i];
    const sg_op_list *first = &check->op->outputs.items[first_at].shape;
    const int64_t rank = input->shape.count;
    if (!input->shape.present) {
        return check->partial ||
               sg_diag_error(check->diag, input->span, "'shape' of %s is missing", title(check, i));
    }
    if (rank == 0) {
        return sg_diag_error(check->diag, input->shape.span,
                             "%s has rank 0: a scalar has no axis to concatenate along",
                             title(check, i));
    }
    if (first->present && first->count > 0 && rank != first->count) {
        sg_diag_error(check->diag, input->shape.span,
                      "%s has %lld dimension%s, but %s has %lld: tensors that are concatenated "
                      "have the same number",
                      title(check, i), (long long)rank, sg_check_plural(rank),
                      title(check, first_at), (long long)first->count);
        return note_other(check, first_at, first->span);
    }
    return true;
}

static bool check_ranks(const sg_check *check, int64_t first)
{
    bool ok = true;
    for (int64_t i = 0; i < check->op->outputs.count; i++) {
        ok = check_rank(check, i, first) && ok;
    }
    return ok;
}

/* Checks a dimension of an input on its own. */
static bool check_number(const sg_check *check, int64_t i, int64_t d)
{
    const sg_op_num *dim = &check->op->outputs.items[i].shape.items[d];
    if (dim->unknown) {
        return true;
    }
    if (dim->rest || dim->value == -1) {
        return sg_diag_error(check->diag, dim->span,
                             "dimension %lld of %s is -1: every dimension must be known when the "
                             "kernel is generated, or be open, which is written free(\"n\")",
                             (long long)d, title(check, i));
    }
    if (dim->value < 0) {
        return sg_diag_error(check->diag, dim->span,
                             "dimension %lld of %s is %lld: it must be 0 or more", (long long)d,
                             title(check, i), (long long)dim->value);
    }
    return true;
}

/* How often an open number is a factor of the dimension. */
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

/* The first open number in both dimensions with different expected numbers; NULL. */
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

/* Checks a dimension other than the axis against input *known, the first input in which it is
 * known. */
static bool check_same(const sg_check *check, int64_t i, int64_t d, int64_t axis, int64_t *known)
{
    const int64_t other = *known;
    const sg_op_num *dim = &check->op->outputs.items[i].shape.items[d];
    const sg_op_num *first = &check->op->outputs.items[other].shape.items[d];
    int64_t theirs = 0;
    if (dim->unknown || first->unknown) {
        *known = dim->unknown ? other : i;
        return true;
    }
    if (!same_factors(dim, first)) {
        sg_diag_error(check->diag, dim->span,
                      "%s has %s in dimension %lld, but %s has %s: only along axis %lld may they "
                      "differ",
                      title(check, i), sg_check_quote(check, sg_op_open_text(check->arena, dim)),
                      (long long)d, title(check, other),
                      sg_check_quote(check, sg_op_open_text(check->arena, first)), (long long)axis);
        return note_other(check, other, first->span);
    }
    const sg_op_open *open = other_expected(dim, first, &theirs);
    if (open != NULL) {
        sg_diag_error(check->diag, dim->span, "%lld of '%s' are expected in %s, but %lld in %s",
                      (long long)open->expected, sg_check_quote(check, open->name), title(check, i),
                      (long long)theirs, title(check, other));
        return note_other(check, other, first->span);
    }
    return true;
}

/* "5", "1..3", "2.." */
static const char *range_text(const sg_check *check, const sg_op_num *dim)
{
    if (!dim->unknown) {
        return sg_check_quote(check, sg_op_open_text(check->arena, dim));
    }
    return dim->high == INT64_MAX ? sg_arena_printf(check->arena, "%lld..", (long long)dim->value)
                                  : sg_arena_printf(check->arena, "%lld..%lld",
                                                    (long long)dim->value, (long long)dim->high);
}

/* Whether some size is in the range of every input. If not, two of the ranges are disjoint: the one
 * with the largest lower bound and the one with the smallest upper bound. */
static bool check_ranges(const sg_check *check, int64_t d, int64_t axis)
{
    const sg_op_output *inputs = check->op->outputs.items;
    int64_t low = 0;
    int64_t high = INT64_MAX;
    int64_t begins = 0;
    int64_t ends = 0;
    for (int64_t i = 0; i < check->op->outputs.count; i++) {
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
        check->diag, inputs[last].shape.items[d].span,
        "%s has %s in dimension %lld, but %s has %s: only along axis %lld may they differ",
        title(check, last), range_text(check, &inputs[last].shape.items[d]), (long long)d,
        title(check, first), range_text(check, &inputs[first].shape.items[d]), (long long)axis);
    return note_other(check, first, inputs[first].shape.items[d].span);
}

/* Adds the length of an input on the axis to that of the full tensor. */
static bool check_length(const sg_check *check, int64_t i, int64_t axis, int64_t *whole)
{
    const sg_op_num *dim = &check->op->outputs.items[i].shape.items[axis];
    if (dim->nopen > 0) {
        return sg_diag_error(
            check->diag, dim->span,
            "'%s' of %s cannot be open: dimension %lld is the concat axis; give it a "
            "number",
            sg_check_quote(check, sg_op_open_text(check->arena, dim)), title(check, i),
            (long long)axis);
    }
    if (!dim->unknown && !sg_add64(*whole, dim->value, whole)) {
        return sg_diag_error(check->diag, dim->span,
                             "the inputs have more than 2^63 - 1 along axis %lld, up to %s",
                             (long long)axis, title(check, i));
    }
    return true;
}

/* first: the first input with a shape. */
static bool check_dims(const sg_check *check, int64_t axis, int64_t *whole, int64_t first)
{
    const sg_op_outputs *inputs = &check->op->outputs;
    const int64_t rank = inputs->items[first].shape.count;
    int64_t *known = SG_NEW_ARRAY(check->arena, int64_t, rank);
    for (int64_t d = 0; d < rank; d++) {
        known[d] = first;
    }
    bool ok = true;
    for (int64_t i = first; i < inputs->count; i++) {
        for (int64_t d = 0; inputs->items[i].shape.present && d < rank; d++) {
            ok = check_number(check, i, d) &&
                 (axis < 0 || (d == axis ? check_length(check, i, axis, whole)
                                         : check_same(check, i, d, axis, &known[d]))) &&
                 ok;
        }
    }
    for (int64_t d = 0; check->partial && ok && axis >= 0 && d < rank; d++) {
        ok = d == axis || check_ranges(check, d, axis);
    }
    return ok;
}

/* The non-negative axis, or -1 if it is unknown or out of range, which another rule reports. */
static int64_t axis_of(const sg_check *check, int64_t rank)
{
    int64_t axis = 0;
    if (check->op->axis_rank != 0 || !sg_check_axis_written(check, &axis) || axis < -rank ||
        axis >= rank) {
        return -1;
    }
    return axis < 0 ? axis + rank : axis;
}

/* The op as if its element type, its shape and, if the axis is known, its lengths had been
 * written. */
static const sg_op *written_out(const sg_check *check, int64_t axis, int64_t whole,
                                int64_t first_at)
{
    const sg_op_outputs *inputs = &check->op->outputs;
    const sg_op_list *first = &inputs->items[first_at].shape;
    sg_op *op = SG_NEW(check->arena, sg_op);
    *op = *check->op;
    op->dtype = inputs->items[0].dtype;
    op->shape = *first;
    if (axis < 0 || check->partial) {
        return op;
    }
    op->shape.items = SG_NEW_ARRAY(check->arena, sg_op_num, first->count);
    memcpy(op->shape.items, first->items, (size_t)first->count * sizeof *first->items);
    op->shape.items[axis].value = whole;
    op->lengths = (sg_op_list){true, SG_NEW_ARRAY(check->arena, sg_op_num, inputs->count),
                               inputs->count, inputs->span};
    for (int64_t i = 0; i < inputs->count; i++) {
        op->lengths.items[i] = inputs->items[i].shape.items[axis];
    }
    return op;
}

bool sg_check_inputs(sg_check *check)
{
    const sg_op_outputs *inputs = &check->op->outputs;
    if (!inputs->present) {
        return sg_diag_error(check->diag, check->op->span,
                             "'inputs' is missing: the tensors to concatenate, each with its "
                             "dtype and shape");
    }
    if (inputs->count < 1) {
        return sg_diag_error(check->diag, inputs->span,
                             "'inputs' is empty: a Concat has at least one input");
    }
    const bool typed = check_dtypes(check);
    const int64_t first = first_shape(check);
    if (!check_ranks(check, first)) {
        return false;
    }
    int64_t whole = 0;
    const int64_t axis = axis_of(check, inputs->items[first].shape.count);
    if (!check_dims(check, axis, &whole, first) || !typed) {
        return false;
    }
    check->op = written_out(check, axis, whole, first);
    return true;
}
