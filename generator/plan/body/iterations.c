/* Completes a chosen body: repeats short tiles, and decides about non-temporal stores, write
 * combining, interleaved streams and prefetches. */
#include "plan/body/iterations.h"

#include "base/checked.h"
#include "plan/body/cost.h"
#include "plan/body/fold.h"
#include "plan/body/vector_runs.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* With non-temporal stores, streams are interleaved: this many bytes of one range of rows, then of
 * the next, as splitgen_streams() in splitgen/runs.h explains. For a single run it is
 * SPLITGEN_PIECE_BYTES in that header (MEASURED.md, Interleaved streams). */
#define STREAM_PIECE_BYTES INT64_C(1024)

/* Runs of at least this size are themselves divided into streams, by splitgen_run_per_stream() in
 * splitgen/runs.h; must equal SPLITGEN_CUT_MIN there. */
#define CUT_MIN INT64_C(65536)

/* Average size in bytes of write-combined runs below which the input is prefetched
 * COMBINE_AHEAD_BYTES ahead: such rows take so many instructions that out-of-order execution
 * does not look far enough ahead (MEASURED.md, Write combining). */
#define COMBINE_PREFETCH_RUN INT64_C(128)
#define COMBINE_AHEAD_BYTES  INT64_C(4096)

/* Maximum number of outputs written together by non-temporal stores narrower than a cache line: a
 * core can merge such stores for only a few lines at a time (MEASURED.md, Non-temporal stores). */
#define JOINED_OUTPUTS INT64_C(6)

/* A tile of fewer cycles is repeated within an iteration, up to REPEATS_MAX times: a loop over one
 * short tile may run at half speed, depending on the alignment of its code (MEASURED.md,
 * Unrolling). */
#define ITERATION_CYCLES_MIN 4.0
#define REPEATS_MAX          4

/* Bytes of an iteration from which a body with non-temporal stores prefetches its input far ahead.
 * */
#define PREFETCH_FAR_MIN 1024

/* On machines with PREFETCH_ALL such a body prefetches its own input instead, in iterations of up
 * to this many bytes. In longer ones the prefetches cost more than the waiting (MEASURED.md,
 * Non-temporal stores). */
#define PREFETCH_NOW_MAX 4096

/* Minimum vector size in bytes for aligning outputs, as malloc() returns multiples of 16 bytes; and
 * minimum number of iterations after the aligning one (MEASURED.md, Aligning). */
#define VECTOR_MIN        32
#define VECTOR_ITERATIONS 16

/* Inserts a prefetch before the first load of every cache line; see SG_PREFETCH_BYTES. Runs need
 * none: they are loops with one load instruction, which hardware prefetchers follow. */
static void prefetch(sg_arena *arena, sg_code *code)
{
    sg_insn *insns = SG_NEW_ARRAY(arena, sg_insn, 2 * code->ninsns);
    int64_t n = 0;
    int64_t next = 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        if (insn->op == SG_INSN_LOAD && insn->step == 0 && insn->from.part == SG_WHOLE &&
            insn->from.at >= next) {
            const int64_t line = insn->from.at / SG_LINE_BYTES * SG_LINE_BYTES;
            insns[n] = sg_insn_new(SG_INSN_PREFETCH);
            insns[n++].from.at = line + SG_PREFETCH_BYTES;
            next = line + SG_LINE_BYTES;
        }
        insns[n++] = *insn;
    }
    code->insns = insns;
    code->ninsns = n;
}

/* Whether loads are prefetched with ordinary stores, as the table of instruction sets decides. */
static bool wants_prefetch(const sg_plan *plan, const sg_body *v)
{
    return v->isa->prefetches && sg_plan_bytes(plan) > SG_SMALL_BYTES &&
           sg_plan_bytes(plan) < SG_PREFETCH_END;
}

/* Whether write-combined runs are so short that a row takes longer than the processor's own
 * look-ahead. */
