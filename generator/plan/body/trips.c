/* What is done to variants once they are chosen: short windows are repeated, rows that are left
 * over get their way, stores may go through feeds, and the input is asked for ahead. */
#include "plan/body/trips.h"

#include "base/checked.h"
#include "plan/body/cost.h"
#include "plan/body/vector_runs.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Input of one window from which it does so: shorter ones prefetchers follow by themselves, and
 * asking costs (MEASURED.md, Prefetching). */
#define PREFETCH_WINDOW INT64_C(256)

/* Past the cache, parts of the rows are copied by turns, as splitgen_fronts() in splitgen/runs.h
 * has it. These are the bytes of a turn; of one run it is SPLITGEN_FRONT_BYTES there (MEASURED.md,
 * Parts by turns). */
#define FRONT_BYTES INT64_C(1024)

/* Runs from this size on are cut into parts themselves: SPLITGEN_CUT_MIN. */
#define CUT_MIN INT64_C(65536)

/* Bytes of a run through a feed, on average, below which rows ask for the input
 * SG_TURN_AHEAD_BYTES ahead: they take so many instructions that the processor does not look far
 * enough by itself (MEASURED.md, Feeds). */
#define FEED_ASK_RUN INT64_C(128)

/* Most outputs written side by side past the cache by stores of less than a line, of which a core
 * puts together but a few (MEASURED.md, Past the cache). */
#define JOINED_OUTPUTS INT64_C(6)

/* A trip shorter than this is repeated, up to so many times: loops of one window run at half their
 * speed, depending on where their code lies (MEASURED.md, Unrolling). */
#define TRIP_CYCLES_MIN 4.0
#define REPEATS_MAX     4

/* Bytes of a trip from which a streaming body asks far ahead for its input. */
#define STREAM_AHEAD_MIN 1024

/* Where it asks for what it reads next instead (ASKS_ALL), trips of more bytes than these ask for
 * nothing: it takes longer than waiting (MEASURED.md, Past the cache). */
#define STREAM_NOW_MAX 4096

/* Puts a prefetch before the first load of every line; see SG_PREFETCH_BYTES. Runs are loops with
 * one load instruction, which the processor follows by itself. */
static void prefetch(sg_arena *arena, sg_body *body)
{
    sg_insn *insns = SG_NEW_ARRAY(arena, sg_insn, 2 * body->ninsns);
    int64_t n = 0;
    int64_t next = 0;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        if (insn->op == SG_INSN_LOAD && insn->step == 0 && insn->from.at >= next) {
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

/* Through the cache; where it pays is for the table of instruction sets to say. */
static bool wants_prefetch(const sg_plan *plan, const sg_variant *v)
{
    return v->isa->asks && sg_plan_bytes(plan) > SG_SMALL_BYTES &&
           sg_plan_bytes(plan) < SG_PREFETCH_END &&
           v->window_rows * plan->map.row_stride >= PREFETCH_WINDOW;
}

/* Whether feeds are so short that a row takes them longer than the processor looks ahead. */
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

/* Puts prefetches of the lines of a row far ahead before everything else. */
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

/* Streaming bodies of many loads ask for their input a trip at a time: memory likes to read for a
 * while and then to write for a while. Runs do so by themselves, and few loads the processor
 * follows (MEASURED.md, Past the cache). */
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

/* How a streaming body takes turns; strips of kernels with many outputs take none. */
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
    /* Of feeds, which are taken from memory and put back in every turn, it is two at least. */
    v->front_trips = sg_trips_in_turn(trip, v->feeding != SG_FEED_NEVER ? 2 : 1);
    v->fronts = runs > trip / 2 && trip > FRONT_BYTES ? SG_FRONTS_RUNS : SG_FRONTS_TRIPS;
    if (v->rows_per_trip == 1 && longest >= CUT_MIN) {
        v->fronts = SG_FRONTS_NONE;
    }
}

/* The whole body once more for the next window. */
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

/* Several windows a trip where one is too short for a loop. */
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

/* Marks the stores of a network that feeds take: those of each column behind each other. Every one
 * costs a permute and a blend more then, which pays beyond the first-level cache alone
 * (MEASURED.md, Feeds). */
static void feed_stores(const sg_plan *plan, sg_variant *v)
{
    int64_t ends[SG_STREAMS_MAX] = {0};
    const sg_body *body = &v->bodies[0];
    if (!sg_isa_has_feeds(v->isa) || v->feeding != SG_FEED_NEVER || plan->array_params ||
        plan->map.nparts > SG_STREAMS_MAX || v->nslices > 1 ||
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

/* Stores of less than a line may bypass the cache where few outputs are written side by side
 * (JOINED_OUTPUTS), and nothing is left to bodies of two windows that goes through it. */
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

/* Whether outputs whose rows are equally long are written at one offset instead of by a pointer
 * each that moves, which costs stores of its own where registers are too few; but runs to few
 * outputs are faster by pointers (MEASURED.md, Many outputs). */
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
                equal = equal && first[column].width == first[0].width;
            }
        }
        body->by_offset =
            equal && (plan->array_params ? !runs && outputs > v->isa->registers
                                         : outputs > SG_STREAMS_MAX || (outputs > 1 && !runs));
    }
}

void sg_trips_choose(sg_arena *arena, const sg_plan *plan, sg_variant *v)
{
    const bool asks = wants_prefetch(plan, v); /* of one window */
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
