/* For each part of a Concat, finds the Split that writes it, and checks that the Concat's rows have
 * a constant stride in the full tensor of that Split. */
#include "split/fuse_concat.h"

#include <string.h>

#include "split/resolve_rules.h"
#include "split/views.h"

/* Whether a Split has this op or was merged from one that has. Specs return copies of loaded ops,
 * so ops are compared by origin. */
static bool is_of(const sg_split *split, const sg_op *op)
{
    bool is = split->op->origin == op->origin;
    for (int64_t i = 0; !is && i < split->nfused; i++) {
        is = split->fused[i]->op->origin == op->origin;
    }
    return is;
}

/* The Split before concat `at` that writes a part of it; -1: none. */
static int64_t find_maker(sg_split *const *splits, int64_t at, const sg_part *piece)
{
    const sg_op *maker = piece->in_graph != NULL ? piece->in_graph->maker : NULL;
    int64_t i = maker != NULL && !sg_op_joins(maker->kind) ? at - 1 : -1;
    while (i >= 0 &&
           (splits[i]->joins || splits[i]->op->origin == NULL || !is_of(splits[i], maker))) {
        i--;
    }
    return i;
}

static sg_part *find_part(const sg_split *split, const char *tensor)
{
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        if (part->wanted && part->tensor != NULL && strcmp(part->tensor, tensor) == 0) {
            return part;
        }
    }
    return NULL;
}

/* Whether the Concat's rows of a part have a constant stride in the view: on the same axis they are
 * rows of the Split; on another axis the view must be contiguous. */
static bool has_rows(const sg_split *from, const sg_part *part, const sg_split *join)
{
    return from->axis == join->axis || sg_view_is_contiguous(from, part);
}

/* Why a part cannot be read directly from the Split's input; NULL if it can. */
static const char *why_apart(sg_arena *arena, const sg_split *from, const sg_part *part,
                             const sg_split *join, const sg_part *piece)
{
    if (piece->in_graph->kept != NULL) {
        return piece->in_graph->kept;
    }
    if (!sg_split_same_tensor(from, part, join, piece)) {
        return sg_arena_printf(arena, "'%s' is given another shape or type than it comes out with",
                               part->tensor);
    }
    if (join->inner.open || (from->inner.open && part->start > 0)) {
        return "where it begins, or how long its rows are, is known only when it runs";
    }
    if (!has_rows(from, part, join)) {
        return sg_arena_printf(arena, "one cuts axis %d and the other joins along axis %d",
                               from->axis, join->axis);
    }
    return sg_view_missing(arena, from, part);
}

/* The input of a Split among the sources of a Concat; added if it is new. */
static sg_tensor_source *source_of(sg_arena *arena, sg_split *join, const sg_split *from)
{
    const char *tensor = from->op->origin->input;
    for (int64_t i = 0; i < join->nsources; i++) {
        if (strcmp(join->sources[i].tensor, tensor) == 0) {
            return &join->sources[i];
        }
    }
    if (join->sources == NULL) {
        join->sources = SG_NEW_ARRAY(arena, sg_tensor_source, join->nparts);
    }
    sg_tensor_source *source = &join->sources[join->nsources++];
    *source = (sg_tensor_source){.name = tensor,
                                 .tensor = tensor,
                                 .in_graph = from->op->origin->whole,
                                 .dims = from->dims,
                                 .bytes = from->bytes,
                                 .row_stride = 1};
    for (int d = join->axis; d < join->rank; d++) {
        source->row_stride *= from->dims[d];
    }
    return source;
}

/* Makes a Concat read a part directly from the Split's input. */
static void take_piece(sg_arena *arena, sg_split *join, sg_part *piece, const sg_split *from,
                       const sg_part *part)
{
    const bool rows = from->axis == join->axis;
    const int64_t dense = piece->length * join->inner.factor;
    piece->row_stride = rows && !sg_view_is_contiguous(from, part) ? from->row_stride : dense;
    piece->at = part->start * from->inner.factor;
    piece->source = source_of(arena, join, from);
}

/* If a Concat reads pieces of a tensor and also reads it as a full part, that part becomes a piece,
 * too. */
static void take_wholes(sg_split *join)
{
    for (int64_t i = 0; i < join->nparts; i++) {
        sg_part *part = &join->parts[i];
        for (int64_t s = 0; s < join->nsources && part->source == NULL; s++) {
            const sg_tensor_source *source = &join->sources[s];
            if (part->wanted && part->tensor != NULL && strcmp(part->tensor, source->tensor) == 0) {
                part->source = source;
            }
        }
    }
}

/* Whether two adjacent parts are adjacent in their source, too. */
static bool are_one(const sg_split *join, const sg_part *last, const sg_part *next)
{
    const bool one_row = sg_size_is(join->outer, 1);
    return last->source != NULL && next->source == last->source && last->wanted && next->wanted &&
           next->at == last->at + last->length * join->inner.factor &&
           (one_row || next->row_stride == last->row_stride);
}

/* Merges adjacent parts that are adjacent in their source. */
static void merge_neighbours(sg_split *join)
{
    int64_t kept = 0;
    for (int64_t i = 1; i < join->nparts; i++) {
        sg_part *last = &join->parts[kept];
        const sg_part *next = &join->parts[i];
        if (!are_one(join, last, next)) {
            join->parts[++kept] = *next;
            continue;
        }
        last->length += next->length;
        last->elements += next->elements;
        last->bytes += next->bytes;
        last->tensor = last->source->tensor;
        last->row_stride = last->row_stride > last->length * join->inner.factor
                               ? last->row_stride
                               : last->length * join->inner.factor;
    }
    join->nparts = join->nparts > 0 ? kept + 1 : 0;
}

