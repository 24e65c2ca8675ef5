/* fact: what is known about a tensor during shape inference: type, rank, dims and values, each of
 * which may be unknown, and why something is unknown. A fact does not change after a name is bound
 * to it. */
#ifndef SG_FRONTEND_GRAPH_FACT_H
#define SG_FRONTEND_GRAPH_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shapes/graph.h"
#include "sums/sum.h"

/* A dim (an integer, a size that depends on open dimensions, or unknown) or a value (any kind). */
typedef enum sg_fact_kind {
    SG_FACT_UNKNOWN,
    SG_FACT_INT,
    SG_FACT_FLOAT,
    SG_FACT_SUM /* not a number; factored */
} sg_fact_kind;

typedef struct sg_fact_entry {
    sg_fact_kind kind;
    union {
        int64_t integer;
        double real;
        const sg_sum *sum;
    } as;
} sg_fact_entry;

/* Why something is unknown: the first tensor in the chain of nodes with an unknown property. */
typedef struct sg_fact_cause {
    const char *tensor;
    const struct sg_fact *fact; /* what is known about the tensor; NULL: nothing */
    const sg_graph_node *node;  /* the node that made it; NULL: it is an input of the graph or of a
                                   subgraph, or does not exist */
    bool is_value;              /* its values are unknown, not its shape */
    const char *reason;         /* the error text of its rule, or NULL */
    bool of_data;               /* it depends on data that is known only at run time */
    /* cause of the unknown value that the shape is made from; NULL */
    const struct sg_fact_cause *value;
    /* the -D names that determine it completely; none: use --shape or --value */
    const char *const *dims;
    int64_t ndims;
    sg_span span;
} sg_fact_cause;

/* Why a node is invalid: whatever the inputs of a run are, the node cannot compute its outputs. */
typedef struct sg_fact_fault {
    const sg_graph_node *node;           /* NULL: no node; the tensor does not exist */
    const struct sg_fact *const *inputs; /* the inputs of the node */
    const char *reason;                  /* "index 5 is outside an axis of 3" */
    bool reported;                       /* as an error, now or later */
    bool warned;                         /* as a warning, because its node is left out */
} sg_fact_fault;

/* Whether a tensor is the same in every run. */
typedef enum sg_fact_constancy {
    SG_FACT_VARIES,
    SG_FACT_DEFAULT, /* unless a run replaces the default that an initializer gives an input */
    SG_FACT_FIXED    /* made only from constants and shapes */
} sg_fact_constancy;

typedef struct sg_fact {
    int dtype; /* sg_dtype, or SG_GRAPH_DTYPE_UNKNOWN */
    bool has_rank;
    int64_t rank;
    sg_fact_entry *dims;
    bool has_values; /* some values may be unknown */
    int64_t count;
    sg_fact_entry *values;
    const sg_span *spans; /* of each value, if the format has source positions; NULL */
    sg_span place;        /* of the constant that has the values; source NULL: none */
    sg_span given; /* the option that gave the values, or what they are made from; else none */
    /* the constant with the same elements, in whatever shape; NULL */
    const sg_graph_tensor *tensor;
    sg_fact_constancy constant;
    bool is_sequence; /* of tensors, each with its own fact; a sequence itself has no shape */
    const struct sg_fact *const *elements;
    int64_t nelements;
    /* a sequence of unknown length, which is_sequence does not count: what is true of each tensor
     */
    const struct sg_fact *each;
    const sg_fact_cause *shape_cause; /* set if and only if not all dims are numbers */
    const sg_fact_cause *value_cause; /* the same for the values */
    const char *untyped; /* the first tensor in the chain whose dtype is unknown; NULL: this one */
    /* the first fault in the chain of nodes that made it; NULL: none is known */
    sg_fact_fault *fault;
} sg_fact;

sg_fact *sg_fact_new(sg_arena *arena);

sg_fact_entry sg_fact_named(sg_arena *arena, const char *name); /* keeps the name, not a copy */
/* The size of a dim; over if it is unknown. */
sg_sum sg_fact_sum(sg_arena *arena, sg_fact_entry entry);
const char *sg_fact_name(sg_fact_entry entry); /* NULL: it is not just a name */

bool sg_fact_same(sg_fact_entry a, sg_fact_entry b); /* false for two unknowns */
bool sg_fact_shape_known(const sg_fact *fact);
bool sg_fact_values_known(const sg_fact *fact);
/* The number of elements, if all dims are numbers and the product fits. */
bool sg_fact_elements(const sg_fact *fact, int64_t *elements);

/* The bytes of a small constant of this element type, whether the file has them or inference
 * computes them. NULL: there are none, or a run or the user may replace them. */
const void *sg_fact_bytes(sg_arena *arena, const sg_fact *fact, int dtype);

/* The fact of a constant. Texts are not values. Entries are shared with the tensor where
 * possible. */
sg_fact *sg_fact_of_tensor(sg_arena *arena, const sg_graph_tensor *tensor);
/* The fact of a declared type. Names are kept as names. */
sg_fact *sg_fact_of_type(sg_arena *arena, const sg_graph_type *type);

/* What is true of both: equal dims and values are kept, others become unknown. The cause is that of
 * the first fact that has one, else `cause`. */
sg_fact *sg_fact_meet(sg_arena *arena, const sg_fact *a, const sg_fact *b,
                      const sg_fact_cause *cause);
/* What is true of all tensors of a sequence; NULL: it is empty, or not a sequence. */
const sg_fact *sg_fact_each(sg_arena *arena, const sg_fact *sequence, const sg_fact_cause *cause);
/* Whether a contains something that b does not. */
bool sg_fact_tells_more(const sg_fact *a, const sg_fact *b);

/* "197*N", "8", "?". */
const char *sg_fact_dim_text(sg_arena *arena, sg_fact_entry dim);
/* "[1, 197*N, ?]", or "of unknown rank". */
const char *sg_fact_shape_text(sg_arena *arena, const sg_fact *fact);

#endif
