/* Rules on the parts as tensors, the outputs of a split or inputs of a concat: their number, which
 * are wanted, and their names here and in C. Lengths are checked elsewhere. */
#include "split/resolve_rules.h"

#include "base/checked.h"
#include "split/names.h"
#include "split/nameset.h"
#include "split/views.h"

/* With num_outputs, trailing outputs of a node may be omitted (onnx#8255). In an IR they always
 * may, because converters leave out outputs that nothing reads. */
static bool may_omit(const sg_check *check)
{
    const bool in_ir = check->op->origin != NULL && check->op->kind != SG_OP_ONNX_SPLIT;
    return in_ir || (check->op->kind == SG_OP_ONNX_SPLIT && check->version == 18 &&
                     check->op->parts.present);
}

/* The standard computes the chunk size from num_outputs. Implementations that count the node's
 * outputs instead get another size silently, so warn if the two differ. */
static void warn_omitted(const sg_check *check)
{
    const int64_t given = check->op->outputs.count;
    const int64_t count = check->split->nparts;
    int64_t extent = 0;
    if (!sg_check_extent(check, &extent)) {
        return;
    }
    const int64_t ours = sg_ceil_div64(extent, count);
    const int64_t theirs = sg_ceil_div64(extent, given);
    if (ours != theirs) {
        sg_diag_warn(check->diag, check->op->outputs.span,
                     "%lld of %lld parts have an output: chunks are of %lld, by 'num_outputs', and "
                     "would be of %lld by the number of outputs; say what is meant by the lengths "
                     "in 'split'",
                     (long long)given, (long long)count, (long long)ours, (long long)theirs);
    }
}

/* A node of a model may concatenate the same tensor more than once. */
static bool may_repeat(const sg_check *check)
{
    return check->op->origin != NULL && sg_op_joins(check->op->kind);
}

static void check_count(const sg_check *check)
{
    const sg_op *op = check->op;
    const sg_op_outputs *outputs = &op->outputs;
    const char *part_word = sg_check_part_word(check);
    if (outputs->count < 1) {
        /* if the number of outputs is the number of parts, it has already been reported */
        bool counts_parts = op->kind == SG_OP_ONNX_SPLIT && check->version != 0 &&
                            check->version < 18 && !op->lengths.present && !op->parts.present;
        if (!counts_parts) {
            sg_diag_error(check->diag, outputs->span, "'%ss' must be at least 1, but is %lld",
                          part_word, (long long)outputs->count);
        }
        return;
    }
    if (!check->count_known || outputs->count == check->split->nparts) {
        return;
    }
    if (may_omit(check) && outputs->count < check->split->nparts) {
        if (op->kind == SG_OP_ONNX_SPLIT) {
            warn_omitted(check);
        }
        return;
    }
    const int64_t count = check->split->nparts;
    if (op->lengths.present) {
        sg_diag_error(check->diag, outputs->span, "%lld %s%s given, but '%s' has %lld length%s",
                      (long long)outputs->count, part_word, outputs->count == 1 ? " is" : "s are",
                      sg_op_lengths_word(op->kind), (long long)count, sg_check_plural(count));
        sg_diag_note(check->diag, op->lengths.span, "the lengths are given here");
    } else if (op->is_notation) {
        sg_diag_error(check->diag, outputs->span, "%lld part%s named, but '/%lld' makes %lld",
                      (long long)outputs->count, outputs->count == 1 ? " is" : "s are",
                      (long long)count, (long long)count);
    } else {
        sg_diag_error(check->diag, outputs->span, "%lld %s%s given, but '%s' is %lld",
                      (long long)outputs->count, part_word, outputs->count == 1 ? " is" : "s are",
                      sg_op_parts_word(op->kind), (long long)count);
        sg_diag_note(check->diag, op->parts.span, "'%s' is given here", sg_op_parts_word(op->kind));
    }
}

/* The name that the user gave a wanted output, or NULL. */
static const char *given_name(const sg_op_output *output)
{
    return output->wanted && output->name != NULL && output->name[0] != '\0' ? output->name : NULL;
}

void sg_check_outputs(sg_check *check)
{
    const sg_op_outputs *outputs = &check->op->outputs;
    if (!outputs->present) {
        return;
    }
    check_count(check);
    if (outputs->is_count || outputs->count < 1) {
        return;
    }
    const char *part_word = sg_check_part_word(check);
    bool wanted = false;
    sg_nameset seen;
    sg_nameset_init(&seen, check->arena);
    for (int64_t i = 0; i < outputs->count; i++) {
        const sg_op_output *output = &outputs->items[i];
        wanted = wanted || output->wanted;
        if (output->view.present && !output->wanted) {
            sg_diag_error(check->diag, output->view.span,
                          "an %s that is not wanted has no view either: give it a name, or "
                          "leave the mark out",
                          part_word);
        }
        const char *name = given_name(output);
        if (name == NULL) {
            continue;
        }
        const sg_nameset_entry *first = sg_nameset_find(&seen, name);
        if (first != NULL && may_repeat(check)) {
            continue;
        }
        if (first == NULL) {
            sg_nameset_add(&seen, name, i);
            continue;
        }
        sg_diag_error(check->diag, output->span, "%s name '%s' is used twice", part_word,
                      sg_check_quote(check, name));
        sg_diag_note(check->diag, outputs->items[first->value].span, "the first is here");
    }
    if (!wanted) {
        sg_diag_error(check->diag, outputs->span, "no %s is wanted: there is nothing to generate",
                      part_word);
    }
}

