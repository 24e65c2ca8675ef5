/* Makes ops of Concats, once inference knows their outputs: the inputs become the parts, and the
 * output the whole. A Concat whose result is the same in every run (constants, the arithmetic of
 * shapes) needs no kernel and makes no op. sg_resolve() checks what is known, even if not
 * everything is. */
#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "frontend/graph/ops_engine.h"
#include "split/names.h"
#include "split/nameset.h"
#include "split/resolve.h"

/* --- what needs no kernel --------------------------------------------------------------------- */

/* Whether every value is a number or a named dim, so that the tensor belongs to the arithmetic of
 * shapes. */
static bool all_named(const sg_fact *fact)
{
    for (int64_t i = 0; i < fact->count; ++i) {
        if (fact->values[i].kind == SG_FACT_UNKNOWN) {
            return false;
        }
    }
    return fact->has_values && fact->count > 0;
}

/* Whether the node concatenates data that differs from run to run. */
static bool joins_data(const sg_graph_node *node, const sg_fact *const *inputs,
                       const sg_fact *output)
{
    if (all_named(output)) { /* the user may have given its values */
        return false;
    }
    for (int64_t i = 0; i < node->ninputs; ++i) {
        if (inputs[i] == NULL || (inputs[i]->constant == SG_FACT_VARIES && !all_named(inputs[i]))) {
            return true;
        }
    }
    return node->ninputs == 0; /* reported as an error later */
}

/* --- what is known ---------------------------------------------------------------------------- */

/* A Concat that becomes an op. */
typedef struct joining {
    sg_ops *ops;
    const sg_graph_node *node;
    const char *name;
    const sg_fact *const *inputs;
    const sg_fact *output;
    sg_fact whole;    /* the output, completed from the inputs */
    int64_t axis;     /* counted from 0; -1: unknown, for no input has a rank */
    int64_t *lengths; /* of the inputs along the axis; -1: unknown */
    sg_ops_unresolved *lacking;
    const char *kept; /* why the inputs must be written even if fused; may be NULL */
    /* the cache that it adds to, or NULL; the first input, which lies there already, is then not
     * among the inputs */
    const sg_graph_cache *cache;
    const char *past;
    const sg_fact *past_fact;
} joining;

static sg_diag *diag_of(const joining *j)
{
    return j->ops->diag;
}

static bool has_inputs(const joining *j)
{
    const sg_graph_node *node = j->node;
    for (int64_t i = 0; i < node->ninputs; ++i) {
        if (j->inputs[i] == NULL) {
            return sg_diag_error(diag_of(j), sg_ops_input_span(node, i),
                                 "%s '%s' has no input %" PRId64, node->op_type, j->name, i);
        }
    }
    return node->ninputs > 0 ||
           sg_diag_error(diag_of(j), node->span, "%s '%s' has no input", node->op_type, j->name);
}

static void name_node(const joining *j, sg_op *op)
{
    const sg_graph_node *node = j->node;
    sg_arena *arena = j->ops->arena;
    const char *more =
        node->ninputs > 1 ? sg_arena_printf(arena, " and %" PRId64 " more", node->ninputs - 1) : "";
    sg_ops_say_node(j->ops, op, node->span,
                    sg_arena_printf(arena, "this is %s '%s', which makes '%s' of '%s'%s",
                                    node->op_type, j->name, node->outputs[0], node->inputs[0],
                                    more));
}

/* The declared shape of a tensor that is an input of the model; else NULL. */
static const sg_graph_shape *declared(const joining *j, const char *tensor)
{
    const sg_graph *graph = &j->ops->model->graph;
    const sg_graph_info *input = sg_graph_info_of(graph->inputs, graph->ninputs, tensor);
    return input != NULL ? &input->type.shape : NULL;
}

