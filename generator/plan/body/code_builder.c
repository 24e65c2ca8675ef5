/* The code of a body under construction: equal instructions and constants are made once. */
#include "plan/body/code_builder.h"

#include <string.h>

#include "plan/insn.h"
#include "plan/plan.h"

/* Number of hash chains: a power of two. */
#define CHAINS 512

void sg_code_builder_clear(sg_code_builder *b)
{
    b->code->ninsns = 0;
    b->code->nconstants = 0;
    b->code->registers = 0;
    if (b->heads == NULL) {
        b->heads = SG_NEW_ARRAY(b->arena, int64_t, CHAINS);
    }
    memset(b->heads, -1, CHAINS * sizeof *b->heads);
}

static void *grown(sg_arena *arena, const void *items, int64_t count, int64_t capacity, size_t size)
{
    void *to = sg_arena_array(arena, (size_t)capacity, size);
    if (count > 0) {
        memcpy(to, items, (size_t)count * size);
    }
    return to;
}

sg_insn *sg_code_builder_reserve(sg_code_builder *b, int64_t insns)
{
    sg_code *code = b->code;
    if (code->ninsns + insns > b->insns_capacity) {
        b->insns_capacity = 2 * (code->ninsns + insns) + 64;
        code->insns =
            grown(b->arena, code->insns, code->ninsns, b->insns_capacity, sizeof *code->insns);
        b->nexts = grown(b->arena, b->nexts, code->ninsns, b->insns_capacity, sizeof *b->nexts);
    }
    return &code->insns[code->ninsns];
}

void sg_code_builder_append(sg_code_builder *b, sg_insn insn)
{
    *sg_code_builder_reserve(b, 1) = insn;
    ++b->code->ninsns;
}

/* --- constants -------------------------------------------------------------------------------- */

/* Sets the highest bit of every nonzero byte and clears all other bits; bytes do not carry. */
static uint64_t differ(uint64_t word)
{
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    return (((word & low) + low) | word) & ~low;
}

/* Whether all lanes that matter to both are equal. Compares eight lanes at a time, since every
 * column group compares its constants with all existing ones. */
static bool agree(const sg_code_builder *b, const uint8_t *x, const uint8_t *y)
{
    int i = 0;
    for (; i + 8 <= b->lanes; i += 8) {
        uint64_t v = 0;
        uint64_t w = 0;
        memcpy(&v, &x[i], sizeof v);
        memcpy(&w, &y[i], sizeof w);
        /* SG_LANE_DONT_CARE is all ones */
        if ((differ(v ^ w) & differ(~v) & differ(~w)) != 0) {
            return false;
        }
    }
    for (; i < b->lanes; ++i) {
        if (x[i] != y[i] && x[i] != SG_LANE_DONT_CARE && y[i] != SG_LANE_DONT_CARE) {
            return false;
        }
    }
    return true;
}

/* Merges two constants that agree: don't-care lanes take the value of the other one. */
static void join(const sg_code_builder *b, uint8_t *to, const uint8_t *from)
{
    for (int i = 0; i < b->lanes; ++i) {
        to[i] = to[i] == SG_LANE_DONT_CARE ? from[i] : to[i];
    }
}

int64_t sg_code_builder_constant(sg_code_builder *b, sg_opcode op, const uint8_t *lanes)
{
    sg_code *code = b->code;
    const sg_constant_kind kind = sg_opcode_get(op)->constant;
    for (int64_t i = 0; i < code->nconstants; ++i) {
        sg_constant *c = &code->constants[i];
        /* one-source and two-source permutes have different ranges of lane numbers */
        if (c->kind == kind && c->op == op && agree(b, c->lanes, lanes)) {
            join(b, c->lanes, lanes);
            return i;
        }
    }
    if (code->nconstants == b->constants_capacity) {
        b->constants_capacity = 2 * code->nconstants + 64;
        code->constants = grown(b->arena, code->constants, code->nconstants, b->constants_capacity,
                                sizeof *code->constants);
    }
    sg_constant *c = &code->constants[code->nconstants];
    *c = (sg_constant){.kind = kind, .op = op};
    memcpy(c->lanes, lanes, (size_t)b->lanes);
    return code->nconstants++;
}

/* --- instructions ----------------------------------------------------------------------------- */

/* Whether instructions are equal except for their constants. */
static bool equal(const sg_insn *x, const sg_insn *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->from.part == y->from.part &&
           x->from.at == y->from.at && x->bytes == y->bytes && x->step == y->step;
}

/* Adds a word to a hash: multiplies, then mixes in the high bits, which depend on all lower ones.
 * */
static uint64_t mix(uint64_t hash, int64_t word)
{
    hash = (hash ^ (uint64_t)word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static int64_t *head_of(const sg_code_builder *b, const sg_insn *x)
{
    const uint64_t hash = mix(mix(mix(mix((uint64_t)x->op, x->a), x->b), x->from.part), x->from.at);
    return &b->heads[mix(mix(hash, x->bytes), x->step) % CHAINS];
}

int sg_code_builder_register(sg_code_builder *b, sg_insn insn, const uint8_t *lanes)
{
    sg_code *code = b->code;
    int64_t *head = head_of(b, &insn);
    int64_t found = -1;
    for (int64_t i = *head; i >= 0; i = b->nexts[i]) {
        const sg_insn *there = &code->insns[i];
        if (equal(there, &insn) &&
            (lanes == NULL || agree(b, code->constants[there->constant].lanes, lanes))) {
            found = i; /* ends as the oldest one */
        }
    }
    if (found >= 0) {
        /* lanes that were don't-care get their value from the new constant */
        if (lanes != NULL) {
            join(b, code->constants[code->insns[found].constant].lanes, lanes);
        }
        return code->insns[found].reg;
    }
    insn.constant = lanes != NULL ? sg_code_builder_constant(b, insn.op, lanes) : -1;
    insn.reg = code->registers;
    sg_code_builder_append(b, insn);
    b->nexts[code->ninsns - 1] = *head;
    *head = code->ninsns - 1;
    return code->registers++;
}

/* --- going back ------------------------------------------------------------------------------- */

sg_code_builder_mark sg_code_builder_here(const sg_code_builder *b)
{
    const sg_code *code = b->code;
    sg_code_builder_mark mark = {.ninsns = code->ninsns,
                                 .nconstants = code->nconstants,
                                 .registers = code->registers,
                                 .constants =
                                     SG_NEW_ARRAY(b->arena, sg_constant, code->nconstants)};
    for (int64_t i = 0; i < code->nconstants; ++i) {
        mark.constants[i] = code->constants[i];
    }
    return mark;
}

void sg_code_builder_back_to(sg_code_builder *b, const sg_code_builder_mark *mark)
{
    sg_code *code = b->code;
    while (code->ninsns > mark->ninsns) {
        const int64_t i = --code->ninsns;
        int64_t *head = head_of(b, &code->insns[i]);
        *head = *head == i ? b->nexts[i] : *head; /* some instructions are in no chain */
    }
    code->nconstants = mark->nconstants;
    code->registers = mark->registers;
    for (int64_t i = 0; i < mark->nconstants; ++i) {
        code->constants[i] = mark->constants[i];
    }
}
