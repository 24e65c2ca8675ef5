/* Wide columns by whole vectors. Adjacent narrow columns are moved as in the portable program. */
#include "plan/body/vector_runs.h"

#include <stddef.h>

#include "base/checked.h"
#include "plan/body/portable.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* The narrowest column for which write combining (sg_write_combining in plan.h) pays: COMBINE_MIN
 * outside the L1 cache, a whole cache line in L1. If outputs are aligned to cache lines it never
 * pays (MEASURED.md, Write combining). */
#define COMBINE_MIN INT64_C(32)

/* On machines without DEAR_CROSSINGS, stores that cross cache lines cost less. They use write
 * combining for runs in the L1 cache, and outside it only for runs whose rows end within cache
 * lines and that all have at least a line and less than COMBINE_LONG bytes. Networks always use it
 * (MEASURED.md, Write combining). */
#define COMBINE_LONG INT64_C(768)

/* Slices combine writes, each over all rows, if they average at least this many bytes of a row. If
 * the input is larger than COMBINE_NEAR_BYTES, a row must also have at least COMBINE_ROW_BYTES,
 * because reading short pieces of distant rows is slow (MEASURED.md, Write combining). */
#define COMBINE_SLICE_BYTES INT64_C(1024)
#define COMBINE_ROW_BYTES   INT64_C(24576)
#define COMBINE_NEAR_BYTES  (INT64_C(2) << 20)

/* Outside the L1 cache, rows are copied one by one, without gathering narrow columns over several
 * rows, if they have at most one scalar move per this many bytes (MEASURED.md, Runs). */
#define WIDE_ROW_BYTES INT64_C(512)

/* The same where rows of many outputs are copied in order for the sake of memory. */
#define IN_ORDER_ROW_BYTES INT64_C(32)

/* Runs up to this size are copied by inline vector code; longer ones are left to the C library,
 * which knows when to bypass the caches (MEASURED.md, Runs). */
#define LINES_MAX INT64_C(32768)

/* Input bytes up to which runs are copied by the widest vectors (splitgen_vectors_avx512); larger
 * inputs use the version for the L2 cache (splitgen_run_avx512). If all rows are one contiguous
 * run, the widest vectors are always used (MEASURED.md, Runs). */
#define LINES_BYTES INT64_C(24576)

/* The shortest run of a concat that uses non-temporal stores wherever it begins: at most two of its
 * lines are partial (MEASURED.md, Concats). */
#define RAGGED_MIN INT64_C(256)

/* A concat uses non-temporal stores if at most this share of a row is shorter runs, and if it has
 * no more inputs than prefetchers follow, SG_OUTPUTS_TOGETHER (MEASURED.md, Concats). */
#define JOINED_OTHERS 16

/* The shortest runs of a concat, on average, that go through a write combiner past the cache;
 * columns of shorter ones are networks, or moves (MEASURED.md, Concats). */
#define COMBINED_MIN INT64_C(16)

/* With more than SG_OUTPUTS_TOGETHER outputs: bytes of one output that are written before the next
 * output. Pending stores then go to few lines of a cache set, even if outputs
 * begin at the same place of a page, as large ones do (MEASURED.md, Many outputs). */
#define ALTERNATE_BYTES INT64_C(512)

/* Maximum number of instructions of such an iteration. */
#define ALTERNATE_INSNS INT64_C(256)

/* Whether a run is copied by whole vectors; other runs use the moves of the portable program. */
static bool by_vectors(const sg_isa_info *isa, int64_t bytes)
{
    return bytes >= isa->unit && isa->unit >= SG_WIDE_UNIT_MIN;
}

int64_t sg_runs_insns(const sg_plan *plan, const sg_isa_info *isa, int64_t column)
{
    const int64_t width = plan->map.parts[column].width;
    return by_vectors(isa, width) ? 1 : sg_portable_run_work(plan, width).insns;
}

void sg_runs_append(const sg_plan *plan, const sg_isa_info *isa, sg_code *code, int64_t part,
                    int64_t row)
{
    const sg_map_part *p = &plan->map.parts[part];
    if (!by_vectors(isa, p->width)) {
        sg_portable_append_row(plan, code, part, row);
        return;
    }
    sg_insn insn = sg_insn_new(p->width < LINES_MAX ? SG_INSN_VECTORS : SG_INSN_CALL);
    sg_insn_between(&insn, &plan->map, part, row * p->row_stride,
                    row * plan->map.row_stride + p->offset);
    insn.bytes = p->width;
    code->insns[code->ninsns++] = insn;
}

