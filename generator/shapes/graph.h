/* graph: a model in memory, independent of its format. The readers of ONNX (two syntaxes) and
 * OpenVINO IR produce it; shape inference reads it. Names bind tensors: the inputs of a node name
 * tensors of its graph or of an enclosing one, and its outputs bind new names. Only what a reader
 * needs in order to continue is checked here.
 *
 * All memory belongs to the arena given to the reader. Weights are not loaded: a tensor has its
 * type and dims, and has values only if it is small enough to take part in the arithmetic of shapes
 * (SG_GRAPH_VALUES_MAX). */
#ifndef SG_FRONTEND_GRAPH_GRAPH_H
#define SG_FRONTEND_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "split/dtype.h"

/* Larger tensors have no values: lengths, axes, shapes and sizes have only a few elements. */
#define SG_GRAPH_VALUES_MAX 4096

/* Larger constants have no bytes: a kernel would not contain them. */
#define SG_GRAPH_BYTES_MAX 4096

/* Attributes with longer lists are tables of an operator, which inference does not need. */
#define SG_GRAPH_LIST_MAX ((int64_t)1 << 16)

/* Maximum nesting of subgraphs and functions. */
#define SG_GRAPH_NESTING 64

/* For types that are not tensors, and element types that no standard has. */
#define SG_GRAPH_DTYPE_UNKNOWN -1

typedef struct sg_graph_dim {
    int64_t size;     /* -1: unknown */
    const char *name; /* of a symbolic dim, "batch"; never evaluated. NULL: none */
    bool bounded;     /* the size is unknown, but is between low and high */
    int64_t low;
    int64_t high;
    sg_span span;
} sg_graph_dim;

typedef struct sg_graph_shape {
    bool has_rank; /* false: the shape is unknown */
    int64_t rank;
    sg_graph_dim *dims;
} sg_graph_shape;

typedef struct sg_graph_type {
    bool is_tensor; /* false for a sequence, a map or an optional; their shapes are not read */
    int dtype;      /* sg_dtype, or SG_GRAPH_DTYPE_UNKNOWN */
    sg_graph_shape shape;
} sg_graph_type;

/* The kind of values of a tensor, if they are known: integers of any type (bool: 0 and 1), floats
 * of any type as doubles, or texts. Row-major. */
typedef enum sg_graph_values_kind {
    SG_GRAPH_VALUES_NONE,
    SG_GRAPH_VALUES_INTS,
    SG_GRAPH_VALUES_FLOATS,
    SG_GRAPH_VALUES_TEXTS
} sg_graph_values_kind;

/* A constant: an initializer or the value of an attribute. The dims of `type` are static. */
typedef struct sg_graph_tensor {
    const char *name; /* "" if it has none */
    sg_graph_type type;
    sg_graph_values_kind kind;
    int64_t count; /* of values; 0 with SG_GRAPH_VALUES_NONE */
    int64_t *ints;
    double *floats;
    const char **texts;
    const unsigned char *bytes; /* the elements of a small tensor that is stored in the file itself,
                                   little endian; NULL */
    int64_t nbytes;             /* number of bytes */
    sg_span *spans;             /* of each value, if the format has source positions; NULL */
    sg_span span;
} sg_graph_tensor;

/* A name and its declared type: an input, an output or an entry of value_info. */
typedef struct sg_graph_info {
    const char *name;
    sg_graph_type type;
    const char **aliases; /* OpenVINO: other names of the tensor in the file; they bind nothing */
    int64_t naliases;
    sg_span span;
} sg_graph_info;

typedef struct sg_graph sg_graph;

typedef enum sg_graph_attribute_kind {
    SG_GRAPH_ATTRIBUTE_NONE, /* no value, or a kind that is not read */
    SG_GRAPH_ATTRIBUTE_INT,
    SG_GRAPH_ATTRIBUTE_FLOAT,
    SG_GRAPH_ATTRIBUTE_TEXT,
    SG_GRAPH_ATTRIBUTE_TENSOR,
    SG_GRAPH_ATTRIBUTE_GRAPH,
    SG_GRAPH_ATTRIBUTE_INTS,
    SG_GRAPH_ATTRIBUTE_FLOATS,
    SG_GRAPH_ATTRIBUTE_TEXTS,
    SG_GRAPH_ATTRIBUTE_GRAPHS,
    SG_GRAPH_ATTRIBUTE_REFERENCE /* to an attribute of the enclosing function: texts[0] */
} sg_graph_attribute_kind;

/* ONNX's types, with ONNX's numbers. */
typedef enum sg_graph_attribute_type {
#define X(name, word, field, wire, kind, list) SG_GRAPH_TYPE_##name,
#include "shapes/attribute_types.inc"
#undef X
    SG_GRAPH_TYPE_COUNT /* number of types, and the value of an unknown type */
} sg_graph_attribute_type;

