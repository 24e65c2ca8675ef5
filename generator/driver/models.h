/* What the command line says about models, those among the inputs and those that specs load. */
#ifndef SG_DRIVER_MODELS_H
#define SG_DRIVER_MODELS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"
#include "emit/unit.h"
#include "frontend/graph/ops.h"

/* The options about models, for all of them. */
typedef struct sg_models {
    sg_graph_options options;
    const sg_options *line;       /* what they were read from */
    const sg_graph_model *last;   /* of the inputs that was read; NULL: none */
    const sg_graph_model *loaded; /* the last one that a spec has loaded; NULL: none */
    bool hashes; /* whether the files are hashed, which reads the weights too: what is only looked
                    at names no SHA-256 */
} sg_models;

/* Reads --open, --free, --shape, --value, --only, --except, --shape-rules and, for the dims they
 * may be about, -D. False: reported. */
bool sg_models_options(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_file_list *files, sg_models *models) SG_CHECK;

/* Whether --emit asks where their tensors lie. */
bool sg_models_placed(const sg_options *options);

/* What the models have that no op was made of, as --ops leaves it out. */
sg_left_out sg_models_left_out(sg_arena *arena, const sg_options *options,
                               const sg_graph_found *found);

/* Behind the last input, and the choice of ops: reports what was said of no tensor or node of any
 * model. */
bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models) SG_CHECK;

#endif