/* Number of instructions for one row; sets *wide if a column is at least as wide as a vector. */
static int64_t row_insns(const sg_plan *plan, const sg_isa_info *isa, bool *wide)
{
    int64_t n = 0;
    for (int64_t c = 0; c < plan->map.nparts; ++c) {
        *wide = *wide || by_vectors(isa, plan->map.parts[c].width);
        n += sg_runs_insns(plan, isa, c);
    }
    return n;
}

bool sg_runs_any(const sg_plan *plan, const sg_isa_info *isa)
{
    bool wide = false;
    (void)row_insns(plan, isa, &wide);
    return wide;
}

/* Whether all runs begin and end at cache lines if the full tensor and the parts do. */
static bool has_only_lines(const sg_map *map)
{
    bool lines = !map->joins || map->row_stride % SG_LINE_BYTES == 0;
    for (int64_t p = 0; p < map->nparts; ++p) {
        const sg_map_part *part = &map->parts[p];
        lines = lines && part->width % SG_LINE_BYTES == 0 &&
                (map->joins ? part->offset : part->row_stride) % SG_LINE_BYTES == 0;
    }
    return lines;
}

/* Whether a concat has so many inputs, and so long rows of whole lines, that these bypass the cache
 * as they are (MEASURED.md, Concats). */
static bool has_many_lines(const sg_map *map)
{
    return map->joins && map->nparts > 2 * SG_OUTPUTS_TOGETHER &&
           map->row_stride >= COMBINE_ROW_BYTES && has_only_lines(map);
}

bool sg_runs_join_past(const sg_plan *plan, const sg_isa_info *isa)
{
    const sg_map *map = &plan->map;
    const bool past = plan->non_temporal == SG_NON_TEMPORAL_ALWAYS || sg_plan_goes_in_order(plan);
    return past && map->joins && !has_many_lines(map) && sg_isa_has_write_combining(isa) &&
           !plan->array_params && sg_map_all_dense(map) && map->rows >= SG_WRITE_COMBINING_ROWS &&
           plan->optimize != SG_OPTIMIZE_SIZE && map->row_stride >= map->nparts * COMBINED_MIN;
}

/* Whether there are too many outputs to write in turn: each is then written for several rows
 * before the next. */
static bool alternate(const sg_map *map)
{
    return map->nparts > SG_OUTPUTS_TOGETHER;
}

bool sg_runs_nearly_all(const sg_plan *plan, const sg_isa_info *isa)
{
    const sg_map *map = &plan->map;
    int64_t narrow = 0;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        narrow += by_vectors(isa, width) ? 0 : sg_runs_insns(plan, isa, c);
    }
    const bool in_order = alternate(map) && sg_plan_goes_in_order(plan);
    return narrow <= map->row_stride / (in_order ? IN_ORDER_ROW_BYTES : WIDE_ROW_BYTES);
}

/* Many outputs are written one after the other, each for as many rows as make ALTERNATE_BYTES. */
static int64_t rows_per_iteration(const sg_plan *plan, const sg_isa_info *isa, int64_t insns)
{
    const sg_map *map = &plan->map;
    const bool far = isa->non_temporal && sg_plan_goes_in_order(plan);
    int64_t narrowest = ALTERNATE_BYTES;
    if (!alternate(map) || far || sg_runs_join_past(plan, isa)) {
        return 1;
    }
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        narrowest = width < narrowest ? width : narrowest;
    }
    const int64_t limits[] = {ALTERNATE_BYTES / narrowest, SG_ALTERNATE_BYTES / map->row_stride,
                              ALTERNATE_INSNS / insns, map->rows};
    const int64_t rows = sg_least64(limits, sizeof(limits) / sizeof(limits[0]));
    return rows > 1 ? rows : 1;
}

/* Whether `bytes` are so nearly all of `of` that the cost of the others is negligible. */
static bool are_most(int64_t bytes, int64_t of)
{
    return of - bytes <= of / 8;
}

