/* The plan told to a user: one line per op for --list, the reasons for --explain. */
#include "plan/tell/explain.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/layout.h"
#include "plan/plan.h"
#include "plan/tell/dump.h"
#include "plan/tell/explain_copy.h"
#include "plan/tell/fusion.h"

/* Whether the rows of a tensor with this length on the axis lie apart. */
static bool has_gaps(const sg_split *split, int64_t length, int64_t row_stride)
{
    return row_stride != length * split->inner.factor;
}

/* As the notation has it. */
static void add_stride(sg_buf *out, const sg_split *split, int64_t length, int64_t row_stride,
                       const int64_t *strides)
{
    for (int d = 0; strides != NULL && d < split->axis; ++d) {
        sg_buf_printf(out, "/%" PRId64, strides[d]);
    }
    if (strides != NULL) {
        return;
    }
    if (has_gaps(split, length, row_stride)) {
        sg_buf_printf(out, "/%" PRId64, row_stride);
    }
}

static void add_heading(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    sg_buf_printf(out, "%s: %s", split->name, sg_dtype_get(split->dtype)->name);
    sg_dump_shape(out, split, split->dims);
    add_stride(out, split, split->dims[split->axis], split->row_stride, split->strides);
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

/* "; Slice x 3": which nodes of a model are one op here. */
static void add_family(sg_buf *out, const sg_op_origin *origin)
{
    if (origin != NULL && origin->nodes != NULL) {
        sg_buf_printf(out, "; %s x %" PRId64, origin->op_type, origin->nnodes);
    }
}

void sg_list(sg_buf *out, const sg_plan *plan)
{
    add_heading(out, plan);
    sg_buf_addz(out, plan->split->joins ? " <-" : " ->");
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        const char *cost = "view";
        if (output->part->view_only) {
            cost = output->view == SG_VIEW_STRIDED ? "strided view, no code" : "view, no code";
        } else if (output->column < 0) {
            cost = "empty";
        } else if (output->view == SG_VIEW_STRIDED) {
            cost = "strided view or copy";
        } else if (!sg_output_is_free(output)) {
            cost = "copy";
        }
        sg_buf_printf(out, "%s %s:%" PRId64, o > 0 ? "," : "", output->part->c_name,
                      output->part->length);
        if (output->part->source == NULL) {
            add_stride(out, plan->split, output->part->length, output->part->row_stride,
                       output->part->strides);
        }
        sg_buf_printf(out, " (%s", cost);
        if (output->part->copied != NULL) {
            sg_buf_addz(out, ": ");
            sg_buf_add_visiblez(out, output->part->copied);
        }
        sg_buf_addc(out, ')');
    }
    add_family(out, plan->split->op->origin);
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

static void add_fused(sg_buf *out, const sg_split *split)
{
    for (int64_t i = 0; i < split->nfused; ++i) {
        const sg_split *fused = split->fused[i];
        const sg_op_origin *origin = fused->op->origin;
        sg_buf_printf(out, "  fused: %s ", origin->op_type);
        add_node(out, fused);
        sg_buf_printf(out, " along axis %d of ", fused->axis);
        add_quoted(out, origin->input);
        sg_buf_printf(out, ", %s never made: %" PRId64 " bytes less to write, and to read again\n",
                      split->joins && !fused->joins ? "parts of which are" : "which is",
                      split->saved[i]);
    }
    if (split->apart != NULL) {
        sg_buf_addz(out, "  ");
        sg_buf_add_visiblez(out, split->apart);
        sg_buf_addc(out, '\n');
    }
}

void sg_explain_fused(sg_buf *out, const sg_plan *const *plans, int64_t count)
{
    const sg_fusion sums = sg_fusion_count(plans, count);
    if (!sums.any) {
        sg_buf_addz(out, "--fuse: no Split is there only to feed another along its axis; nothing "
                         "is fused\n");
        return;
    }
    sg_buf_printf(out,
                  "--fuse: %" PRId64 " Splits%s are %" PRId64 " kernel%s, which saves %" PRId64
                  " bytes written and read\n",
                  sums.splits + sums.concats, sums.concats > 0 ? " and Concats" : "", count,
                  count == 1 ? "" : "s", sums.bytes);
}

/* --- Outputs ---------------------------------------------------------------------------------- */

static void add_view(sg_buf *out, const sg_plan *plan, const sg_output *output)
{
    sg_buf_addz(out, "    view: ");
    if (output->part->bytes == 0) {
        sg_buf_addz(out, output->view_why);
    } else if (output->view == SG_VIEW_COPY) {
        sg_buf_printf(out, "none, because %s", output->view_why);
    } else if (output->view == SG_VIEW_STRIDED) {
        sg_buf_printf(out, "strided, from byte %" PRId64 " of the %s, strides ",
                      output->byte_offset, sg_split_whole_word(plan->split));
        sg_dump_dims(out, output->strides, sg_part_rank(plan->split, output->part));
        sg_buf_printf(out, " elements: %s", output->view_why);
    } else {
        sg_buf_printf(out, "contiguous, from byte %" PRId64 " of the %s, because %s",
                      output->byte_offset, sg_split_whole_word(plan->split), output->view_why);
    }
    sg_buf_addc(out, '\n');
}

/* What whoever reads the output or writes the input, or makes the model, could do to have it
 * without a copy. */
static void add_advice(sg_buf *out, const sg_plan *plan, const sg_output *output)
{
    if (output->column < 0 || output->part->data != NULL) {
        return;
    }
    const bool joins = plan->split->joins;
    sg_buf_addz(out, "    no cost: ");
    if (output->part->copied != NULL) {
        sg_buf_addz(out, "none, because ");
        sg_buf_add_visiblez(out, output->part->copied);
        sg_buf_addc(out, '\n');
    } else if (output->view == SG_VIEW_CONTIGUOUS) {
        sg_buf_printf(out, "%s it there, without a kernel\n", joins ? "write" : "read");
    } else if (output->view == SG_VIEW_STRIDED) {
        sg_buf_printf(out,
                      "a %s that takes strides, or a layout with axis %d as the outermost "
                      "dimension\n",
                      joins ? "writer" : "reader", plan->split->axis);
    } else {
        sg_buf_addz(out, "a layout where the part, and every row, begins at a whole byte\n");
    }
}

/* ", rows 40 elements apart": of a tensor that is not dense. */
static void add_gaps(sg_buf *out, const sg_split *split, int64_t length, int64_t row_stride,
                     const int64_t *strides)
{
    for (int d = 0; strides != NULL && d < split->axis; ++d) {
        sg_buf_printf(out, "%s%" PRId64, d == 0 ? ", at strides of " : ", ", strides[d]);
    }
    if (strides != NULL) {
        sg_buf_addz(out, " elements");
        return;
    }
    if (has_gaps(split, length, row_stride)) {
        sg_buf_printf(out, ", rows %" PRId64 " element%s apart", row_stride,
                      row_stride == 1 ? "" : "s");
    }
}

static void add_output(sg_buf *out, const sg_plan *plan, const sg_output *output)
{
    sg_buf_printf(out, "  %s ", output->part->c_name);
    sg_dump_part_shape(out, plan->split, output->part, output->dims);
    sg_buf_printf(out, ", %" PRId64 " byte%s%s", output->part->bytes,
                  output->part->bytes == 1 ? "" : "s", plan->split->nopen > 0 ? " an item" : "");
    if (output->part->data != NULL) {
        sg_buf_addz(out, ", a constant");
    } else if (output->part->source != NULL) {
        sg_buf_addz(out, ", read in ");
        add_quoted(out, output->part->source->name);
    } else {
        add_gaps(out, plan->split, output->part->length, output->part->row_stride,
                 output->part->strides);
    }
    sg_buf_addc(out, '\n');
    add_view(out, plan, output);
    sg_buf_printf(out, "    copy: %s\n", output->strategy);
    add_advice(out, plan, output);
    if (output->part->unread) {
        sg_buf_printf(out,
                      "    unread: nothing in the model reads '%s'; --only-read leaves it out\n",
                      output->part->tensor);
    }
}

/* What the whole kernel moves. */
static void add_total(sg_buf *out, const sg_plan *plan)
{
    const sg_split *split = plan->split;
    const int64_t written = plan->bytes_moved / sg_split_items(split);
    const bool open = split->nopen > 0;
    sg_buf_printf(out, "  the kernel writes %" PRId64 " byte%s%s; the %s has %" PRId64, written,
                  written == 1 ? "" : "s", open ? " an item" : "", sg_split_whole_word(split),
                  split->bytes);
    add_gaps(out, split, split->dims[split->axis], split->row_stride, split->strides);
    sg_buf_addc(out, '\n');
    if (open) {
        sg_buf_printf(out, "  expected are %" PRId64 " item%s, of %" PRId64 " row%s each\n",
                      sg_split_items(split), sg_split_items(split) == 1 ? "" : "s",
                      split->outer.factor, split->outer.factor == 1 ? "" : "s");
    }
}

void sg_explain(sg_buf *out, const sg_plan *plan)
{
    add_heading(out, plan);
    sg_buf_addc(out, '\n');
    add_fused(out, plan->split);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        add_output(out, plan, &plan->outputs[o]);
    }
    add_total(out, plan);
    sg_explain_copy(out, plan);
}

