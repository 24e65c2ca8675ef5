/* Small splits as resolve would make them, for the tests of all later stages. A test gives the
 * shape and the lengths; the rest follows. Everything lies in the arena. */
#ifndef SPLITGEN_TEST_MAKE_SPLIT_H
#define SPLITGEN_TEST_MAKE_SPLIT_H

#include "split/resolve.h"

#define DIMS(...)    ((const int64_t[]){__VA_ARGS__})
#define LENGTHS(...) ((const int64_t[]){__VA_ARGS__, -1})

/* Splits "k" of "data" into "out0", "out1", ...; no packed elements. Lengths end with -1, and
 * -2 - n means n, unwanted. */
sg_split *make_split(sg_arena *arena, sg_dtype dtype, const int64_t *dims, int rank, int axis,
                     const int64_t *lengths);

/* The same for a matrix that is split by columns; the lengths give its width. */
sg_split *make_matrix_split(sg_arena *arena, sg_dtype dtype, int64_t rows, const int64_t *lengths);

/* Multiplies a dimension, which is 1, by a power of the open number "n". */
void open_split(sg_arena *arena, sg_split *split, int dim, int64_t expected);

/* Adds a last dimension that is an open number, "t". */
void scale_split(sg_arena *arena, sg_split *split);

#endif
