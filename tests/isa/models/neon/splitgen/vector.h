/* Replaces splitgen/vector.h: the same header as for AArch64, with models of its instructions. */
#ifndef SPLITGEN_TEST_ISA_VECTOR_H
#define SPLITGEN_TEST_ISA_VECTOR_H

#pragma GCC system_header

#include "../../begin.h"

#if defined(__x86_64__)
#define SPLITGEN_TEST_ISA_X86
#undef __x86_64__
#endif
#define __aarch64__ 1
#define __ARM_NEON  1

#include_next <splitgen/vector.h>

#undef __aarch64__
#undef __ARM_NEON
#if defined(SPLITGEN_TEST_ISA_X86)
#undef SPLITGEN_TEST_ISA_X86
#define __x86_64__ 1
#endif

#include "../../end.h"

#endif
