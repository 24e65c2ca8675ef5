/* Model files among the inputs: which reader takes one, and what the command line says about it. */
#ifndef SG_DRIVER_MODELS_H
#define SG_DRIVER_MODELS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/options.h"
#include "frontend/graph/infer.h"
#include "frontend/lua/spec.h"
#include "split/op.h"

/* The options about models, for all of them. */
typedef struct sg_models {
    sg_graph_options options;
    const sg_graph_model *last; /* that was read; NULL: none */
    bool hashes; /* whether the files are hashed, which reads the weights too: what is only looked
                    at names no SHA-256 */
} sg_models;

/* Reads --shape, --value, --only, --except and --shape-rules, and those -D that set a whole number.
 * False: reported. */
bool sg_models_options(sg_arena *arena, sg_diag *diag, const sg_options *options,
                       sg_file_list *files, sg_models *models) SG_CHECK;

/* What a file is, by its first bytes. */
typedef enum sg_models_kind {
    SG_MODELS_NONE, /* text that is no model */
    SG_MODELS_ONNX,
    SG_MODELS_ONNXTXT,
    SG_MODELS_OPENVINO
} sg_models_kind;

/* An input that is read once: its descriptor, and what was read of it to see what it is. */
typedef struct sg_models_input {
    const sg_input *input;
    int fd;
    sg_buf head;
} sg_models_input;

/* Opens the input and looks at it. False: reported; else sg_models_close follows. */
bool sg_models_open(sg_diag *diag, const sg_input *input, sg_models_input *opened,
                    sg_models_kind *kind) SG_CHECK;
void sg_models_close(sg_models_input *opened);

/* The rest of a text. False: reported. */
bool sg_models_text(sg_arena *arena, sg_diag *diag, sg_models_input *opened,
                    const sg_source **source) SG_CHECK;

/* Appends the ops of the model to ops, and every file read to files. False: reported. */
bool sg_models_read(sg_arena *arena, sg_diag *diag, sg_models_input *opened, sg_models_kind kind,
                    sg_models *models, sg_file_list *files, sg_op_array *ops) SG_CHECK;

/* Behind the last input, and the choice of ops: reports what was said of no tensor or node of any
 * model. */
bool sg_models_check(sg_arena *arena, sg_diag *diag, const sg_options *options,
                     const sg_models *models) SG_CHECK;

#endif
