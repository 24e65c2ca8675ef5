/* The contents of an op's buffers before and after a call, by the definition of the op, element
 * by element, in either direction. Needs no C library except memcpy and memset. */
#ifndef SPLITGEN_TEST_CHECK_TENSORS_H
#define SPLITGEN_TEST_CHECK_TENSORS_H

#include "check.h"

/* Tensors by number: 0 is the full tensor, 1 the first part. Those of unwanted parts do not
 * exist. */
static inline bool check_exists(const check_op *op, size_t tensor)
{
    return tensor == 0 || op->split.wanted[tensor - 1];
}

/* The number of the tensor in reference.h. */
static inline size_t check_part(size_t tensor)
{
    return tensor == 0 ? TEST_WHOLE : tensor - 1;
}

/* Whether kernels only read it. */
static inline bool check_is_read(const check_op *op, size_t tensor)
{
    return (tensor == 0) != op->split.joins;
}

/* Bytes of a tensor of `elements` elements without padding. */
size_t check_bytes_of(const check_op *op, int64_t elements);

/* From its first byte to its last, padding between rows included. */
size_t check_bytes(const check_op *op, size_t tensor);

/* Whether some tensor is written with a row stride. */
bool check_has_strides(const check_op *op);

/* The number of passes. Any two elements differ in some pass, and padding between rows holds
 * different bytes in different passes. */
int check_passes(const check_op *op);

/* Fills before[t] and after[t], of check_bytes() each, for every tensor t that exists. For
 * inputs both are the same. For outputs, each bit that the kernel has to write is wrong before;
 * all others hold some pattern, which stays. Bits after the last element become zero in bytes
 * that are written. */
void check_fill(const check_op *op, int pass, unsigned char *const before[],
                unsigned char *const after[]);

#endif
