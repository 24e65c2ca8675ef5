/* element_bits: the values that the bits of one element represent, for every type that takes part
 * in the arithmetic of shapes. Reads no files. */
#ifndef SG_FRONTEND_GRAPH_ELEMENT_BITS_H
#define SG_FRONTEND_GRAPH_ELEMENT_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "shapes/graph.h"
#include "split/dtype.h"

/* The bits of element i of an array, little endian. Packed elements start at the least significant
 * bit of a byte (SG_PACKING_LSB). Types of more than 64 bits return their first 64. */
uint64_t sg_element_bits(const unsigned char *bytes, sg_dtype dtype, size_t i);

/* Returns SG_GRAPH_VALUES_INTS and sets *integer, or SG_GRAPH_VALUES_FLOATS and sets *real, or
 * SG_GRAPH_VALUES_NONE if the value is neither or is a u64 beyond int64. Bits above the width of
 * the type are ignored; a bool is 0 or 1. */
sg_graph_values_kind sg_element_value(sg_dtype dtype, uint64_t bits, int64_t *integer,
                                      double *real);

/* Sets the values of a tensor from the bits of n elements. Sets nothing if one of them is beyond
 * int64, because no length or axis is. */
void sg_element_values(sg_arena *arena, sg_dtype dtype, const uint64_t *bits, int64_t n,
                       sg_graph_tensor *tensor);

/* The bits that represent a value; false if the type cannot represent it exactly. */
bool sg_element_of_integer(sg_dtype dtype, int64_t integer, uint64_t *bits) SG_CHECK;
bool sg_element_of_real(sg_dtype dtype, double real, uint64_t *bits) SG_CHECK;

/* SG_GRAPH_VALUES_INTS, _FLOATS or _TEXTS, depending on the type; _NONE for other types. */
sg_graph_values_kind sg_element_kind(sg_dtype dtype);
/* The same, but SG_GRAPH_VALUES_NONE for floats of a byte or less, because no shape is made from
 * them. */
sg_graph_values_kind sg_element_shape_kind(sg_dtype dtype);

/* Stores the bytes of n numbers, given by their bits, in a tensor. A complex element is two
 * numbers. Packed elements start at the least significant bit. Stores nothing if there are too
 * many. */
void sg_element_keep(sg_arena *arena, sg_graph_tensor *tensor, const uint64_t *bits, int64_t n);

#endif
