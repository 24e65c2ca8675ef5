/* Connects the ops of a graph through their tensors: which op writes a tensor, which tensors share
 * memory, and what else reads a tensor. Fusion and the placement of views depend on it. Tensors are
 * matched by name within one graph; a subgraph, a function or an outer graph that reads one counts
 * as a reader. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "frontend/graph/ops_engine.h"
#include "shapes/operators.h"

/* How a graph uses the names of its tensors. */
struct sg_ops_uses {
    sg_nameset read;    /* name -> how many times nodes read it */
    sg_nameset yielded; /* name -> how many times it is an output of the graph */
    sg_nameset nodes;   /* name -> index of the node that writes it */
    /* roots (see root_of) of the graph's outputs: names whose memory an output uses */
    sg_nameset stored;
};

sg_ops_graph *sg_ops_graph_of(sg_ops *ops, sg_infer_scope *scope)
{
    if (scope->watched == NULL) {
        sg_ops_graph *graph = SG_NEW(ops->arena, sg_ops_graph);
        sg_nameset_init(&graph->makers, ops->arena);
        scope->watched = graph;
    }
    return scope->watched;
}

/* Whether the node returns a tensor that is stored elsewhere: in a sequence, or as state of the
 * model. */
static bool hands_on(const sg_graph_node *node)
{
    static const char *const types[] = {"SequenceAt", "OptionalGetElement", "ReadValue"};
    bool does = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        does = does || strcasecmp(node->op_type, types[i]) == 0;
    }
    return does;
}

/* The node of the graph that writes a tensor, or NULL. */
static const sg_graph_node *writer_of(const sg_ops_uses *uses, const sg_graph *graph,
                                      const char *tensor)
{
    const sg_nameset_entry *entry = sg_nameset_find(&uses->nodes, tensor);
    return entry != NULL ? &graph->nodes[entry->value] : NULL;
}

/* The tensor whose memory this one shares, followed back through reshapes. Nodes read only what
 * earlier nodes write (infer_check.c), so the walk ends. */
static const char *root_of(const sg_ops_uses *uses, const sg_graph *graph, const char *tensor)
{
    const sg_graph_node *node = writer_of(uses, graph, tensor);
    for (int64_t i = 0; node != NULL && sg_operator_keeps(node) && i < graph->nnodes; ++i) {
        tensor = node->inputs[0];
        node = writer_of(uses, graph, tensor);
    }
    return tensor;
}

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

static void count_read(void *context, const char *name)
{
    sg_ops_uses *uses = context;
    count_name(&uses->read, name);
}

/* Counts what the nodes read, including the nodes of subgraphs. */
static void count_reads(sg_arena *arena, sg_ops_uses *uses, const sg_graph *graph)
{
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->ninputs; ++i) {
            count_name(&uses->read, node->inputs[i]);
        }
        sg_graph_inner_reads(arena, node, count_read, uses);
    }
}

static void count_output(sg_ops_uses *uses, const sg_graph *graph, const char *name)
{
    count_name(&uses->yielded, name);
    count_name(&uses->stored, root_of(uses, graph, name));
}

static const sg_ops_uses *count_uses(sg_ops *ops, const sg_infer_scope *scope)
{
    const sg_graph *graph = scope->graph;
    sg_ops_uses *uses = SG_NEW(ops->arena, sg_ops_uses);
    sg_nameset_init(&uses->read, ops->arena);
    sg_nameset_init(&uses->yielded, ops->arena);
    sg_nameset_init(&uses->nodes, ops->arena);
    sg_nameset_init(&uses->stored, ops->arena);
    count_reads(ops->arena, uses, graph);
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        for (int64_t o = 0; o < graph->nodes[n].noutputs; ++o) {
            const char *name = graph->nodes[n].outputs[o];
            if (sg_nameset_find(&uses->nodes, name) == NULL) {
                sg_nameset_add(&uses->nodes, name, n);
            }
        }
    }
    for (int64_t i = 0; i < graph->noutputs; ++i) {
        count_output(uses, graph, graph->outputs[i].name);
    }
    const sg_graph_function *function = sg_infer_scope_function(scope);
    for (int64_t i = 0; function != NULL && i < function->noutputs; ++i) {
        count_output(uses, graph, function->outputs[i]);
    }
    return uses;
}

