/* What the parts of the reader of ONNX's binaries share. Private to this folder. */
#ifndef SG_FRONTEND_ONNX_ONNX_READER_H
#define SG_FRONTEND_ONNX_ONNX_READER_H

#include "base/file.h"
#include "frontend/graph/graph.h"
#include "frontend/onnx/onnx_external.h"
#include "frontend/onnx/protobuf_wire.h"

/* A name is longer in no model that anyone has; lists and tables of words are no names. */
#define SG_ONNX_NAME_MAX ((int64_t)1 << 20)

/* Bytes of the largest tensor that keeps its values. */
#define SG_ONNX_RAW_MAX ((int64_t)SG_GRAPH_VALUES_MAX * 8)

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
    uint64_t *bits;                      /* scratch of SG_GRAPH_VALUES_MAX */
    unsigned char *raw;                  /* scratch of SG_ONNX_RAW_MAX */
} sg_onnx_reader;

/* False: what is kept is beyond what any real model takes; reported. */
bool sg_onnx_has_room(sg_onnx_reader *reader) SG_CHECK;

/* Where the list may take one more entry behind its count. NULL when the model is beyond what is
 * kept in memory; reported. Lists double when their count reaches a power of two, so that no list
 * needs a field for its room. */
void *sg_onnx_grow(sg_onnx_reader *reader, void *list, int64_t count, size_t entry);

/* Makes room in a list and gives the place behind its last entry, zeroed. Evaluates to NULL when
 * there is none. */
#define SG_ONNX_APPEND(reader, list, count)                                                        \
    (((list) = sg_onnx_grow((reader), (list), (count), sizeof *(list))) != NULL                    \
         ? &(list)[(count)++]                                                                      \
         : NULL)

/* A field that holds a name: what names what, for messages. */
bool sg_onnx_read_name(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                       const char **name) SG_CHECK;
bool sg_onnx_read_int(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                      int64_t *value) SG_CHECK;
/* A field of a repeated integer, packed or not, behind the entries of a list. */
bool sg_onnx_read_ints(sg_onnx_reader *reader, const sg_wire_field *field, const char *what,
                       int64_t **list, int64_t *count) SG_CHECK;

/* SG_GRAPH_DTYPE_UNKNOWN for numbers that no type has. */
int sg_onnx_dtype(int64_t data_type);

/* A TensorProto that was entered, or a SparseTensorProto, which becomes a dense one. */
bool sg_onnx_read_tensor(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor) SG_CHECK;
bool sg_onnx_read_sparse(sg_onnx_reader *reader, const sg_wire_field *field,
                         sg_graph_tensor *tensor) SG_CHECK;

#endif
