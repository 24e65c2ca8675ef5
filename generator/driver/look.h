/* --list, --explain, --report and --dump: print what the compiler knows, without writing code. */
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

/* How far the compiler has to run. The dump of an early stage is needed to find out why a later
 * stage fails. */
typedef enum sg_look_depth { SG_LOOK_OPS, SG_LOOK_SPLITS, SG_LOOK_PLANS } sg_look_depth;

bool sg_look_wanted(const sg_options *options);
/* Whether the shapes of models are dumped. */
bool sg_look_at_shapes(const sg_options *options);
/* Whether nothing else is printed. */
bool sg_look_only_at_shapes(const sg_options *options);
/* Whether --list also says what a placement of the models copies. It does where every operator that
 * copies data is listed by itself. */
bool sg_look_at_placements(const sg_options *options);
sg_look_depth sg_look_depth_of(const sg_options *options);

/* Checks that --format has a list to apply to, that JSON output stays one document, and that no
 * option asks for files of code as well. False: reported. */
bool sg_look_check(sg_arena *arena, sg_diag *diag, const sg_options *options) SG_CHECK;

/* Prints to standard output, or to -o's file. splits and plans have ops->count entries if the depth
 * requires them, and figures if --report is given. shapes: the text of the models' shapes. unit:
 * the plans, with the data about all of them that --list prints. files: every file read. False:
 * reported. */
bool sg_look_print(sg_arena *arena, sg_diag *diag, const sg_options *options,
                   const sg_op_array *ops, sg_split *const *splits, const sg_unit *unit,
                   const sg_figures *figures, sg_str shapes, sg_file_list *files) SG_CHECK;

#endif
