/* Executes the vector program of a body on symbolic lanes: a register holds, for each lane, the
 * unit of the full tensor that it contains, and every store is checked against the expectation. The
 * effect of an instruction on lanes is in its row of opcodes.inc. */
#include "plan/verify/verify_vector.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"
#include "plan/verify/verify_folds.h"

/* A lane that holds no unit of the full tensor; used in opcodes.inc. */
#define NOTHING SG_NOTHING

typedef struct machine {
    sg_arena *arena;
    const sg_expectation *e;
    const sg_body *v;
    const sg_code *code;
    const sg_slice *slice;
    int64_t rows;      /* of the tile */
    int64_t vector;    /* bytes of one of the tiles in a register */
    int64_t *cells;    /* registers x lanes */
    bool *written;     /* per register */
    int64_t *combines; /* per part: bytes appended to its write combiner; a concat has the first */
    sg_interval *writes;
    int64_t nwrites;
    sg_interval *spoiled; /* of the full tensor: wrong bytes that are not overwritten yet */
    int64_t nspoiled;
} machine;

static const char *bad(const machine *m, int64_t i, const char *what)
{
    return sg_arena_printf(m->arena, "vector instruction %" PRId64 " %s", i, what);
}

/* Bytes of a tile, in the full tensor or a part. */
static int64_t tile_of(const machine *m, int64_t part)
{
    return sg_verify_extent(m->e, part, m->rows);
}

/* Resolves an operand on the side that is read or written: adds the offset of the slice. False if
 * it is on the other side or does not exist. */
static bool find_place(const machine *m, const sg_ref *operand, bool reads, sg_ref *place)
{
    *place = *operand;
    if (reads != m->e->map.joins) {
        place->at += m->slice->at;
        return operand->part == SG_WHOLE && operand->at <= tile_of(m, SG_WHOLE);
    }
    if (operand->part < 0 || operand->part >= SG_TILE_TENSORS ||
        operand->part >= m->e->map.nparts - m->slice->part) {
        return false;
    }
    place->part += m->slice->part;
    return true;
}

/* Whether `bytes` bytes from a place on are in the tile. */
static bool is_inside(const machine *m, sg_ref place, int64_t bytes)
{
    return place.at >= 0 && bytes > 0 && place.at <= tile_of(m, place.part) - bytes;
}

static int64_t *cell_of(const machine *m, int r, int lane)
{
    return &m->cells[(int64_t)r * m->v->lanes + lane];
}

/* Fills the lanes of a register from memory, `lane_step` lanes apart. */
static void fill(machine *m, const sg_insn *insn, sg_ref from, int r, int64_t first_lane,
                 int64_t lane_step)
{
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        const int64_t at = (first_lane + lane * lane_step) * m->v->lane_bytes;
        const sg_ref unit = {from.part, from.at + at / insn->bytes * insn->step + at % insn->bytes};
        *cell_of(m, r, lane) = sg_verify_moved(m->e, unit, m->v->lane_bytes);
    }
    m->written[r] = true;
}

/* Whether an instruction set can load and store pieces of `bytes` bytes, `step` apart. The printed
 * text distinguishes them from whole vectors by their step. */
static bool are_pieces(const machine *m, int64_t bytes, int64_t step)
{
    return m->vector % bytes == 0 && bytes % m->v->lane_bytes == 0 &&
           (bytes < m->vector ? step > 0 && bytes >= sg_isa_piece_min(m->v->isa) : step == 0);
}

static const char *load(machine *m, const sg_insn *insn, int64_t i)
{
    sg_ref from;
    if (!find_place(m, &insn->from, true, &from)) {
        return bad(m, i, "loads from nowhere");
    }
    if (insn->bytes < m->v->lane_bytes || m->vector % insn->bytes != 0 ||
        insn->bytes % m->v->lane_bytes != 0 || insn->step < 0 ||
        insn->step > tile_of(m, from.part)) {
        return bad(m, i, "loads no vector");
    }
    const int64_t pieces = m->vector / insn->bytes;
    if (!are_pieces(m, insn->bytes, insn->step)) {
        return bad(m, i, "loads pieces that its instruction set does not have");
    }
    if (!is_inside(m, from, (pieces - 1) * insn->step + insn->bytes)) {
        return bad(m, i, "loads outside what is read");
    }
    for (int64_t p = 0; p < pieces; ++p) {
        if (!sg_verify_in_row(m->e, (sg_ref){from.part, from.at + p * insn->step}, insn->bytes)) {
            return bad(m, i, "loads padding between rows");
        }
    }
    fill(m, insn, from, insn->reg, 0, 1);
    return NULL;
}

