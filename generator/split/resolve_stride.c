/* Rules on padded rows and their row stride in elements. A row is everything from the axis on.
 * Padding is never written. */
#include "split/resolve_rules.h"

#include <assert.h>

#include "base/checked.h"

/* "the whole", "output 'q'", "input 2" */
static const char *title(const sg_check *check, int64_t i)
{
    const char *word = sg_check_part_word(check);
    if (i < 0) {
        return "the whole";
    }
    const sg_op_outputs *parts = &check->op->outputs;
    const char *name = parts->items != NULL ? parts->items[i].name : NULL;
    return name != NULL && name[0] != '\0'
               ? sg_arena_printf(check->arena, "%s '%s'", word, sg_check_quote(check, name))
               : sg_arena_printf(check->arena, "%s %lld", word, (long long)i);
}

/* The number of elements in this many indices of the axis in one row; false if it is unknown. */
static bool width_of(const sg_check *check, int64_t length, int64_t *width)
{
    const sg_split *split = check->split;
    *width = length;
    bool known = check->axis_known && length >= 0;
    for (int i = split->axis + 1; known && i < split->rank; i++) {
        known = split->dims[i] >= 0 && sg_mul64(*width, split->dims[i], width);
    }
    return known;
}

/* An open dimension after the axis, or NULL. */
static const sg_op_num *open_behind(const sg_check *check)
{
    const sg_op_list *shape = &check->op->shape;
    for (int64_t i = check->split->axis + 1; check->axis_known && i < shape->count; i++) {
        if (shape->items[i].nopen > 0) {
            return &shape->items[i];
        }
    }
    return NULL;
}

/* Whether the expected number of rows is within the size limits, including the padding after the
 * last one. Empty dimensions count as 1. */
static bool fits(const sg_check *check, int64_t stride)
{
    const sg_split *split = check->split;
    const bool packed = split->packing != SG_PACKING_NONE;
    int64_t size = packed ? split->element_bits : split->element_bytes;
    bool ok = sg_mul64(size, stride, &size) && sg_mul64(size, split->items, &size);
    for (int i = 0; ok && i < split->axis; i++) {
        ok = split->dims[i] < 1 || sg_mul64(size, split->dims[i], &size);
    }
    return ok && (!packed || size <= SG_MAX_BITS);
}

/* Checks the row stride of a tensor. `length`: indices of the axis in a row, -1 if unknown. */
static bool check_stride(const sg_check *check, const sg_op_int *stride, int64_t part,
                         int64_t length)
{
    const char *what = title(check, part);
    const sg_op_num *open = open_behind(check);
    int64_t width = 0;
    if (stride->value < 1) {
        return sg_diag_error(check->diag, stride->span,
                             "the row stride of %s must be at least 1, but is %lld", what,
                             (long long)stride->value);
    }
    if (open != NULL) {
        return sg_diag_error(
            check->diag, stride->span,
            "the row stride of %s is a number, but '%s' after the axis is open, so the length of a "
            "row depends on the call; give it a number, or leave the stride out",
            what, sg_check_quote(check, sg_op_open_text(check->arena, open)));
    }
    if (width_of(check, length, &width) && stride->value < width) {
        return sg_diag_error(check->diag, stride->span,
                             "the row stride of %s is %lld, but a row has %lld element%s: the next "
                             "would begin within it",
                             what, (long long)stride->value, (long long)width,
                             sg_check_plural(width));
    }
    if (check->axis_known && check->dtype_known && !fits(check, stride->value)) {
        return sg_diag_error(
            check->diag, stride->span, "rows of %s that begin every %lld elements are beyond %s",
            what, (long long)stride->value,
            check->split->packing != SG_PACKING_NONE ? "2^62 bits" : "2^63 - 1 bytes");
    }
    return true;
}

/* --- a stride for each dimension -------------------------------------------------------------- */

/* The stride that the user wrote for one dimension of a tensor; NULL: none. */
static const sg_op_num *written_for(const sg_check *check, const sg_op_list *strides, int64_t part,
                                    int dim)
{
    /* in the notation the strides after a part are those of the last dimensions before the axis */
    const bool behind = check->op->is_notation && part >= 0;
    const int64_t at = behind ? dim - (check->split->axis - strides->count) : dim;
    return !strides->present || at < 0 || at >= strides->count || strides->items[at].rest
               ? NULL
               : &strides->items[at];
}

