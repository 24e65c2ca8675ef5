/* In front of the real splitgen/vector.h, with the models: it is compiled as for a compiler that
 * knows no target by name and keeps no value in a register, as nothing of the kind is there. What
 * kernels use of the C library comes first, as these words are the library's as well. */
#include <splitgen/splitgen.h>

#define target(...)
#define __asm__(...) ((void)0)
#if defined(__clang__)
#define SPLITGEN_TEST_ISA_CLANG
#undef __clang__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunknown-warning-option" /* it has some of gcc's then */
#endif
