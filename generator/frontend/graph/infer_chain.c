/* Which Split cuts what another one of the same graph makes, which Concat joins it, and whether
 * something else needs the tensor between them: what may become one kernel. Found by names, within
 * one graph: what a body, a function or the graph around them reads of it needs it too. */
#include <inttypes.h>
#include <string.h>

#include "frontend/graph/infer_engine.h"

/* How often the names of a graph are read, and made an output of the graph. */
struct sg_infer_uses {
    sg_nameset read;
    sg_nameset yielded;
};

static void count_name(sg_nameset *counts, const char *name)
{
    sg_nameset_entry *entry = sg_nameset_find(counts, name);
    if (entry != NULL) {
        ++entry->value;
    } else if (name[0] != '\0') {
        sg_nameset_add(counts, name, 1);
    }
}

static int64_t count_of(const sg_nameset *counts, const char *name)
{
    const sg_nameset_entry *entry = sg_nameset_find(counts, name);
    return entry != NULL ? entry->value : 0;
}

/* What the nodes read, those of graphs in them too. A name that a graph within hides from them is
 * counted all the same, which at worst keeps two kernels apart. */
static void count_reads(sg_infer_uses *uses, const sg_graph *graph, int depth)
{
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->ninputs; ++i) {
            count_name(&uses->read, node->inputs[i]);
        }
        /* OpenVINO's bodies read nothing from around them. */
        const bool closed = strcmp(node->domain, "openvino") == 0;
        for (int64_t a = 0; !closed && depth < SG_GRAPH_NESTING && a < node->nattributes; ++a) {
            const sg_graph_attribute *attribute = &node->attributes[a];
            const bool graphs = attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPH ||
                                attribute->kind == SG_GRAPH_ATTRIBUTE_GRAPHS;
            for (int64_t i = 0; graphs && i < attribute->count; ++i) {
                const sg_graph *within = attribute->graphs[i];
                for (int64_t o = 0; o < within->noutputs; ++o) {
                    count_name(&uses->read, within->outputs[o].name);
                }
                count_reads(uses, within, depth + 1);
            }
        }
    }
}

/* The function whose nodes these are; NULL in any other graph. */
static const sg_graph_function *function_of(const sg_infer_scope *scope)
{
    const sg_graph_function *function = scope->call != NULL ? scope->call->function : NULL;
    return function != NULL && scope->graph == &function->body ? function : NULL;
}

static const sg_infer_uses *count_uses(sg_infer *infer, const sg_infer_scope *scope)
{
    const sg_graph *graph = scope->graph;
    sg_infer_uses *uses = SG_NEW(infer->arena, sg_infer_uses);
    sg_nameset_init(&uses->read, infer->arena);
    sg_nameset_init(&uses->yielded, infer->arena);
    count_reads(uses, graph, 0);
    for (int64_t i = 0; i < graph->noutputs; ++i) {
        count_name(&uses->yielded, graph->outputs[i].name);
    }
    const sg_graph_function *function = function_of(scope);
    for (int64_t i = 0; function != NULL && i < function->noutputs; ++i) {
        count_name(&uses->yielded, function->outputs[i]);
    }
    return uses;
}

/* Once for each graph, however often it is run. */
static const sg_infer_uses *uses_of(sg_infer *infer, sg_infer_scope *scope)
{
    for (const sg_infer_counted *c = infer->counted; scope->uses == NULL && c != NULL;
         c = c->next) {
        scope->uses = c->graph == scope->graph ? c->uses : NULL;
    }
    if (scope->uses == NULL) {
        sg_infer_counted *counted = SG_NEW(infer->arena, sg_infer_counted);
        scope->uses = count_uses(infer, scope);
        *counted = (sg_infer_counted){infer->counted, scope->graph, scope->uses};
        infer->counted = counted;
    }
    return scope->uses;
}

bool sg_infer_is_read(sg_infer *infer, sg_infer_scope *scope, const char *tensor)
{
    const sg_infer_uses *uses = uses_of(infer, scope);
    return count_of(&uses->read, tensor) > 0 || count_of(&uses->yielded, tensor) > 0;
}

int64_t sg_infer_reads(sg_infer *infer, sg_infer_scope *scope, const char *tensor)
{
    const sg_infer_uses *uses = uses_of(infer, scope);
    return count_of(&uses->read, tensor) + count_of(&uses->yielded, tensor);
}

