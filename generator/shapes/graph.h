/* graph: a model in memory, as its file says it, whatever the format: what the readers of ONNX's
 * two syntaxes and of OpenVINO's IR make, and what shapes are inferred over. Names bind tensors:
 * a node reads the names its inputs say, in its graph or in one around it, and binds those of its
 * outputs. Nothing here is checked beyond what a reader must know to read on.
 *
 * All memory belongs to the arena given to the reader. Weights are not in it: a tensor keeps its
 * type and dims, and its values only where it is small enough to take part in the arithmetic of
 * shapes (SG_GRAPH_VALUES_MAX). */
#ifndef SG_FRONTEND_GRAPH_GRAPH_H
#define SG_FRONTEND_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "split/dtype.h"

/* Tensors of more elements keep no values: lengths, axes, shapes and sizes have a few. */
#define SG_GRAPH_VALUES_MAX 4096

/* Constants of more bytes keep no bytes: they are no part of a kernel. */
#define SG_GRAPH_BYTES_MAX 4096

/* Attributes with longer lists are tables of an operator, which nothing here reads. */
#define SG_GRAPH_LIST_MAX ((int64_t)1 << 16)

/* Of subgraphs and functions in each other. */
#define SG_GRAPH_NESTING 64

/* Types that are no tensor's, or that no standard names. */
#define SG_GRAPH_DTYPE_UNKNOWN -1

typedef struct sg_graph_dim {
    int64_t size;     /* -1: unknown */
    const char *name; /* of a symbolic dim, "batch"; a name is a name and never evaluated. NULL */
    bool bounded;     /* its size is not known, but is from low to high */
    int64_t low;
    int64_t high;
    sg_span span;
} sg_graph_dim;

typedef struct sg_graph_shape {
    bool has_rank; /* else nothing is known */
    int64_t rank;
    sg_graph_dim *dims;
} sg_graph_shape;

typedef struct sg_graph_type {
    bool
        is_tensor; /* a sequence, a map or an optional is none; their shapes are nobody's concern */
    int dtype;     /* sg_dtype, or SG_GRAPH_DTYPE_UNKNOWN */
    sg_graph_shape shape;
} sg_graph_type;

/* What a tensor holds, if it is known: integers of any type (bool: 0 and 1), or floats of any type
 * as doubles, or texts. Row-major. */
typedef enum sg_graph_values_kind {
    SG_GRAPH_VALUES_NONE,
    SG_GRAPH_VALUES_INTS,
    SG_GRAPH_VALUES_FLOATS,
    SG_GRAPH_VALUES_TEXTS
} sg_graph_values_kind;

/* A constant: an initializer, the value of an attribute. `type` has static dims. */
typedef struct sg_graph_tensor {
    const char *name; /* "" where it has none */
    sg_graph_type type;
    sg_graph_values_kind kind;
    int64_t count; /* of values; 0 with SG_GRAPH_VALUES_NONE */
    int64_t *ints;
    double *floats;
    const char **texts;
    const unsigned char *bytes; /* the elements of a small one that the file itself holds, as they
                                   lie in memory, little endian; NULL */
    int64_t nbytes;             /* of them */
    sg_span *spans;             /* of each value, where the format has places for them; NULL */
    sg_span span;
} sg_graph_tensor;

/* A name and what the file says about it: an input, an output, an entry of value_info. */
typedef struct sg_graph_info {
    const char *name;
    sg_graph_type type;
    const char **aliases; /* other names the file gives the tensor, which bind nothing; OpenVINO */
    int64_t naliases;
    sg_span span;
} sg_graph_info;

typedef struct sg_graph sg_graph;

typedef enum sg_graph_attribute_kind {
    SG_GRAPH_ATTRIBUTE_NONE, /* declared without a value, or of a kind nothing here reads */
    SG_GRAPH_ATTRIBUTE_INT,
    SG_GRAPH_ATTRIBUTE_FLOAT,
    SG_GRAPH_ATTRIBUTE_TEXT,
    SG_GRAPH_ATTRIBUTE_TENSOR,
    SG_GRAPH_ATTRIBUTE_GRAPH,
    SG_GRAPH_ATTRIBUTE_INTS,
    SG_GRAPH_ATTRIBUTE_FLOATS,
    SG_GRAPH_ATTRIBUTE_TEXTS,
    SG_GRAPH_ATTRIBUTE_GRAPHS,
    SG_GRAPH_ATTRIBUTE_REFERENCE /* to an attribute of the function around: texts[0] */
} sg_graph_attribute_kind;

