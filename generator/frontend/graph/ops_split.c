/* Makes ops of Splits. It checks only whether enough is known; sg_resolve() checks the rest. */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "frontend/graph/ops_engine.h"
#include "shapes/operators.h"
#include "split/names.h"
#include "split/resolve.h"

#define AXIS_INPUT    1 /* of OpenVINO's operators */
#define LENGTHS_INPUT 2
#define SPLIT_INPUT   1 /* of ONNX's Split since Split-13 */
#define SPLIT_13      13

/* --- what is not known ------------------------------------------------------------------------ */

/* A Split that becomes an op. */
typedef struct sg_ops_making {
    sg_ops *ops;
    const sg_graph_node *node;
    const char *name;
    sg_ops_unresolved *lacking; /* its needs */
} sg_ops_making;

static bool has_input(const sg_ops_making *making, const sg_fact *fact)
{
    return (making->node->ninputs > 0 && fact != NULL) ||
           sg_diag_error(making->ops->diag, making->node->span, "%s '%s' has no input",
                         making->node->op_type, making->name);
}

/* Whether the axis has a length. Otherwise the Split stays unresolved. */
static bool axis_has_number(const sg_ops_making *making, const sg_fact *fact, int64_t axis)
{
    sg_arena *arena = making->ops->arena;
    const char *tensor = making->node->inputs[0];
    if (axis < 0 || fact->dims[axis].kind == SG_FACT_INT) {
        return true;
    }
    sg_ops_unresolved_axis(making->ops, making->lacking,
                           sg_arena_printf(arena,
                                           "cuts dim %" PRId64
                                           " of '%s' and needs it as a number, but '%s' is %s",
                                           axis, tensor, tensor, sg_fact_shape_text(arena, fact)),
                           tensor, fact, axis);
    return false;
}

/* Whether all dims without a number may be open. Otherwise the Split stays unresolved. */
static bool dims_may_stay(const sg_ops_making *making, const sg_fact *fact, bool opens)
{
    bool all = fact->has_rank;
    for (int64_t i = 0; all && i < fact->rank; ++i) {
        all = sg_infer_may_stay(making->ops->infer, fact, i);
    }
    if (!all) {
        making->lacking->opens = opens && fact->has_rank;
        sg_ops_unresolved_shape(
            making->ops, making->lacking,
            sg_arena_printf(making->ops->arena, "needs every dim of '%s' as a number, but it is %s",
                            making->node->inputs[0], sg_fact_shape_text(making->ops->arena, fact)),
            making->node->inputs[0], fact);
        making->lacking->opens = false;
    }
    return all;
}

/* Whether type and shape are known. Otherwise the Split stays unresolved. axis: -1 if unknown. */
static bool shape_is_known(const sg_ops_making *making, const sg_fact *fact, int64_t axis)
{
    const char *tensor = making->node->inputs[0];
    const bool axis_known = axis_has_number(making, fact, axis);
    if (!dims_may_stay(making, fact, fact->dtype != SG_GRAPH_DTYPE_UNKNOWN) || !axis_known) {
        return false;
    }
    if (fact->dtype == SG_GRAPH_DTYPE_UNKNOWN) {
        sg_ops_unresolved_shape(
            making->ops, making->lacking,
            sg_arena_printf(making->ops->arena,
                            "needs the element type of '%s', which is not known", tensor),
            tensor, fact);
        return false;
    }
    return true;
}

sg_span sg_ops_input_span(const sg_graph_node *node, int64_t i)
{
    return node->input_spans != NULL && i < node->ninputs ? node->input_spans[i] : node->span;
}

/* Split-1 stores its lengths in the element type of the tensor, which is a float. */
static bool is_whole(sg_fact_entry entry)
{
    const double limit = 9007199254740992.0; /* a double holds every integer up to here */
    return entry.kind == SG_FACT_FLOAT && entry.as.real >= -limit && entry.as.real <= limit &&
           (double)(int64_t)entry.as.real == entry.as.real;
}

