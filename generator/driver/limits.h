/* --fail-if: limits on the metrics that --report prints. */
#ifndef SG_DRIVER_LIMITS_H
#define SG_DRIVER_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "driver/options.h"
#include "plan/plan.h"
#include "plan/report/figures.h"

typedef enum sg_figure {
    SG_FIGURE_READ,
    SG_FIGURE_WRITTEN,
    SG_FIGURE_COPIES,
    SG_FIGURE_INSTRUCTIONS,
    SG_FIGURES
} sg_figure;

typedef enum sg_comparison {
    SG_MORE,
    SG_NOT_LESS,
    SG_LESS,
    SG_NOT_MORE,
    SG_EQUAL,
    SG_NOT_EQUAL,
    SG_COMPARISONS
} sg_comparison;

typedef struct sg_limit {
    sg_span span; /* of the expression on the command line */
    bool total;   /* for all kernels together, else for each kernel */
    sg_figure figure;
    sg_comparison comparison;
    int64_t number;
} sg_limit;

typedef struct sg_limits {
    sg_limit *items;
    int64_t count;
} sg_limits;

/* The names of all metrics and their units, in the arena. Returns their number. */
size_t sg_limits_figures(sg_arena *arena, const char *const **names, const char *const **units);

/* Parses every --fail-if. False: all errors are reported (SG_EXIT_USAGE). */
bool sg_limits_read(sg_arena *arena, sg_diag *diag, const sg_options *options,
                    sg_limits *limits) SG_CHECK;

/* False: limits are exceeded, which is reported at the ops (SG_EXIT_BUDGET). figures and plans have
 * count entries. */
bool sg_limits_check(sg_diag *diag, const sg_limits *limits, const sg_figures *figures,
                     const sg_plan *const *plans, int64_t count) SG_CHECK;

#endif
