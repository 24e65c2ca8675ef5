/* The code of a body under construction: instructions are appended; equal instructions and equal
 * constants are made once. */
#ifndef SG_PLAN_BODY_CODE_BUILDER_H
#define SG_PLAN_BODY_CODE_BUILDER_H

#include "base/arena.h"
#include "plan/plan.h"

/* A don't-care lane of an index or a mask: no store reads what it produces. Constants that agree in
 * all other lanes become one constant. */
#define SG_LANE_DONT_CARE 255

typedef struct sg_code_builder {
    sg_arena *arena;
    sg_code *code;
    int lanes; /* of a constant */
    int64_t insns_capacity;
    int64_t constants_capacity;
    /* Hash chains of equal instructions. The newest instruction comes first in its chain, so
     * undoing in reverse order only changes heads. */
    int64_t *heads; /* by hash; -1: none */
    int64_t *nexts; /* by instruction: the one made before it in the same chain */
} sg_code_builder;

void sg_code_builder_clear(sg_code_builder *builder);

void sg_code_builder_append(sg_code_builder *builder, sg_insn insn);

/* Makes room for `insns` more instructions; the caller writes them and increases the count. */
sg_insn *sg_code_builder_reserve(sg_code_builder *builder, int64_t insns);

/* A constant with these lanes for an opcode: an existing one that agrees, or a new one. */
int64_t sg_code_builder_constant(sg_code_builder *builder, sg_opcode op, const uint8_t *lanes);

/* The register that an equal existing instruction writes, or else a new one. `lanes` are the lanes
 * of its constant; NULL if it has none. */
int sg_code_builder_register(sg_code_builder *builder, sg_insn insn, const uint8_t *lanes);

/* A state to return to when several programs are tried. */
typedef struct sg_code_builder_mark {
    int64_t ninsns;
    int64_t nconstants;
    int registers;
    sg_constant *constants; /* a copy, since don't-care lanes may be filled in later */
} sg_code_builder_mark;

sg_code_builder_mark sg_code_builder_here(const sg_code_builder *builder);
void sg_code_builder_back_to(sg_code_builder *builder, const sg_code_builder_mark *mark);

#endif
