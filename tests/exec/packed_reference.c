/* Packed elements by their definitions: ONNX onnx/numpy_helper.py (lsb), OpenVINO
 * core/type/element_iterator.hpp (msb for u1 and formerly u2, planes for u3 and u6). */
#include "packed_reference.h"

size_t packed_bytes(int bits, packed_order order, int64_t elements)
{
    if (order == PACKED_PLANES) {
        const int64_t group = bits == 3 ? 8 : 4;
        return (size_t)((elements + group - 1) / group * 3);
    }
    return (size_t)((elements * bits + 7) / 8);
}

/* The position of bit `bit` (0 the least significant) of an element: byte and bit within it. */
static size_t place(int bits, packed_order order, int64_t element, int bit, int *within)
{
    if (order == PACKED_LSB) {
        const int64_t at = element * bits + bit;
        *within = (int)(at % 8);
        return (size_t)(at / 8);
    }
    if (order == PACKED_MSB) {
        const int64_t at = element * bits + (bits - 1 - bit);
        *within = 7 - (int)(at % 8);
        return (size_t)(at / 8);
    }
    /* Bytes 0 and 1 of a group have the low bits, the first element highest; byte 2 has the
     * rest. */
    const int group = bits == 3 ? 8 : 4;
    const int low = bits == 3 ? 2 : 4;
    const int i = (int)(element % group);
    const size_t base = (size_t)(element / group) * 3;
    if (bit < low) {
        const int from_top = i * low + (low - 1 - bit);
        *within = 7 - from_top % 8;
        return base + (size_t)(from_top / 8);
    }
    const int high = bits - low;
    const int from_top = i * high + (high - 1 - (bit - low));
    *within = 7 - from_top;
    return base + 2;
}

unsigned packed_get(int bits, packed_order order, const unsigned char *bytes, int64_t element)
{
    unsigned value = 0;
    for (int bit = 0; bit < bits; ++bit) {
        int within = 0;
        const size_t byte = place(bits, order, element, bit, &within);
        value |= (bytes[byte] >> within & 1U) << bit;
    }
    return value;
}

void packed_set(int bits, packed_order order, unsigned char *bytes, int64_t element, unsigned value)
{
    for (int bit = 0; bit < bits; ++bit) {
        int within = 0;
        const size_t byte = place(bits, order, element, bit, &within);
        const unsigned one = 1U << within;
        bytes[byte] = (unsigned char)((bytes[byte] & ~one) | (value >> bit & 1U) << within);
    }
}
