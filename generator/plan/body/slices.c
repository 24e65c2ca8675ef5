/* Divides the columns of a row into column groups and runs; network.c builds the networks. */
#include "plan/body/slices.h"

#include "base/checked.h"
#include "plan/body/cost.h"
#include "plan/body/lanes.h"
#include "plan/body/lines.h"
#include "plan/body/network.h"
#include "plan/body/portable.h"
#include "plan/body/vector_runs.h"
#include "plan/body/vector_builder.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/machine/machine.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Maximum number of instructions of a vector body for all columns together: longer ones are slow to
 * compile and no faster than the C library's copies. */
#define TOGETHER_INSNS INT64_C(640)

/* Maximum number of rows of a block: a column group keeps a cache line of each row in the L1 cache.
 * */
#define BLOCK_ROWS INT64_C(192)

/* Maximum number of ways of a cache set that lines of one block's rows may occupy. */
#define BLOCK_WAYS INT64_C(6)

/* Distance in bytes at which lines map to the same set of the L1 cache. */
#define SET_BYTES INT64_C(4096)

/* Maximum number of distinct loop bodies in a kernel with an array of outputs. */
#define SLICE_BODIES_MAX INT64_C(8)

/* Maximum number of vectors in the tile of a concat's column group: each is assembled in a
 * register. */
#define TILE_VECTORS_MAX 16

/* Minimum number of narrow columns in a concat that has wide ones too: column groups write their
 * rows a second time (MEASURED.md, Concats). */
#define BESIDE_RUNS_MIN 8

/* Vectors of 32 bytes and more: column groups of a concat with padded rows or wide columns gain if
 * their predicted cycles are at most this share of the portable program's, in L1 and outside it
 * (MEASURED.md, Concats). */
#define JOINED_GAIN     0.7
#define JOINED_FAR_GAIN 0.55

/* In concats, narrow columns have at most this many bytes, or less than a vector. */
#define JOINED_WIDEST INT64_C(32)

/* How a row is divided. */
typedef struct cut {
    const sg_plan *plan;
    const sg_map *map;
    const sg_isa_info *isa;
    int64_t rows;   /* of a tile */
    int64_t widest; /* maximum bytes of a column in a column group */
    bool by_lines; /* wider columns whose rows end inside a line are assembled line by line, not row
                      by row */
    sg_column_group *column_groups;
    int64_t ncolumn_groups;
} cut;

/* The smallest piece of a row that holds `span` bytes and lets a tile of such pieces fit the
 * registers; 0: none. */
static int64_t piece_for(const cut *c, int64_t span)
{
    for (int64_t piece = sg_isa_piece_min(c->isa); piece <= c->isa->unit; piece *= 2) {
        if (span <= piece && c->rows * piece <= c->isa->unit * c->isa->sources_max) {
            return piece;
        }
    }
    return 0;
}

static bool is_narrow(const cut *c, int64_t column)
{
    return c->map->parts[column].width <= c->widest;
}

static int64_t narrow_columns(const cut *c)
{
    int64_t narrow = 0;
    for (int64_t i = 0; i < c->map->nparts; ++i) {
        narrow += is_narrow(c, i);
    }
    return narrow;
}

/* Whether rows of a wide column end inside a vector, so that most stores would cross cache lines if
 * rows were copied one by one. */
static bool is_ragged(const cut *c, int64_t column)
{
    return c->by_lines && !is_narrow(c, column) && c->map->parts[column].width % c->isa->unit != 0;
}

/* Whether a part is the next tensor after the one before it in an array of all parts, so that one
 * tile can have both. */
static bool follows(const sg_plan *plan, int64_t part)
{
    const sg_map_part *parts = plan->map.parts;
    return !plan->array_params || parts[part].tensor == parts[part - 1].tensor + 1;
}

/* Finds the column group that begins at `first`: up to SG_OUTPUTS_TOGETHER columns, and more as
 * long as they fit the same piece of a row. False if not even one column fits. */
