/* Walks the graphs of a model in order and binds each name to what is known about its tensor. */
#include "shapes/shapes.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/checked.h"
#include "shapes/infer_engine.h"
#include "shapes/operators.h"
#include "lua/lua_library.h"

/* Limits the work that a small file can cause by calling its functions many times. */
#define VISITS_BASE     100000
#define VISITS_PER_NODE 100

/* Limits the dims and values that all rules can create: real shapes have 4, real lengths 3. */
#define ENTRIES_BASE     4000000
#define ENTRIES_PER_NODE 256

/* --- why something is unknown ----------------------------------------------------------------- */

/* Whether the values of a tensor can take part in the arithmetic of shapes. */
static bool may_be_small(const sg_fact *fact)
{
    const bool integer = fact->dtype == SG_DTYPE_I64 || fact->dtype == SG_DTYPE_I32 ||
                         fact->dtype == SG_DTYPE_BOOL || fact->dtype == SG_GRAPH_DTYPE_UNKNOWN;
    return integer && fact->value_cause != NULL && (!fact->has_rank || fact->rank <= 1);
}

static const sg_fact_cause *inherited(const sg_fact *const *inputs, int64_t count,
                                      bool values_first)
{
    for (int turn = 0; turn < 2; ++turn) {
        const bool values = (turn == 0) == values_first;
        for (int64_t i = 0; i < count; ++i) {
            const sg_fact *input = inputs[i];
            if (input != NULL && !values && input->shape_cause != NULL) {
                return input->shape_cause;
            }
            if (input != NULL && values && may_be_small(input)) {
                return input->value_cause;
            }
        }
    }
    return NULL;
}

/* Whether a rule without an error text could not compute its outputs because the values of an input
 * are known only at run time. */
static bool reads_data(const sg_fact *const *inputs, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        if (inputs[i] != NULL && inputs[i]->value_cause != NULL) {
            return true;
        }
    }
    return false;
}

/* Why the shape or value of an output is unknown: the cause of the first unknown input. The node
 * itself is the cause if its rule gives a reason, or if it makes a shape from data of the run. */
static const sg_fact_cause *cause_of(sg_infer *infer, const sg_graph_node *node,
                                     const sg_fact *const *inputs, int64_t output,
                                     const sg_fact *fact, const char *reason, bool is_value)
{
    const sg_fact_cause *cause = reason == NULL ? inherited(inputs, node->ninputs, is_value) : NULL;
    const bool made = cause != NULL && cause->is_value && cause->of_data && !is_value;
    if (cause != NULL && !made) {
        return cause;
    }
    sg_fact_cause *own = sg_infer_cause(infer, node->outputs[output], node, reason);
    own->fact = fact;
    own->is_value = is_value;
    own->value = cause;
    own->of_data =
        reason == NULL && (is_value || fact->has_rank) && reads_data(inputs, node->ninputs);
    return own;
}

static void set_causes(sg_infer *infer, const sg_graph_node *node, const sg_fact *const *inputs,
                       sg_fact **outputs, const char *reason)
{
    for (int64_t i = 0; i < node->noutputs; ++i) {
        sg_fact *fact = outputs[i];
        for (int64_t k = 0; reason == NULL && fact->untyped == NULL && k < node->ninputs; ++k) {
            const sg_fact *input = inputs[k];
            if (input != NULL && input->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
                fact->untyped = input->untyped != NULL ? input->untyped : node->inputs[k];
            }
        }
        if (!sg_fact_shape_known(fact) && fact->shape_cause == NULL) {
            fact->shape_cause = cause_of(infer, node, inputs, i, fact, reason, false);
        }
        if (!sg_fact_values_known(fact) && fact->value_cause == NULL) {
            fact->value_cause = cause_of(infer, node, inputs, i, fact, reason, true);
        }
    }
}

