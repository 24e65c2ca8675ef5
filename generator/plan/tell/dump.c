/* Stable text of every stage, for --dump and the tests that read it. */
#include "plan/tell/dump.h"

#include <inttypes.h>

#include "plan/choose/choices.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/tell/bits_dump.h"

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

const char *sg_port_name(sg_port port)
{
    static const char *const names[] = {
        "loads",      "stores", "vector instructions", "shuffles", "instructions of all kinds",
        "blend masks"};
    return names[port];
}

const char *sg_opcode_name(sg_opcode op)
{
    static const char *const names[] = {"move",        "copy",     "call",     "load",
                                        "interleaved", "permute",  "permute2", "blend",
                                        "store",       "prefetch", "lines"};
    return names[op];
}

void sg_dump_dims(sg_buf *out, const int64_t *dims, int rank)
{
    sg_buf_addc(out, '[');
    for (int d = 0; d < rank; ++d) {
        sg_buf_printf(out, "%s%" PRId64, d > 0 ? "," : "", dims[d]);
    }
    sg_buf_addc(out, ']');
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

static void dump_list(sg_buf *out, const char *field, const sg_op_list *list)
{
    if (!list->present) {
        return;
    }
    sg_buf_printf(out, "  %s [", field);
    for (int64_t i = 0; i < list->count; ++i) {
        sg_buf_addz(out, i > 0 ? "," : "");
        if (list->items[i].rest) {
            sg_buf_addc(out, '*');
        } else {
            sg_buf_printf(out, "%" PRId64, list->items[i].value);
        }
    }
    sg_buf_addc(out, ']');
    add_place(out, list->span);
    sg_buf_addc(out, '\n');
}

static void dump_outputs(sg_buf *out, const sg_op_outputs *outputs)
{
    if (!outputs->present) {
        return;
    }
    sg_buf_addz(out, "  outputs");
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
    }
    add_place(out, outputs->span);
    sg_buf_addc(out, '\n');
}

void sg_dump_op(sg_buf *out, const sg_op *op)
{
    sg_buf_printf(out, "op %s %s", sg_op_kind_name(op->kind),
                  op->name.present ? op->name.text : op->default_name);
    add_place(out, op->span);
    sg_buf_addc(out, '\n');
    dump_text(out, "dtype", &op->dtype);
    dump_list(out, "shape", &op->shape);
    dump_int(out, "opset", &op->opset);
    dump_int(out, "axis", &op->axis);
    dump_list(out, sg_op_lengths_word(op->kind), &op->lengths);
    dump_int(out, sg_op_parts_word(op->kind), &op->parts);
    dump_outputs(out, &op->outputs);
    dump_int(out, "align", &op->align);
    dump_text(out, "packing", &op->packing);
}

void sg_dump_split(sg_buf *out, const sg_split *split)
{
    sg_buf_printf(out, "split %s %s", split->name, sg_dtype_get(split->dtype)->name);
    sg_dump_dims(out, split->dims, split->rank);
    sg_buf_printf(out,
                  " axis %d\n  outer %" PRId64 " inner %" PRId64 " elements %" PRId64
                  " bytes %" PRId64 " align %" PRId64 "\n",
                  split->axis, split->outer, split->inner, split->elements, split->bytes,
                  split->align);
    if (split->packing != SG_PACKING_NONE) {
        sg_buf_printf(out, "  packing %s\n", sg_packing_name(split->packing));
    }
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        sg_buf_printf(out, "  part %" PRId64 " %s start %" PRId64 " length %" PRId64, i,
                      part->wanted ? part->c_name : "unwanted", part->start, part->length);
        sg_buf_printf(out, " bytes %" PRId64 "\n", part->bytes);
    }
}

