/* Builds vector programs: instructions, with the places they read and write. */
#include "plan/body/weave.h"

#include <limits.h>
#include <string.h>

#include "base/checked.h"
#include "plan/body/builder.h"
#include "plan/body/lanes.h"
#include "plan/body/vector_runs.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

static int64_t lcm(int64_t a, int64_t b)
{
    return a / sg_gcd64(a, b) * b;
}

int64_t sg_weave_period(const sg_map *map, int64_t unit, int64_t widest)
{
    int64_t rows = 1;
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (map->parts[c].width <= widest) {
            rows = lcm(rows, unit / sg_gcd64(map->parts[c].width, unit));
        }
    }
    return rows;
}

int64_t sg_weave_common_bytes(const sg_map *map)
{
    int64_t bytes = sg_gcd64(map->row_stride, 16);
    for (int64_t c = 0; c < map->nparts; ++c) {
        bytes = sg_gcd64(bytes, map->parts[c].width);
        if (map->parts[c].offset > 0) {
            bytes = sg_gcd64(bytes, map->parts[c].offset);
        }
    }
    return bytes;
}

/* Finds the place of an element of the column group in the vectors of the full tensor; false if it
 * is outside the pieces of rows. */
static bool edge_from(const sg_weave *w, const sg_map_part *column, int64_t row, int64_t at,
                      sg_edge *edge)
{
    const sg_column_group *column_group = &w->column_group;
    const int64_t piece = column_group->piece;
    const int64_t within = column->offset - column_group->base + at;
    const int64_t byte =
        piece > 0 ? row * piece + within : row * w->plan->map.row_stride + column->offset + at;
    *edge = (sg_edge){.source = (int)(byte / w->isa->unit),
                      .position = (int)(byte % w->isa->unit / w->v->lane_bytes)};
    return piece == 0 || (within >= 0 && within < piece);
}

/* Lists the vectors of the tiles of a column group's parts, part by part, and returns their number.
 * */
static int find_vectors(sg_weave *w, int64_t elements)
{
    const sg_column_group *column_group = &w->column_group;
    const int count = (int)(elements / w->v->lanes);
    int n = 0;
    w->vectors = SG_NEW_ARRAY(w->arena, sg_ref, count);
    for (int64_t p = column_group->first; p < column_group->first + column_group->count; ++p) {
        const int64_t bytes = w->v->tile_rows * w->plan->map.parts[p].width;
        for (int64_t at = 0; at < bytes; at += w->isa->unit) {
            w->vectors[n++] = (sg_ref){p, at};
        }
    }
    return count;
}

/* In a concat parts are the sources, and the full tensor has the lines. */
static sg_edge turned(const sg_edge *edge)
{
    return (sg_edge){.source = edge->line,
                     .position = edge->place,
                     .line = edge->source,
                     .place = edge->position};
}

void sg_weave_route(sg_weave *w, const sg_column_group *column_group)
{
    const sg_map *map = &w->plan->map;
    const int64_t lane_bytes = w->v->lane_bytes;
    const int64_t row_bytes = column_group->piece > 0 ? column_group->piece : map->row_stride;
    sg_routing *r = &w->routing;
    int64_t elements = 0;
    w->column_group = *column_group;
    for (int64_t c = column_group->first; c < column_group->first + column_group->count; ++c) {
        elements += w->v->tile_rows * map->parts[c].width / lane_bytes;
    }
    const int of_parts = find_vectors(w, elements);
    const int of_whole = (int)(w->v->tile_rows * row_bytes / w->isa->unit);
    *r = (sg_routing){.joins = map->joins,
                      .lanes = w->v->lanes,
                      .sources = map->joins ? of_parts : of_whole,
                      .lines = map->joins ? of_whole : of_parts};
    r->edges = SG_NEW_ARRAY(w->arena, sg_edge, elements);

    int line = 0;
    for (int64_t c = column_group->first; c < column_group->first + column_group->count; ++c) {
        const sg_map_part *column = &map->parts[c];
        const int64_t bytes = w->v->tile_rows * column->width;
        for (int64_t at = 0; at < bytes; at += lane_bytes) {
            sg_edge edge;
            if (!edge_from(w, column, at / column->width, at % column->width, &edge)) {
                continue;
            }
            edge.line = line + (int)(at / w->isa->unit);
            edge.place = (int)(at % w->isa->unit / lane_bytes);
            /* edges of a line are contiguous and in order */
            const int64_t number =
                map->joins ? (int64_t)edge.source * r->lanes + edge.position : r->nedges;
            r->edges[number] = map->joins ? turned(&edge) : edge;
            ++r->nedges;
        }
        line += (int)(bytes / w->isa->unit);
    }
}

