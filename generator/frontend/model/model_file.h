/* model_file: a file that may hold a model. It is opened once; its format is detected from its
 * first bytes, and the reader of that format reads it. */
#ifndef SG_FRONTEND_MODEL_MODEL_FILE_H
#define SG_FRONTEND_MODEL_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "frontend/graph/ops.h"
#include "split/op.h"

/* The format of a file, detected from its first bytes. */
typedef enum sg_model_kind {
    SG_MODEL_KIND_NONE, /* text that is not a model */
    SG_MODEL_KIND_ONNX,
    SG_MODEL_KIND_ONNXTXT,
    SG_MODEL_KIND_OPENVINO
} sg_model_kind;

/* A file that is read once: its descriptor, and the bytes read to detect its format. */
typedef struct sg_model_file {
    const char *path; /* "-" is standard input */
    sg_span asked;    /* where the user named it, for errors about the whole file */
    sg_model_kind kind;
    int fd;
    sg_buf head;
} sg_model_file;

/* Opens the path and detects its format. If it returns false, an error was reported; otherwise the
 * caller must call sg_model_file_close(). */
bool sg_model_file_open(sg_diag *diag, const char *path, sg_span asked,
                        sg_model_file *file) SG_CHECK;
/* The same for an open file; fd may be -1, and errno says why. Takes ownership of fd. */
bool sg_model_file_look(sg_diag *diag, const char *path, int fd, sg_span asked,
                        sg_model_file *file) SG_CHECK;
void sg_model_file_close(sg_model_file *file);

/* Reads all of a text file as a source. Returns false if an error was reported. */
bool sg_model_file_text(sg_arena *arena, sg_diag *diag, sg_model_file *file,
                        const sg_source **source) SG_CHECK;

/* A model, and the hash of its file. */
typedef struct sg_model {
    const sg_graph_model *graph;
    const char *sha256; /* NULL if it was not requested */
} sg_model;

/* Reads a file of any kind except NONE. Appends each file read to `files`, with `name` as the name
 * of the model (see sg_file_list_add). hashes: computes the SHA-256, for which the weights must be
 * read as well. Returns false if an error was reported. */
bool sg_model_file_read(sg_arena *arena, sg_diag *diag, sg_model_file *file, const char *name,
                        bool hashes, sg_file_list *files, sg_model *model) SG_CHECK;

/* Appends the ops of the model (see sg_graph_ops). Their origins have its SHA-256. */
bool sg_model_ops(sg_arena *arena, sg_diag *diag, const sg_model *model,
                  const sg_graph_options *options, sg_op_array *ops) SG_CHECK;

#endif
