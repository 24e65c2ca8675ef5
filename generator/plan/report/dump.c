/* Stable text of every stage, for --dump and the tests that read it. The stages layout, plan and
 * program together have every field of a plan. Default values are not printed: flags that are
 * false, numbers that are 0, the generic machine, no trait, runs copied by memcpy, blocks that are
 * functions of their own, the code and the slice of a body that has only one, what a load or store
 * of one vector moves, machines without a prediction, and the conditions of the portable choice. */
#include "plan/report/dump.h"

#include <inttypes.h>

#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/params.h"
#include "plan/plan.h"
#include "plan/report/bits_dump.h"
#include "plan/report/dump_functions.h"
#include "plan/report/dump_parts.h"

const char *sg_view_name(sg_view_kind kind)
{
    static const char *const names[] = {"contiguous", "strided", "copy"};
    return names[kind];
}

const char *sg_plan_kind_name(sg_plan_kind kind)
{
    static const char *const names[] = {"empty", "straight", "rows"};
    return names[kind];
}

/* "[1,1024,2304]" */
static void dump_dims(sg_buf *out, const int64_t *dims, int rank)
{
    sg_buf_addc(out, '[');
    for (int d = 0; d < rank; ++d) {
        sg_buf_printf(out, "%s%" PRId64, d > 0 ? "," : "", dims[d]);
    }
    sg_buf_addc(out, ']');
}

/* The shape of the split's input, with names of dynamic dimensions: "[batch,1024]". */
static void dump_shape(sg_buf *out, const sg_split *split)
{
    sg_arena arena;
    sg_arena_init(&arena);
    for (int d = 0; d < split->rank; ++d) {
        sg_buf_addc(out, d > 0 ? ',' : '[');
        sg_buf_add_visiblez(out, sg_split_dim_text(&arena, split, d, split->dims[d]));
    }
    sg_buf_addc(out, ']');
    sg_arena_free(&arena);
}

static void add_place(sg_buf *out, sg_span span)
{
    if (span.source == NULL) {
        return;
    }
    size_t line = 0;
    size_t column = 0;
    sg_source_locate(span.source, span.begin, &line, &column);
    sg_buf_printf(out, "  # %zu:%zu", line, column);
}

static void dump_text(sg_buf *out, const char *field, const sg_op_text *text)
{
    if (text->present) {
        sg_buf_printf(out, "  %s ", field);
        sg_buf_add_jsonz(out, text->text);
        add_place(out, text->span);
        sg_buf_addc(out, '\n');
    }
}

static void dump_int(sg_buf *out, const char *field, const sg_op_int *value)
{
    if (value->present) {
        sg_buf_printf(out, "  %s %" PRId64, field, value->value);
        add_place(out, value->span);
        sg_buf_addc(out, '\n');
    }
}

/* "768", "197*batch=64?": dynamic dimensions with their expected lengths. */
static void add_dim(sg_buf *out, const sg_op_num *dim)
{
    if (dim->nopen == 0 || dim->value != 1) {
        sg_buf_printf(out, "%" PRId64 "%s", dim->value, dim->nopen > 0 ? "*" : "");
    }
    for (int64_t i = 0; i < dim->nopen; ++i) {
        sg_buf_addz(out, i > 0 ? "*" : "");
        sg_buf_add_visiblez(out, dim->open[i].name);
        sg_buf_printf(out, "=%" PRId64 "?", dim->open[i].expected);
    }
}

static void add_list(sg_buf *out, const sg_op_list *list)
{
    sg_buf_addc(out, '[');
    for (int64_t i = 0; i < list->count; ++i) {
        sg_buf_addz(out, i > 0 ? "," : "");
        const sg_op_num *item = &list->items[i];
        if (item->rest) {
            sg_buf_addc(out, '*');
        } else {
            add_dim(out, item);
        }
    }
    sg_buf_addc(out, ']');
}

static void dump_list(sg_buf *out, const char *field, const sg_op_list *list)
{
    if (list->present) {
        sg_buf_printf(out, "  %s ", field);
        add_list(out, list);
        add_place(out, list->span);
        sg_buf_addc(out, '\n');
    }
}