/* As ONNX declares them, with its numbers. */
typedef enum sg_graph_attribute_type {
#define X(name, word, field, wire, kind, list) SG_GRAPH_TYPE_##name,
#include "shapes/attribute_types.inc"
#undef X
    SG_GRAPH_TYPE_COUNT /* none that ONNX has */
} sg_graph_attribute_type;

typedef struct sg_graph_attribute {
    const char *name;
    sg_graph_attribute_kind kind;
    sg_graph_attribute_type type; /* ONNX: of its value, where none is kept too; of a reference as
                                     declared; UNDEFINED: not declared, no value; OpenVINO */
    int64_t count;                /* 1 where it is no list */
    int64_t *ints;
    double *floats;
    const char **texts;
    sg_graph_tensor *tensor;
    sg_graph **graphs;
    sg_span *spans; /* of each entry, where the format has places for them; NULL */
    sg_span span;
} sg_graph_attribute;

typedef struct sg_graph_node {
    const char *name;     /* "" where it has none */
    const char *op_type;  /* "Split"; of OpenVINO as written in the file: "VariadicSplit" */
    const char *domain;   /* "" for ONNX's own, "openvino" for all of OpenVINO's, "com.microsoft" */
    const char *overload; /* "" */
    int64_t opset;        /* of its domain: ONNX, where a graph imports it; OpenVINO, the N of
                             "opsetN" (0: another version); 0: not imported */
    const char **inputs;  /* names; "": not given */
    int64_t ninputs;
    const char **outputs; /* names; "": not wanted */
    int64_t noutputs;
    sg_span *input_spans;  /* where the format has places for them; NULL */
    sg_span *output_spans; /* the same */
    sg_graph_attribute *attributes;
    int64_t nattributes;
    sg_span span;
} sg_graph_node;

struct sg_graph {
    const char *name;
    sg_graph_info *inputs; /* an initializer of the same name gives the default */
    int64_t ninputs;
    sg_graph_info *outputs;
    int64_t noutputs;
    sg_graph_info *infos; /* value_info; a name may be there several times and contradict itself */
    int64_t ninfos;
    sg_graph_tensor *initializers;
    int64_t ninitializers;
    sg_graph_node *nodes; /* ONNX: as in the file, each behind what it reads; OpenVINO's reader
                             puts them into such an order */
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
    const char **attributes; /* names of those without a default */
    int64_t nattributes;
    sg_graph_attribute *defaults;
    int64_t ndefaults;
    sg_graph_opset *opsets; /* imported by it; its nodes' opsets come from here */
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
    const sg_source *source; /* its name is the file's; binaries have no text (sg_source_binary) */
    int64_t version;         /* ir_version; of OpenVINO the version of the net */
    sg_graph_opset *opsets;
    int64_t nopsets;
    sg_graph_function *functions;
    int64_t nfunctions;
    sg_graph graph;
} sg_graph_model;

/* What users call a node: its name, else its first output. */
const char *sg_graph_node_name(const sg_graph_node *node);

/* Whether its operator is ONNX's own, or one of OpenVINO's. */
bool sg_graph_is_onnx(const sg_graph_node *node);
bool sg_graph_is_openvino(const sg_graph_node *node);

/* "INTS"; "unknown" for numbers that are no type. */
const char *sg_graph_attribute_type_name(int64_t type);

/* NULL where the node has none of that name. */
const sg_graph_attribute *sg_graph_attribute_of(const sg_graph_node *node, const char *name);

/* Where a walk over the graphs in a node is. Starts as {0}. */
typedef struct sg_graph_cursor {
    int64_t attribute;
    int64_t graph;
} sg_graph_cursor;

/* The next graph that a node holds; NULL: there is none. */
const sg_graph *sg_graph_within(const sg_graph_node *node, sg_graph_cursor *cursor);

/* Shows every name that graphs within a node read: as inputs of their nodes and as their outputs,
 * one that such a graph hides from them, too. OpenVINO's read nothing from around them. */
void sg_graph_inner_reads(const sg_graph_node *node, void (*see)(void *context, const char *name),
                          void *context);

/* Whether the arena, which may have a limit, has room for more of a model; false: reported at the
 * place, which readers and inference have come to. */
bool sg_graph_has_room(const sg_arena *arena, sg_diag *diag, sg_span span) SG_CHECK;

/* Elements of a static shape; false where it is not static or the product does not fit. */
bool sg_graph_elements(const sg_graph_shape *shape, int64_t *elements) SG_CHECK;

#endif
