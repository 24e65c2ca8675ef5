/* What the parts of the reader of ONNX's binaries share. Private to this folder. */
#ifndef SG_FRONTEND_ONNX_ONNX_READER_H
#define SG_FRONTEND_ONNX_ONNX_READER_H

#include "base/file.h"
#include "shapes/graph.h"
#include "frontend/onnx/onnx_external.h"
#include "frontend/onnx/protobuf_wire.h"

/* A name is longer in no model that anyone has; lists and tables of words are no names. */
#define SG_ONNX_NAME_MAX ((int64_t)1 << 20)

/* Bytes of the largest tensor that keeps its values. */
#define SG_ONNX_RAW_MAX ((int64_t)SG_GRAPH_VALUES_MAX * 8)

/* Values of a tensor that is being read. */
typedef struct sg_onnx_scratch {
    struct sg_onnx_scratch *next;
    uint64_t *bits;     /* SG_GRAPH_VALUES_MAX */
    unsigned char *raw; /* SG_ONNX_RAW_MAX */
} sg_onnx_scratch;

/* What was read so far of a TensorProto or SparseTensorProto. */
typedef struct sg_onnx_parts sg_onnx_parts;
typedef struct sg_onnx_sparse sg_onnx_sparse;

typedef struct sg_onnx_reader {
    sg_arena *arena;
    sg_diag *diag;
    sg_wire wire;
    sg_onnx_folder beside;
    const sg_graph_node *node;           /* being read, so that messages can name it; NULL */
    const sg_graph_attribute *attribute; /* the same */
    size_t memory_before;                /* of the arena, when reading began */
    size_t value_bytes;                  /* kept for values of tensors */
    int depth;                           /* of graphs within graphs */
    sg_buf text;                         /* scratch */
    sg_onnx_scratch *scratch;            /* that no tensor uses; more are made as needed */
} sg_onnx_reader;

/* False: what is kept is beyond what any real model takes; reported. */
bool sg_onnx_has_room(sg_onnx_reader *reader) SG_CHECK;

/* Takes a field of a message into what is made of it. */
typedef bool sg_onnx_take(sg_onnx_reader *reader, const sg_wire_field *field, void *to);

/* Gives every field of the message that a field holds, or of the model, to a function. */
bool sg_onnx_read_message(sg_onnx_reader *reader, const sg_wire_field *field, const char *message,
                          sg_onnx_take *take, void *to) SG_CHECK;
bool sg_onnx_read_fields(sg_onnx_reader *reader, sg_onnx_take *take, void *to) SG_CHECK;

/* The functions that read a field take it for granted that its wire type is right. */

/* A field that holds a name: what names what, for messages. */
bool sg_onnx_read_name(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                       const char **name) SG_CHECK;
int64_t sg_onnx_int64(uint64_t value);
/* Of an int32 or an enum, of which protobuf takes the low half. */
int64_t sg_onnx_int32(const sg_wire_field *field);
/* A field of a repeated number of a wire type, packed or not: adds each. */
bool sg_onnx_read_numbers(sg_onnx_reader *reader, const sg_wire_field *field, sg_wire_type type,
                          const char *message, void (*add)(sg_arena *, uint64_t, void *),
                          void *to) SG_CHECK;
sg_span sg_onnx_span(const sg_onnx_reader *reader, const sg_wire_field *field);

/* SG_GRAPH_DTYPE_UNKNOWN for numbers that no type has. */
int sg_onnx_dtype(int64_t data_type);

/* A TensorProto that was entered, or a SparseTensorProto, which becomes a dense one. */
bool sg_onnx_read_tensor(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor) SG_CHECK;
bool sg_onnx_read_sparse(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor) SG_CHECK;

/* The same of fields that may be there several times, which are one message then: add each, and
 * end it once. *parts, *sparse: NULL at first. */
bool sg_onnx_add_tensor(sg_onnx_reader *reader, const sg_wire_field *field,
                        sg_onnx_parts **parts) SG_CHECK;
bool sg_onnx_end_tensor(sg_onnx_reader *reader, sg_onnx_parts *parts,
                        sg_graph_tensor *tensor) SG_CHECK;
bool sg_onnx_add_sparse(sg_onnx_reader *reader, const sg_wire_field *field,
                        sg_onnx_sparse **sparse) SG_CHECK;
bool sg_onnx_end_sparse(sg_onnx_reader *reader, sg_onnx_sparse *sparse,
                        sg_graph_tensor *tensor) SG_CHECK;

#endif