/* Appends the properties of a part after its name. */
static void add_part(sg_buf *out, const sg_op_output *part)
{
    if (part->dtype.present || part->shape.present) {
        sg_buf_addc(out, ' ');
        sg_buf_add_visiblez(out, part->dtype.present ? part->dtype.text : "");
        add_list(out, &part->shape);
    }
    if (part->strides.present) {
        sg_buf_addz(out, " (strides");
        add_list(out, &part->strides);
        sg_buf_addc(out, ')');
    }
    if (part->row_stride.present) {
        sg_buf_printf(out, " (row_stride %" PRId64 ")", part->row_stride.value);
    }
    sg_buf_addz(out, part->view.present ? " (view)" : "");
}

static void dump_outputs(sg_buf *out, const char *word, const sg_op_outputs *outputs)
{
    if (!outputs->present) {
        return;
    }
    sg_buf_printf(out, "  %ss", word);
    if (outputs->is_count) {
        sg_buf_printf(out, " %" PRId64, outputs->count);
    }
    for (int64_t i = 0; !outputs->is_count && i < outputs->count; ++i) {
        const sg_op_output *item = &outputs->items[i];
        sg_buf_addc(out, ' ');
        if (!item->wanted) {
            sg_buf_addz(out, "unwanted");
        } else if (item->name == NULL) {
            sg_buf_addz(out, "unnamed");
        } else {
            sg_buf_add_jsonz(out, item->name);
        }
        add_part(out, item);
    }
    add_place(out, outputs->span);
    sg_buf_addc(out, '\n');
}

void sg_dump_op(sg_buf *out, const sg_op *op)
{
    sg_buf_printf(out, "op %s ", sg_op_kind_name(op->kind));
    sg_buf_add_visiblez(out, op->name.present ? op->name.text : op->default_name);
    add_place(out, op->span);
    sg_buf_addc(out, '\n');
    dump_text(out, "dtype", &op->dtype);
    dump_list(out, "shape", &op->shape);
    dump_int(out, "opset", &op->opset);
    dump_int(out, "axis", &op->axis);
    dump_list(out, sg_op_lengths_word(op->kind), &op->lengths);
    dump_int(out, sg_op_parts_word(op->kind), &op->parts);
    dump_outputs(out, sg_op_part_word(op->kind), &op->outputs);
    dump_int(out, "row_stride", &op->row_stride);
    dump_list(out, "strides", &op->strides);
    dump_int(out, "align", &op->align);
    dump_text(out, "packing", &op->packing);
}

/* Appends the strides of a tensor whose rows do not all have one stride. */
static void add_strides(sg_buf *out, const sg_split *split, const int64_t *strides)
{
    for (int d = 0; strides != NULL && d < split->rank; ++d) {
        sg_buf_printf(out, "%s%" PRId64, d == 0 ? " strides " : ",", strides[d]);
    }
}

void sg_dump_split(sg_buf *out, const sg_split *split)
{
    sg_buf_printf(out, "split %s %s", split->name, sg_dtype_get(split->dtype)->name);
    dump_shape(out, split);
    sg_buf_printf(out,
                  " axis %d%s\n  outer %" PRId64 " inner %" PRId64 " elements %" PRId64
                  " bytes %" PRId64 " align %" PRId64 "\n",
                  split->axis, split->joins ? " joins" : "", split->outer.factor,
                  split->inner.factor, split->elements, split->bytes, split->align);
    if (sg_split_has_gaps(split)) {
        sg_buf_printf(out, "  row_stride %" PRId64, split->row_stride);
        add_strides(out, split, split->strides);
        sg_buf_addc(out, '\n');
    }
    if (split->packing != SG_PACKING_NONE) {
        sg_buf_printf(out, "  packing %s\n", sg_packing_name(split->packing));
    }
    for (int o = 0; o < split->nopen; ++o) {
        sg_buf_printf(out, "  open parameter %s expected %" PRId64 " factor of",
                      split->open[o].c_name, split->open[o].expected);
        for (int d = 0; d < split->rank; ++d) {
            for (int i = 0; i < sg_split_power(split, d, o); ++i) {
                sg_buf_printf(out, " %d", d);
            }
        }
        sg_buf_addc(out, '\n');
    }
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        sg_buf_printf(out, "  part %" PRId64 " %s start %" PRId64 " length %" PRId64, i,
                      part->wanted ? part->c_name : "unwanted", part->start, part->length);
        sg_buf_printf(out, " bytes %" PRId64 "%s", part->bytes,
                      part->view_only ? " view only" : "");
        if (sg_part_has_gaps(split, part)) {
            sg_buf_printf(out, " row_stride %" PRId64, part->row_stride);
            add_strides(out, split, part->strides);
        }
        sg_buf_addc(out, '\n');
    }
}

