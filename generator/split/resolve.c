/* Checks an op against every rule in order, and builds the split if there was no error. The rules
 * are in resolve_*.c by topic; those on versions and symbols are here. */
#include "split/resolve.h"

#include <string.h>

#include "split/names.h"
#include "split/nameset.h"
#include "split/resolve_rules.h"

/* onnx/defs/operator_sets.h: the schema an opset import selects. */
static void check_opset(sg_check *check)
{
    const sg_op_int *opset = &check->op->opset;
    if (!sg_op_is_onnx(check->op->kind)) {
        return;
    }
    if (!opset->present) {
        sg_diag_error(check->diag, check->op->span,
                      "'opset' is missing: the rules of ONNX %s depend on it",
                      sg_check_operator(check));
        return;
    }
    if (opset->value < 1) {
        sg_diag_error(check->diag, opset->span, "'opset' must be at least 1, but is %lld",
                      (long long)opset->value);
        return;
    }
    static const int of_split[] = {18, 13, 11, 2, 1};
    static const int of_concat[] = {13, 11, 4, 1};
    const int *since = sg_op_joins(check->op->kind) ? of_concat : of_split;
    while (opset->value < *since) {
        since++;
    }
    check->version = *since;
}

static void check_length(const sg_check *check, sg_span span, const char *what, const char *text)
{
    const size_t len = text != NULL ? strlen(text) : 0;
    if (len > SG_NAME_MAX) {
        sg_diag_error(check->diag, span, "%s has %zu bytes; names have at most %d", what, len,
                      SG_NAME_MAX);
    }
}

static void check_dim_names(const sg_check *check, const sg_op_list *shape)
{
    for (int64_t i = 0; shape->present && i < shape->count; i++) {
        const sg_op_num *dim = &shape->items[i];
        for (int64_t o = 0; o < dim->nopen; o++) {
            check_length(check, dim->span, "the name of an open dimension", dim->open[o].name);
        }
    }
}

/* Checks the lengths of all names before any other rule reads them or repeats them in a message. */
static void check_lengths_of_names(sg_check *check)
{
    const sg_op *op = check->op;
    const sg_op_origin *origin = op->origin;
    const char *part_name =
        sg_op_joins(op->kind) ? "the name of an input" : "the name of an output";
    const sg_span name_span = op->name.present ? op->name.span : op->span;
    const char *name = op->name.present ? op->name.text : op->default_name;
    const size_t len = strlen(check->prefix) + strlen(name);
    if (len > SG_NAME_MAX) {
        sg_diag_error(check->diag, name_span,
                      "the kernel's name has %zu bytes%s; names have at most %d", len,
                      check->prefix[0] != '\0' ? " with its prefix" : "", SG_NAME_MAX);
    }
    if (op->dtype.present) {
        check_length(check, op->dtype.span, "the element type", op->dtype.text);
    }
    if (op->packing.present) {
        check_length(check, op->packing.span, "the packing", op->packing.text);
    }
    check_dim_names(check, &op->shape);
    for (int64_t i = 0; !op->outputs.is_count && i < op->outputs.count; i++) {
        const sg_op_output *part = &op->outputs.items[i];
        check_length(check, part->span, part_name, part->name);
        check_length(check, part->span, "the element type",
                     part->dtype.present ? part->dtype.text : NULL);
        check_dim_names(check, &part->shape);
    }
    if (origin != NULL) {
        check_length(check, op->span, "the name of the node", origin->node);
        check_length(check, op->span,
                     sg_op_joins(op->kind) ? "the name of the tensor that is made"
                                           : "the name of the tensor that is split",
                     origin->input);
        for (int64_t i = 0; i < origin->noutputs; i++) {
            check_length(check, op->span, part_name, origin->outputs[i]);
        }
        for (int64_t i = 0; i < origin->nnodes; i++) {
            check_length(check, op->span, "the name of a node", origin->nodes[i]);
        }
        for (int64_t i = 0; i < origin->npath; i++) {
            check_length(check, op->span, "the name of a node around this one", origin->path[i]);
        }
    }
}

static void check_name(sg_check *check)
{
    const sg_op *op = check->op;
    const char *name = op->name.present ? op->name.text : op->default_name;
    char *symbol = sg_arena_printf(check->arena, "%s%s", check->prefix, name);
    const char *problem = sg_name_problem(symbol);
    if (problem != NULL) {
        sg_diag_error(check->diag, op->name.present ? op->name.span : op->span,
                      "kernel name '%s' %s; '%s' would do", sg_check_quote(check, symbol), problem,
                      sg_check_quote(check, sg_name_from(check->arena, sg_str_from(symbol))));
    }
    check->split->name = symbol;
}

static void build(sg_check *check)
{
    sg_split *split = check->split;
    split->outer.factor = 1;
    for (int i = 0; i < split->axis; i++) {
        split->outer.factor = sg_check_product(split->outer.factor, split->dims[i]);
    }
    split->inner.factor = 1;
    for (int i = split->axis + 1; i < split->rank; i++) {
        split->inner.factor = sg_check_product(split->inner.factor, split->dims[i]);
    }
    int64_t slice = sg_check_product(split->outer.factor, split->inner.factor);
    split->elements = sg_check_product(slice, split->dims[split->axis]);
    split->joins = sg_op_joins(check->op->kind);

    split->parts = SG_NEW_ARRAY(check->arena, sg_part, split->nparts);
    int64_t start = 0;
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        part->start = start;
        part->length = check->lengths[i];
        part->elements = sg_check_product(slice, part->length);
        start += part->length; /* the lengths sum to the dim of the axis */
    }
    sg_check_spans(check);
    sg_check_name_outputs(check);
}

