/* Parts of an ONNX text model while it is parsed, and the functions that the grammar's actions
 * call. They check what the onnx package's parser checks (literals that don't fit their type,
 * unknown keys), nothing more. Each function returns a usable object even after an error. The first
 * error is reported and sets cx->bad; the loop that feeds the grammar then stops. */
#ifndef SG_FRONTEND_ONNX_TEXT_BUILD_H
#define SG_FRONTEND_ONNX_TEXT_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shapes/graph.h"
#include "frontend/onnx/onnx_text_context.h"

typedef struct sg_onnx_text_type {
    sg_graph_type type;
    sg_span symbol; /* the last dim that is not a number; no place if all are */
    sg_span span;
} sg_onnx_text_type;

/* A name, with or without a type. */
typedef struct sg_onnx_text_vi {
    sg_graph_info info;
    const sg_onnx_text_type *type; /* NULL: no type */
    sg_span name_span;
} sg_onnx_text_vi;

/* float x = {1} */
typedef struct sg_onnx_text_default {
    const sg_onnx_text_vi *vi;
    sg_graph_tensor *tensor;
} sg_onnx_text_default;

/* (float x, y = {1}) or <...>: names, and the constants among them. */
typedef struct sg_onnx_text_infos {
    sg_graph_info *items;
    int64_t count;
    bool *typed; /* whether each has a type */
    sg_graph_tensor *constants;
    int64_t nconstants;
} sg_onnx_text_infos;

typedef struct sg_onnx_text_ids {
    const char **names;
    sg_span *spans;
    int64_t count;
} sg_onnx_text_ids;

/* The part of a graph between its name and its nodes. */
typedef struct sg_onnx_text_signature {
    sg_onnx_text_infos *inputs; /* NULL: not written */
    sg_onnx_text_infos *outputs;
    sg_onnx_text_infos *locals; /* NULL: not written */
} sg_onnx_text_signature;

/* A value of an attribute, or an entry of a list. */
typedef struct sg_onnx_text_single {
    sg_graph_attribute_type type; /* UNDEFINED: a reference */
    sg_onnx_text_token token;     /* of a number, string or reference */
    sg_graph_tensor *tensor;
    sg_graph *graph;
    sg_span span;
} sg_onnx_text_single;

typedef struct sg_onnx_text_attribute {
    sg_graph_attribute made;
    sg_span name_span;
    bool quoted; /* its name is in quotes */
    bool is_list;
    sg_graph_attribute_type declared; /* the type written after its name; UNDEFINED: none */
    /* for a list: the type of its entries; UNDEFINED: not known yet */
    sg_graph_attribute_type entry;
    /* it has entries that are ignored, as the onnx package's parser does, with a warning */
    bool dropped;
    bool no_value; /* only a name: an attribute of a function without a default */
} sg_onnx_text_attribute;

typedef struct sg_onnx_text_attributes {
    sg_graph_attribute *items;
    int64_t count;
    const char **names; /* for a function: attributes without a default */
    int64_t nnames;
    sg_span quoted; /* the first name in quotes, which only functions may have; no place: none */
} sg_onnx_text_attributes;

/* a.b.Op:overload */
typedef struct sg_onnx_text_operator {
    char *domain; /* NULL: none */
    int64_t domain_len;
    const char *name;
    const char *overload;
    sg_span end; /* its last name */
} sg_onnx_text_operator;

/* An entry of opset_import or metadata_props. The value is a number or a string. */
typedef struct sg_onnx_text_pair {
    sg_onnx_text_token key;
    sg_onnx_text_token value;
} sg_onnx_text_pair;

typedef struct sg_onnx_text_pairs {
    sg_onnx_text_pair *items;
    int64_t count;
} sg_onnx_text_pairs;

/* An entry "key: value" before a graph or function. */
typedef struct sg_onnx_text_entry {
    sg_onnx_text_token key;
    sg_onnx_text_token value;  /* for a list: its bracket */
    sg_onnx_text_pairs *pairs; /* for a list; NULL: empty */
    sg_span span;              /* of the value */
} sg_onnx_text_entry;

