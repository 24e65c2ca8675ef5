/* Turns plans into text with templates. Knows no options, opens no output files, makes no
 * decisions: a template that needs a decision shows that the plan lacks a field. */
#ifndef SG_EMIT_EMIT_H
#define SG_EMIT_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"
#include "emit/unit.h"
#include "emit/watch.h"

/* Renders one template ("kernel.c.tmpl") over the unit, appending to out; watch may be
 * NULL. False: reported with the template's own file and line. */
bool sg_emit(sg_arena *arena, sg_diag *diag, const sg_emit_watch *watch, const char *template_name,
             const sg_unit *unit, sg_buf *out) SG_CHECK;

/* A unit as templates see it. It takes time to make, so several templates may share it. */
typedef struct sg_emit_view sg_emit_view;
const sg_emit_view *sg_emit_view_of(sg_arena *arena, const sg_unit *unit);

/* The same as sg_emit, over such a view. */
bool sg_emit_shared(sg_arena *arena, sg_diag *diag, const sg_emit_watch *watch,
                    const char *template_name, const sg_emit_view *view, sg_buf *out) SG_CHECK;

#endif
