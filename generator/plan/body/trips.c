/* Completes a body after it was chosen: repeats short tiles, and decides on non-temporal stores,
 * write combining, interleaved streams and prefetches. */
#include "plan/body/trips.h"

#include "base/checked.h"
#include "plan/body/cost.h"
#include "plan/body/vector_runs.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Bytes of input of one tile from which loads are prefetched: hardware prefetchers follow shorter
 * tiles by themselves, where a prefetch instruction only costs (MEASURED.md, Prefetching). */
#define PREFETCH_WINDOW INT64_C(256)

/* With non-temporal stores, streams are interleaved: so many bytes of one part of the rows, then of
 * the next, as splitgen_fronts() in splitgen/runs.h explains. Of a run it is SPLITGEN_FRONT_BYTES
 * there (MEASURED.md, Parts by turns). */
#define FRONT_BYTES INT64_C(1024)

/* Runs from this size on are themselves cut into parts for interleaved streams, by splitgen_cut()
 * in splitgen/runs.h, whose SPLITGEN_CUT_MIN this is. */
#define CUT_MIN INT64_C(65536)

/* Average bytes of a write-combined run below which the input is prefetched SG_TURN_AHEAD_BYTES
 * ahead: such rows take so many instructions that the processor's own look-ahead is too short
 * (MEASURED.md, Feeds). */
#define FEED_ASK_RUN INT64_C(128)

/* The most outputs that are written side by side by non-temporal stores narrower than a cache line:
 * a core joins such stores for only a few lines at a time (MEASURED.md, Past the cache). */
#define JOINED_OUTPUTS INT64_C(6)

/* A tile of fewer cycles than these is repeated within a trip, up to REPEATS_MAX times: loops of
 * one short tile may run at half their speed, depending on where their code lies (MEASURED.md,
 * Unrolling). */
#define TRIP_CYCLES_MIN 4.0
#define REPEATS_MAX     4

/* Bytes of a trip from which a body with non-temporal stores prefetches its input far ahead. */
#define STREAM_AHEAD_MIN 1024

/* On machines with ASKS_ALL such a body prefetches its own input instead, but not in trips of more
 * bytes than these, where the prefetches take longer than the waiting (MEASURED.md, Past the
 * cache). */
#define STREAM_NOW_MAX 4096

/* Puts a prefetch before the first load of every cache line; see SG_PREFETCH_BYTES. Runs need none:
 * they are loops with one load instruction, which hardware prefetchers follow. */
static void prefetch(sg_arena *arena, sg_body *body)
{
    sg_insn *insns = SG_NEW_ARRAY(arena, sg_insn, 2 * body->ninsns);
    int64_t n = 0;
    int64_t next = 0;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        if (insn->op == SG_INSN_LOAD && insn->step == 0 && insn->from.part == SG_WHOLE &&
            insn->from.at >= next) {
            const int64_t line = insn->from.at / SG_LINE_BYTES * SG_LINE_BYTES;
            insns[n] = sg_insn_new(SG_INSN_PREFETCH);
            insns[n++].from.at = line + SG_PREFETCH_BYTES;
            next = line + SG_LINE_BYTES;
        }
        insns[n++] = *insn;
    }
    body->insns = insns;
    body->ninsns = n;
}

/* Whether loads are prefetched when stores are ordinary ones. The table of instruction sets says
 * where that pays. */
static bool wants_prefetch(const sg_plan *plan, const sg_variant *v)
{
    return v->isa->asks && sg_plan_bytes(plan) > SG_SMALL_BYTES &&
           sg_plan_bytes(plan) < SG_PREFETCH_END &&
           v->window_rows * plan->map.row_stride >= PREFETCH_WINDOW;
}

/* Whether the write-combined runs are so short that a row of them takes longer than the processor's
 * own look-ahead. */
static bool feeds_want_prefetch(const sg_plan *plan, const sg_variant *v)
{
    const sg_body *body = &v->bodies[0];
    int64_t runs = 0;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        runs += body->insns[i].fed ? 1 : 0;
    }
    return v->feeding == SG_FEED_ALWAYS && !plan->array_params && !sg_plan_is_one_run(plan) &&
           sg_plan_bytes(plan) > SG_SMALL_BYTES && plan->map.row_stride < runs * FEED_ASK_RUN;
}

