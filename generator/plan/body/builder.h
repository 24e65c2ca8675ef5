/* The code of a body under construction: instructions are appended; equal instructions and equal
 * constants are made once. weave.h uses it over bytes, bits/bit_writer.h over bits. */
#ifndef SG_PLAN_BODY_BUILDER_H
#define SG_PLAN_BODY_BUILDER_H

#include "base/arena.h"
#include "plan/plan.h"

/* A don't-care lane of an index or a mask: no store reads what it produces. Constants that agree in
 * all other lanes become one constant. */
#define SG_LANE_DONT_CARE 255

typedef struct sg_builder {
    sg_arena *arena;
    sg_code *code;
    int lanes;          /* of a constant */
    bool exact;         /* no lane is SG_LANE_DONT_CARE, and one constant serves several opcodes */
    int64_t insns_most; /* 0: any number */
    int64_t constants_most; /* 0: any number */
    bool full;              /* more than these were needed; the code is of no use then */
    int64_t insns_capacity;
    int64_t constants_capacity;
    /* Chains by which equal instructions are found. The instruction made last comes first in its
     * chain, so undoing in reverse order only moves heads. */
    int64_t *heads; /* by hash; -1: none */
    int64_t *nexts; /* by instruction: the one made before it in its chain */
} sg_builder;

/* Makes the code empty. */
void sg_builder_clear(sg_builder *builder);

/* Appends an instruction. */
void sg_builder_append(sg_builder *builder, sg_insn insn);

/* Room for so many more instructions, which the caller writes there and adds to the count. */
sg_insn *sg_builder_reserve(sg_builder *builder, int64_t insns);

/* A constant with these lanes for an opcode: one that is there and agrees, or a new one. */
int64_t sg_builder_constant(sg_builder *builder, sg_opcode op, const uint8_t *lanes);

/* The register of an instruction that loads or mixes: of an equal one that is there, or of a new
 * one. `lanes` are those of its constant, NULL if it has none. */
int sg_builder_register(sg_builder *builder, sg_insn insn, const uint8_t *lanes);

/* A state of the construction to come back to when several programs are tried. */
typedef struct sg_builder_mark {
    int64_t ninsns;
    int64_t nconstants;
    int registers;
    bool full;
    sg_constant *constants; /* as they were; NULL if lanes are exact, as they do not change then */
} sg_builder_mark;

sg_builder_mark sg_builder_here(const sg_builder *builder);
void sg_builder_back_to(sg_builder *builder, const sg_builder_mark *mark);

#endif
