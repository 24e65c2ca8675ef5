/* Programs of vectors over bits being written: equal instructions and constants are made once. */
#include "plan/bits/bit_writer.h"

#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/plan.h"

#define V SG_BIT_VECTOR

static bool equal(const sg_bit_insn *x, const sg_bit_insn *y)
{
    return x->op == y->op && x->a == y->a && x->b == y->b && x->constant == y->constant &&
           x->column == y->column && x->at == y->at && x->bytes == y->bytes;
}

/* Multiplies and takes the high bits, which all lower ones have a part in. */
static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint32_t hash_of(const sg_bit_insn *x)
{
    uint64_t hash = mix((uint64_t)x->op, (uint64_t)x->a);
    hash = mix(hash, (uint64_t)x->b);
    hash = mix(hash, (uint64_t)x->constant);
    hash = mix(hash, (uint64_t)x->column);
    hash = mix(hash, (uint64_t)x->at);
    return (uint32_t)mix(hash, (uint64_t)x->bytes);
}

static uint32_t hash_of_lanes(sg_constant_kind kind, const uint8_t *lanes)
{
    uint64_t hash = (uint64_t)kind;
    for (size_t i = 0; i < V; i += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, &lanes[i], sizeof word);
        hash = mix(hash, word);
    }
    return (uint32_t)hash;
}

void sg_bit_clear(sg_bit_writer *w)
{
    w->full = false;
    w->ninsns = 0;
    w->nconstants = 0;
    w->nloads = 0;
    memset(w->insn_head, -1, sizeof w->insn_head);
    memset(w->constant_head, -1, sizeof w->constant_head);
}

int sg_bit_add(sg_bit_writer *w, sg_bit_insn insn)
{
    const uint32_t hash = hash_of(&insn);
    int *head = &w->insn_head[hash % SG_BIT_INSN_CHAINS];
    for (int i = *head; i >= 0; i = w->insn_next[i]) {
        if (w->insn_hash[i] == hash && equal(&w->insns[i], &insn)) {
            return i;
        }
    }
    if (w->ninsns == SG_BIT_INSNS_MAX) {
        w->full = true;
        return 0;
    }
    w->insns[w->ninsns] = insn;
    w->insn_hash[w->ninsns] = hash;
    w->insn_next[w->ninsns] = *head;
    *head = w->ninsns;
    if (insn.op == SG_BIT_LOAD) {
        w->loads[w->nloads++] = w->ninsns;
    }
    return w->ninsns++;
}

int64_t sg_bit_add_constant(sg_bit_writer *w, sg_constant_kind kind, const uint8_t *lanes)
{
    const uint32_t hash = hash_of_lanes(kind, lanes);
    int *head = &w->constant_head[hash % SG_BIT_CONSTANT_CHAINS];
    for (int i = *head; i >= 0; i = w->constant_next[i]) {
        if (w->constant_hash[i] == hash && w->constants[i].kind == kind &&
            memcmp(w->constants[i].lanes, lanes, V) == 0) {
            return i;
        }
    }
    if (w->nconstants == SG_BIT_CONSTANTS_MAX) {
        w->full = true;
        return 0;
    }
    w->constants[w->nconstants] = (sg_constant){.kind = kind};
    memcpy(w->constants[w->nconstants].lanes, lanes, V);
    w->constant_hash[w->nconstants] = hash;
    w->constant_next[w->nconstants] = *head;
    *head = w->nconstants;
    return w->nconstants++;
}

int sg_bit_add_insn(sg_bit_writer *w, sg_bit_opcode_vector op, int a, int b, sg_constant_kind kind,
                    const uint8_t *lanes)
{
    const int64_t constant = sg_bit_add_constant(w, kind, lanes);
    return sg_bit_add(w, (sg_bit_insn){.op = op, .a = a, .b = b, .constant = constant});
}

int64_t sg_bit_column_bytes(const sg_bit_writer *w, int64_t column)
{
    return 8 * w->in_bytes / w->bits->row_bits * w->bits->columns[column].width / 8;
}

sg_bit_mark sg_bit_here(const sg_bit_writer *w)
{
    return (sg_bit_mark){w->ninsns, w->nconstants, w->nloads, w->full};
}

void sg_bit_go_back(sg_bit_writer *w, sg_bit_mark to)
{
    while (w->ninsns > to.ninsns) {
        const int i = --w->ninsns;
        w->insn_head[w->insn_hash[i] % SG_BIT_INSN_CHAINS] = w->insn_next[i];
    }
    while (w->nconstants > to.nconstants) {
        const int i = --w->nconstants;
        w->constant_head[w->constant_hash[i] % SG_BIT_CONSTANT_CHAINS] = w->constant_next[i];
    }
    w->nloads = to.nloads;
    w->full = to.full;
}
