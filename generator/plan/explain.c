/* The plan told to a user: one line per op for --list, the reasons for --explain. */
#include <inttypes.h>

#include "plan/bits.h"
#include "plan/dump.h"
#include "plan/isa.h"

static void add_heading(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_buf_printf(out, "%s: %s", split->name, sg_dtype_get(split->dtype)->name);
    sg_dump_dims(out, split->dims, split->rank);
    sg_buf_printf(out, " axis %d", split->axis);
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
    sg_buf_addc(out, '\n');
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
    const sg_prediction *on; /* by microarchitecture */
    sg_uarch tune;
    const char *besides;
} trip;

bool sg_is_told(const sg_prediction *on, sg_uarch tune, int uarch)
{
    return on[uarch].cycles > 0 && (tune == SG_UARCH_GENERIC || uarch == (int)tune);
}

static void add_body(sg_buf *out, const sg_plan *plan, const trip *t)
{
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        const sg_prediction *p = &t->on[u];
        if (sg_is_told(t->on, t->tune, u)) {
            sg_buf_printf(out,
                          "  %s body: %.0f bytes a cycle predicted in L1 of %s, bound by %s "
                          "(%" PRId64 " rows in %.2f cycles)%s\n",
                          t->isa, (double)plan->split->bytes / p->all, sg_uarch_title((sg_uarch)u),
                          sg_port_name(p->bound), t->rows, p->cycles, t->besides);
        }
    }
}

static void add_variant(sg_buf *out, const sg_plan *plan, const sg_variant *v)
{
    const bool merges = v->feeding == SG_FEED_ALWAYS;
    add_body(out, plan,
             &(trip){.isa = v->isa->name,
                     .rows = v->rows_per_trip,
                     .on = v->on,
                     .tune = v->tune,
                     .besides = merges ? ", ends of rows merged into whole lines" : ""});
}

/* Groups of rows of packed elements by vectors. */
static void add_bits(sg_buf *out, const sg_plan *plan)
{
    const sg_bits *bits = plan->bits;
    const sg_bit_vectors *v = bits->vectors;
    if (v != NULL) {
        add_body(out, plan,
                 &(trip){.isa = sg_isa_get(SG_BIT_ISA)->name,
                         .rows = v->groups * bits->group_rows,
                         .on = v->on,
                         .besides = ""});
    }
}

void sg_explain(sg_buf *out, const sg_plan *plan)
{
    add_heading(out, plan);
    sg_buf_printf(out, "\n  kernel: %s (%s)\n", plan->strategy, plan->why);
    sg_buf_printf(out, "  moves %" PRId64 " of %" PRId64 " bytes in %" PRId64 " copies\n",
                  plan->bytes_moved, plan->split->bytes, plan->copies);
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        add_variant(out, plan, &plan->variants[i]);
    }
    if (plan->bits != NULL) {
        add_bits(out, plan);
    }
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        sg_buf_printf(out, "  %s ", output->part->c_name);
        sg_dump_dims(out, output->dims, plan->split->rank);
        sg_buf_printf(out, ", %" PRId64 " bytes\n", output->part->bytes);
        sg_buf_printf(out, "    view: %s, because %s\n", sg_view_name(output->view),
                      output->view_why);
        sg_buf_printf(out, "    copy: %s\n", output->strategy);
        add_advice(out, plan, output);
    }
}
