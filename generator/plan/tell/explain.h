/* A plan told to a user, for --list and --explain. */
#ifndef SG_PLAN_TELL_EXPLAIN_H
#define SG_PLAN_TELL_EXPLAIN_H

#include "base/text.h"
#include "plan/plan.h"

/* What models have besides, of which no op was made. */
typedef struct sg_list_rest {
    int64_t count;
    const char *what;   /* "Split and VariadicSplit nodes (2)" */
    const char *option; /* with which ops are made of it, too: "--ops=split,slice" */
} sg_list_rest;

/* One line: name, element type, shape, axis, and every wanted output with its length and whether
 * it is a view, a strided view or a copy; which Splits are part of it, or why it is none. */
void sg_list(sg_buf *out, const sg_plan *plan);

/* The last line of --list: the bytes of outputs that are contiguous views, or only views, and those
 * of all others. Of open dimensions one item counts. */
void sg_list_total(sg_buf *out, const sg_plan *const *plans, int64_t count);

/* Per output: its view, what a copy costs and what would make it free of cost; then how the kernel
 * copies (explain_copy.h). */
void sg_explain(sg_buf *out, const sg_plan *plan);

/* Behind all of them: what fusing Splits saves. */
void sg_explain_fused(sg_buf *out, const sg_plan *const *plans, int64_t count);

#endif
