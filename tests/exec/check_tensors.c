/* The naive map of an op, in either direction, over buffers with padding. */
#include "check_tensors.h"

#include "prng.h"

#if __STDC_HOSTED__
#include <string.h>
#else
/* without the C library; memcpy comes from the runtime */
void *memset(void *dst, int value, size_t bytes);
#endif

size_t check_bytes_of(const check_op *op, int64_t elements)
{
    return op->bits > 0 ? packed_bytes(op->bits, op->order, elements)
                        : (size_t)elements * op->split.element_bytes;
}

size_t check_bytes(const check_op *op, size_t tensor)
{
    return check_bytes_of(op, test_split_span(&op->split, check_part(tensor)));
}

bool check_has_strides(const check_op *op)
{
    bool any = op->split.stride > 0;
    for (size_t part = 0; op->split.strides != NULL && part < op->split.nparts; ++part) {
        any = any || op->split.strides[part] > 0;
    }
    return any;
}

/* Number of passes for numbering the elements if their type is too small for a number. */
static int numbering_passes(const check_op *op)
{
    const size_t bits = 8 * op->split.element_bytes;
    uint64_t elements = (uint64_t)test_split_elements(&op->split, TEST_WHOLE);
    int passes = 1;
    while (bits < 32 && elements > UINT64_C(1) << bits) {
        elements >>= bits;
        ++passes;
    }
    return passes;
}

int check_passes(const check_op *op)
{
    const int numbering = numbering_passes(op);
    if (test_split_elements(&op->split, TEST_WHOLE) == 0) {
        return 1;
    }
    if (op->bits > 0) {
        return 3; /* of hashed bits */
    }
    return numbering == 1 && check_has_strides(op) ? 2 : numbering;
}

/* A number for each element, one digit per pass. */
static void put_number(size_t element_bytes, int digit, int pass, unsigned char *to,
                       uint64_t element)
{
    for (size_t at = 0; at < element_bytes; at += 8) {
        const size_t count = element_bytes - at < 8 ? element_bytes - at : 8;
        uint64_t value = 0;
        if (count < 8) {
            /* odd multipliers are bijections modulo every power of two */
            value = (element >> (8 * count * (unsigned)digit)) * UINT64_C(0x9e3779b1) + 0x5d;
            value += (uint64_t)pass * 0x35;
            for (size_t i = 0; i < count; ++i) {
                to[at + i] = (unsigned char)(value >> 8 * i & 0xff);
            }
        } else {
            value = test_prng_mix(2 * element + at / 8 + 1 + ((uint64_t)pass << 48));
            memcpy(to + at, &value, count);
        }
    }
}

/* Eight bytes of each hash. */
static void fill_hashed(size_t tensor, int pass, unsigned char *bytes, size_t count)
{
    const uint64_t start = ((uint64_t)tensor << 40) + (uint64_t)pass + 1;
    for (size_t at = 0; at < count; at += 8) {
        const uint64_t hash = test_prng_mix(start + 8 * (uint64_t)at);
        for (size_t i = 0; i < 8 && at + i < count; ++i) {
            bytes[at + i] = (unsigned char)(hash >> 8 * i & 0xff);
        }
    }
}

static void move_elements(const check_op *op, unsigned char *to, int64_t to_place,
                          const unsigned char *from, int64_t from_place, int64_t count)
{
    const size_t bytes = op->split.element_bytes;
    if (op->bits == 0) {
        memcpy(to + (size_t)to_place * bytes, from + (size_t)from_place * bytes,
               (size_t)count * bytes);
        return;
    }
    for (int64_t i = 0; i < count; ++i) {
        packed_set(op->bits, op->order, to, to_place + i,
                   packed_get(op->bits, op->order, from, from_place + i));
    }
}

/* Sets the bits of elements in a mask. */
static void mark_elements(const check_op *op, unsigned char *mask, int64_t place, int64_t count)
{
    const size_t bytes = op->split.element_bytes;
    if (op->bits == 0) {
        memset(mask + (size_t)place * bytes, 0xff, (size_t)count * bytes);
        return;
    }
    for (int64_t i = 0; i < count; ++i) {
        packed_set(op->bits, op->order, mask, place + i, ~0U);
    }
}

/* Clears the bits after the last row in its last byte, those of padding included. */
static void end_last_byte(const check_op *op, size_t tensor, unsigned char *after,
                          unsigned char *mask)
{
    const size_t part = check_part(tensor);
    const size_t bytes = check_bytes(op, tensor);
    const int64_t end = test_split_rows(&op->split) * test_split_stride(&op->split, part);
    if (op->bits == 0 || op->order == PACKED_PLANES || bytes == 0 || mask[bytes - 1] == 0) {
        return;
    }
    for (int64_t bit = end * op->bits; bit < 8 * (int64_t)bytes; ++bit) {
        const int within = (int)(op->order == PACKED_LSB ? bit % 8 : 7 - bit % 8);
        after[bytes - 1] = (unsigned char)(after[bytes - 1] & ~(1U << within));
        mask[bytes - 1] = (unsigned char)(mask[bytes - 1] | 1U << within);
    }
}

static void fill_patterns(const check_op *op, int pass, unsigned char *const before[],
                          unsigned char *const after[])
{
    for (size_t tensor = 0; tensor <= op->split.nparts; ++tensor) {
        if (check_exists(op, tensor)) {
            fill_hashed(tensor, pass, after[tensor], check_bytes(op, tensor));
            memset(before[tensor], 0, check_bytes(op, tensor));
        }
    }
}

void check_fill(const check_op *op, int pass, unsigned char *const before[],
                unsigned char *const after[])
{
    const test_split *split = &op->split;
    const int64_t elements = test_split_elements(split, TEST_WHOLE);
    const int digit = pass < numbering_passes(op) ? pass : 0;
    fill_patterns(op, pass, before, after);
    for (int64_t element = 0, count = 0; element < elements; element += count) {
        int64_t number = 0;
        const size_t part = test_split_locate(split, element, &number);
        const size_t from = split->joins ? part + 1 : 0;
        const size_t to = split->joins ? 0 : part + 1;
        const int64_t in_whole = test_split_place(split, TEST_WHOLE, element);
        const int64_t in_part = test_split_place(split, part, number);
        const int64_t from_place = split->joins ? in_part : in_whole;
        const int64_t to_place = split->joins ? in_whole : in_part;
        /* the rest of this row of the part is contiguous in both */
        count = test_split_row(split, part) - number % test_split_row(split, part);
        for (int64_t i = 0; op->bits == 0 && check_exists(op, from) && i < count; ++i) {
            put_number(split->element_bytes, digit, pass,
                       after[from] + (size_t)(from_place + i) * split->element_bytes,
                       (uint64_t)(element + i));
        }
        if (split->wanted[part]) {
            move_elements(op, after[to], to_place, after[from], from_place, count);
            mark_elements(op, before[to], to_place, count); /* before[] is still a mask here */
        }
    }
    for (size_t tensor = 0; tensor <= split->nparts; ++tensor) {
        if (check_exists(op, tensor)) {
            if (!check_is_read(op, tensor)) {
                end_last_byte(op, tensor, after[tensor], before[tensor]);
            }
            const size_t bytes = check_bytes(op, tensor);
            for (size_t at = 0; at < bytes; ++at) {
                before[tensor][at] ^= after[tensor][at];
            }
        }
    }
}