/* What is known of a dim of an input: its number, or its declared bounds. */
static sg_op_num known_dim(sg_fact_entry dim, const sg_graph_shape *shape, int64_t d, sg_span span)
{
    if (dim.kind == SG_FACT_INT) {
        return (sg_op_num){.value = dim.as.integer, .span = span};
    }
    sg_op_num num = {.unknown = true, .high = INT64_MAX, .span = span};
    if (shape != NULL && d < shape->rank && shape->dims[d].bounded) {
        num.value = shape->dims[d].low;
        num.high = shape->dims[d].high;
    }
    return num;
}

static void fill_known(const joining *j, sg_op *op)
{
    const sg_graph_node *node = j->node;
    sg_arena *arena = j->ops->arena;
    op->outputs = (sg_op_outputs){.present = true, .count = node->ninputs, .span = node->span};
    op->outputs.items = SG_NEW_ARRAY(arena, sg_op_output, node->ninputs);
    for (int64_t i = 0; i < node->ninputs; ++i) {
        const sg_fact *input = j->inputs[i];
        const sg_span span = sg_ops_input_span(node, i);
        sg_op_output *part = &op->outputs.items[i];
        *part = (sg_op_output){.name = node->inputs[i], .wanted = true, .span = span};
        if (input->dtype != SG_GRAPH_DTYPE_UNKNOWN) {
            part->dtype = (sg_op_text){true, sg_dtype_get((sg_dtype)input->dtype)->name, span};
        }
        if (input->has_rank) {
            part->shape = (sg_op_list){.present = true, .count = input->rank, .span = span};
            part->shape.items = SG_NEW_ARRAY(arena, sg_op_num, input->rank);
        }
        const bool lacks = input->has_rank && !sg_fact_shape_known(input);
        const sg_graph_shape *shape = lacks ? declared(j, node->inputs[i]) : NULL;
        for (int64_t d = 0; input->has_rank && d < input->rank; ++d) {
            part->shape.items[d] = known_dim(input->dims[d], shape, d, span);
        }
    }
}

/* Completes the shape of the whole from the inputs. For dims other than the axis a number takes
 * precedence over a name. */
static void merge(joining *j)
{
    j->whole = *j->output;
    int64_t rank = 0; /* the rank of the inputs that have one */
    for (int64_t i = 0; i < j->node->ninputs; ++i) {
        rank = j->inputs[i]->has_rank ? j->inputs[i]->rank : rank;
    }
    sg_fact_entry *dims = SG_NEW_ARRAY(j->ops->arena, sg_fact_entry, rank);
    if (rank > 0 && j->whole.has_rank && j->whole.rank == rank) {
        /* a copy, because other facts share the array */
        memcpy(dims, j->whole.dims, (size_t)rank * sizeof dims[0]);
    }
    j->whole.has_rank = rank > 0;
    j->whole.rank = rank;
    j->whole.dims = dims;
    for (int64_t i = 0; i < j->node->ninputs; ++i) {
        const sg_fact *input = j->inputs[i];
        j->whole.dtype = input->dtype != SG_GRAPH_DTYPE_UNKNOWN ? input->dtype : j->whole.dtype;
        for (int64_t d = 0; input->has_rank && d < rank; ++d) {
            if (d != j->axis &&
                (input->dims[d].kind == SG_FACT_INT || dims[d].kind == SG_FACT_UNKNOWN)) {
                dims[d] = input->dims[d];
            }
        }
    }
}

/* Takes the lengths from the inputs. If one is unknown, it is the length of the whole minus the
 * others. */