/* Counted once for each graph, however often inference runs it. */
static const sg_ops_uses *uses_of(sg_ops *ops, sg_infer_scope *scope)
{
    for (const sg_ops_counted *c = ops->counted;
         sg_ops_graph_of(ops, scope)->uses == NULL && c != NULL; c = c->next) {
        sg_ops_graph_of(ops, scope)->uses = c->graph == scope->graph ? c->uses : NULL;
    }
    if (sg_ops_graph_of(ops, scope)->uses == NULL) {
        sg_ops_counted *counted = SG_NEW(ops->arena, sg_ops_counted);
        sg_ops_graph_of(ops, scope)->uses = count_uses(ops, scope);
        *counted = (sg_ops_counted){ops->counted, scope->graph, sg_ops_graph_of(ops, scope)->uses};
        ops->counted = counted;
    }
    return sg_ops_graph_of(ops, scope)->uses;
}

const sg_graph_node *sg_ops_writer(sg_ops *ops, sg_infer_scope *scope, const char *tensor)
{
    return writer_of(uses_of(ops, scope), scope->graph, tensor);
}

bool sg_ops_is_read(sg_ops *ops, sg_infer_scope *scope, const char *tensor)
{
    const sg_ops_uses *uses = uses_of(ops, scope);
    return count_of(&uses->read, tensor) > 0 || count_of(&uses->yielded, tensor) > 0;
}

int64_t sg_ops_reads(sg_ops *ops, sg_infer_scope *scope, const char *tensor)
{
    const sg_ops_uses *uses = uses_of(ops, scope);
    return count_of(&uses->read, tensor) + count_of(&uses->yielded, tensor);
}

/* How many times an op reads a tensor: a Split reads its input once, a slice group once for each
 * node, and a Concat as many times as the tensor is among its parts. */
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

/* Why a tensor must be written even if its ops are fused; NULL: no other node reads it. */
static const char *why_kept(sg_ops *ops, sg_infer_scope *scope, const sg_op *op, const char *tensor)
{
    const sg_ops_uses *uses = uses_of(ops, scope);
    const int64_t reads = count_of(&uses->read, tensor);
    if (count_of(&uses->yielded, tensor) > 0) {
        return sg_arena_printf(ops->arena, "'%s' is an output of the %s too", tensor,
                               sg_infer_scope_function(scope) != NULL ? "function" : "graph");
    }
    if (reads != reads_of(op, tensor)) {
        return sg_arena_printf(ops->arena, "'%s' is read %" PRId64 " times", tensor, reads);
    }
    return op->origin->kept;
}

static void add_maker(sg_ops *ops, sg_infer_scope *scope, const sg_op *op, const char *tensor,
                      int64_t part)
{
    if (tensor[0] == '\0') {
        return;
    }
    ops->makers = SG_GROWN(ops->arena, ops->makers, ops->nmakers, ops->makers_capacity);
    ops->makers[ops->nmakers] = (sg_ops_maker){op, part};
    sg_nameset_entry *entry = sg_nameset_find(&sg_ops_graph_of(ops, scope)->makers, tensor);
    if (entry != NULL) {
        entry->value = ops->nmakers;
    } else {
        sg_nameset_add(&sg_ops_graph_of(ops, scope)->makers, tensor, ops->nmakers);
    }
    ++ops->nmakers;
}

void sg_ops_made(sg_ops *ops, sg_infer_scope *scope, sg_op *op)
{
    sg_ops_made_op *made = SG_NEW(ops->arena, sg_ops_made_op);
    *made = (sg_ops_made_op){sg_ops_graph_of(ops, scope)->made, op};
    sg_ops_graph_of(ops, scope)->made = made;
}

