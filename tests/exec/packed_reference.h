/* Reads and writes packed elements one bit at a time. Slow, simple, shares no code with the
 * generator. */
#ifndef SPLITGEN_TEST_PACKED_REFERENCE_H
#define SPLITGEN_TEST_PACKED_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* The layout of elements in bytes; the values are those that gen_ops writes. */
typedef enum packed_order {
    PACKED_NONE,
    PACKED_LSB,   /* element 0 in the least significant bits of byte 0 */
    PACKED_MSB,   /* element 0 in the most significant bits of byte 0 */
    PACKED_PLANES /* u3 and u6 in groups of 3 bytes */
} packed_order;

/* Bytes of `elements` elements. */
size_t packed_bytes(int bits, packed_order order, int64_t elements);

unsigned packed_get(int bits, packed_order order, const unsigned char *bytes, int64_t element);
void packed_set(int bits, packed_order order, unsigned char *bytes, int64_t element,
                unsigned value);

#endif
