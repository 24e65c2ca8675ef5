/* The table that gen_ops writes beside a spec: the required effect of each kernel, in plain
 * numbers that do not come from splitgen. Read by check.c. */
#ifndef SPLITGEN_TEST_CHECK_H
#define SPLITGEN_TEST_CHECK_H

#include <splitgen/splitgen.h>

#include "packed_reference.h"
#include "reference.h"

#define CHECK_NUMBERS 4

typedef struct check_op {
    size_t number; /* index in the table, set by check.c */
    const splitgen_kernel *kernel;
    const char *spec; /* the op as splitgen read it */
    splitgen_dtype dtype;
    size_t align;       /* every pointer is a multiple of this, and of no larger power of two */
    int bits;           /* of a packed element; 0: elements are whole bytes */
    packed_order order; /* of packed elements */
    const char *const *names;             /* one per part; NULL: the op names none */
    size_t nnumbers;                      /* number of open numbers */
    unsigned char numbers[TEST_MAX_RANK]; /* per dimension: 0, or the position (from 1) of its open
                                             number; its length in split is then 1 */
    size_t expected[CHECK_NUMBERS];       /* the number of each for which the kernel is planned */
    test_split split; /* also for concats; element_bytes is meaningless for packed elements */
} check_op;

/* The factors of open dimensions: of the rows, and of the bytes in a row. */
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

/* The arguments of splitgen_run_dims. */
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
