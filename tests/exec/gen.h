/* Ops for the execution tests, before they are written as specs. First the numbers of a gen_op
 * are chosen, and then the form in which it is written (vocabulary, -1, equal parts, names), so
 * that the meaning of a spec is known without splitgen. Headers of the generator may not be
 * included here. */
#ifndef SPLITGEN_TEST_GEN_H
#define SPLITGEN_TEST_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "prng.h"

#define GEN_MAX_RANK  6
#define GEN_MAX_PARTS 600

/* The layout of packed elements in bytes. */
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
    int bytes;            /* maximum; 1 for packed types */
    int align;
    int onnx_since; /* first opset of Split that supports it; 0: none */
    const char *constant;
    int bits; /* of packed types, else 0 */
} gen_dtype;

extern const gen_dtype gen_dtypes[];
extern const int gen_ndtypes;

/* NULL if there is none of that name. */
const gen_dtype *gen_dtype_find(const char *name);

typedef enum gen_vocabulary {
    GEN_SPLIT,    /* split {...}, concat {...} */
    GEN_ONNX,     /* onnx.Split, onnx.Concat */
    GEN_OPENVINO, /* openvino.Split, openvino.Concat */
    GEN_VARIADIC, /* openvino.VariadicSplit; there is only one Concat */
    GEN_NOTATION, /* split "..." with its arrow in either direction */
    GEN_VOCABULARIES
} gen_vocabulary;

/* Maximum of open numbers in an op. */
#define GEN_MAX_NUMBERS 4

/* Their names, in the order of the dimensions. */
extern const char *const gen_number_names[GEN_MAX_NUMBERS];

typedef struct gen_part {
    int64_t length;
    bool wanted;
    char name[24];  /* "": not named */
    int64_t stride; /* elements from one row to the next; 0: not written, no padding */
} gen_part;

typedef struct gen_op {
    /* the meaning of the op */
    char name[32];
    bool joins; /* the parts are read and the full tensor is written */
    const gen_dtype *dtype;
    int rank;
    int64_t dims[GEN_MAX_RANK];
    int axis;
    int nparts;
    gen_part parts[GEN_MAX_PARTS];
    int64_t stride; /* of the full tensor; 0: not written, no padding */
    int align;      /* 0: no promise */
    gen_order order;
    int numbers[GEN_MAX_RANK]; /* per dimension: 0, or the position (from 1) of its open number; its
                                  length in dims is then 1 */
    int nnumbers;
    int64_t expected[GEN_MAX_NUMBERS]; /* the expected value of each */
    /* the form in which it is written */
    gen_vocabulary vocabulary;
    const char *spelling; /* of the dtype */
    bool write_order;     /* written although it is the default */
    bool equal;           /* as the number of parts, not as lengths */
    int rest;             /* part written as the rest (-1); -1: none */
    int opset;
    bool negative_axis;
    bool omit_axis;
    bool axis_in_list;
    bool floats;        /* 768.0 for 768 */
    bool commas;        /* between the parts of the notation */
    bool list_outputs;  /* outputs = { names } */
    int count_outputs;  /* written as outputs = N; 0: not */
    int listed_outputs; /* number of entries in outputs, or N; fewer than nparts: the others are
                           omitted */
} gen_op;

/* Whether it is a standard's Concat, whose inputs determine the full tensor. */
bool gen_infers(const gen_op *op);

/* Limits and percentages for random ops. */
typedef struct gen_limits {
    int64_t copies; /* of one op, roughly */
    int64_t bytes;  /* of one input */
    int free;       /* percentage with an open dimension, of the ops that can have one */
    int joins;      /* percentage of concats */
    int strides;    /* percentage with row strides, where allowed */
} gen_limits;

/* Classes of ops that users have and small random numbers never reach. */
typedef enum gen_class {
    GEN_MANY, /* more outputs than parameters, or than a kernel writes at once */
    GEN_WIDE, /* rows of kilobytes */
    GEN_L2,   /* the input fits the second-level cache */
    GEN_LLC,  /* or the last-level cache */
    GEN_FAR,  /* or no cache: the data is larger than any cache's share */
    GEN_BITS, /* packed elements that are not byte-aligned, after an open dimension */
    GEN_CLASSES
} gen_class;

/* GEN_CLASSES if there is none of that name. */
gen_class gen_class_find(const char *name);

int64_t gen_elements(const gen_op *op);

/* Approximate number of copies of a straight-line kernel for the op. */
int64_t gen_copies(const gen_op *op);

/* Makes op number `index` of a file. */
void gen_random(test_prng *prng, const gen_limits *limits, int index, gen_op *op);

/* The same for an op of a class. */
void gen_of_class(test_prng *prng, const gen_limits *limits, gen_class kind, int index, gen_op *op);

/* Fixed ops, index 0 and up. Returns false after the last one. */
bool gen_special(int index, gen_op *op);

/* Adds row strides to the full tensor and to parts, regardless of the percentage in the limits.
 * All other properties of the op must be set, and no dimension after its axis may be open. */
void gen_choose_strides(test_prng *prng, const gen_limits *limits, gen_op *op);

/* Prints the op as one expression of the spec language. */
void gen_print_spec(const gen_op *op, FILE *out);

/* Prints the op's arrays; then, in a second round, its entry in the table of check.h. */
void gen_print_arrays(const gen_op *op, int index, FILE *out);
void gen_print_entry(const gen_op *op, int index, FILE *out);

#endif