static bool column_group_at(const cut *c, int64_t first, sg_column_group *column_group)
{
    const sg_map_part *columns = c->map->parts;
    *column_group = (sg_column_group){.first = first, .base = columns[first].offset};
    for (int64_t i = first;
         i < c->map->nparts && is_narrow(c, i) && (i == first || follows(c->plan, i)); ++i) {
        const int64_t piece =
            piece_for(c, columns[i].offset + columns[i].width - column_group->base);
        const bool crowded =
            column_group->count >= SG_OUTPUTS_TOGETHER && piece > column_group->piece;
        if (piece == 0 || crowded) {
            break;
        }
        column_group->piece = piece;
        ++column_group->count;
    }
    /* the last place for a piece, in whole elements from the columns on */
    const int64_t element = sg_vector_common_bytes(c->map);
    const int64_t room =
        (c->map->row_stride - c->map->gap) / element * element - column_group->piece;
    column_group->base = column_group->base < room ? column_group->base : room;
    return column_group->count > 0 && room >= 0;
}

/* Divides the row of a split into column groups; false if a narrow column fits none, or there is
 * nothing to gain. */
static bool cut_split(sg_arena *arena, cut *c)
{
    c->column_groups = SG_NEW_ARRAY(arena, sg_column_group, c->map->nparts);
    c->ncolumn_groups = 0;
    bool ragged = false;
    for (int64_t i = 0; i < c->map->nparts;) {
        if (!is_narrow(c, i)) {
            ragged = ragged || is_ragged(c, i);
            ++i;
            continue;
        }
        if (!column_group_at(c, i, &c->column_groups[c->ncolumn_groups])) {
            return false;
        }
        i += c->column_groups[c->ncolumn_groups++].count;
    }
    return c->by_lines ? ragged : c->ncolumn_groups > 0;
}

/* --- the rows of a concat --------------------------------------------------------------------- */

/* Adjacent narrow columns [first, end), and how many bytes of wide columns are adjacent to them. A
 * column group may write these too, because runs overwrite them afterwards. */
typedef struct span {
    int64_t first;
    int64_t end;
    int64_t left;
    int64_t right;
} span;

static bool are_adjacent(const sg_map *map, int64_t column)
{
    return column > 0 && column < map->nparts &&
           map->parts[column - 1].offset + map->parts[column - 1].width ==
               map->parts[column].offset;
}

static span span_at(const cut *c, int64_t first)
{
    const sg_map *map = c->map;
    span s = {.first = first, .end = first + 1};
    while (are_adjacent(map, s.end) && is_narrow(c, s.end) && follows(c->plan, s.end)) {
        ++s.end;
    }
    const bool after_wide = are_adjacent(map, first) && !is_narrow(c, first - 1);
    const bool before_wide = are_adjacent(map, s.end) && !is_narrow(c, s.end);
    s.left = after_wide ? map->parts[first - 1].width : 0;
    s.right = before_wide ? map->parts[s.end].width : 0;
    return s;
}

/* Whether a tile of such pieces is whole vectors, not too many. */
static bool is_piece(const cut *c, int64_t bytes)
{
    return bytes >= sg_isa_piece_min(c->isa) && bytes <= c->isa->unit &&
           c->rows * bytes % c->isa->unit == 0 &&
           c->rows * bytes <= c->isa->unit * TILE_VECTORS_MAX;
}

/* The piece of a row that a concat stores for the columns of a span from byte `at` of the row on:
 * the smallest that holds all of them, or else the largest that the span has room for. If it
 * reaches past the span it overlaps the piece before, or wide columns. The slices of an array of
 * parts have pieces of one size, to share their code. False if there is none. */
