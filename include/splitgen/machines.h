/* Processors as data. This is the only file that names them, shared by the generator, which writes
 * code for them, and the runtime, which detects them. Code checks for traits: properties of a
 * processor, whatever its name. The costs of instructions are in the generator's cost.inc.
 *
 * Included by splitgen/vector.h: lists of rows, and their bits as numbers. */
#ifndef SPLITGEN_MACHINES_H
#define SPLITGEN_MACHINES_H

#include <splitgen/splitgen.h>

/* Bits of splitgen_cpu(): instruction sets, if the processor has them and the operating system
 * saves their registers, and traits, each named after a property of the processor. Bits 7 and 11
 * are unused: in programs built with older headers they have another meaning. */
enum {
    SPLITGEN_CPU_AVX2 = 1U << 0,
    SPLITGEN_CPU_AVX512 = 1U << 1, /* F, BW, DQ and VL */
    SPLITGEN_CPU_AVX512VBMI = 1U << 2,
    SPLITGEN_CPU_PEXT = 1U << 3,           /* `pext` is one fast instruction */
    SPLITGEN_CPU_ONE_SHUFFLE = 1U << 4,    /* one unit of several shuffles 64 bytes */
    SPLITGEN_CPU_DEAR_CROSSINGS = 1U << 5, /* stores across cache lines are slow in every cache */
    SPLITGEN_CPU_PAGE_STREAMS = 1U << 6,   /* prefetchers stop at the end of a page */
    SPLITGEN_CPU_HALF_STORES = 1U << 8,    /* 64 bytes are stored by halves */
    SPLITGEN_CPU_PREFETCH_ALL = 1U << 9,   /* all input is prefetched, as read once */
    SPLITGEN_CPU_NEAR_CACHE = 1U << 10     /* few cores share the last cache */
};

/* Instruction sets of x86 with variants. I(id) */
#define SPLITGEN_CPU_ISAS(I) I(AVX2) I(AVX512) I(AVX512VBMI)

/* The traits. T(id, "processors that have it, for users") */
#define SPLITGEN_CPU_TRAITS(T)                                                                     \
    T(PEXT, "processors with a fast `pext`")                                                       \
    T(ONE_SHUFFLE, "processors with one unit that shuffles 64 bytes")                              \
    T(DEAR_CROSSINGS, "processors that are slow at stores across cache lines")                     \
    T(PAGE_STREAMS, "processors that stop prefetching at the end of a page")                       \
    T(HALF_STORES, "processors that store 64 bytes as two halves")                                 \
    T(PREFETCH_ALL, "processors that want all input prefetched for non-temporal stores")           \
    T(NEAR_CACHE, "processors whose last cache is shared by few cores")

/* Machines of x86. The last row that matches a processor applies; an unknown one has instruction
 * sets but no traits. The first rows are for all machines of a vendor. Intel closed its family 6:
 * every machine there with AVX-512, from Skylake to Granite Rapids, has the units of Golden Cove.
 * An Emerald Rapids was measured. Alder Lake has its core without AVX-512.
 *
 * M(id, "word of --tune", "title", vendor, first family, last family, needs, traits, each)
 *   needs     instruction sets that it must have
 *   each      whether generic code for each of its instruction sets is optimised for it, and not
 *             only for the best: other processors have its core, but not the best */
#define SPLITGEN_X86_MACHINES(M)                                                                   \
    M(INTEL, "", "Intel", INTEL, 0, 0xff, 0, SPLITGEN_CPU_PEXT, 0)                                 \
    M(AMD, "", "AMD since Zen 3", AMD, 0x19, 0xff, 0, SPLITGEN_CPU_PEXT, 0)                        \
    SPLITGEN_TUNED_X86(M)
#define SPLITGEN_TUNED_X86(M)                                                                      \
    M(ZEN5, "zen5", "Zen 5", AMD, 0x1a, 0x1a, SPLITGEN_CPU_AVX2, SPLITGEN_CPU_PEXT, 0)             \
    M(GOLDENCOVE, "goldencove", "Golden Cove", INTEL, 6, 6, SPLITGEN_CPU_AVX512,                   \
      SPLITGEN_CPU_PEXT | SPLITGEN_CPU_ONE_SHUFFLE | SPLITGEN_CPU_DEAR_CROSSINGS |                 \
          SPLITGEN_CPU_PAGE_STREAMS,                                                               \
      1)                                                                                           \
    M(ZEN4, "zen4", "Zen 4", AMD, 0x19, 0x19, SPLITGEN_CPU_AVX512,                                 \
      SPLITGEN_CPU_PEXT | SPLITGEN_CPU_HALF_STORES | SPLITGEN_CPU_PREFETCH_ALL |                   \
          SPLITGEN_CPU_NEAR_CACHE,                                                                 \
      0)

/* No machine in particular. */
#define SPLITGEN_GENERIC(M) M(GENERIC, "generic", "generic", NOBODY, 0, 0, 0, 0, 0)

/* These machines are not detected at run time: a compiler that targets one takes its code. */
#define SPLITGEN_OTHER_MACHINES(M)                                                                 \
    M(NEOVERSE_V2, "neoverse_v2", "Neoverse V2", NOBODY, 0, 0, 0, 0, 0)                            \
    M(V8, "v8", "V8", NOBODY, 0, 0, 0, 0, 0) /* of browsers and Node.js, on x86 */                 \
    M(ZEN3, "zen3", "Zen 3", NOBODY, 0, 0, SPLITGEN_CPU_AVX2, SPLITGEN_CPU_PEXT, 0)

/* The machines that code can be tuned for. Outside L1, the first that generic code is optimised for
 * decides alone. */
#define SPLITGEN_MACHINES(M) SPLITGEN_GENERIC(M) SPLITGEN_X86_MACHINES(M) SPLITGEN_OTHER_MACHINES(M)
#define SPLITGEN_TUNED(M)    SPLITGEN_GENERIC(M) SPLITGEN_OTHER_MACHINES(M) SPLITGEN_TUNED_X86(M)

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

/* SPLITGEN_MACHINE_... are all traits of a machine, SPLITGEN_NEEDS_... the instruction sets that it
 * must have. */
enum {
#define SPLITGEN_ROW(id, word, title, vendor, first, last, needs, traits, each)                    \
    SPLITGEN_NEEDS_##id = (needs), SPLITGEN_MACHINE_##id = (traits),
    SPLITGEN_MACHINES(SPLITGEN_ROW) SPLITGEN_MACHINE_NONE = 0
#undef SPLITGEN_ROW
};

/* A machine has at most one of the two traits that set the number of interleaved streams: with both
 * there would be more than SPLITGEN_INTERLEAVED_MAX. */
#define SPLITGEN_ONE_STREAM(bits)                                                                  \
    (((bits) & (SPLITGEN_CPU_PAGE_STREAMS | SPLITGEN_CPU_PREFETCH_ALL)) !=                         \
     (SPLITGEN_CPU_PAGE_STREAMS | SPLITGEN_CPU_PREFETCH_ALL))
#define SPLITGEN_MACHINE_ROW(id, ...)                                                              \
    SPLITGEN_STATIC_ASSERT(SPLITGEN_ONE_STREAM(SPLITGEN_MACHINE_##id), id##_takes_turns_one_way);
SPLITGEN_MACHINES(SPLITGEN_MACHINE_ROW)
#undef SPLITGEN_MACHINE_ROW

#endif
