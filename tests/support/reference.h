/* The naive split every kernel is compared with: one element at a time, its index by division and
 * remainder, its output by search. Slow, obviously right, shares no code with the generator. */
#ifndef SPLITGEN_TEST_REFERENCE_H
#define SPLITGEN_TEST_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEST_MAX_RANK 8

/* A split as plain numbers, all known and legal. */
typedef struct test_split {
    int rank;
    const int64_t *dims;
    int axis; /* 0 <= axis < rank */
    size_t element_bytes;
    size_t nparts;
    const int64_t *lengths; /* nparts, their sum is dims[axis] */
    const bool *wanted;     /* nparts */
} test_split;

/* Elements of the input. */
int64_t test_split_elements(const test_split *split);

/* Elements of one part. */
int64_t test_split_part_elements(const test_split *split, size_t part);

/* Where an element of the input goes: gives the part, and in *place which element of it this is. */
size_t test_split_locate(const test_split *split, int64_t element, int64_t *place);

/* Writes every wanted part; parts holds one pointer per part, unwanted ones are not looked at. */
void test_split_reference(const test_split *split, const unsigned char *input,
                          unsigned char *const parts[]);

#endif
