/* Executes the vector program of a variant on symbolic lanes: a register holds, per lane, where in
 * the input its bytes were, and every store is checked against the split. */
#include "plan/verify/verify_vector.h"

#include <inttypes.h>

#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"

/* Lane contents: byte offset in the window, or NOTHING. */
#define NOTHING (-1)

typedef struct machine {
    sg_arena *arena;
    const sg_expectation *e;
    const sg_variant *v;
    const sg_body *body;
    const sg_slice *slice;
    int64_t rows;   /* of the window */
    int64_t vector; /* bytes of a register as far as one unit goes */
    int64_t *lanes; /* registers x lanes */
    bool *written;  /* per register */
    int64_t *fed;   /* per column: bytes appended to its feed */
    sg_interval *writes;
    int64_t nwrites;
} machine;

static int64_t *reg(const machine *m, int r)
{
    return &m->lanes[(int64_t)r * m->v->lanes];
}

static const char *bad(const machine *m, int64_t i, const char *what)
{
    return sg_arena_printf(m->arena, "vector instruction %" PRId64 " %s", i, what);
}

static bool readable(const machine *m, int r)
{
    return r >= 0 && r < m->body->registers && m->written[r];
}

static const char *load(machine *m, const sg_insn *insn, int64_t i)
{
    const int64_t window = m->rows * m->e->row_bytes;
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
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        const int64_t at = lane * m->v->lane_bytes;
        reg(m, insn->reg)[lane] = src + at / insn->bytes * insn->step + at % insn->bytes;
    }
    return NULL;
}

/* Takes k vectors apart into k registers. */
static const char *load_interleaved(machine *m, const sg_insn *insn, int64_t i)
{
    const int64_t window = m->rows * m->e->row_bytes;
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
        m->written[insn->reg + r] = true;
        for (int lane = 0; lane < m->v->lanes; ++lane) {
            reg(m, insn->reg + r)[lane] =
                insn->src + m->slice->src + (lane * k + r) * m->v->lane_bytes;
        }
    }
    return NULL;
}

/* What one lane of a shuffle picks: a lane of a, or behind them of b. */
static int64_t picked(const machine *m, const sg_insn *insn, int lane, int pick)
{
    if (insn->op == SG_INSN_BLEND) {
        return reg(m, pick != 0 ? insn->b : insn->a)[lane];
    }
    return pick < m->v->lanes ? reg(m, insn->a)[pick] : reg(m, insn->b)[pick - m->v->lanes];
}

static const char *shuffle(machine *m, const sg_insn *insn, int64_t i)
{
    const bool two = insn->op != SG_INSN_PERMUTE;
    if (!readable(m, insn->a) || (two && !readable(m, insn->b)) || insn->constant < 0 ||
        insn->constant >= m->body->nconstants) {
        return bad(m, i, "reads what was never written");
    }
    const sg_constant *c = &m->body->constants[insn->constant];
    if (c->kind != (insn->op == SG_INSN_BLEND ? SG_CONSTANT_MASK : SG_CONSTANT_INDEX)) {
        return bad(m, i, "has a constant of the wrong kind");
    }
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        if (c->lanes[lane] >= m->v->lanes * (two ? 2 : 1)) {
            return bad(m, i, "picks a lane that does not exist");
        }
        reg(m, insn->reg)[lane] = picked(m, insn, lane, c->lanes[lane]);
    }
    return NULL;
}

static const char *store(machine *m, const sg_insn *insn, int64_t i)
{
    if (!readable(m, insn->a) || insn->bytes != m->vector) {
        return bad(m, i, "stores what was never written");
    }
    for (int lane = 0; lane < m->v->lanes; ++lane) {
        const sg_insn part = {.column = insn->column + m->slice->column,
                              .dst = insn->dst + lane * m->v->lane_bytes,
                              .src = reg(m, insn->a)[lane],
                              .bytes = m->v->lane_bytes};
        const char *flaw = sg_verify_run(m->arena, m->e, m->rows, &part, i);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return NULL;
}

/* Rows in order: the bytes in front of a row of an output are the last ones of its column in the
 * row before, and those of a line are all of that row. */
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

/* What a feed appends has to lie behind what it appended before. The rows before feeds begin fill a
 * line, which they read again. A column is in one slice, or it were written twice, so in which
 * order slices go over the rows is all the same. */
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

static const char *execute(machine *m, const sg_insn *insn, int64_t i)
{
    switch (insn->op) {
    case SG_INSN_LOAD:
    case SG_INSN_PERMUTE:
    case SG_INSN_PERMUTE2:
    case SG_INSN_BLEND:
        if (insn->reg < 0 || insn->reg >= m->body->registers || m->written[insn->reg]) {
            return bad(m, i, "writes a register that is not its own");
        }
        const char *flaw = insn->op == SG_INSN_LOAD ? load(m, insn, i) : shuffle(m, insn, i);
        m->written[insn->reg] = true;
        return flaw;
    case SG_INSN_PREFETCH:
        return NULL;
    case SG_INSN_INTERLEAVED:
        return insn->reg < 0 ? bad(m, i, "writes a register that is not its own")
                             : load_interleaved(m, insn, i);
    case SG_INSN_STORE:
    case SG_INSN_MOVE:
    case SG_INSN_COPY:
    case SG_INSN_CALL:
    case SG_INSN_LINES:
        if (insn->dst < 0 || insn->bytes < 0 || insn->dst > INT64_MAX - insn->bytes) {
            return bad(m, i, "writes outside its output");
        }
        if (insn->op == SG_INSN_LINES && insn->bytes < m->vector) {
            return bad(m, i, "copies less than a vector by vectors");
        }
        if (insn->column < 0 || insn->column >= m->e->ntargets - m->slice->column) {
            return bad(m, i, "writes a column that does not exist");
        }
        const char *misfed = !insn->fed       ? NULL
                             : m->v->in_order ? write_lines(m, insn, i)
                                              : append(m, insn, i);
        if (misfed != NULL) {
            return misfed;
        }
        m->writes[m->nwrites++] = (sg_interval){.column = insn->column + m->slice->column,
                                                .begin = insn->dst,
                                                .end = insn->dst + insn->bytes};
        if (insn->op == SG_INSN_STORE) {
            return store(m, insn, i);
        }
        sg_insn moved = *insn;
        moved.column += m->slice->column;
        if (insn->src > m->rows * m->e->row_bytes) {
            return bad(m, i, "reads outside the input");
        }
        moved.src += m->slice->src;
        return sg_verify_run(m->arena, m->e, m->rows, &moved, i);
    }
    return bad(m, i, "is unknown");
}

/* One slice over one window. */
static const char *run_slice(machine *m)
{
    const sg_body *body = m->body;
    m->lanes = SG_NEW_ARRAY(m->arena, int64_t, (int64_t)body->registers * m->v->lanes);
    m->written = SG_NEW_ARRAY(m->arena, bool, body->registers);
    for (int64_t i = 0; i < (int64_t)body->registers * m->v->lanes; ++i) {
        m->lanes[i] = NOTHING;
    }
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
