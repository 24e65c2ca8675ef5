/* A plan told to a user, for --list and --explain. */
#ifndef SG_PLAN_TELL_EXPLAIN_H
#define SG_PLAN_TELL_EXPLAIN_H

#include "base/text.h"
#include "plan/plan.h"

/* One line: name, element type, shape, axis, and every wanted output with its length and whether
 * it is a view, a strided view or a copy; which Splits are part of it, or why it is none. */
void sg_list(sg_buf *out, const sg_plan *plan);

/* Per output: its view, what a copy costs and what would make it free of cost; then how the kernel
 * copies (explain_copy.h). */
void sg_explain(sg_buf *out, const sg_plan *plan);

/* Behind all of them: what fusing Splits saves. */
void sg_explain_fused(sg_buf *out, const sg_plan *const *plans, int64_t count);

#endif
