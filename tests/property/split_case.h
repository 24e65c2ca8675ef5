/* A split op as plain numbers: generated at random, printed as a Lua spec, turned into an sg_op
 * whose spans point into that spec, and shrunk. Concats too. */
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
    int outputs[CASE_MAX_LIST]; /* 0: not wanted; 1: a plain name; above: an awkward one */
    int64_t align;              /* 0: not written */
    bool has_stride;
    int64_t stride; /* of the whole */
    bool strided[CASE_MAX_LIST];
    int64_t strides[CASE_MAX_LIST]; /* of parts that outputs lists */
    /* Of a standard's Concat: its inputs are the lengths, of the whole's other dimensions and
     * its type, but for one. */
    int odd_input;         /* or CASE_ABSENT */
    int odd_dim;           /* of which this is another; rank: it lacks the last one */
    int64_t odd;           /* length there */
    const char *odd_dtype; /* NULL: as the others */
} split_case;

/* A legal op of any kind; tensors of at most max_elements elements, or, when 0, of any size. */
void case_generate(rng *r, int64_t max_elements, split_case *out);
/* A legal op of any kind and size, concats and rows with strides among them. */
void case_generate_any(rng *r, split_case *out);
/* A legal op of many rows and few elements in each: loops and vector programs. */
void case_generate_narrow(rng *r, split_case *out);
/* One or two changes, most of which break a rule. Of what only case_generate_any makes too. */
void case_disturb(rng *r, split_case *c);

/* Of a standard, or the one with lengths, or any that joins. */
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

/* The position on the axis as an index from the front; -1 when out of range. */
int case_axis(const split_case *c);
const char *case_output_name(const split_case *c, int index, char *buffer, size_t size);

void case_print(const split_case *c, sg_buf *out);
sg_op *case_op(const split_case *c, sg_arena *arena);

/* The k-th simpler neighbour (k from 0); false when there are no more. May equal the original. */
bool case_shrink(const split_case *c, int k, split_case *out);

#endif
