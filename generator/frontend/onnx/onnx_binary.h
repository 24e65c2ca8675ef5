/* onnx_binary: reads ONNX models in protobuf (.onnx) into the graph of shapes/graph.h. It accepts
 * fields in any order, packed and unpacked numbers and unknown fields, from files, pipes and
 * memory. Weights are skipped, in files by seeking, so time and memory depend on the structure of a
 * model rather than on its size. onnx/onnx.in.proto lists the messages.
 *
 * The reader makes one pass and stops at the first encoding error. Only what it cannot decode is an
 * error here; other parts check what a model means. Each node gets the operator set version that
 * its graph's model or function imports. The domain "ai.onnx" is stored as "". */
#ifndef SG_FRONTEND_ONNX_ONNX_BINARY_H
#define SG_FRONTEND_ONNX_ONNX_BINARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/file.h"
#include "shapes/graph.h"

/* The number of bytes that the functions below need from the beginning of a file. No more than this
 * may have been read from a pipe before sg_onnx_read_input() takes over. */
#define SG_ONNX_HEAD 4096

/* Whether a file is a ModelProto, judged by its first SG_ONNX_HEAD bytes (all of them if it is
 * shorter). Never true for text. */
bool sg_onnx_is_binary(const void *head, size_t n);
/* Whether the file can be a ModelProto provided that its name says so: the head ends inside a
 * field, and the graph may follow. */
bool sg_onnx_may_be_binary(const void *head, size_t n);

typedef struct sg_onnx_input {
    const char *name; /* for messages: "model.onnx", "<stdin>" */
    /* where external data is: "dir/"; "" for the current folder; NULL: nowhere */
    const char *folder;
    int fd;              /* to read from, stays open; -1: `bytes` is the whole model */
    const void *bytes;   /* with a descriptor: bytes that have been read from it already */
    size_t nbytes;       /* with a descriptor: at most SG_ONNX_HEAD */
    sg_file_list *files; /* receives the files of external data that were read; may be NULL */
    /* receives the SHA-256 of the model, SG_SHA256_TEXT bytes; may be NULL. Computing it reads the
     * whole file, including the weights */
    char *sha256;
} sg_onnx_input;

/* Returns NULL if the model cannot be decoded, which is reported. May warn. The model's memory
 * belongs to the arena. */
sg_graph_model *sg_onnx_read_input(sg_arena *arena, sg_diag *diag, const sg_onnx_input *input);

/* The same for a path; "-" is standard input. The path itself is not added to files. */
sg_graph_model *sg_onnx_read_binary(sg_arena *arena, sg_diag *diag, const char *path_or_dash,
                                    sg_file_list *files);

#endif