void sg_dump_layout(sg_buf *out, const sg_plan *plan)
{
    const sg_map *map = &plan->map;
    const bool bits = map->unit_bits == 1;
    const char *unit = bits ? " bits" : "";
    sg_buf_printf(out, "layout %s rows %" PRId64 " row_%s %" PRId64, plan->split->name, map->rows,
                  bits ? "bits" : "bytes", map->row_stride);
    if (bits) {
        sg_buf_printf(out, " order %s", sg_packing_name(plan->split->packing));
    } else {
        sg_buf_printf(out, " element_bytes %" PRId64, map->element);
    }
    if (map->gap > 0) {
        sg_buf_printf(out, " gap %" PRId64 "%s", map->gap, unit);
    }
    for (int64_t g = 0; g < map->ngroups; ++g) {
        const sg_map_group *group = &map->groups[g];
        sg_buf_printf(out, "%s%" PRId64 "+%" PRId64, g == 0 ? " groups " : ",", group->rows,
                      group->gap);
    }
    sg_buf_addz(out, map->scales ? " scales" : "");
    sg_buf_addz(out, map->joins ? " joins\n" : "\n");
    for (int64_t p = 0; p < map->nparts; ++p) {
        const sg_map_part *part = &map->parts[p];
        sg_buf_printf(out, "  column %" PRId64 " %s %" PRId64 " offset %" PRId64 "%s", p,
                      map->joins ? "input" : "output", part->tensor, part->offset, unit);
        sg_buf_printf(out, " width %" PRId64 "%s", part->width, unit);
        if (!sg_map_is_dense(part)) {
            sg_buf_printf(out, " row_stride %" PRId64 "%s", part->row_stride, unit);
        }
        for (int64_t g = 0; g < map->ngroups; ++g) {
            sg_buf_printf(out, "%s%" PRId64, g == 0 ? " gaps " : ",",
                          part->gaps != NULL ? part->gaps[g] : 0);
        }
        sg_buf_addc(out, '\n');
    }
}

/* The dispatch table. */
static void dump_choices(sg_buf *out, const sg_plan *plan)
{
    static const char *const footprints[] = {"any", "rows", "many"};
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *choice = &plan->choices[i];
        if (choice->body == SG_CHOICE_PORTABLE) {
            sg_buf_addz(out, "  choice portable\n");
            continue;
        }
        sg_buf_printf(out, "  choice body %" PRId64 " %s %s", choice->body,
                      plan->bits != NULL ? sg_bit_body_name(plan->bits->bodies[choice->body])
                                         : plan->bodies[choice->body].isa->id,
                      sg_store_mode_name(choice->store_mode));
        sg_buf_printf(out, " rows %" PRId64 " footprint %s aligned %" PRId64, choice->rows,
                      footprints[choice->footprint], choice->aligned);
        sg_buf_printf(out, " off %" PRId64 " traits", choice->off);
        for (sg_trait t = SG_TRAIT_NONE; sg_trait_next(choice->traits, &t);) {
            sg_buf_printf(out, " %s", sg_trait_id(t));
        }
        sg_buf_addc(out, '\n');
    }
}

static void add_trait(sg_buf *out, const char *field, sg_trait trait)
{
    if (trait != SG_TRAIT_NONE) {
        sg_buf_printf(out, " %s %s", field, sg_trait_id(trait));
    }
}