/* seen: root -> index in ops->storages. */
static const sg_op_storage *storage_of(sg_ops *ops, sg_nameset *seen, const char *root)
{
    const sg_nameset_entry *entry = sg_nameset_find(seen, root);
    if (entry != NULL) {
        return ops->storages[entry->value];
    }
    sg_op_storage *storage = SG_NEW(ops->arena, sg_op_storage);
    storage->tensor = root;
    ops->storages = SG_GROWN(ops->arena, ops->storages, ops->nstorages, ops->storages_capacity);
    sg_nameset_add(seen, root, ops->nstorages);
    ops->storages[ops->nstorages++] = storage;
    return storage;
}

/* Why no node writes the tensor to memory of its own; NULL: a node does. */
static const char *given_by(sg_ops *ops, const sg_infer_scope *scope, const sg_graph_node *writer,
                            const char *tensor)
{
    const sg_fact *fact = sg_infer_find(ops->infer, scope, tensor);
    if (fact != NULL && fact->constant != SG_FACT_VARIES) {
        return "it is a constant";
    }
    if (writer != NULL) {
        return hands_on(writer) ? "it is stored in a sequence or as the state of the model" : NULL;
    }
    const bool own = sg_nameset_find(&scope->names, tensor) != NULL;
    return !own                  ? "it comes from the graph around this one"
           : scope->path == NULL ? "it is an input of the model, which belongs to the caller"
                                 : "it is an input of its graph";
}

static sg_op_tensor tensor_of(sg_ops *ops, sg_infer_scope *scope, sg_nameset *storages,
                              const sg_op *op, const char *tensor)
{
    const sg_ops_uses *uses = uses_of(ops, scope);
    const char *root = root_of(uses, scope->graph, tensor);
    const sg_graph_node *writer = writer_of(uses, scope->graph, root);
    const sg_nameset_entry *made = sg_nameset_find(&sg_ops_graph_of(ops, scope)->makers, tensor);
    const bool is_made = sg_nameset_find(&sg_ops_graph_of(ops, scope)->makers, root) != NULL;
    sg_op_tensor to = {
        .storage = storage_of(ops, storages, root),
        .given = is_made ? NULL : given_by(ops, scope, writer, root),
        .yielded = count_of(&uses->stored, root) > 0,
    };
    if (made != NULL) {
        to.maker = ops->makers[made->value].op;
        to.part = ops->makers[made->value].part;
        to.kept = why_kept(ops, scope, op, tensor);
    }
    return to;
}

/* Runs at the end of a graph, because slice groups become ops after the other nodes. */
void sg_ops_chain(sg_ops *ops, sg_infer_scope *scope)
{
    sg_nameset storages;
    sg_nameset_init(&storages, ops->arena);
    for (const sg_ops_made_op *made = sg_ops_graph_of(ops, scope)->made; made != NULL;
         made = made->next) {
        const sg_op_origin *origin = made->op->origin;
        if (sg_op_joins(made->op->kind)) {
            add_maker(ops, scope, made->op, origin->input, 0);
            continue;
        }
        for (int64_t i = 0; i < origin->noutputs; ++i) {
            add_maker(ops, scope, made->op, origin->outputs[i], i);
        }
    }
    for (const sg_ops_made_op *made = sg_ops_graph_of(ops, scope)->made; made != NULL;
         made = made->next) {
        sg_op_origin *origin = made->op->origin;
        sg_op_tensor *tensors = SG_NEW_ARRAY(ops->arena, sg_op_tensor, origin->noutputs + 1);
        tensors[0] = tensor_of(ops, scope, &storages, made->op, origin->input);
        for (int64_t i = 0; i < origin->noutputs; ++i) {
            tensors[i + 1] = tensor_of(ops, scope, &storages, made->op, origin->outputs[i]);
        }
        origin->whole = &tensors[0];
        origin->parts = &tensors[1];
    }
}