/* Whether runs may use non-temporal stores wherever they begin, except for the few lines at their
 * ends. A concat writes one stream of bytes, so a line in which one run ends and the next begins is
 * completed by ordinary stores within a short time. If rows have padding between them, no run
 * shares a line with the one in the next row. */
static bool takes_ends(const sg_map *map)
{
    return map->joins || !sg_map_all_dense(map);
}

/* Whether runs with non-temporal stores may begin or end within a cache line. */
static bool is_ragged(const sg_map *map)
{
    return takes_ends(map) && !has_only_lines(map);
}

static bool may_be_lines(const sg_map *map, int64_t width)
{
    return is_ragged(map) ? width >= RAGGED_MIN : width % SG_LINE_BYTES == 0;
}

bool sg_runs_allow_non_temporal(const sg_map *map)
{
    int64_t whole = 0;
    int64_t all = 0;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        all += width;
        whole += may_be_lines(map, width) ? width : 0;
    }
    if (map->joins) {
        return has_many_lines(map) ||
               (map->nparts <= SG_OUTPUTS_TOGETHER && all - whole <= all / JOINED_OTHERS);
    }
    return takes_ends(map) ? whole > all / 2 : are_most(whole, all);
}

/* Only columns that are one instruction per row and wide enough. Calls are excluded: the C library
 * aligns its stores itself. */
static bool may_combine_writes(const sg_map *map, const sg_insn *insn, int64_t first)
{
    const int64_t width = map->parts[first + insn->to.part].width;
    return (insn->op == SG_INSN_VECTORS || insn->op == SG_INSN_COPY) && insn->bytes == width &&
           width >= COMBINE_MIN;
}

/* With write combining each slice copies all rows before the next slice begins. That reads short
 * pieces of distant rows, so it pays only for short rows or wide slices. */
static bool may_combine(const sg_plan *plan, const sg_body *v)
{
    const sg_map *map = &plan->map;
    if (!sg_isa_has_write_combining(v->isa) || v->rows_per_iteration > 1 ||
        map->rows < SG_WRITE_COMBINING_ROWS || !sg_map_all_dense(map)) {
        return false;
    }
    if (!plan->array_params) {
        return !alternate(map);
    }
    const bool near = sg_plan_bytes(plan) < COMBINE_NEAR_BYTES;
    return sg_plan_bytes(plan) > SG_SMALL_BYTES && (near || map->row_stride >= COMBINE_ROW_BYTES) &&
           map->row_stride >= v->nslices * COMBINE_SLICE_BYTES;
}

static void combine_joined(const sg_plan *plan, sg_body *v)
{
    sg_code *code = &v->codes[0];
    bool all = sg_runs_join_past(plan, v->isa) && v->rows_per_iteration == 1;
    for (int64_t i = 0; all && i < code->ninsns; ++i) {
        all = code->insns[i].op != SG_INSN_CALL &&
              code->insns[i].bytes == plan->map.parts[code->insns[i].from.part].width;
    }
    for (int64_t i = 0; all && i < code->ninsns; ++i) {
        code->insns[i].combines = true;
    }
    if (all) {
        v->write_combining = SG_WRITE_COMBINING_PAST;
        v->prologue_rows = sg_ceil_div64(SG_LINE_BYTES, plan->map.row_stride);
        v->combines_non_temporal = true;
        v->allows_non_temporal = v->allows_non_temporal && has_only_lines(&plan->map);
    }
}