static int64_t integer_of(sg_fact_entry entry)
{
    return entry.kind == SG_FACT_FLOAT ? (int64_t)entry.as.real : entry.as.integer;
}

/* "'x' is [N, 2]" if some of its values have names, else "the value of 'x' is not known". */
static const char *value_text(sg_arena *arena, const char *tensor, const sg_fact *fact)
{
    bool named = false;
    for (int64_t i = 0; fact->has_values && i < fact->count; ++i) {
        named = named || fact->values[i].kind == SG_FACT_SUM;
    }
    const sg_fact list = {.has_rank = true, .rank = fact->count, .dims = fact->values};
    return named ? sg_arena_printf(arena, "'%s' is %s", tensor, sg_fact_shape_text(arena, &list))
                 : sg_arena_printf(arena, "the value of '%s' is not known", tensor);
}

/* Checks that the values of input i, which is the `what` of the Split, are integers. *unresolved:
 * they are not known yet. */
static bool ints_are_known(const sg_ops_making *making, const sg_fact *fact, int64_t i,
                           const char *what, bool *unresolved)
{
    const sg_graph_node *node = making->node;
    const char *tensor = node->inputs[i];
    const bool takes_floats = sg_graph_is_onnx(node) && node->opset == 1;
    for (int64_t v = 0; fact->has_values && v < fact->count; ++v) {
        const sg_fact_entry entry = fact->values[v];
        if (entry.kind == SG_FACT_FLOAT && !(takes_floats && is_whole(entry))) {
            return sg_diag_error(making->ops->diag, sg_ops_input_span(node, i),
                                 "%s '%s' takes its %s as %s, but '%s' holds %.9g%s", node->op_type,
                                 making->name, what, takes_floats ? "whole numbers" : "integers",
                                 tensor, entry.as.real, takes_floats ? "" : ", a float: cast it");
        }
    }
    if (!sg_fact_values_known(fact)) {
        sg_ops_unresolved_value(making->ops, making->lacking,
                                sg_arena_printf(making->ops->arena, "needs its %s, but %s", what,
                                                value_text(making->ops->arena, tensor, fact)),
                                tensor, fact);
        *unresolved = true;
    }
    return true;
}

/* --- ops -------------------------------------------------------------------------------------- */

static sg_op_list list_of(sg_arena *arena, const int64_t *ints, const sg_span *spans, int64_t count,
                          sg_span span)
{
    sg_op_list list = {.present = true, .count = count, .span = span};
    list.items = SG_NEW_ARRAY(arena, sg_op_num, count);
    for (int64_t i = 0; i < count; ++i) {
        list.items[i].value = ints[i];
        list.items[i].span = spans != NULL && spans[i].source != NULL ? spans[i] : span;
    }
    return list;
}

static sg_op_list list_of_entries(sg_arena *arena, const sg_fact_entry *entries, int64_t count,
                                  const sg_span *spans, sg_span span)
{
    int64_t *ints = SG_NEW_ARRAY(arena, int64_t, count);
    for (int64_t i = 0; i < count; ++i) {
        ints[i] = integer_of(entries[i]);
    }
    /* If all entries are written in one place, the span covers all of them. */
    if (spans != NULL && count > 0 && spans[0].source != NULL &&
        spans[0].source == spans[count - 1].source && spans[0].begin <= spans[count - 1].end) {
        span = sg_span_make(spans[0].source, spans[0].begin, spans[count - 1].end);
    }
    return list_of(arena, ints, spans, count, span);
}

/* The list with its place: where the constant is written, if known, is better than where it is
 * used. */
static sg_op_list list_of_values(sg_arena *arena, const sg_fact *fact, sg_span span)
{
    return list_of_entries(arena, fact->values, fact->count, fact->spans,
                           fact->place.source != NULL ? fact->place : span);
}

