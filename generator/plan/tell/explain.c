/* The plan told to a user: one line per op for --list, the reasons for --explain. */
#include "plan/tell/explain.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/tell/dump.h"
#include "plan/tell/dump_parts.h"

static void add_heading(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_buf_printf(out, "%s: %s", split->name, sg_dtype_get(split->dtype)->name);
    sg_dump_shape(out, split, split->dims);
    sg_buf_printf(out, " axis %d", split->axis);
}

/* A name of a model in quotes. */
static void add_quoted(sg_buf *out, const char *name)
{
    sg_buf_addc(out, '\'');
    sg_buf_add_visiblez(out, name);
    sg_buf_addc(out, '\'');
}

/* What a user calls a Split of a model. */
static void add_node(sg_buf *out, const sg_split *split)
{
    const char *node = split->op->origin->node;
    add_quoted(out, node[0] != '\0' ? node : split->name);
}

void sg_list(sg_buf *out, const sg_plan *plan)
{
    add_heading(out, plan);
    sg_buf_addz(out, " ->");
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        const char *cost = "free view";
        if (output->column < 0) {
            cost = "empty";
        } else if (output->view == SG_VIEW_STRIDED) {
            cost = "strided view or copy";
        } else if (output->view == SG_VIEW_COPY) {
            cost = "copy";
        }
        sg_buf_printf(out, "%s %s:%" PRId64 " (%s)", o > 0 ? "," : "", output->part->c_name,
                      output->part->length, cost);
    }
    for (int64_t i = 0; i < plan->split->nfused; ++i) {
        sg_buf_addz(out, i == 0 ? "; fused with " : ", ");
        add_node(out, plan->split->fused[i]);
    }
    if (plan->split->apart != NULL) {
        sg_buf_addz(out, "; ");
        sg_buf_add_visiblez(out, plan->split->apart);
    }
    sg_buf_addc(out, '\n');
}

/* --- Splits as one kernel --------------------------------------------------------------------- */

/* Twice the bytes of tensors that are never made, as far as an int64 goes. */
static void add_saved(int64_t *saved, const sg_split *split)
{
    for (int64_t i = 0; i < split->nfused; ++i) {
        for (int turn = 0; turn < 2; ++turn) {
            if (!sg_add64(*saved, split->fused[i]->bytes, saved)) {
                *saved = INT64_MAX;
            }
        }
    }
}

static void add_fused(sg_buf *out, const sg_split *split)
{
    for (int64_t i = 0; i < split->nfused; ++i) {
        const sg_split *fused = split->fused[i];
        const sg_op_origin *origin = fused->op->origin;
        sg_buf_printf(out, "  fused: %s ", origin->op_type);
        add_node(out, fused);
        sg_buf_printf(out, " along axis %d of ", fused->axis);
        add_quoted(out, origin->input);
        sg_buf_printf(out,
                      ", which is never made: %" PRId64 " bytes less to write, and to read again\n",
                      fused->bytes);
    }
    if (split->apart != NULL) {
        sg_buf_addz(out, "  ");
        sg_buf_add_visiblez(out, split->apart);
        sg_buf_addc(out, '\n');
    }
}

void sg_explain_fused(sg_buf *out, const sg_plan *const *plans, int64_t count)
{
    int64_t fused = 0;
    int64_t saved = 0;
    for (int64_t i = 0; i < count; ++i) {
        fused += plans[i]->split->nfused;
        add_saved(&saved, plans[i]->split);
    }
    if (fused == 0) {
        sg_buf_addz(out, "--fuse: no Split is there only to feed another along its axis; nothing "
                         "is fused\n");
        return;
    }
    sg_buf_printf(out,
                  "--fuse: %" PRId64 " Splits are %" PRId64 " kernel%s, which saves %" PRId64
                  " bytes written and read\n",
                  count + fused, count, count == 1 ? "" : "s", saved);
}

/* What the author of the model could change to pay nothing. */
static void add_advice(sg_buf *out, const sg_plan *plan, const sg_output *output)
{
    if (output->column < 0) {
        return;
    }
    if (output->view == SG_VIEW_CONTIGUOUS) {
        sg_buf_printf(out, "    cheaper: pass data + %" PRId64 " bytes on instead of copying\n",
                      output->byte_offset);
        return;
    }
    if (output->view == SG_VIEW_COPY) {
        sg_buf_addz(out, "    cheaper: parts of whole bytes, so that nothing has to be shifted\n");
        return;
    }
    sg_buf_addz(out, "    cheaper: a consumer that takes strides needs no copy (strides ");
    sg_dump_dims(out, output->strides, plan->split->rank);
    sg_buf_printf(out, " elements from byte %" PRId64 ")", output->byte_offset);
    sg_buf_printf(out,
                  "; with axis %d as the outermost dimension every output would be "
                  "contiguous\n",
                  plan->split->axis);
}

