/* --emit=runtime: the headers and the sources of the runtime as files. */
#ifndef SG_DRIVER_RUNTIME_FILES_H
#define SG_DRIVER_RUNTIME_FILES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "driver/options.h"

bool sg_runtime_wanted(const sg_options *options);

/* Writes them into the folder of -o, headers into splitgen/ in it; or compares them, for
 * --check. */
bool sg_runtime_write(sg_arena *arena, sg_diag *diag, const sg_options *options) SG_CHECK;

#endif