/* Sets the causes of a model input; if its unknown dims have names, -D can give them. */
static void explain_input(sg_infer *infer, const sg_graph_info *info, sg_fact *fact)
{
    sg_fact_cause *cause = sg_infer_cause(infer, info->name, NULL, "an input of the model");
    cause->fact = fact;
    cause->span = info->span;
    sg_fact_cause *value = sg_infer_cause(infer, info->name, NULL, "an input of the model");
    value->fact = fact;
    value->span = info->span;
    value->is_value = true;
    const char **names = SG_NEW_ARRAY(infer->arena, const char *, fact->rank);
    bool nameless = false;
    for (int64_t i = 0; i < fact->rank; ++i) {
        const sg_fact_entry dim = fact->dims[i];
        nameless = nameless || dim.kind == SG_FACT_UNKNOWN;
        const char *name = sg_fact_name(dim);
        if (name == NULL) {
            continue;
        }
        if (sg_nameset_find(&infer->symbols, name) == NULL) {
            sg_nameset_add(&infer->symbols, name, i);
        }
        if (sg_nameset_find(&infer->defines, name) == NULL &&
            sg_nameset_find(&infer->implied, name) == NULL) {
            names[cause->ndims++] = name;
        }
    }
    cause->dims = names;
    cause->ndims = nameless ? 0 : cause->ndims;
    fact->shape_cause = cause;
    fact->value_cause = value;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static const sg_graph_attribute *argument(const sg_infer_call *call, const char *name)
{
    const sg_graph_attribute *given = sg_graph_attribute_of(call->node, name);
    for (int64_t i = 0; given == NULL && i < call->function->ndefaults; ++i) {
        if (strcmp(call->function->defaults[i].name, name) == 0) {
            given = &call->function->defaults[i];
        }
    }
    return given;
}

/* The node with references to attributes of its function replaced by the arguments of the call.
 * Attributes that the call does not give are left out. NULL: an argument has the wrong type,
 * reported. */
static const sg_graph_node *with_arguments(sg_infer *infer, const sg_infer_scope *scope,
                                           const sg_graph_node *node)
{
    bool refers = false;
    for (int64_t i = 0; i < node->nattributes; ++i) {
        refers = refers || node->attributes[i].kind == SG_GRAPH_ATTRIBUTE_REFERENCE;
    }
    if (!refers) {
        return node;
    }
    sg_graph_node *copy = SG_NEW(infer->arena, sg_graph_node);
    *copy = *node;
    copy->attributes = SG_NEW_ARRAY(infer->arena, sg_graph_attribute, node->nattributes);
    copy->nattributes = 0;
    for (int64_t i = 0; i < node->nattributes; ++i) {
        const sg_graph_attribute *attribute = &node->attributes[i];
        if (attribute->kind == SG_GRAPH_ATTRIBUTE_REFERENCE) {
            attribute = scope->call != NULL && attribute->count > 0
                            ? argument(scope->call, attribute->texts[0])
                            : NULL;
        }
        if (attribute != NULL) {
            sg_graph_attribute *taken = &copy->attributes[copy->nattributes++];
            *taken = *attribute;
            taken->name = node->attributes[i].name;
            if (node->attributes[i].kind == SG_GRAPH_ATTRIBUTE_REFERENCE &&
                !sg_infer_check_argument(infer, node, &node->attributes[i], taken)) {
                return NULL;
            }
        }
    }
    return copy;
}

static bool call_function(sg_infer *infer, const sg_infer_scope *scope,
                          const sg_graph_function *function, const sg_graph_node *node,
                          const sg_fact *const *inputs, sg_fact **outputs)
{
    for (const sg_infer_call *c = scope->call; c != NULL; c = c->outer) {
        if (c->function == function) {
            return sg_diag_error(infer->diag, node->span, "the function '%s' calls itself",
                                 function->name);
        }
    }
    const sg_infer_path *path = sg_infer_path_into(infer, scope, node);
    if (path == NULL) {
        return false;
    }
    const sg_infer_call call = {scope->call, function, node};
    sg_infer_scope body;
    sg_infer_enter(infer, &body, NULL, &function->body, path, &call);
    for (int64_t i = 0; i < function->ninputs; ++i) {
        if (i < node->ninputs && inputs[i] != NULL) {
            sg_fact *fact = SG_NEW(infer->arena, sg_fact);
            *fact = *inputs[i];
            SG_TRY(sg_infer_bind(infer, &body, function->inputs[i], fact, true));
        } else if (function->inputs[i][0] != '\0') {
            sg_infer_add(infer, &body, function->inputs[i], NULL);
        }
    }
    SG_TRY(infer->run(infer, &body));
    for (int64_t i = 0; i < node->noutputs && i < function->noutputs; ++i) {
        const sg_fact *fact = sg_infer_find(infer, &body, function->outputs[i]);
        if (fact != NULL) {
            *outputs[i] = *fact;
        }
    }
    return true;
}

/* Adds the source positions of a constant and of its numbers. */
static void add_places(const sg_graph_node *node, sg_fact **outputs)
{
    if (node->ninputs != 0 || node->noutputs != 1 || !outputs[0]->has_values) {
        return;
    }
    for (int64_t i = 0; i < node->nattributes; ++i) {
        const sg_graph_attribute *attribute = &node->attributes[i];
        const bool is_tensor = attribute->kind == SG_GRAPH_ATTRIBUTE_TENSOR;
        const bool is_list = attribute->kind == SG_GRAPH_ATTRIBUTE_INTS;
        const int64_t count = is_tensor ? attribute->tensor->count : attribute->count;
        if ((is_tensor || is_list) && count == outputs[0]->count) {
            outputs[0]->spans = is_tensor ? attribute->tensor->spans : attribute->spans;
            outputs[0]->place = is_tensor ? attribute->tensor->span : attribute->span;
        }
    }
}

/* A constant of the output's shape, filled with the element of `with`. */
static const sg_graph_tensor *filled(sg_arena *arena, const sg_graph_tensor *with,
                                     const sg_fact *output)
{
    int64_t elements = 0;
    int64_t bytes = 0;
    if (with->bytes == NULL || with->nbytes * 8 != sg_dtype_get((sg_dtype)with->type.dtype)->bits ||
        !sg_fact_elements(output, &elements) || !sg_mul64(elements, with->nbytes, &bytes) ||
        bytes > SG_GRAPH_BYTES_MAX) {
        return NULL;
    }
    unsigned char *all = SG_NEW_ARRAY(arena, unsigned char, bytes);
    for (int64_t i = 0; i < bytes; ++i) {
        all[i] = with->bytes[i % with->nbytes];
    }
    sg_graph_tensor *tensor = SG_NEW(arena, sg_graph_tensor);
    sg_graph_dim *dim = SG_NEW(arena, sg_graph_dim);
    *dim = (sg_graph_dim){.size = elements};
    *tensor = (sg_graph_tensor){.name = with->name, .bytes = all, .nbytes = bytes};
    tensor->type = (sg_graph_type){true, with->type.dtype, {true, 1, dim}};
    return tensor;
}

/* Sets the constant that has the same elements as the output. */
static void add_tensor(sg_arena *arena, const sg_graph_node *node, const sg_fact *const *inputs,
                       sg_fact **outputs)
{
    if (node->noutputs != 1) {
        return;
    }
    if (sg_operator_keeps(node) && inputs[0] != NULL) {
        outputs[0]->tensor = inputs[0]->tensor;
    }
    const sg_graph_attribute *value = sg_graph_attribute_of(node, "value");
    if (!sg_graph_is_onnx(node) || value == NULL || value->kind != SG_GRAPH_ATTRIBUTE_TENSOR) {
        return;
    }
    if (strcmp(node->op_type, "Constant") == 0) {
        outputs[0]->tensor = value->tensor;
    } else if (strcmp(node->op_type, "ConstantOfShape") == 0) {
        outputs[0]->tensor = filled(arena, value->tensor, outputs[0]);
    }
}

/* Values computed from a value that the user gave carry the position of that option. */
static void add_given(const sg_graph_node *node, const sg_fact *const *inputs, sg_fact **outputs)
{
    sg_span given = {0};
    for (int64_t i = 0; i < node->ninputs && given.source == NULL; ++i) {
        given = inputs[i] != NULL ? inputs[i]->given : given;
    }
    for (int64_t i = 0; i < node->noutputs && given.source != NULL; ++i) {
        if (outputs[i]->has_values) {
            outputs[i]->given = given;
            outputs[i]->place = given;
            outputs[i]->spans = NULL;
        }
    }
}

/* Whether the outputs are the same in every run: constants, shapes, and what is made only from
 * them. */
static sg_fact_constancy constancy_of(const sg_graph_node *node, const sg_fact *const *inputs)
{
    static const char *const onnx[] = {"Shape", "Size", "Constant"};
    for (size_t i = 0; sg_graph_is_onnx(node) && i < sizeof onnx / sizeof onnx[0]; ++i) {
        if (strcmp(node->op_type, onnx[i]) == 0) {
            return SG_FACT_FIXED;
        }
    }
    if (sg_graph_is_openvino(node) && strcasecmp(node->op_type, "ShapeOf") == 0) {
        return SG_FACT_FIXED;
    }
    bool any = false;
    sg_fact_constancy least = SG_FACT_FIXED;
    for (int64_t i = 0; i < node->ninputs; ++i) {
        if (inputs[i] != NULL && inputs[i]->constant < least) {
            least = inputs[i]->constant;
        }
        any = any || inputs[i] != NULL;
    }
    return any ? least : SG_FACT_VARIES;
}

/* The element type that the file or the user declares for a tensor, or SG_GRAPH_DTYPE_UNKNOWN. */
static int declared_type(sg_infer *infer, const sg_infer_scope *scope, const char *name)
{
    sg_fact says = {.dtype = SG_GRAPH_DTYPE_UNKNOWN};
    const sg_nameset_entry *given = sg_infer_given(&infer->shapes, scope, name);
    const sg_nameset_entry *first = sg_nameset_find(&scope->infos, name);
    for (int64_t i = first != NULL ? first->value : -1;
         i >= 0 && says.dtype == SG_GRAPH_DTYPE_UNKNOWN; i = scope->next_info[i]) {
        const sg_graph_type *type = &scope->declared[i]->type;
        says.dtype = type->is_tensor ? type->dtype : SG_GRAPH_DTYPE_UNKNOWN;
    }
    return given != NULL && infer->said->shapes[given->value].dtype != SG_GRAPH_DTYPE_UNKNOWN
               ? infer->said->shapes[given->value].dtype
               : says.dtype;
}

/* If the type of a Split's input is unknown, it takes the declared type of its outputs, unless they
 * disagree. The input tensor has this type from then on. */
static void take_type(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *node,
                      const sg_fact **inputs)
{
    if (node->ninputs == 0 || inputs[0] == NULL || inputs[0]->dtype != SG_GRAPH_DTYPE_UNKNOWN) {
        return;
    }
    int dtype = SG_GRAPH_DTYPE_UNKNOWN;
    for (int64_t i = 0; i < node->noutputs; ++i) {
        const int says = declared_type(infer, scope, node->outputs[i]);
        if (says != SG_GRAPH_DTYPE_UNKNOWN && dtype != SG_GRAPH_DTYPE_UNKNOWN && says != dtype) {
            return;
        }
        dtype = says != SG_GRAPH_DTYPE_UNKNOWN ? says : dtype;
    }
    if (dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        return;
    }
    sg_fact *typed = SG_NEW(infer->arena, sg_fact);
    *typed = *inputs[0];
    typed->dtype = dtype;
    inputs[0] = typed;
    if (sg_nameset_find(&scope->names, node->inputs[0]) != NULL) {
        sg_infer_add(infer, scope, node->inputs[0], typed);
    }
}

/* How much a node counts toward the limit: a node with many tensors costs as much as several. */
static int64_t visits_of(const sg_graph_node *node)
{
    return 1 + sg_infer_looking(node->ninputs + node->noutputs);
}

static bool run_node(sg_infer *infer, sg_infer_scope *scope, const sg_graph_node *written)
{
    SG_TRY(sg_infer_visit(infer, visits_of(written), written->span));
    SG_TRY(sg_graph_has_room(infer->arena, infer->diag, written->span));
    const sg_graph_node *node = with_arguments(infer, scope, written);
    SG_TRY(node != NULL);
    const sg_graph_function *function = sg_infer_function(infer, node);
    node = function != NULL ? node : sg_infer_of_version(infer, node);
    const sg_fact **inputs = SG_NEW_ARRAY(infer->arena, const sg_fact *, node->ninputs);
    for (int64_t i = 0; i < node->ninputs; ++i) {
        inputs[i] = sg_infer_find(infer, scope, node->inputs[i]);
    }
    if (sg_operator_of(node)->kind == SG_OPERATOR_SPLIT) {
        take_type(infer, scope, node, inputs);
    }
    sg_fact **outputs = SG_NEW_ARRAY(infer->arena, sg_fact *, node->noutputs);
    for (int64_t i = 0; i < node->noutputs; ++i) {
        outputs[i] = sg_fact_new(infer->arena);
    }
    sg_fact_fault *fault = sg_infer_fault_among(node, inputs);
    sg_fact_fault *own = NULL;
    const char *reason = NULL;
    if (function != NULL) {
        SG_TRY(call_function(infer, scope, function, node, inputs, outputs));
    } else {
        bool done = false;
        SG_TRY(sg_infer_control(infer, scope, node, inputs, outputs, &done));
        if (!done) {
            if (sg_infer_sequence_at(infer, node, inputs, outputs, &reason)) {
                own = sg_infer_fault_new(infer, node, inputs, reason);
            } else {
                infer->rules.quiet = infer->quiet > 0;
                SG_TRY(sg_rules_run(&infer->rules, node, inputs, outputs, &reason));
                SG_TRY(sg_infer_check_read(infer, written, node));
                own = infer->rules.outcome == SG_RULES_REFUSED
                          ? sg_infer_fault_new(infer, node, inputs, reason)
                          : NULL;
            }
            fault = fault != NULL ? fault : own;
            add_places(node, outputs);
            add_tensor(infer->arena, node, inputs, outputs);
            add_given(node, inputs, outputs);
            const bool varies = sg_operator_varies(node, inputs);
            for (int64_t i = 0; i < node->noutputs; ++i) {
                outputs[i]->has_values = outputs[i]->has_values && !varies;
                outputs[i]->constant = varies ? SG_FACT_VARIES : constancy_of(node, inputs);
                outputs[i]->fault = fault;
            }
        }
    }
    set_causes(infer, node, inputs, outputs, reason);
    for (int64_t i = 0; i < node->noutputs; ++i) {
        SG_TRY(sg_infer_bind(infer, scope, node->outputs[i], outputs[i], true));
    }
    const sg_infer_watcher *watcher = infer->watcher;
    if (infer->quiet == 0 && watcher->ran != NULL) {
        watcher->ran(watcher->context, scope, node, inputs, outputs, own);
    }
    return true;
}

/* Whether a run may replace the value of an initializer. It may if the initializer is also an
 * input; before IR version 4 all initializers had to be. */
static bool is_default(const sg_infer *infer, const sg_graph *graph, const char *name)
{
    enum { SINCE_IR = 4 };
    return infer->model->version >= SINCE_IR &&
           sg_graph_info_of(graph->inputs, graph->ninputs, name) != NULL;
}

static bool run_graph(sg_infer *infer, sg_infer_scope *scope)
{
    const sg_graph *graph = scope->graph;
    for (int64_t i = 0; i < graph->ninitializers; ++i) {
        const sg_graph_tensor *tensor = &graph->initializers[i];
        sg_fact *fact = sg_fact_of_tensor(infer->arena, tensor);
        fact->constant = is_default(infer, graph, tensor->name) ? SG_FACT_DEFAULT : SG_FACT_FIXED;
        SG_TRY(sg_infer_bind(infer, scope, tensor->name, fact, false));
    }
    const sg_infer_watcher *watcher = infer->watcher;
    if (infer->quiet == 0 && watcher->began != NULL) {
        watcher->began(watcher->context, infer, scope);
    }
    for (int64_t i = 0; i < graph->nnodes; ++i) {
        SG_TRY(run_node(infer, scope, &graph->nodes[i]));
    }
    if (infer->quiet == 0 && watcher->finished != NULL) {
        watcher->finished(watcher->context, scope);
    }
    return true;
}

/* --- the model -------------------------------------------------------------------------------- */

/* Counts the nodes of a graph and its subgraphs, and the visits that running each of them once
 * takes. */
static void count_nodes(const sg_graph *graph, int depth, int64_t *nodes, int64_t *visits)
{
    *nodes += graph->nnodes;
    *visits += sg_infer_declaring(graph);
    for (int64_t n = 0; n < graph->nnodes; ++n) {
        const sg_graph_node *node = &graph->nodes[n];
        *visits += visits_of(node);
        const sg_graph *within = NULL;
        sg_graph_cursor at = {0};
        while (depth < SG_GRAPH_NESTING && (within = sg_graph_within(node, &at)) != NULL) {
            count_nodes(within, depth + 1, nodes, visits);
        }
    }
}

/* If the shape of a tensor is given twice, the later one counts; a type or dims that it leaves out
 * are taken from the earlier one. */
static void complete(sg_graph_given_shape *later, sg_graph_given_shape *earlier)
{
    earlier->used = true; /* only the later one is reported as unused */
    if (later->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        later->dtype = earlier->dtype;
    }
    if (!later->has_dims) {
        later->has_dims = earlier->has_dims;
        later->dims = earlier->dims;
        later->frees = earlier->frees;
        later->rank = earlier->rank;
    }
}

static void index_options(sg_infer *infer)
{
    sg_nameset_init(&infer->defines, infer->arena);
    sg_nameset_init(&infer->implied, infer->arena);
    sg_nameset_init(&infer->shapes, infer->arena);
    sg_nameset_init(&infer->values, infer->arena);
    const sg_said *said = infer->said;
    /* Backwards, because the last of equal names counts. */
    for (int64_t i = said->ndefines - 1; i >= 0; --i) {
        if (said->defines[i].problem == NULL &&
            sg_nameset_find(&infer->defines, said->defines[i].name) == NULL) {
            sg_nameset_add(&infer->defines, said->defines[i].name, i);
        }
    }
    for (int64_t i = said->nshapes - 1; i >= 0; --i) {
        const sg_nameset_entry *later = sg_nameset_find(&infer->shapes, said->shapes[i].tensor);
        if (later == NULL) {
            sg_nameset_add(&infer->shapes, said->shapes[i].tensor, i);
        } else {
            complete(&said->shapes[later->value], &said->shapes[i]);
        }
    }
    for (int64_t i = said->nvalues - 1; i >= 0; --i) {
        const sg_nameset_entry *later = sg_nameset_find(&infer->values, said->values[i].tensor);
        if (later == NULL) {
            sg_nameset_add(&infer->values, said->values[i].tensor, i);
        } else {
            said->values[i].used = true; /* only the later one is reported as unused */
        }
    }
}

static void add_dims(sg_nameset *names, const sg_graph_info *infos, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const sg_graph_shape *shape = &infos[i].type.shape;
        for (int64_t d = 0; d < shape->rank; ++d) {
            if (shape->dims[d].name != NULL &&
                sg_nameset_find(names, shape->dims[d].name) == NULL) {
                sg_nameset_add(names, shape->dims[d].name, i);
            }
        }
    }
}

