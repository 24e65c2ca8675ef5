/* What the buffers of an op hold before a call and after it: by the definition of the op, element
 * by element, whichever way it moves them. Needs no C library but memcpy and memset. */
#ifndef SPLITGEN_TEST_CHECK_TENSORS_H
#define SPLITGEN_TEST_CHECK_TENSORS_H

#include "check.h"

/* Tensors by number: 0 is the whole, 1 the first part. Those of unwanted parts do not exist. */
static inline bool check_exists(const check_op *op, size_t tensor)
{
    return tensor == 0 || op->split.wanted[tensor - 1];
}

/* What the functions of reference.h call it. */
static inline size_t check_part(size_t tensor)
{
    return tensor == 0 ? TEST_WHOLE : tensor - 1;
}

/* Whether kernels only read it. */
static inline bool check_is_read(const check_op *op, size_t tensor)
{
    return (tensor == 0) != op->split.joins;
}

/* Bytes of a tensor of so many elements without gaps. */
size_t check_bytes_of(const check_op *op, int64_t elements);

/* From its first byte to its last, gaps between rows included. */
size_t check_bytes(const check_op *op, size_t tensor);

/* Whether some rows are written as lying apart. */
bool check_has_strides(const check_op *op);

/* Passes in which every element differs from every other one in some, and every byte between rows
 * from itself. */
int check_passes(const check_op *op);

/* Fills before[t] and after[t], of check_bytes() each, for every tensor t that exists. Of what is
 * read both are alike. Of what is written, each bit that the kernel has to write is wrong before;
 * all others are some pattern, which stays. Bits behind the last element become zero where their
 * byte is written at all. */
void check_fill(const check_op *op, int pass, unsigned char *const before[],
                unsigned char *const after[]);

#endif