typedef struct sg_graph_attribute {
    const char *name;
    sg_graph_attribute_kind kind;
    /* ONNX: the type of the value, even if the value is not kept; of a reference, its declared
     * type. UNDEFINED: not declared, no value, or OpenVINO */
    sg_graph_attribute_type type;
    int64_t count; /* 1 if it is not a list */
    int64_t *ints;
    double *floats;
    const char **texts;
    sg_graph_tensor *tensor;
    sg_graph **graphs;
    sg_span *spans; /* of each entry, if the format has source positions; NULL */
    sg_span span;
} sg_graph_attribute;

typedef struct sg_graph_node {
    const char *name;     /* "" if it has none */
    const char *op_type;  /* "Split"; for OpenVINO as in the file: "VariadicSplit" */
    const char *domain;   /* "" for ONNX's own, "openvino" for all of OpenVINO, "com.microsoft" */
    const char *overload; /* "" */
    int64_t opset; /* of its domain. ONNX: the imported version, 0: not imported; OpenVINO: the N of
                      "opsetN", 0: another version */
    const char **inputs; /* names; "": not given */
    int64_t ninputs;
    const char **outputs; /* names; "": not wanted */
    int64_t noutputs;
    sg_span *input_spans;  /* if the format has source positions; NULL */
    sg_span *output_spans; /* the same */
    sg_graph_attribute *attributes;
    int64_t nattributes;
    sg_span span;
} sg_graph_node;

struct sg_graph {
    const char *name;
    sg_graph_info *inputs; /* an initializer of the same name is the default */
    int64_t ninputs;
    sg_graph_info *outputs;
    int64_t noutputs;
    sg_graph_info *infos; /* value_info; a name may occur several times, with different types */
    int64_t ninfos;
    sg_graph_tensor *initializers;
    int64_t ninitializers;
    sg_graph_node *nodes; /* in topological order: the files of ONNX have it, and the reader of
                             OpenVINO sorts */
    int64_t nnodes;
    sg_span span;
};

typedef struct sg_graph_opset {
    const char *domain; /* "" */
    int64_t version;
    sg_span span;
} sg_graph_opset;

/* A local function of ONNX: its inputs and outputs are names without types. */
typedef struct sg_graph_function {
    const char *name;
    const char *domain;
    const char *overload;
    const char **inputs;
    int64_t ninputs;
    const char **outputs;
    int64_t noutputs;
    const char **attributes; /* names of the attributes without a default */
    int64_t nattributes;
    sg_graph_attribute *defaults;
    int64_t ndefaults;
    sg_graph_opset *opsets; /* imported by the function; they give the opsets of its nodes */
    int64_t nopsets;
    sg_graph body; /* nodes and infos; no inputs, outputs or initializers */
    sg_span span;
} sg_graph_function;

typedef enum sg_model_format {
    SG_MODEL_ONNX,    /* protobuf */
    SG_MODEL_ONNXTXT, /* ONNX's textual syntax */
    SG_MODEL_OPENVINO /* IR 10 and 11 */
} sg_model_format;

typedef struct sg_graph_model {
    sg_model_format format;
    const sg_source *source; /* its name is the file's; the source of a binary file has no text
                                (sg_source_binary) */
    int64_t version;         /* ir_version; OpenVINO: version of the net */
    sg_graph_opset *opsets;
    int64_t nopsets;
    sg_graph_function *functions;
    int64_t nfunctions;
    sg_graph graph;
} sg_graph_model;

/* The name of a node in messages: its name, else its first output. */
const char *sg_graph_node_name(const sg_graph_node *node);

/* Whether the operator belongs to ONNX's own domain, or to OpenVINO. */
bool sg_graph_is_onnx(const sg_graph_node *node);
bool sg_graph_is_openvino(const sg_graph_node *node);

/* Such as "INTS"; "unknown" if the number is not a type. */
const char *sg_graph_attribute_type_name(int64_t type);

/* NULL if the node has no attribute of that name. */
const sg_graph_attribute *sg_graph_attribute_of(const sg_graph_node *node, const char *name);

/* The input or output of that name among these; NULL if there is none. */
const sg_graph_info *sg_graph_info_of(const sg_graph_info *infos, int64_t count, const char *name);

/* Position of a walk over the graphs in a node. Starts as {0}. */
typedef struct sg_graph_cursor {
    int64_t attribute;
    int64_t graph;
} sg_graph_cursor;

/* The next graph in the attributes of a node; NULL at the end. */
const sg_graph *sg_graph_within(const sg_graph_node *node, sg_graph_cursor *cursor);

/* Calls `see` with every name that graphs within a node read from the graph of the node, or from
 * further outside, as inputs of their nodes and as their own outputs: a graph that binds the name
 * itself before it reads it does not read it from outside. Graphs of OpenVINO read no names from
 * outside. */
void sg_graph_inner_reads(sg_arena *arena, const sg_graph_node *node,
                          void (*see)(void *context, const char *name), void *context);

/* Whether the arena, which may have a limit, has room to continue. False: reported at `span`, the
 * position that the reader or inference has reached. */
bool sg_graph_has_room(const sg_arena *arena, sg_diag *diag, sg_span span) SG_CHECK;

/* The number of elements of a static shape; false if it is not static or the product does not
 * fit. */
bool sg_graph_elements(const sg_graph_shape *shape, int64_t *elements) SG_CHECK;

#endif
