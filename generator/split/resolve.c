/* From op to split: runs every rule in order and builds the split when none complained. The rules
 * by topic are in the resolve_*.c beside it; here are those on versions and symbols. */
#include "split/resolve.h"

#include <string.h>

#include "split/names.h"
#include "split/nameset.h"
#include "split/resolve_rules.h"

/* onnx/defs/operator_sets.h: the schema an opset import selects. */
static void judge_opset(sg_judge *judge)
{
    const sg_op_int *opset = &judge->op->opset;
    if (!sg_op_is_onnx(judge->op->kind)) {
        return;
    }
    if (!opset->present) {
        sg_diag_error(judge->diag, judge->op->span,
                      "'opset' is missing: the rules of ONNX %s depend on it",
                      sg_judge_operator(judge));
        return;
    }
    if (opset->value < 1) {
        sg_diag_error(judge->diag, opset->span, "'opset' must be at least 1, but is %lld",
                      (long long)opset->value);
        return;
    }
    static const int of_split[] = {18, 13, 11, 2, 1};
    static const int of_concat[] = {13, 11, 4, 1};
    const int *since = sg_op_joins(judge->op->kind) ? of_concat : of_split;
    while (opset->value < *since) {
        since++;
    }
    judge->version = *since;
}

static void judge_length(const sg_judge *judge, sg_span span, const char *what, const char *text)
{
    const size_t len = text != NULL ? strlen(text) : 0;
    if (len > SG_NAME_MAX) {
        sg_diag_error(judge->diag, span, "%s has %zu bytes; names have at most %d", what, len,
                      SG_NAME_MAX);
    }
}

static void judge_dim_names(const sg_judge *judge, const sg_op_list *shape)
{
    for (int64_t i = 0; shape->present && i < shape->count; i++) {
        const sg_op_num *dim = &shape->items[i];
        for (int64_t o = 0; o < dim->nopen; o++) {
            judge_length(judge, dim->span, "the name of an open dimension", dim->open[o].name);
        }
    }
}

/* No name is longer than it may be, before any of them is looked at or repeated in a message. */
static void judge_lengths_of_names(sg_judge *judge)
{
    const sg_op *op = judge->op;
    const sg_op_origin *origin = op->origin;
    const char *part_name =
        sg_op_joins(op->kind) ? "the name of an input" : "the name of an output";
    const sg_span name_span = op->name.present ? op->name.span : op->span;
    const char *name = op->name.present ? op->name.text : op->default_name;
    const size_t len = strlen(judge->prefix) + strlen(name);
    if (len > SG_NAME_MAX) {
        sg_diag_error(judge->diag, name_span,
                      "the kernel's name has %zu bytes%s; names have at most %d", len,
                      judge->prefix[0] != '\0' ? " with its prefix" : "", SG_NAME_MAX);
    }
    if (op->dtype.present) {
        judge_length(judge, op->dtype.span, "the element type", op->dtype.text);
    }
    if (op->packing.present) {
        judge_length(judge, op->packing.span, "the packing", op->packing.text);
    }
    judge_dim_names(judge, &op->shape);
    for (int64_t i = 0; !op->outputs.is_count && i < op->outputs.count; i++) {
        const sg_op_output *part = &op->outputs.items[i];
        judge_length(judge, part->span, part_name, part->name);
        judge_length(judge, part->span, "the element type",
                     part->dtype.present ? part->dtype.text : NULL);
        judge_dim_names(judge, &part->shape);
    }
    if (origin != NULL) {
        judge_length(judge, op->span, "the name of the node", origin->node);
        judge_length(judge, op->span,
                     sg_op_joins(op->kind) ? "the name of the tensor that is made"
                                           : "the name of the tensor that is split",
                     origin->input);
        for (int64_t i = 0; i < origin->noutputs; i++) {
            judge_length(judge, op->span, part_name, origin->outputs[i]);
        }
        for (int64_t i = 0; i < origin->nnodes; i++) {
            judge_length(judge, op->span, "the name of a node", origin->nodes[i]);
        }
        for (int64_t i = 0; i < origin->npath; i++) {
            judge_length(judge, op->span, "the name of a node around this one", origin->path[i]);
        }
    }
}

static void judge_name(sg_judge *judge)
{
    const sg_op *op = judge->op;
    const char *name = op->name.present ? op->name.text : op->default_name;
    char *symbol = sg_arena_printf(judge->arena, "%s%s", judge->prefix, name);
    const char *problem = sg_name_problem(symbol);
    if (problem != NULL) {
        sg_diag_error(judge->diag, op->name.present ? op->name.span : op->span,
                      "kernel name '%s' %s; '%s' would do", sg_judge_quote(judge, symbol), problem,
                      sg_judge_quote(judge, sg_name_from(judge->arena, sg_str_from(symbol))));
    }
    judge->split->name = symbol;
}

