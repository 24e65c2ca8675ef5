/* Included before a real header that is to be read as for another processor. */
#if defined(__x86_64__)
#define SPLITGEN_TEST_ISA_X86
#undef __x86_64__
#endif
