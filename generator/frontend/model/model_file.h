/* model_file: a file that may hold a model. It is opened once, told by its first bytes, and read by
 * the reader for what it is. */
#ifndef SG_FRONTEND_MODEL_MODEL_FILE_H
#define SG_FRONTEND_MODEL_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "frontend/graph/ops.h"
#include "split/op.h"

/* What a file is, by its first bytes. */
typedef enum sg_model_kind {
    SG_MODEL_KIND_NONE, /* text that is no model */
    SG_MODEL_KIND_ONNX,
    SG_MODEL_KIND_ONNXTXT,
    SG_MODEL_KIND_OPENVINO
} sg_model_kind;

/* A file that is read once: its descriptor, and what was read of it to see what it is. */
typedef struct sg_model_file {
    const char *path; /* "-" is standard input */
    sg_span asked;    /* where it is named, for errors about the file as such */
    sg_model_kind kind;
    int fd;
    sg_buf head;
} sg_model_file;

/* Opens the path and looks at it. False: reported; else sg_model_file_close follows. */
bool sg_model_file_open(sg_diag *diag, const char *path, sg_span asked,
                        sg_model_file *file) SG_CHECK;
/* The same with a file that is open, or -1 and errno; closes it. */
bool sg_model_file_look(sg_diag *diag, const char *path, int fd, sg_span asked,
                        sg_model_file *file) SG_CHECK;
void sg_model_file_close(sg_model_file *file);

/* The whole of a text, as a source of the file's name. False: reported. */
bool sg_model_file_text(sg_arena *arena, sg_diag *diag, sg_model_file *file,
                        const sg_source **source) SG_CHECK;

/* A model and what its ops say about the file. */
typedef struct sg_model {
    const sg_graph_model *graph;
    const char *sha256; /* NULL where nobody has asked */
} sg_model;

/* Reads a file of any kind but NONE. Appends every file read to `files`, the model by `name`, see
 * sg_file_list_add. `hashes`: the SHA-256 is wanted, which reads the weights too. False: reported.
 */
bool sg_model_file_read(sg_arena *arena, sg_diag *diag, sg_model_file *file, const char *name,
                        bool hashes, sg_file_list *files, sg_model *model) SG_CHECK;

/* Appends the ops of the model, see sg_graph_ops; their origins have its SHA-256. */
bool sg_model_ops(sg_arena *arena, sg_diag *diag, const sg_model *model,
                  const sg_graph_options *options, sg_op_array *ops, int64_t *steps) SG_CHECK;

#endif
