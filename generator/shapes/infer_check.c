/* Checks ONNX models for errors and ambiguities that do not depend on shapes: unknown versions,
 * names that are defined twice, inputs that a Split does not have. */
#include <inttypes.h>
#include <string.h>

#include "shapes/infer_engine.h"

/* The newest versions that the table of attributes and the rules cover. */
#define NEWEST_OPSET 28
#define NEWEST_IR    14
#define SPLIT_LAST   18 /* the opset that last changed Split */

/* --- versions --------------------------------------------------------------------------------- */

static void check_newer(sg_infer *infer)
{
    const sg_graph_model *model = infer->model;
    const sg_graph_opset *newer = NULL;
    for (int64_t i = 0; i < model->nopsets; ++i) {
        const sg_graph_opset *opset = &model->opsets[i];
        newer = opset->domain[0] == '\0' && opset->version > NEWEST_OPSET ? opset : newer;
    }
    const bool newer_ir = model->version > NEWEST_IR;
    if (newer == NULL && !newer_ir) {
        return;
    }
    const char *opset = newer == NULL ? ""
                                      : sg_arena_printf(infer->arena, "opset %" PRId64 "%s",
                                                        newer->version, newer_ir ? " and " : "");
    const char *ir =
        newer_ir ? sg_arena_printf(infer->arena, "IR version %" PRId64, model->version) : "";
    sg_diag_warn(
        infer->diag, newer != NULL ? newer->span : model->graph.span,
        "the model has %s%s, but this splitgen knows ONNX up to opset %d and IR version %d: "
        "it is read like the newest of them, and Split as it has been since opset %d",
        opset, ir, NEWEST_OPSET, NEWEST_IR, SPLIT_LAST);
}

/* Readers treat the two names of ONNX's domain as one, and use the last import. */
static void check_imports(sg_infer *infer, const sg_graph_opset *opsets, int64_t count)
{
    const sg_graph_opset *first = NULL;
    for (int64_t i = 0; i < count; ++i) {
        if (opsets[i].domain[0] != '\0') {
            continue;
        }
        if (first != NULL && first->version != opsets[i].version) {
            sg_diag_warn(infer->diag, opsets[i].span,
                         "ONNX's own domain is imported as opset %" PRId64 " and as opset %" PRId64
                         ", under its names '' and 'ai.onnx' or twice under one: the last counts",
                         first->version, opsets[i].version);
        }
        first = &opsets[i];
    }
}

/* --- names ------------------------------------------------------------------------------------ */

typedef struct given_names {
    sg_nameset set; /* name -> place in spans */
    sg_span *spans;
    int64_t count;
} given_names;

static void give(given_names *given, const char *name, sg_span span)
{
    if (name[0] != '\0' && sg_nameset_find(&given->set, name) == NULL) {
        sg_nameset_add(&given->set, name, given->count);
        given->spans[given->count++] = span;
    }
}

static bool reads(const sg_graph_node *node, const char *name)
{
    for (int64_t i = 0; i < node->ninputs; ++i) {
        if (strcmp(node->inputs[i], name) == 0) {
            return true;
        }
    }
    return false;
}

/* Reports an output with the name of another tensor of the graph: a reader of that name would be
 * ambiguous. */
static bool check_output(sg_infer *infer, given_names *given, const sg_graph_node *node, int64_t i)
{
    const char *name = node->outputs[i];
    const sg_span span = node->output_spans != NULL ? node->output_spans[i] : node->span;
    const sg_nameset_entry *first = sg_nameset_find(&given->set, name);
    if (first == NULL) {
        give(given, name, span);
        return true;
    }
    (void)sg_diag_error(infer->diag, span,
                        reads(node, name)
                            ? "%s '%s' reads '%s' and makes it: call its output something else"
                            : "%s '%s' makes '%s', which there is already: call its output "
                              "something else",
                        node->op_type, sg_graph_node_name(node), name);
    sg_diag_note(infer->diag, given->spans[first->value], "the other '%s'", name);
    return false;
}

static bool check_names(sg_infer *infer, const sg_graph_function *function, const sg_graph *graph)
{
    int64_t most = graph->ninputs + graph->ninitializers;
    most += function != NULL ? function->ninputs : 0;
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        most += graph->nodes[n].noutputs;
    }
    given_names given = {.spans = SG_NEW_ARRAY(infer->arena, sg_span, most)};
    sg_nameset_init(&given.set, infer->arena);
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        give(&given, graph->inputs[i].name, graph->inputs[i].span);
    }
    for (int64_t i = 0; i < graph->ninitializers; ++i) {
        give(&given, graph->initializers[i].name, graph->initializers[i].span);
    }
    for (int64_t i = 0; function != NULL && i < function->ninputs; ++i) {
        give(&given, function->inputs[i], function->span);
    }
    bool ok = true;
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        for (int64_t i = 0; i < node->noutputs; ++i) {
            ok = check_output(infer, &given, node, i) && ok;
        }
    }
    return ok;
}

/* --- all of it -------------------------------------------------------------------------------- */

static bool check_graph(sg_infer *infer, const sg_graph_function *function, const sg_graph *graph,
                        int depth)
{
    bool ok = check_names(infer, function, graph);
    for (int64_t n = 0; depth < SG_GRAPH_NESTING && n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        const bool is_call = sg_infer_function(infer, node) != NULL;
        for (int64_t a = 0; a < node->nattributes; ++a) {
            const sg_graph_attribute *attribute = &node->attributes[a];
            ok = (is_call || sg_infer_check_attribute(infer, function, node, attribute)) && ok;
            for (int64_t i = 0; attribute->graphs != NULL && i < attribute->count; ++i) {
                ok = check_graph(infer, function, attribute->graphs[i], depth + 1) && ok;
            }
        }
    }
    return ok;
}

bool sg_infer_check(sg_infer *infer)
{
    const sg_graph_model *model = infer->model;
    if (model->format != SG_MODEL_OPENVINO) {
        check_newer(infer);
        check_imports(infer, model->opsets, model->nopsets);
    }
    bool ok = check_graph(infer, NULL, &model->graph, 0);
    for (int64_t i = 0; i < model->nfunctions; ++i) {
        const sg_graph_function *function = &model->functions[i];
        check_imports(infer, function->opsets, function->nopsets);
        ok = check_graph(infer, function, &function->body, 0) && ok;
    }
    return ok;
}