sg_op_int sg_ops_int_attribute(const sg_graph_node *node, const char *name)
{
    const sg_graph_attribute *attribute = sg_graph_attribute_of(node, name);
    if (attribute == NULL || attribute->kind != SG_GRAPH_ATTRIBUTE_INT || attribute->count < 1) {
        return (sg_op_int){.present = false};
    }
    const bool has_span = attribute->spans != NULL && attribute->spans[0].source != NULL;
    return (sg_op_int){.present = true,
                       .value = attribute->ints[0],
                       .span = has_span ? attribute->spans[0] : attribute->span};
}

/* Split has one input from opset 2 to 12. Tools disagree on what a second one means there. */
static bool inputs_are_few(const sg_ops_making *making)
{
    const sg_graph_node *node = making->node;
    sg_diag *diag = making->ops->diag;
    for (int64_t i = SPLIT_INPUT + 1; i < node->ninputs; ++i) {
        if (node->inputs[i][0] != '\0') {
            return sg_diag_error(diag, sg_ops_input_span(node, i),
                                 "Split '%s' has %" PRId64
                                 " inputs, but no Split of ONNX has more than the tensor and its "
                                 "lengths",
                                 making->name, node->ninputs);
        }
    }
    if (node->ninputs > SPLIT_INPUT && node->inputs[SPLIT_INPUT][0] != '\0' && node->opset > 1 &&
        node->opset < SPLIT_13) {
        sg_diag_warn(diag, sg_ops_input_span(node, SPLIT_INPUT),
                     "Split has one input at opset %" PRId64
                     ", but '%s' has a second one, '%s': %s",
                     node->opset, making->name, node->inputs[SPLIT_INPUT],
                     sg_graph_attribute_of(node, "split") != NULL
                         ? "it is left alone, and the attribute 'split' has the lengths"
                         : "it is taken for the lengths, as since opset 13");
    }
    return true;
}

static bool lengths_are_i64(const sg_ops_making *making, const sg_fact *lengths)
{
    if (lengths->dtype == SG_GRAPH_DTYPE_UNKNOWN || lengths->dtype == SG_DTYPE_I64) {
        return true;
    }
    const sg_graph_node *node = making->node;
    return sg_diag_error(making->ops->diag, sg_ops_input_span(node, SPLIT_INPUT),
                         "the lengths of Split '%s' are a tensor of i64, but '%s' is %s: cast it",
                         making->name, node->inputs[SPLIT_INPUT],
                         sg_dtype_get((sg_dtype)lengths->dtype)->name);
}

static bool fill_onnx(const sg_ops_making *making, const sg_fact *const *inputs, sg_op *op)
{
    sg_ops *ops = making->ops;
    const sg_graph_node *node = making->node;
    op->opset = (sg_op_int){true, node->opset, node->span};
    op->axis = sg_ops_int_attribute(node, "axis");
    op->parts = sg_ops_int_attribute(node, "num_outputs");
    SG_TRY(inputs_are_few(making));
    const sg_graph_attribute *split = sg_graph_attribute_of(node, "split");
    if (split != NULL && split->kind == SG_GRAPH_ATTRIBUTE_INTS) {
        if (node->opset >= SPLIT_13) {
            return sg_diag_error(
                ops->diag, split->span,
                "'split' is an input of Split since opset %d, but at opset %" PRId64
                " '%s' has it as an attribute",
                SPLIT_13, node->opset, making->name);
        }
        op->lengths = list_of(ops->arena, split->ints, split->spans, split->count, split->span);
        return true;
    }
    const sg_fact *given = node->ninputs > SPLIT_INPUT ? inputs[SPLIT_INPUT] : NULL;
    if (given == NULL) {
        return true;
    }
    if (node->opset == 0 || node->opset >= SPLIT_13) {
        SG_TRY(lengths_are_i64(making, given));
    }
    bool unresolved = false;
    SG_TRY(ints_are_known(making, given, SPLIT_INPUT, "lengths", &unresolved));
    if (unresolved) {
        return true;
    }
    if (given->has_rank && given->rank != 1) {
        return sg_diag_error(ops->diag, sg_ops_input_span(node, SPLIT_INPUT),
                             "the lengths of Split '%s' are a tensor of rank 1, but '%s' has rank "
                             "%" PRId64,
                             making->name, node->inputs[SPLIT_INPUT], given->rank);
    }
    op->lengths = list_of_values(ops->arena, given, sg_ops_input_span(node, SPLIT_INPUT));
    return true;
}

