/* --report: prints the metrics of kernels as text and as JSON. */
#ifndef SG_DRIVER_COSTS_H
#define SG_DRIVER_COSTS_H

#include "base/arena.h"
#include "base/text.h"
#include "plan/plan.h"

/* As text: a table for each kernel, and if there are several, one for all together.
 *
 * As JSON: one JSON document: "schema", 2; "kernels", each with "name", "code_of" (the kernel whose
 * code it shares, else null), the numbers "read" and "written" (bytes), "copies" and
 * "instructions", and "bodies", each with "name" as in --isa, "only" (the processor it is for as in
 * --tune, else null) and "instructions" by kind; and "total", the sums of the numbers. New fields
 * may be added; changing the meaning of a field or removing one increases the schema number. */
void sg_costs_print(sg_arena *arena, sg_buf *out, const sg_plan *const *plans, int64_t count,
                    bool is_json);

#endif
