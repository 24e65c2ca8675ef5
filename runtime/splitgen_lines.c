/* Copies of long runs by vectors, one loop for all runs of all kernels; see runs.h for why. */
#include <splitgen/vector.h>

#if SPLITGEN_X86

SPLITGEN_TARGET_AVX512
void splitgen_long_avx512(void *dst, const void *src, size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    size_t i = 0;

    for (; bytes - i >= 64; i += 64) {
        _mm512_storeu_si512(d + i, _mm512_loadu_si512(s + i));
    }
    if (i < bytes) {
        _mm512_storeu_si512(d + bytes - 64, _mm512_loadu_si512(s + bytes - 64));
    }
}

SPLITGEN_TARGET_AVX2
void splitgen_long_avx2(void *dst, const void *src, size_t bytes)
{
    char *d = SPLITGEN_POINTER(char, dst);
    const char *s = SPLITGEN_POINTER(const char, src);
    size_t i = 0;

    for (; bytes - i >= 32; i += 32) {
        splitgen_store_avx2(d + i, splitgen_load_avx2(s + i));
    }
    if (i < bytes) {
        splitgen_store_avx2(d + bytes - 32, splitgen_load_avx2(s + bytes - 32));
    }
}

#else

typedef int splitgen_lines_are_for_x86; /* a file must not be empty */

#endif
