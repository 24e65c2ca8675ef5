/* Metrics of a plan: what its kernel reads, writes and copies, and the instructions of its bodies.
 * All are counted, none is estimated. */
#ifndef SG_PLAN_TELL_FIGURES_H
#define SG_PLAN_TELL_FIGURES_H

#include "base/arena.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

typedef enum sg_insn_kind {
    SG_INSNS_COPIES, /* from memory to memory, inline */
    SG_INSNS_CALLS,  /* from memory to memory, by the C library */
    SG_INSNS_LOADS,
    SG_INSNS_STORES,
    SG_INSNS_REGISTERS, /* from registers to registers */
    SG_INSNS_HINTS,
    SG_INSN_KINDS
} sg_insn_kind;

const char *sg_insn_kind_name(sg_insn_kind kind); /* "copies" */

/* For bodies whose functions are not data: the portable one, and those over bits. */
#define SG_FUNCTIONS_UNCOUNTED INT64_C(-1)

/* One version of the kernel: the portable code, or that for an instruction set. */
typedef struct sg_body_figures {
    const char *name; /* "portable", or the word of --isa */
    sg_uarch only; /* the only processors that it is for; generic: all that have the instructions */
    int64_t insns[SG_INSN_KINDS]; /* in all its functions, as printed */
    int64_t functions;            /* or SG_FUNCTIONS_UNCOUNTED */
    int64_t constants;            /* vectors and masks that its instructions use */
} sg_body_figures;

typedef struct sg_figures {
    const char *name; /* of the kernel */
    const char
        *code_of;  /* the kernel whose code it shares, so that there are no bodies; NULL: its own */
    int64_t moved; /* bytes read from the input, which equals bytes written to the outputs */
    int64_t copies;       /* runs, or words of packed elements, that the portable body copies */
    int64_t instructions; /* of all bodies */
    int64_t nbodies;
    sg_body_figures *bodies; /* the portable one first */
} sg_figures;

/* code: the plan whose code it runs (sg_plan_share); `plan` itself if it has its own. */
sg_figures sg_figures_count(sg_arena *arena, const sg_plan *plan, const sg_plan *code);

/* Sum over all kinds of instructions. */
int64_t sg_figures_instructions(const sg_body_figures *code);

/* Sums over all kernels, without bodies. Sums beyond int64 are INT64_MAX. */
sg_figures sg_figures_total(const sg_figures *figures, int64_t count);

#endif
