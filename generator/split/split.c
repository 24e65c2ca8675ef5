/* Dimensions for a reader. */
#include "split/split.h"

const char *sg_split_dim_text(sg_arena *arena, const sg_split *split, int axis, int64_t length)
{
    if (split->free_name == NULL || axis != split->free_axis) {
        return sg_arena_printf(arena, "%lld", (long long)length);
    }
    return length == 1 ? split->free_name
                       : sg_arena_printf(arena, "%lld*%s", (long long)length, split->free_name);
}

int sg_part_rank(const sg_split *split, const sg_part *part)
{
    return split->rank - (part->without_axis ? 1 : 0);
}

int sg_part_dim(const sg_split *split, const sg_part *part, int d)
{
    return part->without_axis && d >= split->axis ? d + 1 : d;
}