static void build(sg_judge *judge)
{
    sg_split *split = judge->split;
    split->outer.factor = 1;
    for (int i = 0; i < split->axis; i++) {
        split->outer.factor = sg_judge_product(split->outer.factor, split->dims[i]);
    }
    split->inner.factor = 1;
    for (int i = split->axis + 1; i < split->rank; i++) {
        split->inner.factor = sg_judge_product(split->inner.factor, split->dims[i]);
    }
    int64_t slice = sg_judge_product(split->outer.factor, split->inner.factor);
    split->elements = sg_judge_product(slice, split->dims[split->axis]);
    split->bytes = sg_judge_bytes(split, split->elements);
    split->joins = sg_op_joins(judge->op->kind);

    split->parts = SG_NEW_ARRAY(judge->arena, sg_part, split->nparts);
    int64_t start = 0;
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        part->start = start;
        part->length = judge->lengths[i];
        part->elements = sg_judge_product(slice, part->length);
        part->bytes = sg_judge_bytes(split, part->elements);
        start += part->length; /* the lengths sum to the axis */
    }
    sg_judge_spans(judge);
    sg_judge_name_outputs(judge);
}

/* The rules in the order they judge in. The first words are those of diagnostics in JSON and SARIF,
 * which others may look for: they do not change. */
static const struct {
    const char *id;
    void (*judge)(sg_judge *judge);
} rules[] = {
    {"dtype", sg_judge_dtype},   {"packing", sg_judge_packing}, {"align", sg_judge_align},
    {"shape", sg_judge_shape},   {"axis", sg_judge_axis},       {"free", sg_judge_free},
    {"lengths", sg_judge_parts}, {"outputs", sg_judge_outputs}, {"row_stride", sg_judge_strides},
};

/* What no tensor has to be known for; then the inputs of a standard's Concat, without which the
 * other rules would have nothing to judge. */
static bool judge_head(sg_judge *judge)
{
    sg_diag_set_rule(judge->diag, "opset");
    judge_opset(judge);
    sg_diag_set_rule(judge->diag, "name");
    judge_name(judge);
    sg_diag_set_rule(judge->diag, "inputs");
    return !sg_op_infers(judge->op->kind) || sg_judge_inputs(judge);
}

bool sg_resolve_known(sg_arena *arena, sg_diag *diag, const sg_op *op, int64_t *axis)
{
    const size_t errors = diag->errors;
    sg_judge judge = {.arena = arena,
                      .diag = diag,
                      .op = op,
                      .prefix = "",
                      .partial = true,
                      .split = SG_NEW(arena, sg_split)};
    const char *rule = diag->rule;
    sg_diag_set_subject(diag, op->subject);
    sg_diag_set_rule(diag, "opset");
    judge_opset(&judge);
    sg_diag_set_rule(diag, "inputs");
    if (diag->errors == errors && sg_judge_inputs(&judge)) {
        sg_diag_set_rule(diag, "axis");
        judge.split->rank = (int)judge.op->shape.count;
        judge.rank_known = judge.op->shape.present;
        sg_judge_axis(&judge);
    }
    *axis = judge.axis_known ? judge.split->axis : -1;
    sg_diag_set_subject(diag, NULL);
    sg_diag_set_rule(diag, rule);
    return diag->errors == errors;
}

sg_split *sg_resolve(sg_arena *arena, sg_diag *diag, const sg_op *op,
                     const sg_resolve_options *options)
{
    const size_t errors = diag->errors;
    sg_judge judge = {.arena = arena,
                      .diag = diag,
                      .op = op,
                      .prefix = options->prefix,
                      .split = SG_NEW(arena, sg_split)};
    judge.split->op = op;
    if (op->subject->name == NULL) {
        op->subject->name = op->name.present ? op->name.text : op->default_name;
    }
    const char *rule = diag->rule;
    sg_diag_set_subject(diag, op->subject);
    sg_diag_set_rule(diag, "name");
    judge_lengths_of_names(&judge);
    const bool known = diag->errors == errors && judge_head(&judge);
    const size_t nrules = known ? sizeof rules / sizeof rules[0] : 0;
    for (size_t i = 0; i < nrules; i++) {
        sg_diag_set_rule(diag, rules[i].id);
        rules[i].judge(&judge);
    }
    if (diag->errors == errors) {
        build(&judge);
        sg_diag_set_rule(diag, "packing");
        sg_judge_groups(&judge);
        sg_diag_set_rule(diag, "row_stride");
        sg_judge_stride_bits(&judge);
        sg_diag_set_rule(diag, "free");
        if (diag->errors == errors) {
            sg_judge_items(&judge);
        }
        sg_diag_set_rule(diag, "outputs");
        sg_judge_views(&judge);
    }
    sg_diag_set_subject(diag, NULL);
    sg_diag_set_rule(diag, rule);
    return diag->errors == errors ? judge.split : NULL;
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
    /* two descriptors are equal only when their kernels are, so kernel against descriptor is left
     */
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
