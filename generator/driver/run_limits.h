/* The limit of processor time of a run, because a small input can ask for much work. */
#ifndef SG_DRIVER_RUN_LIMITS_H
#define SG_DRIVER_RUN_LIMITS_H

#include <stdint.h>

#include "base/arena.h"
#include "driver/options.h"

/* The value of --max-seconds, or its default. */
int64_t sg_run_limit_seconds(const sg_options *options);

/* From now on, the process ends (SG_EXIT_BUDGET) with a message when it has used --max-seconds of
 * processor time, until sg_system_unlimit_time(). The arena must live until then. */
void sg_run_limit_time(sg_arena *arena, const sg_options *options);

#endif
