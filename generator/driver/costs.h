/* --report: the figures of kernels as text and as JSON. */
#ifndef SG_DRIVER_COSTS_H
#define SG_DRIVER_COSTS_H

#include "base/arena.h"
#include "base/text.h"
#include "driver/options.h"
#include "plan/plan.h"
#include "plan/report/figures.h"

/* One for each plan, of the code that these options print. */
sg_figures *sg_costs_count(sg_arena *arena, const sg_plan *const *plans, int64_t count);

/* A table for each kernel, and where there are several one line for all of them. */
void sg_costs_text(sg_buf *out, const sg_figures *figures, int64_t count);

/* One JSON document: "schema", 2; "kernels", each with "name", "code_of" (the kernel whose code it
 * runs, else null), "read" and "written" bytes, "copies" and "instructions", numbers, and "bodies",
 * each with "name" as --isa spells it, "only" (the processor it is for, as --tune spells it, else
 * null) and "instructions" by kind; and "total", the sums of the numbers. Fields are added; one
 * that changes its meaning or goes raises the number. */
void sg_costs_json(sg_buf *out, const sg_figures *figures, int64_t count);

#endif
