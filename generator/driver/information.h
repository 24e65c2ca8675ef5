/* Options that only print information about splitgen: --help, --version, --print. */
#ifndef SG_DRIVER_INFORMATION_H
#define SG_DRIVER_INFORMATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "driver/options.h"

bool sg_information_wanted(const sg_options *options);

/* Prints the text of the first such option to standard output, or to the file of -o. False:
 * reported. */
bool sg_information_print(sg_arena *arena, sg_diag *diag, const sg_options *options) SG_CHECK;

#endif
