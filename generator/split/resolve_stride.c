/* Rules on rows that do not lie dense: from how many elements on the next row begins, a row being
 * all that lies from the axis on. What lies between rows is nobody's. */
#include "split/resolve_rules.h"

#include <assert.h>

#include "base/checked.h"

/* "the whole", "output 'q'", "input 2" */
static const char *title(const sg_judge *judge, int64_t i)
{
    const char *word = sg_judge_part_word(judge);
    if (i < 0) {
        return "the whole";
    }
    const sg_op_outputs *parts = &judge->op->outputs;
    const char *name = parts->items[i].name;
    return name != NULL && name[0] != '\0'
               ? sg_arena_printf(judge->arena, "%s '%s'", word, sg_judge_quote(judge, name))
               : sg_arena_printf(judge->arena, "%s %lld", word, (long long)i);
}

/* Elements of so many indices of the axis in one row; false when they are not known. */
static bool width_of(const sg_judge *judge, int64_t length, int64_t *width)
{
    const sg_split *split = judge->split;
    *width = length;
    bool known = judge->axis_known && length >= 0;
    for (int i = split->axis + 1; known && i < split->rank; i++) {
        known = split->dims[i] >= 0 && sg_mul64(*width, split->dims[i], width);
    }
    return known;
}

/* An open dimension behind the axis, or NULL. */
static const sg_op_num *open_behind(const sg_judge *judge)
{
    const sg_op_list *shape = &judge->op->shape;
    for (int64_t i = judge->split->axis + 1; judge->axis_known && i < shape->count; i++) {
        if (shape->items[i].nopen > 0) {
            return &shape->items[i];
        }
    }
    return NULL;
}

/* Whether as many rows as are expected fit where a tensor must, the gap behind the last one
 * included; empty dimensions count as 1. */
static bool fits(const sg_judge *judge, int64_t stride)
{
    const sg_split *split = judge->split;
    const bool packed = split->packing != SG_PACKING_NONE;
    int64_t size = packed ? split->element_bits : split->element_bytes;
    bool ok = sg_mul64(size, stride, &size) && sg_mul64(size, split->items, &size);
    for (int i = 0; ok && i < split->axis; i++) {
        ok = split->dims[i] < 1 || sg_mul64(size, split->dims[i], &size);
    }
    return ok && (!packed || size <= SG_MAX_BITS);
}

/* The stride of a tensor of which a row has `length` indices of the axis, -1 if that is not known.
 */
static bool judge_stride(const sg_judge *judge, const sg_op_int *stride, int64_t part,
                         int64_t length)
{
    const char *what = title(judge, part);
    const sg_op_num *open = open_behind(judge);
    int64_t width = 0;
    if (stride->value < 1) {
        return sg_diag_error(judge->diag, stride->span,
                             "the row stride of %s must be at least 1, but is %lld", what,
                             (long long)stride->value);
    }
    if (open != NULL) {
        return sg_diag_error(
            judge->diag, stride->span,
            "the row stride of %s is a number, but '%s' behind the axis is open, so a row has as "
            "many elements as each call says; give it a number, or leave the stride out",
            what, sg_judge_quote(judge, sg_op_open_text(judge->arena, open)));
    }
    if (width_of(judge, length, &width) && stride->value < width) {
        return sg_diag_error(judge->diag, stride->span,
                             "the row stride of %s is %lld, but a row has %lld element%s: the next "
                             "would begin within it",
                             what, (long long)stride->value, (long long)width,
                             sg_judge_plural(width));
    }
    if (judge->axis_known && judge->dtype_known && !fits(judge, stride->value)) {
        return sg_diag_error(
            judge->diag, stride->span, "rows of %s that begin every %lld elements are beyond %s",
            what, (long long)stride->value,
            judge->split->packing != SG_PACKING_NONE ? "2^62 bits" : "2^63 - 1 bytes");
    }
    return true;
}

static bool judge_part(const sg_judge *judge, int64_t i)
{
    const sg_op_output *part = &judge->op->outputs.items[i];
    if (!part->wanted) {
        return sg_diag_error(judge->diag, part->row_stride.span,
                             "an %s that is not wanted has no rows: give it a name, or leave the "
                             "row stride out",
                             sg_judge_part_word(judge));
    }
    if (part->view.present) {
        return sg_diag_error(judge->diag, part->row_stride.span,
                             "%s is only a view, whose rows lie as those of the whole do: leave "
                             "its row stride out, or the mark",
                             title(judge, i));
    }
    const bool known = judge->lengths != NULL && i < judge->split->nparts;
    return judge_stride(judge, &part->row_stride, i, known ? judge->lengths[i] : -1);
}

void sg_judge_strides(sg_judge *judge)
{
    const sg_op *op = judge->op;
    int64_t extent = -1;
    if (op->row_stride.present) {
        extent = sg_judge_extent(judge, &extent) ? extent : -1;
        judge_stride(judge, &op->row_stride, -1, extent);
    }
    for (int64_t i = 0; op->outputs.items != NULL && i < op->outputs.count; i++) {
        if (op->outputs.items[i].row_stride.present) {
            judge_part(judge, i);
        }
    }
}

/* Bytes from the first of its elements to the last. None of it can overflow: fits() has counted
 * more. */
static int64_t span_of(const sg_split *split, int64_t stride, int64_t width)
{
    if (split->outer == 0 || width == 0) {
        return 0;
    }
    return sg_judge_bytes(split, (split->outer - 1) * stride + width);
}

void sg_judge_spans(sg_judge *judge)
{
    const sg_op *op = judge->op;
    sg_split *split = judge->split;
    const int64_t row = split->dims[split->axis] * split->inner;
    split->row_stride = op->row_stride.present ? op->row_stride.value : row;
    split->span = span_of(split, split->row_stride, row);
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        const int64_t width = part->length * split->inner;
        const bool written = op->outputs.items != NULL && i < op->outputs.count &&
                             op->outputs.items[i].row_stride.present;
        part->row_stride = written ? op->outputs.items[i].row_stride.value : width;
        part->span = span_of(split, part->row_stride, width);
    }
}

/* With an open dimension in front of the axis the program finds every row by its number, in bytes.
 */
static bool judge_bits(const sg_judge *judge, const sg_op_int *stride, int64_t part)
{
    const sg_split *split = judge->split;
    const int64_t bits = split->element_bits;
    if (stride->value * bits % 8 == 0) {
        return true;
    }
    int64_t unit = 8;
    while (unit > 1 && unit / 2 * bits % 8 == 0) {
        unit /= 2;
    }
    return sg_diag_error(judge->diag, stride->span,
                         "with '%s' open, rows begin at whole bytes, but those of %s begin every "
                         "%lld elements of %lld bit%s; make the row stride a multiple of %lld",
                         sg_judge_quote(judge, split->open[0].name), title(judge, part),
                         (long long)stride->value, (long long)bits, sg_judge_plural(bits),
                         (long long)unit);
}

void sg_judge_stride_bits(sg_judge *judge)
{
    const sg_op *op = judge->op;
    const sg_split *split = judge->split;
    if (!split->open_rows || split->packing == SG_PACKING_NONE ||
        split->packing == SG_PACKING_PLANES) {
        return; /* of SG_PACKING_PLANES rows are whole groups: sg_judge_groups */
    }
    bool ok = !op->row_stride.present || judge_bits(judge, &op->row_stride, -1);
    for (int64_t i = 0; ok && op->outputs.items != NULL && i < op->outputs.count; i++) {
        const sg_op_int *stride = &op->outputs.items[i].row_stride;
        ok = !stride->present || judge_bits(judge, stride, i);
    }
}