static bool combining_wants_prefetch(const sg_plan *plan, const sg_body *v)
{
    const sg_code *code = &v->codes[0];
    int64_t runs = 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        runs += code->insns[i].combines ? 1 : 0;
    }
    return v->write_combining == SG_WRITE_COMBINING_ALWAYS && !plan->array_params &&
           !sg_plan_is_one_run(plan) && sg_plan_bytes(plan) > SG_SMALL_BYTES &&
           plan->map.row_stride < runs * COMBINE_PREFETCH_RUN;
}

/* Inserts prefetches of all cache lines of a later row before the code. */
static void prefetch_row(sg_arena *arena, const sg_plan *plan, sg_code *code)
{
    const int64_t lines = sg_ceil_div64(plan->map.row_stride, SG_LINE_BYTES);
    sg_code all = {.insns = SG_NEW_ARRAY(arena, sg_insn, lines + code->ninsns)};
    for (int64_t at = 0; at < plan->map.row_stride; at += SG_LINE_BYTES) {
        all.insns[all.ninsns] = sg_insn_new(SG_INSN_PREFETCH);
        all.insns[all.ninsns++].from.at = COMBINE_AHEAD_BYTES + at;
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        all.insns[all.ninsns++] = code->insns[i];
    }
    code->insns = all.insns;
    code->ninsns = all.ninsns;
}

/* Bodies with non-temporal stores and many loads prefetch the input of a whole iteration at once,
 * since memory is faster when it alternates between longer phases of reads and writes. Runs do so
 * anyway, and hardware prefetchers follow a few loads (MEASURED.md, Non-temporal stores). */
static void choose_prefetch(const sg_plan *plan, sg_body *v)
{
    const int64_t iteration = v->rows_per_iteration * plan->map.row_stride;
    bool runs = plan->array_params || plan->map.joins; /* they read from several places */
    for (int64_t i = 0; !runs && i < v->codes[0].ninsns; ++i) {
        runs = sg_insn_is_run(&v->codes[0].insns[i]);
    }
    v->prefetch_far = v->isa->prefetches && !runs && iteration >= PREFETCH_FAR_MIN ? iteration : 0;
    v->prefetch_now = !runs && iteration <= PREFETCH_NOW_MAX ? iteration : 0;
}

/* Iterations in a piece of a stream, if one iteration reads `iteration` bytes: a power of two times
 * `least`, which is at least 1. */
static int64_t iterations_in_piece(int64_t iteration, int64_t least)
{
    int64_t iterations = least;
    while (iteration <= STREAM_PIECE_BYTES / (2 * iterations)) {
        iterations *= 2;
    }
    return iterations;
}

/* Whether there is a run between an instruction and a later one that uses its register. */
static bool parts_values(sg_arena *arena, const sg_code *code)
{
    int *uses = sg_body_uses(arena, code);
    int waiting = 0; /* pending uses of registers */
    bool parts = false;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        if (sg_insn_is_run(insn)) {
            parts = parts || waiting > 0;
            continue;
        }
        waiting -= sg_opcode_get(insn->op)->reads;
        waiting += insn->reg >= 0 ? uses[insn->reg] : 0;
    }
    return parts;
}

/* Chooses how non-temporal stores interleave streams. Column groups of kernels with an array of
 * outputs do not use the result. */
static void choose_interleaving(sg_arena *arena, const sg_plan *plan, sg_body *v)
{
    const int64_t iteration = v->rows_per_iteration * plan->map.row_stride;
    const sg_code *code = &v->codes[0];
    int64_t runs = 0;
    int64_t longest = 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        if (sg_insn_is_run(insn)) {
            runs += insn->bytes;
            longest = insn->bytes > longest ? insn->bytes : longest;
        }
    }
    /* Write combiners are loaded and saved for every piece of a stream, so a piece has at least two
     * iterations. */
    v->stream_iterations =
        iterations_in_piece(iteration, v->write_combining != SG_WRITE_COMBINING_NEVER ? 2 : 1);
    v->interleaving = runs > iteration / 2 && iteration > STREAM_PIECE_BYTES &&
                              v->write_combining != SG_WRITE_COMBINING_PAST &&
                              !sg_code_has(code, sg_insn_is_ragged) && !parts_values(arena, code)
                          ? SG_INTERLEAVING_RUNS
                          : SG_INTERLEAVING_ITERATIONS;
    if (v->rows_per_iteration == 1 && longest >= CUT_MIN) {
        v->interleaving = SG_INTERLEAVING_NONE;
    }
}

