/* The parts of a model in ONNX text while they are read, and the calls the grammar's actions make.
 * Checks what the onnx package's parser checks (a literal that does not fit its type, an unknown
 * key) and nothing more. Every function returns something usable even after an error: the first
 * error is reported and sets cx->bad, and the loop that feeds the grammar stops behind the token.
 */
#ifndef SG_FRONTEND_ONNX_TEXT_BUILD_H
#define SG_FRONTEND_ONNX_TEXT_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shapes/graph.h"
#include "frontend/onnx/onnx_text_context.h"

typedef struct sg_onnx_text_type {
    sg_graph_type type;
    sg_span symbol; /* the last dim that is no number; no place: all are */
    sg_span span;
} sg_onnx_text_type;

/* A name with a type or without. */
typedef struct sg_onnx_text_vi {
    sg_graph_info info;
    const sg_onnx_text_type *type; /* NULL: none */
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
    bool *typed; /* of each */
    sg_graph_tensor *constants;
    int64_t nconstants;
} sg_onnx_text_infos;

typedef struct sg_onnx_text_ids {
    const char **names;
    sg_span *spans;
    int64_t count;
} sg_onnx_text_ids;

/* What a graph has between its name and its nodes. */
typedef struct sg_onnx_text_signature {
    sg_onnx_text_infos *inputs; /* NULL: none written */
    sg_onnx_text_infos *outputs;
    sg_onnx_text_infos *locals; /* NULL: none written */
} sg_onnx_text_signature;

/* One value of an attribute, or one entry of a list. */
typedef struct sg_onnx_text_single {
    sg_graph_attribute_type type; /* UNDEFINED: a reference */
    sg_onnx_text_token token;     /* numbers, strings and references */
    sg_graph_tensor *tensor;
    sg_graph *graph;
    sg_span span;
} sg_onnx_text_single;

typedef struct sg_onnx_text_attribute {
    sg_graph_attribute made;
    sg_span name_span;
    bool quoted; /* the name */
    bool is_list;
    sg_graph_attribute_type declared; /* its annotation; UNDEFINED: none */
    sg_graph_attribute_type entry; /* of a list: what entries must be; UNDEFINED: not known yet */
    bool dropped;  /* entries of a list that the onnx package's parser drops, reported */
    bool no_value; /* a name only: an attribute of a function without a default */
} sg_onnx_text_attribute;

typedef struct sg_onnx_text_attributes {
    sg_graph_attribute *items;
    int64_t count;
    const char **names; /* of a function: without a default */
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

/* Entries of opset_import and metadata_props: their values are a number or a text. */
typedef struct sg_onnx_text_pair {
    sg_onnx_text_token key;
    sg_onnx_text_token value;
} sg_onnx_text_pair;

typedef struct sg_onnx_text_pairs {
    sg_onnx_text_pair *items;
    int64_t count;
} sg_onnx_text_pairs;

/* key: value in front of a graph or function. */
typedef struct sg_onnx_text_entry {
    sg_onnx_text_token key;
    sg_onnx_text_token value;  /* of a list its bracket */
    sg_onnx_text_pairs *pairs; /* of a list; NULL: none */
    sg_span span;              /* of the value */
} sg_onnx_text_entry;

/* <key: value, ...>: what is of use of it. */
typedef struct sg_onnx_text_meta {
    int64_t version;
    sg_graph_opset *opsets;
    int64_t nopsets;
    const char *domain;
    const char *overload;
    sg_span span;
} sg_onnx_text_meta;

/* Every list is NULL at first, and what adds to one gives it. */

/* Types. A type begins with its dims, each of which is added; a dim NULL: rank 0. */
sg_onnx_text_type *sg_onnx_text_dims_add(sg_onnx_text_context *cx, sg_onnx_text_type *type,
                                         const sg_onnx_text_token *dim);
/* `dims` NULL: unknown rank. */
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
/* A name, a constant, a name with a constant as its default, or neither. */
sg_onnx_text_infos *sg_onnx_text_infos_add(sg_onnx_text_context *cx, sg_onnx_text_infos *infos,
                                           const sg_onnx_text_vi *vi,
                                           const sg_onnx_text_default *given);
sg_onnx_text_default *sg_onnx_text_default_new(sg_onnx_text_context *cx, const sg_onnx_text_vi *vi,
                                               const sg_onnx_text_token *eq);

/* Constants: begun with their type, then their literals, then ended (onnx_text_data.c). */
sg_graph_tensor *sg_onnx_text_tensor_begin(sg_onnx_text_context *cx, const sg_onnx_text_type *type,
                                           const sg_onnx_text_token *name, sg_span place);
void sg_onnx_text_literal(sg_onnx_text_context *cx, const sg_onnx_text_token *literal);
/* `end` is the brace behind the literals. */
void sg_onnx_text_literals_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end);
/* An entry of external data, and the bracket behind the last. */
void sg_onnx_text_external(sg_onnx_text_context *cx, const sg_onnx_text_token *key,
                           const sg_onnx_text_token *value);
void sg_onnx_text_external_end(sg_onnx_text_context *cx, const sg_onnx_text_token *end);
void sg_onnx_text_tensor_extend(sg_graph_tensor *tensor, sg_span end);

/* Numbers. False: it does not fit, reported. Integers wrap nowhere. */
bool sg_onnx_text_int(sg_onnx_text_context *cx, const sg_onnx_text_token *token,
                      int64_t *out) SG_CHECK;
/* Rounded to single precision if `single`. */
bool sg_onnx_text_float(sg_onnx_text_context *cx, const sg_onnx_text_token *token, bool single,
                        double *out) SG_CHECK;

/* Nodes. */
/* Adds a name; NULL: an empty one, at `comma`. */
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
/* Inputs may be NULL: none. `end` is the parenthesis behind them. */
void sg_onnx_text_node_inputs(sg_graph_node *node, const sg_onnx_text_ids *inputs,
                              const sg_onnx_text_token *end);
void sg_onnx_text_node_attributes(sg_onnx_text_context *cx, sg_graph_node *node,
                                  const sg_onnx_text_attributes *attributes,
                                  const sg_onnx_text_token *end);
void sg_onnx_text_node_label(sg_onnx_text_context *cx, sg_graph_node *node,
                             const sg_onnx_text_token *left, const sg_onnx_text_token *name);
/* Nodes make a graph, which has no more yet. */
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
/* A list without entries. */
void sg_onnx_text_attribute_empty(sg_onnx_text_context *cx, sg_onnx_text_attribute *attribute,
                                  sg_span brackets);
/* Behind the last entry of a list. */
void sg_onnx_text_attribute_end(sg_onnx_text_attribute *attribute, const sg_onnx_text_token *end);
sg_onnx_text_attributes *sg_onnx_text_attributes_add(sg_onnx_text_context *cx,
                                                     sg_onnx_text_attributes *attributes,
                                                     const sg_onnx_text_attribute *attribute);

/* Graphs, functions, models. Lists may be NULL: none. */
sg_graph *sg_onnx_text_graph_new(sg_onnx_text_context *cx, const sg_onnx_text_signature *signature,
                                 sg_graph *nodes, const sg_onnx_text_token *end);
void sg_onnx_text_graph_name(sg_onnx_text_context *cx, sg_graph *graph,
                             const sg_onnx_text_token *name);
/* A graph in an attribute: its name must not read as a number. */
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

/* Reads all tokens of cx->lexer through the grammar. False: reported. Defined by
 * onnx_text_grammar.y. */
bool sg_onnx_text_run(sg_onnx_text_context *cx) SG_CHECK;

#endif