void sg_dump_layout(sg_buf *out, const sg_plan *plan)
{
    if (plan->bits != NULL) {
        sg_bits_dump_layout(out, plan);
        return;
    }
    const sg_layout *layout = &plan->layout;
    sg_buf_printf(out, "layout %s rows %" PRId64 " row_bytes %" PRId64 " element_bytes %" PRId64,
                  plan->split->name, layout->rows, layout->row_bytes, layout->element_bytes);
    sg_buf_addc(out, '\n');
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        const sg_column *column = &layout->columns[c];
        sg_buf_printf(out, "  column %" PRId64 " output %" PRId64 " offset %" PRId64, c,
                      column->output, column->offset);
        sg_buf_printf(out, " width %" PRId64 "\n", column->width);
    }
}

/* The table of choices; only packed elements have none. */
static void dump_choices(sg_buf *out, const sg_plan *plan)
{
    static const char *const past[] = {"never", "large", "always"};
    static const char *const footprints[] = {"any", "rows", "many"};
    sg_buf_printf(out, "  past %s\n", past[plan->past]);
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (c->variant == SG_CHOICE_PORTABLE) {
            sg_buf_addz(out, "  choice portable\n");
            continue;
        }
        sg_buf_printf(out, "  choice variant %" PRId64 " %s %s", c->variant,
                      plan->variants[c->variant].isa->id, sg_way_name(c->way));
        sg_buf_printf(out, " rows %" PRId64 " footprint %s aligned %" PRId64, c->rows,
                      footprints[c->footprint], c->aligned);
        sg_buf_printf(out, " off %" PRId64 " traits", c->off);
        for (sg_trait t = SG_TRAIT_NONE; sg_trait_next(c->traits, &t);) {
            sg_buf_printf(out, " %s", sg_trait_id(t));
        }
        sg_buf_addc(out, '\n');
    }
}

void sg_dump_plan(sg_buf *out, const sg_plan *plan)
{
    sg_buf_printf(out, "plan %s %s: %s\n", plan->split->name, sg_plan_kind_name(plan->kind),
                  plan->why);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        sg_buf_printf(out, "  output %" PRId64 " %s ", o, output->part->c_name);
        sg_dump_dims(out, output->dims, plan->split->rank);
        sg_buf_printf(out, " view %s byte_offset %" PRId64, sg_view_name(output->view),
                      output->byte_offset);
        if (output->strides != NULL) {
            sg_buf_addz(out, " strides ");
            sg_dump_dims(out, output->strides, plan->split->rank);
        }
        sg_buf_printf(out, ": %s; %s\n", output->view_why, output->strategy);
    }
    sg_buf_printf(out,
                  "  bytes_moved %" PRId64 " copies %" PRId64 " insns %" PRId64 " shortest %" PRId64
                  " longest %" PRId64 "\n",
                  plan->bytes_moved, plan->copies, plan->insns, plan->shortest, plan->longest);
    dump_choices(out, plan);
}

static void dump_segment(sg_buf *out, const char *title, const sg_segment *segment)
{
    sg_buf_printf(out, "  %s first_row %" PRId64 " trips %" PRId64 " rows_per_trip %" PRId64, title,
                  segment->first_row, segment->trips, segment->rows_per_trip);
    sg_buf_printf(out, " blocks %" PRId64 "\n", segment->nblocks);
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        const sg_block *block = &segment->blocks[b];
        sg_buf_printf(out, "    block %" PRId64, b);
        if (block->like != b) {
            sg_buf_printf(out, " like %" PRId64 " column %" PRId64 " in+%" PRId64, block->like,
                          block->column, block->src);
        }
        sg_buf_addc(out, '\n');
        for (int64_t i = block->first; i < block->first + block->count; ++i) {
            const sg_insn *insn = &segment->insns[i];
            sg_buf_printf(out, "      %s %" PRId64 "  out%" PRId64 "+%" PRId64 " <- in+%" PRId64,
                          sg_opcode_name(insn->op), insn->bytes, insn->column, insn->dst,
                          insn->src);
            if (insn->spill > 0) {
                sg_buf_printf(out, " spill %" PRId64, insn->spill);
            }
            sg_buf_addc(out, '\n');
        }
    }
}

static void dump_lanes(sg_buf *out, const sg_variant *v, const sg_constant *c)
{
    for (int lane = 0; lane < v->lanes; ++lane) {
        sg_buf_printf(out, "%s%d", lane > 0 ? "," : "", c->lanes[lane]);
    }
}

