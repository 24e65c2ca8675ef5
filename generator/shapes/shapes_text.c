/* Prints every fact that inference binds. */
#include "shapes/shapes_text.h"

#include <inttypes.h>
#include <string.h>

#define VALUES_SHOWN 16

typedef struct printer {
    sg_arena *arena;
    sg_infer *infer;
    sg_buf *line; /* the current one */
    sg_buf *text;
} printer;

/* Adds the line to the text. Names may have any bytes. */
static void end_line(const printer *p, int64_t depth)
{
    for (; depth > 0; --depth) {
        sg_buf_addz(p->text, "  ");
    }
    sg_buf_add_visible(p->text, p->line->ptr, p->line->len);
    sg_buf_addc(p->text, '\n');
    p->line->len = 0;
}

static int64_t depth_of(const sg_infer_scope *scope)
{
    return scope->path != NULL ? scope->path->depth : 0;
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
        sg_buf_addz(p->line, i == 0 ? " = " : ", ");
        if (i == VALUES_SHOWN) {
            sg_buf_addz(p->line, "...");
        } else if (value.kind == SG_FACT_FLOAT) {
            sg_buf_printf(p->line, "%.9g", value.as.real);
        } else {
            sg_buf_addz(p->line, sg_fact_dim_text(p->arena, value));
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
    sg_buf_printf(p->line, "  # %s '%s'", cause->node->op_type, sg_graph_node_name(cause->node));
    if (strcmp(cause->tensor, tensor) != 0) {
        sg_buf_printf(p->line, ", which makes '%s'", cause->tensor);
    }
    if (cause->reason != NULL) {
        sg_buf_printf(p->line, ": %s", cause->reason);
    } else if (cause->of_data) {
        sg_buf_addz(p->line, ": its shape depends on the data");
    }
}

static void print_tensor(const printer *p, const sg_infer_scope *scope, const char *name)
{
    const sg_fact *fact = sg_infer_find(p->infer, scope, name);
    if (fact == NULL) {
        return;
    }
    sg_buf_printf(p->line, "%s: ", name);
    if (fact->is_sequence) {
        sg_buf_printf(p->line, "sequence of %" PRId64, fact->nelements);
        end_line(p, depth_of(scope));
        return;
    }
    const bool typed = fact->dtype != SG_GRAPH_DTYPE_UNKNOWN;
    sg_buf_printf(p->line, "%s%s%s", typed ? sg_dtype_get((sg_dtype)fact->dtype)->name : "?",
                  fact->has_rank ? "" : " ", sg_fact_shape_text(p->arena, fact));
    print_values(p, fact);
    if (fact->constant != SG_FACT_VARIES) {
        sg_buf_addz(p->line, " constant");
    }
    print_cause(p, name, fact);
    end_line(p, depth_of(scope));
}

static void began(void *context, sg_infer *infer, sg_infer_scope *scope)
{
    (void)infer;
    const printer *p = context;
    const sg_graph_function *function = sg_infer_scope_function(scope);
    if (scope->path != NULL) {
        const sg_graph_node *node = scope->path->node;
        const char *name = sg_graph_node_name(node);
        if (function != NULL) {
            sg_buf_printf(p->line, "function %s, called by '%s':", node->op_type, name);
        } else {
            sg_buf_printf(p->line, "graph %s of %s '%s':", scope->graph->name, node->op_type, name);
        }
        end_line(p, scope->path->depth - 1);
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

static void ran(void *context, sg_infer_scope *scope, const sg_graph_node *node,
                const sg_fact *const *inputs, sg_fact *const *outputs, sg_fact_fault *own)
{
    const printer *p = context;
    (void)inputs;
    (void)outputs;
    (void)own;
    for (int64_t i = 0; i < node->noutputs; ++i) {
        print_tensor(p, scope, node->outputs[i]);
    }
}

bool sg_shapes_text(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                    const sg_said *said, sg_buf *text)
{
    sg_buf line = {0};
    printer p = {.arena = arena, .line = &line, .text = text};
    const sg_infer_watcher watcher = {.context = &p, .began = began, .ran = ran};
    sg_buf_printf(&line, "shapes of %s", model->source->name);
    end_line(&p, 0);
    p.infer = sg_infer_new(arena, diag, model, said, &watcher);
    const bool done = sg_infer_run(p.infer);
    sg_buf_free(&line);
    return done;
}