/* Deinterleaves k vectors into k registers. */
static const char *load_interleaved(machine *m, const sg_insn *insn, int64_t i)
{
    const int64_t k = insn->bytes / m->vector;
    sg_ref from;
    if (k < 2 || k > m->v->isa->interleaved_max || insn->bytes % m->vector != 0 ||
        insn->reg > m->code->registers - k) {
        return bad(m, i, "loads no vectors");
    }
    if (!find_place(m, &insn->from, true, &from) || !is_inside(m, from, insn->bytes)) {
        return bad(m, i, "loads outside what is read");
    }
    for (int r = 0; r < k; ++r) {
        if (m->written[insn->reg + r]) {
            return bad(m, i, "writes a register that is not its own");
        }
        fill(m, insn, from, insn->reg + r, r, k);
    }
    return NULL;
}

/* A lane of a register; NOTHING if it does not exist. */
static int64_t read_cell(const machine *m, int r, int lane)
{
    return lane >= 0 && lane < m->v->lanes ? *cell_of(m, r, lane) : NOTHING;
}

/* The result of a register instruction for one lane. */
static int64_t cell_after(const machine *m, const sg_insn *insn, int lane)
{
    static const sg_constant none = {.kind = SG_CONSTANT_NONE};
    const sg_constant *constant = insn->constant >= 0 ? &m->code->constants[insn->constant] : &none;
    const int c = constant->lanes[lane];
    switch (insn->op) {
#define LANES (m->v->lanes)
#define A(at) read_cell(m, insn->a, (at))
#define B(at) read_cell(m, insn->b, (at))
#define OPCODE(id, name, does, reads, constant, cell)                                              \
    case SG_INSN_##id:                                                                             \
        return cell;
#include "plan/opcodes.inc"
#undef OPCODE
#undef B
#undef A
#undef LANES
    case SG_OPCODES:
        break;
    }
    return NOTHING;
}

/* Upper bound of the lanes of an instruction's constant. */
static int limit_of(const machine *m, const sg_opcode_info *op)
{
    return op->constant == SG_CONSTANT_MASK ? 2 : m->v->lanes * op->reads;
}

/* Checks the registers and the constant that an instruction reads. */
static const char *check_operands(const machine *m, const sg_insn *insn, int64_t i)
{
    const sg_opcode_info *op = sg_opcode_get(insn->op);
    const int reads[] = {insn->a, insn->b};
    for (int k = 0; k < op->reads; ++k) {
        if (reads[k] < 0 || reads[k] >= m->code->registers || !m->written[reads[k]]) {
            return bad(m, i, "reads what was never written");
        }
    }
    if (op->constant == SG_CONSTANT_NONE) {
        return NULL;
    }
    if (insn->constant < 0 || insn->constant >= m->code->nconstants) {
        return bad(m, i, "names no constant");
    }
    const sg_constant *c = &m->code->constants[insn->constant];
    if (c->kind != op->constant) {
        return bad(m, i, "has a constant of the wrong kind");
    }
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        if (c->lanes[lane] >= limit_of(m, op)) {
            return bad(m, i, "picks a lane that does not exist");
        }
    }
    return NULL;
}

static void compute(machine *m, const sg_insn *insn)
{
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        *cell_of(m, insn->reg, lane) = cell_after(m, insn, lane);
    }
    m->written[insn->reg] = true;
}

/* Stores k registers interleaved. */
static const char *store_interleaved(const machine *m, const sg_insn *insn, sg_ref to, int64_t i)
{
    const int64_t k = insn->bytes / m->vector;
    if (k < 2 || k > m->v->isa->interleaved_max || insn->bytes % m->vector != 0 ||
        insn->a > m->code->registers - k) {
        return bad(m, i, "stores no vectors");
    }
    for (int64_t n = 0; n < k * m->v->lanes; ++n) {
        const int r = insn->a + (int)(n % k);
        const sg_ref unit = {to.part, to.at + n * m->v->lane_bytes};
        const int64_t gets = m->written[r] ? *cell_of(m, r, (int)(n / k)) : NOTHING;
        if (gets == NOTHING || gets != sg_verify_moved(m->e, unit, m->v->lane_bytes)) {
            return sg_verify_wrong(m->arena, m->e, i, unit, gets);
        }
    }
    return NULL;
}

