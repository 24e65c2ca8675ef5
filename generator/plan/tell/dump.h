/* Stable text of every stage, for --dump. Everything is appended to out; nothing is decided here.
 */
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

/* "[1,1024,2304]" */
void sg_dump_dims(sg_buf *out, const int64_t *dims, int rank);
/* The same of the split's input, or an output of it, with the free one by its name: "[batch,1024]".
 */
void sg_dump_shape(sg_buf *out, const sg_split *split, const int64_t *dims);
void sg_dump_part_shape(sg_buf *out, const sg_split *split, const sg_part *part,
                        const int64_t *dims);

#endif