/* There must be one stride for each dimension. */
static bool check_stride_count(const sg_check *check, const sg_op_list *strides, int64_t part)
{
    const sg_split *split = check->split;
    if (check->op->is_notation && part >= 0) {
        return strides->count <= split->axis ||
               sg_diag_error(
                   check->diag, strides->span,
                   "%lld strides are written after %s, but %d dimension%s before the axis",
                   (long long)strides->count, title(check, part), split->axis,
                   split->axis == 1 ? " is" : "s are");
    }
    return strides->count == split->rank ||
           sg_diag_error(check->diag, strides->span,
                         "%lld stride%s are written for %s, but it has %d dimension%s: write one "
                         "for each, as in NumPy, in elements",
                         (long long)strides->count, sg_check_plural(strides->count),
                         title(check, part), split->rank, sg_check_plural(split->rank));
}

/* An open dimension at or after `dim`, but before the axis; NULL. */
static const sg_op_num *open_in_front(const sg_check *check, int dim)
{
    const sg_op_list *shape = &check->op->shape;
    while (dim < check->split->axis && shape->items[dim].nopen == 0) {
        dim++;
    }
    return dim < check->split->axis ? &shape->items[dim] : NULL;
}

/* Checks one stride. `natural`: the stride without padding; `inner`: what it must be a multiple
 * of. */
static bool check_one(const sg_check *check, const sg_op_num *stride, int64_t part, int dim,
                      int64_t natural, int64_t inner)
{
    const sg_split *split = check->split;
    const char *what = title(check, part);
    if (stride->value < 1) {
        return sg_diag_error(check->diag, stride->span,
                             "the stride of dimension %d of %s must be at least 1, but is %lld",
                             dim, what, (long long)stride->value);
    }
    if (dim >= split->axis && stride->value != natural) {
        return sg_diag_error(check->diag, stride->span,
                             "the stride of dimension %d of %s is %lld, but must be %lld: from "
                             "axis %d on, elements are contiguous",
                             dim, what, (long long)stride->value, (long long)natural, split->axis);
    }
    if (dim < split->axis && stride->value < natural) {
        return sg_diag_error(check->diag, stride->span,
                             "the stride of dimension %d of %s is %lld, but must be at least %lld, "
                             "as the %lld of dimension %d begin every %lld element%s: the next "
                             "would begin within them",
                             dim, what, (long long)stride->value, (long long)natural,
                             (long long)split->dims[dim + 1], dim + 1, (long long)inner,
                             sg_check_plural(inner));
    }
    const sg_op_num *open =
        dim < split->axis && stride->value != natural ? open_in_front(check, dim + 1) : NULL;
    if (open != NULL) {
        return sg_diag_error(check->diag, stride->span,
                             "the stride of dimension %d of %s is %lld, but '%s' after it is "
                             "open, so the stride depends on the call; give it a number, or "
                             "leave the stride out",
                             dim, what, (long long)stride->value,
                             sg_check_quote(check, sg_op_open_text(check->arena, open)));
    }
    return true;
}

/* Computes and checks all strides of a tensor. `length`: indices of the axis in a row. A stride
 * that is not written follows from the inner ones. */
