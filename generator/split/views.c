/* Elements of whole bytes always have a view. Packed ones have a view if they begin at a whole byte
 * and, if the view is written, end at one. A view replaces a copy only if its tensor has a single
 * place. */
#include "split/views.h"

#include <inttypes.h>

/* Whether the part is the full tensor, which has no padding. */
static bool is_whole(const sg_split *split, const sg_part *part)
{
    return part->length == split->dims[split->axis] && !sg_split_has_gaps(split);
}

const char *sg_view_missing(sg_arena *arena, const sg_split *split, const sg_part *part)
{
    if (split->packing == SG_PACKING_NONE || part->bytes == 0) {
        return NULL;
    }
    const int64_t begin = part->start * split->inner.factor * split->element_bits;
    if (begin % 8 != 0) {
        return sg_arena_printf(arena, "it begins at bit %" PRId64 " of byte %" PRId64, begin % 8,
                               begin / 8);
    }
    const int64_t end = begin + part->length * split->inner.factor * split->element_bits;
    const bool last =
        !sg_split_has_rows(split) && part->start + part->length == split->dims[split->axis];
    if (split->joins && end % 8 != 0 && !last && !is_whole(split, part)) {
        return sg_arena_printf(
            arena, "it ends at bit %" PRId64 " of byte %" PRId64 ", which another part shares",
            end % 8, end / 8);
    }
    const int64_t row = split->row_stride * split->element_bits;
    if (sg_split_has_rows(split) && row % 8 != 0 && !is_whole(split, part)) {
        return sg_arena_printf(arena, "a row %s %" PRId64 " bits, no whole number of bytes",
                               sg_split_has_gaps(split) ? "begins every" : "has", row);
    }
    return NULL;
}

bool sg_view_is_contiguous(const sg_split *split, const sg_part *part)
{
    return part->bytes == 0 || !sg_split_has_rows(split) || is_whole(split, part);
}

/* --- places ----------------------------------------------------------------------------------- */

/* The place of a tensor within the memory of another one. */
typedef struct place {
    const sg_op_storage *storage; /* of the tensor that is placed */
    const sg_op_storage *within;  /* of the full tensor that contains it */
    int64_t at; /* elements of the full tensor before it; see sg_split for open dimensions */
    const sg_split *split; /* the split that the tensor is a part of */
} place;

/* A hash table of places by storage address. Its order is never visible. */
typedef struct places {
    place *slots;
    uint64_t mask; /* number of slots - 1; the number is a power of two */
} places;

static places places_for(sg_arena *arena, sg_split *const *splits, int64_t count)
{
    uint64_t tensors = 0;
    for (int64_t i = 0; i < count; i++) {
        tensors += (uint64_t)splits[i]->nparts;
    }
    uint64_t slots = 16;
    while (slots < 2 * tensors) {
        slots *= 2;
    }
    return (places){SG_NEW_ARRAY(arena, place, (int64_t)slots), slots - 1};
}

/* The place of a tensor, or a free slot for it. */
static place *find_place(const places *all, const sg_op_storage *storage)
{
    uint64_t i = (uint64_t)(uintptr_t)storage * UINT64_C(0x9e3779b97f4a7c15) >> 20 & all->mask;
    while (all->slots[i].storage != NULL && all->slots[i].storage != storage) {
        i = (i + 1) & all->mask;
    }
    return &all->slots[i];
}

static const sg_op_storage *storage_of(const sg_op_tensor *tensor)
{
    return tensor != NULL ? tensor->storage : NULL;
}

static const sg_op_tensor *whole_of(const sg_split *split)
{
    return split->op != NULL && split->op->origin != NULL ? split->op->origin->whole : NULL;
}

static const char *node_of(const sg_split *split)
{
    const char *node = split->op->origin->node;
    return node[0] != '\0' ? node : split->name;
}

/* Why the producer of a part of a Concat cannot write it directly into the full tensor; NULL if it
 * can. */
static const char *not_written(sg_arena *arena, const sg_part *part, bool outputs)
{
    if (part->data != NULL) {
        return "it is a constant";
    }
    if (part->source != NULL) {
        return sg_arena_printf(arena, "it is read directly from '%s'", part->source->name);
    }
    if (part->in_graph == NULL) {
        return NULL; /* from a spec: the caller of the kernel decides */
    }
    return part->in_graph->given != NULL         ? part->in_graph->given
           : part->in_graph->yielded && !outputs ? "it is an output of the model, which belongs to "
                                                   "the caller"
                                                 : NULL;
}

/* Assigns the tensor of a part its place in the full tensor. NULL, or why it already has another
 * place. */
static const char *take_place(sg_arena *arena, const places *all, const sg_split *split,
                              const sg_part *part)
{
    const sg_op_storage *storage = storage_of(part->in_graph);
    if (storage == NULL) {
        return NULL;
    }
    const place own = {storage, storage_of(whole_of(split)), part->start * split->inner.factor,
                       split};
    place *at = find_place(all, storage);
    if (at->storage == NULL) {
        *at = own;
        return NULL;
    }
    if (at->within == own.within && at->at == own.at) {
        return NULL;
    }
    return sg_arena_printf(arena,
                           at->split->joins ? "'%s' already places it in '%s'"
                                            : "'%s' already makes it a view of '%s'",
                           node_of(at->split), at->split->op->origin->input);
}

void sg_views_place(sg_arena *arena, sg_split *const *splits, int64_t count, sg_views views)
{
    const places all = places_for(arena, splits, count);
    for (int64_t i = 0; i < count; i++) { /* marked views first, because the user relies on them */
        for (int64_t p = 0; p < splits[i]->nparts; p++) {
            const sg_part *part = &splits[i]->parts[p];
            if (part->wanted && part->view_only) {
                (void)take_place(arena, &all, splits[i], part);
            }
        }
    }
    for (int64_t i = 0; i < count; i++) {
        sg_split *split = splits[i];
        for (int64_t p = 0; p < split->nparts; p++) {
            sg_part *part = &split->parts[p];
            const bool dense = !sg_split_has_rows(split) || !sg_part_has_gaps(split, part);
            if (!part->wanted || part->view_only || !dense || !sg_view_is_contiguous(split, part) ||
                sg_view_missing(arena, split, part) != NULL) {
                continue;
            }
            if (part->bytes > 0) {
                part->copied =
                    split->joins ? not_written(arena, part, views == SG_VIEWS_OMIT_OUTPUTS) : NULL;
                part->copied =
                    part->copied == NULL ? take_place(arena, &all, split, part) : part->copied;
            }
            part->view_only = views != SG_VIEWS_COPY && part->copied == NULL;
        }
    }
}
