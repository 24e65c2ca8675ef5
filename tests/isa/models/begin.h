/* Included before the real splitgen/vector.h, with the models. Code is compiled as for a
 * compiler that has no target attributes and no `asm` with registers. The C library's headers
 * come first, because they use these words as well. */
#include <splitgen/splitgen.h>

#define target(...)
#define __asm__(...) ((void)0)
#if defined(__clang__)
#define SPLITGEN_TEST_ISA_CLANG
#undef __clang__
#pragma GCC diagnostic push
/* these compilers then accept some of gcc's names */
#pragma GCC diagnostic ignored "-Wunknown-warning-option"
#endif
