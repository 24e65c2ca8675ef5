/* Builds vector programs: instructions, with the places they read and write. */
#include "plan/body/vector_builder.h"

#include <limits.h>
#include <string.h>

#include "base/checked.h"
#include "plan/body/code_builder.h"
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

int64_t sg_vector_period(const sg_map *map, int64_t unit, int64_t widest)
{
    int64_t rows = 1;
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (map->parts[c].width <= widest) {
            rows = lcm(rows, unit / sg_gcd64(map->parts[c].width, unit));
        }
    }
    return rows;
}

int64_t sg_vector_common_bytes(const sg_map *map)
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
static bool edge_from(const sg_vector_builder *vb, const sg_map_part *column, int64_t row,
                      int64_t at, sg_edge *edge)
{
    const sg_column_group *column_group = &vb->column_group;
    const int64_t piece = column_group->piece;
    const int64_t within = column->offset - column_group->base + at;
    const int64_t byte =
        piece > 0 ? row * piece + within : row * vb->plan->map.row_stride + column->offset + at;
    *edge = (sg_edge){.source = (int)(byte / vb->isa->unit)};
    edge->position = (int)(byte / vb->v->lane_bytes - sg_routing_begin(&vb->routing, edge->source));
    return piece == 0 || (within >= 0 && within < piece);
}

/* Lists the vectors of the tiles of a column group's parts, part by part, and returns their number.
 * */
