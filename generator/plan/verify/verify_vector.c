/* Executes the vector program of a variant on symbolic cells: a register holds, per lane of bytes
 * or per bit, where in the input it was, and every store is checked against the split. What an
 * instruction does to cells is in its row of opcodes.inc. */
#include "plan/verify/verify_vector.h"

#include <inttypes.h>

#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"

/* What a cell holds: where it was in the window, in units, or NOTHING. */
#define NOTHING INT64_C(-1)

typedef struct machine {
    sg_arena *arena;
    const sg_expectation *e;
    const sg_variant *v;
    const sg_body *body;
    const sg_slice *slice;
    int64_t rows;   /* of the window */
    int64_t vector; /* bytes of a register as far as one of the isa's units goes */
    int64_t byte;   /* units in a byte: 1, or 8 where they are bits */
    int bits;       /* cells of a lane: 1, or one for each of its bits */
    int64_t *cells; /* registers x lanes x bits */
    bool *written;  /* per register */
    int64_t *fed;   /* per column: bytes that were appended to its write combiner */
    sg_interval *writes;
    int64_t nwrites;
} machine;

static const char *bad(const machine *m, int64_t i, const char *what)
{
    return sg_arena_printf(m->arena, "vector instruction %" PRId64 " %s", i, what);
}

/* Units of the input in a window. */
static int64_t window_of(const machine *m)
{
    return m->rows * m->e->row_bytes;
}

/* A unit of memory as registers count them, in the machine's order, and as streams do. */
static int64_t in_stream(const machine *m, int64_t unit)
{
    return m->e->msb ? unit / 8 * 8 + 7 - unit % 8 : unit;
}

static int64_t *cell_of(const machine *m, int r, int lane, int bit)
{
    return &m->cells[((int64_t)r * m->v->lanes + lane) * m->bits + bit];
}

/* Cells of a register from the input, `lane_step` lanes apart. */
static void fill(machine *m, const sg_insn *insn, int r, int64_t first_lane, int64_t lane_step)
{
    const int64_t cell = m->v->lane_bytes * m->byte / m->bits;
    const int64_t piece = m->byte * insn->bytes;
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        for (int bit = 0; bit < m->bits; ++bit) {
            const int64_t at =
                (first_lane + lane * lane_step) * m->v->lane_bytes * m->byte + bit * cell;
            *cell_of(m, r, lane, bit) = in_stream(
                m, m->byte * (insn->src + m->slice->src + at / piece * insn->step) + at % piece);
        }
    }
    m->written[r] = true;
}

static const char *load(machine *m, const sg_insn *insn, int64_t i)
{
    const int64_t window = window_of(m) / m->byte;
    if (insn->bytes < m->v->lane_bytes || m->vector % insn->bytes != 0 ||
        insn->bytes % m->v->lane_bytes != 0 || insn->step < 0 || insn->step > window ||
        insn->src > window) {
        return bad(m, i, "loads no vector");
    }
    const int64_t src = insn->src + m->slice->src;
    const int64_t pieces = m->vector / insn->bytes;
    if (src < 0 || src > window - (pieces - 1) * insn->step - insn->bytes) {
        return bad(m, i, "loads outside the input");
    }
    fill(m, insn, insn->reg, 0, 1);
    return NULL;
}

/* Takes k vectors apart into k registers. */
static const char *load_interleaved(machine *m, const sg_insn *insn, int64_t i)
{
    const int64_t window = window_of(m) / m->byte;
    const int64_t k = insn->bytes / m->vector;
    if (k < 2 || k > m->v->isa->interleaved_max || insn->bytes % m->vector != 0 ||
        insn->reg > m->body->registers - k) {
        return bad(m, i, "loads no vectors");
    }
    if (insn->src < 0 || insn->src > window || insn->src + m->slice->src > window - insn->bytes) {
        return bad(m, i, "loads outside the input");
    }
    for (int r = 0; r < k; ++r) {
        if (m->written[insn->reg + r]) {
            return bad(m, i, "writes a register that is not its own");
        }
        fill(m, insn, insn->reg + r, r, k);
    }
    return NULL;
}

/* A cell of a register; NOTHING where there is none. */
static int64_t read_cell(const machine *m, int r, int lane, int bit)
{
    const bool there = lane >= 0 && lane < m->v->lanes && bit >= 0 && bit < m->bits;
    return there ? *cell_of(m, r, lane, bit) : NOTHING;
}

/* The place of the only one in a lane of a constant; -1 where it has none or others. */
static int only_one(const sg_constant *c, int lane)
{
    for (int bit = 0; bit < 8 && lane < SG_LANES_MAX; ++bit) {
        if (c->lanes[lane] == 1U << bit) {
            return bit;
        }
    }
    return -1;
}

/* A bit of two lanes behind each other. */
static int64_t read_pair(const machine *m, int r, int pair, int bit)
{
    return bit < 0 ? NOTHING : read_cell(m, r, 2 * pair + bit / 8, bit < 16 ? bit % 8 : -1);
}

