/* Properties of single instructions. */
#include "plan/insn.h"

#include "base/checked.h"
#include "plan/layout.h"
#include "plan/plan.h"

const sg_opcode_info *sg_opcode_get(sg_opcode op)
{
    static const sg_opcode_info rows[] = {
#define OPCODE(id, name, does, reads, constant, cell)                                              \
    [SG_INSN_##id] = {name, SG_DOES_##does, reads, SG_CONSTANT_##constant},
#include "plan/opcodes.inc"
#undef OPCODE
    };
    return &rows[op];
}

sg_insn sg_insn_new(sg_opcode op)
{
    return (sg_insn){.op = op,
                     .to.part = SG_WHOLE,
                     .from.part = SG_WHOLE,
                     .reg = -1,
                     .a = -1,
                     .b = -1,
                     .constant = -1};
}

void sg_insn_between(sg_insn *insn, const sg_map *map, int64_t part, int64_t in_part,
                     int64_t in_whole)
{
    const sg_ref of_part = {.part = part, .at = in_part};
    const sg_ref of_whole = {.part = SG_WHOLE, .at = in_whole};
    insn->to = map->joins ? of_whole : of_part;
    insn->from = map->joins ? of_part : of_whole;
}

const sg_ref *sg_insn_in_part(const sg_insn *insn)
{
    return insn->to.part != SG_WHOLE ? &insn->to : &insn->from;
}

const sg_ref *sg_insn_in_whole(const sg_insn *insn)
{
    return insn->to.part != SG_WHOLE ? &insn->from : &insn->to;
}

static void go_down(sg_ref *ref, const sg_map *map, int64_t rows)
{
    ref->at += rows * sg_map_stride(map, ref->part);
}

void sg_insn_down(sg_insn *insn, const sg_map *map, int64_t rows)
{
    go_down(&insn->to, map, rows);
    go_down(&insn->from, map, rows);
}

static bool is_down(const sg_ref *a, const sg_ref *b, const sg_map *map, int64_t rows)
{
    int64_t bytes = 0;
    int64_t at = 0;
    return a->part == b->part && sg_mul64(rows, sg_map_stride(map, a->part), &bytes) &&
           sg_add64(a->at, bytes, &at) && b->at == at;
}

bool sg_insn_is_down(const sg_insn *a, const sg_insn *b, const sg_map *map, int64_t rows)
{
    return sg_insn_is_run(a) && a->op == b->op && is_down(&a->to, &b->to, map, rows) &&
           is_down(&a->from, &b->from, map, rows) && a->bytes == b->bytes &&
           a->overrun == b->overrun && a->combines == b->combines && a->lines == b->lines &&
           a->ragged == b->ragged && a->copy == b->copy;
}

static void count_from(sg_ref *ref, int64_t part, int64_t at)
{
    if (ref->part == SG_WHOLE) {
        ref->at -= at;
    } else {
        ref->part -= part;
    }
}

void sg_insn_count_from(sg_insn *insn, int64_t part, int64_t at)
{
    count_from(&insn->to, part, at);
    count_from(&insn->from, part, at);
}

bool sg_insn_is_run(const sg_insn *insn)
{
    return sg_opcode_get(insn->op)->does == SG_DOES_RUN;
}

bool sg_insn_stores_vectors(const sg_insn *insn)
{
    return insn->op == SG_INSN_STORE;
}

bool sg_insn_is_ragged(const sg_insn *insn)
{
    return insn->ragged;
}

bool sg_code_has(const sg_code *code, bool (*is)(const sg_insn *))
{
    bool any = false;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        any = any || is(&code->insns[i]);
    }
    return any;
}

int *sg_body_uses(sg_arena *arena, const sg_code *code)
{
    int *uses = SG_NEW_ARRAY(arena, int, code->registers);
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const int reads[] = {code->insns[i].a, code->insns[i].b};
        for (int k = 0; k < sg_opcode_get(code->insns[i].op)->reads; ++k) {
            ++uses[reads[k]];
        }
    }
    return uses;
}
