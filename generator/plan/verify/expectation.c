/* What has to arrive where, computed from the split alone, and the checks against it that all
 * proofs share. */
#include "plan/verify/expectation.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "plan/plan.h"

static int compare_intervals(const void *a, const void *b)
{
    const sg_interval *x = a;
    const sg_interval *y = b;
    if (x->column != y->column) {
        return x->column < y->column ? -1 : 1;
    }
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* What lies before axis position `index`, within one row. */
static int64_t before(const sg_split *split, int64_t element, int64_t index)
{
    int64_t sum = index * element;
    for (int d = split->axis + 1; d < split->rank; ++d) {
        sum *= split->dims[d];
    }
    return sum;
}

const char *sg_verify_expect(sg_arena *arena, const sg_plan *plan, int64_t element,
                             sg_expectation *e)
{
    const sg_split *split = plan->split;
    int64_t total = element;
    bool empty = false;
    for (int d = 0; d < split->rank; ++d) {
        empty = empty || split->dims[d] == 0;
    }
    e->rows = 1;
    for (int d = 0; !empty && d < split->rank; ++d) {
        if (!sg_mul64(total, split->dims[d], &total)) {
            return "the tensor is larger than int64";
        }
        e->rows *= d < split->axis ? split->dims[d] : 1;
    }
    e->row_bytes = empty ? 0 : total / e->rows;
    if (!sg_mul64(e->rows, split->items, &e->rows)) {
        return "there are more rows than int64 counts";
    }
    if (empty) {
        e->rows = 0;
    }
    e->targets = SG_NEW_ARRAY(arena, sg_expected, split->nparts);

    int64_t o = 0;
    int64_t start = 0;
    for (int64_t i = 0; i < split->nparts; ++i) {
        const sg_part *part = &split->parts[i];
        if (part->start != start) {
            return "the parts are not contiguous";
        }
        start += part->length;
        if (!part->wanted) {
            continue;
        }
        if (o >= plan->noutputs || plan->outputs[o].part != part) {
            return "the outputs are not the wanted parts in order";
        }
        const bool moves = !empty && part->length > 0;
        if (plan->outputs[o].column != (moves ? e->ntargets : -1)) {
            return sg_arena_printf(arena, "output %" PRId64 " has the wrong column", o);
        }
        if (moves) {
            e->targets[e->ntargets++] =
                (sg_expected){.offset = before(split, element, part->start),
                              .width = before(split, element, part->length)};
        }
        ++o;
    }
    if (start != split->dims[split->axis]) {
        return "the parts do not sum to the axis";
    }
    return o == plan->noutputs ? NULL : "there are more outputs than wanted parts";
}

const char *sg_verify_strides(sg_arena *arena, const sg_plan *plan, int64_t o)
{
    const sg_split *split = plan->split;
    const sg_output *output = &plan->outputs[o];
    int64_t input_step = 1;
    int64_t dense_step = 1;
    for (int d = split->rank - 1; d >= 0; --d) {
        const int64_t length = d == split->axis ? output->part->length : split->dims[d];
        if (output->dims[d] != length || output->strides[d] != input_step ||
            (output->view == SG_VIEW_CONTIGUOUS && length > 1 && input_step != dense_step)) {
            return sg_arena_printf(arena, "the view of output %" PRId64 " is wrong in dimension %d",
                                   o, d);
        }
        input_step *= split->dims[d];
        dense_step *= length;
    }
    return NULL;
}

/* Every unit of one instruction comes from where the split says, row by row. */
const char *sg_verify_run(sg_arena *arena, const sg_expectation *e, int64_t rows,
                          const sg_insn *insn, int64_t index)
{
    if (insn->column < 0 || insn->column >= e->ntargets) {
        return sg_arena_printf(arena, "instruction %" PRId64 " names no column", index);
    }
    const char *unit = e->bits ? "bit" : "byte";
    const sg_expected *t = &e->targets[insn->column];
    if (insn->bytes <= 0 || insn->dst < 0 || insn->src < 0 ||
        insn->dst > rows * t->width - insn->bytes ||
        insn->src > rows * e->row_bytes - insn->bytes) {
        return sg_arena_printf(arena, "instruction %" PRId64 " leaves its buffers", index);
    }
    for (int64_t done = 0; done < insn->bytes;) {
        const int64_t row = (insn->dst + done) / t->width;
        const int64_t at = (insn->dst + done) % t->width;
        if (insn->src + done != row * e->row_bytes + t->offset + at) {
            return sg_arena_printf(arena,
                                   "instruction %" PRId64 " fills %s %" PRId64 " of column %" PRId64
                                   " from %s %" PRId64 ", not %" PRId64,
                                   index, unit, insn->dst + done, insn->column, unit,
                                   insn->src + done, row * e->row_bytes + t->offset + at);
        }
        /* The rest of this row moves in step. A column as wide as the row is one run: all rows. */
        const int64_t run =
            t->width == e->row_bytes ? rows * t->width - (insn->dst + done) : t->width - at;
        done += run < insn->bytes - done ? run : insn->bytes - done;
    }
    return NULL;
}

/* The writes of one window tile every column exactly once. */
const char *sg_verify_cover(sg_arena *arena, const sg_expectation *e, int64_t rows,
                            sg_interval *writes, int64_t n)
{
    const char *unit = e->bits ? "bit" : "byte";
    qsort(writes, (size_t)n, sizeof *writes, compare_intervals);
    int64_t i = 0;
    for (int64_t c = 0; c < e->ntargets; ++c) {
        int64_t reached = 0;
        for (; i < n && writes[i].column == c; ++i) {
            if (writes[i].begin != reached) {
                return sg_arena_printf(arena, "%s %" PRId64 " of column %" PRId64 " is written %s",
                                       unit, writes[i].begin < reached ? writes[i].begin : reached,
                                       c, writes[i].begin < reached ? "twice" : "never");
            }
            reached = writes[i].end;
        }
        if (reached != rows * e->targets[c].width) {
            return sg_arena_printf(arena, "%s %" PRId64 " of column %" PRId64 " is written never",
                                   unit, reached, c);
        }
    }
    return NULL;
}
