/* The compiler: from options to files. */
#ifndef SG_DRIVER_PIPELINE_H
#define SG_DRIVER_PIPELINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "driver/options.h"

/* Does what the options ask for. False: reported, and nothing was written. */
bool sg_pipeline_run(sg_arena *arena, sg_diag *diag, const sg_options *options) SG_CHECK;

#endif