static int find_vectors(sg_vector_builder *vb, int64_t elements)
{
    const sg_column_group *column_group = &vb->column_group;
    const int count = (int)(elements / vb->v->lanes);
    int n = 0;
    vb->vectors = SG_NEW_ARRAY(vb->arena, sg_ref, count);
    for (int64_t p = column_group->first; p < column_group->first + column_group->count; ++p) {
        const int64_t bytes = vb->v->tile_rows * vb->plan->map.parts[p].width;
        for (int64_t at = 0; at < bytes; at += vb->isa->unit) {
            vb->vectors[n++] = (sg_ref){p, at};
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

void sg_vector_route(sg_vector_builder *vb, const sg_column_group *column_group)
{
    const sg_map *map = &vb->plan->map;
    const int64_t lane_bytes = vb->v->lane_bytes;
    const int64_t row_bytes = column_group->piece > 0 ? column_group->piece : map->row_stride;
    sg_routing *r = &vb->routing;
    int64_t elements = 0;
    vb->column_group = *column_group;
    for (int64_t c = column_group->first; c < column_group->first + column_group->count; ++c) {
        elements += vb->v->tile_rows * map->parts[c].width / lane_bytes;
    }
    const int of_parts = find_vectors(vb, elements);
    const int of_whole = (int)(vb->v->tile_rows * row_bytes / vb->isa->unit);
    *r = (sg_routing){.joins = map->joins,
                      .lanes = vb->v->lanes,
                      .sources = map->joins ? of_parts : of_whole,
                      .lines = map->joins ? of_whole : of_parts};
    const int64_t after = column_group->piece > 0 ? 0 : sg_ceil_div64(map->gap, lane_bytes);
    r->last = vb->v->tile_rows * row_bytes / lane_bytes - after - r->lanes;
    const int64_t places = map->joins ? (int64_t)r->lines * r->lanes : elements;
    r->edges = SG_NEW_ARRAY(vb->arena, sg_edge, places);
    r->nedges = map->joins ? (int)places : 0;
    for (int e = 0; e < r->nedges; ++e) {
        r->edges[e] =
            (sg_edge){.source = SG_NO_SOURCE, .line = e / r->lanes, .place = e % r->lanes};
    }

    int line = 0;
    for (int64_t c = column_group->first; c < column_group->first + column_group->count; ++c) {
        const sg_map_part *column = &map->parts[c];
        const int64_t bytes = vb->v->tile_rows * column->width;
        for (int64_t at = 0; at < bytes; at += lane_bytes) {
            sg_edge edge;
            if (!edge_from(vb, column, at / column->width, at % column->width, &edge)) {
                continue;
            }
            edge.line = line + (int)(at / vb->isa->unit);
            edge.place = (int)(at % vb->isa->unit / lane_bytes);
            /* edges of a line are contiguous and in order */
            if (map->joins) {
                r->edges[(int64_t)edge.source * r->lanes + edge.position] = turned(&edge);
            } else {
                r->edges[r->nedges++] = edge;
            }
        }
        line += (int)(bytes / vb->isa->unit);
    }
}

/* Whether rows of all parts are contiguous, as their vectors hold several. */
static bool are_dense(const sg_map *map)
{
    bool dense = true;
    for (int64_t p = 0; p < map->nparts; ++p) {
        dense = dense && sg_map_is_dense(&map->parts[p]);
    }
    return dense;
}

bool sg_vector_open(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, int64_t rows,
                    sg_body *body, sg_vector_builder *vb)
{
    const sg_map *map = &plan->map;
    const int64_t common = sg_vector_common_bytes(map);
    int64_t bytes = 0;
    /* Instruction sets for small elements leave larger ones to the next row of isa.inc. */
    const bool too_large = common > isa->max_lane && isa->max_lane < SG_LANE_BYTES_MAX;
    if (map->nparts == 0 || !are_dense(map) || too_large || common < isa->min_lane ||
        rows > map->rows / isa->tiles || !sg_mul64(rows, map->row_stride, &bytes) ||
        bytes / isa->unit > INT_MAX) {
        return false;
    }
    *body = (sg_body){.isa = isa, .tile_rows = rows, .rows_per_iteration = rows * isa->tiles};
    body->block_rows = body->rows_per_iteration;
    body->lane_bytes = common < isa->max_lane ? common : isa->max_lane;
    body->lanes = (int)(isa->unit / body->lane_bytes);
    body->allows_non_temporal = true;
    body->codes = SG_NEW_ARRAY(arena, sg_code, map->nparts);
    body->slices = SG_NEW_ARRAY(arena, sg_slice, map->nparts);
    *vb = (sg_vector_builder){
        .arena = arena, .plan = plan, .isa = isa, .v = body, .tile_bytes = bytes};
    return true;
}

void sg_vector_start_code(sg_vector_builder *vb, int64_t column, int64_t src)
{
    vb->first_column = column;
    vb->first_byte = src;
    vb->builder = (sg_code_builder){
        .arena = vb->arena, .code = &vb->v->codes[vb->v->ncodes++], .lanes = vb->v->lanes};
    sg_code_builder_clear(&vb->builder);
}

bool sg_vector_begin(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, sg_body *body,
                     sg_vector_builder *vb)
{
    const sg_map *map = &plan->map;
    const int64_t unit = isa->unit;
    const int64_t rows =
        lcm(unit / sg_gcd64(map->row_stride, unit), sg_vector_period(map, unit, map->row_stride));
    if ((map->gap > 0 && !sg_map_reads_gaps(map)) || !sg_map_all_dense(map) ||
        !sg_vector_open(arena, plan, isa, rows, body, vb) ||
        vb->tile_bytes / unit > isa->sources_max) {
        return false;
    }
    sg_vector_start_code(vb, 0, 0);
    body->slices[body->nslices++] = (sg_slice){0};
    sg_vector_route(vb, &(sg_column_group){.count = map->nparts});
    return true;
}

static int load(sg_vector_builder *vb, sg_ref from, int64_t bytes, int64_t step)
{
    sg_insn insn = sg_insn_new(SG_INSN_LOAD);
    insn.from = from;
    insn.bytes = bytes;
    insn.step = step;
    return sg_code_builder_register(&vb->builder, insn, NULL);
}

int sg_vector_load_pieces(sg_vector_builder *vb, int64_t at, int64_t bytes, int64_t step)
{
    return load(vb, (sg_ref){SG_WHOLE, at}, bytes, bytes < vb->isa->unit ? step : 0);
}

int sg_vector_load(sg_vector_builder *vb, int64_t offset)
{
    return sg_vector_load_pieces(vb, offset, vb->isa->unit, 0);
}

int sg_vector_load_source(sg_vector_builder *vb, int source)
{
    const sg_column_group *column_group = &vb->column_group;
    const int64_t row_bytes = vb->plan->map.row_stride;
    const int64_t unit = vb->isa->unit;
    if (vb->plan->map.joins) {
        sg_ref from = vb->vectors[source];
        from.part -= vb->first_column;
        return load(vb, from, unit, 0);
    }
    if (column_group->piece == 0) {
        return sg_vector_load(vb, sg_routing_begin(&vb->routing, source) * vb->v->lane_bytes);
    }
    const int64_t pieces = unit / column_group->piece;
    const int64_t src = source * pieces * row_bytes + column_group->base - vb->first_byte;
    return sg_vector_load_pieces(vb, src, column_group->piece, row_bytes);
}

static int shuffle(sg_vector_builder *vb, sg_opcode op, int a, int b, const uint8_t *lanes)
{
    sg_insn insn = sg_insn_new(op);
    insn.a = a;
    insn.b = b;
    return sg_code_builder_register(&vb->builder, insn, lanes);
}

int sg_vector_permute(sg_vector_builder *vb, int a, const uint8_t *index)
{
    return shuffle(vb, SG_INSN_PERMUTE, a, -1, index);
}

int sg_vector_permute2(sg_vector_builder *vb, int a, int b, const uint8_t *index)
{
    return shuffle(vb, SG_INSN_PERMUTE2, a, b, index);
}

int sg_vector_blend(sg_vector_builder *vb, int a, int b, const uint8_t *mask)
{
    return shuffle(vb, SG_INSN_BLEND, a, b, mask);
}

/* Halves the range at powers of two, so that the mask of a level is one bit of the owner's number
 * and serves every pair of that level. */
static int blend_range(sg_vector_builder *vb, const int *regs, int first, int count,
                       const int *owner)
{
    if (count == 1) {
        return regs[first];
    }
    int half = 1;
    while (2 * half < count) {
        half *= 2;
    }
    const int a = blend_range(vb, regs, first, half, owner);
    const int b = blend_range(vb, regs, first + half, count - half, owner);
    uint8_t mask[SG_LANES_MAX];
    for (int lane = 0; lane < vb->v->lanes; ++lane) {
        const bool mine = owner[lane] >= first && owner[lane] < first + count;
        mask[lane] = mine ? (uint8_t)(owner[lane] >= first + half) : SG_LANE_DONT_CARE;
    }
    return sg_vector_blend(vb, a, b, mask);
}

int sg_vector_blend_all(sg_vector_builder *vb, const int *regs, int count, const int *owner)
{
    return blend_range(vb, regs, 0, count, owner);
}

static void store(sg_vector_builder *vb, sg_ref to, int64_t bytes, int a)
{
    sg_insn insn = sg_insn_new(SG_INSN_STORE);
    insn.a = a;
    insn.to = to;
    insn.bytes = bytes;
    insn.step = bytes < vb->isa->unit ? vb->plan->map.row_stride : 0;
    sg_code_builder_append(&vb->builder, insn);
}

void sg_vector_store(sg_vector_builder *vb, int line, int a)
{
    const int64_t unit = vb->isa->unit;
    const int64_t piece = vb->column_group.piece;
    sg_ref to = {SG_WHOLE, line * unit};
    int64_t bytes = unit;
    if (!vb->plan->map.joins) {
        to = vb->vectors[line];
        to.part -= vb->first_column;
    } else if (piece > 0) {
        to.at = line * (unit / piece) * vb->plan->map.row_stride + vb->column_group.base -
                vb->first_byte;
        bytes = piece;
    }
    store(vb, to, bytes, a);
}

int sg_vector_load_interleaved(sg_vector_builder *vb, int64_t columns)
{
    sg_insn insn = sg_insn_new(SG_INSN_INTERLEAVED);
    insn.bytes = columns * vb->isa->unit;
    insn.reg = vb->builder.code->registers;
    vb->builder.code->registers += (int)columns;
    sg_code_builder_append(&vb->builder, insn);
    return insn.reg;
}

void sg_vector_store_column(sg_vector_builder *vb, int64_t column, int a)
{
    store(vb, (sg_ref){column, 0}, vb->isa->unit, a);
}

void sg_vector_store_interleaved(sg_vector_builder *vb, int64_t columns, int a)
{
    sg_insn insn = sg_insn_new(SG_INSN_INTERLEAVE);
    insn.bytes = columns * vb->isa->unit;
    insn.a = a;
    sg_code_builder_append(&vb->builder, insn);
}

void sg_vector_run(sg_vector_builder *vb, int64_t column, int64_t row)
{
    sg_code runs = {
        .insns = sg_code_builder_reserve(&vb->builder, sg_runs_insns(vb->plan, vb->isa, column))};
    sg_runs_append(vb->plan, vb->isa, &runs, column, row);
    vb->builder.code->ninsns += runs.ninsns;
    vb->v->allows_non_temporal =
        vb->v->allows_non_temporal && vb->plan->map.parts[column].width % vb->isa->unit == 0;
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
static void widen_masks(const sg_vector_builder *vb)
{
    sg_code *code = vb->builder.code;
    for (int64_t c = 0; c < code->nconstants; ++c) {
        code->constants[c].wide = code->constants[c].kind == SG_CONSTANT_MASK && vb->isa->masks > 0;
    }
    for (int n = 0; n < vb->isa->masks; ++n) {
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

void sg_vector_settle(sg_vector_builder *vb)
{
    widen_masks(vb);
    for (int64_t c = 0; c < vb->builder.code->nconstants; ++c) {
        for (int i = 0; i < vb->v->lanes; ++i) {
            uint8_t *lane = &vb->builder.code->constants[c].lanes[i];
            *lane = *lane == SG_LANE_DONT_CARE ? 0 : *lane;
        }
    }
}