/* Warns the author of a spec if the C name of an output differs. Tensors of models keep their
 * names. */
static void warn_renamed(const sg_check *check)
{
    const sg_op_outputs *outputs = &check->op->outputs;
    for (int64_t i = 0; check->op->origin == NULL && outputs->items != NULL && i < outputs->count &&
                        i < check->split->nparts;
         i++) {
        const char *name = given_name(&outputs->items[i]);
        const char *problem = name != NULL ? sg_name_param_problem(name) : NULL;
        if (problem != NULL) {
            sg_diag_warn(check->diag, outputs->items[i].span, "%s name '%s' %s; in C it is '%s'",
                         sg_check_part_word(check), sg_check_quote(check, name), problem,
                         check->split->parts[i].c_name);
        }
    }
}

void sg_check_name_outputs(sg_check *check)
{
    const sg_op_outputs *outputs = &check->op->outputs;
    const sg_op_origin *origin = check->op->origin;
    sg_split *split = check->split;
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        part->wanted = !outputs->present || outputs->is_count
                           ? !outputs->present || i < outputs->count
                           : i < outputs->count && outputs->items[i].wanted;
        if (part->wanted && outputs->present && !outputs->is_count) {
            part->name = given_name(&outputs->items[i]);
            part->view_only = outputs->items[i].view.present;
            part->without_axis = outputs->items[i].without_axis;
            part->data = outputs->items[i].data;
        }
        if (part->wanted && origin != NULL && i < origin->noutputs) {
            part->tensor = origin->outputs[i];
            part->in_graph = &origin->parts[i];
            part->unread = origin->unread != NULL && origin->unread[i];
        }
    }
    sg_name_parts(check->arena, split);
    warn_renamed(check);
}

void sg_check_views(sg_check *check)
{
    const sg_op_outputs *outputs = &check->op->outputs;
    const int64_t count = outputs->items != NULL ? outputs->count : 0;
    for (int64_t i = 0; i < count && i < check->split->nparts; i++) {
        const sg_op_output *output = &outputs->items[i];
        const sg_part *part = &check->split->parts[i];
        const char *missing =
            output->view.present ? sg_view_missing(check->arena, check->split, part) : NULL;
        if (missing != NULL) {
            sg_diag_error(check->diag, output->view.span,
                          "'%s' is to be a view without code, but no view of it exists: %s; "
                          "without the mark it is copied",
                          sg_check_quote(check, part->name), missing);
        }
    }
}

void sg_name_parts(sg_arena *arena, sg_split *split)
{
    sg_nameset c_names;
    sg_nameset_init(&c_names, arena);
    /* sources are parameters, their pieces are not */
    for (int64_t i = 0; i < split->nsources; i++) {
        sg_tensor_source *source = &split->sources[i];
        source->c_name = sg_nameset_unique(&c_names, sg_name_param_from(arena, source->name));
    }
    /* Names that are identifiers already are assigned first, so that they stay unchanged. */
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        const bool stays = part->name != NULL && sg_name_param_problem(part->name) == NULL;
        part->c_name = stays ? sg_nameset_unique(&c_names, part->name) : NULL;
    }
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        if (part->name != NULL && part->c_name == NULL) {
            part->c_name = sg_nameset_unique(&c_names, sg_name_param_from(arena, part->name));
        }
    }
    for (int64_t i = 0; i < split->nparts; i++) {
        sg_part *part = &split->parts[i];
        if (part->name == NULL) {
            const char *name =
                sg_arena_printf(arena, "%s%lld", split->joins ? "in" : "out", (long long)i);
            part->c_name = sg_nameset_unique(&c_names, name);
            part->name = part->c_name;
        }
    }
    split->data_name = "data";
    if (sg_nameset_find(&c_names, split->data_name) != NULL) {
        split->data_name = sg_nameset_find(&c_names, "data_") == NULL
                               ? "data_"
                               : sg_nameset_unique(&c_names, "data");
    }
    if (sg_nameset_find(&c_names, split->data_name) == NULL) {
        sg_nameset_add(&c_names, split->data_name, 1);
    }
    for (int i = 0; i < split->nopen; i++) {
        split->open[i].c_name =
            sg_nameset_unique(&c_names, sg_name_param_from(arena, split->open[i].name));
    }
}
