/* The command line as values. What options there are stands in
 * option_values.h; this module checks what can be checked without looking at files, and does
 * nothing with the values. */
#ifndef SG_DRIVER_OPTIONS_H
#define SG_DRIVER_OPTIONS_H

#include "base/arena.h"
#include "base/diag.h"
#include "driver/option_values.h"

/* Reads the command line. Every error is reported (SG_EXIT_USAGE) and what could be read is in
 * options even then, so that the errors can be printed as asked for. The memory belongs to the
 * arena; argv must outlive it. */
bool sg_options_parse(sg_arena *arena, sg_diag *diag, int argc, const char *const *argv,
                      sg_options *options) SG_CHECK;

#endif
