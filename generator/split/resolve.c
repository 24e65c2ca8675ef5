/* From op to split: runs every rule in order and builds the split when none complained. The rules
 * by topic are in the resolve_*.c beside it; here are those on versions and symbols. */
#include "split/resolve.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"
#include "split/names.h"
#include "split/nameset.h"
#include "split/resolve_rules.h"

/* onnx/defs/operator_sets.h: the schema an opset import selects. */
static void judge_opset(sg_judge *judge)
{
    const sg_op_int *opset = &judge->op->opset;
    if (judge->op->kind != SG_OP_ONNX_SPLIT) {
        return;
    }
    if (!opset->present) {
        sg_diag_error(judge->diag, judge->op->span,
                      "'opset' is missing: the rules of ONNX Split depend on it");
        return;
    }
    if (opset->value < 1) {
        sg_diag_error(judge->diag, opset->span, "'opset' must be at least 1, but is %lld",
                      (long long)opset->value);
        return;
    }
    static const int since[] = {18, 13, 11, 2, 1};
    size_t i = 0;
    while (opset->value < since[i]) {
        i++;
    }
    judge->version = since[i];
}

static void judge_length(const sg_judge *judge, sg_span span, const char *what, const char *text)
{
    const size_t len = text != NULL ? strlen(text) : 0;
    if (len > SG_NAME_MAX) {
        sg_diag_error(judge->diag, span, "%s has %zu bytes; names have at most %d", what, len,
                      SG_NAME_MAX);
    }
}

/* No name is longer than it may be, before any of them is looked at or repeated in a message. */
static void judge_lengths_of_names(sg_judge *judge)
{
    const sg_op *op = judge->op;
    const sg_op_origin *origin = op->origin;
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
    for (int64_t i = 0; op->shape.present && i < op->shape.count; i++) {
        const sg_op_num *dim = &op->shape.items[i];
        for (int64_t o = 0; o < dim->nopen; o++) {
            judge_length(judge, dim->span, "the name of an open dimension", dim->open[o].name);
        }
    }
    for (int64_t i = 0; !op->outputs.is_count && i < op->outputs.count; i++) {
        judge_length(judge, op->outputs.items[i].span, "the name of an output",
                     op->outputs.items[i].name);
    }
    if (origin != NULL) {
        judge_length(judge, op->span, "the name of the node", origin->node);
        judge_length(judge, op->span, "the name of the tensor that is split", origin->input);
        for (int64_t i = 0; i < origin->noutputs; i++) {
            judge_length(judge, op->span, "the name of an output", origin->outputs[i]);
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

/* Products that cannot overflow: sg_judge_shape has multiplied all dimensions, empty ones as 1,
 * and no factor here is larger than the one there. */
static int64_t product(int64_t a, int64_t b)
{
    int64_t result = 0;
    bool fits = sg_mul64(a, b, &result);
    assert(fits);
    (void)fits;
    return result;
}

static int64_t bytes_of(const sg_split *split, int64_t elements)
{
    if (split->packing == SG_PACKING_NONE) {
        return product(elements, split->element_bytes);
    }
    if (split->packing == SG_PACKING_PLANES) {
        return product(sg_ceil_div64(elements, sg_packing_group(sg_dtype_get(split->dtype))), 3);
    }
    return sg_ceil_div64(product(elements, split->element_bits), 8);
}

static void build(sg_judge *judge)
{
    sg_split *split = judge->split;
    split->outer = 1;
    for (int i = 0; i < split->axis; i++) {
        split->outer = product(split->outer, split->dims[i]);
    }
    split->inner = 1;
    for (int i = split->axis + 1; i < split->rank; i++) {
        split->inner = product(split->inner, split->dims[i]);
    }
    int64_t slice = product(split->outer, split->inner);
    split->elements = product(slice, split->dims[split->axis]);
    split->bytes = bytes_of(split, split->elements);
    split->joins = sg_op_joins(judge->op->kind);
    split->row_stride = product(split->dims[split->axis], split->inner);
    split->span = split->bytes;

    split->parts = SG_NEW_ARRAY(judge->arena, sg_part, split->nparts);
    int64_t start = 0;
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        part->start = start;
        part->length = judge->lengths[i];
        part->elements = product(slice, part->length);
        part->bytes = bytes_of(split, part->elements);
        part->row_stride = product(part->length, split->inner);
        part->span = part->bytes;
        start += part->length; /* the lengths sum to the axis */
    }
    sg_judge_name_outputs(judge);
}

/* The rules in the order they judge in. The first words are those of diagnostics in JSON and SARIF,
 * which others may look for: they do not change. */
static const struct {
    const char *id;
    void (*judge)(sg_judge *judge);
} rules[] = {
    {"opset", judge_opset},        {"name", judge_name},      {"dtype", sg_judge_dtype},
    {"packing", sg_judge_packing}, {"align", sg_judge_align}, {"shape", sg_judge_shape},
    {"axis", sg_judge_axis},       {"free", sg_judge_free},   {"lengths", sg_judge_parts},
    {"outputs", sg_judge_outputs},
};

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
    const size_t nrules = diag->errors == errors ? sizeof rules / sizeof rules[0] : 0;
    for (size_t i = 0; i < nrules; i++) {
        sg_diag_set_rule(diag, rules[i].id);
        rules[i].judge(&judge);
    }
    if (diag->errors == errors) {
        build(&judge);
        sg_diag_set_rule(diag, "packing");
        sg_judge_groups(&judge);
        sg_diag_set_rule(diag, "free");
        sg_judge_items(&judge);
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