/* VariadicSplit also accepts a list of one axis. A port without dims may be a scalar. */
static bool axis_is_scalar(const sg_ops_making *making, const sg_fact *axis, bool variadic)
{
    const bool one = axis->count == 1 && (!axis->has_rank || axis->rank <= (variadic ? 1 : 0));
    return one ||
           sg_diag_error(making->ops->diag, sg_ops_input_span(making->node, AXIS_INPUT),
                         "the axis of %s '%s' is a scalar%s, but '%s' is %s", making->node->op_type,
                         making->name, variadic ? " or a list of one" : "",
                         making->node->inputs[AXIS_INPUT],
                         sg_fact_shape_text(making->ops->arena, axis));
}

static bool fill_openvino(const sg_ops_making *making, const sg_fact *const *inputs, sg_op *op)
{
    sg_ops *ops = making->ops;
    const sg_graph_node *node = making->node;
    const bool variadic = op->kind == SG_OP_OPENVINO_VARIADIC;
    const int64_t needed = variadic ? LENGTHS_INPUT : AXIS_INPUT;
    if (node->ninputs <= needed || inputs[AXIS_INPUT] == NULL || inputs[needed] == NULL) {
        return sg_diag_error(ops->diag, node->span, "%s '%s' has %" PRId64 " inputs, not %" PRId64,
                             node->op_type, making->name, node->ninputs, needed + 1);
    }
    const sg_fact *axis = inputs[AXIS_INPUT];
    const sg_fact *lengths = inputs[needed];
    bool unresolved = false;
    SG_TRY(ints_are_known(making, axis, AXIS_INPUT, "axis", &unresolved));
    SG_TRY(!variadic || ints_are_known(making, lengths, LENGTHS_INPUT, "lengths", &unresolved));
    if (unresolved) {
        return true;
    }
    SG_TRY(axis_is_scalar(making, axis, variadic));
    op->axis_rank = axis->has_rank ? axis->rank : 0;
    op->axis_count = axis->count;
    op->axis = (sg_op_int){axis->count > 0, axis->count > 0 ? axis->values[0].as.integer : 0,
                           sg_ops_input_span(node, AXIS_INPUT)};
    if (!variadic) {
        op->parts = sg_ops_int_attribute(node, "num_splits");
        return true;
    }
    if (lengths->has_rank && lengths->rank != 1) {
        return sg_diag_error(ops->diag, sg_ops_input_span(node, LENGTHS_INPUT),
                             "the lengths of VariadicSplit '%s' are a tensor of rank 1, but '%s' "
                             "has rank %" PRId64,
                             making->name, node->inputs[LENGTHS_INPUT], lengths->rank);
    }
    op->lengths = list_of_values(ops->arena, lengths, sg_ops_input_span(node, LENGTHS_INPUT));
    return true;
}

static sg_op_outputs outputs_of(sg_arena *arena, const sg_graph_node *node)
{
    sg_op_outputs outputs = {.present = true, .count = node->noutputs, .span = node->span};
    outputs.items = SG_NEW_ARRAY(arena, sg_op_output, node->noutputs);
    for (int64_t i = 0; i < node->noutputs; ++i) {
        sg_op_output *output = &outputs.items[i];
        output->wanted = node->outputs[i][0] != '\0';
        output->name = output->wanted ? node->outputs[i] : NULL;
        output->span = node->output_spans != NULL ? node->output_spans[i] : node->span;
    }
    return outputs;
}

