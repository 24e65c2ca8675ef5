/* Replaces splitgen/vector.h: the same header with models of x86's instructions. */
#ifndef SPLITGEN_TEST_ISA_VECTOR_H
#define SPLITGEN_TEST_ISA_VECTOR_H

#pragma GCC system_header

#include "../../begin.h"

/* Demanded instructions that the processor does not have. Nothing is known before the first
 * detection, and a program without the runtime cannot detect. */
extern __attribute__((weak)) unsigned splitgen_cpu_answer;
static inline __attribute__((unused)) void isa_demand(unsigned isas)
{
    if (&splitgen_cpu_answer != NULL && splitgen_cpu_answer != 0 &&
        (splitgen_cpu_answer & isas) != isas) {
        __builtin_trap();
    }
}
#define ISA_DEMAND(isas) isa_demand(isas)

#include_next <splitgen/vector.h>

#include "../../end.h"

#undef SPLITGEN_KEEP_LOAD
#define SPLITGEN_KEEP_LOAD(value) ((void)0)

#endif
