/* Copies of long runs by vectors, one loop for all runs of all kernels; see vector.h for why. */
#include <splitgen/vector.h>

#if SPLITGEN_X86

SPLITGEN_TARGET_AVX512
void splitgen_run_avx512(void *dst, const void *src, size_t bytes)
{
    splitgen_lines_avx512(dst, src, bytes);
}

SPLITGEN_TARGET_AVX2
void splitgen_run_avx2(void *dst, const void *src, size_t bytes)
{
    splitgen_lines_avx2(dst, src, bytes);
}

#else

typedef int splitgen_lines_are_for_x86; /* a file must not be empty */

#endif
