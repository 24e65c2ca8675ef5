/* Options about models, both those among the inputs and those that specs load. */
#ifndef SG_DRIVER_MODELS_H
#define SG_DRIVER_MODELS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"
#include "emit/unit.h"
#include "frontend/graph/ops.h"

/* The options that apply to all models. */
typedef struct sg_models {
    sg_graph_options options;
    const sg_options *line;       /* the options that they were parsed from */
    const sg_graph_model *last;   /* the last model read among the inputs; NULL: none */
    const sg_graph_model *loaded; /* the last model that a spec has loaded; NULL: none */
    bool hashes; /* whether files are hashed, which reads the weights too; --list and similar print
                    no SHA-256 */
} sg_models;

/* Parses --open, --shape, --value, --only, --except, --shape-rules and, for dims, -D.
 * False: reported. */
bool sg_models_options(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_file_list *files, sg_models *models) SG_CHECK;

/* Whether --emit asks for the placement of their tensors. */
bool sg_models_placed(const sg_options *options);

/* The operators in the models that --ops leaves out. */
sg_left_out sg_models_left_out(sg_arena *arena, const sg_options *options,
                               const sg_graph_found *found);

/* Call it after the last input and the selection of ops: reports names in options that no model
 * has. */
bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models) SG_CHECK;

#endif
