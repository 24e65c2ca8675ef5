/* Prints every fact that inference binds. */
#include "shapes/shapes_text.h"

#include <inttypes.h>
#include <string.h>

#define VALUES_SHOWN 16

typedef struct printer {
    sg_arena *arena;
    sg_infer *infer;
    sg_buf *text;
} printer;

static void indent(const printer *p, const sg_infer_scope *scope)
{
    for (int64_t i = scope->path != NULL ? scope->path->depth : 0; i > 0; --i) {
        sg_buf_addz(p->text, "  ");
    }
}

/* " = 1, N, 768". */
static void print_values(const printer *p, const sg_fact *fact)
{
    bool any = false;
    for (int64_t i = 0; fact->has_values && i < fact->count; ++i) {
        any = any || fact->values[i].kind != SG_FACT_UNKNOWN;
    }
    for (int64_t i = 0; any && i < fact->count && i <= VALUES_SHOWN; ++i) {
        const sg_fact_entry value = fact->values[i];
        sg_buf_addz(p->text, i == 0 ? " = " : ", ");
        if (i == VALUES_SHOWN) {
            sg_buf_addz(p->text, "...");
        } else if (value.kind == SG_FACT_FLOAT) {
            sg_buf_printf(p->text, "%.9g", value.as.real);
        } else {
            sg_buf_addz(p->text, sg_fact_dim_text(p->arena, value));
        }
    }
}

/* Whether a dim has neither a number nor a name. */
static bool lacks(const sg_fact *fact)
{
    bool any = false;
    for (int64_t i = 0; i < fact->rank; ++i) {
        any = any || fact->dims[i].kind == SG_FACT_UNKNOWN;
    }
    return any;
}

/* Why the shape is unknown. */
static void print_cause(const printer *p, const char *tensor, const sg_fact *fact)
{
    const sg_fact_cause *cause = fact->shape_cause;
    if (cause == NULL || cause->node == NULL || (fact->has_rank && !lacks(fact))) {
        return;
    }
    sg_buf_printf(p->text, "  # %s '%s'", cause->node->op_type, sg_graph_node_name(cause->node));
    if (strcmp(cause->tensor, tensor) != 0) {
        sg_buf_printf(p->text, ", which makes '%s'", cause->tensor);
    }
    if (cause->reason != NULL) {
        sg_buf_printf(p->text, ": %s", cause->reason);
    } else if (cause->of_data) {
        sg_buf_addz(p->text, ": its shape depends on the data");
    }
}

static void print_tensor(const printer *p, const sg_infer_scope *scope, const char *name)
{
    const sg_fact *fact = sg_infer_find(p->infer, scope, name);
    if (fact == NULL) {
        return;
    }
    indent(p, scope);
    sg_buf_printf(p->text, "%s: ", name);
    if (fact->is_sequence) {
        sg_buf_printf(p->text, "sequence of %" PRId64 "\n", fact->nelements);
        return;
    }
    const bool typed = fact->dtype != SG_GRAPH_DTYPE_UNKNOWN;
    sg_buf_printf(p->text, "%s%s%s", typed ? sg_dtype_get((sg_dtype)fact->dtype)->name : "?",
                  fact->has_rank ? "" : " ", sg_fact_shape_text(p->arena, fact));
    print_values(p, fact);
    if (fact->constant != SG_FACT_VARIES) {
        sg_buf_addz(p->text, " constant");
    }
    print_cause(p, name, fact);
    sg_buf_addc(p->text, '\n');
}

static void began(void *context, sg_infer *infer, sg_infer_scope *scope)
{
    (void)infer;
    const printer *p = context;
    const sg_graph_function *function = sg_infer_scope_function(scope);
    if (scope->path != NULL) {
        const sg_graph_node *node = scope->path->node;
        for (int64_t i = scope->path->depth; i > 1; --i) {
            sg_buf_addz(p->text, "  ");
        }
        const char *name = sg_graph_node_name(node);
        if (function != NULL) {
            sg_buf_printf(p->text, "function %s, called by '%s':\n", node->op_type, name);
        } else {
            sg_buf_printf(p->text, "graph %s of %s '%s':\n", scope->graph->name, node->op_type,
                          name);
        }
    }
    const sg_graph *graph = scope->graph;
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        print_tensor(p, scope, graph->inputs[i].name);
    }
    for (int64_t i = 0; function != NULL && i < function->ninputs; ++i) {
        print_tensor(p, scope, function->inputs[i]);
    }
    for (int64_t i = 0; i < graph->ninitializers; ++i) {
        print_tensor(p, scope, graph->initializers[i].name);
    }
}

static bool ran(void *context, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own)
{
    const printer *p = context;
    (void)inputs;
    (void)outputs;
    (void)own;
    for (int64_t i = 0; i < node->noutputs; ++i) {
        print_tensor(p, scope, node->outputs[i]);
    }
    return true;
}

bool sg_shapes_text(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                    const sg_said *said, sg_buf *text)
{
    printer p = {.arena = arena, .text = text};
    const sg_infer_watcher watcher = {.context = &p, .began = began, .ran = ran};
    sg_buf_printf(text, "shapes of %s\n", model->source->name);
    p.infer = sg_infer_new(arena, diag, model, said, &watcher);
    return sg_infer_run(p.infer);
}
