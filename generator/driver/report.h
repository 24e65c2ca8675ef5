/* Prints the collected diagnostics to standard error, in colour if enabled. */
#ifndef SG_DRIVER_REPORT_H
#define SG_DRIVER_REPORT_H

#include <stdbool.h>

#include "base/diag.h"
#include "driver/options.h"

/* The settings that decide about colour, separate from the environment for tests. Unset variables
 * are NULL. */
typedef struct sg_color_setting {
    sg_when when; /* --color */
    const char *no_color;
    const char *force_color;
    const char *clicolor_force;
    const char *term;
    bool terminal; /* standard error is a terminal */
} sg_color_setting;

/* --color=always|never, then NO_COLOR (set and not empty: off), then FORCE_COLOR or
 * CLICOLOR_FORCE (set, not empty and not 0: on), then whether standard error is a terminal and
 * TERM is not "dumb". */
sg_color sg_report_color(const sg_color_setting *setting);

/* Appends the diagnostics in the format and colour that the options ask for. */
void sg_report_render(const sg_diag *diag, const sg_options *options, sg_buf *out);

/* Prints text only if there are diagnostics, JSON and SARIF always. Errors in writing to standard
 * error cannot be reported, and are ignored. */
void sg_report_print(const sg_diag *diag, const sg_options *options);

#endif