static bool piece_at(const cut *c, const span *s, int64_t at, sg_column_group *group)
{
    const sg_map_part *columns = c->map->parts;
    const int64_t begin = columns[s->first].offset;
    const int64_t end = columns[s->end - 1].offset + columns[s->end - 1].width;
    const int64_t left = c->plan->array_params ? end - begin : end - at;
    *group = (sg_column_group){.first = s->first};
    for (int64_t piece = 1; piece <= c->isa->unit && group->piece < left; piece *= 2) {
        if (is_piece(c, piece) && piece <= s->left + (end - begin) + s->right) {
            group->piece = piece;
        }
    }
    const int64_t last = end - group->piece;
    const int64_t most = last >= begin ? last : last + s->right;
    group->base = at < most ? at : most;
    while (columns[group->first].offset + columns[group->first].width <= group->base) {
        ++group->first;
    }
    while (group->first + group->count < s->end &&
           columns[group->first + group->count].offset < group->base + group->piece) {
        ++group->count;
    }
    return group->piece > 0;
}

/* Divides the row of a concat into column groups; false if one fits no piece, or there are wide
 * columns and too few narrow ones. */
static bool cut_concat(sg_arena *arena, cut *c)
{
    const sg_map *map = c->map;
    const int64_t narrow = narrow_columns(c);
    if (narrow < map->nparts && narrow < BESIDE_RUNS_MIN) {
        return false;
    }
    int64_t most = map->nparts; /* each span has one piece that is not full, at most */
    for (int64_t i = 0; i < map->nparts; ++i) {
        most += is_narrow(c, i) ? map->parts[i].width / sg_isa_piece_min(c->isa) + 1 : 0;
    }
    c->column_groups = SG_NEW_ARRAY(arena, sg_column_group, most);
    c->ncolumn_groups = 0;
    for (int64_t i = 0; i < map->nparts;) {
        if (!is_narrow(c, i)) {
            ++i;
            continue;
        }
        const span s = span_at(c, i);
        const int64_t end = map->parts[s.end - 1].offset + map->parts[s.end - 1].width;
        for (int64_t at = map->parts[i].offset; at < end;) {
            sg_column_group *group = &c->column_groups[c->ncolumn_groups++];
            if (!piece_at(c, &s, at, group)) {
                return false;
            }
            at = group->base + group->piece;
        }
        i = s.end;
    }
    return c->ncolumn_groups > 0;
}

/* --- all columns in one code ------------------------------------------------------------------ */

/* The state of a ragged column whose lines are being assembled: its routing and its next line. */
typedef struct combiner {
    sg_vector_builder routed;
    int line;
} combiner;

/* The place in the input where the next line ends. */
static int64_t end_of_line(const combiner *f)
{
    const sg_routing *r = &f->routed.routing;
    const sg_edge *last = &r->edges[(f->line + 1) * r->lanes - 1];
    return sg_routing_begin(r, last->source) + last->position;
}

/* Assembles the lines of all ragged columns in the order of the input, which is then one stream for
 * prefetchers: column by column, 64 rows of 2 x 232 bytes in L2 run at only 66 GB/s. */
static void assemble_ragged(const cut *c, sg_vector_builder *vb)
{
    combiner *combiners = SG_NEW_ARRAY(vb->arena, combiner, c->map->nparts);
    int64_t nfeeds = 0;
    for (int64_t i = 0; i < c->map->nparts; ++i) {
        if (is_ragged(c, i)) {
            sg_vector_route(vb, &(sg_column_group){.first = i, .count = 1});
            combiners[nfeeds++] = (combiner){.routed = *vb};
        }
    }
    for (;;) {
        combiner *next = NULL;
        for (int64_t i = 0; i < nfeeds; ++i) {
            if (combiners[i].line < combiners[i].routed.routing.lines &&
                (next == NULL || end_of_line(&combiners[i]) < end_of_line(next))) {
                next = &combiners[i];
            }
        }
        if (next == NULL) {
            return;
        }
        vb->routing = next->routed.routing;
        vb->vectors = next->routed.vectors;
        sg_lines_build(vb, next->line++);
    }
}

