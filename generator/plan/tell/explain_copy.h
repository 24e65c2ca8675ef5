/* The second part of --explain: how a kernel copies what is copied. */
#ifndef SG_PLAN_TELL_EXPLAIN_COPY_H
#define SG_PLAN_TELL_EXPLAIN_COPY_H

#include "base/text.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Its bodies, what is predicted of them, and the table of choices; nothing of a kernel that copies
 * nothing. */
void sg_explain_copy(sg_buf *out, const sg_plan *plan);

/* When a row of the table is taken, unless one before it is, and how its body stores: "AVX-512,
 * from 128 rows on, outputs aligned to 64 bytes: non-temporal stores". */
void sg_explain_choice(sg_buf *out, const sg_plan *plan, const sg_choice *choice);

/* Whether what is predicted for a microarchitecture is told of a body: it is known, and the one the
 * body is made for where that is one (`tune`). */
bool sg_is_told(const sg_prediction *on, sg_uarch tune, int uarch);

#endif