static bool find_strides(const sg_check *check, const sg_op_list *written,
                         const sg_op_int *row_stride, int64_t part, int64_t length,
                         int64_t *strides)
{
    const sg_split *split = check->split;
    int64_t natural = 1;
    for (int d = split->rank - 1; d >= 0; d--) {
        const int64_t count = d == split->axis ? length : split->dims[d];
        const bool one = count == 1 && check->op->shape.items[d].nopen == 0;
        const sg_op_num *stride = written_for(check, written, part, d);
        const bool is_row = d == split->axis - 1;
        const sg_op_num of_row = {.value = row_stride->value, .span = row_stride->span};
        if (is_row && row_stride->present && stride != NULL && stride->value != of_row.value) {
            return sg_diag_error(check->diag, stride->span,
                                 "the stride of dimension %d of %s is %lld, but its row stride, "
                                 "which is the same, is %lld",
                                 d, title(check, part), (long long)stride->value,
                                 (long long)of_row.value);
        }
        stride = is_row && row_stride->present ? &of_row : stride;
        if (is_row && stride != NULL && !one && stride->value >= 1 && stride->value < natural) {
            return sg_diag_error(check->diag, stride->span,
                                 "the row stride of %s is %lld, but a row has %lld element%s: the "
                                 "next would begin within it",
                                 title(check, part), (long long)stride->value, (long long)natural,
                                 sg_check_plural(natural));
        }
        if (stride != NULL && !one && count > 0 && split->dims[d] > 0 &&
            !check_one(check, stride, part, d, natural, d + 1 < split->rank ? strides[d + 1] : 1)) {
            return false;
        }
        strides[d] = stride != NULL && !one && stride->value > natural ? stride->value : natural;
        if (!sg_mul64(strides[d], count > 0 ? count : 1, &natural)) {
            return sg_diag_error(check->diag, written->span,
                                 "the strides of %s reach beyond 2^63 - 1 elements",
                                 title(check, part));
        }
    }
    int64_t size = split->packing != SG_PACKING_NONE ? split->element_bits : split->element_bytes;
    if (!sg_mul64(natural, size, &size) || !sg_mul64(size, split->items, &size) ||
        (split->packing != SG_PACKING_NONE && size > SG_MAX_BITS)) {
        return sg_diag_error(check->diag, written->span, "the strides of %s reach beyond %s",
                             title(check, part),
                             split->packing != SG_PACKING_NONE ? "2^62 bits" : "2^63 - 1 bytes");
    }
    return true;
}

/* The strides of a tensor if they are known, written or not; else NULL. */
static int64_t *strides_known(const sg_check *check, const sg_op_list *written,
                              const sg_op_int *row_stride, int64_t part, int64_t length)
{
    int64_t *strides = SG_NEW_ARRAY(check->arena, int64_t, check->split->rank);
    return find_strides(check, written, row_stride, part, length, strides) ? strides : NULL;
}

static bool check_list(const sg_check *check, const sg_op_list *written,
                       const sg_op_int *row_stride, int64_t part, int64_t length)
{
    const sg_split *split = check->split;
    const sg_op_num *open = open_behind(check);
    if (!check->axis_known || !check->dtype_known || length < 0) {
        return false; /* already reported */
    }
    if (!check_stride_count(check, written, part)) {
        return false;
    }
    if (open != NULL) {
        return sg_diag_error(check->diag, written->span,
                             "the strides of %s are numbers, but '%s' after the axis is open, so "
                             "the length of a row depends on the call; give it a number, or "
                             "leave the strides out",
                             title(check, part),
                             sg_check_quote(check, sg_op_open_text(check->arena, open)));
    }
    for (int i = 0; i < split->rank; i++) {
        if (split->dims[i] < 0) {
            return false; /* already reported */
        }
    }
    return strides_known(check, written, row_stride, part, length) != NULL;
}

static bool check_part(const sg_check *check, int64_t i)
{
    const sg_op_output *part = &check->op->outputs.items[i];
    const bool has_list = part->strides.present;
    const sg_span span = has_list ? part->strides.span : part->row_stride.span;
    const char *field = has_list ? "strides" : "row stride";
    if (!part->wanted) {
        return sg_diag_error(check->diag, span,
                             "an %s that is not wanted has no rows: give it a name, or leave the "
                             "%s out",
                             sg_check_part_word(check), field);
    }
    if (part->view.present) {
        return sg_diag_error(
            check->diag, span,
            "%s is only a view, so it has the row stride of the full tensor: remove its "
            "%s, or the mark",
            title(check, i), field);
    }
    const bool known = check->lengths != NULL && i < check->split->nparts;
    const int64_t length = known ? check->lengths[i] : -1;
    return has_list ? check_list(check, &part->strides, &part->row_stride, i, length)
                    : check_stride(check, &part->row_stride, i, length);
}

/* A row stride that is far larger than a row, and larger than a whole row of rows, was probably
 * meant for the next outer dimension. The hint explains what it means and how to write the
 * other. */
