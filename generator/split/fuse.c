/* First every op finds the one that takes in its tensors, its parent: for a Split the Split that
 * writes what it cuts, for a Concat the Concat that reads its result. Then each op without a parent
 * becomes one op with all below it: its parts are a walk over that tree. */
#include "split/fuse.h"

#include <string.h>

#include "split/nameset.h"
#include "split/resolve_rules.h"

/* An op and its place in its tree. */
typedef struct fuse_node {
    const sg_split *split;
    int64_t root;      /* the op at the root of its tree; itself, where it has no parent */
    int64_t *children; /* of each part the op whose parts take its place, or -1; NULL: all -1 */
    const char *apart;
    int64_t members; /* of a root: ops below it */
    int64_t nparts;  /* of a root: parts of the whole tree */
} fuse_node;

/* A place in the walk: the next part of an op. */
typedef struct fuse_place {
    const fuse_node *node;
    int64_t part;
} fuse_place;

/* The op that comes from where this one does, among the first `end`; -1: none does. Specs return
 * copies of what they have loaded, so the origin identifies it. */
static int64_t find(const fuse_node *nodes, int64_t end, const sg_op *op)
{
    int64_t i = end - 1;
    while (i >= 0 && nodes[i].split->op->origin != op->origin) {
        i--;
    }
    return i;
}

/* Why the parts of `child` do not take the place of this part of `parent`; NULL where they do.
 * kept: why the tensor between them must be written. */
static const char *why_apart(sg_arena *arena, const fuse_node *parent, const sg_part *part,
                             const fuse_node *root, const sg_split *child, const char *kept)
{
    if (kept != NULL) {
        return kept;
    }
    if (part->view_only) {
        return "it is marked as a view";
    }
    if (part->without_axis) {
        return sg_arena_printf(arena, "it takes axis %d away", parent->split->axis);
    }
    if (parent->split->axis != child->axis) {
        const int feeds = child->joins ? child->axis : parent->split->axis;
        const int fed = child->joins ? parent->split->axis : child->axis;
        return sg_arena_printf(arena, "it %s axis %d, and this one axis %d",
                               child->joins ? "joins along" : "cuts", feeds, fed);
    }
    if (!sg_split_same_tensor(parent->split, part, child, NULL)) {
        return sg_arena_printf(arena, "'%s' is given another shape or type than it comes out with",
                               child->op->origin->input);
    }
    if (root->nparts > SG_MAX_PARTS - child->nparts + 1) {
        return sg_arena_printf(arena, "it would have %lld parts, and %lld is the limit",
                               (long long)(root->nparts + child->nparts - 1),
                               (long long)SG_MAX_PARTS);
    }
    return NULL;
}

/* Lets the parts of a child take the place of a part of its parent, or says at `reader`, the one of
 * the two that the other one feeds, why they do not. */
static void adopt(sg_arena *arena, fuse_node *nodes, int64_t at, int64_t part, int64_t i,
                  const char *kept)
{
    fuse_node *parent = &nodes[at];
    fuse_node *child = &nodes[i];
    fuse_node *root = &nodes[parent->root];
    fuse_node *reader = child->split->joins ? parent : child;
    const fuse_node *feeder = child->split->joins ? child : parent;
    const char *why =
        why_apart(arena, parent, &parent->split->parts[part], root, child->split, kept);
    if (why != NULL) {
        reader->apart = sg_arena_printf(arena, "not fused with '%s', which feeds it: %s",
                                        feeder->split->name, why);
        return;
    }
    if (parent->children == NULL) {
        parent->children = SG_NEW_ARRAY(arena, int64_t, parent->split->nparts);
        memset(parent->children, -1, (size_t)parent->split->nparts * sizeof *parent->children);
    }
    parent->children[part] = i;
    root->members += child->root == i ? 1 : 0; /* a Concat may read the result of another twice */
    root->nparts += child->split->nparts - 1;
    child->root = parent->root;
}

/* A Split comes after the one that feeds it. */
static void adopt_split(sg_arena *arena, fuse_node *nodes, int64_t i)
{
    const sg_op_origin *origin = nodes[i].split->op->origin;
    const sg_op_tensor *whole = origin != NULL ? origin->whole : NULL;
    const bool fed = whole != NULL && whole->maker != NULL && !sg_op_joins(whole->maker->kind);
    const int64_t at = fed ? find(nodes, i, whole->maker) : -1;
    if (at >= 0) {
        adopt(arena, nodes, at, whole->part, i, whole->kept);
    }
}

/* The Concats that feed a Concat come before it. */
static void adopt_concats(sg_arena *arena, fuse_node *nodes, int64_t i)
{
    const sg_split *split = nodes[i].split;
    for (int64_t p = 0; p < split->nparts; p++) {
        const sg_op_tensor *part = split->parts[p].in_graph;
        const bool fed = part != NULL && part->maker != NULL && sg_op_joins(part->maker->kind);
        const int64_t from = fed ? find(nodes, i, part->maker) : -1;
        if (from >= 0) {
            adopt(arena, nodes, i, p, from, part->kept);
        }
    }
}

/* The op of a root and all below it, without their list. stack: room for as many places as the tree
 * has ops. */
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
    sg_nameset names;
    sg_nameset_init(&names, arena);
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
        /* An unwanted part is named after its place, which is another one now. */
        part->name = part->wanted ? sg_nameset_unique(&names, part->name) : NULL;
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
        nodes[i] = (fuse_node){.split = splits[i], .root = i, .nparts = splits[i]->nparts};
    }
    /* A parent finds its own root before its children take that one over. */
    for (int64_t i = 0; i < count; i++) {
        if (!splits[i]->joins) {
            adopt_split(arena, nodes, i);
        }
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        if (splits[i]->joins) {
            adopt_concats(arena, nodes, i);
        }
    }
    sg_split **whole = SG_NEW_ARRAY(arena, sg_split *, count); /* of each root */
    for (int64_t i = 0; i < count; i++) {
        const fuse_node *node = &nodes[i];
        if (node->root != i) {
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
    }
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        sg_split *split = whole[nodes[i].root];
        if (nodes[i].root != i) {
            split->saved[split->nfused] = nodes[i].split->bytes;
            split->fused[split->nfused++] = nodes[i].split;
            split->align =
                split->align < nodes[i].split->align ? split->align : nodes[i].split->align;
        } else {
            splits[kept++] = split;
        }
    }
    return kept;
}
