/* Replaces the compiler's <cpuid.h>: returns the CPUID results of a chosen processor, in the form
 * of the manuals of Intel (CPUID) and AMD (Appendix E). The environment selects it:
 *
 *   SPLITGEN_TEST_MACHINE  a row of SPLITGEN_MACHINES, by its id; default: ZEN4
 *   SPLITGEN_TEST_ISAS     bits of SPLITGEN_CPU_ISAS that it has, a number; default: all
 *   SPLITGEN_TEST_CACHE    bytes of its last-level cache; default: 32 MiB
 *
 * Used by runtime/splitgen_cpu.c, whose own code thus detects the machine. */
#ifndef SPLITGEN_TEST_ISA_CPUID_H
#define SPLITGEN_TEST_ISA_CPUID_H

#pragma GCC system_header

#include <stdlib.h>
#include <string.h>

#include <splitgen/machines.h>

#define signature_INTEL_ecx 0x6c65746eU /* "ntel" */
#define signature_AMD_ecx   0x444d4163U /* "cAMD" */
#define signature_NOBODY    0U

#define bit_OSXSAVE    (1U << 27) /* leaf 1, ecx */
#define bit_AVX2       (1U << 5)  /* leaf 7, ebx */
#define bit_BMI2       (1U << 8)
#define bit_AVX512F    (1U << 16)
#define bit_AVX512DQ   (1U << 17)
#define bit_AVX512BW   (1U << 30)
#define bit_AVX512VL   (1U << 31)
#define bit_AVX512VBMI (1U << 1) /* leaf 7, ecx */

#define ISA_SIGNATURE_INTEL  signature_INTEL_ecx
#define ISA_SIGNATURE_AMD    signature_AMD_ecx
#define ISA_SIGNATURE_NOBODY signature_NOBODY

/* A row of SPLITGEN_MACHINES, as far as CPUID reports it. */
typedef struct isa_machine {
    const char *id;
    unsigned signature;
    unsigned family;
    unsigned needs;
    unsigned traits;
} isa_machine;

#define ISA_MACHINE(id, word, title, vendor, first, last, needs, traits, each)                     \
    {#id, ISA_SIGNATURE_##vendor, first, needs, SPLITGEN_MACHINE_##id},
static const isa_machine isa_machines[]
    __attribute__((unused)) = {SPLITGEN_GENERIC(ISA_MACHINE) SPLITGEN_X86_MACHINES(ISA_MACHINE)};

#define ISA_MACHINES (sizeof isa_machines / sizeof isa_machines[0])

static inline const char *isa_said(const char *variable, const char *otherwise)
{
    const char *text = getenv(variable);

    return text != NULL ? text : otherwise;
}

static inline const isa_machine *isa_chosen_machine(void)
{
    const char *id = isa_said("SPLITGEN_TEST_MACHINE", "ZEN4");

    for (size_t i = 0; i < ISA_MACHINES; ++i) {
        if (strcmp(isa_machines[i].id, id) == 0) {
            return &isa_machines[i];
        }
    }
    abort();
}

static inline unsigned isa_chosen_isas(void)
{
    return (unsigned)strtoul(isa_said("SPLITGEN_TEST_ISAS", "7"), NULL, 0);
}

static inline int __get_cpuid_count(unsigned leaf, unsigned subleaf, unsigned *a, unsigned *b,
                                    unsigned *c, unsigned *d)
{
    const isa_machine *machine = isa_chosen_machine();
    const unsigned isas = isa_chosen_isas();

    *a = *b = *c = *d = 0;
    if (leaf == 0) {
        *c = machine->signature;
    } else if (leaf == 1) {
        const unsigned base = machine->family < 0xf ? machine->family : 0xf;
        *a = base << 8 | (machine->family - base) << 20;
        *c = bit_OSXSAVE;
    } else if (leaf == 7 && subleaf == 0) {
        *b = bit_BMI2;
        *b |= (isas & SPLITGEN_CPU_AVX2) != 0 ? bit_AVX2 : 0;
        if ((isas & SPLITGEN_CPU_AVX512) != 0) {
            *b |= bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
        }
        *c = (isas & SPLITGEN_CPU_AVX512VBMI) != 0 ? bit_AVX512VBMI : 0;
    } else if (leaf == (machine->signature == signature_AMD_ecx ? 0x8000001dU : 4) &&
               subleaf == 0) {
        const unsigned long bytes = strtoul(isa_said("SPLITGEN_TEST_CACHE", "33554432"), NULL, 0);
        *a = 3;  /* a cache of both data and instructions */
        *b = 63; /* lines of 64 bytes in one way and one partition */
        *c = (unsigned)(bytes / 64 - 1);
    } else {
        return 0;
    }
    return 1;
}

static inline int __get_cpuid(unsigned leaf, unsigned *a, unsigned *b, unsigned *c, unsigned *d)
{
    return __get_cpuid_count(leaf, 0, a, b, c, d);
}

/* The registers that the operating system saves: those of AVX, and of AVX-512 on a machine that
 * has it. In the runtime a function of this name asks the real system. Its definition,
 * `splitgen_enabled_states(void)`, is renamed, and its calls come here. */
static inline unsigned isa_states(void)
{
    return (isa_chosen_isas() & SPLITGEN_CPU_AVX512) != 0 ? 0xe7 : 0x7;
}

#define ISA_STATES_void                  __attribute__((unused)) isa_states_of_this_one(void)
#define ISA_STATES_                      isa_states()
#define splitgen_enabled_states(nothing) ISA_STATES_##nothing

#endif
