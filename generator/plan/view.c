/* Views: an offset into the input, with or without strides. Elements of whole bytes always have a
 * view; packed ones have one if they begin at a whole byte. */
#include "plan/view.h"

#include <inttypes.h>

#include "plan/plan.h"
#include "split/views.h"

/* Strides of the full tensor: dense except for padding between rows. */
static int64_t *whole_strides(sg_arena *arena, const sg_split *split)
{
    int64_t *strides = SG_NEW_ARRAY(arena, int64_t, split->rank);
    int64_t step = 1;
    for (int d = split->rank - 1; d >= 0; --d) {
        strides[d] = step;
        step *= split->dims[d] > 0 ? split->dims[d] : 1;
        step = d == split->axis ? split->row_stride : step;
        step = d > 0 && d <= split->axis && split->strides != NULL ? split->strides[d - 1] : step;
    }
    return strides;
}

/* The strides of a part, which may lack the axis. */
static int64_t *strides_of(sg_arena *arena, const sg_split *split, const sg_part *part,
                           int64_t *strides)
{
    if (!part->without_axis) {
        return strides;
    }
    int64_t *without = SG_NEW_ARRAY(arena, int64_t, split->rank);
    for (int d = 0; d < sg_part_rank(split, part); ++d) {
        without[d] = strides[sg_part_dim(split, part, d)];
    }
    return without;
}

/* "1024 runs"; with dynamic dimensions "1024 runs an item". */
static const char *runs_text(sg_arena *arena, const sg_split *split)
{
    return sg_arena_printf(arena, "%" PRId64 " run%s%s", split->outer.factor,
                           split->outer.factor == 1 ? "" : "s", split->nopen > 0 ? " an item" : "");
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static const char *strided_why(sg_arena *arena, const sg_split *split, const sg_part *part)
{
    const bool packed = split->packing != SG_PACKING_NONE;
    const int64_t unit =
        split->inner.factor * (packed ? split->element_bits : split->element_bytes);
    const int64_t per_byte = packed ? 8 : 1;
    const bool in_bits = part->length * unit % per_byte != 0;
    const int64_t width = in_bits ? part->length * unit : part->length * unit / per_byte;
    const int64_t row =
        split->row_stride * (packed ? split->element_bits : split->element_bytes) / per_byte;
    return sg_arena_printf(arena, "%s of %" PRId64 " %s%s, %" PRId64 " byte%s apart",
                           runs_text(arena, split), width, in_bits ? "bit" : "byte", plural(width),
                           row, plural(row));
}

/* Size of a pointer on the smallest supported machines, for strings. */
#define POINTER_BYTES 4

/* The largest power of two that divides the input's alignment, the view's offset and, if it has
 * several rows, their distances. */
static int64_t view_align(const sg_split *split, const sg_output *output, int64_t rows)
{
    const bool pointers = sg_dtype_get(split->dtype)->kind == SG_DTYPE_KIND_PTR;
    const int64_t bits = pointers                            ? 8 * POINTER_BYTES
                         : split->packing != SG_PACKING_NONE ? split->element_bits
                                                             : 8 * split->element_bytes;
    const int64_t begin =
        pointers ? output->byte_offset / split->element_bytes * POINTER_BYTES : output->byte_offset;
    /* Modulo 2^64, since only the lowest bits count and a row may have more than 2^60 bytes. */
    uint64_t steps = rows > 1 ? (uint64_t)output->row_stride * (uint64_t)bits / 8 : 0;
    for (int d = 0; split->strides != NULL && d < split->axis; ++d) {
        steps |= (uint64_t)split->strides[d] * (uint64_t)bits / 8;
    }
    int64_t align = pointers && split->align == split->element_bytes ? POINTER_BYTES : split->align;
    while (begin % align != 0 || (steps & (uint64_t)(align - 1)) != 0) {
        align /= 2;
    }
    return align;
}

void sg_view_build(sg_arena *arena, sg_plan *plan)
{
    const sg_split *split = plan->split;
    /* An empty tensor has no byte to point at and needs no strides; products of its other
     * dimensions might overflow, so they are never formed. */
    const bool empty = split->bytes == 0;
    int64_t *zeros = SG_NEW_ARRAY(arena, int64_t, split->rank);
    int64_t *strides = empty ? zeros : whole_strides(arena, split);

    for (int64_t o = 0; o < plan->noutputs; ++o) {
        sg_output *output = &plan->outputs[o];
        const sg_part *part = output->part;
        output->strides = strides_of(arena, split, part, strides);
        output->view = SG_VIEW_CONTIGUOUS;
        output->byte_offset = 0;
        output->view_align = split->align;
        if (part->bytes == 0) {
            output->view_why = "it has no elements";
            continue;
        }
        const char *why = sg_view_missing(arena, split, part);
        if (why != NULL) {
            output->view = SG_VIEW_COPY;
            output->strides = NULL;
            output->view_align = 0;
            output->view_why = why;
            continue;
        }
        output->byte_offset = split->packing == SG_PACKING_NONE
                                  ? part->start * split->inner.factor * split->element_bytes
                                  : part->start * split->inner.factor * split->element_bits / 8;
        output->row_stride = split->row_stride;
        output->view_align = view_align(split, output, split->outer.open ? 2 : split->outer.factor);
        if (!sg_view_is_contiguous(split, part)) {
            output->view = SG_VIEW_STRIDED;
            output->view_why = strided_why(arena, split, part);
        } else if (sg_split_has_rows(split)) {
            output->view_why = "the part is the whole axis";
        } else {
            output->view_why = split->axis == 0 ? "the axis is the outermost dimension"
                                                : "every dimension before the axis is 1";
        }
    }
}
