/* The numbers of a plan: what its kernel reads, writes and copies, the instructions of its bodies,
 * and an estimate of the code and the stack they become on some machines. Counted, nothing is
 * decided here. */
#ifndef SG_PLAN_TELL_FIGURES_H
#define SG_PLAN_TELL_FIGURES_H

#include "base/arena.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Machines and compilers that the estimate is for, see text.inc. */
typedef enum sg_target_class {
#define CLASS(id, name, title, word, reach, called, puts, inlines, jump) SG_CLASS_##id,
#include "plan/tell/text.inc"
#undef CLASS
    SG_CLASS_COUNT
} sg_target_class;

const char *sg_class_name(sg_target_class target);  /* "thumb2" */
const char *sg_class_title(sg_target_class target); /* "Cortex-M4, gcc -Os" */

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

/* One way to run the kernel: the portable code, or that for an instruction set. */
typedef struct sg_body_figures {
    const char *name; /* "portable", else as --isa spells it */
    sg_uarch only;    /* it is for these processors; generic: for all that have the instructions */
    int64_t insns[SG_INSN_KINDS]; /* printed, in all its functions */
    bool runs[SG_CLASS_COUNT];    /* else its text and stack are 0 */
    int64_t text[SG_CLASS_COUNT]; /* bytes */
    int64_t stack[SG_CLASS_COUNT];
} sg_body_figures;

typedef struct sg_figures {
    const char *name; /* of the kernel */
    const char
        *code_of;   /* the kernel whose code it runs; NULL: its own. Then there are no bodies */
    int64_t moved;  /* bytes read of the input, and as many written to the outputs */
    int64_t copies; /* runs, or words of packed elements, that the portable body copies */
    int64_t instructions;
    int64_t text[SG_CLASS_COUNT]; /* of all bodies, and of what chooses between them */
    int64_t stack[SG_CLASS_COUNT];
    int64_t nbodies;
    sg_body_figures *bodies; /* the portable one first */
} sg_figures;

/* code: the plan whose code it runs (sg_plan_share), itself where that is its own. */
sg_figures sg_figures_count(sg_arena *arena, const sg_plan *plan, const sg_plan *code);

/* All of them together, without bodies: sums, of the stack the largest. Sums beyond int64 are
 * INT64_MAX. */
sg_figures sg_figures_total(const sg_figures *figures, int64_t count);

#endif