static void dump_vector_insn(sg_buf *out, const sg_insn *insn)
{
    const char *name = sg_opcode_name(insn->op);
    switch (insn->op) {
    case SG_INSN_LOAD:
        sg_buf_printf(out, "    r%d = load in+%" PRId64, insn->reg, insn->src);
        if (insn->step > 0) {
            sg_buf_printf(out, " step %" PRId64 " bytes %" PRId64, insn->step, insn->bytes);
        }
        break;
    case SG_INSN_INTERLEAVED:
        sg_buf_printf(out, "    r%d = interleaved in+%" PRId64 " bytes %" PRId64, insn->reg,
                      insn->src, insn->bytes);
        break;
    case SG_INSN_PERMUTE:
        sg_buf_printf(out, "    r%d = permute r%d c%" PRId64, insn->reg, insn->a, insn->constant);
        break;
    case SG_INSN_PERMUTE2:
    case SG_INSN_BLEND:
        sg_buf_printf(out, "    r%d = %s r%d r%d", insn->reg, name, insn->a, insn->b);
        sg_buf_printf(out, " c%" PRId64, insn->constant);
        break;
    case SG_INSN_PREFETCH:
        sg_buf_printf(out, "    prefetch in+%" PRId64, insn->src);
        break;
    case SG_INSN_STORE:
        sg_buf_printf(out, "    store out%" PRId64 "+%" PRId64 " r%d", insn->column, insn->dst,
                      insn->a);
        break;
    default:
        sg_buf_printf(out, "    %s %" PRId64 "  out%" PRId64, name, insn->bytes, insn->column);
        sg_buf_printf(out, "+%" PRId64 " <- in+%" PRId64, insn->dst, insn->src);
        break;
    }
    sg_buf_addz(out, insn->fed ? " fed" : "");
    sg_buf_addc(out, '\n');
}

static void dump_body(sg_buf *out, const sg_variant *v, const sg_body *body)
{
    for (int64_t c = 0; c < body->nconstants; ++c) {
        const sg_constant *constant = &body->constants[c];
        sg_buf_printf(out, "    c%" PRId64 " = %s ", c,
                      constant->kind == SG_CONSTANT_MASK ? "mask" : "index");
        dump_lanes(out, v, constant);
        sg_buf_addc(out, '\n');
    }
    for (int64_t i = 0; i < body->ninsns; ++i) {
        dump_vector_insn(out, &body->insns[i]);
    }
}

static void dump_variant(sg_buf *out, const sg_variant *v)
{
    static const char *const feeding[] = {"", " feeds unaligned", " feeds always"};
    sg_buf_printf(out, "  variant %s rows_per_trip %" PRId64 " lanes %d of %" PRId64 " bytes%s%s\n",
                  v->isa->id, v->rows_per_trip, v->lanes, v->lane_bytes, feeding[v->feeding],
                  v->in_order ? " in order" : "");
    for (int64_t s = 0; v->nslices > 1 && s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        sg_buf_printf(out, "   slice body %" PRId64 " column %" PRId64, slice->body, slice->column);
        sg_buf_printf(out, " in+%" PRId64 "\n", slice->src);
    }
    for (int64_t b = 0; b < v->nbodies; ++b) {
        if (v->nslices > 1) {
            sg_buf_printf(out, "   body %" PRId64 "\n", b);
        }
        dump_body(out, v, &v->bodies[b]);
    }
}

void sg_dump_program(sg_buf *out, const sg_plan *plan)
{
    if (plan->bits != NULL) {
        sg_bits_dump_program(out, plan);
        return;
    }
    sg_buf_printf(out, "program %s\n", plan->split->name);
    for (int64_t s = 0; s < plan->whole.nsegments; ++s) {
        dump_segment(out, "segment", &plan->whole.segments[s]);
    }
    if (plan->layout.ncolumns > 0) {
        dump_segment(out, "row", &plan->row);
    }
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        dump_variant(out, &plan->variants[i]);
    }
}