static sg_split *copy(sg_arena *arena, const sg_split *split)
{
    sg_split *to = SG_NEW(arena, sg_split);
    *to = *split;
    to->parts = SG_NEW_ARRAY(arena, sg_part, split->nparts);
    memcpy(to->parts, split->parts, (size_t)split->nparts * sizeof to->parts[0]);
    return to;
}

/* Counts a part of this many bytes that a Split no longer writes. */
static void add_fused(sg_split *join, const sg_split *from, int64_t bytes)
{
    int64_t i = 0;
    while (i < join->nfused && join->fused[i]->op != from->op) {
        i++;
    }
    if (i == join->nfused) {
        join->fused[join->nfused++] = from;
    }
    join->saved[i] += bytes;
}

/* Makes room for `more` fused ops. */
static void grow_fused(sg_arena *arena, sg_split *join, int64_t more)
{
    const sg_split **fused = SG_NEW_ARRAY(arena, const sg_split *, join->nfused + more);
    int64_t *saved = SG_NEW_ARRAY(arena, int64_t, join->nfused + more);
    for (int64_t i = 0; i < join->nfused; i++) {
        fused[i] = join->fused[i];
        saved[i] = join->saved[i];
    }
    join->fused = fused;
    join->saved = saved;
}

/* Adds the ops that were merged into a Split that is now removed. */
static void inherit(sg_arena *arena, sg_split *join, const sg_split *gone)
{
    grow_fused(arena, join, gone->nfused);
    for (int64_t i = 0; i < gone->nfused; i++) {
        join->fused[join->nfused] = gone->fused[i];
        join->saved[join->nfused++] = gone->saved[i];
    }
}

/* A part that a Split no longer writes. */
typedef struct taken_part {
    int64_t maker; /* index of the Split */
    sg_part *part;
} taken_part;

/* The fused form of concat `at`, or a copy of it if it cannot be fused. made[i]: what split i still
 * has to write; NULL: all of it. taker[i]: the last concat that took a part of it. */
static sg_split *fuse(sg_arena *arena, sg_split *const *splits, int64_t at, sg_split **made,
                      int64_t *taker)
{
    const sg_split *concat = splits[at];
    sg_split *join = copy(arena, concat);
    taken_part *taken = SG_NEW_ARRAY(arena, taken_part, concat->nparts);
    int64_t ntaken = 0;
    grow_fused(arena, join, join->nparts);
    for (int64_t i = 0; i < concat->nparts; i++) {
        sg_part *piece = &join->parts[i];
        const int64_t maker = find_maker(splits, at, piece);
        const sg_part *part = maker >= 0 ? find_part(splits[maker], piece->tensor) : NULL;
        if (part == NULL || piece->data != NULL || piece->view_only || part->bytes == 0) {
            continue;
        }
        const char *why = why_apart(arena, splits[maker], part, concat, piece);
        if (why != NULL) {
            join->apart = sg_arena_printf(arena, "not fused with '%s', which feeds it: %s",
                                          splits[maker]->name, why);
            continue;
        }
        if (made[maker] == NULL) {
            made[maker] = copy(arena, splits[maker]);
        }
        take_piece(arena, join, piece, splits[maker], part);
        sg_part *take = &made[maker]->parts[part - splits[maker]->parts];
        if (take->wanted) { /* a Concat may read a part twice */
            add_fused(join, splits[maker], part->bytes);
            take->wanted = false;
            taken[ntaken++] = (taken_part){maker, take};
        }
    }
    take_wholes(join);
    merge_neighbours(join);
    if (ntaken > 0 && join->nparts > SG_FUSED_PARTS_MAX) {
        const char *why = sg_arena_printf(
            arena,
            "not fused with '%s', which feeds it: it would read %lld pieces, and %d is the limit",
            join->fused[concat->nfused]->name, (long long)join->nparts, SG_FUSED_PARTS_MAX);
        join = copy(arena, concat);
        join->apart = why;
        for (int64_t i = 0; i < ntaken; i++) {
            taken[i].part->wanted = true;
        }
        ntaken = 0;
    }
    for (int64_t i = 0; i < ntaken; i++) {
        taker[taken[i].maker] = at;
    }
    if (ntaken > 0) {
        sg_name_parts(arena, join);
    }
    return join;
}

static bool makes_any(const sg_split *split)
{
    bool any = false;
    for (int64_t i = 0; i < split->nparts; i++) {
        any = any || split->parts[i].wanted;
    }
    return any;
}

int64_t sg_fuse_concats(sg_arena *arena, sg_split **splits, int64_t count)
{
    sg_split **made = SG_NEW_ARRAY(arena, sg_split *, count);
    int64_t *taker = SG_NEW_ARRAY(arena, int64_t, count);
    for (int64_t i = 0; i < count; i++) {
        if (splits[i]->joins && splits[i]->op->origin != NULL) {
            made[i] = fuse(arena, splits, i, made, taker);
        }
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        sg_split *split = made[i] != NULL ? made[i] : splits[i];
        if (made[i] == NULL || split->joins || makes_any(split)) {
            continue;
        }
        inherit(arena, made[taker[i]], split);
        made[i] = NULL;
        splits[i] = NULL;
    }
    for (int64_t i = 0; i < count; i++) {
        if (splits[i] != NULL) {
            splits[kept++] = made[i] != NULL ? made[i] : splits[i];
        }
    }
    return kept;
}
