/* The map of a split or a concat that every kernel is compared with: one element at a time, its
 * index by division and remainder, its part by search. Slow, simple, shares no code with the
 * generator. */
#ifndef SPLITGEN_TEST_REFERENCE_H
#define SPLITGEN_TEST_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST_MAX_RANK 8

/* A split as plain numbers, all known and legal; or a concat, which is the same in reverse. */
typedef struct test_split {
    int rank;
    const int64_t *dims; /* of the full tensor */
    int axis;            /* 0 <= axis < rank */
    size_t element_bytes;
    size_t nparts;
    const int64_t *lengths; /* nparts, their sum is dims[axis] */
    const bool *wanted;     /* nparts */
    bool joins;             /* the parts are read and the full tensor is written */
    int64_t stride; /* row stride of the full tensor in elements, a row being everything from the
                       axis on; 0: no padding */
    const int64_t *strides; /* the same for each part; NULL: none has padding */
} test_split;

/* Denotes the full tensor instead of a part. */
#define TEST_WHOLE SIZE_MAX

/* Number of elements of a tensor. */
int64_t test_split_elements(const test_split *split, size_t part);

/* Elements of one row, the row stride, and the elements from the first to the last with padding;
 * 0 if there are none. */
int64_t test_split_row(const test_split *split, size_t part);
int64_t test_split_stride(const test_split *split, size_t part);
int64_t test_split_span(const test_split *split, size_t part);

/* Number of rows, the same for the full tensor and for every part. */
int64_t test_split_rows(const test_split *split);

/* The position of element number `element` in a tensor. */
int64_t test_split_place(const test_split *split, size_t part, int64_t element);

/* The part of an element of the full tensor, and its number there. */
size_t test_split_locate(const test_split *split, int64_t element, int64_t *number);

#endif