/* Whether an instruction may store wrong bytes of the full tensor, before and after right ones, if
 * later instructions overwrite them. */
static bool may_spoil(const sg_insn *insn)
{
    return insn->op == SG_INSN_STORE && insn->to.part == SG_WHOLE;
}

static void spoil(machine *m, int64_t begin, int64_t end)
{
    if (begin < end) {
        m->spoiled[m->nspoiled++] = (sg_interval){.part = SG_WHOLE, .begin = begin, .end = end};
    }
}

/* Right bytes overwrite wrong ones, but for wrong ones on both sides of them. */
static void overwrite(machine *m, int64_t begin, int64_t end)
{
    int64_t n = 0;
    for (int64_t i = 0; i < m->nspoiled; ++i) {
        sg_interval left = m->spoiled[i];
        if (begin <= left.begin && left.begin < end) {
            left.begin = end;
        } else if (begin < left.end && left.end <= end) {
            left.end = begin;
        }
        if (left.begin < left.end) {
            m->spoiled[n++] = left;
        }
    }
    m->nspoiled = n;
}

/* Stores the lanes of a register from `first` on to `bytes` bytes. */
static const char *store_piece(machine *m, const sg_insn *insn, sg_ref to, int64_t bytes,
                               int64_t first, int64_t i)
{
    const int64_t cell = m->v->lane_bytes;
    const int64_t cells = bytes / cell;
    int64_t begin = cells; /* of the right lanes */
    int64_t end = 0;
    for (int64_t n = 0; n < cells; ++n) {
        const sg_ref unit = {to.part, to.at + n * cell};
        const int64_t gets = cell_after(m, insn, (int)(first + n));
        const bool right = gets != NOTHING && gets == sg_verify_moved(m->e, unit, cell);
        if (right ? end > 0 && end != n : !may_spoil(insn)) {
            return sg_verify_wrong(m->arena, m->e, i, unit, gets);
        }
        begin = right && begin == cells ? n : begin;
        end = right ? n + 1 : end;
    }
    if (may_spoil(insn)) {
        spoil(m, to.at, to.at + begin * cell);
        spoil(m, to.at + (end > begin ? end : cells) * cell, to.at + bytes);
        if (begin < end) {
            overwrite(m, to.at + begin * cell, to.at + end * cell);
            /* pieces of a row may overlap, since the last one ends with its columns */
            m->writes[m->nwrites++] = (sg_interval){.part = SG_WHOLE,
                                                    .begin = to.at + begin * cell,
                                                    .end = to.at + end * cell,
                                                    .may_overlap = true};
        }
    }
    return NULL;
}

static const char *store(machine *m, const sg_insn *insn, sg_ref to, int64_t i)
{
    const int64_t pieces = insn->step > 0 ? m->vector / insn->bytes : 1;
    if (insn->step > 0 ? !may_spoil(insn) || insn->step < insn->bytes ||
                             !are_pieces(m, insn->bytes, insn->step)
                       : insn->bytes != m->vector) {
        return bad(m, i, "stores no vector");
    }
    const char *flaw = NULL;
    for (int64_t p = 0; flaw == NULL && p < pieces; ++p) {
        const sg_ref at = {to.part, to.at + p * insn->step};
        flaw = store_piece(m, insn, at, insn->bytes, p * (insn->bytes / m->v->lane_bytes), i);
    }
    return flaw;
}

/* Bytes of a row that go through one write combiner. */
static int64_t combined_row(const machine *m, int64_t part)
{
    return m->e->map.joins ? m->e->map.row_stride : m->e->map.parts[part].width;
}

/* A write combiner appends, so each store must directly follow the previous one. The rows before it
 * fill at least one cache line, which the combiner reads when it begins. Every column belongs to
 * one slice, since otherwise it would be written twice; so the order of slices does not matter. */
static const char *append(machine *m, const sg_insn *insn, sg_ref to, int64_t i)
{
    const sg_body *v = m->v;
    if (v->write_combining == SG_WRITE_COMBINING_NEVER || v->isa->tiles != 1) {
        return bad(m, i, "goes through a write combiner, but there is none");
    }
    int64_t *appended = &m->combines[to.part == SG_WHOLE ? 0 : to.part];
    if (to.at != *appended) {
        return bad(m, i, "appends bytes to a write combiner that do not come next");
    }
    *appended += insn->bytes;
    const int64_t width = combined_row(m, to.part);
    if (v->prologue_rows < 1 || v->prologue_rows > v->planned_rows ||
        v->prologue_rows % v->rows_per_iteration != 0 || v->prologue_rows * width < SG_LINE_BYTES) {
        return bad(m, i, "begins write combining before a cache line is full");
    }
    return NULL;
}