/* What an instruction that reads registers puts into one cell. */
static int64_t cell_after(const machine *m, const sg_insn *insn, int lane, int bit)
{
    static const sg_constant none = {.kind = SG_CONSTANT_NONE};
    const sg_constant *constant = insn->constant >= 0 ? &m->body->constants[insn->constant] : &none;
    const int c = constant->lanes[lane];
    switch (insn->op) {
#define LANES      (m->v->lanes)
#define A(at, bit) read_cell(m, insn->a, (at), (bit))
#define B(at, bit) read_cell(m, insn->b, (at), (bit))
#define ONE(at)    only_one(constant, (at))
#define SHIFT      (constant->lanes[lane / 2 * 2] + 256 * constant->lanes[lane / 2 * 2 + 1])
#define PAIR(at)   read_pair(m, insn->a, lane / 2, (at))
#define OPCODE(id, name, does, reads, constant, over, merges, port, cell)                          \
    case SG_INSN_##id:                                                                             \
        return cell;
#include "plan/opcodes.inc"
#undef OPCODE
#undef PAIR
#undef SHIFT
#undef ONE
#undef B
#undef A
#undef LANES
    case SG_OPCODES:
        break;
    }
    return NOTHING;
}

/* Lanes of its constant are below this. */
static int limit_of(const machine *m, const sg_opcode_info *op)
{
    if (op->constant == SG_CONSTANT_MASK) {
        return 2;
    }
    return op->over == SG_OVER_BITS ? UINT8_MAX + 1 : m->v->lanes * op->reads;
}

/* Registers and the constant an instruction reads. */
static const char *check_operands(const machine *m, const sg_insn *insn, int64_t i)
{
    const sg_opcode_info *op = sg_opcode_get(insn->op);
    const int reads[] = {insn->a, insn->b};
    for (int k = 0; k < op->reads; ++k) {
        if (reads[k] < 0 || reads[k] >= m->body->registers || !m->written[reads[k]]) {
            return bad(m, i, "reads what was never written");
        }
    }
    if (op->constant == SG_CONSTANT_NONE) {
        return NULL;
    }
    if (insn->constant < 0 || insn->constant >= m->body->nconstants) {
        return bad(m, i, "names no constant");
    }
    const sg_constant *c = &m->body->constants[insn->constant];
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

static void mix(machine *m, const sg_insn *insn)
{
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        for (int bit = 0; bit < m->bits; ++bit) {
            *cell_of(m, insn->reg, lane, bit) = cell_after(m, insn, lane, bit);
        }
    }
    m->written[insn->reg] = true;
}

