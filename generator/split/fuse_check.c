/* Follows elements of tensors through the ops of a graph. Indices are unsigned and wrap around: two
 * affine functions that agree modulo 2^64 for sizes below 2^63 are equal. */
#include "split/fuse_check.h"

#include <inttypes.h>
#include <string.h>

#include "split/nameset.h"

/* The values used for open dimensions; each round assigns them differently. */
#define ROUNDS 3
static const uint64_t primes[SG_MAX_OPEN] = {2,  3,  5,  7,  11, 13, 17, 19,
                                             23, 29, 31, 37, 41, 43, 47, 53};

typedef struct checking {
    sg_arena *arena;
    sg_arena *scratch; /* for one part of a fused op */
    sg_split *const *before;
    int64_t nbefore;
    sg_nameset writers; /* key of a tensor -> index in `before` of the op that writes it */
    int64_t *feeders;   /* for each op of `before`, the op that writes its full tensor, or -1 */
    sg_nameset written; /* keys of the tensors that are written after fusing */
    sg_nameset taken;   /* keys of the tensors that only one op of the graph reads */
    sg_nameset numbers; /* name of an open dimension -> its index among all of them */
    int round;
} checking;

/* An element of a tensor, by its index in each dimension of an op that has the tensor. */
typedef struct element {
    const sg_split *split;
    const sg_part *part; /* of the op; NULL: the full tensor */
    const sg_op_tensor *tensor;
    int64_t writer; /* index in `before` of the op that writes the tensor, or -1 */
    uint64_t index[SG_MAX_RANK];
} element;

/* A key that identifies a tensor among those of all models. */
static const char *key_of(sg_arena *arena, const sg_op_tensor *tensor, const char *name)
{
    return sg_arena_printf(arena, "%p %s", (const void *)tensor->storage, name);
}

static const char *whole_key(sg_arena *arena, const sg_split *split)
{
    return key_of(arena, split->op->origin->whole, split->op->origin->input);
}

static void put(sg_nameset *set, const char *key, int64_t value)
{
    if (sg_nameset_find(set, key) == NULL) {
        sg_nameset_add(set, key, value);
    }
}

/* --- sizes ------------------------------------------------------------------------------------ */

static uint64_t number_of(const checking *c, const char *name)
{
    const sg_nameset_entry *entry = sg_nameset_find(&c->numbers, name);
    const uint64_t i = entry != NULL ? (uint64_t)entry->value : 0;
    return primes[(i * (uint64_t)(c->round + 1) + (uint64_t)c->round) % SG_MAX_OPEN];
}

/* The product of the open dimensions in dimension d. */
static uint64_t opened(const checking *c, const sg_split *split, int d)
{
    uint64_t product = 1;
    for (int o = 0; o < split->nopen; o++) {
        for (int i = 0; i < sg_split_power(split, d, o); i++) {
            product *= number_of(c, split->open[o].name);
        }
    }
    return product;
}

/* The size of dimension d of a tensor of the op; `length` is its length on the axis. */
static uint64_t extent(const checking *c, const sg_split *split, int d, int64_t length)
{
    return d == split->axis ? (uint64_t)length : (uint64_t)split->dims[d] * opened(c, split, d);
}

/* The factor on all row sizes: the product of the open dimensions after the axis. */
static uint64_t row_scale(const checking *c, const sg_split *split)
{
    uint64_t scale = 1;
    for (int d = split->axis + 1; d < split->rank; d++) {
        scale *= opened(c, split, d);
    }
    return scale;
}

/* The offset in elements of an element in memory with this row stride. The stride counts open
 * dimensions after the axis as 1. */
static uint64_t place_of(const checking *c, const sg_split *split, const uint64_t *index,
                         int64_t length, int64_t row_stride)
{
    uint64_t row = 0;
    uint64_t within = 0;
    for (int d = 0; d < split->axis; d++) {
        row = row * extent(c, split, d, length) + index[d];
    }
    for (int d = split->axis; d < split->rank; d++) {
        within = within * extent(c, split, d, length) + index[d];
    }
    return row * (uint64_t)row_stride * row_scale(c, split) + within;
}

