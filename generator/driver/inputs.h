/* From what the command line names to ops: picks the front-end of each input and runs it. */
#ifndef SG_DRIVER_INPUTS_H
#define SG_DRIVER_INPUTS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"
#include "frontend/graph/graph_options.h"
#include "placement/placement.h"
#include "split/op.h"

typedef struct sg_inputs {
    sg_op_array ops;           /* of all inputs in order, or those that --only names */
    sg_buf shapes;             /* of the models, where --dump asks for them */
    sg_file_list files;        /* every file read, as its path was given */
    int64_t specs;             /* how many inputs are specs in Lua */
    bool *defines_used;        /* for each -D, whether anything had a use for it */
    sg_place_watch *placement; /* is told of the models; NULL */
    sg_graph_found found;      /* what the models among the inputs have */
} sg_inputs;

/* Reads every input even behind a wrong one, so that all errors are seen. False: reported.
 * placement: watches the models among them; NULL. */
bool sg_inputs_read(sg_arena *arena, sg_diag *diag, const sg_options *options,
                    sg_place_watch *placement, sg_inputs *inputs) SG_CHECK;

/* Notes why nodes of models form none of the ops that are asked for. */
void sg_inputs_note_apart(sg_diag *diag, const sg_graph_found *found);

#endif
