/* Processors as data. This is the only file that names them, shared by the generator, which writes
 * code for them, and the runtime, which detects them. Code checks for traits: properties of a
 * processor, whatever its name. The costs of instructions are in the generator's cost.inc.
 *
 * Included by splitgen/vector.h: lists of rows, and their bits as numbers. */
#ifndef SPLITGEN_MACHINES_H
#define SPLITGEN_MACHINES_H

#include <splitgen/splitgen.h>

/* Instruction sets of x86 with variants: bits of splitgen_cpu().
 *
 * I(id, bit) */
#define SPLITGEN_CPU_ISAS(I)                                                                       \
    I(AVX2, 0)                                                                                     \
    I(AVX512, 1) /* F, BW, DQ and VL */                                                            \
    I(AVX512VBMI, 2)

/* Traits are also bits of splitgen_cpu(), each named after a property of the processor. Bits 7 and
 * 11 are unused: in programs built with older headers they have another meaning.
 *
 * T(id, bit, "what it does", "processors that do it, for users", "where it was measured") */
#define SPLITGEN_CPU_TRAITS(T)                                                                     \
    T(PEXT, 3, "`pext` is one fast instruction", "processors with a fast `pext`",                  \
      "https://uops.info")                                                                         \
    T(ONE_SHUFFLE, 4, "one unit shuffles 64 bytes, and all of them do three such things a cycle",  \
      "processors with one unit that shuffles 64 bytes", "cost.inc")                               \
    T(DEAR_CROSSINGS, 5, "stores across cache lines take several times as long in every cache",    \
      "processors that are slow at stores across cache lines", "MEASURED.md, Write combining")     \
    T(PAGE_STREAMS, 6,                                                                             \
      "prefetchers stop at the end of a page, so non-temporal stores interleave four streams",     \
      "processors that stop prefetching at the end of a page", "MEASURED.md, Interleaved streams") \
    T(HALF_STORES, 8, "64 bytes are stored by halves",                                             \
      "processors that store 64 bytes as two halves", "MEASURED.md, Write combining")              \
    T(PREFETCH_ALL, 9,                                                                             \
      "non-temporal stores interleave two streams, and all input is prefetched, as read once",     \
      "processors that want all input prefetched for non-temporal stores",                         \
      "MEASURED.md, Non-temporal stores")                                                          \
    T(NEAR_CACHE, 10,                                                                              \
      "few cores share the last cache, and non-temporal stores pay from five eighths of it on",    \
      "processors whose last cache is shared by few cores", "runtime/splitgen_cpu.c")

/* Machines. The last row that matches a processor applies. An unknown one is GENERIC, which has
 * instruction sets but no traits.
 *
 * M(id, "word of --tune", "title", vendor, first family, last family, needs, base, traits, each)
 *   needs     instruction sets that it must have
 *   base      a row above, whose traits this one shares
 *   each      whether generic code for each of its instruction sets is optimised for it, and not
 *             only for the best: other processors have its core, but not the best */
#define SPLITGEN_MACHINES(M)     SPLITGEN_GENERIC(M) SPLITGEN_X86_MACHINES(M) SPLITGEN_OTHER_MACHINES(M)
#define SPLITGEN_X86_MACHINES(M) SPLITGEN_MAKERS(M) SPLITGEN_TUNED_X86(M)

/* The machines that code can be tuned for. Outside L1, the first that generic code is optimised for
 * decides alone. */
#define SPLITGEN_TUNED(M) SPLITGEN_GENERIC(M) SPLITGEN_OTHER_MACHINES(M) SPLITGEN_TUNED_X86(M)

/* No machine in particular. */
#define SPLITGEN_GENERIC(M) M(GENERIC, "generic", "generic", NOBODY, 0, 0, 0, NONE, 0, 0)

/* Traits that all machines of a vendor share. */
#define SPLITGEN_MAKERS(M)                                                                         \
    M(INTEL, "", "Intel", INTEL, 0, 0xff, 0, NONE, SPLITGEN_CPU_PEXT, 0)                           \
    M(AMD, "", "AMD since Zen 3", AMD, 0x19, 0xff, 0, NONE, SPLITGEN_CPU_PEXT, 0)

/* Intel closed its family 6: every machine there with AVX-512, from Skylake to Granite Rapids, has
 * the units of Golden Cove. An Emerald Rapids was measured. Alder Lake has its core without
 * AVX-512. */