static void add_runs(const cut *c, sg_vector_builder *vb)
{
    for (int64_t row = 0; row < c->rows; ++row) {
        for (int64_t i = 0; i < c->map->nparts; ++i) {
            if (!is_narrow(c, i) && !is_ragged(c, i)) {
                sg_vector_run(vb, i, row);
            }
        }
    }
}

static void add_column_groups(const cut *c, sg_vector_builder *vb)
{
    for (int64_t s = 0; s < c->ncolumn_groups; ++s) {
        sg_vector_route(vb, &c->column_groups[s]);
        sg_network_column_group(vb);
    }
}

/* All columns in one code; each output has its own pointer. The column groups of a concat come
 * first, since runs overwrite what they write of wide columns. */
static bool build_together(const cut *c, sg_vector_builder *vb)
{
    sg_vector_start_code(vb, 0, 0);
    vb->v->slices[vb->v->nslices++] = (sg_slice){0};
    if (c->map->joins) {
        add_column_groups(c, vb);
        add_runs(c, vb);
    } else {
        add_runs(c, vb);
        assemble_ragged(c, vb);
        add_column_groups(c, vb);
    }
    sg_vector_settle(vb);
    return vb->builder.code->ninsns <= TOGETHER_INSNS;
}

/* Whether there would be too many lines. A tile is no larger than the tensor. */
static bool is_too_long(const cut *c)
{
    int64_t lines = 0;
    for (int64_t i = 0; i < c->map->nparts; ++i) {
        if (is_ragged(c, i)) {
            lines += c->rows * c->map->parts[i].width / c->isa->unit;
        }
    }
    return lines > TOGETHER_INSNS / 2;
}

/* Whether two column groups differ only in where they are. */
static bool is_same(const sg_map *map, const sg_column_group *a, const sg_column_group *b)
{
    if (a->count != b->count || a->piece != b->piece) {
        return false;
    }
    for (int64_t i = 0; i < a->count; ++i) {
        const sg_map_part *x = &map->parts[a->first + i];
        const sg_map_part *y = &map->parts[b->first + i];
        if (x->offset - a->base != y->offset - b->base || x->width != y->width ||
            x->row_stride != y->row_stride ||
            x->tensor - map->parts[a->first].tensor != y->tensor - map->parts[b->first].tensor) {
            return false;
        }
    }
    return true;
}

/* Rows of a block: several tiles, so that each output gets several consecutive lines, as a column
 * group uses only a few lines of a row; but fewer if these lines map to the same cache sets. */
static int64_t block_rows(const cut *c, int64_t tile, int64_t lane_bytes)
{
    const int64_t row_bytes = c->map->row_stride;
    const bool far = sg_plan_bytes(c->plan) >= SG_BLOCK_FAR_BYTES;
    const int64_t step = sg_gcd64(row_bytes, SET_BYTES);
    const int64_t lines = SET_BYTES / (step > SG_LINE_BYTES ? step : SG_LINE_BYTES);
    const int64_t limits[] = {BLOCK_ROWS, SG_BLOCK_OUTPUT_BYTES / lane_bytes, BLOCK_WAYS * lines,
                              far ? SG_BLOCK_BYTES / row_bytes : INT64_MAX};
    const int64_t rows = sg_least64(limits, sizeof(limits) / sizeof(limits[0]));
    return rows > tile ? rows / tile * tile : tile;
}

