/* Ops for the execution tests, before they are written as specs. The numbers of a gen_op are
 * decided first; how it is written (vocabulary, -1, equal parts, names) only afterwards, so that
 * what a spec means is known without splitgen. Nothing here may include a header of the generator.
 */
#ifndef SPLITGEN_TEST_GEN_H
#define SPLITGEN_TEST_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prng.h"

#define GEN_MAX_RANK  6
#define GEN_MAX_PARTS 600

/* How packed elements lie in bytes. */
typedef enum gen_order {
    GEN_WHOLE, /* not packed */
    GEN_LSB,
    GEN_MSB,
    GEN_PLANES,
    GEN_ORDERS
} gen_order;

typedef struct gen_dtype {
    const char *name;
    const char *onnx;     /* NULL: unknown there */
    const char *openvino; /* NULL: unknown there */
    int bytes;            /* 1 for packed types: at most */
    int align;
    int onnx_since; /* first opset of Split that takes it; 0: none */
    const char *constant;
    int bits; /* of packed types, else 0 */
} gen_dtype;

extern const gen_dtype gen_dtypes[];
extern const int gen_ndtypes;

/* NULL when there is none of that name. */
const gen_dtype *gen_dtype_find(const char *name);

typedef enum gen_vocabulary {
    GEN_SPLIT,    /* split {...}, concat {...} */
    GEN_ONNX,     /* onnx.Split, onnx.Concat */
    GEN_OPENVINO, /* openvino.Split, openvino.Concat */
    GEN_VARIADIC, /* openvino.VariadicSplit; there is but one Concat */
    GEN_NOTATION, /* split "..." with its arrow either way */
    GEN_VOCABULARIES
} gen_vocabulary;

/* Open numbers of one op. */
#define GEN_MAX_NUMBERS 4

/* Their names, in the order of the dimensions. */
extern const char *const gen_number_names[GEN_MAX_NUMBERS];

typedef struct gen_part {
    int64_t length;
    bool wanted;
    char name[24];  /* "": not named */
    int64_t stride; /* elements from one row to the next; 0: not written, they lie dense */
} gen_part;

typedef struct gen_op {
    /* what it means */
    char name[32];
    bool joins; /* the parts are read and the whole is written */
    const gen_dtype *dtype;
    int rank;
    int64_t dims[GEN_MAX_RANK];
    int axis;
    int nparts;
    gen_part parts[GEN_MAX_PARTS];
    int64_t stride; /* of the whole; 0: not written, its rows lie dense */
    int align;      /* 0: no promise */
    gen_order order;
    int numbers[GEN_MAX_RANK]; /* of a dimension of any length, which is 1 in dims: which of the
                                  open numbers that is; 0: none, 1: the first */
    int nnumbers;
    int64_t expected[GEN_MAX_NUMBERS]; /* of each of them */
    /* how it is written */
    gen_vocabulary vocabulary;
    const char *spelling; /* of the dtype */
    bool write_order;     /* though it is the default */
    bool equal;           /* by the number of parts, not by lengths */
    int rest;             /* part written as what remains; -1: none */
    int opset;
    bool negative_axis;
    bool omit_axis;
    bool axis_in_list;
    bool floats;        /* 768.0 for 768 */
    bool commas;        /* between the parts of the notation */
    bool list_outputs;  /* outputs = { names } */
    int count_outputs;  /* outputs = N; 0: not written so */
    int listed_outputs; /* entries of outputs or N; fewer than nparts: the others are omitted */
} gen_op;

/* Whether it is a standard's Concat, whose inputs say what the whole is. */
bool gen_infers(const gen_op *op);

/* What random ops may cost, and what they are. */
typedef struct gen_limits {
    int64_t copies; /* of one op, roughly */
    int64_t bytes;  /* of one input */
    int free;       /* how many of 100 that could have a free dimension do */
    int joins;      /* how many of 100 are concats */
    int strides;    /* how many of 100 have rows that lie apart, where that is allowed */
} gen_limits;

/* What ops of a class have in common: where users are and small random numbers never get to. */
typedef enum gen_class {
    GEN_MANY, /* more outputs than parameters, or than a kernel writes side by side */
    GEN_WIDE, /* rows of kilobytes */
    GEN_L2,   /* the input fits the second-level cache */
    GEN_LLC,  /* or the last one */
    GEN_FAR,  /* or none: what is touched is more than any cache's share */
    GEN_BITS, /* packed elements off byte boundaries, behind an open dimension */
    GEN_CLASSES
} gen_class;

/* GEN_CLASSES when there is none of that name. */
gen_class gen_class_find(const char *name);

int64_t gen_elements(const gen_op *op);

/* Copies a straight-line kernel of the op would need, roughly. */
int64_t gen_copies(const gen_op *op);

/* Makes op number `index` of a file. */
void gen_random(test_prng *prng, const gen_limits *limits, int index, gen_op *op);

/* The same for an op of a class. */
void gen_of_class(test_prng *prng, const gen_limits *limits, gen_class kind, int index, gen_op *op);

/* Fixed ops, index 0 and up. False behind the last one. */
bool gen_special(int index, gen_op *op);

/* Makes rows lie apart, of the whole and of parts, whatever the limits say of how often. The op
 * must be decided but for that, and nothing may be open behind its axis. */
void gen_choose_strides(test_prng *prng, const gen_limits *limits, gen_op *op);

/* Prints the op as one expression of the spec language. */
void gen_print_spec(const gen_op *op, FILE *out);

/* Prints the op's arrays; then, in a second round, its entry in the table of check.h. */
void gen_print_arrays(const gen_op *op, int index, FILE *out);
void gen_print_entry(const gen_op *op, int index, FILE *out);

#endif