static const char *store(const machine *m, const sg_insn *insn, int64_t i)
{
    /* programs over bits may store less than a vector */
    const int64_t least = m->e->bits ? 8 : m->vector;
    if (insn->bytes < least || m->vector % insn->bytes != 0) {
        return bad(m, i, "stores no vector");
    }
    const int64_t cell = m->v->lane_bytes * m->byte / m->bits;
    for (int n = 0; n < insn->bytes * m->byte / cell; ++n) {
        const sg_insn part = {.column = insn->column + m->slice->column,
                              .dst = in_stream(m, m->byte * insn->dst + n * cell),
                              .src = cell_after(m, insn, n / m->bits, n % m->bits),
                              .bytes = cell};
        const char *flaw = sg_verify_run(m->arena, m->e, m->rows, &part, i);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return NULL;
}

/* A row that is copied in order completes its first cache line from the row before: the bytes in
 * front of a row of an output are the last bytes of its column in the row before, and all bytes of
 * a line must belong to this row or that one. */
static const char *write_lines(const machine *m, const sg_insn *insn, int64_t i)
{
    const sg_variant *v = m->v;
    if (!sg_insn_is_run(insn) || v->rows_per_trip != 1 || v->block_rows != 1 ||
        v->feeding != SG_FEED_NEVER || insn->dst != 0 || insn->bytes < SG_LINE_BYTES ||
        insn->bytes != m->e->targets[insn->column + m->slice->column].width) {
        return bad(m, i, "writes by lines what is no whole row of one");
    }
    return NULL;
}

/* A write combiner appends, so what is stored through it has to lie directly behind what was stored
 * before. The rows in front of it fill at least one cache line, which it reads when it begins.
 * Every column belongs to one slice, as otherwise it would be written twice; so the order in which
 * slices are executed does not matter. */
static const char *append(machine *m, const sg_insn *insn, int64_t i)
{
    const sg_variant *v = m->v;
    if (v->feeding == SG_FEED_NEVER || v->isa->ways != 1) {
        return bad(m, i, "goes through a feed that is not there");
    }
    const int64_t column = insn->column + m->slice->column;
    if (insn->dst != m->fed[column]) {
        return bad(m, i, "appends to a feed what does not come next");
    }
    m->fed[column] += insn->bytes;
    const int64_t width = m->e->targets[column].width;
    if (v->head_rows < 1 || v->head_rows > v->planned_rows ||
        v->head_rows % v->rows_per_trip != 0 || v->head_rows * width < SG_LINE_BYTES) {
        return bad(m, i, "begins a feed before a line is full");
    }
    return NULL;
}

/* What is written, and that it may be. */
static const char *write(machine *m, const sg_insn *insn, int64_t i)
{
    if (insn->dst < 0 || insn->bytes < 0 || insn->dst > INT64_MAX / m->byte - insn->bytes) {
        return bad(m, i, "writes outside its output");
    }
    if (insn->op == SG_INSN_LINES && insn->bytes < m->vector) {
        return bad(m, i, "copies less than a vector by vectors");
    }
    if (insn->column < 0 || insn->column >= m->e->ntargets - m->slice->column) {
        return bad(m, i, "writes a column that does not exist");
    }
    m->writes[m->nwrites++] = (sg_interval){.column = insn->column + m->slice->column,
                                            .begin = m->byte * insn->dst,
                                            .end = m->byte * (insn->dst + insn->bytes)};
    return !insn->fed ? NULL : m->v->in_order ? write_lines(m, insn, i) : append(m, insn, i);
}

static const char *run(const machine *m, const sg_insn *insn, int64_t i)
{
    sg_insn moved = *insn;
    moved.column += m->slice->column;
    if (insn->src > window_of(m)) {
        return bad(m, i, "reads outside the input");
    }
    moved.src += m->slice->src;
    return sg_verify_run(m->arena, m->e, m->rows, &moved, i);
}

static const char *execute(machine *m, const sg_insn *insn, int64_t i)
{
    if (insn->op >= SG_OPCODES) {
        return bad(m, i, "is unknown");
    }
    const sg_opcode_info *op = sg_opcode_get(insn->op);
    if (op->over == (m->e->bits ? SG_OVER_BYTES : SG_OVER_BITS)) {
        return bad(m, i, m->e->bits ? "is none over bits" : "is none over bytes");
    }
    const bool fills = op->does == SG_DOES_LOAD || op->does == SG_DOES_MIX;
    if (fills && (insn->reg < 0 || insn->reg >= m->body->registers || m->written[insn->reg])) {
        return bad(m, i, "writes a register that is not its own");
    }
    const bool writes = op->does == SG_DOES_RUN || op->does == SG_DOES_STORE;
    const char *flaw = check_operands(m, insn, i);
    if (flaw == NULL && writes) {
        flaw = write(m, insn, i);
    }
    if (flaw != NULL) {
        return flaw;
    }
    switch (op->does) {
    case SG_DOES_LOAD:
        return insn->op == SG_INSN_LOAD ? load(m, insn, i) : load_interleaved(m, insn, i);
    case SG_DOES_MIX:
        mix(m, insn);
        return NULL;
    case SG_DOES_STORE:
        return store(m, insn, i);
    case SG_DOES_RUN:
        return run(m, insn, i);
    case SG_DOES_HINT:
        /* has no meaning, but a place in the text */
        return insn->column >= m->e->ntargets ? bad(m, i, "names no column") : NULL;
    }
    return NULL;
}

/* One slice over one window. */
static const char *run_slice(machine *m)
{
    const sg_body *body = m->body;
    m->cells = SG_NEW_ARRAY(m->arena, int64_t, (int64_t)body->registers * m->v->lanes * m->bits);
    m->written = SG_NEW_ARRAY(m->arena, bool, body->registers);
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const char *flaw = execute(m, &body->insns[i], i);
        if (flaw != NULL) {
            return flaw;
        }
    }
    for (int64_t c = 0; c < m->e->ntargets; ++c) {
        if (m->fed[c] != 0 && m->fed[c] != m->rows * m->e->targets[c].width) {
            return "a feed does not get all of its column";
        }
    }
    return NULL;
}

const char *sg_verify_variant(sg_arena *arena, const sg_expectation *e, const sg_variant *v)
{
    machine m = {.arena = arena, .e = e, .v = v, .rows = v->window_rows, .vector = v->isa->unit};
    m.byte = e->bits ? 8 : 1;
    m.bits = e->bits ? (int)(8 * v->lane_bytes) : 1;
    if (v->window_rows < 1 || v->window_rows > v->planned_rows / v->isa->ways ||
        v->window_rows * v->isa->ways != v->rows_per_trip || v->rows_per_trip > v->planned_rows ||
        v->block_rows < v->rows_per_trip || v->block_rows % v->rows_per_trip != 0 || v->lanes < 1 ||
        v->lanes > SG_LANES_MAX || v->lanes * v->lane_bytes != m.vector) {
        return "the shape of a variant does not fit its instruction set";
    }
    int64_t writes = 0;
    for (int64_t s = 0; s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        if (slice->body < 0 || slice->body >= v->nbodies || slice->column < 0 ||
            slice->column >= e->ntargets || slice->src < 0 || slice->src >= e->row_bytes) {
            return "a slice is nowhere";
        }
        writes += v->bodies[slice->body].ninsns;
    }
    m.writes = SG_NEW_ARRAY(arena, sg_interval, writes);
    m.fed = SG_NEW_ARRAY(arena, int64_t, e->ntargets);
    for (int64_t s = 0; s < v->nslices; ++s) {
        m.slice = &v->slices[s];
        m.body = &v->bodies[m.slice->body];
        const char *flaw = run_slice(&m);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return sg_verify_cover(arena, e, m.rows, m.writes, m.nwrites);
}
