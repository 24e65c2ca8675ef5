/* Properties of single instructions: the rows of opcodes.inc. */
#ifndef SG_PLAN_INSN_H
#define SG_PLAN_INSN_H

#include "plan/plan.h"

typedef enum sg_does {
    SG_DOES_RUN,
    SG_DOES_LOAD,
    SG_DOES_ALU,
    SG_DOES_STORE,
    SG_DOES_PREFETCH
} sg_does;

/* A row of opcodes.inc, which documents the fields. */
typedef struct sg_opcode_info {
    const char *name;
    sg_does does;
    int reads;
    sg_constant_kind constant;
} sg_opcode_info;

const sg_opcode_info *sg_opcode_get(sg_opcode op);

/* An instruction without parts, registers or constant. */
sg_insn sg_insn_new(sg_opcode op);

/* Makes it copy between a place in a part and one in the full tensor, in the direction of the map.
 * */
void sg_insn_between(sg_insn *insn, const sg_map *map, int64_t part, int64_t in_part,
                     int64_t in_whole);

/* For an instruction that refers to a part: its place in the part, and for a run its place in the
 * full tensor. */
const sg_ref *sg_insn_in_part(const sg_insn *insn);
const sg_ref *sg_insn_in_whole(const sg_insn *insn);

/* Moves an instruction `rows` rows down; makes its part numbers and its places in the full tensor
 * relative to `part` and `at`. */
void sg_insn_down(sg_insn *insn, const sg_map *map, int64_t rows);
void sg_insn_count_from(sg_insn *insn, int64_t part, int64_t at);

/* Whether b is a run and equals a moved `rows` rows down. */
bool sg_insn_is_down(const sg_insn *a, const sg_insn *b, const sg_map *map, int64_t rows);

/* Whether it copies from memory to memory. */
bool sg_insn_is_run(const sg_insn *insn);

/* Whether it stores each register to a vector in memory, unchanged. */
bool sg_insn_stores_vectors(const sg_insn *insn);

/* Whether it is a run of whole cache lines except at its ends. */
bool sg_insn_is_ragged(const sg_insn *insn);

/* Whether `is` holds for any instruction of the code. */
bool sg_code_has(const sg_code *code, bool (*is)(const sg_insn *));

/* How many times instructions read each register of the code. */
int *sg_body_uses(sg_arena *arena, const sg_code *code);

#endif
