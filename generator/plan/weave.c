/* A vector program under construction: appends instructions, shares constants and loads. */
#include "plan/weave.h"

#include <string.h>

#include "base/checked.h"

static int64_t lcm(int64_t a, int64_t b)
{
    return a / sg_gcd64(a, b) * b;
}

static int64_t window_rows(const sg_layout *layout, int64_t unit)
{
    int64_t rows = unit / sg_gcd64(layout->row_bytes, unit);
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        rows = lcm(rows, unit / sg_gcd64(layout->columns[c].width, unit));
    }
    return rows;
}

/* Bytes of the largest element, up to 16, every offset and width is a multiple of. */
static int64_t common_bytes(const sg_layout *layout)
{
    int64_t bytes = sg_gcd64(layout->row_bytes, 16);
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        bytes = sg_gcd64(bytes, layout->columns[c].width);
        if (layout->columns[c].offset > 0) {
            bytes = sg_gcd64(bytes, layout->columns[c].offset);
        }
    }
    return bytes;
}

static void list_edges(sg_weave *w, const sg_layout *layout)
{
    const int64_t element = w->v->lane_bytes;
    const int64_t rows = w->v->window_rows;
    const int64_t unit = w->isa->unit;
    sg_routing *r = &w->routing;
    int64_t elements = 0;
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        elements += rows * layout->columns[c].width / element;
    }
    r->lanes = w->v->lanes;
    r->sources = (int)(w->window_bytes / unit);
    r->lines = (int)(elements / r->lanes);
    r->edges = SG_NEW_ARRAY(w->arena, sg_edge, elements);
    w->line_column = SG_NEW_ARRAY(w->arena, int64_t, r->lines);
    w->line_dst = SG_NEW_ARRAY(w->arena, int64_t, r->lines);

    int line = 0;
    for (int64_t c = 0; c < layout->ncolumns; ++c) {
        const sg_column *column = &layout->columns[c];
        const int64_t width = column->width / element;
        const int64_t count = rows * width;
        for (int64_t i = 0; i < count; ++i) {
            const int64_t from =
                i / width * (layout->row_bytes / element) + column->offset / element + i % width;
            r->edges[r->nedges++] = (sg_edge){.source = (int)(from / r->lanes),
                                              .position = (int)(from % r->lanes),
                                              .line = line + (int)(i / r->lanes),
                                              .place = (int)(i % r->lanes)};
        }
        for (int64_t l = 0; l < count / r->lanes; ++l, ++line) {
            w->line_column[line] = c;
            w->line_dst[line] = l * unit;
        }
    }
}

bool sg_weave_begin(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                    sg_variant *variant, sg_weave *weave)
{
    const sg_layout *layout = &plan->layout;
    const int64_t common = common_bytes(layout);
    const int64_t rows = window_rows(layout, isa->unit);
    int64_t bytes = 0;
    /* Instruction sets for small elements leave larger ones to the next row of isa.inc. */
    const bool too_large = common > isa->max_lane && isa->max_lane < SG_LANE_BYTES_MAX;
    if (layout->ncolumns == 0 || too_large || common < isa->min_lane ||
        rows > layout->rows / isa->ways || !sg_mul64(rows, layout->row_bytes, &bytes) ||
        bytes / isa->unit > isa->sources_max) {
        return false;
    }
    *weave =
        (sg_weave){.arena = arena, .plan = plan, .isa = isa, .v = variant, .window_bytes = bytes};
    *variant = (sg_variant){.isa = isa, .window_rows = rows};
    variant->lane_bytes = common < isa->max_lane ? common : isa->max_lane;
    variant->lanes = (int)(isa->unit / variant->lane_bytes);
    variant->body.rows_per_trip = rows * isa->ways;
    variant->body.trips = layout->rows / variant->body.rows_per_trip;
    variant->streams = true;
    list_edges(weave, layout);
    return true;
}

static void grow(sg_weave *w)
{
    if (w->v->body.ninsns < w->capacity) {
        return;
    }
    const int64_t capacity = w->capacity > 0 ? 2 * w->capacity : 64;
    sg_insn *insns = SG_NEW_ARRAY(w->arena, sg_insn, capacity);
    sg_constant *constants = SG_NEW_ARRAY(w->arena, sg_constant, capacity);
    for (int64_t i = 0; i < w->capacity; ++i) {
        insns[i] = w->v->body.insns[i];
        constants[i] = w->v->constants[i];
    }
    w->v->body.insns = insns;
    w->v->constants = constants;
    w->capacity = capacity;
}

/* At most one constant an instruction, so one capacity serves both. */
static sg_insn *add(sg_weave *w, sg_opcode op)
{
    grow(w);
    sg_insn *insn = &w->v->body.insns[w->v->body.ninsns++];
    *insn = (sg_insn){.op = op, .column = -1, .reg = -1, .a = -1, .b = -1, .constant = -1};
    return insn;
}

static int64_t constant(sg_weave *w, sg_constant_kind kind, const uint8_t *lanes)
{
    sg_variant *v = w->v;
    for (int64_t i = 0; i < v->nconstants; ++i) {
        if (v->constants[i].kind == kind &&
            memcmp(v->constants[i].lanes, lanes, (size_t)v->lanes) == 0) {
            return i;
        }
    }
    sg_constant *c = &v->constants[v->nconstants];
    c->kind = kind;
    memcpy(c->lanes, lanes, (size_t)v->lanes);
    return v->nconstants++;
}

int sg_weave_load(sg_weave *w, int64_t offset)
{
    for (int64_t i = 0; i < w->v->body.ninsns; ++i) {
        const sg_insn *insn = &w->v->body.insns[i];
        if (insn->op == SG_INSN_LOAD && insn->src == offset) {
            return insn->reg;
        }
    }
    sg_insn *insn = add(w, SG_INSN_LOAD);
    insn->src = offset;
    insn->bytes = w->isa->unit;
    insn->reg = w->v->registers++;
    return insn->reg;
}

static int shuffle(sg_weave *w, sg_opcode op, sg_constant_kind kind, int a, int b,
                   const uint8_t *lanes)
{
    sg_insn *insn = add(w, op);
    insn->a = a;
    insn->b = b;
    insn->constant = constant(w, kind, lanes);
    insn->reg = w->v->registers++;
    return insn->reg;
}

int sg_weave_permute(sg_weave *w, int a, const uint8_t *index)
{
    return shuffle(w, SG_INSN_PERMUTE, SG_CONSTANT_INDEX, a, -1, index);
}

int sg_weave_permute2(sg_weave *w, int a, int b, const uint8_t *index)
{
    return shuffle(w, SG_INSN_PERMUTE2, SG_CONSTANT_INDEX, a, b, index);
}

int sg_weave_blend(sg_weave *w, int a, int b, const uint8_t *mask)
{
    return shuffle(w, SG_INSN_BLEND, SG_CONSTANT_MASK, a, b, mask);
}

void sg_weave_store(sg_weave *w, int line, int a)
{
    sg_insn *insn = add(w, SG_INSN_STORE);
    insn->a = a;
    insn->column = w->line_column[line];
    insn->dst = w->line_dst[line];
    insn->bytes = w->isa->unit;
}
