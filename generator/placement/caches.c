/* Dense copies of caches. The rows of a cache lie apart, because each has room for more elements.
 * Nodes that cannot read such rows read a copy in the arena, which is made after the node that
 * writes the cache. */
#include <string.h>

#include "placement/planner.h"

/* Whether the rows of a cache lie apart for some numbers of the open dimensions. */
static bool lies_apart(const sg_place_tensor *t)
{
    bool rows = false;
    for (int64_t d = 0; d < t->axis; d++) {
        rows = rows || t->dims[d] != 1 || t->open[d];
    }
    return t->capacity > 0 && rows && (t->open[t->axis] || t->dims[t->axis] != t->capacity);
}

/* Whether the node cannot read the tensor where it lies. */
static bool needs_copy(const sg_placement *graph, const sg_place_node *node, int64_t tensor,
                       const sg_place_options *options)
{
    bool needs = node->move == SG_PLACE_OPAQUE && !sg_place_listed(&options->strided_read, node);
    for (int64_t i = 0; i < node->nparts; i++) {
        const sg_place_part *part = &node->parts[i];
        const bool reads = part->tensor == tensor || node->whole == tensor;
        needs = needs || (reads && part->copied && graph->tensors[part->tensor].copy_of < 0);
    }
    return needs && (node->past < 0 || (tensor != node->past && tensor != node->whole));
}

/* The dense copy of a tensor, which a new node makes after the one that writes it. */
static int64_t add_copy(sg_arena *arena, sg_placement *graph, int64_t of)
{
    const int64_t at = graph->tensors[of].first + 1;
    const int64_t to = graph->ntensors;
    sg_place_tensor *tensors = SG_NEW_ARRAY(arena, sg_place_tensor, to + 1);
    sg_place_node *nodes = SG_NEW_ARRAY(arena, sg_place_node, graph->nnodes + 1);
    memcpy(tensors, graph->tensors, (size_t)to * sizeof *tensors);
    memcpy(nodes, graph->nodes, (size_t)at * sizeof *nodes);
    memcpy(nodes + at + 1, graph->nodes + at, (size_t)(graph->nnodes - at) * sizeof *nodes);
    tensors[to] = tensors[of];
    tensors[to].name = sg_arena_printf(arena, "%s.dense", tensors[of].name);
    tensors[to].kind = SG_PLACE_INNER;
    tensors[to].capacity = 0;
    tensors[to].copy_of = of;
    int64_t *ends = SG_NEW_ARRAY(arena, int64_t, 2);
    ends[0] = of;
    ends[1] = to;
    sg_place_part *part = SG_NEW(arena, sg_place_part);
    *part = (sg_place_part){.tensor = to, .copied = true};
    nodes[at] = (sg_place_node){.name = tensors[to].name,
                                .op_type = "Identity",
                                .from = nodes[at > 0 ? at - 1 : at + 1].from,
                                .move = SG_PLACE_ALIAS,
                                .reads = &ends[0],
                                .nreads = 1,
                                .writes = &ends[1],
                                .nwrites = 1,
                                .whole = of,
                                .parts = part,
                                .nparts = 1,
                                .past = -1};
    graph->tensors = tensors;
    graph->ntensors++;
    graph->nodes = nodes;
    graph->nnodes++;
    sg_place_set_lives(graph);
    return to;
}

static void read_instead(sg_arena *arena, sg_place_node *node, int64_t tensor, int64_t copy)
{
    int64_t *reads = SG_NEW_ARRAY(arena, int64_t, node->nreads);
    for (int64_t i = 0; i < node->nreads; i++) {
        reads[i] = node->reads[i] == tensor ? copy : node->reads[i];
    }
    node->reads = reads;
    if (node->move != SG_PLACE_OPAQUE) {
        node->whole = node->whole == tensor ? copy : node->whole;
        for (int64_t i = 0; i < node->nparts; i++) {
            node->parts[i].tensor = node->parts[i].tensor == tensor ? copy : node->parts[i].tensor;
        }
    }
}

bool sg_place_copy_caches(sg_arena *arena, sg_placement *graph, const sg_place_options *options)
{
    bool changed = false;
    for (int64_t t = 0; t < graph->ntensors; t++) {
        if (!lies_apart(&graph->tensors[t])) {
            continue;
        }
        int64_t copy = -1;
        for (int64_t i = 0; i < graph->ntensors; i++) {
            copy = graph->tensors[i].copy_of == t ? i : copy;
        }
        for (int64_t n = 0; n < graph->nnodes; n++) {
            if (!sg_place_reads(&graph->nodes[n], t) ||
                !needs_copy(graph, &graph->nodes[n], t, options)) {
                continue;
            }
            if (copy < 0) {
                copy = add_copy(arena, graph, t);
                n += graph->tensors[t].first < n;
            }
            read_instead(arena, &graph->nodes[n], t, copy);
            changed = true;
        }
    }
    if (changed) {
        sg_place_set_lives(graph);
    }
    return changed;
}