/* The dim among `names` that a -D defines: the text before its last '=', or before an earlier one
 * if only that is a dim. *problem receives the value if it is not a size. NULL: the name is not
 * a dim, or the value is a size. */
static const char *defined_dim(sg_infer *infer, const sg_nameset *names,
                               const sg_graph_define *define, const char **problem)
{
    const char *name = define->name;
    *problem = define->problem;
    while (sg_nameset_find(names, name) == NULL) {
        const char *equals = strrchr(name, '=');
        if (define->text == NULL || equals == NULL) {
            return NULL;
        }
        const size_t len = (size_t)(equals - name);
        name = sg_arena_strndup(infer->arena, name, len);
        *problem = define->text + len + 1;
    }
    return *problem != NULL ? name : NULL;
}

/* Checks that each -D of a dim of the model is a size. Reports all that are not. */
static bool check_defines(sg_infer *infer)
{
    const sg_graph *graph = &infer->model->graph;
    sg_nameset names;
    sg_nameset_init(&names, infer->arena);
    add_dims(&names, graph->inputs, graph->ninputs);
    add_dims(&names, graph->infos, graph->ninfos);
    add_dims(&names, graph->outputs, graph->noutputs);
    bool ok = true;
    for (int64_t i = 0; i < infer->said->ndefines; ++i) {
        sg_graph_define *define = &infer->said->defines[i];
        const char *problem = NULL;
        const char *name = defined_dim(infer, &names, define, &problem);
        if (name != NULL) {
            define->used = true;
            ok = sg_diag_fail(infer->diag, SG_EXIT_USAGE, define->span,
                              "'%s' is not a size for '%s': give one whole number from 0 on, or "
                              "leave it open by %s",
                              problem, name, sg_infer_option(infer->arena, "-D", name, "free:64"));
        }
    }
    return ok;
}

