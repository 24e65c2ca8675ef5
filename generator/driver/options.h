/* Parses the command line into values (option_values.h). Checks everything that needs no files, and
 * acts on no option. */
#ifndef SG_DRIVER_OPTIONS_H
#define SG_DRIVER_OPTIONS_H

#include "base/arena.h"
#include "base/diag.h"
#include "driver/option_values.h"

/* Parses the command line. Reports every error (SG_EXIT_USAGE). `options` then still has the values
 * that could be parsed, so that the errors can be printed in the requested format. Memory belongs
 * to the arena; argv must outlive it. */
bool sg_options_parse(sg_arena *arena, sg_diag *diag, int argc, const char *const *argv,
                      sg_options *options) SG_CHECK;

#endif
