/* Looking inside: --list, --explain, --report and --dump print what the compiler knows and make no
 * file of code. */
#ifndef SG_DRIVER_LOOK_H
#define SG_DRIVER_LOOK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"
#include "emit/emit.h"
#include "plan/plan.h"
#include "plan/report/figures.h"
#include "split/op.h"
#include "split/resolve.h"

/* How far the compiler has to go: a dump of an early stage is there to find out why a later one
 * fails. */
typedef enum sg_look_depth { SG_LOOK_OPS, SG_LOOK_SPLITS, SG_LOOK_PLANS } sg_look_depth;

bool sg_look_wanted(const sg_options *options);
/* Whether the shapes of models are among what is dumped. */
bool sg_look_at_shapes(const sg_options *options);
/* Whether they are all that is looked at. */
bool sg_look_only_at_shapes(const sg_options *options);
sg_look_depth sg_look_depth_of(const sg_options *options);

/* Whether --format has a list to be about, what is printed stays one document, and no option asks
 * for files of code as well. False: reported. */
bool sg_look_check(sg_arena *arena, sg_diag *diag, const sg_options *options) SG_CHECK;

/* Prints on standard output, or to -o's file; splits and plans hold ops->count entries as far as
 * the depth needs them, figures where --report is given. shapes: text of the
 * models. unit: the plans with what --list says
 * about them all. files: every file read. False: reported. */
bool sg_look_print(sg_arena *arena, sg_diag *diag, const sg_options *options,
                   const sg_op_array *ops, sg_split *const *splits, const sg_unit *unit,
                   const sg_figures *figures, const sg_buf *shapes, sg_file_list *files) SG_CHECK;

#endif
