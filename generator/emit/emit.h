/* Turns plans into text through the templates. Knows no options, opens no output files, decides
 * nothing: a template that would need a decision shows that the plan lacks a field. */
#ifndef SG_EMIT_EMIT_H
#define SG_EMIT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "emit/unit.h"
#include "emit/watch.h"

/* Steps of Lua that the user's templates may take in a run, besides those for what there is to
 * print; see note [budgets] in emit.c. */
#define SG_EMIT_BASE_STEPS INT64_C(100000000)

/* What the texts of a run have taken of these steps together. Zeros to begin with. */
typedef struct sg_emit_spent {
    int64_t steps;
    int64_t allowed; /* beyond the base, for what they had to print */
    double busy;     /* seconds of the processor */
} sg_emit_spent;

typedef struct sg_emit_options {
    const char *template_dir; /* user's templates, looked up by file name first; NULL: none */
    sg_emit_spent *spent;     /* NULL: nobody shares the budget */
    sg_file_list *files;      /* receives the paths of those that were read; NULL: nobody asks */
    sg_emit_watch watch;
} sg_emit_options;

/* Renders one template ("kernel.c.tmpl") over the unit, appending to out. False: reported with
 * the template's own file and line, unless out->over says why. */
bool sg_emit(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
             const char *template_name, const sg_unit *unit, sg_buf *out) SG_CHECK;

/* A unit as templates see it. To make it takes time, so several templates may share it. */
typedef struct sg_emit_view sg_emit_view;
const sg_emit_view *sg_emit_view_of(sg_arena *arena, const sg_unit *unit);

/* The same as sg_emit, over such a view. */
bool sg_emit_shared(sg_arena *arena, sg_diag *diag, const sg_emit_options *options,
                    const char *template_name, const sg_emit_view *view, sg_buf *out) SG_CHECK;

/* The built-in templates, by name; NULL when there is none of that name. */
const char *sg_emit_builtin(const char *template_name, size_t *len);
const char *const *sg_emit_builtin_names(size_t *count);

#endif
