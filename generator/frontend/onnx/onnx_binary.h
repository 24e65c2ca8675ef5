/* onnx_binary: ONNX models as protobuf (.onnx) into the graph of shapes/graph.h. Any order
 * of fields, packed and unpacked numbers, unknown fields, files, pipes and memory. Weights are
 * passed over, in files by seeking: time and memory go with the structure of a model, not with its
 * size. The messages are those of onnx/onnx.in.proto.
 *
 * Reads on in one pass and stops at the first error of the encoding. What a model means is checked
 * elsewhere; only what cannot be understood at all is an error here. Every node gets the version
 * of its operator set, of its graph's model or function. The domain "ai.onnx" is "". */
#ifndef SG_FRONTEND_ONNX_ONNX_BINARY_H
#define SG_FRONTEND_ONNX_ONNX_BINARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"
#include "shapes/graph.h"

/* Enough bytes for the functions that look at the beginning of a file, and at most as many as may
 * have been read from a pipe before it is handed over. */
#define SG_ONNX_HEAD 4096

/* Whether the first bytes of a file (up to SG_ONNX_HEAD of them, all if there are fewer) are those
 * of a ModelProto. No text is taken for one. */
bool sg_onnx_is_binary(const void *head, size_t n);
/* Whether they may be, if the file is named like one: its graph comes behind a field that the head
 * does not end. */
bool sg_onnx_may_be_binary(const void *head, size_t n);

typedef struct sg_onnx_input {
    const char *name;    /* for messages: "model.onnx", "<stdin>" */
    const char *folder;  /* where external data is, "dir/", "" for the current one; NULL: nowhere */
    int fd;              /* to read from, stays open; -1: bytes are the whole model */
    const void *bytes;   /* with a descriptor: what was read from it already */
    size_t nbytes;       /* with a descriptor at most SG_ONNX_HEAD */
    sg_file_list *files; /* receives the files of external data that were read; NULL */
    char *sha256;        /* receives the model's SHA-256, SG_SHA256_TEXT bytes; NULL. Of a file this
                            reads all of it, weights too */
} sg_onnx_input;

/* NULL when it is no model that can be understood; reported then. Warnings are possible. Memory is
 * the arena's. */
sg_graph_model *sg_onnx_read_input(sg_arena *arena, sg_diag *diag, const sg_onnx_input *input);

/* The same of a path, "-" for standard input. The path itself is not added to files. */
sg_graph_model *sg_onnx_read_binary(sg_arena *arena, sg_diag *diag, const char *path_or_dash,
                                    sg_file_list *files);

#endif
