/* Rules on a free dimension: which one may be free, and what one item of it must be. Rows lie
 * behind each other in input and outputs alike, whatever their number, so the outermost dimension
 * can be left to the program; the offsets within a row are constants only where all behind it is
 * known. */
#include "split/resolve_rules.h"

#include "base/checked.h"

/* The dimensions that could be free: those in front of the axis with nothing but ones before. */
static const char *could_be_free(const sg_judge *judge)
{
    const sg_op_list *shape = &judge->op->shape;
    int last = 0;
    if (!judge->axis_known || judge->split->axis == 0) {
        return "none can be free, as none lies in front of the axis";
    }
    while (last + 1 < judge->split->axis && shape->items[last].free == NULL &&
           shape->items[last].value == 1) {
        last++;
    }
    return last == 0 ? "dimension 0 can be free"
                     : sg_arena_printf(judge->arena, "one of dimensions 0 to %d can be free", last);
}

static const char *quoted(const sg_judge *judge, int dim)
{
    return sg_judge_quote(judge, judge->op->shape.items[dim].free);
}

/* Whether the free dimension lies where one may. */
static bool judge_place(const sg_judge *judge, int dim)
{
    const sg_op_list *shape = &judge->op->shape;
    const int axis = judge->split->axis;
    if (judge->axis_known && dim == axis) {
        return sg_diag_error(judge->diag, shape->items[dim].span,
                             "the tensor is split along dimension %d, so its length must be known, "
                             "but '%s' is free: %s",
                             dim, quoted(judge, dim), could_be_free(judge));
    }
    if (judge->axis_known && dim > axis) {
        return sg_diag_error(judge->diag, shape->items[dim].span,
                             "dimension %d, '%s', is free, but lies behind axis %d, where offsets "
                             "depend on its length: %s",
                             dim, quoted(judge, dim), axis, could_be_free(judge));
    }
    for (int i = 0; i < dim; i++) {
        if (shape->items[i].free == NULL && shape->items[i].value != 1) {
            return sg_diag_error(judge->diag, shape->items[dim].span,
                                 "dimension %d, '%s', is free, but dimension %d in front of it is "
                                 "%lld, and must be 1: %s",
                                 dim, quoted(judge, dim), i, (long long)shape->items[i].value,
                                 could_be_free(judge));
        }
    }
    return true;
}

/* As many items as expected must be a legal tensor, too. */
static void judge_expected(const sg_judge *judge, const sg_op_num *dim)
{
    const sg_split *split = judge->split;
    int64_t bits = split->element_bits;
    if (dim->expected < 1) {
        sg_diag_error(judge->diag, dim->span,
                      "the expected length of '%s' must be at least 1, but is %lld",
                      sg_judge_quote(judge, dim->free), (long long)dim->expected);
        return;
    }
    bool fits = sg_mul64(bits, dim->expected, &bits);
    for (int i = 0; fits && judge->dtype_known && i < split->rank; i++) {
        fits = split->dims[i] < 1 || sg_mul64(bits, split->dims[i], &bits);
    }
    if (!fits || bits > SG_MAX_BITS) {
        sg_diag_error(judge->diag, dim->span,
                      "%lld of '%s' are expected, which is beyond 2^62 bits",
                      (long long)dim->expected, sg_judge_quote(judge, dim->free));
    }
}

void sg_judge_free(sg_judge *judge)
{
    const sg_op_list *shape = &judge->op->shape;
    sg_split *split = judge->split;
    split->items = 1;
    for (int i = 0; judge->rank_known && i < split->rank; i++) {
        const sg_op_num *dim = &shape->items[i];
        if (dim->free == NULL) {
            continue;
        }
        if (split->free_name != NULL) {
            sg_diag_error(judge->diag, dim->span,
                          "one dimension may be free, but '%s' is the second; give it a number",
                          sg_judge_quote(judge, dim->free));
            sg_diag_note(judge->diag, shape->items[split->free_axis].span, "'%s' is free here",
                         quoted(judge, split->free_axis));
            return;
        }
        split->free_axis = i;
        split->free_name = dim->free;
        split->items = dim->expected;
        if (judge_place(judge, i)) {
            judge_expected(judge, dim);
        }
    }
}

/* Whether so many elements of packed ones, of `what`, are whole bytes. */
static bool judge_bits(const sg_judge *judge, int64_t elements, const char *what)
{
    const sg_split *split = judge->split;
    const sg_op_num *dim = &judge->op->shape.items[split->free_axis];
    if (elements * split->element_bits % 8 == 0) {
        return true;
    }
    return sg_diag_error(judge->diag, dim->span,
                         "'%s' is free, but one of it has %lld elements of %lld bit%s in '%s', and "
                         "must have whole bytes; give it a number",
                         sg_judge_quote(judge, dim->free), (long long)elements,
                         (long long)split->element_bits, sg_judge_plural(split->element_bits),
                         sg_judge_quote(judge, what));
}

void sg_judge_items(sg_judge *judge)
{
    const sg_split *split = judge->split;
    if (split->free_name == NULL || split->packing == SG_PACKING_NONE ||
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

const char *sg_split_dim_text(sg_arena *arena, const sg_split *split, int axis, int64_t length)
{
    const char *name = split->free_name != NULL && axis == split->free_axis ? split->free_name : "";
    if (name[0] != '\0' && length == 1) {
        return name;
    }
    return sg_arena_printf(arena, "%lld%s%s", (long long)length, name[0] != '\0' ? "*" : "", name);
}