void sg_runs_choose_write_combining(const sg_plan *plan, sg_body *v)
{
    if (plan->map.joins) {
        combine_joined(plan, v);
        return;
    }
    const sg_map *map = &plan->map;
    int64_t combines = 0;
    int64_t ragged = 0;
    int64_t all = 0;
    int64_t narrowest = SG_LINE_BYTES;
    int64_t widest = 0;
    if (!may_combine(plan, v)) {
        return;
    }
    for (int64_t s = 0; s < v->nslices; ++s) {
        const sg_code *code = &v->codes[v->slices[s].code];
        for (int64_t i = 0; i < code->ninsns; ++i) {
            const sg_insn *insn = &code->insns[i];
            all += insn->bytes;
            if (may_combine_writes(map, insn, v->slices[s].part)) {
                combines += insn->bytes;
                ragged += insn->bytes % SG_LINE_BYTES != 0 ? insn->bytes : 0;
                narrowest = insn->bytes < narrowest ? insn->bytes : narrowest;
                widest = insn->bytes > widest ? insn->bytes : widest;
            }
        }
    }
    if (plan->optimize == SG_OPTIMIZE_SIZE || combines == 0 ||
        (narrowest < SG_LINE_BYTES && sg_plan_bytes(plan) <= SG_SMALL_BYTES)) {
        return;
    }
    for (int64_t s = 0; s < v->nslices; ++s) {
        sg_code *code = &v->codes[v->slices[s].code];
        for (int64_t i = 0; i < code->ninsns; ++i) {
            code->insns[i].combines = may_combine_writes(map, &code->insns[i], v->slices[s].part);
        }
    }
    const bool near = sg_plan_bytes(plan) <= SG_SMALL_BYTES;
    const bool mid = narrowest >= SG_LINE_BYTES && widest < COMBINE_LONG;
    v->write_combining =
        ragged > all / 8 ? SG_WRITE_COMBINING_ALWAYS : SG_WRITE_COMBINING_UNALIGNED;
    v->combining_trait =
        !plan->array_params && (near || (v->write_combining == SG_WRITE_COMBINING_ALWAYS && mid))
            ? SG_TRAIT_NONE
            : SG_TRAIT_DEAR_CROSSINGS;
    v->prologue_rows = sg_ceil_div64(SG_LINE_BYTES, narrowest);
    v->combines_non_temporal = are_most(combines, all);
}

bool sg_runs_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, sg_body *body)
{
    const sg_map *map = &plan->map;
    bool wide = false;
    const int64_t insns = row_insns(plan, isa, &wide);
    if (!(wide || sg_runs_join_past(plan, isa)) || insns > SG_BLOCK_INSNS) {
        return false;
    }
    const int64_t rows = rows_per_iteration(plan, isa, insns);
    *body = (sg_body){.isa = isa,
                      .lane_bytes = isa->unit,
                      .lanes = 1,
                      .rows_per_iteration = rows,
                      .tile_rows = rows,
                      .block_rows = rows,
                      .allows_non_temporal = sg_runs_allow_non_temporal(map),
                      .ncodes = 1,
                      .nslices = 1};
    body->codes = SG_NEW(arena, sg_code);
    body->slices = SG_NEW(arena, sg_slice);
    sg_code code = {.rows = rows};
    code.insns = SG_NEW_ARRAY(arena, sg_insn, insns * rows);
    for (int64_t c = 0; c < map->nparts; ++c) {
        for (int64_t row = 0; row < rows; ++row) {
            sg_runs_append(plan, isa, &code, c, row);
        }
    }
    body->codes[0] = (sg_code){.ninsns = code.ninsns, .insns = code.insns};
    return true;
}

sg_copy sg_runs_form(const sg_plan *plan)
{
    const bool near = sg_plan_is_one_run(plan) || sg_plan_bytes(plan) <= LINES_BYTES;
    return near ? SG_COPY_VECTORS : SG_COPY_RUN;
}

static sg_copy copy_of(const sg_plan *plan, const sg_body *v, const sg_insn *insn)
{
    if (insn->op == SG_INSN_VECTORS) {
        return sg_runs_form(plan);
    }
    if (insn->op == SG_INSN_CALL) {
        return SG_COPY_CALL;
    }
    if (!v->isa->puts || insn->bytes <= SG_PUT_BYTES) {
        return SG_COPY_MEMCPY;
    }
    return insn->bytes < SG_WIDE_UNIT_MIN ? SG_COPY_PUT : SG_COPY_SHORT;
}

void sg_runs_choose_copies(const sg_plan *plan, sg_body *v)
{
    for (int64_t b = 0; b < v->ncodes; ++b) {
        for (int64_t i = 0; i < v->codes[b].ninsns; ++i) {
            sg_insn *insn = &v->codes[b].insns[i];
            if (sg_insn_is_run(insn)) {
                insn->copy = copy_of(plan, v, insn);
                insn->lines = (insn->op == SG_INSN_CALL || insn->op == SG_INSN_VECTORS) &&
                              may_be_lines(&plan->map, insn->bytes) &&
                              (takes_ends(&plan->map) || insn->to.at % SG_LINE_BYTES == 0);
                insn->ragged = insn->lines && is_ragged(&plan->map);
            }
        }
    }
}
