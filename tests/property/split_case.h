/* A split or concat as plain numbers: generated at random, printed as a Lua spec, turned into an
 * sg_op whose spans point into that spec, and shrunk. */
#ifndef PROPERTY_SPLIT_CASE_H
#define PROPERTY_SPLIT_CASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "random.h"
#include "split/op.h"

#define CASE_MAX_RANK 8
#define CASE_MAX_LIST 48
#define CASE_ABSENT   (-1) /* for counts of lists: the field is not written */

typedef struct split_case {
    sg_op_kind kind;
    bool has_opset;
    int64_t opset;
    const char *dtype; /* NULL: not written */
    int rank;
    int64_t dims[CASE_MAX_RANK];
    bool has_axis;
    bool axis_in_list; /* { axis } */
    int64_t axis;
    int nlengths; /* or CASE_ABSENT */
    int64_t lengths[CASE_MAX_LIST];
    bool has_parts;
    int64_t parts;
    int noutputs; /* or CASE_ABSENT */
    bool outputs_counted;
    int outputs[CASE_MAX_LIST]; /* 0: not wanted; 1: a plain name; above: an unusual one */
    int64_t align;              /* 0: not written */
    bool has_stride;
    int64_t stride; /* of the full tensor */
    bool strided[CASE_MAX_LIST];
    int64_t strides[CASE_MAX_LIST]; /* of the listed parts */
    /* For a standard's Concat: the input whose type or dimension differs from the others. */
    int odd_input;         /* or CASE_ABSENT */
    int odd_dim;           /* which dimension differs; rank: the last one is missing */
    int64_t odd;           /* length there */
    const char *odd_dtype; /* NULL: the same as the others */
} split_case;

/* A legal op of any kind; tensors of at most max_elements elements, or of any size if that is 0. */
void case_generate(rng *r, int64_t max_elements, split_case *out);
/* A legal op of any kind and size, including concats and row strides. */
void case_generate_any(rng *r, split_case *out);
/* A legal op of many rows and few elements in each: loops and vector programs. */
void case_generate_narrow(rng *r, split_case *out);
/* One or two changes, most of which break a rule. Also for what only case_generate_any makes. */
void case_disturb(rng *r, split_case *c);

/* Whether it is of a standard, has lengths, or concatenates. */
static inline bool case_is_onnx(const split_case *c)
{
    return c->kind == SG_OP_ONNX_SPLIT || c->kind == SG_OP_ONNX_CONCAT;
}

static inline bool case_is_openvino(const split_case *c)
{
    return c->kind == SG_OP_OPENVINO_SPLIT || c->kind == SG_OP_OPENVINO_VARIADIC ||
           c->kind == SG_OP_OPENVINO_CONCAT;
}

static inline bool case_infers(const split_case *c)
{
    return c->kind == SG_OP_ONNX_CONCAT || c->kind == SG_OP_OPENVINO_CONCAT;
}

/* The axis as an index from the front; -1 if out of range. */
int case_axis(const split_case *c);
const char *case_output_name(const split_case *c, int index, char *buffer, size_t size);

void case_print(const split_case *c, sg_buf *out);
sg_op *case_op(const split_case *c, sg_arena *arena);

/* The k-th simpler neighbour (k from 0); false if there are no more. May equal the original. */
bool case_shrink(const split_case *c, int k, split_case *out);

#endif