static void find_lengths(joining *j)
{
    sg_fact_entry *all = &j->whole.dims[j->axis];
    int64_t sum = 0;
    int64_t nlacking = 0;
    int64_t lacking = -1;
    bool fits = true;
    for (int64_t i = 0; i < j->node->ninputs; ++i) {
        const sg_fact *input = j->inputs[i];
        const bool known = input->has_rank && input->dims[j->axis].kind == SG_FACT_INT;
        j->lengths[i] = known ? input->dims[j->axis].as.integer : -1;
        lacking = known ? lacking : i;
        nlacking += known ? 0 : 1;
        fits = fits && (!known || sg_add64(sum, j->lengths[i], &sum));
    }
    if (nlacking == 0 && fits) {
        *all = (sg_fact_entry){.kind = SG_FACT_INT, .as.integer = sum};
    } else if (nlacking == 1 && j->inputs[lacking]->has_rank && fits && all->kind == SG_FACT_INT &&
               all->as.integer >= sum) {
        j->lengths[lacking] = all->as.integer - sum;
    }
}

/* False if what is known is contradictory, which is reported. */
static bool collect(joining *j, sg_op *op)
{
    const sg_graph_node *node = j->node;
    op->axis = sg_ops_int_attribute(node, "axis");
    if (sg_graph_is_onnx(node)) {
        op->opset = (sg_op_int){true, node->opset, node->span};
    }
    fill_known(j, op);
    name_node(j, op);
    SG_TRY(sg_resolve_known(j->ops->arena, j->ops->diag, op, &j->axis));
    j->lengths = SG_NEW_ARRAY(j->ops->arena, int64_t, node->ninputs);
    memset(j->lengths, -1, (size_t)node->ninputs * sizeof j->lengths[0]);
    merge(j);
    if (j->axis >= 0) {
        find_lengths(j);
    }
    return true;
}

/* --- what is not known ------------------------------------------------------------------------ */

static const char *shape_problem(const joining *j, const char *tensor, const sg_fact *fact)
{
    sg_arena *arena = j->ops->arena;
    return sg_arena_printf(arena, "needs every dim of '%s' as a number, but it is %s", tensor,
                           sg_fact_shape_text(arena, fact));
}

/* Adds a need for each input whose length is unknown. The message is about the first one. */
static void need_lengths(const joining *j)
{
    const sg_graph_node *node = j->node;
    sg_arena *arena = j->ops->arena;
    for (int64_t i = 0; i < node->ninputs; ++i) {
        const sg_fact *input = j->inputs[i];
        const char *tensor = node->inputs[i];
        const bool first = j->lacking->problem[0] == '\0';
        if (j->lengths[i] >= 0) {
            continue;
        }
        if (j->axis < 0 || !input->has_rank) {
            sg_ops_unresolved_shape(j->ops, j->lacking, shape_problem(j, tensor, input), tensor,
                                    input);
        } else {
            sg_ops_unresolved_axis(
                j->ops, j->lacking,
                first ? sg_arena_printf(arena,
                                        "joins along dim %" PRId64
                                        " of '%s' and needs it as a number, but '%s' is %s",
                                        j->axis, tensor, tensor, sg_fact_shape_text(arena, input))
                      : NULL,
                tensor, input, j->axis);
        }
    }
}

/* Whether every dim of the whole except the axis is a number or may be open. */
static bool dims_may_stay(const joining *j)
{
    for (int64_t d = 0; d < j->whole.rank; ++d) {
        if (d != j->axis && !sg_infer_may_stay(j->ops->infer, &j->whole, d)) {
            return false;
        }
    }
    return j->whole.has_rank;
}

static void need_dims(joining *j)
{
    const char *tensor = j->node->outputs[0];
    if (j->axis < 0 || dims_may_stay(j)) {
        return;
    }
    sg_fact rest = j->whole; /* need_lengths() has handled the axis */
    rest.dims = SG_NEW_ARRAY(j->ops->arena, sg_fact_entry, rest.rank);
    memcpy(rest.dims, j->whole.dims, (size_t)rest.rank * sizeof rest.dims[0]);
    rest.dims[j->axis] = (sg_fact_entry){.kind = SG_FACT_INT};
    j->lacking->opens = rest.dtype != SG_GRAPH_DTYPE_UNKNOWN;
    sg_ops_unresolved_shape(j->ops, j->lacking, shape_problem(j, tensor, &j->whole), tensor, &rest);
    j->lacking->opens = false;
}