/* Puts prefetches of all cache lines of a later row in front of the body. */
static void prefetch_row(sg_arena *arena, const sg_plan *plan, sg_body *body)
{
    const int64_t lines = sg_ceil_div64(plan->map.row_stride, SG_LINE_BYTES);
    sg_segment all = {.insns = SG_NEW_ARRAY(arena, sg_insn, lines + body->ninsns)};
    sg_runs_append_ahead(&all, 0, plan->map.row_stride);
    for (int64_t i = 0; i < body->ninsns; ++i) {
        all.insns[all.ninsns++] = body->insns[i];
    }
    body->insns = all.insns;
    body->ninsns = all.ninsns;
}

/* Bodies with non-temporal stores and many loads prefetch the input of a whole trip at once,
 * because memory is faster when it reads for a while and then writes for a while. Runs do so
 * already, and a few loads are followed by hardware prefetchers (MEASURED.md, Past the cache). */
static void choose_ahead(const sg_plan *plan, sg_variant *v)
{
    const int64_t trip = v->rows_per_trip * plan->map.row_stride;
    bool runs = plan->array_params;
    for (int64_t i = 0; !runs && i < v->bodies[0].ninsns; ++i) {
        runs = sg_insn_is_run(&v->bodies[0].insns[i]);
    }
    v->stream_ahead = v->isa->asks && !runs && trip >= STREAM_AHEAD_MIN ? trip : 0;
    v->stream_now = !runs && trip <= STREAM_NOW_MAX ? trip : 0;
}

int64_t sg_trips_in_turn(int64_t trip, int64_t least)
{
    int64_t trips = least;
    while (trip <= FRONT_BYTES / (2 * trips)) {
        trips *= 2;
    }
    return trips;
}

/* Chooses how non-temporal stores interleave streams. Column groups of kernels with many outputs do
 * not. */
static void choose_fronts(const sg_plan *plan, sg_variant *v)
{
    const int64_t trip = v->rows_per_trip * plan->map.row_stride;
    const sg_body *body = &v->bodies[0];
    int64_t runs = 0;
    int64_t longest = 0;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        if (sg_insn_is_run(insn)) {
            runs += insn->bytes;
            longest = insn->bytes > longest ? insn->bytes : longest;
        }
    }
    /* Write combiners are loaded from memory and put back for every piece of a stream, so a piece
     * has at least two trips. */
    v->front_trips = sg_trips_in_turn(trip, v->feeding != SG_FEED_NEVER ? 2 : 1);
    v->fronts = runs > trip / 2 && trip > FRONT_BYTES ? SG_FRONTS_RUNS : SG_FRONTS_TRIPS;
    if (v->rows_per_trip == 1 && longest >= CUT_MIN) {
        v->fronts = SG_FRONTS_NONE;
    }
}

/* Appends the instructions of the body once more, for the next tile. */
static void append_window(const sg_plan *plan, const sg_variant *v, sg_body *body, int64_t count,
                          int64_t window)
{
    const int registers = (int)window * body->registers;
    for (int64_t i = 0; i < count; ++i) {
        sg_insn insn = body->insns[i];
        sg_insn_down(&insn, &plan->map, window * v->window_rows);
        insn.reg += insn.reg >= 0 ? registers : 0;
        insn.a += insn.a >= 0 ? registers : 0;
        insn.b += insn.b >= 0 ? registers : 0;
        body->insns[body->ninsns++] = insn;
    }
}

/* Makes a trip of several tiles where one is too short for a loop. */
static void repeat(sg_arena *arena, const sg_plan *plan, sg_variant *v)
{
    const double cycles = sg_variant_fastest(v)->cycles;
    int64_t times = 1;
    while (times < REPEATS_MAX && cycles * (double)times < TRIP_CYCLES_MIN &&
           v->rows_per_trip <= plan->map.rows / (2 * times)) {
        times *= 2;
    }
    if (times == 1 || v->isa->ways > 1 || plan->array_params || v->lanes == 1) {
        return;
    }
    sg_body *body = &v->bodies[0];
    const sg_insn *insns = body->insns;
    const int64_t count = body->ninsns;
    body->insns = SG_NEW_ARRAY(arena, sg_insn, times * count);
    for (int64_t i = 0; i < count; ++i) {
        body->insns[i] = insns[i];
    }
    for (int64_t window = 1; window < times; ++window) {
        append_window(plan, v, body, count, window);
    }
    body->registers *= (int)times;
    v->window_rows *= times;
    v->rows_per_trip *= times;
    v->block_rows = v->rows_per_trip;
    v->cycles *= (double)times;
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        v->on[u].cycles *= (double)times;
        v->on[u].last *= (double)times;
    }
}

/* Marks the stores of a network that go through write combiners: those of each column must be
 * contiguous. Each then takes one more permute and one more blend, which pays only beyond the
 * first-level cache (MEASURED.md, Feeds). */
