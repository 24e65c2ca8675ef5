/* Concats that add to a cache: their first input and their output are one buffer of the caller, so
 * that their kernel copies only the other inputs, to where the first one ends. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "frontend/graph/ops_engine.h"

/* The input of the node that the pair has in front of the node's output; -1: none. */
static int64_t past_of(const char *pair, const sg_graph_node *node)
{
    for (int64_t i = 0; i < node->ninputs; ++i) {
        const size_t len = strlen(node->inputs[i]);
        if (len > 0 && strncmp(pair, node->inputs[i], len) == 0 && pair[len] == ':' &&
            strcmp(pair + len + 1, node->outputs[0]) == 0) {
            return i;
        }
    }
    return -1;
}

/* Why the node cannot add to a cache that begins with this input; NULL: it can. */
static const char *why_not(sg_ops *ops, const sg_graph_node *node, int64_t input)
{
    const sg_graph *graph = &ops->model->graph;
    const char *past = node->inputs[input];
    const char *present = node->outputs[0];
    return sg_graph_info_of(graph->inputs, graph->ninputs, past) == NULL
               ? sg_arena_printf(ops->arena, "'%s' is no input of the model", past)
           : sg_graph_info_of(graph->outputs, graph->noutputs, present) == NULL
               ? sg_arena_printf(ops->arena, "'%s' is no output of the model", present)
           : input > 0 ? sg_arena_printf(ops->arena,
                                         "'%s' is input %" PRId64
                                         " of %s '%s', but what is in a cache comes first",
                                         past, input, node->op_type, sg_graph_node_name(node))
                       : NULL;
}

/* The elements of one index of the axis. Returns false if they are not a number. */
static bool count_inner(const sg_fact *fact, int64_t axis, int64_t *inner)
{
    *inner = 1;
    for (int64_t d = axis + 1; d < fact->rank; ++d) {
        SG_TRY(fact->dims[d].kind == SG_FACT_INT &&
               sg_mul64(*inner, fact->dims[d].as.integer, inner));
    }
    return true;
}

bool sg_ops_cache_of(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                     const sg_fact *const *inputs, int64_t axis, const sg_graph_cache **cache)
{
    *cache = NULL;
    for (int64_t i = 0; i < ops->options->ncaches; ++i) {
        sg_graph_cache *c = &ops->options->caches[i];
        const int64_t input = c->pair != NULL ? past_of(c->pair, node) : 0;
        if (scope->graph != &ops->model->graph || input < 0 || node->ninputs < 2) {
            continue;
        }
        const char *problem = why_not(ops, node, input);
        if (c->pair == NULL) {
            int64_t inner = 0;
            const bool grows = inputs[0]->has_rank && inputs[0]->dims[axis].kind == SG_FACT_SUM &&
                               count_inner(inputs[0], axis, &inner);
            if (problem != NULL || !grows || sg_ops_reads(ops, scope, node->inputs[0]) != 1) {
                continue;
            }
        } else if (problem != NULL) {
            c->used = true;
            (void)sg_diag_fail(ops->diag, SG_EXIT_USAGE, c->span, "--cache: %s", problem);
            sg_diag_note(ops->diag, node->span, "this is %s '%s'", node->op_type,
                         sg_graph_node_name(node));
            return false;
        }
        c->used = true;
        *cache = c->pair != NULL || *cache == NULL ? c : *cache;
    }
    return true;
}

bool sg_ops_cache_fill(sg_ops *ops, const sg_graph_cache *cache, const sg_graph_node *node,
                       const sg_fact *past, const sg_fact *whole, int64_t axis, sg_op *op)
{
    sg_arena *arena = ops->arena;
    const sg_sum length = sg_fact_sum(arena, past->dims[axis]);
    const int64_t expected = sg_infer_expected(ops->infer, &length);
    const int64_t added = whole->dims[axis].as.integer;
    int64_t inner = 0;
    int64_t needed = 0;
    int64_t stride = 0;
    bool one_row = true;
    for (int64_t d = 0; d < axis; ++d) {
        one_row = one_row && whole->dims[d].kind == SG_FACT_INT && whole->dims[d].as.integer == 1;
    }
    const char *name = op->origin->past;
    if (past->dims[axis].kind != SG_FACT_INT &&
        (sg_sum_only_name(&length) == NULL || !sg_infer_may_stay(ops->infer, past, axis))) {
        return sg_diag_error(ops->diag, node->span,
                             "the length of the cache '%s' along dim %" PRId64
                             " has to be a number or an open dim, but '%s' is %s; leave it open "
                             "with --open",
                             name, axis, name, sg_fact_shape_text(arena, past));
    }
    if (!count_inner(whole, axis, &inner)) {
        return sg_diag_error(ops->diag, node->span,
                             "the dims of the cache '%s' behind dim %" PRId64
                             " have to be numbers, but '%s' is %s",
                             name, axis, name, sg_fact_shape_text(arena, past));
    }
    if (!sg_add64(expected, added, &needed) || (cache->capacity > 0 && needed > cache->capacity)) {
        return sg_diag_fail(ops->diag, SG_EXIT_USAGE, cache->span,
                            "the cache '%s' has room for %" PRId64 " elements along dim %" PRId64
                            ", but %" PRId64 " and %" PRId64
                            " new ones are expected; give a larger number",
                            name, cache->capacity, axis, expected, added);
    }
    op->origin->capacity = cache->capacity > 0 ? cache->capacity : needed;
    if (!sg_mul64(op->origin->capacity, inner, &stride)) {
        return sg_diag_fail(ops->diag, SG_EXIT_USAGE, cache->span,
                            "a cache of %" PRId64 " elements is too large", op->origin->capacity);
    }
    op->row_stride = (sg_op_int){.present = !one_row && stride > 0, stride, node->span};
    return true;
}
