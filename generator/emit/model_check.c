/* Reads the constants of a vector variant back as its instructions do in C, and compares the bytes
 * they move with the program that was proved. The proof is of the program, so a misspelled constant
 * would make wrong C of a proved plan. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emit/model.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* For each byte of a unit, the byte of two concatenated units, a and b, that an index or a mask
 * puts there. */
typedef struct moved {
    int64_t from[SG_LANES_MAX];
} moved;

static bool is(const char *op, const char *name)
{
    return strcmp(op, name) == 0;
}

static moved by_program(const sg_body *v, const sg_insn *insn, const sg_constant *c)
{
    const int64_t lane_bytes = v->lane_bytes;
    moved m = {{0}};
    for (int64_t i = 0; i < v->isa->unit; ++i) {
        const int64_t lane = c->lanes[i / lane_bytes];
        m.from[i] = insn->op == SG_INSN_BLEND ? (lane != 0 ? v->isa->unit : 0) + i
                                              : lane * lane_bytes + i % lane_bytes;
    }
    return m;
}

/* Alternating elements of a and b, from the same half of every SG_UNPACK_BYTES. */
static moved by_unpack(const sg_body *v, const char *half)
{
    moved m = {{0}};
    for (int64_t i = 0; i < v->isa->unit; ++i) {
        const int64_t element = i % SG_UNPACK_BYTES / v->lane_bytes;
        const int64_t begin =
            i / SG_UNPACK_BYTES * SG_UNPACK_BYTES + (is(half, "hi") ? SG_UNPACK_BYTES / 2 : 0);
        m.from[i] =
            element % 2 * v->isa->unit + begin + element / 2 * v->lane_bytes + i % v->lane_bytes;
    }
    return m;
}

/* A mask with a bit for every `bytes` bytes: those of b where it is 1. */
static moved by_bits(const sg_body *v, const char *number, int64_t bytes)
{
    const uint64_t bits = strtoull(number, NULL, 16);
    moved m = {{0}};
    for (int64_t i = 0; i < v->isa->unit; ++i) {
        m.from[i] = i + ((bits >> (i / bytes) & 1U) != 0 ? v->isa->unit : 0);
    }
    return m;
}

/* The byte indices in a list separated by commas. */
static moved by_numbers(const sg_body *v, const char *numbers)
{
    moved m = {{0}};
    for (int64_t i = 0; i < v->isa->unit; ++i) {
        char *end = NULL;
        m.from[i] = strtoll(numbers, &end, 10);
        numbers = *end == ',' ? end + 1 : end;
    }
    return m;
}

/* The part of an array that one tile of a register uses. */
static moved by_array(const sg_body *v, const sg_model_constant *c, bool mask, int64_t way)
{
    const int64_t bytes = v->isa->unit * v->isa->tiles / c->nvalues;
    const int64_t *values = c->values + way * v->isa->unit / bytes;
    moved m = {{0}};
    for (int64_t i = 0; i < v->isa->unit; ++i) {
        const int64_t value = values[i / bytes];
        m.from[i] = mask ? i + (value != 0 ? v->isa->unit : 0) : value * bytes + i % bytes;
    }
    return m;
}

static moved by_text(const sg_body *v, const sg_model_vector_insn *insn, const sg_model_constant *c,
                     int64_t way)
{
    const bool mask = is(insn->op, "blend") || is(insn->op, "select");
    return is(insn->op, "unpack")        ? by_unpack(v, c->literal)
           : is(insn->op, "blend_words") ? by_bits(v, c->literal, 2)
           : is(insn->op, "shuffle")     ? by_numbers(v, c->literal)
           : c->is_array                 ? by_array(v, c, mask, way)
           : v->isa->mask_unit > 0       ? by_bits(v, c->literal, v->isa->mask_unit)
                                         : by_bits(v, c->literal, v->lane_bytes);
}

bool sg_model_moves_as(const sg_body *v, const sg_code *from, const sg_model_vector_insn *insn,
                       const sg_model_constant *constants)
{
    const int64_t constant = insn->proved->constant;
    if (constant < 0) {
        return true;
    }
    const moved wanted = by_program(v, insn->proved, &from->constants[constant]);
    for (int64_t way = 0; way < v->isa->tiles; ++way) {
        const moved got = by_text(v, insn, &constants[constant], way);
        if (memcmp(&wanted, &got, sizeof got) != 0) {
            return false;
        }
    }
    return true;
}
