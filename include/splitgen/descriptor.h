/* Descriptors of kernels, for generated code: a list of parts becomes the arrays of splitgen.h. */
#ifndef SPLITGEN_DESCRIPTOR_H
#define SPLITGEN_DESCRIPTOR_H

#include <splitgen/splitgen.h>

/* In front of what a file of kernels defines for other files. */
#ifdef __cplusplus
#define SPLITGEN_EXTERN extern "C"
#else
#define SPLITGEN_EXTERN extern
#endif

/* A tensor: its name, element type, rank, dims, bytes, and the elements from one row to the next.
 */
#define SPLITGEN_TENSOR(name, type, rank, dims, bytes, row_stride)                                 \
    {                                                                                              \
        name, SPLITGEN_##type, rank, dims, bytes, row_stride                                       \
    }

/* A part: the same, then its view: the kind, the byte of the whole that it begins at, its strides,
 * and whether it is only a view, so that nobody copies it. The first macro makes the tensor of it,
 * the second the view. */
#define SPLITGEN_PART_TENSOR(name, type, rank, dims, bytes, row_stride, view, at, strides, only)   \
    {name, SPLITGEN_##type, rank, dims, bytes, row_stride},
#define SPLITGEN_PART_VIEW(name, type, rank, dims, bytes, row_stride, view, at, strides, only)     \
    {SPLITGEN_VIEW_##view, at, strides, only},

#define SPLITGEN_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The descriptor of a kernel that splits, and of one that joins: `all` moves all rows, `some` rows
 * [first, last), `piece` a piece of a row; each may be NULL, as splitgen_kernel says. */
#define SPLITGEN_SPLIT_KERNEL(name, whole, tensors, views, all, some, rows, align, axis, piece,    \
                              origin, open)                                                        \
    {                                                                                              \
        name, false, whole, SPLITGEN_COUNT_OF(tensors), tensors, all, NULL, some, NULL, rows,      \
            align, axis, SPLITGEN_ABI, views, piece, origin, open                                  \
    }
#define SPLITGEN_JOIN_KERNEL(name, whole, tensors, views, all, some, rows, align, axis, piece,     \
                             origin, open)                                                         \
    {                                                                                              \
        name, true, whole, SPLITGEN_COUNT_OF(tensors), tensors, NULL, all, NULL, some, rows,       \
            align, axis, SPLITGEN_ABI, views, piece, origin, open                                  \
    }

#endif