/* <key: value, ...>: the entries that are used. */
typedef struct sg_onnx_text_meta {
    int64_t version;
    sg_graph_opset *opsets;
    int64_t nopsets;
    const char *domain;
    const char *overload;
    sg_span span;
} sg_onnx_text_meta;

/* Lists are NULL initially. The functions that append to a list return it. */

/* Types. A type begins with its dims, which are added one by one. dim NULL: rank 0. */
sg_onnx_text_type *sg_onnx_text_dims_add(sg_onnx_text_context *cx, sg_onnx_text_type *type,
                                         const sg_onnx_text_token *dim);
/* dims NULL: unknown rank. */
sg_onnx_text_type *sg_onnx_text_tensor_type(sg_onnx_text_context *cx,
                                            const sg_onnx_text_token *prim, sg_onnx_text_type *dims,
                                            const sg_onnx_text_token *end);
/* seq(...), map(...), optional(...), sparse_tensor(...), opaque(...). */
sg_onnx_text_type *sg_onnx_text_other_type(sg_onnx_text_context *cx,
                                           const sg_onnx_text_token *first,
                                           const sg_onnx_text_token *end);

/* Names with types. */
sg_onnx_text_vi *sg_onnx_text_vi_new(sg_onnx_text_context *cx, const sg_onnx_text_type *type,
                                     const sg_onnx_text_token *name);
/* Appends a name, a constant (`given`), a name with a default, or nothing. */
sg_onnx_text_infos *sg_onnx_text_infos_add(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                                           const sg_onnx_text_vi *vi,
                                           const sg_onnx_text_default *given);
sg_onnx_text_default *sg_onnx_text_default_new(sg_onnx_text_context *cx, const sg_onnx_text_vi *vi,
                                               const sg_onnx_text_token *eq);

/* Constants: begin with the type, add the literals, and end (onnx_text_data.c). */
sg_graph_tensor *sg_onnx_text_tensor_begin(sg_onnx_text_context *cx, const sg_onnx_text_type *type,
                                           const sg_onnx_text_token *name, sg_span place);
void sg_onnx_text_literal(sg_onnx_text_context *cx, const sg_onnx_text_token *literal);
/* end: the closing brace. */
void sg_onnx_text_literals_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end);
/* An entry of external data; the closing bracket. */
void sg_onnx_text_external(sg_onnx_text_context *cx, const sg_onnx_text_token *key,
                           const sg_onnx_text_token *value);
void sg_onnx_text_external_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end);
void sg_onnx_text_tensor_extend(sg_graph_tensor *tensor, sg_span end);

/* Numbers. They return false if the number does not fit, which is reported. */
bool sg_onnx_text_int(sg_onnx_text_context *cx, const sg_onnx_text_token *token,
                      int64_t *out) SG_CHECK;
/* Rounds to single precision if `single`. */
bool sg_onnx_text_float(sg_onnx_text_context *cx, const sg_onnx_text_token *token, bool single,
                        double *out) SG_CHECK;

/* Nodes. */
/* Appends a name. NULL: an omitted name, whose place is `comma`. */
sg_onnx_text_ids *sg_onnx_text_ids_add(sg_onnx_text_context *cx, sg_onnx_text_ids *ids,
                                       const sg_onnx_text_token *name,
                                       const sg_onnx_text_token *comma);
sg_onnx_text_operator *sg_onnx_text_operator_new(sg_onnx_text_context *cx,
                                                 const sg_onnx_text_token *name);
void sg_onnx_text_operator_dot(sg_onnx_text_context *cx, sg_onnx_text_operator *op,
                               const sg_onnx_text_token *name);
void sg_onnx_text_operator_overload(sg_onnx_text_context *cx, sg_onnx_text_operator *op,
                                    const sg_onnx_text_token *name);