#define SPLITGEN_TUNED_X86(M)                                                                      \
    M(ZEN5, "zen5", "Zen 5", AMD, 0x1a, 0x1a, SPLITGEN_CPU_AVX2, AMD, 0, 0)                        \
    M(GOLDENCOVE, "goldencove", "Golden Cove", INTEL, 6, 6, SPLITGEN_CPU_AVX512, INTEL,            \
      SPLITGEN_CPU_ONE_SHUFFLE | SPLITGEN_CPU_DEAR_CROSSINGS | SPLITGEN_CPU_PAGE_STREAMS, 1)       \
    M(ZEN4, "zen4", "Zen 4", AMD, 0x19, 0x19, SPLITGEN_CPU_AVX512, AMD,                            \
      SPLITGEN_CPU_HALF_STORES | SPLITGEN_CPU_PREFETCH_ALL | SPLITGEN_CPU_NEAR_CACHE, 0)

/* These machines are not detected at run time: a compiler that targets one takes its code. */
#define SPLITGEN_OTHER_MACHINES(M)                                                                 \
    M(NEOVERSE_V2, "neoverse_v2", "Neoverse V2", NOBODY, 0, 0, 0, NONE, 0, 0)                      \
    M(V8, "v8", "V8", NOBODY, 0, 0, 0, NONE, 0, 0) /* of browsers and Node.js, on x86 */           \
    M(ZEN3, "zen3", "Zen 3", NOBODY, 0, 0, SPLITGEN_CPU_AVX2, AMD, 0,                              \
      0) /* its bit alone is checked */

/* The macros of compilers that target a machine, for --dispatch=static. clang has one name for all
 * of Intel's processors.
 *
 * C(macro, machine) */
#define SPLITGEN_COMPILERS(C)                                                                      \
    C(__znver5__, ZEN5)                                                                            \
    C(__znver4__, ZEN4)                                                                            \
    C(__sapphirerapids__, GOLDENCOVE)                                                              \
    C(__emeraldrapids__, GOLDENCOVE)                                                               \
    C(__graniterapids__, GOLDENCOVE)                                                               \
    C(__skylake_avx512__, GOLDENCOVE)                                                              \
    C(__cascadelake__, GOLDENCOVE)                                                                 \
    C(__cooperlake__, GOLDENCOVE)                                                                  \
    C(__cannonlake__, GOLDENCOVE)                                                                  \
    C(__icelake_client__, GOLDENCOVE)                                                              \
    C(__icelake_server__, GOLDENCOVE)                                                              \
    C(__tigerlake__, GOLDENCOVE)                                                                   \
    C(__rocketlake__, GOLDENCOVE)                                                                  \
    C(__corei7__, GOLDENCOVE)

/* Bits of splitgen_cpu(): instruction sets, if the processor has them and the operating system
 * saves their registers, and traits. SPLITGEN_MACHINE_... are all traits of a machine,
 * SPLITGEN_NEEDS_... the instruction sets that it must have. */
enum {
#define SPLITGEN_ROW(id, bit)            SPLITGEN_CPU_##id = 1U << (bit),
#define SPLITGEN_TRAIT_ROW(id, bit, ...) SPLITGEN_CPU_##id = 1U << (bit),
#define SPLITGEN_MACHINE_ROW(id, word, title, vendor, first, last, needs, base, traits, each)      \
    SPLITGEN_NEEDS_##id = (needs), SPLITGEN_MACHINE_##id = SPLITGEN_MACHINE_##base | (traits),
    SPLITGEN_MACHINE_NONE = 0,
    SPLITGEN_CPU_ISAS(SPLITGEN_ROW) SPLITGEN_CPU_TRAITS(SPLITGEN_TRAIT_ROW)
        SPLITGEN_MACHINES(SPLITGEN_MACHINE_ROW) SPLITGEN_MACHINE_END = 0
#undef SPLITGEN_MACHINE_ROW
#undef SPLITGEN_TRAIT_ROW
#undef SPLITGEN_ROW
};

/* A machine has at most one of the two traits that set the number of interleaved streams: with both
 * there would be more than SPLITGEN_INTERLEAVED_MAX. */
#define SPLITGEN_ONE_STREAM(bits)                                                                  \
    (((bits) & (SPLITGEN_CPU_PAGE_STREAMS | SPLITGEN_CPU_PREFETCH_ALL)) !=                         \
     (SPLITGEN_CPU_PAGE_STREAMS | SPLITGEN_CPU_PREFETCH_ALL))
#define SPLITGEN_MACHINE_ROW(id, word, title, vendor, first, last, needs, base, traits, each)      \
    SPLITGEN_STATIC_ASSERT(SPLITGEN_ONE_STREAM(SPLITGEN_MACHINE_##id), id##_takes_turns_one_way);
SPLITGEN_MACHINES(SPLITGEN_MACHINE_ROW)
#undef SPLITGEN_MACHINE_ROW

#endif
