/* views: which parts can be used in place in the full tensor, and which of these get no code. */
#ifndef SG_SPLIT_VIEWS_H
#define SG_SPLIT_VIEWS_H

#include <stdbool.h>

#include "base/arena.h"
#include "split/split.h"

/* A clause that says why the part has no view: its packed elements begin within a byte, or its rows
 * do. NULL: it has one. */
const char *sg_view_missing(sg_arena *arena, const sg_split *split, const sg_part *part);

/* Whether the part is contiguous in the full tensor, for any number of items. An empty one is. */
bool sg_view_is_contiguous(const sg_split *split, const sg_part *part);

/* What to do with parts that are contiguous in the full tensor. */
typedef enum sg_views {
    SG_VIEWS_COPY,        /* copy them like all others */
    SG_VIEWS_OMIT,        /* no code for those that have a place */
    SG_VIEWS_OMIT_OUTPUTS /* the same, and outputs of the model may have a place in a Concat, too:
                             the caller provides the memory there */
} sg_views;

/* Assigns places to the tensors that need no copy. For the parts that are contiguous in the full
 * tensor, sets view_only, unless views are copied, or else `copied`.
 *
 * The place of a part of a Split is in the Split's input, where its readers read it. The place of a
 * part of a Concat is in the result, where its producer writes it. So it cannot be a tensor that no
 * node writes (a constant, an input of the model, a tensor of an outer graph), a tensor that a
 * fused op reads elsewhere, or an output of the model. A tensor has one place: all ops of a run are
 * processed together in their order, and the first place is taken. Since every place of a tensor
 * saves the same bytes, no other choice saves more. Parts that are marked as views keep their mark.
 * If a part has no code, its tensor is at that place; so views of a tensor that is itself placed
 * move with it. */
void sg_views_place(sg_arena *arena, sg_split *const *splits, int64_t count, sg_views views);

#endif