/* Puts several tiles into an iteration if one tile is too short for a loop. */
static void repeat(const sg_plan *plan, sg_body *v)
{
    const double cycles = sg_body_fastest(v)->cycles;
    int64_t times = 1;
    while (times < REPEATS_MAX && cycles * (double)times < ITERATION_CYCLES_MIN &&
           v->rows_per_iteration <= plan->map.rows / (2 * times)) {
        times *= 2;
    }
    if (times == 1 || v->isa->tiles > 1 || plan->array_params || v->lanes == 1) {
        return;
    }
    v->rows_per_iteration *= times;
    v->block_rows = v->rows_per_iteration;
    v->cycles *= (double)times;
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        v->on[u].cycles *= (double)times;
    }
}

/* Marks the stores of a network that go through write combiners, if the stores of each column, or
 * of a concat, are contiguous. Each then takes one more permute and one more blend, which pays only
 * outside L1, and for concats only past the cache (MEASURED.md, Write combining, Concats). */
static void combine_stores(const sg_plan *plan, sg_body *v)
{
    int64_t ends[SG_OUTPUTS_TOGETHER] = {0};
    const sg_code *code = &v->codes[0];
    const bool joins = plan->map.joins;
    const int64_t outs = joins ? 1 : plan->map.nparts;
    if (!sg_isa_has_write_combining(v->isa) || v->write_combining != SG_WRITE_COMBINING_NEVER ||
        plan->array_params || outs > SG_OUTPUTS_TOGETHER || v->nslices > 1 ||
        plan->map.rows / v->rows_per_iteration < SG_WRITE_COMBINING_ROWS ||
        sg_plan_bytes(plan) <= SG_SMALL_BYTES || plan->optimize == SG_OPTIMIZE_SIZE) {
        return;
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        if (sg_insn_is_run(insn)) {
            return;
        }
        if (insn->op == SG_INSN_STORE) {
            int64_t *end = &ends[joins ? 0 : insn->to.part];
            if (insn->to.at != *end || insn->step > 0) {
                return;
            }
            *end += insn->bytes;
        }
    }
    for (int64_t c = 0; c < outs; ++c) {
        const int64_t row = joins ? plan->map.row_stride : plan->map.parts[c].width;
        if (ends[c] != v->tile_rows * row) {
            return;
        }
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        code->insns[i].combines = code->insns[i].op == SG_INSN_STORE;
    }
    v->write_combining = joins ? SG_WRITE_COMBINING_PAST : SG_WRITE_COMBINING_UNALIGNED;
    v->prologue_rows = v->rows_per_iteration;
    v->combines_non_temporal = v->allows_non_temporal;
}

/* Whether a body may use non-temporal stores that are narrower than a cache line: only with at most
 * JOINED_OUTPUTS outputs written together, because a core merges such stores for only a few lines
 * at a time; and not if a register holds two tiles and some instructions are runs, which would
 * still use ordinary stores. */
static bool may_be_non_temporal(const sg_body *v)
{
    bool few = true;
    bool runs = false;
    for (int64_t b = 0; v->isa->unit < SG_LINE_BYTES && b < v->ncodes; ++b) {
        uint64_t written = 0; /* a bit per column; a column group or a network has few */
        int64_t outputs = 0;
        for (int64_t i = 0; i < v->codes[b].ninsns; ++i) {
            const sg_insn *insn = &v->codes[b].insns[i];
            runs = runs || sg_insn_is_run(insn);
            if (sg_insn_stores_vectors(insn)) {
                const uint64_t bit = UINT64_C(1) << (insn->to.part - SG_WHOLE) % 64;
                outputs += (written & bit) == 0;
                written |= bit;
            }
        }
        few = few && outputs <= JOINED_OUTPUTS;
    }
    return few && !(runs && v->isa->tiles > 1);
}

