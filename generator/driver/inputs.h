/* Reads all inputs of the command line: selects the front-end of each and runs it, which produces
 * ops. */
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
    sg_op_array ops;           /* of all inputs in order, or those that --only selects */
    sg_str shapes;             /* of the models, if --dump prints them */
    sg_file_list files;        /* every file read, by the path that was given */
    int64_t specs;             /* number of inputs that are Lua specs */
    bool *defines_used;        /* for each -D, whether anything used it */
    sg_place_watch *placement; /* watches the models; NULL */
    sg_graph_found found;      /* what was found in the models among the inputs */
} sg_inputs;

/* Reads every input, even after an error, so that all errors are reported. False: reported.
 * placement: watches the models; NULL. */
bool sg_inputs_read(sg_arena *arena, sg_diag *diag, const sg_options *options,
                    sg_place_watch *placement, sg_inputs *inputs) SG_CHECK;

/* Adds notes that explain why nodes of models are not part of any selected op. */
void sg_inputs_note_apart(sg_diag *diag, const sg_graph_found *found);

#endif
