/* Plans each graph, and has the plan proved. */
#include <inttypes.h>

#include "placement/placement.h"
#include "split/views.h"

static bool plan(sg_arena *arena, sg_placement *graph, const sg_place_options *options)
{
    return sg_place_unite(arena, graph, options) && sg_place_arena(arena, graph);
}

/* Checks that each cache has a size, and room for the least numbers of the open dimensions. */
static bool check_caches(sg_diag *diag, const sg_placement *graph)
{
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        if (node->past >= 0 &&
            !(graph->tensors[node->past].known && graph->tensors[node->whole].known)) {
            return sg_diag_error(diag, node->from->span,
                                 "'%s' and '%s' cannot be a cache, because a size of theirs is "
                                 "neither a number nor a sum of open dims, or does not fit",
                                 graph->tensors[node->past].name, graph->tensors[node->whole].name);
        }
        for (int64_t i = 0; node->past >= 0 && i < graph->nopen; i++) {
            if (graph->open[i].most > 0 && graph->open[i].expected > graph->open[i].most) {
                return sg_diag_error(diag, node->from->span,
                                     "there is room for %" PRId64 " of '%s', but below %" PRId64
                                     " a size that follows from it is 0; give a larger capacity",
                                     graph->open[i].most, graph->open[i].name,
                                     graph->open[i].expected);
            }
        }
    }
    return true;
}

static bool place_graph(sg_arena *arena, sg_diag *diag, sg_placement *graph,
                        const sg_place_options *options)
{
    SG_TRY(check_caches(diag, graph));
    (void)sg_place_copy_caches(arena, graph, options);
    sg_place_options plain = *options; /* nothing in place */
    plain.in_place.count = 0;
    bool fits = plan(arena, graph, &plain);
    bool settled =
        true; /* no choice of parts led to a dense copy of a cache, which others may not */
    while (fits && sg_place_copy_caches(arena, graph, &plain)) {
        fits = plan(arena, graph, &plain);
        settled = false;
    }
    const int64_t before = graph->arena;
    const int64_t copied = graph->bytes_copied;
    fits = fits && (options->in_place.count == 0 || plan(arena, graph, options));
    if (fits && graph->arena > before && graph->bytes_copied >= copied) {
        fits = plan(arena, graph, &plain); /* gaps in the arena cost more than that saves */
    }
    graph->optimal = graph->optimal && settled;
    if (!fits) {
        return sg_diag_error(diag, graph->span,
                             "the tensors of this graph have 2^63 bytes or more together, which no "
                             "offset in an arena can count; give smaller dims");
    }
    const char *wrong = sg_place_prove(arena, graph, options);
    return wrong == NULL || sg_diag_fail(diag, SG_EXIT_BUG, graph->span,
                                         "the placement of tensors does not hold: %s; this is a "
                                         "bug in splitgen",
                                         wrong);
}

sg_placement *sg_place_all(sg_place_watch *watch, sg_diag *diag, sg_split *const *splits,
                           int64_t count, const sg_place_options *options, int64_t *ngraphs)
{
    sg_arena *arena = NULL;
    sg_placement *graphs = sg_place_collect(watch, diag, splits, count, &arena, ngraphs);
    for (int64_t i = 0; graphs != NULL && i < *ngraphs; i++) {
        if (!place_graph(arena, diag, &graphs[i], options)) {
            return NULL;
        }
    }
    return graphs;
}

static void mark_parts(const sg_placement *graph)
{
    const sg_place_tensor *tensors = graph->tensors;
    for (int64_t n = 0; n < graph->nnodes; n++) {
        const sg_place_node *node = &graph->nodes[n];
        for (int64_t i = 0; node->split != NULL && i < node->nparts; i++) {
            sg_part *part = &node->split->parts[node->parts[i].index];
            const bool copied = node->parts[i].copied;
            part->view_only = !copied && part->bytes > 0;
            if (copied && sg_view_is_contiguous(node->split, part)) {
                const bool known =
                    tensors[node->whole].known && tensors[node->parts[i].tensor].known;
                part->copied = part->data != NULL ? "it is a constant"
                               : known            ? "the placement has another place for its tensor"
                                                  : "the placement knows no size of its tensor";
            }
        }
    }
}

void sg_place_mark(sg_diag *diag, const sg_placement *graphs, int64_t ngraphs)
{
    for (int64_t g = 0; g < ngraphs; g++) {
        mark_parts(&graphs[g]);
        sg_place_warn(diag, &graphs[g]);
    }
}
