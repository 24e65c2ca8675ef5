/* views: which parts lie in the input so that a reader can take them there, and which of these have
 * no code. */
#ifndef SG_SPLIT_VIEWS_H
#define SG_SPLIT_VIEWS_H

#include <stdbool.h>

#include "base/arena.h"
#include "split/split.h"

/* One clause why no view of the part exists: packed elements that begin within a byte, or whose
 * rows do. NULL: there is one. */
const char *sg_view_missing(sg_arena *arena, const sg_split *split, const sg_part *part);

/* Whether the part is one run of the input, for any number of items. An empty one is. */
bool sg_view_is_contiguous(const sg_split *split, const sg_part *part);

/* --views=constants: every part that is a contiguous view is only a view, but for those whose own
 * rows are to lie apart. */
void sg_views_as_constants(sg_arena *arena, sg_split *split);

#endif
