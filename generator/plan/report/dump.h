/* Stable text of every stage, for --dump, appended to `out`. */
#ifndef SG_PLAN_TELL_DUMP_H
#define SG_PLAN_TELL_DUMP_H

#include "base/text.h"
#include "plan/plan.h"

void sg_dump_op(sg_buf *out, const sg_op *op);
void sg_dump_split(sg_buf *out, const sg_split *split);
void sg_dump_layout(sg_buf *out, const sg_plan *plan);
void sg_dump_plan(sg_buf *out, const sg_plan *plan);
void sg_dump_program(sg_buf *out, const sg_plan *plan);

const char *sg_view_name(sg_view_kind kind);      /* "contiguous", "strided", "copy" */
const char *sg_plan_kind_name(sg_plan_kind kind); /* "empty", "straight", "rows" */
const char *sg_port_name(sg_port port);           /* "loads", "stores", ... */

#endif
