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

/* What is done with parts that are one run of the whole. */
typedef enum sg_views {
    SG_VIEWS_COPY,        /* they are copied like all others */
    SG_VIEWS_OMIT,        /* those that have a place have no code */
    SG_VIEWS_OMIT_OUTPUTS /* the same, and outputs of the model may have a place in a Concat, too:
                             the caller provides them there */
} sg_views;

/* Finds a place for the tensors that need no copy, and sets view_only of these parts unless the
 * views are copied, and `copied` of the others that are one run of their whole.
 *
 * A part of a Split lies in its whole, where it is read. A part of a Concat is written there by its
 * producer, so it is none that nobody writes (a constant, an input of the model, a tensor of an
 * outer graph), none that a fused op reads in another tensor, and no output of the model. A tensor
 * has one place: all ops of a run are looked at together, in their order, and the first place is
 * taken. As every place of a tensor saves the same bytes, no other choice among them saves more.
 * Parts that are marked as views keep their mark. Where a part has no code, its tensor has that
 * place; so the views of a tensor that is itself placed move with it. */
void sg_views_place(sg_arena *arena, sg_split *const *splits, int64_t count, sg_views views);

#endif