/* The rules in the order in which they run. The ids appear in JSON diagnostics, where other
 * programs read them, so they must not change. */
static const struct {
    const char *id;
    void (*check)(sg_check *check);
} rules[] = {
    {"dtype", sg_check_dtype},   {"packing", sg_check_packing}, {"align", sg_check_align},
    {"shape", sg_check_shape},   {"axis", sg_check_axis},       {"free", sg_check_free},
    {"lengths", sg_check_parts}, {"outputs", sg_check_outputs}, {"row_stride", sg_check_strides},
};

/* Rules that need no tensor; then the inputs of a standard's Concat, which the other rules depend
 * on. */
static bool check_head(sg_check *check)
{
    sg_diag_set_rule(check->diag, "opset");
    check_opset(check);
    sg_diag_set_rule(check->diag, "name");
    check_name(check);
    sg_diag_set_rule(check->diag, "inputs");
    return !sg_op_infers(check->op->kind) || sg_check_inputs(check);
}

bool sg_resolve_known(sg_arena *arena, sg_diag *diag, const sg_op *op, int64_t *axis)
{
    const size_t errors = diag->errors;
    sg_check check = {.arena = arena,
                      .diag = diag,
                      .op = op,
                      .prefix = "",
                      .partial = true,
                      .split = SG_NEW(arena, sg_split)};
    const char *rule = diag->rule;
    sg_diag_set_subject(diag, op->subject);
    sg_diag_set_rule(diag, "opset");
    check_opset(&check);
    sg_diag_set_rule(diag, "inputs");
    if (diag->errors == errors && sg_check_inputs(&check)) {
        sg_diag_set_rule(diag, "axis");
        check.split->rank = (int)check.op->shape.count;
        check.rank_known = check.op->shape.present;
        sg_check_axis(&check);
    }
    *axis = check.axis_known ? check.split->axis : -1;
    sg_diag_set_subject(diag, NULL);
    sg_diag_set_rule(diag, rule);
    return diag->errors == errors;
}

sg_split *sg_resolve(sg_arena *arena, sg_diag *diag, const sg_op *op,
                     const sg_resolve_options *options)
{
    const size_t errors = diag->errors;
    sg_check check = {.arena = arena,
                      .diag = diag,
                      .op = op,
                      .prefix = options->prefix,
                      .split = SG_NEW(arena, sg_split)};
    check.split->op = op;
    if (op->subject->name == NULL) {
        op->subject->name = op->name.present ? op->name.text : op->default_name;
    }
    const char *rule = diag->rule;
    sg_diag_set_subject(diag, op->subject);
    sg_diag_set_rule(diag, "name");
    check_lengths_of_names(&check);
    const bool known = diag->errors == errors && check_head(&check);
    const size_t nrules = known ? sizeof rules / sizeof rules[0] : 0;
    for (size_t i = 0; i < nrules; i++) {
        sg_diag_set_rule(diag, rules[i].id);
        rules[i].check(&check);
    }
    if (diag->errors == errors) {
        build(&check);
        sg_diag_set_rule(diag, "packing");
        sg_check_groups(&check);
        sg_diag_set_rule(diag, "row_stride");
        sg_check_stride_bits(&check);
        sg_diag_set_rule(diag, "free");
        if (diag->errors == errors) {
            sg_check_items(&check);
        }
        sg_diag_set_rule(diag, "outputs");
        sg_check_views(&check);
    }
    sg_diag_set_subject(diag, NULL);
    sg_diag_set_rule(diag, rule);
    return diag->errors == errors ? check.split : NULL;
}

static sg_span name_span(const sg_split *split)
{
    return split->op->name.present ? split->op->name.span : split->op->span;
}

bool sg_resolve_names(sg_diag *diag, sg_split *const *splits, int64_t count)
{
    const size_t errors = diag->errors;
    sg_nameset names;
    sg_nameset_init(&names, diag->arena);
    const char *rule = sg_diag_set_rule(diag, "name");
    for (int64_t i = 0; i < count; i++) {
        const sg_nameset_entry *first = sg_nameset_find(&names, splits[i]->name);
        if (first == NULL) {
            sg_nameset_add(&names, splits[i]->name, i);
            continue;
        }
        sg_diag_set_subject(diag, splits[i]->op->subject);
        sg_diag_error(diag, name_span(splits[i]), "kernel name '%s' is used twice",
                      splits[i]->name);
        sg_diag_note(diag, name_span(splits[first->value]), "the first is here");
    }
    /* two descriptors have equal names only if their kernels do, so compare kernels with
     * descriptors only */
    for (int64_t i = 0; i < count; i++) {
        const char *descriptor = sg_arena_printf(diag->arena, "%s_kernel", splits[i]->name);
        const sg_nameset_entry *other = sg_nameset_find(&names, descriptor);
        if (other != NULL) {
            sg_diag_set_subject(diag, splits[other->value]->op->subject);
            sg_diag_error(diag, name_span(splits[other->value]),
                          "kernel name '%s' is also the descriptor of kernel '%s'", descriptor,
                          splits[i]->name);
            sg_diag_note(diag, name_span(splits[i]), "that kernel is here");
        }
    }
    sg_diag_set_subject(diag, NULL);
    sg_diag_set_rule(diag, rule);
    return diag->errors == errors;
}