static void need_type(const joining *j)
{
    const char *tensor = j->node->inputs[0];
    if (j->whole.dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        sg_ops_unresolved_shape(
            j->ops, j->lacking,
            sg_arena_printf(j->ops->arena, "needs the element type of '%s', which is not known",
                            tensor),
            tensor, j->inputs[0]);
    }
}

/* --- ops -------------------------------------------------------------------------------------- */

/* The names of the parts: those of the tensors, with a number appended if a tensor occurs more than
 * once. */
static const char **names_of(const joining *j)
{
    const sg_graph_node *node = j->node;
    const char **names = SG_NEW_ARRAY(j->ops->arena, const char *, node->ninputs);
    sg_nameset seen;
    sg_nameset_init(&seen, j->ops->arena);
    for (int64_t i = 0; i < node->ninputs; ++i) {
        if (sg_nameset_find(&seen, node->inputs[i]) == NULL) {
            sg_nameset_add(&seen, node->inputs[i], i);
            names[i] = node->inputs[i];
        }
    }
    for (int64_t i = 0; i < node->ninputs; ++i) {
        names[i] = names[i] != NULL ? names[i] : sg_nameset_unique(&seen, node->inputs[i]);
    }
    return names;
}

/* The shape of the whole with another length on the axis. */
static sg_op_list shape_of_part(sg_arena *arena, const sg_op_list *whole, int64_t axis,
                                sg_op_num length, sg_span span)
{
    sg_op_list list = *whole;
    list.items = SG_NEW_ARRAY(arena, sg_op_num, list.count);
    memcpy(list.items, whole->items, (size_t)list.count * sizeof list.items[0]);
    list.items[axis] = length;
    list.span = span;
    return list;
}

static void fill_parts(const joining *j, sg_op *op)
{
    const sg_graph_node *node = j->node;
    sg_arena *arena = j->ops->arena;
    const int64_t count = node->ninputs;
    const char **names = names_of(j);
    op->outputs = (sg_op_outputs){.present = true, .count = count, .span = node->span};
    op->outputs.items = SG_NEW_ARRAY(arena, sg_op_output, count);
    op->lengths = (sg_op_list){.present = true, .count = count, .span = node->span};
    op->lengths.items = SG_NEW_ARRAY(arena, sg_op_num, count);
    for (int64_t i = 0; i < count; ++i) {
        const sg_span span = sg_ops_input_span(node, i);
        const sg_op_num length = {.value = j->lengths[i], .span = span};
        op->lengths.items[i] = length;
        op->outputs.items[i] =
            (sg_op_output){.name = names[i],
                           .wanted = true,
                           .span = span,
                           .dtype = op->dtype,
                           .shape = shape_of_part(arena, &op->shape, j->axis, length, span),
                           .data = sg_fact_bytes(arena, j->inputs[i], j->whole.dtype)};
    }
}

/* If the Concat adds to a cache, leaves only what it adds. */
static bool leave_past(joining *j, sg_infer_scope *scope, sg_op *op)
{
    if (j->axis < 0 || j->ops->options->ncaches == 0) {
        return true;
    }
    SG_TRY(sg_ops_cache_of(j->ops, scope, j->node, j->inputs, j->axis, &j->cache));
    if (j->cache == NULL) {
        return true;
    }
    sg_graph_node *rest = SG_NEW(j->ops->arena, sg_graph_node);
    *rest = *j->node;
    rest->inputs++;
    rest->ninputs--;
    if (rest->input_spans != NULL) {
        rest->input_spans++;
    }
    j->past = j->node->inputs[0];
    j->past_fact = j->inputs[0];
    j->node = rest;
    j->inputs++;
    return collect(j, op);
}

static sg_op_origin *origin_of(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node)
{
    sg_op_origin *origin = sg_ops_origin(ops, scope, node);
    origin->input = node->outputs[0];
    origin->outputs = node->inputs;
    origin->noutputs = node->ninputs;
    origin->unread = NULL;
    return origin;
}

