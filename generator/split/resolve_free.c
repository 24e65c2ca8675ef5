/* Rules on open dimensions. A kernel copies rows; a row is everything from the axis on, of one
 * index of the dimensions before it. The number of rows may be passed at run time. So may
 * dimensions after the axis, since all offsets within a row are multiples of them. The axis itself
 * and the lengths must be known. */
#include "split/resolve_rules.h"

#include <string.h>

#include "base/checked.h"

static const char *quoted(const sg_check *check, const sg_op_num *dim)
{
    return sg_check_quote(check, sg_op_open_text(check->arena, dim));
}

/* Suffix of a message about an open dimension: the remedy. */
static const char *remedy(const sg_check *check)
{
    return check->op->origin != NULL
               ? sg_arena_printf(check->arena, "give it a number, or leave this %s out",
                                 sg_check_operator(check))
               : "give it a number";
}

/* Whether a tensor with this product of open dimensions is within the size limits; see
 * check_size. */
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

/* The index of an open number, which is added if it is new; -1: reported. */
static int number_of(const sg_check *check, int dim, const sg_op_open *written)
{
    sg_split *split = check->split;
    const sg_op_num *items = check->op->shape.items;
    const char *name = sg_check_quote(check, written->name);
    for (int o = 0; o < split->nopen; o++) {
        if (strcmp(split->open[o].name, written->name) != 0) {
            continue;
        }
        if (split->open[o].expected != written->expected) {
            sg_diag_error(check->diag, items[dim].span,
                          "%lld of '%s' are expected here, but %lld in dimension %d",
                          (long long)written->expected, name, (long long)split->open[o].expected,
                          split->open[o].dim);
            return -1;
        }
        return o;
    }
    if (written->name[0] == '\0') {
        sg_diag_error(check->diag, items[dim].span,
                      "dimension %d is open, but its name is empty; it is what the kernel's "
                      "parameter is called after, as in 'batch'",
                      dim);
        return -1;
    }
    if (written->expected < 1) {
        sg_diag_error(check->diag, items[dim].span,
                      "at least 1 of '%s' must be expected, but the number is %lld", name,
                      (long long)written->expected);
        return -1;
    }
    if (split->nopen == SG_MAX_OPEN) {
        sg_diag_error(check->diag, items[dim].span,
                      "'%s' is the %dth number that is open, but %d may be: give it a number", name,
                      SG_MAX_OPEN + 1, SG_MAX_OPEN);
        return -1;
    }
    split->open[split->nopen] =
        (sg_open){.name = written->name, .expected = written->expected, .dim = dim};
    return split->nopen++;
}

/* With the expected numbers the tensor must be legal, too. */
static bool check_expected(const sg_check *check, int dim, const sg_op_open *written)
{
    const sg_split *split = check->split;
    int64_t all = split->items;
    if (sg_mul64(all, split->behind, &all) && (fits(split, all) || !fits(split, 1))) {
        return true;
    }
    return sg_diag_error(check->diag, check->op->shape.items[dim].span,
                         "%lld of '%s' are expected, but they exceed %s; expect fewer",
                         (long long)written->expected, sg_check_quote(check, written->name),
                         split->packing != SG_PACKING_NONE ? "2^62 bits" : "2^63 - 1 bytes");
}

static bool check_dim(const sg_check *check, int dim)
{
    sg_split *split = check->split;
    const sg_op_num *written = &check->op->shape.items[dim];
    if (check->axis_known && dim == split->axis) {
        return sg_diag_error(check->diag, written->span,
                             "'%s' cannot be open: dimension %d is the %s axis; %s",
                             quoted(check, written), dim,
                             sg_op_joins(check->op->kind) ? "concat" : "split", remedy(check));
    }
    const bool in_front = !check->axis_known || dim < split->axis;
    int64_t *product = in_front ? &split->items : &split->behind;
    for (int64_t i = 0; i < written->nopen; i++) {
        const int o = number_of(check, dim, &written->open[i]);
        if (o < 0) {
            return false;
        }
        split->powers[dim * SG_MAX_OPEN + o]++;
        if (!sg_mul64(*product, written->open[i].expected, product)) {
            *product = INT64_MAX;
        }
        if (!check_expected(check, dim, &written->open[i])) {
            return false;
        }
    }
    split->outer.open = split->outer.open || in_front;
    split->inner.open = split->inner.open || !in_front;
    return true;
}