/* "64", "open ('n')". */
static const char *said_text(sg_infer *infer, sg_fact_entry said)
{
    const char *text = sg_fact_dim_text(infer->arena, said);
    return said.kind == SG_FACT_INT ? text : sg_arena_printf(infer->arena, "open ('%s')", text);
}

/* A shape given for an input defines its symbolic dims everywhere. */
static bool imply_sizes(sg_infer *infer, const sg_infer_scope *scope, const sg_graph_info *info)
{
    const sg_nameset_entry *entry = sg_infer_given(&infer->shapes, scope, info->name);
    if (entry == NULL) {
        return true;
    }
    sg_graph_given_shape *given = &infer->said->shapes[entry->value];
    const sg_graph_shape *shape = &info->type.shape;
    given->used = true;
    const bool fits = given->has_dims && shape->has_rank && given->rank == shape->rank;
    for (int64_t i = 0; fits && i < shape->rank; ++i) {
        const char *name = shape->dims[i].size < 0 ? shape->dims[i].name : NULL;
        if (name == NULL || name[0] == '\0') {
            continue;
        }
        const sg_nameset_entry *define = sg_nameset_find(&infer->defines, name);
        const sg_nameset_entry *size = sg_nameset_find(&infer->implied, name);
        const sg_fact_entry here = sg_infer_said_of_dim(infer, given, i);
        sg_fact_entry other = size != NULL ? infer->sizes[size->value] : here;
        if (define != NULL) {
            sg_graph_define *said = &infer->said->defines[define->value];
            said->used = true;
            other = sg_infer_said(infer, said->value, said->free);
        }
        if (!sg_fact_same(here, other)) {
            return sg_diag_error(infer->diag, given->span,
                                 "'%s' has the dim '%s', which is given as %s here, but as %s "
                                 "elsewhere",
                                 info->name, name, said_text(infer, here), said_text(infer, other));
        }
        if (define == NULL && size == NULL) {
            infer->sizes[infer->implied.count] = here;
            sg_nameset_add(&infer->implied, name, (int64_t)infer->implied.count);
        }
    }
    return true;
}