/* All of a body except its instructions. */
static void dump_body_facts(sg_buf *out, int64_t number, const sg_body *v)
{
    static const char *const streams[] = {"iterations", "runs", "none"};
    sg_buf_printf(out, "  body %" PRId64 " %s tune %s", number, v->isa->id, sg_uarch_name(v->tune));
    if (v->only != SG_UARCH_GENERIC) {
        sg_buf_printf(out, " only %s", sg_uarch_name(v->only));
    }
    add_trait(out, "trait", v->trait);
    sg_buf_printf(out, " cycles %.2f bound %s\n   ", v->cycles, sg_port_name(v->bound));
    sg_dump_number(out, "tile_rows", v->tile_rows);
    sg_dump_number(out, "tail_rows", v->tail_rows);
    sg_dump_number(out, "block_rows", v->block_rows);
    sg_dump_number(out, "prefetch_block_bytes", v->prefetch_block_bytes);
    sg_dump_number(out, "prefetch_far", v->prefetch_far);
    sg_dump_number(out, "prefetch_now", v->prefetch_now);
    sg_dump_number(out, "vector_bytes", v->vector_bytes);
    sg_dump_number(out, "vector_rows", v->vector_rows);
    sg_dump_flag(out, "allows_non_temporal", v->allows_non_temporal);
    sg_dump_flag(out, "combines_non_temporal", v->combines_non_temporal);
    add_trait(out, "combining_trait", v->combining_trait);
    sg_dump_number(out, "prologue_rows", v->prologue_rows);
    sg_buf_printf(out, " interleaving %s", streams[v->interleaving]);
    sg_dump_number(out, "stream_iterations", v->stream_iterations);
    sg_buf_addc(out, '\n');
    for (int64_t b = 0; b < v->ncodes; ++b) {
        const sg_code *code = &v->codes[b];
        sg_buf_printf(out, "    code %" PRId64 " insns %" PRId64 " registers %d", b, code->ninsns,
                      code->registers);
        sg_dump_number(out, "constants", code->nconstants);
        sg_buf_addc(out, '\n');
    }
    sg_dump_predictions(out, v->on);
}

static void dump_facts(sg_buf *out, const sg_plan *plan)
{
    static const char *const non_temporal[] = {"never", "large", "always"};
    static const char *const optimize[] = {"speed", "size"};
    sg_buf_printf(out, "  strategy %s\n", plan->strategy);
    sg_buf_printf(out,
                  "  bytes_moved %" PRId64 " copies %" PRId64 " insns %" PRId64 " shortest %" PRId64
                  " longest %" PRId64 "\n",
                  plan->bytes_moved, plan->copies, plan->insns, plan->shortest, plan->longest);
    sg_buf_printf(out, "  non_temporal %s optimize %s", non_temporal[plan->non_temporal],
                  optimize[plan->optimize]);
    sg_dump_flag(out, "array_params", plan->array_params);
    sg_dump_flag(out, "gathers", plan->gathers);
    if (plan->few_rows > 0) {
        sg_buf_printf(out, " few_rows %" PRId64, plan->few_rows);
    }
    sg_dump_flag(out, "puts", plan->puts);
    sg_dump_flag(out, "no_memcpy", plan->no_memcpy);
    sg_dump_flag(out, "plain", plan->plain);
    sg_buf_addc(out, '\n');
}

/* The parameters of the function. */
static void dump_params(sg_buf *out, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nparams; ++i) {
        const sg_param *param = &plan->params[i];
        sg_buf_printf(out, "  parameter %s %s place %" PRId64, sg_param_role_name(param->role),
                      param->c_name, param->place);
        sg_dump_flag(out, "passed", param->passed);
        sg_dump_flag(out, "const", param->is_const);
        sg_dump_flag(out, "may_be_null", param->may_be_null);
        sg_buf_addc(out, '\n');
    }
}

