/* Builds an iteration of vectors over bits. A register has the number of the instruction that fills
 * it. */
#ifndef SG_PLAN_BITS_BIT_WRITER_H
#define SG_PLAN_BITS_BIT_WRITER_H

#include "plan/bits/bit_program.h"
#include "plan/body/code_builder.h"
#include "plan/plan.h"

/* Maximum number of instructions and constants of one iteration: about 20 KiB of code and 8 KiB of
 * constants. */
#define SG_BIT_INSNS_MAX     768
#define SG_BIT_CONSTANTS_MAX 128

/* Number of masks that the compiler keeps in mask registers. */
#define SG_BIT_MASKS_KEPT 7

/* Number of constant vectors that stay in registers; the others are loaded at every use. */
#define SG_BIT_CONSTANTS_KEPT 22

typedef struct sg_bit_writer {
    const sg_map *map;
    bool msb;
    int64_t in_bytes; /* bytes of the input that belong to an iteration, at least a vector */
    int64_t origin; /* first byte of the input that the current part uses; gathers load at multiples
                       of a vector from there */
    bool aligned;   /* origins are multiples of a vector */
    sg_code code;
    sg_code_builder builder; /* of `code` */
} sg_bit_writer;

/* A writer of an empty iteration; the caller sets in_bytes. */
sg_bit_writer *sg_bit_writer_new(sg_arena *arena, const sg_map *map, bool msb);

/* Both return the register written; `lanes` are those of the constant. */
int sg_bit_load(sg_bit_writer *w, int64_t src);
int sg_bit_alu(sg_bit_writer *w, sg_opcode op, int a, int b, const uint8_t *lanes);

/* A store or, with lanes, a test-to-mask store. */
void sg_bit_store(sg_bit_writer *w, int a, int64_t column, int64_t dst, int64_t bytes,
                  const uint8_t *lanes);

/* Bytes of a column in an iteration. */
int64_t sg_bit_column_bytes(const sg_bit_writer *w, int64_t column);

#endif
