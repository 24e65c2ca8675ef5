/* The table gen_ops writes beside a spec: what each kernel has to do, in plain numbers that do not
 * come from splitgen. Read by check.c. */
#ifndef SPLITGEN_TEST_CHECK_H
#define SPLITGEN_TEST_CHECK_H

#include <splitgen/splitgen.h>

#include "packed_reference.h"
#include "reference.h"

typedef struct check_op {
    size_t number; /* in the table, filled in by check.c */
    const splitgen_kernel *kernel;
    const char *spec; /* the op as splitgen read it */
    splitgen_dtype dtype;
    size_t align;             /* every pointer is a multiple of this, and of no more */
    int bits;                 /* of a packed element; 0: elements are whole bytes */
    packed_order order;       /* of packed elements */
    const char *const *names; /* one per part; NULL: the op does not name it */
    int free_dim;             /* the dimension of any length, which is 1 in split; -1: none */
    size_t expected;          /* length of it that the kernel is planned for */
    test_split split;         /* its element_bytes mean nothing when elements are packed */
} check_op;

extern const check_op check_ops[];
extern const size_t check_nops;
extern const unsigned long long check_seed;

#endif