void sg_dump_plan(sg_buf *out, const sg_plan *plan)
{
    sg_buf_printf(out, "plan %s %s: %s\n", plan->split->name, sg_plan_kind_name(plan->kind),
                  plan->why);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        sg_buf_printf(out, "  %s %" PRId64 " %s ", sg_split_part_word(plan->split), o,
                      output->part->c_name);
        const int rank = sg_part_rank(plan->split, output->part);
        dump_dims(out, output->dims, rank);
        sg_buf_printf(out, " column %" PRId64 " view %s byte_offset %" PRId64, output->column,
                      sg_view_name(output->view), output->byte_offset);
        if (output->view != SG_VIEW_COPY) {
            sg_buf_printf(out, " row_stride %" PRId64 " view_align %" PRId64, output->row_stride,
                          output->view_align);
        }
        if (output->strides != NULL) {
            sg_buf_addz(out, " strides ");
            dump_dims(out, output->strides, rank);
        }
        sg_dump_flag(out, "held", output->held);
        if (output->param != NULL) {
            sg_buf_printf(out, " parameter %s", output->param->c_name);
        }
        sg_buf_printf(out, ": %s; %s\n", output->view_why, output->strategy);
    }
    dump_params(out, plan);
    dump_facts(out, plan);
    dump_choices(out, plan);
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        dump_body_facts(out, i, &plan->bodies[i]);
    }
    if (plan->bits != NULL) {
        sg_bits_dump_plan(out, plan->bits);
    }
}

static void dump_portable(sg_buf *out, const char *title, const sg_code *code)
{
    sg_buf_printf(out, "  %s rows %" PRId64 " insns %" PRId64 " blocks %" PRId64, title, code->rows,
                  code->ninsns, code->nblocks);
    sg_dump_flag(out, "by_outputs", code->by_outputs);
    sg_buf_addc(out, '\n');
    for (int64_t b = 0; b < code->nblocks; ++b) {
        const sg_block *block = &code->blocks[b];
        sg_buf_printf(out, "    block %" PRId64, b);
        if (block->alias_of != b) {
            sg_buf_printf(out, " alias_of %" PRId64 " column %" PRId64 " in+%" PRId64,
                          block->alias_of, block->part, block->at);
        }
        sg_buf_addc(out, '\n');
        for (int64_t i = block->first; i < block->first + block->count; ++i) {
            const sg_insn *insn = &code->insns[i];
            sg_buf_addz(out, "      ");
            sg_dump_run(out, insn);
            sg_dump_ref(out, "in", &insn->from);
            sg_dump_insn_end(out, insn);
        }
    }
    sg_dump_folds(out, code->folds, code->nfolds);
}

static void dump_body(sg_buf *out, const sg_body *v)
{
    static const char *const write_combining[] = {"", " combines unaligned", " combines always"};
    sg_buf_printf(out, "  body %s rows_per_iteration %" PRId64 " lanes %d of %" PRId64 " bytes%s%s",
                  v->isa->id, v->rows_per_iteration, v->lanes, v->lane_bytes,
                  write_combining[v->write_combining], v->is_few ? " few" : "");
    sg_buf_printf(out, " planned_rows %" PRId64 "\n", v->planned_rows);
    for (int64_t s = 0; v->nslices > 1 && s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        sg_buf_printf(out, "   slice code %" PRId64 " column %" PRId64, slice->code, slice->part);
        sg_buf_printf(out, " in+%" PRId64 "\n", slice->at);
    }
    for (int64_t b = 0; b < v->ncodes; ++b) {
        if (v->nslices > 1) {
            sg_buf_printf(out, "   code %" PRId64 "\n", b);
        }
        sg_dump_code(out, &v->codes[b], v->lanes);
    }
}

void sg_dump_program(sg_buf *out, const sg_plan *plan)
{
    if (plan->bits != NULL) {
        sg_bits_dump_program(out, plan);
        sg_dump_functions(out, plan);
        return;
    }
    sg_buf_printf(out, "program %s\n", plan->split->name);
    if (plan->block_rows > 1) {
        sg_buf_printf(out, "  block_rows %" PRId64 "\n", plan->block_rows);
    }
    if (plan->block_bytes > 0) {
        sg_buf_printf(out, "  block_bytes %" PRId64 "%s\n", plan->block_bytes,
                      plan->open_isas != 0 ? " open_vectors" : "");
    }
    if (plan->iteration.rows > 1) {
        dump_portable(out, "iteration", &plan->iteration);
    }
    if (plan->row.ninsns > 0) {
        dump_portable(out, "row", &plan->row);
    }
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        dump_body(out, &plan->bodies[i]);
    }
    sg_dump_functions(out, plan);
}
