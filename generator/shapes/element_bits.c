/* Converts the bits of elements to and from integers and doubles, the same on hosts of either byte
 * order. */
#include "shapes/element_bits.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Which patterns a format reserves for infinities and NaN. */
typedef enum specials {
    IEEE,   /* the highest exponent means infinity or NaN */
    FN,     /* all ones is NaN; no infinities */
    FNUZ,   /* the pattern of negative zero is NaN; no infinities */
    NOTHING /* every pattern is a number */
} specials;

typedef struct float_format {
    sg_dtype dtype;
    unsigned exponent; /* bits */
    unsigned fraction;
    int bias;
    specials specials;
} float_format;

/* IEEE 754; bfloat16; the 8-bit formats of onnx/docs: "Float stored in 8 bits"; OCP MX 1.0. */
static const float_format formats[] = {
    {SG_DTYPE_F32, 8, 23, 127, IEEE},      {SG_DTYPE_F16, 5, 10, 15, IEEE},
    {SG_DTYPE_BF16, 8, 7, 127, IEEE},      {SG_DTYPE_F8E4M3, 4, 3, 7, FN},
    {SG_DTYPE_F8E4M3FNUZ, 4, 3, 8, FNUZ},  {SG_DTYPE_F8E5M2, 5, 2, 15, IEEE},
    {SG_DTYPE_F8E5M2FNUZ, 5, 2, 16, FNUZ}, {SG_DTYPE_F4E2M1, 2, 1, 1, NOTHING},
    {SG_DTYPE_F6E2M3, 2, 3, 1, NOTHING},   {SG_DTYPE_F6E3M2, 3, 2, 3, NOTHING},
};

uint64_t sg_element_bits(const unsigned char *bytes, sg_dtype dtype, size_t i)
{
    size_t width = (size_t)sg_dtype_get(dtype)->bits;
    if (width < 8) {
        size_t at = i * width;
        uint64_t bits = bytes[at / 8];
        if (at % 8 + width > 8) {
            bits |= (uint64_t)bytes[at / 8 + 1] << 8;
        }
        return bits >> (at % 8) & ((UINT64_C(1) << width) - 1);
    }
    uint64_t bits = 0;
    for (size_t k = 0; k < width / 8 && k < 8; k++) {
        bits |= (uint64_t)bytes[i * (width / 8) + k] << (8 * k);
    }
    return bits;
}

/* 2^n, if it is a normal double. */
static double power_of_two(int n)
{
    uint64_t bits = (uint64_t)(n + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double decode_float(const float_format *f, uint64_t bits)
{
    uint64_t sign = UINT64_C(1) << (f->exponent + f->fraction);
    uint64_t fraction_max = (UINT64_C(1) << f->fraction) - 1;
    uint64_t exponent_max = (UINT64_C(1) << f->exponent) - 1;
    uint64_t fraction = bits & fraction_max;
    uint64_t exponent = bits >> f->fraction & exponent_max;
    bool negative = (bits & sign) != 0;
    if (f->specials == IEEE && exponent == exponent_max) {
        return fraction != 0 ? (double)NAN : (double)(negative ? -INFINITY : INFINITY);
    }
    if ((f->specials == FN && exponent == exponent_max && fraction == fraction_max) ||
        (f->specials == FNUZ && negative && exponent == 0 && fraction == 0)) {
        return (double)NAN;
    }
    if (exponent != 0) {
        fraction |= UINT64_C(1) << f->fraction;
    } else {
        exponent = 1;
    }
    double value = (double)fraction * power_of_two((int)exponent - f->bias - (int)f->fraction);
    return negative ? -value : value;
}

/* The names of integer types are i or u and a number of bits; no other name begins with i or u. */
static bool is_signed(sg_dtype dtype)
{
    return sg_dtype_get(dtype)->name[0] == 'i';
}

sg_graph_values_kind sg_element_kind(sg_dtype dtype)
{
    if (is_signed(dtype) || sg_dtype_get(dtype)->name[0] == 'u' || dtype == SG_DTYPE_BOOL) {
        return SG_GRAPH_VALUES_INTS;
    }
    if (dtype == SG_DTYPE_F64 || dtype == SG_DTYPE_F8E8M0) {
        return SG_GRAPH_VALUES_FLOATS;
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].dtype == dtype) {
            return SG_GRAPH_VALUES_FLOATS;
        }
    }
    return dtype == SG_DTYPE_STRING ? SG_GRAPH_VALUES_TEXTS : SG_GRAPH_VALUES_NONE;
}

sg_graph_values_kind sg_element_shape_kind(sg_dtype dtype)
{
    const sg_graph_values_kind kind = sg_element_kind(dtype);
    const bool is_small = kind == SG_GRAPH_VALUES_FLOATS && sg_dtype_get(dtype)->bits <= 8;
    return is_small ? SG_GRAPH_VALUES_NONE : kind;
}