bool sg_weave_open(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, int64_t rows,
                   int largest, sg_body *body, sg_weave *weave)
{
    const sg_map *map = &plan->map;
    const int64_t common = sg_weave_common_bytes(map);
    int64_t bytes = 0;
    /* Instruction sets for small elements leave larger ones to the next row of isa.inc. */
    const bool too_large = common > largest && largest < SG_LANE_BYTES_MAX;
    if (map->nparts == 0 || !sg_map_all_dense(map) || too_large || common < isa->min_lane ||
        rows > map->rows / isa->tiles || !sg_mul64(rows, map->row_stride, &bytes) ||
        bytes / isa->unit > INT_MAX) {
        return false;
    }
    *body = (sg_body){.isa = isa, .tile_rows = rows, .rows_per_iteration = rows * isa->tiles};
    body->block_rows = body->rows_per_iteration;
    body->lane_bytes = common < largest ? common : largest;
    body->lanes = (int)(isa->unit / body->lane_bytes);
    body->allows_non_temporal = true;
    body->codes = SG_NEW_ARRAY(arena, sg_code, map->nparts);
    body->slices = SG_NEW_ARRAY(arena, sg_slice, map->nparts);
    *weave = (sg_weave){.arena = arena, .plan = plan, .isa = isa, .v = body, .tile_bytes = bytes};
    return true;
}

void sg_weave_start_code(sg_weave *w, int64_t column, int64_t src)
{
    w->first_column = column;
    w->first_byte = src;
    w->builder =
        (sg_builder){.arena = w->arena, .code = &w->v->codes[w->v->ncodes++], .lanes = w->v->lanes};
    sg_builder_clear(&w->builder);
}

bool sg_weave_begin(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, int largest,
                    sg_body *body, sg_weave *weave)
{
    const sg_map *map = &plan->map;
    const int64_t unit = isa->unit;
    const int64_t rows =
        lcm(unit / sg_gcd64(map->row_stride, unit), sg_weave_period(map, unit, map->row_stride));
    if (map->gap > 0 || !sg_weave_open(arena, plan, isa, rows, largest, body, weave) ||
        weave->tile_bytes / unit > isa->sources_max) {
        return false;
    }
    sg_weave_start_code(weave, 0, 0);
    body->slices[body->nslices++] = (sg_slice){0};
    sg_weave_route(weave, &(sg_column_group){.count = map->nparts});
    return true;
}

static int load(sg_weave *w, sg_ref from, int64_t bytes, int64_t step)
{
    sg_insn insn = sg_insn_new(SG_INSN_LOAD);
    insn.from = from;
    insn.bytes = bytes;
    insn.step = step;
    return sg_builder_register(&w->builder, insn, NULL);
}

int sg_weave_load_pieces(sg_weave *w, int64_t at, int64_t bytes, int64_t step)
{
    return load(w, (sg_ref){SG_WHOLE, at}, bytes, bytes < w->isa->unit ? step : 0);
}

int sg_weave_load(sg_weave *w, int64_t offset)
{
    return sg_weave_load_pieces(w, offset, w->isa->unit, 0);
}

int sg_weave_load_source(sg_weave *w, int source)
{
    const sg_column_group *column_group = &w->column_group;
    const int64_t row_bytes = w->plan->map.row_stride;
    const int64_t unit = w->isa->unit;
    if (w->plan->map.joins) {
        sg_ref from = w->vectors[source];
        from.part -= w->first_column;
        return load(w, from, unit, 0);
    }
    if (column_group->piece == 0) {
        return sg_weave_load(w, source * unit);
    }
    const int64_t pieces = unit / column_group->piece;
    const int64_t src = source * pieces * row_bytes + column_group->base - w->first_byte;
    return sg_weave_load_pieces(w, src, column_group->piece, row_bytes);
}

static int shuffle(sg_weave *w, sg_opcode op, int a, int b, const uint8_t *lanes)
{
    sg_insn insn = sg_insn_new(op);
    insn.a = a;
    insn.b = b;
    return sg_builder_register(&w->builder, insn, lanes);
}

int sg_weave_permute(sg_weave *w, int a, const uint8_t *index)
{
    return shuffle(w, SG_INSN_PERMUTE, a, -1, index);
}

int sg_weave_permute2(sg_weave *w, int a, int b, const uint8_t *index)
{
    return shuffle(w, SG_INSN_PERMUTE2, a, b, index);
}

int sg_weave_blend(sg_weave *w, int a, int b, const uint8_t *mask)
{
    return shuffle(w, SG_INSN_BLEND, a, b, mask);
}

/* Halves the range at powers of two, so that the mask of a level is one bit of the owner's number
 * and serves every pair of that level. */