static void hint_at_pitch(const sg_check *check)
{
    const sg_op *op = check->op;
    const sg_split *split = check->split;
    int64_t extent = 0;
    int64_t width = 0;
    const bool cached = op->origin != NULL && op->origin->past != NULL; /* it means its rows */
    if (!op->row_stride.present || op->strides.present || cached || !check->rank_known ||
        !check->axis_known || split->axis < 2 || !sg_check_extent(check, &extent) ||
        !width_of(check, extent, &width)) {
        return;
    }
    const int64_t rows = split->dims[split->axis - 1];
    int64_t group = 0;
    if (rows < 2 || op->shape.items[split->axis - 1].nopen > 0 || width < 1 ||
        !sg_mul64(rows, width, &group) || op->row_stride.value < group) {
        return;
    }
    sg_diag_warn(check->diag, op->row_stride.span,
                 "a row stride of %lld is the distance between indices of dimension %d, but all "
                 "%lld of these have only %lld elements",
                 (long long)op->row_stride.value, split->axis - 1, (long long)rows,
                 (long long)group);
    if (op->is_notation) {
        sg_diag_note(check->diag, op->row_stride.span,
                     "if dimension %d begins every %lld elements, write the stride after it: "
                     "'%lld/%lld'",
                     split->axis - 2, (long long)op->row_stride.value,
                     (long long)split->dims[split->axis - 2], (long long)op->row_stride.value);
    } else {
        sg_diag_note(check->diag, op->row_stride.span,
                     "if dimension %d begins every %lld elements, 'strides' in place of "
                     "'row_stride' says so: one for each dimension, as in NumPy",
                     split->axis - 2, (long long)op->row_stride.value);
    }
}

void sg_check_strides(sg_check *check)
{
    const sg_op *op = check->op;
    int64_t extent = -1;
    if (op->row_stride.present || op->strides.present) {
        extent = sg_check_extent(check, &extent) ? extent : -1;
    }
    if (op->strides.present) {
        check_list(check, &op->strides, &op->row_stride, -1, extent);
    } else if (op->row_stride.present) {
        check_stride(check, &op->row_stride, -1, extent);
    }
    hint_at_pitch(check);
    for (int64_t i = 0; op->outputs.items != NULL && i < op->outputs.count; i++) {
        if (op->outputs.items[i].row_stride.present || op->outputs.items[i].strides.present) {
            check_part(check, i);
        }
    }
}

/* The bytes from the first element to the end of the last one. Cannot overflow, because fits() has
 * checked a larger size. */
static int64_t span_of(const sg_split *split, const int64_t *strides, int64_t stride, int64_t width)
{
    if (split->outer.factor == 0 || width == 0) {
        return 0;
    }
    int64_t last = strides == NULL ? (split->outer.factor - 1) * stride : 0;
    for (int d = 0; strides != NULL && d < split->axis; d++) {
        last += (split->dims[d] - 1) * strides[d];
    }
    return sg_split_bytes(split, last + width);
}

/* Sets the row stride of a tensor, or one stride for each dimension if there is padding between
 * groups of rows. */
static void place_rows(sg_check *check, const sg_op_list *written, const sg_op_int *row_stride,
                       int64_t part, int64_t length, int64_t *stride, int64_t **strides)
{
    const sg_split *split = check->split;
    *stride = row_stride->present ? row_stride->value : length * split->inner.factor;
    *strides = NULL;
    if (!written->present || split->elements == 0 || length == 0) {
        return;
    }
    int64_t *all = strides_known(check, written, row_stride, part, length);
    int row = split->axis - 1; /* the innermost dimension with more than one index */
    while (row > 0 && split->dims[row] == 1 && check->op->shape.items[row].nopen == 0) {
        row--;
    }
    bool apart = false;
    if (row >= 0) {
        *stride = all[row];
    }
    for (int d = row + 1; row >= 0 && d < split->axis; d++) {
        all[d] = all[row]; /* any stride is right for a single index; this one adds no padding */
    }
    for (int d = 0; d < row; d++) {
        apart = apart || sg_split_gap(split, all, d) != 0;
    }
    *strides = apart ? all : NULL;
}

void sg_check_spans(sg_check *check)
{
    const sg_op *op = check->op;
    sg_split *split = check->split;
    static const sg_op_output none;
    const int64_t row = split->dims[split->axis] * split->inner.factor;
    place_rows(check, &op->strides, &op->row_stride, -1, split->dims[split->axis],
               &split->row_stride, &split->strides);
    split->bytes = span_of(split, split->strides, split->row_stride, row);
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        const sg_op_output *written =
            op->outputs.items != NULL && i < op->outputs.count ? &op->outputs.items[i] : &none;
        place_rows(check, &written->strides, &written->row_stride, i, part->length,
                   &part->row_stride, &part->strides);
        part->bytes =
            span_of(split, part->strides, part->row_stride, part->length * split->inner.factor);
    }
}

