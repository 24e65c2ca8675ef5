/* fact: what is known of a tensor while shapes are inferred: type, rank, dims, values, each of them
 * or none; and why something is not. Facts do not change once a name is bound to them. */
#ifndef SG_FRONTEND_GRAPH_FACT_H
#define SG_FRONTEND_GRAPH_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "shapes/graph.h"

/* A dim (an int, a name or unknown) or a value (any of them). A name may stand for a product of an
 * integer and names, or for a sum of such products, which rules.lua makes; sg_fact_factors_of and
 * sg_fact_terms_of take them apart. */
typedef enum sg_fact_kind {
    SG_FACT_UNKNOWN,
    SG_FACT_INT,
    SG_FACT_FLOAT,
    SG_FACT_NAME
} sg_fact_kind;

typedef struct sg_fact_entry {
    sg_fact_kind kind;
    union {
        int64_t integer;
        double real;
        const char *name;
    } as;
} sg_fact_entry;

/* What a name of a dim is a product of; or a term of a sum, which may have no names. */
typedef struct sg_fact_factors {
    int64_t number; /* from 1 on */
    const char **names;
    int64_t count;
} sg_fact_factors;

/* The first tensor on the way that something is not known of, and who made it so. */
typedef struct sg_fact_cause {
    const char *tensor;
    const struct sg_fact *fact; /* what is known of the tensor; NULL: nothing */
    const sg_graph_node *node;  /* NULL: an input of the graph or of a subgraph, or nothing */
    bool is_value;              /* its value is missing, not its shape */
    const char *reason;         /* what its rule said, or NULL */
    bool of_data; /* it depends on values that every run brings, so that no number is right */
    const struct sg_fact_cause *value; /* of the value that a shape is made of; NULL */
    const char *const *dims; /* the named dims that give it all; none: --shape, --value do */
    int64_t ndims;
    sg_span span;
} sg_fact_cause;

/* What makes a node invalid, so that no run can make its outputs. */
typedef struct sg_fact_fault {
    const sg_graph_node *node;           /* NULL: no node, the tensor does not exist */
    const struct sg_fact *const *inputs; /* of the node */
    const char *reason;                  /* "index 5 is outside an axis of 3" */
    bool reported;
} sg_fact_fault;

/* Whether a tensor is the same in every run. */
typedef enum sg_fact_constancy {
    SG_FACT_VARIES,
    SG_FACT_DEFAULT, /* unless a run brings another value for an input that an initializer is for */
    SG_FACT_FIXED    /* it is made of constants and shapes alone */
} sg_fact_constancy;

typedef struct sg_fact {
    int dtype; /* sg_dtype, or SG_GRAPH_DTYPE_UNKNOWN */
    bool has_rank;
    int64_t rank;
    sg_fact_entry *dims;
    bool has_values; /* some of them may be unknown */
    int64_t count;
    sg_fact_entry *values;
    const sg_span *spans; /* of each value, where a file has places for them; NULL */
    sg_span place;        /* of the constant that has them; its source is NULL: of none */
    sg_span given;        /* by which option the user gives it, or what it is made of; else none */
    const sg_graph_tensor *tensor; /* a constant that has its elements, of whatever shape; NULL */
    sg_fact_constancy constant;
    bool is_sequence; /* of tensors, which are known one by one; it has no shape of its own */
    const struct sg_fact *const *elements;
    int64_t nelements;
    const sg_fact_cause *shape_cause; /* set exactly if not all dims are numbers */
    const sg_fact_cause *value_cause; /* the same of the values */
    const char *untyped;  /* the first tensor on the way whose dtype is not known; NULL: this one */
    sg_fact_fault *fault; /* the first on the way that no run gets past; NULL: none is known */
} sg_fact;

sg_fact *sg_fact_new(sg_arena *arena);

/* Takes a name apart: "197*N" as rules.lua writes it, or a name alone, which is 1 times itself. A
 * factor may be a sum. False: it is none that a file, a user or the rules make. */
bool sg_fact_factors_of(sg_arena *arena, const char *name, sg_fact_factors *factors) SG_CHECK;
/* The terms of a sum, "N+1", none of which holds a sum. Their number; 0: the factor is a name. */
int64_t sg_fact_terms_of(sg_arena *arena, const char *factor, sg_fact_factors **terms);
/* The names of a product and of the sums in it, some maybe more than once. Their number. */
int64_t sg_fact_names_in(sg_arena *arena, const sg_fact_factors *factors, const char ***names);
/* Whether the name is that of a dim without one, which has a name for inference only. */
bool sg_fact_is_nameless(const char *name);
sg_fact_entry sg_fact_nameless(sg_arena *arena, int64_t number);

bool sg_fact_same(sg_fact_entry a, sg_fact_entry b); /* never of two unknowns */
bool sg_fact_shape_known(const sg_fact *fact);
bool sg_fact_values_known(const sg_fact *fact);
/* Elements, if all dims are numbers and the product fits. */
bool sg_fact_elements(const sg_fact *fact, int64_t *elements);

/* The bytes of a constant of this element type, however a file writes it or inference folds it, if
 * they are few; NULL: there are none, or a run or the user may say others. */
const void *sg_fact_bytes(sg_arena *arena, const sg_fact *fact, int dtype);

/* What a constant says. Texts are no values. Entries are not copied where they need not be. */
sg_fact *sg_fact_of_tensor(sg_arena *arena, const sg_graph_tensor *tensor);
/* What a declared type says; names stay names. */
sg_fact *sg_fact_of_type(sg_arena *arena, const sg_graph_type *type);

/* What holds of both: equal dims and values are kept, others become unknown. Causes are those of
 * the first that has one, else `cause`. */
sg_fact *sg_fact_meet(sg_arena *arena, const sg_fact *a, const sg_fact *b,
                      const sg_fact_cause *cause);
/* Whether a knows anything that b does not say too. */
bool sg_fact_tells_more(const sg_fact *a, const sg_fact *b);

/* "197*N", "8", "?". */
const char *sg_fact_dim_text(sg_arena *arena, sg_fact_entry dim);
/* "[1, 197*N, ?]", or "of unknown rank". */
const char *sg_fact_shape_text(sg_arena *arena, const sg_fact *fact);

#endif
