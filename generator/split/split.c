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
