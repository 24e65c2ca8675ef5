/* What a run may make at most, in options with defaults: a small input may ask for very much. Each
 * ends the run (SG_EXIT_BUDGET) before more is made, with the option that raises it. */
#ifndef SG_DRIVER_RUN_LIMITS_H
#define SG_DRIVER_RUN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "driver/options.h"
#include "plan/plan.h"
#include "split/op.h"

/* What --max-kernels, --max-copies, --max-text or --rule-steps says, or its default. */
int64_t sg_run_limit(const sg_options *options, sg_option_id id);

/* False: there are more ops than --max-kernels allows, reported. */
bool sg_run_limit_kernels(sg_diag *diag, const sg_options *options,
                          const sg_op_array *ops) SG_CHECK;

/* Adds what all bodies of the plan have to *copies. False: that is more than --max-copies allows,
 * reported. */
bool sg_run_limit_copies(sg_diag *diag, const sg_options *options, const sg_plan *plan,
                         int64_t *copies) SG_CHECK;

/* False: more was to be added to the text than --max-text allows, reported. */
bool sg_run_limit_text(sg_diag *diag, const sg_options *options, const sg_buf *text) SG_CHECK;

#endif
