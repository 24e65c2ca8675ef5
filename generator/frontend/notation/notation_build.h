/* The nodes of the notation and the calls the grammar's actions make. Builds ops, checks nothing:
 * every rule about numbers and names is resolve's. */
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
    bool failed;   /* set by the grammar: the last token fed fits nowhere */
} sg_notation_context;

/* [1, 2, 3], [batch=64?, 2, 3], [1080/6144, 1920, 3] */
typedef struct sg_notation_dims {
    sg_op_num *items;
    sg_op_num *strides; /* of each, `rest` where none is written; NULL: nowhere */
    int64_t count;
    int64_t capacity;
    sg_span span; /* with the brackets once they are known */
} sg_notation_dims;

/* name: dtype[dims], a name or not, a stride behind it or not */
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
    sg_op_num length; /* not used in `q k v /3` */
    sg_op_int view;   /* the mark, where there is one */
    sg_op_int row_stride;
    const sg_notation_dims *strides; /* r:1/2048/1: several, the last that of rows; NULL */
    sg_span span;
} sg_notation_part;

typedef struct sg_notation_parts {
    sg_notation_part *items;
    int64_t count;
    int64_t capacity;
    bool has_outputs; /* any has a name, a mark or a stride */
    sg_op_int equal;  /* of /3; when present the items have no lengths */
    sg_span span;
} sg_notation_parts;

sg_notation_dims *sg_notation_dims_new(sg_notation_context *cx);
void sg_notation_dims_add(sg_notation_context *cx, sg_notation_dims *dims, sg_op_num dim);
sg_op_num sg_notation_dim(const sg_notation_token *number);
/* The stride of the dimension that was added last. */
void sg_notation_dims_stride(sg_notation_context *cx, sg_notation_dims *dims,
                             const sg_notation_token *stride);
/* batch? or batch=64?; expected may be NULL, which is 1. */
sg_op_num sg_notation_dim_free(sg_notation_context *cx, const sg_notation_token *name,
                               const sg_notation_token *expected, const sg_notation_token *mark);

sg_notation_tensor *sg_notation_tensor_new(sg_notation_context *cx, const sg_notation_token *dtype,
                                           sg_notation_dims *dims, const sg_notation_token *left,
                                           const sg_notation_token *right);
void sg_notation_tensor_name(sg_notation_tensor *tensor, const sg_notation_token *name);
void sg_notation_tensor_stride(sg_notation_tensor *tensor, const sg_notation_token *stride);

/* name or length may be NULL, not both: a part without it. A length is an INT or a STAR. */
sg_notation_part *sg_notation_part_new(sg_notation_context *cx, const sg_notation_token *name,
                                       const sg_notation_token *length);
/* Puts the mark of a view on it. */
void sg_notation_part_view(sg_notation_part *part, const sg_notation_token *mark);
void sg_notation_part_strides(sg_notation_part *part, const sg_notation_dims *strides);

sg_notation_parts *sg_notation_parts_new(sg_notation_context *cx);
void sg_notation_parts_add(sg_notation_context *cx, sg_notation_parts *parts,
                           const sg_notation_part *part);
void sg_notation_parts_equal(sg_notation_parts *parts, const sg_notation_token *slash,
                             const sg_notation_token *number);
/* The stride of all equal parts, with names or without. */
void sg_notation_parts_strides(sg_notation_context *cx, sg_notation_parts *parts,
                               const sg_notation_dims *strides);

/* Appends the op to cx->ops: a split, or with its arrow turned a concat. axis may be NULL. The
 * caller gives default_name later. */
void sg_notation_op_add(sg_notation_context *cx, const sg_notation_tensor *tensor,
                        const sg_notation_token *axis, const sg_notation_token *arrow,
                        const sg_notation_parts *parts);

/* Reads all tokens of cx->lexer through the grammar. False: reported. Defined by
 * notation_grammar.y. */
bool sg_notation_run(sg_notation_context *cx) SG_CHECK;

#endif