/* Whether rows of what is written are contiguous, as instructions that store several rows require.
 * */
static bool is_dense(const machine *m, int64_t part)
{
    const sg_map *map = &m->e->map;
    int64_t covered = 0;
    if (part != SG_WHOLE) {
        return map->parts[part].row_stride == map->parts[part].width;
    }
    for (int64_t p = 0; p < map->nparts; ++p) {
        covered += map->parts[p].width;
    }
    return covered == map->row_stride;
}

/* Resolves and checks the place that an instruction writes. */
static const char *write(machine *m, const sg_insn *insn, sg_ref *to, int64_t i)
{
    if (!find_place(m, &insn->to, false, to)) {
        return bad(m, i, "writes a column that does not exist");
    }
    const int64_t pieces = insn->step > 0 && insn->bytes > 0 ? m->vector / insn->bytes : 1;
    int64_t further = 0;
    if (insn->bytes < 1 || insn->step < 0 || !sg_mul64(pieces - 1, insn->step, &further) ||
        further > tile_of(m, to->part) ||
        !is_inside(m, (sg_ref){to->part, to->at + further}, insn->bytes) ||
        !is_inside(m, *to, insn->bytes)) {
        return bad(m, i, "writes outside what is written");
    }
    if (insn->op == SG_INSN_VECTORS && insn->bytes < m->vector) {
        return bad(m, i, "copies less than a vector by vectors");
    }
    if (!may_spoil(insn)) { /* store_piece() does it otherwise */
        m->writes[m->nwrites++] =
            (sg_interval){.part = to->part, .begin = to->at, .end = to->at + insn->bytes};
        overwrite(m, to->at, to->at + insn->bytes);
    }
    const sg_map *map = &m->e->map;
    const int64_t stride = to->part == SG_WHOLE ? map->row_stride : map->parts[to->part].row_stride;
    const bool begins = sg_insn_is_run(insn) && stride % SG_LINE_BYTES == 0 && !insn->combines;
    const bool lines =
        sg_insn_stores_vectors(insn) || insn->op == SG_INSN_INTERLEAVE || insn->lines;
    if ((insn->combines || (m->v->allows_non_temporal && lines && !insn->ragged)) &&
        !is_dense(m, to->part) && !begins) {
        return bad(m, i, "writes by lines where rows lie apart");
    }
    return insn->combines ? append(m, insn, *to, i) : NULL;
}

static const char *run(const machine *m, const sg_insn *insn, sg_ref to, int64_t i)
{
    sg_ref from;
    if (!find_place(m, &insn->from, true, &from) || !is_inside(m, from, insn->bytes)) {
        return bad(m, i, "reads outside what is read");
    }
    return sg_verify_run(m->arena, m->e, m->rows, to, from, insn->bytes, i);
}

static const char *execute(machine *m, const sg_insn *insn, int64_t i)
{
    if (insn->op >= SG_OPCODES) {
        return bad(m, i, "is unknown");
    }
    const sg_opcode_info *op = sg_opcode_get(insn->op);
    const bool fills = op->does == SG_DOES_LOAD || op->does == SG_DOES_ALU;
    if (fills && (insn->reg < 0 || insn->reg >= m->code->registers || m->written[insn->reg])) {
        return bad(m, i, "writes a register that is not its own");
    }
    const bool writes = op->does == SG_DOES_RUN || op->does == SG_DOES_STORE;
    const char *flaw = check_operands(m, insn, i);
    sg_ref to;
    if (flaw == NULL && writes) {
        flaw = write(m, insn, &to, i);
    }
    if (flaw != NULL) {
        return flaw;
    }
    switch (op->does) {
    case SG_DOES_LOAD:
        return insn->op == SG_INSN_LOAD ? load(m, insn, i) : load_interleaved(m, insn, i);
    case SG_DOES_ALU:
        compute(m, insn);
        return NULL;
    case SG_DOES_STORE:
        return sg_insn_stores_vectors(insn) ? store(m, insn, to, i)
                                            : store_interleaved(m, insn, to, i);
    case SG_DOES_RUN:
        return run(m, insn, to, i);
    case SG_DOES_PREFETCH:
        /* has no effect, but its place is printed */
        return insn->from.part >= m->e->map.nparts ? bad(m, i, "names no column") : NULL;
    }
    return NULL;
}