/* How often an op reads a tensor: what it cuts once, but for the nodes of a family that each do;
 * what it joins as often as it is among the parts. */
static int64_t reads_of(const sg_op *op, const char *tensor)
{
    int64_t reads = 0;
    for (int64_t i = 0; sg_op_joins(op->kind) && i < op->origin->noutputs; ++i) {
        reads += strcmp(op->origin->outputs[i], tensor) == 0;
    }
    if (reads > 0) {
        return reads;
    }
    const bool each =
        op->origin->nodes != NULL && strcmp(op->origin->op_type, "SplitToSequence") != 0;
    return each ? op->origin->nnodes : 1;
}

/* Why a tensor has to be made although an op cuts or joins it; NULL where only that one reads it.
 */
static const char *why_kept(sg_infer *infer, sg_infer_scope *scope, const sg_op *op,
                            const char *tensor)
{
    const sg_infer_uses *uses = uses_of(infer, scope);
    const int64_t reads = count_of(&uses->read, tensor);
    if (count_of(&uses->yielded, tensor) > 0) {
        return sg_arena_printf(infer->arena, "'%s' is an output of the %s too", tensor,
                               function_of(scope) != NULL ? "function" : "graph");
    }
    if (reads != reads_of(op, tensor)) {
        return sg_arena_printf(infer->arena, "'%s' is read %" PRId64 " times", tensor, reads);
    }
    return op->origin->kept;
}

/* A list of which nothing is taken away. */
static void add_maker(sg_infer *infer, sg_infer_scope *scope, const sg_op *op, int64_t output)
{
    const char *tensor = op->origin->outputs[output];
    if (tensor[0] == '\0') {
        return;
    }
    infer->makers = SG_GROWN(infer->arena, infer->makers, infer->nmakers, infer->makers_capacity);
    infer->makers[infer->nmakers] = (sg_infer_maker){op, output};
    sg_nameset_entry *entry = sg_nameset_find(&scope->makers, tensor);
    if (entry != NULL) {
        entry->value = infer->nmakers;
    } else {
        sg_nameset_add(&scope->makers, tensor, infer->nmakers);
    }
    ++infer->nmakers;
}

void sg_infer_made(sg_infer *infer, sg_infer_scope *scope, sg_op *op)
{
    if (infer->options->chains) {
        sg_infer_made_op *made = SG_NEW(infer->arena, sg_infer_made_op);
        *made = (sg_infer_made_op){scope->made, op};
        scope->made = made;
    }
}

/* What makes a tensor that an op reads. */
static sg_op_feed feed_of(sg_infer *infer, sg_infer_scope *scope, const sg_op *op,
                          const char *tensor)
{
    const sg_nameset_entry *entry = sg_nameset_find(&scope->makers, tensor);
    if (entry == NULL) {
        return (sg_op_feed){0};
    }
    const sg_infer_maker *maker = &infer->makers[entry->value];
    return (sg_op_feed){maker->op, maker->output, why_kept(infer, scope, op, tensor)};
}

/* Families are made behind the Splits of a graph, so all that makes a tensor is known first. */
void sg_infer_chain(sg_infer *infer, sg_infer_scope *scope)
{
    for (const sg_infer_made_op *made = scope->made; made != NULL; made = made->next) {
        const bool joins = sg_op_joins(made->op->kind);
        for (int64_t i = 0; !joins && i < made->op->origin->noutputs; ++i) {
            add_maker(infer, scope, made->op, i);
        }
    }
    for (const sg_infer_made_op *made = scope->made; made != NULL; made = made->next) {
        sg_op_origin *origin = made->op->origin;
        if (sg_op_joins(made->op->kind)) {
            origin->feeds = SG_NEW_ARRAY(infer->arena, sg_op_feed, origin->noutputs);
            for (int64_t i = 0; i < origin->noutputs; ++i) {
                origin->feeds[i] = feed_of(infer, scope, made->op, origin->outputs[i]);
            }
            continue;
        }
        const sg_op_feed feed = feed_of(infer, scope, made->op, origin->input);
        if (feed.from != NULL) {
            origin->feed = SG_NEW(infer->arena, sg_op_feed);
            *origin->feed = feed;
        }
    }
}