sg_graph_node *sg_onnx_text_node_new(sg_onnx_text_context *cx, const sg_onnx_text_ids *outputs,
                                     const sg_onnx_text_operator *op, const sg_onnx_text_token *eq);
/* inputs NULL: none. end: the closing parenthesis. */
void sg_onnx_text_node_inputs(sg_graph_node *node, const sg_onnx_text_ids *inputs,
                              const sg_onnx_text_token *end);
void sg_onnx_text_node_attributes(sg_onnx_text_context *cx, sg_graph_node *node,
                                  const sg_onnx_text_attributes *attributes,
                                  const sg_onnx_text_token *end);
void sg_onnx_text_node_label(sg_onnx_text_context *cx, sg_graph_node *node,
                             const sg_onnx_text_token *left, const sg_onnx_text_token *name);
/* A list of nodes is a graph whose other members are not set yet. */
sg_graph *sg_onnx_text_nodes_add(sg_onnx_text_context *cx, sg_graph *nodes,
                                 const sg_graph_node *node);

/* Attributes. */
sg_onnx_text_attribute *sg_onnx_text_attribute_new(sg_onnx_text_context *cx,
                                                   const sg_onnx_text_token *name);
void sg_onnx_text_attribute_declare(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                    const sg_onnx_text_token *type);
void sg_onnx_text_attribute_set(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                const sg_onnx_text_single *single);
void sg_onnx_text_attribute_add(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                const sg_onnx_text_single *single);
/* Sets an empty list. */
void sg_onnx_text_attribute_empty(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                  sg_span brackets);
/* Called after the last entry of a list. */
void sg_onnx_text_attribute_end(sg_onnx_text_attribute *attribute, const sg_onnx_text_token *end);
sg_onnx_text_attributes *sg_onnx_text_attributes_add(sg_onnx_text_context *cx,
                                                     sg_onnx_text_attributes *attributes,
                                                     const sg_onnx_text_attribute *attribute);

/* Graphs, functions, models. Lists may be NULL if they are empty. */
sg_graph *sg_onnx_text_graph_new(sg_onnx_text_context *cx, const sg_onnx_text_signature *signature,
                                 sg_graph *nodes, const sg_onnx_text_token *end);
void sg_onnx_text_graph_name(sg_onnx_text_context *cx, sg_graph *graph,
                             const sg_onnx_text_token *name);
/* For a graph in an attribute: its name must not be read as a number. */
void sg_onnx_text_graph_inner_name(sg_onnx_text_context *cx, sg_graph *graph,
                                   const sg_onnx_text_token *name);
sg_graph_function *sg_onnx_text_function_new(sg_onnx_text_context *cx,
                                             const sg_onnx_text_meta *meta,
                                             const sg_onnx_text_token *name);
void sg_onnx_text_function_body(sg_onnx_text_context *cx, sg_graph_function *function,
                                const sg_onnx_text_signature *signature, sg_graph *nodes,
                                const sg_onnx_text_token *end);
void sg_onnx_text_function_attributes(sg_graph_function *function,
                                      const sg_onnx_text_attributes *attributes);
void sg_onnx_text_function_add(sg_onnx_text_context *cx, const sg_graph_function *function);
sg_onnx_text_pairs *sg_onnx_text_pairs_add(sg_onnx_text_context *cx, sg_onnx_text_pairs *pairs,
                                           const sg_onnx_text_token *key,
                                           const sg_onnx_text_token *value);
sg_onnx_text_meta *sg_onnx_text_meta_add(sg_onnx_text_context *cx, sg_onnx_text_meta *meta,
                                         const sg_onnx_text_entry *entry);
void sg_onnx_text_model_meta(sg_onnx_text_context *cx, const sg_onnx_text_meta *meta);

/* Parses all tokens of cx->lexer. Returns false if an error was reported. Defined in
 * onnx_text_grammar.y. */
bool sg_onnx_text_run(sg_onnx_text_context *cx) SG_CHECK;

#endif