/* What a body for an instruction set does in a trip. */
typedef struct trip {
    const char *isa; /* --isa spelling */
    int64_t rows;
    int64_t bytes;           /* of the input that predictions are of */
    const sg_prediction *on; /* by microarchitecture */
    sg_uarch tune;
    const char *besides;
} trip;

bool sg_is_told(const sg_prediction *on, sg_uarch tune, int uarch)
{
    return on[uarch].cycles > 0 && (tune == SG_UARCH_GENERIC || uarch == (int)tune);
}

static void add_body(sg_buf *out, const trip *t)
{
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        const sg_prediction *p = &t->on[u];
        if (sg_is_told(t->on, t->tune, u)) {
            sg_buf_printf(out,
                          "  %s body: %.0f bytes a cycle predicted in L1 of %s, bound by %s "
                          "(%" PRId64 " rows in %.2f cycles)%s\n",
                          t->isa, (double)t->bytes / p->all, sg_uarch_title((sg_uarch)u),
                          sg_port_name(p->bound), t->rows, p->cycles, t->besides);
        }
    }
}

static void add_variant(sg_buf *out, const sg_plan *plan, const sg_variant *v)
{
    const bool merges = v->feeding == SG_FEED_ALWAYS;
    add_body(out, &(trip){.isa = v->isa->name,
                          .bytes = v->planned_rows * plan->layout.row_bytes,
                          .rows = v->rows_per_trip,
                          .on = v->on,
                          .tune = v->tune,
                          .besides = v->is_few ? ", for few rows"
                                     : merges  ? ", ends of rows merged into whole lines"
                                               : ""});
}

/* Groups of rows of packed elements by vectors. */
static void add_bits(sg_buf *out, const sg_plan *plan)
{
    const sg_bits *bits = plan->bits;
    const sg_bit_vectors *v = bits->vectors;
    if (v != NULL) {
        add_body(out, &(trip){.isa = sg_isa_get(SG_BIT_ISA)->name,
                              .bytes = sg_plan_bytes(plan),
                              .rows = v->groups * bits->group_rows,
                              .on = v->on,
                              .besides = ""});
    }
}

void sg_explain(sg_buf *out, const sg_plan *plan)
{
    add_heading(out, plan);
    sg_buf_printf(out, "\n  kernel: %s (%s)\n", plan->strategy, plan->why);
    if (plan->split->free_name != NULL) {
        sg_buf_printf(out,
                      "  moves %" PRId64 " of %" PRId64 " bytes an item; expects %" PRId64
                      " item%s, of %" PRId64 " row%s each\n",
                      plan->bytes_moved / plan->split->items, plan->split->bytes,
                      plan->split->items, plan->split->items == 1 ? "" : "s", plan->split->outer,
                      plan->split->outer == 1 ? "" : "s");
    } else {
        sg_buf_printf(out, "  moves %" PRId64 " of %" PRId64 " bytes in %" PRId64 " copies\n",
                      plan->bytes_moved, plan->split->bytes, plan->copies);
    }
    add_fused(out, plan->split);
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        if (sg_choices_want(plan, i)) {
            add_variant(out, plan, &plan->variants[i]);
        }
    }
    if (plan->bits != NULL) {
        add_bits(out, plan);
    }
    if (plan->nchoices > 1) {
        sg_buf_addz(out, "  runs the first that fits:\n");
        for (int64_t i = 0; i < plan->nchoices; ++i) {
            sg_buf_addz(out, "    ");
            sg_choice_tell(out, plan, &plan->choices[i]);
            sg_buf_addc(out, '\n');
        }
    }
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        sg_buf_printf(out, "  %s ", output->part->c_name);
        sg_dump_shape(out, plan->split, output->dims);
        sg_buf_printf(out, ", %" PRId64 " bytes\n", output->part->bytes);
        sg_buf_printf(out, "    view: %s, because %s\n", sg_view_name(output->view),
                      output->view_why);
        sg_buf_printf(out, "    copy: %s\n", output->strategy);
        if (output->part->unread) {
            sg_buf_printf(
                out, "    unread: nothing in the model reads '%s'; --only-read leaves it out\n",
                output->part->tensor);
        }
        add_advice(out, plan, output);
    }
}
