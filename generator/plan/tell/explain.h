/* A plan told to a user, for --list and --explain. */
#ifndef SG_PLAN_TELL_EXPLAIN_H
#define SG_PLAN_TELL_EXPLAIN_H

#include "base/text.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* One line: name, element type, shape, axis, and every wanted output with its length and whether
 * it is a free view, a strided view or a copy; which Splits are part of it, or why it is none. */
void sg_list(sg_buf *out, const sg_plan *plan);

/* Per output: view or copy and why, how the kernel moves it, what would make it cheaper. */
void sg_explain(sg_buf *out, const sg_plan *plan);

/* Behind all of them: what fusing Splits saves. */
void sg_explain_fused(sg_buf *out, const sg_plan *const *plans, int64_t count);

/* Whether what is predicted for a microarchitecture is told of a body: it is known, and the one the
 * body is made for where that is one (`tune`). */
bool sg_is_told(const sg_prediction *on, sg_uarch tune, int uarch);

#endif
