/* Times loops of AVX2 instructions for python -m splitgen tune, which computes costs from them.
 * A cycle is the latency of an add that depends on the previous one. For each loop it prints the
 * cycles of one iteration, the second smallest of many tries, and by how much the median is
 * larger:
 *
 *   NAME CYCLES SPREAD
 *
 * Argument: seconds in all. Built by gcc or clang for x86-64. */
#define _POSIX_C_SOURCE 199309L

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TURNS 2000
#define TRIES 15
#define ADDS  16 /* in an iteration of the chain */

static _Alignas(64) char from[4096];
static _Alignas(64) char to[4096];

/* Independent instructions on one of the registers %ymm0 to %ymm9, which are written and never
 * read, or on an address that advances. %ymm14 and %ymm15 are read; %0 counts, %1 is `from`, %2
 * is `to`. */
#define EIGHT(op, step)                                                                            \
    op(0, step) op(1, step) op(2, step) op(3, step) op(4, step) op(5, step) op(6, step) op(7, step)
#define FOUR(op, step) op(0, step) op(1, step) op(2, step) op(3, step)
#define TWO(op, step)  op(8, step) op(9, step)

#define LOAD(r, step)  "vmovdqu " #r "*" step "(%1), %%ymm" #r "\n\t"
#define STORE(r, step) "vmovdqu %%ymm" #r ", " #r "*" step "(%2)\n\t"
#define XMM(r, step)                                                                               \
    "vmovdqu " #r "*" step "(%1), %%xmm" #r "\n\t"                                                 \
    "vmovdqu %%xmm" #r ", " #r "*" step "(%2)\n\t"
#define WORD(r, step)    "mov 256+" #r "*" step "(%1), %%rax\n\tmov %%rax, 256+" #r "*" step "(%2)\n\t"
#define BLEND(r, step)   "vpblendd $0x55, %%ymm14, %%ymm15, %%ymm" #r "\n\t"
#define BLENDW(r, step)  "vpblendw $0x55, %%ymm14, %%ymm15, %%ymm" #r "\n\t"
#define BLENDB(r, step)  "vpblendvb %%ymm13, %%ymm14, %%ymm15, %%ymm" #r "\n\t"
#define PERMUTE(r, step) "vpermd %%ymm14, %%ymm15, %%ymm" #r "\n\t"
#define SHUFFLE(r, step) "vpshufb %%ymm14, %%ymm15, %%ymm" #r "\n\t"
#define INSERT(r, step)  "vinserti128 $1, " #r "*" step "(%1), %%ymm15, %%ymm" #r "\n\t"
#define ADD              "add $1, %%rax\n\t"

/* The loops: the instructions of an iteration. Every other access at ACROSS crosses a line, as
 * in runs. */
#define ACROSS "32+16"
#define LOOPS(L)                                                                                   \
    L(chain, ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD ADD)                      \
    L(loads, EIGHT(LOAD, "32") EIGHT(LOAD, "32"))                                                  \
    L(loads_across, EIGHT(LOAD, ACROSS) EIGHT(LOAD, ACROSS))                                       \
    L(stores, EIGHT(STORE, "32") EIGHT(STORE, "32"))                                               \
    L(stores_across, EIGHT(STORE, ACROSS) EIGHT(STORE, ACROSS))                                    \
    L(copies, EIGHT(LOAD, "32") EIGHT(STORE, "32"))                                                \
    L(moves, EIGHT(XMM, "16") EIGHT(WORD, "8"))                                                    \
    L(blends, EIGHT(BLEND, "") EIGHT(BLEND, ""))                                                   \
    L(permutes, EIGHT(PERMUTE, "") EIGHT(PERMUTE, ""))                                             \
    L(shuffles, EIGHT(SHUFFLE, "") EIGHT(SHUFFLE, ""))                                             \
    L(mix, FOUR(LOAD, "32") FOUR(SHUFFLE, "") FOUR(BLEND, "") TWO(STORE, "32"))                    \
    L(inserts_blends, EIGHT(BLEND, "") FOUR(BLEND, "") TWO(INSERT, "32"))                          \
    L(byte_blends_blends, EIGHT(BLEND, "") FOUR(BLEND, "") TWO(BLENDB, ""))                        \
    L(byte_blends_shuffles, EIGHT(SHUFFLE, "") TWO(BLENDB, ""))                                    \
    L(word_blends_shuffles, EIGHT(SHUFFLE, "") TWO(BLENDW, ""))                                    \
    L(blends_permutes, EIGHT(PERMUTE, "") TWO(BLEND, ""))                                          \
    L(masks_kept, EIGHT(SHUFFLE, "") FOUR(BLENDB, "") FOUR(STORE, "32"))                           \
    L(masks_loaded, EIGHT(SHUFFLE, "") FOUR(LOAD, "32") FOUR(BLENDB, "") FOUR(STORE, "32"))

#define RUN(name, turn)                                                                            \
    __attribute__((target("avx2"))) static void run_##name(void)                                   \
    {                                                                                              \
        long turns = TURNS;                                                                        \
        __asm__ volatile(".balign 64\n1:\n\t" turn "sub $1, %0\n\tjnz 1b\n\tvzeroupper"            \
                         : "+r"(turns)                                                             \
                         : "r"(from), "r"(to)                                                      \
                         : "rax", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",  \
                           "xmm8", "xmm9", "xmm13", "xmm14", "xmm15", "memory", "cc");             \
    }
LOOPS(RUN)

typedef struct loop {
    const char *name;
    void (*run)(void);
    double cycles[TRIES]; /* of a turn */
} loop;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* The shortest time of a run, measured for `within` seconds. */
static double least(void (*run)(void), double within)
{
    const double end = seconds() + within;
    double best = 1e9;
    double begin = seconds();
    do {
        run();
        const double now = seconds();
        best = now - begin < best ? now - begin : best;
        begin = now;
    } while (begin < end);
    return best;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
#define ROW(name, turn) {#name, run_##name, {0}},
    static loop loops[] = {LOOPS(ROW)};
    const size_t count = sizeof loops / sizeof loops[0];
    const double all = argc > 1 ? strtod(argv[1], NULL) : 10;
    const double each = all / (double)(2 * count * TRIES);
    if (!__builtin_cpu_supports("avx2")) {
        fputs("this processor has no AVX2\n", stderr);
        return 1;
    }
    for (int t = 0; t < TRIES; ++t) {
        for (size_t i = 0; i < count; ++i) { /* alternately, each together with the chain */
            const double chain = least(run_chain, each);
            loops[i].cycles[t] = least(loops[i].run, each) / chain * ADDS;
        }
    }
    for (size_t i = 0; i < count; ++i) {
        qsort(loops[i].cycles, TRIES, sizeof(double), compare);
        const double *cycles = loops[i].cycles;
        printf("%s %.4f %.4f\n", loops[i].name, cycles[1], cycles[TRIES / 2] / cycles[1] - 1);
    }
    return 0;
}
