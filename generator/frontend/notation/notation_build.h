/* The nodes of the notation, and the functions that the grammar's actions call. They build ops and
 * check nothing: sg_resolve() checks numbers and names. */
#ifndef SG_FRONTEND_NOTATION_BUILD_H
#define SG_FRONTEND_NOTATION_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "frontend/notation/notation_lex.h"
#include "split/op.h"

typedef struct sg_notation_context {
    sg_arena *arena; /* owns nodes and ops */
    sg_diag *diag;
    sg_op_array *ops;
    sg_notation_lexer lexer;
    bool accepted; /* set by the grammar */
    bool failed;   /* set by the grammar: the last token is a syntax error */
} sg_notation_context;

/* [1, 2, 3], [batch=64?, 2, 3], [1080/6144, 1920, 3] */
typedef struct sg_notation_dims {
    sg_op_num *items;
    sg_op_num *strides; /* one for each dim, `rest` if it is not written; NULL: none is written */
    int64_t count;
    int64_t capacity;
    sg_span span; /* includes the brackets once they are parsed */
} sg_notation_dims;

/* [name:] dtype[dims][/stride] */
typedef struct sg_notation_tensor {
    bool named;
    sg_notation_token name;
    sg_notation_token dtype;
    sg_notation_dims *dims;
    sg_op_int row_stride;
    sg_span span;
} sg_notation_tensor;

/* q:768, 768, q:view:768, view:768, or q (in `q k v /3`); with a stride q:768/1024 */
typedef struct sg_notation_part {
    bool named;
    sg_notation_token name;
    sg_op_num length; /* unused in `q k v /3` */
    sg_op_int view;   /* present if the part is marked as a view */
    sg_op_int row_stride;
    /* for r:1/2048/1 and other lists of strides, the last of which is the row stride; else NULL */
    const sg_notation_dims *strides;
    sg_span span;
} sg_notation_part;

typedef struct sg_notation_parts {
    sg_notation_part *items;
    int64_t count;
    int64_t capacity;
    bool has_outputs; /* a part has a name, a mark or a stride */
    sg_op_int equal;  /* the number in /3; if present, the items have no lengths */
    sg_span span;
} sg_notation_parts;

sg_notation_dims *sg_notation_dims_new(sg_notation_context *cx);
void sg_notation_dims_add(sg_notation_context *cx, sg_notation_dims *dims, sg_op_num dim);
sg_op_num sg_notation_dim(const sg_notation_token *number);
/* Sets the stride of the dimension that was added last. */
void sg_notation_dims_stride(sg_notation_context *cx, sg_notation_dims *dims,
                             const sg_notation_token *stride);
/* batch? or batch=64?. If `expected` is NULL, 1 is expected. */
sg_op_num sg_notation_dim_free(sg_notation_context *cx, const sg_notation_token *name,
                               const sg_notation_token *expected, const sg_notation_token *mark);

sg_notation_tensor *sg_notation_tensor_new(sg_notation_context *cx, const sg_notation_token *dtype,
                                           sg_notation_dims *dims, const sg_notation_token *left,
                                           const sg_notation_token *right);
void sg_notation_tensor_name(sg_notation_tensor *tensor, const sg_notation_token *name);
void sg_notation_tensor_stride(sg_notation_tensor *tensor, const sg_notation_token *stride);

/* name or length may be NULL if the part does not have it, but not both. A length is an INT or a
 * STAR. */
sg_notation_part *sg_notation_part_new(sg_notation_context *cx, const sg_notation_token *name,
                                       const sg_notation_token *length);
/* Marks a part as a view. */
void sg_notation_part_view(sg_notation_part *part, const sg_notation_token *mark);
void sg_notation_part_strides(sg_notation_part *part, const sg_notation_dims *strides);

sg_notation_parts *sg_notation_parts_new(sg_notation_context *cx);
void sg_notation_parts_add(sg_notation_context *cx, sg_notation_parts *parts,
                           const sg_notation_part *part);
void sg_notation_parts_equal(sg_notation_parts *parts, const sg_notation_token *slash,
                             const sg_notation_token *number);
/* Sets the strides of all parts of `/3` or `q k v /3`. */
void sg_notation_parts_strides(sg_notation_context *cx, sg_notation_parts *parts,
                               const sg_notation_dims *strides);

/* Appends an op to cx->ops: a split, or a concat for the arrow `<-`. axis may be NULL. The caller
 * sets default_name later. */
void sg_notation_op_add(sg_notation_context *cx, const sg_notation_tensor *tensor,
                        const sg_notation_token *axis, const sg_notation_token *arrow,
                        const sg_notation_parts *parts);

/* Parses all tokens of cx->lexer. Returns false if an error was reported. Defined in
 * notation_grammar.y. */
bool sg_notation_run(sg_notation_context *cx) SG_CHECK;

#endif