/* One code for every kind of column group, one slice for every column group. */
static bool build_apart(const cut *c, sg_vector_builder *vb)
{
    sg_body *v = vb->v;
    const sg_column_group **built =
        SG_NEW_ARRAY(vb->arena, const sg_column_group *, c->ncolumn_groups);
    if (narrow_columns(c) < c->map->nparts) {
        return false;
    }
    for (int64_t s = 0; s < c->ncolumn_groups; ++s) {
        const sg_column_group *column_group = &c->column_groups[s];
        int64_t code = 0;
        while (code < v->ncodes && !is_same(c->map, built[code], column_group)) {
            ++code;
        }
        if (code == v->ncodes) {
            if (code == SLICE_BODIES_MAX) {
                return false;
            }
            built[code] = column_group;
            sg_vector_start_code(vb, column_group->first, column_group->base);
            sg_vector_route(vb, column_group);
            sg_network_column_group(vb);
            sg_vector_settle(vb);
        }
        v->slices[v->nslices++] =
            (sg_slice){.code = code, .part = column_group->first, .at = column_group->base};
    }
    v->block_rows = block_rows(c, v->rows_per_iteration, v->lane_bytes);
    /* All slices of a block together prefetch the next block. */
    if (c->isa->prefetches_blocks && !c->map->joins &&
        sg_plan_bytes(c->plan) >= SG_BLOCK_AHEAD_BYTES) {
        v->prefetch_block_bytes =
            sg_ceil_div64(v->rows_per_iteration * c->map->row_stride, v->nslices);
    }
    return true;
}

/* --- wide columns of kernels with an array of outputs ----------------------------------------- */

/* Groups of adjacent columns that are written together, of equal width if `alike`, which makes
 * fewer distinct groups. */
static int64_t cut_groups(const sg_plan *plan, bool alike, sg_column_group *groups)
{
    const sg_map *map = &plan->map;
    int64_t n = 0;
    for (int64_t c = 0; c < map->nparts; ++c) {
        sg_column_group *last = n > 0 ? &groups[n - 1] : NULL;
        if (last == NULL || last->count == SG_OUTPUTS_TOGETHER || !follows(plan, c) ||
            (alike && map->parts[c].width != map->parts[c - 1].width)) {
            groups[n++] = (sg_column_group){.first = c, .count = 1, .base = map->parts[c].offset};
        } else {
            ++last->count;
        }
    }
    return n;
}

/* Code for one row of a group; column numbers and offsets are relative to the group. False if it is
 * too long for one function. */
static bool build_runs(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                       const sg_column_group *group, sg_code *code)
{
    int64_t insns = 0;
    for (int64_t c = group->first; c < group->first + group->count; ++c) {
        insns += sg_runs_insns(plan, isa, c);
    }
    if (insns > SG_BLOCK_INSNS) {
        return false;
    }
    sg_code runs = {.insns = SG_NEW_ARRAY(arena, sg_insn, insns)};
    for (int64_t c = group->first; c < group->first + group->count; ++c) {
        sg_runs_append(plan, isa, &runs, c, 0);
    }
    for (int64_t i = 0; i < runs.ninsns; ++i) {
        sg_insn_count_from(&runs.insns[i], group->first, group->base);
    }
    *code = (sg_code){.ninsns = runs.ninsns, .insns = runs.insns};
    return true;
}

static bool build_groups(sg_arena *arena, const sg_plan *plan, const sg_column_group *groups,
                         int64_t ngroups, sg_body *v)
{
    const sg_column_group *built[SLICE_BODIES_MAX];
    v->codes = SG_NEW_ARRAY(arena, sg_code, SLICE_BODIES_MAX);
    v->slices = SG_NEW_ARRAY(arena, sg_slice, ngroups);
    for (int64_t g = 0; g < ngroups; ++g) {
        const sg_column_group *group = &groups[g];
        int64_t code = 0;
        while (code < v->ncodes && !is_same(&plan->map, built[code], group)) {
            ++code;
        }
        if (code == v->ncodes) {
            if (code == SLICE_BODIES_MAX ||
                !build_runs(arena, plan, v->isa, group, &v->codes[code])) {
                return false;
            }
            built[v->ncodes++] = group;
        }
        v->slices[v->nslices++] = (sg_slice){.code = code, .part = group->first, .at = group->base};
    }
    return true;
}