/* With --open, each nameless dim of an input gets a name of its own, which is the same wherever the
 * dim is propagated. */
static void open_nameless(sg_infer *infer, sg_fact *fact)
{
    for (int64_t i = 0; infer->said->open && i < fact->rank; ++i) {
        if (fact->dims[i].kind == SG_FACT_UNKNOWN) {
            fact->dims[i] = sg_infer_nameless(infer);
        }
    }
}

static bool run_model(sg_infer *infer)
{
    const sg_graph *graph = &infer->model->graph;
    sg_infer_scope scope;
    sg_infer_enter(infer, &scope, NULL, graph, NULL, NULL);
    int64_t most = 0;
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        most += graph->inputs[i].type.shape.rank;
    }
    infer->sizes = SG_NEW_ARRAY(infer->arena, sg_fact_entry, most);
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        SG_TRY(imply_sizes(infer, &scope, &graph->inputs[i]));
    }
    for (int64_t i = 0; i < graph->ninputs; ++i) {
        sg_fact *fact = sg_fact_of_type(infer->arena, &graph->inputs[i].type);
        explain_input(infer, &graph->inputs[i], fact);
        open_nameless(infer, fact);
        SG_TRY(sg_infer_bind(infer, &scope, graph->inputs[i].name, fact, false));
    }
    return run_graph(infer, &scope);
}