bool sg_ops_in_branch(const sg_ops *ops, const sg_infer_scope *scope)
{
    for (const sg_infer_path *p = scope->path; p != NULL; p = p->outer) {
        if (sg_infer_function(ops->infer, p->node) == NULL) {
            return true;
        }
    }
    return false;
}

sg_op_origin *sg_ops_origin(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node)
{
    sg_op_origin *origin = SG_NEW(ops->arena, sg_op_origin);
    *origin = (sg_op_origin){.model = ops->model->source->name,
                             .node = node->name,
                             .op_type = node->op_type,
                             .domain = node->domain,
                             .path = sg_infer_path_names(ops->arena, scope->path),
                             .npath = scope->path != NULL ? scope->path->depth : 0,
                             .graph = sg_ops_graph_of(ops, scope),
                             .in_branch = sg_ops_in_branch(ops, scope),
                             .input = node->inputs[0],
                             .outputs = node->outputs,
                             .noutputs = node->noutputs};
    bool *unread = SG_NEW_ARRAY(ops->arena, bool, node->noutputs);
    for (int64_t o = 0; o < node->noutputs; ++o) {
        unread[o] = !sg_ops_is_read(ops, scope, node->outputs[o]);
    }
    origin->unread = unread;
    return origin;
}

void sg_ops_leave_unread(const sg_ops *ops, sg_op *op)
{
    for (int64_t i = 0; ops->options->only_read && i < op->outputs.count; ++i) {
        op->outputs.items[i].wanted = op->outputs.items[i].wanted && !op->origin->unread[i];
    }
}

void sg_ops_say_node(const sg_ops *ops, sg_op *op, sg_span span, const char *text)
{
    if (ops->model->source->binary) {
        sg_caller *caller = SG_NEW(ops->arena, sg_caller);
        *caller = (sg_caller){.span = span, .text = text};
        op->subject->callers = caller;
        op->subject->ncallers = 1;
    }
}

static void name_node(const sg_ops_making *making, sg_op *op)
{
    const sg_graph_node *node = making->node;
    sg_arena *arena = making->ops->arena;
    const int lengths = sg_operator_of(node)->what.input;
    const bool given = lengths >= 0 && node->ninputs > lengths && node->inputs[lengths][0] != '\0';
    sg_ops_say_node(making->ops, op, node->span,
                    sg_arena_printf(arena, "this is %s '%s', which splits '%s'%s%s%s",
                                    node->op_type, making->name, node->inputs[0],
                                    given ? " by the lengths in '" : "",
                                    given ? node->inputs[lengths] : "", given ? "'" : ""));
}

static void fill_shape(const sg_ops_making *making, const sg_fact *data, int64_t axis, sg_op *op)
{
    const sg_graph_node *node = making->node;
    if (shape_is_known(making, data, axis)) {
        op->dtype = (sg_op_text){true, sg_dtype_get((sg_dtype)data->dtype)->name,
                                 sg_ops_input_span(node, 0)};
        op->shape = sg_ops_open_shape(making->ops, data, sg_ops_input_span(node, 0));
    }
}

void sg_ops_fill_shape(sg_ops *ops, sg_ops_unresolved *lacking, const sg_fact *data, int64_t axis,
                       sg_op *op)
{
    const sg_ops_making making = {ops, lacking->node, lacking->name, lacking};
    fill_shape(&making, data, axis, op);
}

/* Fills the op as far as possible. What is unknown is added to making->lacking. Returns false if an
 * error was reported. */
static bool fill(const sg_ops_making *making, const sg_fact *const *inputs, sg_op *op)
{
    const sg_graph_node *node = making->node;
    const sg_fact *data = node->ninputs > 0 ? inputs[0] : NULL;
    SG_TRY(has_input(making, data));
    fill_shape(making, data, data->has_rank ? sg_operator_axis(node, inputs, data->rank) : -1, op);
    op->outputs = outputs_of(making->ops->arena, node);
    SG_TRY(sg_graph_is_onnx(node) ? fill_onnx(making, inputs, op)
                                  : fill_openvino(making, inputs, op));
    return true;
}

