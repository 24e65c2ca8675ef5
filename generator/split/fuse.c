/* First every op finds its parent, the op that it will be merged into: for a Split the Split that
 * writes its input, for a Concat the Concat that reads its result. Then each op without a parent is
 * merged with all ops below it: its new parts are the leaves of that tree in order. */
#include "split/fuse.h"

#include <string.h>

#include "split/nameset.h"
#include "split/resolve_rules.h"

/* An op and its position in its tree. */
typedef struct fuse_node {
    const sg_split *split;
    int64_t root;      /* the op at the root of its tree; itself if it has no parent */
    int64_t uses;      /* how often it occurs in the tree: a Concat may read another one twice */
    int64_t *children; /* for each part, the op whose parts replace it, or -1; NULL: all -1 */
    const char *apart;
    int64_t members; /* of a root: ops below it */
    int64_t nparts;  /* of a root: parts of the full tree */
} fuse_node;

/* A position of the walk: the next part of an op. */
typedef struct fuse_place {
    const fuse_node *node;
    int64_t part;
} fuse_place;

/* The op with the same origin among the first `end`; -1: none. Specs return copies of loaded ops,
 * so ops are compared by origin. */
static int64_t find(const fuse_node *nodes, int64_t end, const sg_op *op)
{
    int64_t i = end - 1;
    while (i >= 0 && nodes[i].split->op->origin != op->origin) {
        i--;
    }
    return i;
}

/* A part that the parts of a child can replace, or several parts that are the same tensor. */
typedef struct fuse_slots {
    int64_t parent;
    int64_t child;
    int64_t first; /* the first of these parts */
    int64_t count;
    const char *kept; /* why the tensor must still be written; NULL */
} fuse_slots;

static int64_t parts_limit(const sg_split *split)
{
    return split->joins ? SG_FUSED_JOIN_MAX : SG_MAX_PARTS;
}

/* Why the parts of the child cannot replace these parts; NULL if they can. */
static const char *why_apart(sg_arena *arena, const fuse_node *nodes, const fuse_slots *slots)
{
    const fuse_node *parent = &nodes[slots->parent];
    const sg_split *child = nodes[slots->child].split;
    const sg_part *part = &parent->split->parts[slots->first];
    const int64_t nparts =
        nodes[parent->root].nparts + parent->uses * slots->count * (child->nparts - 1);
    if (slots->kept != NULL) {
        return slots->kept;
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
    if (nparts > parts_limit(child)) {
        return sg_arena_printf(arena, "it would have %lld parts, and %lld is the limit",
                               (long long)nparts, (long long)parts_limit(child));
    }
    return NULL;
}

/* Replaces parts of the parent by the parts of a child. If that is not possible, stores the reason
 * in whichever of the two reads the other's result. */
static bool adopt(sg_arena *arena, fuse_node *nodes, const fuse_slots *slots)
{
    fuse_node *parent = &nodes[slots->parent];
    fuse_node *child = &nodes[slots->child];
    fuse_node *root = &nodes[parent->root];
    const char *why = why_apart(arena, nodes, slots);
    if (why != NULL) {
        fuse_node *reader = child->split->joins ? parent : child;
        const fuse_node *feeder = child->split->joins ? child : parent;
        reader->apart = sg_arena_printf(arena, "not fused with '%s', which feeds it: %s",
                                        feeder->split->name, why);
        return false;
    }
    if (parent->children == NULL) {
        parent->children = SG_NEW_ARRAY(arena, int64_t, parent->split->nparts);
        memset(parent->children, -1, (size_t)parent->split->nparts * sizeof *parent->children);
    }
    parent->children[slots->first] = slots->child;
    child->uses = parent->uses * slots->count;
    root->members++;
    root->nparts += child->uses * (child->split->nparts - 1);
    child->root = parent->root;
    return true;
}

/* Adopts a Split into the Split that writes its input, which comes before it. */
static void adopt_split(sg_arena *arena, fuse_node *nodes, int64_t i)
{
    const sg_op_origin *origin = nodes[i].split->op->origin;
    const sg_op_tensor *whole = origin != NULL ? origin->whole : NULL;
    const bool fed = whole != NULL && whole->maker != NULL && !sg_op_joins(whole->maker->kind);
    const int64_t at = fed ? find(nodes, i, whole->maker) : -1;
    if (at >= 0) {
        (void)adopt(arena, nodes, &(fuse_slots){at, i, whole->part, 1, whole->kept});
    }
}

/* The op of the Concat whose result is this part; NULL if there is none. */
static const sg_op *concat_of(const sg_part *part)
{
    const sg_op *maker = part->in_graph != NULL ? part->in_graph->maker : NULL;
    return maker != NULL && sg_op_joins(maker->kind) ? maker : NULL;
}

/* Adopts the Concats that write parts of a Concat; they come before it. A Concat that writes
 * several of its parts replaces all of them or none, because its result is either written or
 * not. */
static void adopt_concats(sg_arena *arena, fuse_node *nodes, int64_t i)
{
    const sg_split *split = nodes[i].split;
    for (int64_t p = 0; p < split->nparts; p++) {
        const sg_op *maker = concat_of(&split->parts[p]);
        const int64_t from = maker != NULL ? find(nodes, i, maker) : -1;
        if (from < 0 || nodes[from].root != from) {
            continue; /* no Concat, or adopted for an earlier part */
        }
        fuse_slots slots = {i, from, p, 0, split->parts[p].in_graph->kept};
        for (int64_t q = p; q < split->nparts; q++) {
            slots.count += concat_of(&split->parts[q]) == maker ? 1 : 0;
        }
        const bool adopted = adopt(arena, nodes, &slots);
        for (int64_t q = p + 1; adopted && q < split->nparts; q++) {
            if (concat_of(&split->parts[q]) == maker) {
                nodes[i].children[q] = from;
            }
        }
    }
}

/* Merges a root and all ops below it. stack: room for as many entries as the tree has ops. */
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
        /* The name of an unwanted part is its position, which has changed. */
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
        nodes[i] =
            (fuse_node){.split = splits[i], .root = i, .uses = 1, .nparts = splits[i]->nparts};
    }
    /* Each parent must find its own root before it passes that on to its children. */
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
    sg_split **whole = SG_NEW_ARRAY(arena, sg_split *, count); /* the merged op of each root */
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
