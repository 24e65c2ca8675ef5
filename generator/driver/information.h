/* Options that print something about splitgen and do nothing else: --help, --version, --man,
 * --completion, --print-lua-api, --print-template. */
#ifndef SG_DRIVER_INFORMATION_H
#define SG_DRIVER_INFORMATION_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "driver/options.h"

bool sg_information_wanted(const sg_options *options);

/* Prints the first of them on standard output, or to the file that -o names. False: reported. */
bool sg_information_print(sg_arena *arena, sg_diag *diag, const sg_options *options) SG_CHECK;

#endif