static sg_graph_values_kind decode_integer(sg_dtype dtype, uint64_t bits, int64_t *integer)
{
    unsigned width = (unsigned)sg_dtype_get(dtype)->bits;
    const uint64_t all = UINT64_MAX >> (64 - width);
    bits &= all;
    if (dtype == SG_DTYPE_BOOL) {
        bits = bits != 0;
    } else if (dtype == SG_DTYPE_U64 && bits > INT64_MAX) {
        return SG_GRAPH_VALUES_NONE;
    } else if (is_signed(dtype) && bits >> (width - 1) != 0) {
        bits |= ~all;
    }
    memcpy(integer, &bits, sizeof bits);
    return SG_GRAPH_VALUES_INTS;
}

sg_graph_values_kind sg_element_value(sg_dtype dtype, uint64_t bits, int64_t *integer, double *real)
{
    sg_graph_values_kind kind = sg_element_kind(dtype);
    if (kind == SG_GRAPH_VALUES_INTS) {
        return decode_integer(dtype, bits, integer);
    }
    if (kind != SG_GRAPH_VALUES_FLOATS) {
        return SG_GRAPH_VALUES_NONE;
    }
    if (dtype == SG_DTYPE_F64) {
        memcpy(real, &bits, sizeof bits);
    } else if (dtype == SG_DTYPE_F8E8M0) {
        bits &= 0xFF;
        *real = bits == 0xFF ? (double)NAN : power_of_two((int)bits - 127);
    }
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (formats[i].dtype == dtype) {
            *real = decode_float(&formats[i], bits);
        }
    }
    return SG_GRAPH_VALUES_FLOATS;
}

bool sg_element_of_integer(sg_dtype dtype, int64_t integer, uint64_t *bits)
{
    int64_t held;
    memcpy(bits, &integer, sizeof integer);
    if (sg_element_kind(dtype) != SG_GRAPH_VALUES_INTS) {
        return sg_element_of_real(dtype, (double)integer, bits);
    }
    return decode_integer(dtype, *bits, &held) == SG_GRAPH_VALUES_INTS && held == integer;
}

/* Finds the bits by binary search: larger bits are larger numbers, apart from the sign and from
 * NaNs, which come last. */
bool sg_element_of_real(sg_dtype dtype, double real, uint64_t *bits)
{
    const unsigned width = (unsigned)sg_dtype_get(dtype)->bits;
    const bool is_f64 = dtype == SG_DTYPE_F64;
    if (sg_element_kind(dtype) != SG_GRAPH_VALUES_FLOATS || is_f64) {
        memcpy(bits, &real, sizeof real);
        return is_f64;
    }
    const uint64_t sign = dtype == SG_DTYPE_F8E8M0 ? 0 : UINT64_C(1) << (width - 1);
    int64_t unused;
    double held;
    uint64_t low = 0;
    uint64_t high = sign != 0 ? sign - 1 : UINT8_MAX;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        (void)sg_element_value(dtype, middle, &unused, &held);
        if (held < fabs(real) || (isnan(real) && !isnan(held))) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    /* Of several NaN patterns of single precision, the first is a signalling one; use the quiet
     * one. */
    *bits = dtype == SG_DTYPE_F32 && isnan(real) ? UINT64_C(0x7FC00000) : low;
    *bits |= signbit(real) ? sign : 0;
    (void)sg_element_value(dtype, *bits, &unused, &held);
    return isnan(real) ? isnan(held) : held == real;
}

void sg_element_values(sg_arena *arena, sg_dtype dtype, const uint64_t *bits, int64_t n,
                       sg_graph_tensor *tensor)
{
    const sg_graph_values_kind kind = sg_element_kind(dtype);
    const bool integers = kind == SG_GRAPH_VALUES_INTS;
    int64_t *ints = integers ? SG_NEW_ARRAY(arena, int64_t, n) : NULL;
    double *floats = integers ? NULL : SG_NEW_ARRAY(arena, double, n);
    for (int64_t i = 0; i < n; i++) {
        int64_t integer = 0;
        double real = 0;
        if (sg_element_value(dtype, bits[i], &integer, &real) == SG_GRAPH_VALUES_NONE) {
            return;
        }
        if (integers) {
            ints[i] = integer;
        } else {
            floats[i] = real;
        }
    }
    tensor->kind = kind;
    tensor->count = n;
    tensor->ints = ints;
    tensor->floats = floats;
}

/* Writes element i of a packed array with `width` bits for each element. */
static void put_bits(unsigned char *bytes, int64_t width, int64_t i, uint64_t bits)
{
    enum { BYTE = 8 };
    for (int64_t b = 0; b < width; ++b) {
        const int64_t at = i * width + b;
        bytes[at / BYTE] |= (unsigned char)((bits >> b & 1) << (at % BYTE));
    }
}

void sg_element_keep(sg_arena *arena, sg_graph_tensor *tensor, const uint64_t *bits, int64_t n)
{
    enum { BYTE = 8 };
    const int64_t width = sg_dtype_get(sg_dtype_number((sg_dtype)tensor->type.dtype))->bits;
    if (n > SG_GRAPH_BYTES_MAX * BYTE / width) {
        return;
    }
    tensor->nbytes = (n * width + BYTE - 1) / BYTE;
    unsigned char *bytes = SG_NEW_ARRAY(arena, unsigned char, tensor->nbytes);
    for (int64_t i = 0; i < n; ++i) {
        put_bits(bytes, width, i, bits[i]);
    }
    tensor->bytes = bytes;
}