static int blend_range(sg_weave *w, const int *regs, int first, int count, const int *owner)
{
    if (count == 1) {
        return regs[first];
    }
    int half = 1;
    while (2 * half < count) {
        half *= 2;
    }
    const int a = blend_range(w, regs, first, half, owner);
    const int b = blend_range(w, regs, first + half, count - half, owner);
    uint8_t mask[SG_LANES_MAX];
    for (int lane = 0; lane < w->v->lanes; ++lane) {
        const bool mine = owner[lane] >= first && owner[lane] < first + count;
        mask[lane] = mine ? (uint8_t)(owner[lane] >= first + half) : SG_LANE_DONT_CARE;
    }
    return sg_weave_blend(w, a, b, mask);
}

int sg_weave_blend_all(sg_weave *w, const int *regs, int count, const int *owner)
{
    return blend_range(w, regs, 0, count, owner);
}

static void store(sg_weave *w, sg_ref to, int a)
{
    sg_insn insn = sg_insn_new(SG_INSN_STORE);
    insn.a = a;
    insn.to = to;
    insn.bytes = w->isa->unit;
    sg_builder_append(&w->builder, insn);
}

void sg_weave_store_two(sg_weave *w, int line, int a, int b)
{
    sg_insn insn = sg_insn_new(SG_INSN_STORE_TWO);
    insn.a = a;
    insn.b = b;
    insn.to = (sg_ref){SG_WHOLE, line * w->isa->unit};
    insn.bytes = 2 * w->isa->unit;
    sg_builder_append(&w->builder, insn);
}

void sg_weave_store(sg_weave *w, int line, int a)
{
    sg_ref to = {SG_WHOLE, line * w->isa->unit};
    if (!w->plan->map.joins) {
        to = w->vectors[line];
        to.part -= w->first_column;
    } else if (w->column_group.piece > 0) { /* a vector of every row */
        to.at = line * w->plan->map.row_stride + w->column_group.base - w->first_byte;
    }
    store(w, to, a);
}

int sg_weave_load_interleaved(sg_weave *w, int64_t columns)
{
    sg_insn insn = sg_insn_new(SG_INSN_INTERLEAVED);
    insn.bytes = columns * w->isa->unit;
    insn.reg = w->builder.code->registers;
    w->builder.code->registers += (int)columns;
    sg_builder_append(&w->builder, insn);
    return insn.reg;
}

void sg_weave_store_column(sg_weave *w, int64_t column, int a)
{
    store(w, (sg_ref){column, 0}, a);
}

void sg_weave_store_interleaved(sg_weave *w, int64_t columns, int a)
{
    sg_insn insn = sg_insn_new(SG_INSN_INTERLEAVE);
    insn.bytes = columns * w->isa->unit;
    insn.a = a;
    sg_builder_append(&w->builder, insn);
}

void sg_weave_run(sg_weave *w, int64_t column, int64_t row)
{
    sg_code runs = {.insns =
                        sg_builder_reserve(&w->builder, sg_runs_insns(w->plan, w->isa, column))};
    sg_runs_append(w->plan, w->isa, &runs, column, row);
    w->builder.code->ninsns += runs.ninsns;
    w->v->allows_non_temporal =
        w->v->allows_non_temporal && w->plan->map.parts[column].width % w->isa->unit == 0;
}

static int64_t uses_of(const sg_code *code, int64_t constant)
{
    int64_t uses = 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        uses += code->insns[i].constant == constant;
    }
    return uses;
}

/* Gives the mask registers to the masks that are used most. */
static void widen_masks(const sg_weave *w)
{
    sg_code *code = w->builder.code;
    for (int64_t c = 0; c < code->nconstants; ++c) {
        code->constants[c].wide = code->constants[c].kind == SG_CONSTANT_MASK && w->isa->masks > 0;
    }
    for (int n = 0; n < w->isa->masks; ++n) {
        int64_t best = -1;
        int64_t most = 0;
        for (int64_t c = 0; c < code->nconstants; ++c) {
            const int64_t uses = code->constants[c].wide ? uses_of(code, c) : 0;
            if (uses > most) {
                best = c;
                most = uses;
            }
        }
        if (best >= 0) {
            code->constants[best].wide = false;
        }
    }
}

void sg_weave_settle(sg_weave *w)
{
    widen_masks(w);
    for (int64_t c = 0; c < w->builder.code->nconstants; ++c) {
        for (int i = 0; i < w->v->lanes; ++i) {
            uint8_t *lane = &w->builder.code->constants[c].lanes[i];
            *lane = *lane == SG_LANE_DONT_CARE ? 0 : *lane;
        }
    }
}
