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

/* The arrays of parts, of the list NAME_PARTS. */
#define SPLITGEN_PARTS(name)                                                                       \
    static const splitgen_tensor name##_tensors[] = {name##_PARTS(SPLITGEN_PART_TENSOR)};          \
    static const splitgen_view name##_views[] = {name##_PARTS(SPLITGEN_PART_VIEW)};

/* A descriptor, with the members of splitgen_kernel in their order; but last comes the whole. */
#define SPLITGEN_KERNEL(name, joins, tensors, views, split, join, split_rows, join_rows, rows,     \
                        align, axis, piece, origin, open, ...)                                     \
    {                                                                                              \
        name, joins, __VA_ARGS__, SPLITGEN_COUNT_OF(tensors), tensors, split, join, split_rows,    \
            join_rows, rows, align, axis, SPLITGEN_ABI, views, piece, origin, open                 \
    }

/* The descriptor of a kernel that splits, and of one that joins: `all` moves all rows, `some` rows
 * [first, last), `piece` a piece of a row; each may be NULL, as splitgen_kernel says. */
#define SPLITGEN_SPLIT_KERNEL(name, whole, tensors, views, all, some, rows, align, axis, piece,    \
                              origin, open)                                                        \
    SPLITGEN_KERNEL(name, false, tensors, views, all, NULL, some, NULL, rows, align, axis, piece,  \
                    origin, open, whole)
#define SPLITGEN_JOIN_KERNEL(name, whole, tensors, views, all, some, rows, align, axis, piece,     \
                             origin, open)                                                         \
    SPLITGEN_KERNEL(name, true, tensors, views, NULL, all, NULL, some, rows, align, axis, piece,   \
                    origin, open, whole)

/* What is open: the first number's name, dimension and expected value; the functions for rows, or
 * for rows whose sizes are times a number. */
#define SPLITGEN_OPEN(name, number, dim, expected, split_rows, join_rows, split_scaled,            \
                      join_scaled)                                                                 \
    static const splitgen_free name##_free = {number,         dim,                                 \
                                              expected,       split_rows,                          \
                                              join_rows,      SPLITGEN_COUNT_OF(name##_numbers),   \
                                              name##_numbers, name##_powers[0],                    \
                                              split_scaled,   join_scaled};

/* NAME_run() and NAME_rows() of a descriptor, which move all rows and rows [first, last), where the
 * array of parts is the one that `move` takes, the function for any rows of the kernel. */
#define SPLITGEN_SPLIT_FUNCTIONS(name, move, all)                                                  \
    static void name##_run(const void *whole, void *const parts[])                                 \
    {                                                                                              \
        move(&whole, parts, 0, all);                                                               \
    }                                                                                              \
    static void name##_rows(const void *whole, void *const parts[], size_t first, size_t last)     \
    {                                                                                              \
        move(&whole, parts, first, last);                                                          \
    }
#define SPLITGEN_JOIN_FUNCTIONS(name, move, all)                                                   \
    static void name##_run(const void *const parts[], void *whole)                                 \
    {                                                                                              \
        move(parts, &whole, 0, all);                                                               \
    }                                                                                              \
    static void name##_rows(const void *const parts[], void *whole, size_t first, size_t last)     \
    {                                                                                              \
        move(parts, &whole, first, last);                                                          \
    }

/* All of this, of a kernel that has its own name, no pieces and no model: its parts are those of
 * NAME_PARTS, `move` takes their array. Last comes the whole. */
#define SPLITGEN_SPLIT(name, move, rows, align, axis, ...)                                         \
    SPLITGEN_PARTS(name)                                                                           \
    SPLITGEN_SPLIT_FUNCTIONS(name, move, rows)                                                     \
    const splitgen_kernel name##_kernel =                                                          \
        SPLITGEN_KERNEL(#name, false, name##_tensors, name##_views, name##_run, NULL, name##_rows, \
                        NULL, rows, align, axis, NULL, NULL, NULL, __VA_ARGS__);
#define SPLITGEN_JOIN(name, move, rows, align, axis, ...)                                          \
    SPLITGEN_PARTS(name)                                                                           \
    SPLITGEN_JOIN_FUNCTIONS(name, move, rows)                                                      \
    const splitgen_kernel name##_kernel =                                                          \
        SPLITGEN_KERNEL(#name, true, name##_tensors, name##_views, NULL, name##_run, NULL,         \
                        name##_rows, rows, align, axis, NULL, NULL, NULL, __VA_ARGS__);

/* The same where dimensions are open, by the numbers in NAME_numbers and NAME_powers; `move` is
 * told how many rows there are. */
#define SPLITGEN_OPEN_SPLIT(name, move, number, dim, expected, rows, align, axis, ...)             \
    SPLITGEN_PARTS(name)                                                                           \
    static void name##_rows(const void *whole, void *const parts[], size_t first, size_t last,     \
                            size_t all)                                                            \
    {                                                                                              \
        move(&whole, parts, first, last, all);                                                     \
    }                                                                                              \
    SPLITGEN_OPEN(name, number, dim, expected, name##_rows, NULL, NULL, NULL)                      \
    const splitgen_kernel name##_kernel =                                                          \
        SPLITGEN_KERNEL(#name, false, name##_tensors, name##_views, NULL, NULL, NULL, NULL, rows,  \
                        align, axis, NULL, NULL, &name##_free, __VA_ARGS__);
#define SPLITGEN_OPEN_JOIN(name, move, number, dim, expected, rows, align, axis, ...)              \
    SPLITGEN_PARTS(name)                                                                           \
    static void name##_rows(const void *const parts[], void *whole, size_t first, size_t last,     \
                            size_t all)                                                            \
    {                                                                                              \
        move(parts, &whole, first, last, all);                                                     \
    }                                                                                              \
    SPLITGEN_OPEN(name, number, dim, expected, NULL, name##_rows, NULL, NULL)                      \
    const splitgen_kernel name##_kernel =                                                          \
        SPLITGEN_KERNEL(#name, true, name##_tensors, name##_views, NULL, NULL, NULL, NULL, rows,   \
                        align, axis, NULL, NULL, &name##_free, __VA_ARGS__);

#endif