/* Whether all outputs of a split have rows of one size, and are stored by vectors or are many: then
 * they are all aligned at the same rows. */
static bool writes_in_step(const sg_plan *plan, const sg_code *code)
{
    const sg_map_part *columns = plan->map.parts;
    bool runs = false;
    bool equal = true;
    for (int64_t p = 1; p < plan->map.nparts; ++p) {
        equal = equal && columns[p].row_stride == columns[0].row_stride;
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        runs = runs || sg_insn_is_run(&code->insns[i]);
    }
    return equal && (plan->map.nparts > SG_OUTPUTS_TOGETHER || (plan->map.nparts > 1 && !runs));
}

/* Whether all stores of a concat are at multiples of a vector if the first one is. */
static bool stores_in_step(const sg_code *code, int64_t vector)
{
    bool in_step = true;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        const sg_does does = sg_opcode_get(insn->op)->does;
        in_step = in_step && does != SG_DOES_RUN &&
                  (does != SG_DOES_STORE ||
                   (insn->to.at % vector == 0 && insn->bytes % vector == 0 && insn->step == 0));
    }
    return in_step;
}

/* Chooses whether misaligned outputs are first brought to the beginning of a vector, by an
 * iteration that the next one overlaps, so that no store crosses a cache line. All outputs are
 * aligned at the same row only if their rows are equally long. Registers of two tiles are stored by
 * halves, which do not cross lines anyway, unless the halves are contiguous. */
static void choose_vector_bytes(const sg_plan *plan, sg_body *v)
{
    const int64_t vector = v->isa->unit * v->isa->tiles;
    const int64_t stride = sg_map_written_stride(&plan->map);
    const bool whole = v->isa->tiles == 1 || v->tile_rows * stride == v->isa->unit;
    const bool in_step = plan->map.joins ? stores_in_step(&v->codes[0], vector)
                                         : writes_in_step(plan, &v->codes[0]) && whole;
    if (in_step && !plan->array_params && !plan->map.scales &&
        v->write_combining != SG_WRITE_COMBINING_ALWAYS && vector >= VECTOR_MIN &&
        stride % vector != 0 && v->tile_rows * v->isa->tiles * stride % vector == 0 &&
        plan->map.rows > VECTOR_ITERATIONS * v->rows_per_iteration &&
        plan->optimize != SG_OPTIMIZE_SIZE) {
        v->vector_bytes = vector;
        v->vector_rows = VECTOR_ITERATIONS * v->rows_per_iteration;
    }
}

void sg_iterations_choose(sg_arena *arena, const sg_plan *plan, sg_body *v)
{
    const bool asks = wants_prefetch(plan, v); /* before tiles are repeated */
    v->allows_non_temporal = v->allows_non_temporal && may_be_non_temporal(v);
    repeat(plan, v);
    sg_cost_sum(plan, v);
    choose_prefetch(plan, v);
    combine_stores(plan, v);
    sg_runs_choose_copies(plan, v);
    choose_interleaving(arena, plan, v);
    if (combining_wants_prefetch(plan, v)) {
        prefetch_row(arena, plan, &v->codes[0]);
    }
    for (int64_t b = 0; asks && b < v->ncodes; ++b) {
        prefetch(arena, &v->codes[b]);
    }
    for (int64_t b = 0; b < v->ncodes; ++b) {
        sg_code *code = &v->codes[b];
        code->folds = SG_NEW_ARRAY(arena, sg_fold, sg_fold_most(code->ninsns));
        code->nfolds = sg_fold_find(&plan->map, code->insns, 0, code->ninsns, code->folds);
    }
    choose_vector_bytes(plan, v);
}