/* Fills the op. Returns false if an error was reported or the Concat stays unresolved. */
static bool fill(joining *j, sg_infer_scope *scope, sg_op *op)
{
    const sg_graph_node *node = j->node;
    sg_fact_fault *own = j->output->fault;
    sg_fact_fault *before = sg_infer_fault_among(node, j->inputs);
    if (before != NULL) {
        sg_ops_fault_report(j->ops, before, node, j->name);
        return false;
    }
    if (!has_inputs(j) || !collect(j, op) || !leave_past(j, scope, op)) {
        (void)sg_ops_fault_mark(j->ops, own, false);
        return false;
    }
    if (own != NULL) {
        sg_ops_fault_report(j->ops, own, node, j->name);
        return false;
    }
    need_lengths(j);
    need_dims(j);
    need_type(j);
    if (j->lacking->needs.count > 0) {
        sg_ops_unresolved_add(j->ops, j->lacking);
        return false;
    }
    op->dtype = (sg_op_text){true, sg_dtype_get((sg_dtype)j->whole.dtype)->name, node->span};
    op->shape = sg_ops_open_shape(j->ops, &j->whole, node->span);
    fill_parts(j, op);
    op->origin = origin_of(j->ops, scope, j->node);
    op->origin->kept = j->kept;
    op->origin->past = j->past;
    return j->cache == NULL ||
           sg_ops_cache_fill(j->ops, j->cache, j->node, j->past_fact, &j->whole, j->axis, op);
}

static sg_op *new_op(const joining *j, sg_op_array *list)
{
    const sg_op_kind kind = sg_graph_is_onnx(j->node) ? SG_OP_ONNX_CONCAT : SG_OP_OPENVINO_CONCAT;
    sg_op *op = sg_op_new(j->ops->arena, list, kind, j->node->span);
    op->subject->name = sg_name_from(j->ops->arena, sg_str_from(j->name));
    op->subject->unclear = true; /* a position in a binary says little, so messages name the node */
    return op;
}

/* NULL if the Concat stays unresolved or an error was reported. */
static sg_op *make_op(joining *j, sg_infer_scope *scope)
{
    sg_ops *ops = j->ops;
    sg_op *op = new_op(j, ops->list);
    if (!fill(j, scope, op)) {
        --ops->list->count;
        ops->failed = ops->failed || !j->lacking->complete;
        return NULL;
    }
    sg_ops_made(ops, scope, op);
    return op;
}

bool sg_ops_check_concat(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs)
{
    const size_t before = ops->diag->errors;
    joining j = {.ops = ops,
                 .node = node,
                 .name = sg_graph_node_name(node),
                 .inputs = inputs,
                 .output = sg_fact_new(ops->arena)};
    sg_op_array list = {0};
    (void)(has_inputs(&j) && collect(&j, new_op(&j, &list)));
    return ops->diag->errors > before;
}

void sg_ops_concat(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                   const sg_fact *const *inputs, const sg_fact *output, const char *kept)
{
    if (!joins_data(node, inputs, output)) {
        return;
    }
    sg_graph_count(ops->options, SG_GRAPH_OPS_CONCAT);
    if (!sg_graph_takes(ops->options, SG_GRAPH_OPS_CONCAT)) {
        return;
    }
    const char *name = sg_graph_node_name(node);
    joining j = {
        .ops = ops, .node = node, .name = name, .inputs = inputs, .output = output, .kept = kept};
    j.lacking = sg_ops_unresolved_new(ops, node, name);
    const bool chosen = sg_graph_is_chosen(ops->options, name);
    sg_op *op = chosen ? make_op(&j, scope) : NULL;
    sg_ops_name_later(
        ops, (sg_ops_named){
                 .joins = true, .order = sg_infer_visits(ops->infer), .name = name, .op = op});
}
