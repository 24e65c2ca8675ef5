/* Included after that header. */
#if defined(SPLITGEN_TEST_ISA_X86)
#undef SPLITGEN_TEST_ISA_X86
#define __x86_64__ 1
#endif