/* Packs the rows of `powers` from SG_MAX_OPEN entries to nopen. */
static void pack_powers(sg_split *split)
{
    for (int i = 0; i < split->rank; i++) {
        memmove(split->powers + i * split->nopen, split->powers + i * SG_MAX_OPEN,
                (size_t)split->nopen);
    }
}

void sg_check_free(sg_check *check)
{
    sg_split *split = check->split;
    split->items = 1;
    split->behind = 1;
    split->open = SG_NEW_ARRAY(check->arena, sg_open, SG_MAX_OPEN);
    split->powers = SG_NEW_ARRAY(check->arena, uint8_t, (int64_t)SG_MAX_OPEN * (split->rank + 1));
    bool ok = true;
    for (int i = 0; ok && check->rank_known && i < split->rank; i++) {
        ok = check->op->shape.items[i].nopen == 0 || check_dim(check, i);
    }
    pack_powers(split);
}

/* The first open dimension at or after `dim`. */
static const sg_op_num *open_from(const sg_check *check, int dim)
{
    const sg_op_num *items = check->op->shape.items;
    while (items[dim].nopen == 0) {
        dim++;
    }
    return &items[dim];
}

/* Whether an item is whole bytes; it has this many elements of the tensor `what`. */
static bool check_bits(const sg_check *check, int64_t elements, const char *what)
{
    const sg_split *split = check->split;
    const sg_op_num *dim = open_from(check, 0);
    if (elements * split->element_bits % 8 == 0) {
        return true;
    }
    return sg_diag_error(check->diag, dim->span,
                         "'%s' is open, but one of it is %lld element%s of %lld bit%s in '%s', "
                         "which are not whole bytes; give it a number",
                         quoted(check, dim), (long long)elements, sg_check_plural(elements),
                         (long long)split->element_bits, sg_check_plural(split->element_bits),
                         sg_check_quote(check, what));
}

/* All offsets are multiples of an open dimension after the axis, so with 1 for that dimension each
 * part must begin and end at a whole byte. */
static bool check_end(const sg_check *check, const sg_part *part, int64_t index)
{
    const sg_split *split = check->split;
    const int64_t bits = index * split->inner.factor * split->element_bits;
    const int group =
        split->packing == SG_PACKING_PLANES ? sg_packing_group(sg_dtype_get(split->dtype)) : 1;
    if (bits % 8 == 0 && index * split->inner.factor % group == 0) {
        return true;
    }
    const sg_op_num *dim = open_from(check, split->axis + 1);
    return sg_diag_error(check->diag, dim->span,
                         "'%s' after the axis is open, but if it is 1, '%s' begins or "
                         "ends at bit %lld of a row, within a byte%s; give it a number",
                         quoted(check, dim), sg_check_quote(check, part->name), (long long)bits,
                         group > 1 ? " or a group of elements" : "");
}

static bool check_ends(const sg_check *check)
{
    const sg_split *split = check->split;
    bool ok = true;
    for (int64_t i = 0; ok && split->inner.open && i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        ok = check_end(check, part, part->start) &&
             check_end(check, part, part->start + part->length);
    }
    return ok;
}

void sg_check_items(sg_check *check)
{
    const sg_split *split = check->split;
    if (split->nopen == 0 || split->packing == SG_PACKING_NONE || !check_ends(check)) {
        return;
    }
    /* every row of SG_PACKING_PLANES is whole groups: sg_check_groups */
    if (split->packing == SG_PACKING_PLANES ||
        !check_bits(check, split->outer.factor * split->row_stride, split->data_name)) {
        return;
    }
    for (int64_t i = 0; i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        if (part->wanted &&
            !check_bits(check, split->outer.factor * part->row_stride, part->name)) {
            return;
        }
    }
}