static sg_op *new_op(sg_ops *ops, sg_op_array *list, const sg_graph_node *node, const char *kernel)
{
    const sg_op_kind kind = sg_graph_is_onnx(node)                    ? SG_OP_ONNX_SPLIT
                            : strcasecmp(node->op_type, "Split") == 0 ? SG_OP_OPENVINO_SPLIT
                                                                      : SG_OP_OPENVINO_VARIADIC;
    sg_op *op = sg_op_new(ops->arena, list, kind, node->span);
    op->name = (sg_op_text){true, kernel, node->span};
    op->default_name = kernel;
    op->subject->name = kernel;
    return op;
}

/* Later messages name the node, because a position in a binary says little. */
static void describe(const sg_ops_making *making, sg_op *op)
{
    op->subject->unclear = true;
    name_node(making, op);
}

bool sg_ops_check_split(sg_ops *ops, const sg_graph_node *node, const sg_fact *const *inputs)
{
    const size_t before = ops->diag->errors;
    const char *name = sg_graph_node_name(node);
    const sg_ops_making making = {ops, node, name, sg_ops_unresolved_new(ops, node, name)};
    sg_op_array list = {0};
    sg_op *op = new_op(ops, &list, node, sg_name_from(ops->arena, sg_str_from(name)));
    if (fill(&making, inputs, op) && making.lacking->needs.count == 0) {
        const sg_resolve_options options = {.prefix = ""};
        describe(&making, op);
        (void)sg_resolve(ops->arena, ops->diag, op, &options);
    }
    return ops->diag->errors > before;
}

/* Fills the op. Returns false if the Split stays unresolved or fails; that has been reported or
 * will be. */
static bool settle(const sg_ops_making *making, const sg_fact *const *inputs, sg_fact_fault *own,
                   sg_op *op)
{
    sg_ops *ops = making->ops;
    sg_fact_fault *before = sg_infer_fault_among(making->node, inputs);
    if (before != NULL) {
        sg_ops_fault_report(ops, before, making->node, making->name);
        return false;
    }
    if (!fill(making, inputs, op)) {
        (void)sg_ops_fault_mark(ops, own, false);
        return false;
    }
    if (making->lacking->needs.count == 0) {
        if (own != NULL) {
            sg_ops_fault_later(ops, own);
        }
        return true;
    }
    /* sg_resolve() reports it once the op is no longer unresolved */
    (void)sg_ops_fault_mark(ops, own, ops->options->skip_unresolved);
    sg_ops_unresolved_add(ops, making->lacking);
    return false;
}

void sg_ops_split(sg_ops *ops, sg_infer_scope *scope, const sg_graph_node *node,
                  const sg_fact *const *inputs, sg_fact_fault *own)
{
    const char *name = sg_graph_node_name(node);
    const sg_ops_making making = {ops, node, name, sg_ops_unresolved_new(ops, node, name)};
    /* Splits that are not selected take their names too, so that --only renames no kernel. */
    const char *kernel =
        sg_nameset_unique(&ops->kernels, sg_name_from(ops->arena, sg_str_from(making.name)));
    sg_graph_count(ops->options, SG_GRAPH_OPS_SPLIT);
    if (!sg_graph_is_chosen(ops->options, making.name) ||
        !sg_graph_takes(ops->options, SG_GRAPH_OPS_SPLIT)) {
        return;
    }
    sg_op *op = new_op(ops, ops->list, node, kernel);
    if (settle(&making, inputs, own, op)) {
        describe(&making, op);
        op->origin = sg_ops_origin(ops, scope, node);
        sg_ops_leave_unread(ops, op);
        sg_ops_made(ops, scope, op);
    } else {
        --ops->list->count;
        ops->failed = ops->failed || !making.lacking->complete;
    }
}
