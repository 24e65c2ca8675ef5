/* Lookups for programs over bits. */
#include "plan/bits/bit_program.h"

#include "base/checked.h"

const char *sg_bit_body_name(sg_bit_body body)
{
    static const char *const names[] = {
        [SG_BIT_PORTABLE] = "portable",
        [SG_BIT_PEXT] = "pext",
        [SG_BIT_AVX2] = "avx2",
        [SG_BIT_AVX512] = "avx512",
    };
    return names[body];
}

const char *sg_bit_body_title(sg_bit_body body)
{
    static const char *const titles[] = {
        [SG_BIT_PORTABLE] = "portable",
        [SG_BIT_PEXT] = "BMI2",
        [SG_BIT_AVX2] = "AVX2",
        [SG_BIT_AVX512] = "AVX-512",
    };
    return titles[body];
}

const sg_isa_info *sg_bit_body_isa(sg_bit_body body)
{
    static const sg_isa isas[] = {
        [SG_BIT_PEXT] = SG_ISA_AVX2LANE,
        [SG_BIT_AVX2] = SG_ISA_AVX2LANE,
        [SG_BIT_AVX512] = SG_ISA_AVX512,
    };
    return body == SG_BIT_PORTABLE ? NULL : sg_isa_get(isas[body]);
}

int64_t sg_bits_bytes(int64_t rows, int64_t width)
{
    return sg_ceil_div64(rows * width, 8);
}