/* Sums over ops, which are not limited together as the bytes of one are. */
typedef struct sum {
    int64_t bytes;
    bool overflows;
} sum;

static void add_bytes(sum *to, int64_t bytes)
{
    to->overflows = !sg_add64(to->bytes, bytes, &to->bytes) || to->overflows;
}

static void add_output_bytes(const sg_plan *plan, sum *copied, sum *saved)
{
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        add_bytes(sg_output_is_free(output) ? saved : copied, output->part->bytes);
    }
}

/* A sum for people. */
static void add_sum(sg_buf *out, const sum *s)
{
    if (s->overflows) {
        sg_buf_addz(out, "more than 2^63");
    } else {
        sg_buf_printf(out, "%" PRId64, s->bytes);
    }
}

void sg_list_total(sg_buf *out, const sg_plan *const *plans, int64_t count)
{
    sum copied = {0};
    sum saved = {0};
    bool open = false;
    for (int64_t i = 0; i < count; ++i) {
        add_output_bytes(plans[i], &copied, &saved);
        open = open || plans[i]->split->nopen > 0;
    }
    sg_buf_addz(out, "total: ");
    add_sum(out, &saved);
    sg_buf_addz(out, " bytes need no copy, ");
    add_sum(out, &copied);
    sg_buf_printf(out, " bytes do%s\n", open ? ", of open dimensions one item each" : "");
}
