/* The map of a split or a concat that every kernel is compared with: one element at a time, its
 * index by division and remainder, its part by search. Slow, obviously right, shares no code with
 * the generator. */
#ifndef SPLITGEN_TEST_REFERENCE_H
#define SPLITGEN_TEST_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST_MAX_RANK 8

/* A split as plain numbers, all known and legal; or a concat, which is the same read backwards. */
typedef struct test_split {
    int rank;
    const int64_t *dims; /* of the whole */
    int axis;            /* 0 <= axis < rank */
    size_t element_bytes;
    size_t nparts;
    const int64_t *lengths; /* nparts, their sum is dims[axis] */
    const bool *wanted;     /* nparts */
    bool joins;             /* the parts are read and the whole is written */
    int64_t stride;         /* of the whole, elements from one row to the next, a row being all from
                               the axis on; 0: its rows lie dense */
    const int64_t *strides; /* the same of each part; NULL: all lie dense */
} test_split;

/* In place of a part: the whole. */
#define TEST_WHOLE SIZE_MAX

/* Elements of a tensor. */
int64_t test_split_elements(const test_split *split, size_t part);

/* Elements of one row of it, elements from one row to the next, and from its first element to its
 * last with all that lies between; 0 where there is no element. */
int64_t test_split_row(const test_split *split, size_t part);
int64_t test_split_stride(const test_split *split, size_t part);
int64_t test_split_span(const test_split *split, size_t part);

/* Rows, of the whole and of every part. */
int64_t test_split_rows(const test_split *split);

/* Where element number `element` of a tensor lies in it. */
int64_t test_split_place(const test_split *split, size_t part, int64_t element);

/* Which element of which part an element of the whole is: gives the part, and its number there. */
size_t test_split_locate(const test_split *split, int64_t element, int64_t *number);

#endif
