/* Decides which tensors share a buffer: finds the relations between them, searches which of those
 * are kept, and places what they connect. Then the outputs of operators that run in place are
 * stored where their inputs are, if that needs less memory. */
#include "base/checked.h"
#include "placement/planner.h"

/* The limit on search steps in all pieces of a graph, which bounds the run time. */
#define SEARCH_STEPS INT64_C(50000)

/* Computes the shapes of tensors with open dimensions for each set of numbers. */
static void set_shapes(sg_planner *p)
{
    const sg_placement *graph = p->graph;
    for (int n = 0; n < SG_PLACE_PROVED; n++) {
        p->shapes[n] = SG_NEW_ARRAY(p->arena, sg_place_shape, graph->ntensors);
        for (int64_t i = 0; i < graph->ntensors; i++) {
            const sg_place_tensor *t = &graph->tensors[i];
            if (t->sizes == NULL || !t->known) {
                continue;
            }
            int64_t *dims = SG_NEW_ARRAY(n == 0 ? p->kept : p->arena, int64_t, t->rank);
            for (int64_t d = 0; d < t->rank; d++) {
                dims[d] = sg_place_number(graph, &t->sizes[d], n);
            }
            p->shapes[n][i] = (sg_place_shape){dims, (sg_place_number(graph, &t->bits, n) + 7) / 8};
        }
    }
}

/* Whether a part has no elements. If the size of its tensor is unknown, that of its kernel says
 * so. */
static bool is_empty(const sg_placement *graph, const sg_place_relation *r)
{
    const sg_place_tensor *child = &graph->tensors[r->child];
    return child->known || r->node->split == NULL
               ? (child->sizes != NULL ? child->bits.count == 0 : r->bytes == 0)
               : r->node->split->parts[r->part->index].bytes == 0;
}

/* Every part that is not kept is copied, unless there is nothing to copy. */
static bool count_bytes(const sg_planner *p)
{
    sg_placement *graph = p->graph;
    for (int64_t i = 0; i < p->nparts; i++) {
        const sg_place_relation *r = &p->relations[i];
        const sg_place_tensor *child = &graph->tensors[r->child];
        const bool read_only = child->kind == SG_PLACE_CONSTANT && r->node->move != SG_PLACE_CONCAT;
        r->part->copied = !r->kept && !is_empty(graph, r) && !read_only;
        graph->uncounted += r->part->copied && !child->known;
        SG_TRY(child->copy_of >= 0 || sg_add64(graph->bytes_moved, r->bytes, &graph->bytes_moved));
        graph->bytes_copied += r->part->copied ? r->bytes : 0;
    }
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const int64_t past = graph->nodes[n].past;
        SG_TRY(past < 0 ||
               sg_add64(graph->bytes_moved, graph->tensors[past].bytes, &graph->bytes_moved));
    }
    return true;
}

/* A planner for the graph, all of whose tensors lie alone. */
static sg_planner new_planner(sg_arena *scratch, sg_arena *arena, sg_placement *graph,
                              const sg_place_options *options)
{
    const int64_t tensors = graph->ntensors;
    int64_t parts = 0;
    int64_t rank = 1;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        parts += graph->nodes[n].nparts;
    }
    sg_planner p = {.arena = scratch,
                    .kept = arena,
                    .graph = graph,
                    .options = options,
                    .steps = SEARCH_STEPS,
                    .first_relation = SG_NEW_ARRAY(scratch, int64_t, graph->nnodes),
                    .maker = SG_NEW_ARRAY(scratch, int64_t, tensors),
                    .maker_node = SG_NEW_ARRAY(scratch, int64_t, tensors),
                    .at = SG_NEW_ARRAY(scratch, int64_t, tensors + 2),
                    .can_stride = SG_NEW_ARRAY(scratch, bool, tensors),
                    .seen = SG_NEW_ARRAY(scratch, int64_t, tensors),
                    .queue = SG_NEW_ARRAY(scratch, int64_t, tensors),
                    .via = SG_NEW_ARRAY(scratch, int64_t, tensors),
                    .contents = SG_NEW_ARRAY(scratch, sg_place_content, tensors + parts),
                    .held = SG_NEW_ARRAY(scratch, sg_place_content, tensors)};
    for (int64_t t = 0; t < tensors; t++) {
        sg_place_tensor *tensor = &graph->tensors[t];
        p.maker[t] = p.maker_node[t] = -1;
        tensor->buffer = -1;
        tensor->offset = 0;
        tensor->over = NULL;
        tensor->strides = SG_NEW_ARRAY(arena, int64_t, tensor->rank);
        sg_place_make_dense(&p, tensor);
        rank = tensor->rank > rank ? tensor->rank : rank;
    }
    p.scratch = SG_NEW_ARRAY(scratch, int64_t, rank);
    return p;
}

bool sg_place_unite(sg_arena *arena, sg_placement *graph, const sg_place_options *options)
{
    sg_arena scratch;
    sg_arena_init(&scratch);
    graph->optimal = true;
    graph->alignment = options->alignment;
    graph->bytes_moved = graph->bytes_copied = graph->uncounted = 0;
    sg_planner p = new_planner(&scratch, arena, graph, options);
    set_shapes(&p);
    sg_place_relate(&p);
    sg_place_search(&p);
    sg_place_choose_in_place(&p);
    sg_place_give_buffers(&p);
    sg_place_name_overwritten(&p);
    const bool fits = count_bytes(&p);
    sg_arena_free(&scratch);
    return fits;
}