bool sg_slices_build_runs(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa,
                          sg_body *body)
{
    const sg_map *map = &plan->map;
    sg_column_group *groups = SG_NEW_ARRAY(arena, sg_column_group, map->nparts);
    if (!sg_runs_any(plan, isa)) {
        return false;
    }
    const bool in_order = sg_plan_goes_in_order(plan);
    for (int way = 0; way < 2; ++way) {
        const int64_t ngroups = cut_groups(plan, (way == 0) != in_order, groups);
        const int64_t rows = in_order ? 1 : SG_BLOCK_BYTES / map->row_stride;
        *body = (sg_body){.isa = isa,
                          .lane_bytes = isa->unit,
                          .lanes = 1,
                          .rows_per_iteration = 1,
                          .tile_rows = 1,
                          .block_rows = rows > 1 ? rows : 1,
                          .allows_non_temporal = sg_runs_allow_non_temporal(map)};
        if (build_groups(arena, plan, groups, ngroups, body)) {
            return true;
        }
    }
    return false;
}

/* --- column groups beside runs ---------------------------------------------------------------- */

/* The share of the portable program's cycles that the body of a concat may take. */
static double most_share(const cut *c)
{
    const bool is_wide_vector = c->isa->unit * c->isa->tiles >= SG_WIDE_UNIT_MIN;
    const bool is_plain = c->map->gap == 0 && narrow_columns(c) == c->map->nparts;
    const bool far = sg_plan_bytes(c->plan) > SG_SMALL_BYTES;
    return is_plain || !is_wide_vector ? SG_VECTOR_GAIN : far ? JOINED_FAR_GAIN : JOINED_GAIN;
}

/* Whether the body of a concat is faster than the portable program, by the moves that the machine
 * does per cycle. Into padded rows it has to be faster on every machine that generic code is
 * optimised for. */
static bool gains(const cut *c, const sg_body *v)
{
    const sg_plan *plan = c->plan;
    const double moves = (double)(v->rows_per_iteration * sg_portable_row_work(plan).moves);
    const double most = most_share(c) * moves;
    bool all = true;
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        const sg_cost *cost = sg_isa_cost(c->isa->isa, (sg_uarch)u);
        const bool counts = cost != NULL && (cost->uarch == c->isa->cost->uarch || c->map->gap > 0);
        all = all && (!counts || sg_cost_predict(plan, v, cost).cycles < most / cost->move_stores);
    }
    return all;
}

static bool build(const cut *c, sg_vector_builder *vb)
{
    return c->plan->array_params ? build_apart(c, vb) : build_together(c, vb);
}

static bool build_concat(const cut *c, sg_vector_builder *vb)
{
    sg_body *v = vb->v;
    v->slices =
        SG_NEW_ARRAY(vb->arena, sg_slice, c->ncolumn_groups + 1); /* may be more than parts */
    const bool built = build(c, vb);
    v->allows_non_temporal = false;
    return built && gains(c, v);
}

bool sg_slices_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, bool by_lines,
                     sg_body *body)
{
    const sg_map *map = &plan->map;
    if (by_lines && (map->joins || map->gap > 0 || isa->unit * isa->tiles >= SG_WIDE_UNIT_MIN)) {
        return false; /* lines may also read the padding between rows; wide vectors gain too little
                         (MEASURED.md, Runs) */
    }
    int64_t widest = isa->unit - 1;
    if (map->joins && widest < JOINED_WIDEST) {
        widest = JOINED_WIDEST;
    }
    for (; widest > 0; widest /= 2) {
        cut c = {.plan = plan, .map = map, .isa = isa, .widest = widest, .by_lines = by_lines};
        sg_vector_builder vb;
        c.rows = sg_vector_period(map, isa->unit, by_lines ? map->row_stride : widest);
        if (c.rows <= map->rows && (map->joins ? cut_concat : cut_split)(arena, &c) &&
            !is_too_long(&c) && sg_vector_open(arena, plan, isa, c.rows, body, &vb)) {
            return map->joins ? build_concat(&c, &vb) : build(&c, &vb);
        }
    }
    return false;
}