/* --- all of it -------------------------------------------------------------------------------- */

sg_infer *sg_infer_new(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                       const sg_said *said, const sg_infer_watcher *watcher)
{
    sg_infer *infer = SG_NEW(arena, sg_infer);
    *infer = (sg_infer){.arena = arena,
                        .diag = diag,
                        .model = model,
                        .said = said,
                        .watcher = watcher,
                        .run = run_graph};
    sg_nameset_init(&infer->symbols, arena);
    return infer;
}

bool sg_infer_run(sg_infer *infer)
{
    const sg_graph_model *model = infer->model;
    const sg_said *said = infer->said;
    index_options(infer);
    sg_infer_index_functions(infer);
    int64_t nodes = 0;
    int64_t visits = 0;
    count_nodes(&model->graph, 0, &nodes, &visits);
    for (int64_t i = 0; i < model->nfunctions; ++i) {
        count_nodes(&model->functions[i].body, 0, &nodes, &visits);
    }
    infer->max_visits = VISITS_BASE + VISITS_PER_NODE * nodes + visits;
    const bool agrees = sg_infer_index_open(infer);
    bool done = sg_infer_check(infer) &&
                sg_rules_open(&infer->rules, infer->arena, infer->diag, said->rules,
                              ENTRIES_BASE + ENTRIES_PER_NODE * nodes) &&
                check_defines(infer);
    if (done) {
        sg_infer_follow(infer);
        done = run_model(infer);
    }
    sg_rules_close(&infer->rules);
    if (infer->contradictions > SG_INFER_CONTRADICTIONS) {
        sg_diag_warn(infer->diag, model->graph.span,
                     "the file contradicts what comes out for %" PRId64 " more tensors",
                     infer->contradictions - SG_INFER_CONTRADICTIONS);
    }
    return done && agrees;
}

int64_t sg_infer_visits(const sg_infer *infer)
{
    return infer->visits;
}

void sg_infer_look(sg_infer *infer, int64_t tensors)
{
    infer->visits += sg_infer_looking(tensors);
}
