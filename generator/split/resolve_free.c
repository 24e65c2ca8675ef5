/* Rules on an open dimension: which one may be open, and what one item of it must be. Rows lie
 * behind each other in input and outputs alike, whatever their number, so the outermost dimension
 * can be left to the program; the offsets within a row are constants only where all behind it is
 * known. */
#include "split/resolve_rules.h"

#include "base/checked.h"

/* The dimensions that could be open: those in front of the axis with nothing but ones before. */
static const char *could_be_free(const sg_judge *judge)
{
    const sg_op_list *shape = &judge->op->shape;
    int last = 0;
    if (!judge->axis_known || judge->split->axis == 0) {
        return "none can be open, as none lies in front of the axis";
    }
    while (last + 1 < judge->split->axis && shape->items[last].free == NULL &&
           shape->items[last].value == 1) {
        last++;
    }
    return last == 0 ? "dimension 0 can be open"
                     : sg_arena_printf(judge->arena, "one of dimensions 0 to %d can be open", last);
}

static const char *quoted(const sg_judge *judge, int dim)
{
    return sg_judge_quote(judge, judge->op->shape.items[dim].free);
}

/* Behind what is wrong with an open dimension: what to do. */
static const char *remedy(const sg_judge *judge)
{
    return judge->op->origin != NULL ? "give it a number, or leave this Split out"
                                     : "give it a number";
}

/* Whether the open dimension lies where one may. */
static bool judge_place(const sg_judge *judge, int dim)
{
    const sg_op_list *shape = &judge->op->shape;
    const int axis = judge->split->axis;
    if (judge->axis_known && dim == axis) {
        return sg_diag_error(judge->diag, shape->items[dim].span,
                             "the tensor is split along dimension %d, so its length must be known, "
                             "but '%s' is open: %s; %s",
                             dim, quoted(judge, dim), could_be_free(judge), remedy(judge));
    }
    if (judge->axis_known && dim > axis) {
        return sg_diag_error(judge->diag, shape->items[dim].span,
                             "dimension %d, '%s', is open, but lies behind axis %d, where offsets "
                             "depend on its length: %s; %s",
                             dim, quoted(judge, dim), axis, could_be_free(judge), remedy(judge));
    }
    for (int i = 0; i < dim; i++) {
        const sg_op_num *before = &shape->items[i];
        if (before->free == NULL && before->value != 1 && before->value >= 0) {
            return sg_diag_error(judge->diag, shape->items[dim].span,
                                 "dimension %d, '%s', is open, but dimension %d in front of it is "
                                 "%lld, not 1: %s; %s",
                                 dim, quoted(judge, dim), i, (long long)before->value,
                                 could_be_free(judge), remedy(judge));
        }
    }
    return true;
}

/* Whether the size of so many items fits where that of a tensor must; see judge_size. */
static bool fits(const sg_split *split, int64_t items)
{
    const bool packed = split->packing != SG_PACKING_NONE;
    int64_t size = packed ? split->element_bits : split->element_bytes;
    bool ok = sg_mul64(size > 0 ? size : 1, items, &size);
    for (int i = 0; ok && i < split->rank; i++) {
        ok = split->dims[i] < 1 || sg_mul64(size, split->dims[i], &size);
    }
    return ok && (!packed || size <= SG_MAX_BITS);
}

/* As many items as expected must be a legal tensor, too. */
static void judge_expected(const sg_judge *judge, const sg_op_num *dim)
{
    const sg_split *split = judge->split;
    const char *name = sg_judge_quote(judge, dim->free);
    if (dim->expected < 1) {
        sg_diag_error(judge->diag, dim->span,
                      "at least 1 of '%s' must be expected, but the number is %lld", name,
                      (long long)dim->expected);
    } else if (fits(split, 1) && !fits(split, dim->expected)) {
        sg_diag_error(judge->diag, dim->span,
                      "%lld of '%s' are expected, but so many are beyond %s; expect fewer",
                      (long long)dim->expected, name,
                      split->packing != SG_PACKING_NONE ? "2^62 bits" : "2^63 - 1 bytes");
    }
}

static void judge_second(const sg_judge *judge, int dim)
{
    const sg_op_list *shape = &judge->op->shape;
    const int first = judge->split->free_axis;
    sg_diag_error(judge->diag, shape->items[dim].span,
                  "only one dimension may be open, but %d, '%s', and %d, '%s', are: give one a "
                  "number",
                  first, quoted(judge, first), dim, quoted(judge, dim));
    sg_diag_note(judge->diag, shape->items[first].span, "the first is here");
}

void sg_judge_free(sg_judge *judge)
{
    const sg_op_list *shape = &judge->op->shape;
    sg_split *split = judge->split;
    split->free_axis = -1;
    split->items = 1;
    for (int i = 0; judge->rank_known && i < split->rank; i++) {
        const sg_op_num *dim = &shape->items[i];
        if (dim->free == NULL) {
            continue;
        }
        if (split->free_name != NULL) {
            judge_second(judge, i);
            return;
        }
        split->free_axis = i;
        split->free_name = dim->free;
        split->items = dim->expected;
        if (dim->free[0] == '\0') {
            sg_diag_error(judge->diag, dim->span,
                          "dimension %d is open, but its name is empty; it is what the kernel's "
                          "parameter is called after, as in 'batch'",
                          i);
        } else if (judge_place(judge, i)) {
            judge_expected(judge, dim);
        }
    }
}

/* Whether an item, so many elements of the tensor `what`, is whole bytes. */
static bool judge_bits(const sg_judge *judge, int64_t elements, const char *what)
{
    const sg_split *split = judge->split;
    const sg_op_num *dim = &judge->op->shape.items[split->free_axis];
    if (elements * split->element_bits % 8 == 0) {
        return true;
    }
    return sg_diag_error(judge->diag, dim->span,
                         "'%s' is open, but one of it is %lld element%s of %lld bit%s in '%s', "
                         "which are no whole bytes; give it a number",
                         sg_judge_quote(judge, dim->free), (long long)elements,
                         sg_judge_plural(elements), (long long)split->element_bits,
                         sg_judge_plural(split->element_bits), sg_judge_quote(judge, what));
}

void sg_judge_items(sg_judge *judge)
{
    const sg_split *split = judge->split;
    /* of SG_PACKING_PLANES every row is whole groups: sg_judge_groups */
    if (split->free_name == NULL || split->packing == SG_PACKING_NONE ||
        split->packing == SG_PACKING_PLANES ||
        !judge_bits(judge, split->elements, split->data_name)) {
        return;
    }
    for (int64_t i = 0; i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        if (part->wanted && !judge_bits(judge, part->elements, part->name)) {
            return;
        }
    }
}
