/* First every Split finds the one that it joins, if any, then each of those that join none becomes
 * one split with all that have joined it: its parts are a walk over a tree of Splits. */
#include "split/fuse.h"

#include <string.h>

#include "split/resolve_rules.h"

/* A Split and its place among the others. */
typedef struct fuse_node {
    const sg_split *split;
    int64_t root;      /* the one that its kernel is called after; itself, where it joins none */
    int64_t *children; /* of each part the Split that cuts it, or -1; NULL: all -1 */
    const char *apart;
    int64_t members; /* of a root: those that have joined it */
    int64_t nparts;  /* of a root: with theirs */
} fuse_node;

/* A place in the walk: the next part of a Split. */
typedef struct fuse_place {
    const fuse_node *node;
    int64_t part;
} fuse_place;

static const sg_op_feed *feed_of(const sg_split *split)
{
    return split->op->origin != NULL ? split->op->origin->feed : NULL;
}

/* The one that comes from where that op does, in front of place `end`: mostly the last. Specs
 * return copies of what they have loaded. */
static int64_t find(const fuse_node *nodes, int64_t end, const sg_op *op)
{
    int64_t i = end - 1;
    while (i >= 0 && nodes[i].split->op->origin != op->origin) {
        i--;
    }
    return i;
}

/* Whether the tensor that is split is the part that feeds it, which only a user who gives its shape
 * or type can have otherwise. */
static bool fits(const sg_split *from, const sg_part *part, const sg_split *split)
{
    bool same = from->dtype == split->dtype && from->packing == split->packing &&
                from->rank == split->rank && sg_split_same_open(from, split);
    for (int i = 0; same && i < split->rank; i++) {
        same = split->dims[i] == (i == from->axis ? part->length : from->dims[i]);
    }
    return same;
}

/* Why a Split is not fused with the one that feeds it; NULL where it is. */
static const char *why_apart(sg_arena *arena, const fuse_node *from, const fuse_node *root,
                             const sg_split *split)
{
    const sg_op_feed *feed = feed_of(split);
    if (feed->kept != NULL) {
        return feed->kept;
    }
    if (from->split->parts[feed->output].without_axis) {
        return sg_arena_printf(arena, "it takes axis %d away", from->split->axis);
    }
    if (from->split->axis != split->axis) {
        return sg_arena_printf(arena, "it cuts axis %d, and this one axis %d", from->split->axis,
                               split->axis);
    }
    if (!fits(from->split, &from->split->parts[feed->output], split)) {
        return sg_arena_printf(arena, "'%s' is given another shape or type than it comes out with",
                               split->op->origin->input);
    }
    const int64_t nparts = root->nparts + split->nparts - 1;
    if (nparts > SG_MAX_PARTS) {
        return sg_arena_printf(arena, "it would have %lld parts, and %lld is the limit",
                               (long long)nparts, (long long)SG_MAX_PARTS);
    }
    return NULL;
}

static void join(sg_arena *arena, fuse_node *nodes, int64_t i)
{
    fuse_node *node = &nodes[i];
    const sg_op_feed *feed = feed_of(node->split);
    const int64_t at = feed != NULL ? find(nodes, i, feed->from) : -1;
    if (at < 0) {
        return;
    }
    fuse_node *from = &nodes[at];
    fuse_node *root = &nodes[from->root];
    const char *why = why_apart(arena, from, root, node->split);
    if (why != NULL) {
        node->apart = sg_arena_printf(arena, "not fused with '%s', which feeds it: %s",
                                      from->split->name, why);
        return;
    }
    if (from->children == NULL) {
        from->children = SG_NEW_ARRAY(arena, int64_t, from->split->nparts);
        memset(from->children, -1, (size_t)from->split->nparts * sizeof *from->children);
    }
    from->children[feed->output] = i;
    node->root = from->root;
    root->members++;
    root->nparts += node->split->nparts - 1;
}

/* The split of a root and all that have joined it, without their list. stack: room for as many
 * places as it has Splits. */
static sg_split *merge(sg_arena *arena, const fuse_node *nodes, const fuse_node *root,
                       fuse_place *stack)
{
    sg_split *split = SG_NEW(arena, sg_split);
    *split = *root->split;
    split->fused = SG_NEW_ARRAY(arena, const sg_split *, root->members);
    split->saved = SG_NEW_ARRAY(arena, int64_t, root->members);
    split->parts = SG_NEW_ARRAY(arena, sg_part, root->nparts);
    split->nparts = 0;
    int64_t start = 0;
    int64_t depth = 1;
    stack[0] = (fuse_place){root, 0};
    while (depth > 0) {
        fuse_place *place = &stack[depth - 1];
        const fuse_node *node = place->node;
        if (place->part == node->split->nparts) {
            depth--;
            continue;
        }
        const int64_t i = place->part++;
        if (node->children != NULL && node->children[i] >= 0) {
            stack[depth++] = (fuse_place){&nodes[node->children[i]], 0};
            continue;
        }
        sg_part *part = &split->parts[split->nparts++];
        *part = node->split->parts[i];
        part->start = start;
        part->name = part->wanted ? part->name : NULL; /* by its place, which is another now */
        start += part->length;
    }
    sg_name_parts(arena, split);
    return split;
}

int64_t sg_fuse(sg_arena *arena, sg_split **splits, int64_t count)
{
    fuse_node *nodes = SG_NEW_ARRAY(arena, fuse_node, count);
    fuse_place *stack = SG_NEW_ARRAY(arena, fuse_place, count);
    for (int64_t i = 0; i < count; i++) {
        nodes[i].split = splits[i];
        nodes[i].root = i;
        nodes[i].nparts = splits[i]->nparts;
        join(arena, nodes, i);
    }
    int64_t kept = 0;
    sg_split **whole = SG_NEW_ARRAY(arena, sg_split *, count); /* of each root */
    for (int64_t i = 0; i < count; i++) {
        const fuse_node *node = &nodes[i];
        if (node->root != i) {
            sg_split *split = whole[node->root];
            split->saved[split->nfused] = node->split->bytes;
            split->fused[split->nfused++] = node->split;
            split->align = split->align < node->split->align ? split->align : node->split->align;
            continue;
        }
        whole[i] = splits[i];
        if (node->members > 0) {
            whole[i] = merge(arena, nodes, node, stack);
        } else if (node->apart != NULL) {
            whole[i] = SG_NEW(arena, sg_split);
            *whole[i] = *splits[i];
        }
        if (node->apart != NULL) {
            whole[i]->apart = node->apart;
        }
        splits[kept++] = whole[i];
    }
    return kept;
}
