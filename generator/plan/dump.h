/* Stable text of every stage, for --dump. */
#ifndef SG_PLAN_DUMP_H
#define SG_PLAN_DUMP_H

#include "base/text.h"
#include "plan/plan.h"

void sg_dump_op(sg_buf *out, const sg_op *op);
void sg_dump_split(sg_buf *out, const sg_split *split);
void sg_dump_layout(sg_buf *out, const sg_plan *plan);
void sg_dump_plan(sg_buf *out, const sg_plan *plan);
void sg_dump_program(sg_buf *out, const sg_plan *plan);
/* --explain: per output view or copy, the strategy, why, and what would make it cheaper. */
void sg_explain(sg_buf *out, const sg_plan *plan);
/* --list: one line per op: shape, axis, lengths, which outputs are free views. */
void sg_list(sg_buf *out, const sg_plan *plan);
const char *sg_view_name(sg_view_kind kind); /* "contiguous", "strided", "copy" */

#endif
