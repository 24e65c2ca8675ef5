/* The table gen_ops writes beside a spec: what each kernel has to do, in plain numbers that do not
 * come from splitgen. Read by check.c. */
#ifndef SPLITGEN_TEST_CHECK_H
#define SPLITGEN_TEST_CHECK_H

#include <splitgen/splitgen.h>

#include "packed_reference.h"
#include "reference.h"

#define CHECK_NUMBERS 4

typedef struct check_op {
    size_t number; /* in the table, filled in by check.c */
    const splitgen_kernel *kernel;
    const char *spec; /* the op as splitgen read it */
    splitgen_dtype dtype;
    size_t align;                         /* every pointer is a multiple of this, and of no more */
    int bits;                             /* of a packed element; 0: elements are whole bytes */
    packed_order order;                   /* of packed elements */
    const char *const *names;             /* one per part; NULL: the op does not name it */
    size_t nnumbers;                      /* that are open */
    unsigned char numbers[TEST_MAX_RANK]; /* of a dimension of any length, which is 1 in split:
                                             which of them that is; 0: none, 1: the first */
    size_t expected[CHECK_NUMBERS];       /* of each, what the kernel is planned for */
    test_split
        split; /* of joins as well; its element_bytes mean nothing when elements are packed */
} check_op;

/* What open dimensions multiply: rows, and what a row has. */
typedef struct check_sizes {
    size_t rows;
    size_t scale;
} check_sizes;

static inline check_sizes check_sizes_of(const check_op *op)
{
    check_sizes sizes = {1, 1};
    for (int d = 0; d < op->split.rank; ++d) {
        if (op->numbers[d] != 0) {
            *(d < op->split.axis ? &sizes.rows : &sizes.scale) *= (size_t)op->split.dims[d];
        }
    }
    return sizes;
}

/* What splitgen_run_dims takes. */
static inline void check_numbers_of(const check_op *op, size_t numbers[CHECK_NUMBERS])
{
    for (int d = 0; d < op->split.rank; ++d) {
        if (op->numbers[d] != 0) {
            numbers[op->numbers[d] - 1] = (size_t)op->split.dims[d];
        }
    }
}

extern const check_op check_ops[];
extern const size_t check_nops;
extern const unsigned long long check_seed;

#endif
