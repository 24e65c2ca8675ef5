/* element_bits: what the bits of one element mean, for every type that takes part in the
 * arithmetic of shapes. Reads no files. */
#ifndef SG_FRONTEND_GRAPH_ELEMENT_BITS_H
#define SG_FRONTEND_GRAPH_ELEMENT_BITS_H

#include <stddef.h>
#include <stdint.h>

#include "shapes/graph.h"
#include "split/dtype.h"

/* The bits of element i of a row of whole bytes, little endian, packed ones from the least
 * significant bit up (SG_PACKING_LSB); types of more than 64 bits give their first 64. */
uint64_t sg_element_bits(const unsigned char *bytes, sg_dtype dtype, size_t i);

/* SG_GRAPH_VALUES_INTS with *integer set, SG_GRAPH_VALUES_FLOATS with *real set, or
 * SG_GRAPH_VALUES_NONE for what is neither, and for a u64 beyond int64. Bits above the type's own
 * are ignored; bool is 0 and 1. */
sg_graph_values_kind sg_element_value(sg_dtype dtype, uint64_t bits, int64_t *integer,
                                      double *real);

/* Gives a tensor the values of n elements, unless one of them is beyond int64: no length and no
 * axis is. */
void sg_element_values(sg_arena *arena, sg_dtype dtype, const uint64_t *bits, int64_t n,
                       sg_graph_tensor *tensor);

/* The bits of a value; false: the type does not hold exactly that. */
bool sg_element_of_integer(sg_dtype dtype, int64_t integer, uint64_t *bits) SG_CHECK;
bool sg_element_of_real(sg_dtype dtype, double real, uint64_t *bits) SG_CHECK;

/* Which of the two all values of a type are; SG_GRAPH_VALUES_TEXTS for strings. */
sg_graph_values_kind sg_element_kind(sg_dtype dtype);
/* The same, but of floats of a byte or less none: no shape comes from them. */
sg_graph_values_kind sg_element_shape_kind(sg_dtype dtype);

/* Gives a tensor the bytes of n numbers, two for each complex element, of which these are the bits,
 * packed ones from the least significant bit up, unless they are too many. */
void sg_element_keep(sg_arena *arena, sg_graph_tensor *tensor, const uint64_t *bits, int64_t n);

#endif