static void feed_stores(const sg_plan *plan, sg_variant *v)
{
    int64_t ends[SG_STREAMS_MAX] = {0};
    const sg_body *body = &v->bodies[0];
    if (!sg_isa_has_feeds(v->isa) || v->feeding != SG_FEED_NEVER || plan->array_params ||
        plan->map.joins || plan->map.nparts > SG_STREAMS_MAX || v->nslices > 1 ||
        plan->map.rows / v->rows_per_trip < SG_FEED_ROWS || sg_plan_bytes(plan) <= SG_SMALL_BYTES ||
        plan->optimize == SG_OPTIMIZE_SIZE) {
        return;
    }
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        if (sg_insn_is_run(insn)) {
            return;
        }
        if (insn->op == SG_INSN_STORE) {
            if (insn->to.at != ends[insn->to.part]) {
                return;
            }
            ends[insn->to.part] += insn->bytes;
        }
    }
    for (int64_t c = 0; c < plan->map.nparts; ++c) {
        if (ends[c] != v->window_rows * plan->map.parts[c].width) {
            return;
        }
    }
    for (int64_t i = 0; i < body->ninsns; ++i) {
        body->insns[i].fed = body->insns[i].op == SG_INSN_STORE;
    }
    v->feeding = SG_FEED_UNALIGNED;
    v->head_rows = v->rows_per_trip;
    v->feeds_stream = v->streams;
}

/* Whether a body may use non-temporal stores that are narrower than a cache line: with at most
 * JOINED_OUTPUTS outputs side by side, because a core joins such stores for only a few lines at a
 * time; and not where a register holds two tiles and some instructions are runs, which would still
 * be stored through the cache. */
static bool may_stream(const sg_variant *v)
{
    bool few = true;
    bool runs = false;
    for (int64_t b = 0; v->isa->unit < SG_LINE_BYTES && b < v->nbodies; ++b) {
        uint64_t written = 0; /* columns, a bit each; a strip or a network has few */
        int64_t outputs = 0;
        for (int64_t i = 0; i < v->bodies[b].ninsns; ++i) {
            const sg_insn *insn = &v->bodies[b].insns[i];
            runs = runs || sg_insn_is_run(insn);
            if (insn->op == SG_INSN_STORE) {
                const uint64_t bit = UINT64_C(1) << insn->to.part % 64;
                outputs += (written & bit) == 0;
                written |= bit;
            }
        }
        few = few && outputs <= JOINED_OUTPUTS;
    }
    return few && !(runs && v->isa->ways > 1);
}

/* Chooses whether outputs with equally long rows are addressed by one common offset. A moving
 * pointer for each takes extra instructions where there are more outputs than registers; but runs
 * to few outputs are faster by pointers (MEASURED.md, Many outputs). */
static void choose_by_offset(const sg_plan *plan, sg_variant *v)
{
    const sg_map_part *columns = plan->map.parts;
    for (int64_t s = 0; s < v->nslices; ++s) {
        sg_body *body = &v->bodies[v->slices[s].body];
        const sg_map_part *first = &columns[v->slices[s].part];
        int64_t outputs = 0; /* columns of a body are numbered from 0 */
        bool runs = false;
        bool equal = true;
        for (int64_t i = 0; i < body->ninsns; ++i) {
            const int64_t column = body->insns[i].to.part;
            runs = runs || sg_insn_is_run(&body->insns[i]);
            if (column >= 0) {
                outputs = column >= outputs ? column + 1 : outputs;
                equal = equal && first[column].row_stride == first[0].row_stride;
            }
        }
        body->by_offset =
            equal && (plan->array_params ? !runs && outputs > v->isa->registers
                                         : outputs > SG_STREAMS_MAX || (outputs > 1 && !runs));
    }
}

void sg_trips_choose(sg_arena *arena, const sg_plan *plan, sg_variant *v)
{
    const bool asks = wants_prefetch(plan, v); /* before tiles are repeated */
    v->streams = v->streams && may_stream(v);
    repeat(arena, plan, v);
    sg_cost_sum(plan, v);
    choose_ahead(plan, v);
    feed_stores(plan, v);
    choose_fronts(plan, v);
    if (feeds_want_prefetch(plan, v)) {
        prefetch_row(arena, plan, &v->bodies[0]);
    }
    for (int64_t b = 0; asks && b < v->nbodies; ++b) {
        prefetch(arena, &v->bodies[b]);
    }
    sg_runs_choose_copies(plan, v);
    choose_by_offset(plan, v);
}
