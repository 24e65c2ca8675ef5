/* Whole-byte elements always have a view, packed ones where they begin at a whole byte, and where
 * they are to be written end at one. Decides nothing about code but which parts need none. */
#include "split/views.h"

#include <inttypes.h>

/* Whether there may be more rows than one. */
static bool has_rows(const sg_split *split)
{
    return split->outer > 1 || split->open_rows;
}

/* Whether the part is all that the whole is, gaps between rows excepted, of which there are none.
 */
static bool is_whole(const sg_split *split, const sg_part *part)
{
    return part->length == split->dims[split->axis] && !sg_split_has_gaps(split);
}

const char *sg_view_missing(sg_arena *arena, const sg_split *split, const sg_part *part)
{
    if (split->packing == SG_PACKING_NONE || part->bytes == 0) {
        return NULL;
    }
    const int64_t begin = part->start * split->inner * split->element_bits;
    if (begin % 8 != 0) {
        return sg_arena_printf(arena, "it begins at bit %" PRId64 " of byte %" PRId64, begin % 8,
                               begin / 8);
    }
    const int64_t end = begin + part->length * split->inner * split->element_bits;
    const bool last = !has_rows(split) && part->start + part->length == split->dims[split->axis];
    if (split->joins && end % 8 != 0 && !last && !is_whole(split, part)) {
        return sg_arena_printf(arena,
                               "it ends at bit %" PRId64 " of byte %" PRId64
                               ", the rest of which is not its own",
                               end % 8, end / 8);
    }
    const int64_t row = split->row_stride * split->element_bits;
    if (has_rows(split) && row % 8 != 0 && !is_whole(split, part)) {
        return sg_arena_printf(arena, "a row %s %" PRId64 " bits, no whole number of bytes",
                               sg_split_has_gaps(split) ? "begins every" : "has", row);
    }
    return NULL;
}

bool sg_view_is_contiguous(const sg_split *split, const sg_part *part)
{
    return part->bytes == 0 || !has_rows(split) || is_whole(split, part);
}

void sg_views_as_constants(sg_arena *arena, sg_split *split)
{
    for (int64_t i = 0; i < split->nparts; ++i) {
        sg_part *part = &split->parts[i];
        const bool dense = !has_rows(split) || !sg_part_has_gaps(split, part);
        if (part->wanted && dense && sg_view_is_contiguous(split, part) &&
            sg_view_missing(arena, split, part) == NULL) {
            part->view_only = true;
        }
    }
}