/* Executes one slice over one tile. */
static const char *run_slice(machine *m)
{
    const sg_code *code = m->code;
    m->cells = SG_NEW_ARRAY(m->arena, int64_t, (int64_t)code->registers * m->v->lanes);
    m->written = SG_NEW_ARRAY(m->arena, bool, code->registers);
    m->nspoiled = 0;
    const char *flaw = NULL;
    for (int64_t i = 0; flaw == NULL && i < code->ninsns; ++i) {
        flaw = execute(m, &code->insns[i], i);
    }
    if (flaw == NULL && m->nspoiled > 0) {
        flaw = sg_arena_printf(m->arena, "byte %" PRId64 " of the whole is left wrong",
                               m->spoiled[0].begin);
    }
    if (flaw == NULL) {
        flaw = sg_verify_folds(&m->e->map, code->insns, code->ninsns, code->folds, code->nfolds);
    }
    if (flaw != NULL) {
        return flaw;
    }
    for (int64_t p = 0; p < m->e->map.nparts; ++p) {
        if (m->combines[p] != 0 && m->combines[p] != m->rows * combined_row(m, p)) {
            return "a write combiner does not get all of its column";
        }
    }
    return NULL;
}

/* Whether the printed code for slice `as` also fits slice `column`: the parts have the same
 * distances in the array, and the same row strides. */
static bool is_printed_as(const sg_map *map, const sg_code *code, int64_t column, int64_t as)
{
    bool same = true;
    for (int64_t i = 0; same && i < code->ninsns; ++i) {
        const int64_t part = sg_insn_in_part(&code->insns[i])->part;
        /* a part that does not exist is reported when the instruction is executed */
        if (part >= 0 && part < map->nparts - column && part < map->nparts - as) {
            const sg_map_part *x = &map->parts[column + part];
            const sg_map_part *y = &map->parts[as + part];
            same = x->row_stride == y->row_stride &&
                   x->tensor - map->parts[column].tensor == y->tensor - map->parts[as].tensor;
        }
    }
    return same;
}

const char *sg_verify_body(sg_arena *arena, const sg_expectation *e, const sg_body *v)
{
    machine m = {.arena = arena, .e = e, .v = v, .rows = v->tile_rows, .vector = v->isa->unit};
    if (v->rows_per_iteration < 1 || v->tile_rows < 1 ||
        v->tile_rows > v->planned_rows / v->isa->tiles ||
        v->rows_per_iteration % (v->tile_rows * v->isa->tiles) != 0 ||
        v->rows_per_iteration > v->planned_rows || v->block_rows < v->rows_per_iteration ||
        v->block_rows % v->rows_per_iteration != 0 || v->lanes < 1 || v->lanes > SG_LANES_MAX ||
        v->lanes * v->lane_bytes != m.vector) {
        return "the shape of a variant does not fit its instruction set";
    }
    const int64_t pieces = m.vector / sg_isa_piece_min(v->isa);
    int64_t writes = 0;
    int64_t longest = 0;
    const sg_slice **first = SG_NEW_ARRAY(arena, const sg_slice *, v->ncodes);
    for (int64_t s = 0; s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        if (slice->code < 0 || slice->code >= v->ncodes || slice->part < 0 ||
            slice->part >= e->map.nparts || slice->at < 0 || slice->at >= e->map.row_stride) {
            return "a slice has no such code or place";
        }
        const int64_t ninsns = v->codes[slice->code].ninsns;
        writes += pieces * ninsns;
        longest = ninsns > longest ? ninsns : longest;
        first[slice->code] = first[slice->code] == NULL ? slice : first[slice->code];
        if (!is_printed_as(&e->map, &v->codes[slice->code], slice->part,
                           first[slice->code]->part)) {
            return "a slice differs from the first one of its code";
        }
    }
    m.writes = SG_NEW_ARRAY(arena, sg_interval, writes);
    m.spoiled = SG_NEW_ARRAY(arena, sg_interval, 2 * pieces * longest);
    m.combines = SG_NEW_ARRAY(arena, int64_t, e->map.nparts);
    for (int64_t s = 0; s < v->nslices; ++s) {
        m.slice = &v->slices[s];
        m.code = &v->codes[m.slice->code];
        const char *flaw = run_slice(&m);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return sg_verify_cover(arena, e, m.rows, m.writes, m.nwrites);
}
