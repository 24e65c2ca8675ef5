/* Replaces splitgen/runs.h: the same header, but AVX2 copies in functions for AVX-512 also
 * demand AVX-512, because their compiler may use it. */
#ifndef SPLITGEN_TEST_ISA_RUNS_H
#define SPLITGEN_TEST_ISA_RUNS_H

#pragma GCC system_header

#include_next <splitgen/runs.h>

#define splitgen_run_avx512(...) (ISA_DEMAND(SPLITGEN_CPU_AVX512), splitgen_run_avx512(__VA_ARGS__))
#define splitgen_vectors_avx512(...)                                                               \
    (ISA_DEMAND(SPLITGEN_CPU_AVX512), splitgen_vectors_avx512(__VA_ARGS__))

#endif
