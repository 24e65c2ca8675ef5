/* Limits on the output of a run, from options with defaults, because a small input can ask for a
 * huge output. If a limit is reached, the run ends (SG_EXIT_BUDGET), and the message names the
 * option that raises it. */
#ifndef SG_DRIVER_RUN_LIMITS_H
#define SG_DRIVER_RUN_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "driver/options.h"
#include "plan/plan.h"
#include "split/op.h"

/* The value of --max-kernels, --max-copies, --max-text, --max-seconds or --rule-steps, or its
 * default. */
int64_t sg_run_limit(const sg_options *options, sg_option_id id);

/* False: more ops than --max-kernels, reported. */
bool sg_run_limit_kernels(sg_diag *diag, const sg_options *options,
                          const sg_op_array *ops) SG_CHECK;

/* Adds the number of copies in all bodies of the plan to *copies. False: more than --max-copies,
 * reported. */
bool sg_run_limit_copies(sg_diag *diag, const sg_options *options, const sg_plan *plan,
                         int64_t *copies) SG_CHECK;

/* False: the text would have exceeded --max-text, reported. */
bool sg_run_limit_text(sg_diag *diag, const sg_options *options, const sg_buf *text) SG_CHECK;

/* From now on, the process ends (SG_EXIT_BUDGET) with a message when it has used --max-seconds of
 * processor time, until sg_system_unlimit_time(). The arena must live until then. */
void sg_run_limit_time(sg_arena *arena, const sg_options *options);

#endif
