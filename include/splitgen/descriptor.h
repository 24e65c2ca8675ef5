/* Descriptors of kernels, for generated code: macros that expand a list of parts into the arrays of
 * splitgen.h. */
#ifndef SPLITGEN_DESCRIPTOR_H
#define SPLITGEN_DESCRIPTOR_H

#include <splitgen/rows.h>
#include <splitgen/splitgen.h>

/* A tensor: its name, element type, rank, dims, bytes and row stride in elements. */
#define SPLITGEN_TENSOR(name, type, rank, dims, bytes, row_stride)                                 \
    {                                                                                              \
        name, SPLITGEN_##type, rank, dims, bytes, row_stride                                       \
    }

/* A part: a tensor and its view. The view has a kind, a byte offset in the full tensor, strides,
 * and whether the part is only a view and not copied. The first macro expands to the tensor, the
 * second to the view. */
#define SPLITGEN_PART_TENSOR(name, type, rank, dims, bytes, row_stride, view, at, strides, only)   \
    {name, SPLITGEN_##type, rank, dims, bytes, row_stride},
#define SPLITGEN_PART_VIEW(name, type, rank, dims, bytes, row_stride, view, at, strides, only)     \
    {SPLITGEN_VIEW_##view, at, strides, only},

#define SPLITGEN_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* The arrays of parts, expanded from the list NAME_PARTS. */
#define SPLITGEN_PARTS(name)                                                                       \
    static const splitgen_tensor name##_tensors[] = {name##_PARTS(SPLITGEN_PART_TENSOR)};          \
    static const splitgen_view name##_views[] = {name##_PARTS(SPLITGEN_PART_VIEW)};

/* A descriptor, with the members of splitgen_kernel in their order, except that the full tensor
 * comes last. */
#define SPLITGEN_KERNEL(name, joins, tensors, views, split, join, split_rows, join_rows, rows,     \
                        align, axis, piece, origin, open, ...)                                     \
    {                                                                                              \
        name, joins, __VA_ARGS__, SPLITGEN_COUNT_OF(tensors), tensors, split, join, split_rows,    \
            join_rows, rows, align, axis, SPLITGEN_ABI, views, piece, origin, open                 \
    }

/* The descriptors of kernels that split and that join: `all` copies all rows, `some` rows [first,
 * last), `piece` a piece of a row. Each may be NULL, as splitgen_kernel documents. */
#define SPLITGEN_SPLIT_KERNEL(name, whole, tensors, views, all, some, rows, align, axis, piece,    \
                              origin, open)                                                        \
    SPLITGEN_KERNEL(name, false, tensors, views, all, NULL, some, NULL, rows, align, axis, piece,  \
                    origin, open, whole)
#define SPLITGEN_JOIN_KERNEL(name, whole, tensors, views, all, some, rows, align, axis, piece,     \
                             origin, open)                                                         \
    SPLITGEN_KERNEL(name, true, tensors, views, NULL, all, NULL, some, rows, align, axis, piece,   \
                    origin, open, whole)

/* The open dimensions: the name, dimension and expected value of the first number; the functions
 * for rows, or for rows whose sizes are multiplied by a number. */
#define SPLITGEN_OPEN(name, number, dim, expected, split_rows, join_rows, split_scaled,            \
                      join_scaled)                                                                 \
    static const splitgen_free name##_free = {number,         dim,                                 \
                                              expected,       split_rows,                          \
                                              join_rows,      SPLITGEN_COUNT_OF(name##_numbers),   \
                                              name##_numbers, name##_powers[0],                    \
                                              split_scaled,   join_scaled};

/* NAME_run() and NAME_rows() of a descriptor, for all rows and for rows [first, last). `move` is
 * the function for any rows of the kernel, and takes the same array of parts. */
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

/* All of the above, for a kernel without pieces and without a model whose helpers have its own
 * name: its parts are NAME_PARTS, and `move` takes their array. The full tensor comes last. */
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

/* The same with open dimensions, whose numbers are in NAME_numbers and NAME_powers; `move` also
 * takes the number of all rows. */
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
