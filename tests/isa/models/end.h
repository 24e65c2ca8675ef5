/* Included after the real splitgen/vector.h. */
#undef __asm__
#if defined(SPLITGEN_TEST_ISA_CLANG)
#undef SPLITGEN_TEST_ISA_CLANG
#define __clang__ 1
#pragma GCC diagnostic pop
#endif
