/* What a graph says of the tensors of its ops: which op writes a tensor, which tensors share
 * memory, and what else needs a tensor. Fusing and the placement of views decide by it. Tensors are
 * found by name, within one graph; a body, a function or an outer graph that reads one counts as a
 * reader. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "frontend/graph/infer_engine.h"

/* How a graph uses its names. */
struct sg_infer_uses {
    sg_nameset read;    /* name -> how often nodes read it */
    sg_nameset yielded; /* name -> how often it is an output of the graph */
    sg_nameset nodes;   /* name -> index of the node that writes it */
    sg_nameset stored;  /* names whose memory is that of an output: sg_infer_root() of each */
};

/* Nodes whose output is their first input, the same bytes in the same order. */
static bool is_alias(const sg_graph_node *node)
{
    static const char *const types[] = {"Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze"};
    bool is = false;
    const bool openvino = sg_graph_is_openvino(node);
    for (size_t i = 0; node->ninputs > 0 && i < sizeof types / sizeof types[0]; ++i) {
        is = is || (openvino                 ? strcasecmp(node->op_type, types[i]) == 0
                    : sg_graph_is_onnx(node) ? strcmp(node->op_type, types[i]) == 0
                                             : false);
    }
    return is;
}

/* Nodes that hand on a tensor which is stored elsewhere: in a sequence, or as the state of a model.
 */
static bool hands_on(const sg_graph_node *node)
{
    static const char *const types[] = {"SequenceAt", "OptionalGetElement", "ReadValue"};
    bool does = false;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; ++i) {
        does = does || strcasecmp(node->op_type, types[i]) == 0;
    }
    return does;
}

/* The node of the graph that writes a tensor; NULL: none does. */
static const sg_graph_node *writer_of(const sg_infer_uses *uses, const sg_graph *graph,
                                      const char *tensor)
{
    const sg_nameset_entry *entry = sg_nameset_find(&uses->nodes, tensor);
    return entry != NULL ? &graph->nodes[entry->value] : NULL;
}

/* The tensor whose memory this one shares, through any number of reshapes. Nodes read only what
 * nodes before them write (infer_check.c), so the walk ends. */
static const char *root_of(const sg_infer_uses *uses, const sg_graph *graph, const char *tensor)
{
    const sg_graph_node *node = writer_of(uses, graph, tensor);
    for (int64_t i = 0; node != NULL && is_alias(node) && i < graph->nnodes; ++i) {
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
        const bool closed = sg_graph_is_openvino(node);
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

static void count_output(sg_infer_uses *uses, const sg_graph *graph, const char *name)
{
    count_name(&uses->yielded, name);
    count_name(&uses->stored, root_of(uses, graph, name));
}

static const sg_infer_uses *count_uses(sg_infer *infer, const sg_infer_scope *scope)
{
    const sg_graph *graph = scope->graph;
    sg_infer_uses *uses = SG_NEW(infer->arena, sg_infer_uses);
    sg_nameset_init(&uses->read, infer->arena);
    sg_nameset_init(&uses->yielded, infer->arena);
    sg_nameset_init(&uses->nodes, infer->arena);
    sg_nameset_init(&uses->stored, infer->arena);
    count_reads(uses, graph, 0);
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
    const sg_graph_function *function = function_of(scope);
    for (int64_t i = 0; function != NULL && i < function->noutputs; ++i) {
        count_output(uses, graph, function->outputs[i]);
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

const sg_graph_node *sg_infer_writer(sg_infer *infer, sg_infer_scope *scope, const char *tensor)
{
    return writer_of(uses_of(infer, scope), scope->graph, tensor);
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

static void add_maker(sg_infer *infer, sg_infer_scope *scope, const sg_op *op, const char *tensor,
                      int64_t part)
{
    if (tensor[0] == '\0') {
        return;
    }
    infer->makers = SG_GROWN(infer->arena, infer->makers, infer->nmakers, infer->makers_capacity);
    infer->makers[infer->nmakers] = (sg_infer_maker){op, part};
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
    sg_infer_made_op *made = SG_NEW(infer->arena, sg_infer_made_op);
    *made = (sg_infer_made_op){scope->made, op};
    scope->made = made;
}

/* seen: root -> index in infer->storages. */
static const sg_op_storage *storage_of(sg_infer *infer, sg_nameset *seen, const char *root)
{
    const sg_nameset_entry *entry = sg_nameset_find(seen, root);
    if (entry != NULL) {
        return infer->storages[entry->value];
    }
    sg_op_storage *storage = SG_NEW(infer->arena, sg_op_storage);
    storage->tensor = root;
    infer->storages =
        SG_GROWN(infer->arena, infer->storages, infer->nstorages, infer->storages_capacity);
    sg_nameset_add(seen, root, infer->nstorages);
    infer->storages[infer->nstorages++] = storage;
    return storage;
}

/* Why no node writes the tensor to memory of its own; NULL: one does. */
static const char *given_by(sg_infer *infer, const sg_infer_scope *scope,
                            const sg_graph_node *writer, const char *tensor)
{
    const sg_fact *fact = sg_infer_find(infer, scope, tensor);
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

static sg_op_tensor tensor_of(sg_infer *infer, sg_infer_scope *scope, sg_nameset *storages,
                              const sg_op *op, const char *tensor)
{
    const sg_infer_uses *uses = uses_of(infer, scope);
    const char *root = root_of(uses, scope->graph, tensor);
    const sg_graph_node *writer = writer_of(uses, scope->graph, root);
    const sg_nameset_entry *made = sg_nameset_find(&scope->makers, tensor);
    const bool is_made = sg_nameset_find(&scope->makers, root) != NULL;
    sg_op_tensor to = {
        .storage = storage_of(infer, storages, root),
        .given = is_made ? NULL : given_by(infer, scope, writer, root),
        .yielded = count_of(&uses->stored, root) > 0,
    };
    if (made != NULL) {
        to.maker = infer->makers[made->value].op;
        to.part = infer->makers[made->value].part;
        to.kept = why_kept(infer, scope, op, tensor);
    }
    return to;
}

/* Slice groups become ops after the other nodes of a graph, so this waits until all ops are known.
 */
void sg_infer_chain(sg_infer *infer, sg_infer_scope *scope)
{
    sg_nameset storages;
    sg_nameset_init(&storages, infer->arena);
    for (const sg_infer_made_op *made = scope->made; made != NULL; made = made->next) {
        const sg_op_origin *origin = made->op->origin;
        if (sg_op_joins(made->op->kind)) {
            add_maker(infer, scope, made->op, origin->input, 0);
            continue;
        }
        for (int64_t i = 0; i < origin->noutputs; ++i) {
            add_maker(infer, scope, made->op, origin->outputs[i], i);
        }
    }
    for (const sg_infer_made_op *made = scope->made; made != NULL; made = made->next) {
        sg_op_origin *origin = made->op->origin;
        sg_op_tensor *tensors = SG_NEW_ARRAY(infer->arena, sg_op_tensor, origin->noutputs + 1);
        tensors[0] = tensor_of(infer, scope, &storages, made->op, origin->input);
        for (int64_t i = 0; i < origin->noutputs; ++i) {
            tensors[i + 1] = tensor_of(infer, scope, &storages, made->op, origin->outputs[i]);
        }
        origin->whole = &tensors[0];
        origin->parts = &tensors[1];
    }
}
