/* Shared by the files of the binary reader. Private to this folder. */
#ifndef SG_FRONTEND_ONNX_ONNX_READER_H
#define SG_FRONTEND_ONNX_ONNX_READER_H

#include "base/file.h"
#include "shapes/graph.h"
#include "frontend/onnx/onnx_external.h"
#include "frontend/onnx/protobuf_wire.h"

/* The longest name. Longer ones, such as word lists, occur in no real model. */
#define SG_ONNX_NAME_MAX ((int64_t)1 << 20)

/* Bytes of the largest tensor whose values are stored. */
#define SG_ONNX_RAW_MAX ((int64_t)SG_GRAPH_VALUES_MAX * 8)

/* Buffers for the values of a tensor that is being read. */
typedef struct sg_onnx_scratch {
    struct sg_onnx_scratch *next;
    uint64_t *bits;     /* SG_GRAPH_VALUES_MAX elements */
    unsigned char *raw; /* SG_ONNX_RAW_MAX bytes */
} sg_onnx_scratch;

/* A TensorProto or SparseTensorProto that has been read in part. */
typedef struct sg_onnx_parts sg_onnx_parts;
typedef struct sg_onnx_sparse sg_onnx_sparse;

typedef struct sg_onnx_reader {
    sg_arena *arena;
    sg_diag *diag;
    sg_wire wire;
    sg_onnx_folder beside;
    const sg_graph_node *node;           /* the node that is being read, for messages; or NULL */
    const sg_graph_attribute *attribute; /* the attribute that is being read; or NULL */
    size_t memory_before;                /* size of the arena when reading began */
    size_t value_bytes;                  /* bytes stored for values of tensors */
    int depth;                           /* nesting depth of graphs */
    sg_buf text;                         /* a scratch buffer */
    sg_onnx_scratch *scratch;            /* free buffers; more are allocated as needed */
} sg_onnx_reader;

/* Returns false, after reporting an error, if the stored data exceeds what any real model needs. */
bool sg_onnx_has_room(sg_onnx_reader *reader) SG_CHECK;

/* Adds a field of a message to the object `to`. */
typedef bool sg_onnx_take(sg_onnx_reader *reader, const sg_wire_field *field, void *to);

/* Calls `take` for each field of the message in `field`, or of the model. */
bool sg_onnx_read_message(sg_onnx_reader *reader, const sg_wire_field *field, const char *message,
                          sg_onnx_take *take, void *to) SG_CHECK;
bool sg_onnx_read_fields(sg_onnx_reader *reader, sg_onnx_take *take, void *to) SG_CHECK;

/* The functions that read a field assume that the caller has checked its wire type. */

/* Reads a name. what: what it names, for messages. */
bool sg_onnx_read_name(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                       const char **name) SG_CHECK;
int64_t sg_onnx_int64(uint64_t value);
/* The value of an int32 or enum: its low 32 bits, as in protobuf. */
int64_t sg_onnx_int32(const sg_wire_field *field);
/* Reads a repeated number, packed or not, and calls `add` for each. */
bool sg_onnx_read_numbers(sg_onnx_reader *reader, const sg_wire_field *field, sg_wire_type type,
                          const char *message, void (*add)(sg_arena *, uint64_t, void *),
                          void *to) SG_CHECK;
sg_span sg_onnx_span(const sg_onnx_reader *reader, const sg_wire_field *field);

/* Returns SG_GRAPH_DTYPE_UNKNOWN for a number that is not an element type. */
int sg_onnx_dtype(int64_t data_type);

/* Read a TensorProto, or a SparseTensorProto, which becomes a dense tensor. */
bool sg_onnx_read_tensor(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor) SG_CHECK;
bool sg_onnx_read_sparse(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor) SG_CHECK;

/* The same for a field that may occur several times, whose parts form one message: add each, then
 * end it once. *parts and *sparse are NULL initially. */
bool sg_onnx_add_tensor(sg_onnx_reader *reader, const sg_wire_field *field,
                        sg_onnx_parts **parts) SG_CHECK;
bool sg_onnx_end_tensor(sg_onnx_reader *reader, sg_onnx_parts *parts,
                        sg_graph_tensor *tensor) SG_CHECK;
bool sg_onnx_add_sparse(sg_onnx_reader *reader, const sg_wire_field *field,
                        sg_onnx_sparse **sparse) SG_CHECK;
bool sg_onnx_end_sparse(sg_onnx_reader *reader, sg_onnx_sparse *sparse,
                        sg_graph_tensor *tensor) SG_CHECK;

#endif
