/* The text of a split, and queries about its open dimensions. */
#include "split/split.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"

/* The open numbers that are factors of dimensions [first, last), "batch*time"; "" if there are
 * none. */
static const char *factors(sg_arena *arena, const sg_split *split, int first, int last)
{
    const char *text = "";
    for (int o = 0; o < split->nopen; o++) {
        for (int64_t i = sg_split_powers(split, first, last, o); i > 0; i--) {
            text = sg_arena_printf(arena, "%s%s%s", text, text[0] != '\0' ? "*" : "",
                                   split->open[o].name);
        }
    }
    return text;
}

const char *sg_split_dim_text(sg_arena *arena, const sg_split *split, int axis, int64_t length)
{
    const char *text = factors(arena, split, axis, axis + 1);
    if (text[0] != '\0' && length == 1) {
        return text;
    }
    return sg_arena_printf(arena, "%lld%s%s", (long long)length, text[0] != '\0' ? "*" : "", text);
}

const char *sg_split_behind_text(sg_arena *arena, const sg_split *split)
{
    sg_buf text = {0};
    sg_buf_add_visiblez(&text, factors(arena, split, split->axis + 1, split->rank));
    const char *kept = sg_arena_strndup(arena, text.len > 0 ? text.ptr : "", text.len);
    sg_buf_free(&text);
    return kept;
}

int64_t sg_split_bytes(const sg_split *split, int64_t elements)
{
    int64_t size = split->element_bytes;
    int64_t units = 1; /* in a byte */
    if (split->packing == SG_PACKING_PLANES) {
        elements = sg_ceil_div64(elements, sg_packing_group(sg_dtype_get(split->dtype)));
        size = 3;
    } else if (split->packing != SG_PACKING_NONE) {
        size = split->element_bits;
        units = 8;
    }
    const bool fits = sg_mul64(elements, size, &size);
    assert(fits);
    (void)fits;
    return sg_ceil_div64(size, units);
}

int64_t sg_split_items(const sg_split *split)
{
    return split->items * split->behind;
}

int sg_split_power(const sg_split *split, int axis, int open)
{
    return split->nopen == 0 ? 0 : split->powers[axis * split->nopen + open];
}

bool sg_split_same_open(const sg_split *a, const sg_split *b)
{
    bool same = a->nopen == b->nopen && a->rank == b->rank;
    for (int o = 0; same && o < a->nopen; o++) {
        same = strcmp(a->open[o].name, b->open[o].name) == 0;
    }
    return same &&
           (a->nopen == 0 || memcmp(a->powers, b->powers, (size_t)a->rank * (size_t)a->nopen) == 0);
}

/* A dimension of the full tensor, or of a part. */
static int64_t dim_of(const sg_split *split, const sg_part *part, int axis)
{
    return part != NULL && axis == split->axis ? part->length : split->dims[axis];
}

bool sg_split_same_tensor(const sg_split *a, const sg_part *of_a, const sg_split *b,
                          const sg_part *of_b)
{
    bool same = a->dtype == b->dtype && a->packing == b->packing && sg_split_same_open(a, b) &&
                (of_a == NULL || !of_a->without_axis) && (of_b == NULL || !of_b->without_axis);
    for (int d = 0; same && d < a->rank; d++) {
        same = dim_of(a, of_a, d) == dim_of(b, of_b, d);
    }
    return same;
}

bool sg_split_is_open(const sg_split *split, int axis)
{
    bool open = false;
    for (int o = 0; o < split->nopen; o++) {
        open = open || sg_split_power(split, axis, o) > 0;
    }
    return open;
}

int64_t sg_split_powers(const sg_split *split, int first, int last, int open)
{
    int64_t sum = 0;
    for (int d = first; d < last; d++) {
        sum += sg_split_power(split, d, open);
    }
    return sum;
}

bool sg_split_has_pitch(const sg_split *split)
{
    bool has = split->strides != NULL;
    for (int64_t i = 0; i < split->nparts; i++) {
        has = has || split->parts[i].strides != NULL;
    }
    return has;
}

int64_t sg_split_gap(const sg_split *split, const int64_t *strides, int dim)
{
    return strides == NULL || dim + 1 >= split->axis
               ? 0
               : strides[dim] - split->dims[dim + 1] * strides[dim + 1];
}

bool sg_size_is(sg_size size, int64_t number)
{
    return !size.open && size.factor == number;
}

bool sg_split_has_rows(const sg_split *split)
{
    return split->outer.open || split->outer.factor > 1;
}

bool sg_split_has_gaps(const sg_split *split)
{
    return split->strides != NULL ||
           split->row_stride != split->dims[split->axis] * split->inner.factor;
}

bool sg_part_has_gaps(const sg_split *split, const sg_part *part)
{
    return part->strides != NULL || part->row_stride != part->length * split->inner.factor;
}

const char *sg_split_part_word(const sg_split *split)
{
    return split->joins ? "input" : "output";
}

int sg_part_rank(const sg_split *split, const sg_part *part)
{
    return split->rank - (part->without_axis ? 1 : 0);
}

int sg_part_dim(const sg_split *split, const sg_part *part, int d)
{
    return part->without_axis && d >= split->axis ? d + 1 : d;
}