/* --- the graph -------------------------------------------------------------------------------- */

/* The index of the op of the graph that writes a tensor; -1: none. */
static int64_t writer_index(const checking *c, const sg_op_tensor *tensor, const char *name)
{
    const sg_nameset_entry *entry = sg_nameset_find(&c->writers, key_of(c->scratch, tensor, name));
    return entry != NULL ? entry->value : -1;
}

static const sg_split *writer_of(const checking *c, const sg_op_tensor *tensor, const char *name)
{
    const int64_t i = writer_index(c, tensor, name);
    return i >= 0 ? c->before[i] : NULL;
}

static const sg_split *before_of(const checking *c, const sg_split *fused)
{
    for (int64_t i = 0; i < c->nbefore; i++) {
        if (c->before[i]->op == fused->op) {
            return c->before[i];
        }
    }
    return NULL;
}

/* Moves from an element of a part of Split `maker` to the same element of its full tensor. */
static void climb(const checking *c, element *at, int64_t maker, int64_t part)
{
    const sg_split *split = c->before[maker];
    at->index[split->axis] += (uint64_t)split->parts[part].start;
    at->split = split;
    at->part = NULL;
    at->tensor = split->op->origin->whole;
    at->writer = c->feeders[maker];
}

/* Repeats this until the tensor is in this storage or no Split writes it. */
static bool climb_to(const checking *c, element *at, const sg_op_storage *storage)
{
    for (int64_t i = 0; at->tensor->storage != storage && i <= c->nbefore; i++) {
        const int64_t part = at->tensor->part;
        const sg_split *maker = at->writer >= 0 ? c->before[at->writer] : NULL;
        if (maker == NULL || maker->joins ||
            !sg_split_same_tensor(at->split, at->part, maker, &maker->parts[part])) {
            return false;
        }
        climb(c, at, at->writer, part);
    }
    return at->tensor->storage == storage;
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* A range of the axis of a tensor, with all indices of the other dimensions. */
typedef struct box {
    int64_t begin;
    int64_t end;
} box;

/* Point p of a box: 0 is its first element, d + 1 the neighbour of that in dimension d. False:
 * there is no such point. */
static bool point(const checking *c, const sg_split *split, box b, int p, uint64_t *index)
{
    for (int d = 0; d < split->rank; d++) {
        index[d] = d == split->axis ? (uint64_t)b.begin : 0;
    }
    if (p > 0) {
        index[p - 1] += 1;
        return extent(c, split, p - 1, b.end - b.begin) > 1;
    }
    return true;
}

static const char *wrong(const checking *c, const sg_part *part, const char *what)
{
    return sg_arena_printf(c->arena, "part '%s' %s", part->name, what);
}

/* --- Splits ----------------------------------------------------------------------------------- */

static const char *check_split_part(const checking *c, const sg_split *fused, const sg_split *root,
                                    const sg_part *part)
{
    const int64_t writer = writer_index(c, part->in_graph, part->tensor);
    const sg_split *maker = writer >= 0 ? c->before[writer] : NULL;
    const int64_t of = maker != NULL ? part->in_graph - maker->op->origin->parts : 0;
    if (maker == NULL || maker->joins || maker->parts[of].length != part->length ||
        maker->rank != fused->rank) {
        return wrong(c, part, "is not the tensor of the graph");
    }
    for (int p = 0; p <= fused->rank; p++) {
        element at = {.split = maker};
        uint64_t index[SG_MAX_RANK];
        if (!point(c, maker, (box){0, part->length}, p, at.index)) {
            continue;
        }
        memcpy(index, at.index, sizeof index);
        const uint64_t to = place_of(c, maker, index, part->length, maker->parts[of].row_stride);
        climb(c, &at, writer, of);
        if (!climb_to(c, &at, root->op->origin->whole->storage)) {
            return wrong(c, part, "is not made of the tensor that is split");
        }
        const uint64_t from = place_of(c, root, at.index, root->dims[root->axis], root->row_stride);
        const uint64_t fused_to = place_of(c, fused, index, part->length, part->row_stride);
        index[fused->axis] += (uint64_t)part->start;
        const uint64_t fused_from =
            place_of(c, fused, index, fused->dims[fused->axis], fused->row_stride);
        if (from != fused_from || to != fused_to) {
            return wrong(c, part, "is cut at another place than in the graph");
        }
    }
    return NULL;
}

static const char *check_split(const checking *c, const sg_split *fused, const sg_split *root)
{
    const char *problem = NULL;
    for (int64_t i = 0; problem == NULL && i < fused->nparts; i++) {
        if (fused->parts[i].wanted) {
            problem = check_split_part(c, fused, root, &fused->parts[i]);
        }
        sg_arena_free(c->scratch);
    }
    return problem;
}

/* --- Concats ---------------------------------------------------------------------------------- */

/* State of the walk over a Concat and the Concats that write its inputs. */
typedef struct joined {
    const checking *c;
    const sg_split *fused;
    const sg_split *root;
    int64_t part; /* of `fused`: the part that has the next element on the axis */
    int64_t done; /* elements on the axis so far */
} joined;

/* Compares elements of part `of` of a Concat of the graph, range `b` of the full tensor, with the
 * part of the fused op that covers them. base: where part `of` begins in the full tensor. */
static const char *check_box(const joined *j, const sg_split *join, const sg_part *of, int64_t base,
                             box b)
{
    const checking *c = j->c;
    const sg_split *fused = j->fused;
    const sg_part *part = &fused->parts[j->part];
    const bool itself = part->source == NULL;
    if (itself && (part->in_graph != of->in_graph || part->data != of->data)) {
        return wrong(c, part, "is not the tensor of the graph");
    }
    const int64_t writer = itself ? -1 : writer_index(c, of->in_graph, of->tensor);
    for (int p = 0; p <= join->rank; p++) {
        element at = {.split = join, .part = of, .tensor = of->in_graph, .writer = writer};
        uint64_t index[SG_MAX_RANK];
        if (!point(c, j->root, b, p, index)) {
            continue;
        }
        const uint64_t to =
            place_of(c, j->root, index, j->root->dims[j->root->axis], j->root->row_stride);
        memcpy(at.index, index, sizeof index);
        at.index[join->axis] -= (uint64_t)base;
        uint64_t from = place_of(c, join, at.index, of->length, of->row_stride);
        if (!itself) {
            if (!climb_to(c, &at, part->source->in_graph->storage)) {
                return wrong(c, part, "is read from a tensor that it is no part of");
            }
            const sg_split *split = at.split;
            from = split == join
                       ? from
                       : place_of(c, split, at.index, split->dims[split->axis], split->row_stride);
        }
        const uint64_t fused_to =
            place_of(c, fused, index, fused->dims[fused->axis], fused->row_stride);
        index[fused->axis] -= (uint64_t)part->start;
        uint64_t fused_from = place_of(c, fused, index, part->length, part->row_stride);
        fused_from += itself ? 0 : (uint64_t)part->at * row_scale(c, fused);
        if (from != fused_from || to != fused_to) {
            return wrong(c, part, "is read at another place than in the graph");
        }
    }
    return NULL;
}

/* Checks the elements of one part of a Concat of the graph. */
static const char *check_leaf(joined *j, const sg_split *join, const sg_part *of)
{
    const sg_split *fused = j->fused;
    const int64_t base = j->done;
    const int64_t end = base + of->length;
    const char *problem = NULL;
    while (problem == NULL && j->done < end) {
        while (j->part < fused->nparts &&
               j->done >= fused->parts[j->part].start + fused->parts[j->part].length) {
            j->part++;
        }
        if (j->part == fused->nparts || fused->parts[j->part].start > j->done) {
            return wrong(j->c, of, "is written by no part of the fused op");
        }
        const sg_part *part = &fused->parts[j->part];
        const int64_t ends = part->start + part->length;
        const box b = {j->done, ends < end ? ends : end};
        problem = of->wanted && join->bytes > 0 ? check_box(j, join, of, base, b) : NULL;
        j->done = b.end;
    }
    return problem;
}

/* depth: the number of enclosing Concats, limited by the number of ops in the graph. */
static const char *walk(joined *j, const sg_split *join, int64_t depth)
{
    const char *problem = NULL;
    for (int64_t i = 0; problem == NULL && i < join->nparts; i++) {
        const sg_part *part = &join->parts[i];
        const sg_op_tensor *tensor = part->in_graph;
        const sg_split *maker = NULL;
        if (tensor->maker != NULL && sg_op_joins(tensor->maker->kind) &&
            sg_nameset_find(&j->c->written, key_of(j->c->scratch, tensor, part->tensor)) == NULL) {
            maker = writer_of(j->c, tensor, part->tensor);
        }
        if (maker == NULL) {
            problem = check_leaf(j, join, part);
        } else if (maker->axis != join->axis || !sg_split_same_tensor(join, part, maker, NULL) ||
                   depth > j->c->nbefore) {
            problem = wrong(j->c, part, "is joined along another axis");
        } else {
            problem = walk(j, maker, depth + 1);
        }
        sg_arena_free(j->c->scratch);
    }
    return problem;
}

static const char *check_join(const checking *c, const sg_split *fused, const sg_split *root)
{
    joined j = {.c = c, .fused = fused, .root = root};
    return walk(&j, root, 0);
}

/* --- all of them ------------------------------------------------------------------------------ */

/* The full tensor of a fused op must be that of its root. */
static const char *check_whole(const sg_split *fused, const sg_split *root)
{
    bool same = root != NULL && fused->joins == root->joins && fused->rank == root->rank &&
                fused->axis == root->axis && fused->element_bits == root->element_bits &&
                fused->packing == root->packing && sg_split_same_open(fused, root);
    for (int d = 0; same && d < root->rank; d++) {
        same = fused->dims[d] == root->dims[d];
    }
    return same ? NULL : "its whole is not the tensor of the graph";
}

static const char *check_fused(checking *c, const sg_split *fused)
{
    const sg_split *root = before_of(c, fused);
    const char *problem = check_whole(fused, root);
    for (c->round = 0; problem == NULL && c->round < ROUNDS; c->round++) {
        problem = fused->joins ? check_join(c, fused, root) : check_split(c, fused, root);
    }
    return problem;
}

/* A tensor that is read, and that an op of the graph wrote, must still be written. */
static const char *check_read(const checking *c, const sg_op_tensor *tensor, const char *name)
{
    const char *key = key_of(c->arena, tensor, name);
    const bool lost =
        sg_nameset_find(&c->writers, key) != NULL && sg_nameset_find(&c->written, key) == NULL;
    return lost ? sg_arena_printf(c->arena, "'%s' is read, but nothing writes it", name) : NULL;
}

static const char *check_reads(const checking *c, const sg_split *split)
{
    const sg_op_origin *origin = split->op->origin;
    const char *problem = NULL;
    if (!split->joins) {
        return check_read(c, origin->whole, origin->input);
    }
    for (int64_t i = 0; problem == NULL && i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        const sg_tensor_source *source = part->source;
        if (part->wanted && part->data == NULL) {
            problem = source != NULL ? check_read(c, source->in_graph, source->tensor)
                                     : check_read(c, part->in_graph, part->tensor);
        }
    }
    return problem;
}

/* A tensor that an op of the graph writes may be missing only if one op read it and that op now
 * reads something else. */
static const char *check_written(const checking *c, const sg_op_tensor *tensor, const char *name)
{
    const char *key = key_of(c->arena, tensor, name);
    const bool lost = sg_nameset_find(&c->written, key) == NULL &&
                      (tensor->yielded || sg_nameset_find(&c->taken, key) == NULL);
    return lost ? sg_arena_printf(c->arena, "nothing writes '%s'", name) : NULL;
}

static const char *check_writes(const checking *c, const sg_split *split)
{
    const sg_op_origin *origin = split->op->origin;
    const char *problem = NULL;
    if (split->joins) {
        return check_written(c, origin->whole, origin->input);
    }
    for (int64_t i = 0; problem == NULL && i < split->nparts; i++) {
        const sg_part *part = &split->parts[i];
        problem = part->wanted ? check_written(c, part->in_graph, part->tensor) : NULL;
    }
    return problem;
}

static void take(checking *c, const sg_op_tensor *tensor, const char *name)
{
    if (tensor != NULL && tensor->maker != NULL && tensor->kept == NULL) {
        put(&c->taken, key_of(c->arena, tensor, name), 0);
    }
}

static void index_taken(checking *c)
{
    for (int64_t i = 0; i < c->nbefore; i++) {
        const sg_split *split = c->before[i];
        if (split->op->origin != NULL && !split->joins) {
            take(c, split->op->origin->whole, split->op->origin->input);
        }
        for (int64_t p = 0; split->joins && p < split->nparts; p++) {
            take(c, split->parts[p].in_graph, split->parts[p].tensor);
        }
    }
}

static void index_ops(checking *c, sg_nameset *set, sg_split *const *splits, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const sg_split *split = splits[i];
        for (int o = 0; o < split->nopen; o++) {
            put(&c->numbers, split->open[o].name, (int64_t)c->numbers.count);
        }
        if (split->op->origin == NULL) {
            continue;
        }
        if (split->joins) {
            put(set, whole_key(c->arena, split), i);
        }
        for (int64_t p = 0; !split->joins && p < split->nparts; p++) {
            const sg_part *part = &split->parts[p];
            if (part->wanted && part->in_graph != NULL) {
                put(set, key_of(c->arena, part->in_graph, part->tensor), i);
            }
        }
    }
}

