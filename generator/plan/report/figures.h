/* The numbers of a plan: what its kernel reads, writes and copies, and the instructions of its
 * bodies. All are counted, none is estimated, and nothing is decided here. */
#ifndef SG_PLAN_TELL_FIGURES_H
#define SG_PLAN_TELL_FIGURES_H

#include "base/arena.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

typedef enum sg_insn_kind {
    SG_INSNS_COPIES, /* from memory to memory, in line */
    SG_INSNS_CALLS,  /* the same by the C library */
    SG_INSNS_LOADS,
    SG_INSNS_STORES,
    SG_INSNS_REGISTERS, /* from registers to registers */
    SG_INSNS_HINTS,
    SG_INSN_KINDS
} sg_insn_kind;

const char *sg_insn_kind_name(sg_insn_kind kind); /* "copies" */

/* Of bodies whose functions are no data: the portable one, and those of packed elements. */
#define SG_FUNCTIONS_UNCOUNTED INT64_C(-1)

/* One way to run the kernel: the portable code, or that for an instruction set. */
typedef struct sg_body_figures {
    const char *name; /* "portable", else as --isa spells it */
    sg_uarch only;    /* it is for these processors; generic: for all that have the instructions */
    int64_t insns[SG_INSN_KINDS]; /* printed, in all its functions */
    int64_t functions;            /* or SG_FUNCTIONS_UNCOUNTED */
    int64_t constants;            /* vectors and masks that its instructions have */
} sg_body_figures;

typedef struct sg_figures {
    const char *name; /* of the kernel */
    const char
        *code_of;   /* the kernel whose code it runs; NULL: its own. Then there are no bodies */
    int64_t moved;  /* bytes read of the input, and as many written to the outputs */
    int64_t copies; /* runs, or words of packed elements, that the portable body copies */
    int64_t instructions; /* of all bodies */
    int64_t nbodies;
    sg_body_figures *bodies; /* the portable one first */
} sg_figures;

/* code: the plan whose code it runs (sg_plan_share), itself where that is its own. */
sg_figures sg_figures_count(sg_arena *arena, const sg_plan *plan, const sg_plan *code);

/* Instructions of all kinds. */
int64_t sg_figures_instructions(const sg_body_figures *code);

/* The sums of all of them, without bodies. Sums beyond int64 are INT64_MAX. */
sg_figures sg_figures_total(const sg_figures *figures, int64_t count);

#endif