/* With an open dimension before the axis, the kernel computes the address of a row in bytes, so
 * each row must begin at a whole byte. */
static bool check_bits(const sg_check *check, const sg_op_int *stride, int64_t part)
{
    const sg_split *split = check->split;
    const int64_t bits = split->element_bits;
    if (stride->value * bits % 8 == 0) {
        return true;
    }
    int64_t unit = 8;
    while (unit > 1 && unit / 2 * bits % 8 == 0) {
        unit /= 2;
    }
    return sg_diag_error(check->diag, stride->span,
                         "with '%s' open, rows begin at whole bytes, but those of %s begin every "
                         "%lld elements of %lld bit%s; make the row stride a multiple of %lld",
                         sg_check_quote(check, split->open[0].name), title(check, part),
                         (long long)stride->value, (long long)bits, sg_check_plural(bits),
                         (long long)unit);
}

/* If rows are in groups with padding, each stride, of this many elements, must be whole bytes. */
static bool check_bytes(const sg_check *check, sg_span span, int64_t part, int64_t elements,
                        const char *what)
{
    const sg_split *split = check->split;
    return elements * split->element_bits % 8 == 0 ||
           sg_diag_error(
               check->diag, span,
               "the strides leave padding between groups of rows, so rows begin and end at "
               "whole bytes, but %s %s %lld element%s of %lld bit%s",
               title(check, part), what, (long long)elements, sg_check_plural(elements),
               (long long)split->element_bits, sg_check_plural(split->element_bits));
}

/* Checks this for all strides of a tensor. */
static bool check_all_bytes(const sg_check *check, sg_span span, int64_t part,
                            const int64_t *strides, int64_t row_stride)
{
    const sg_split *split = check->split;
    bool ok = check_bytes(check, span, part, row_stride, "has rows every");
    for (int d = 0; ok && strides != NULL && d < split->axis; d++) {
        ok = (split->dims[d] == 1 && !sg_split_is_open(split, d)) ||
             check_bytes(check, span, part, strides[d], "has groups of rows every");
    }
    return ok;
}

/* Packed elements in groups of rows are copied as bytes. */
static void check_packed(const sg_check *check)
{
    const sg_op *op = check->op;
    const sg_split *split = check->split;
    sg_span span = op->strides.span;
    for (int64_t i = 0; split->strides == NULL && i < split->nparts; i++) {
        span = split->parts[i].strides != NULL ? op->outputs.items[i].strides.span : span;
    }
    if (split->packing == SG_PACKING_PLANES) {
        sg_diag_error(check->diag, span,
                      "the strides leave padding between groups of rows, which is not supported "
                      "for elements of %lld bits in planes; use one row stride",
                      (long long)split->element_bits);
        return;
    }
    bool ok = check_all_bytes(check, span, -1, split->strides, split->row_stride);
    for (int64_t i = 0; ok && i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        ok = !part->wanted || part->bytes == 0 ||
             (check_bytes(check, span, i, part->start * split->inner.factor, "begins after") &&
              check_bytes(check, span, i, part->length * split->inner.factor, "has rows of") &&
              check_all_bytes(check, span, i, part->strides, part->row_stride));
    }
}

void sg_check_stride_bits(sg_check *check)
{
    const sg_op *op = check->op;
    const sg_split *split = check->split;
    if (split->packing != SG_PACKING_NONE && sg_split_has_pitch(split)) {
        check_packed(check);
        return;
    }
    if (!split->outer.open || split->packing == SG_PACKING_NONE ||
        split->packing == SG_PACKING_PLANES) {
        return; /* rows of SG_PACKING_PLANES are whole groups: sg_check_groups */
    }
    bool ok = !op->row_stride.present || check_bits(check, &op->row_stride, -1);
    for (int64_t i = 0; ok && op->outputs.items != NULL && i < op->outputs.count; i++) {
        const sg_op_int *stride = &op->outputs.items[i].row_stride;
        ok = !stride->present || check_bits(check, stride, i);
    }
}