bool sg_fuse_check(sg_arena *arena, sg_diag *diag, sg_split *const *before, int64_t nbefore,
                   sg_split *const *after, int64_t nafter)
{
    sg_arena scratch;
    sg_arena_init(&scratch);
    checking c = {.arena = arena, .scratch = &scratch, .before = before, .nbefore = nbefore};
    sg_nameset_init(&c.writers, arena);
    sg_nameset_init(&c.written, arena);
    sg_nameset_init(&c.taken, arena);
    sg_nameset_init(&c.numbers, arena);
    index_ops(&c, &c.writers, before, nbefore);
    index_ops(&c, &c.written, after, nafter);
    index_taken(&c);
    c.feeders = SG_NEW_ARRAY(arena, int64_t, nbefore);
    for (int64_t i = 0; i < nbefore; i++) {
        const sg_op_origin *origin = before[i]->op->origin;
        c.feeders[i] = origin != NULL && !before[i]->joins
                           ? writer_index(&c, origin->whole, origin->input)
                           : -1;
    }
    const char *problem = NULL;
    const sg_split *at = NULL;
    for (int64_t i = 0; problem == NULL && i < nafter; i++) {
        at = after[i];
        if (at->op->origin != NULL) {
            problem = at->nfused > 0 ? check_fused(&c, at) : NULL;
            problem = problem == NULL ? check_reads(&c, at) : problem;
        }
    }
    for (int64_t i = 0; problem == NULL && i < nbefore; i++) {
        at = before[i];
        problem = at->op->origin != NULL ? check_writes(&c, at) : NULL;
    }
    sg_arena_free(&scratch);
    return problem == NULL ||
           sg_diag_fail(diag, SG_EXIT_BUG, at->op->span,
                        "fusing changed what '%s' computes: %s; no code is printed for it",
                        at->name, problem);
}
