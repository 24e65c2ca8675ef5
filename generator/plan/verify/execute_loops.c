/* Executes the loops of splitgen/loops.h, which kernels include, with a tile that records the rows
 * it is called for. The definitions here replace vectors, prefetches and processor queries. */
#include "plan/verify/execute_loops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/checked.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Holds the row that the combiner expects next. */
typedef struct splitgen_combiner {
    size_t next;
} splitgen_combiner;

typedef struct splitgen_combiners {
    splitgen_combiner of[SPLITGEN_INTERLEAVED_MAX];
} splitgen_combiners;

/* The number of streams that the loop under execution gets, and whether it has executed a fence
 * after non-temporal stores. */
static size_t streams_wanted;
static bool fenced;

struct splitgen_at;
static void splitgen_lines_begin(const struct splitgen_at *at, const size_t combined[], size_t outs,
                                 size_t row, size_t ahead);
static void splitgen_lines_end(const struct splitgen_at *at, const size_t combined[], size_t outs);

#define SPLITGEN_LOOPS_MODEL
#define SPLITGEN_X86 1
#define SPLITGEN_TARGET_AVX512
#define SPLITGEN_POINTER(type, pointer)            ((type *)(pointer))
#define SPLITGEN_ADDRESS(pointer)                  ((uintptr_t)(pointer))
#define splitgen_asked_cpu()                       0
#define splitgen_streams(cpu, bytes)               ((void)(cpu), (void)(bytes), streams_wanted)
#define splitgen_prefetch_distance(streams)        0
#define splitgen_prefetch_rows(at, from, now, far) ((void)(from), (void)(now), (void)(far))
#define splitgen_fence()                           (fenced = true)
#define SPLITGEN_KEEP_NUMBER(number)               ((void)0)
#include "splitgen/loops.h"

/* Passed through loops in place of the first tensor that is read. */
typedef struct running {
    sg_execution *m;
    const sg_function *f;
    size_t combined[SPLITGEN_TENSORS_MAX];
} running;

static const running *running_of(const void *in)
{
    return (const running *)in;
}

static bool is_cached(splitgen_store store)
{
    return store == SPLITGEN_CACHED || store == SPLITGEN_PROLOGUE;
}

static bool is_combined(splitgen_store store)
{
    return store >= SPLITGEN_COMBINED;
}

/* The corresponding way of storing in the dispatch table. */
static sg_store_mode mode_of(splitgen_store store)
{
    return is_cached(store)             ? SG_STORE_ORDINARY
           : store == SPLITGEN_COMBINED ? SG_STORE_COMBINED
           : is_combined(store)         ? SG_STORE_COMBINED_NON_TEMPORAL
                                        : SG_STORE_NON_TEMPORAL;
}

/* --- combiners -------------------------------------------------------------------------------- */

#define NOWHERE SIZE_MAX

static void splitgen_lines_begin(const splitgen_at *at, const size_t combined[], size_t outs,
                                 size_t row, size_t ahead)
{
    sg_execution *m = running_of(at->in[0])->m;
    (void)ahead;
    if (!sg_executed_all(m, (int64_t)row - m->v->prologue_rows, (int64_t)row)) {
        sg_execute_fail(m, "combines writes behind rows that are not copied");
    }
    for (size_t i = 0; i < outs; ++i) {
        at->lines[i].next = combined[i] > 0 ? row : NOWHERE;
    }
}

static void splitgen_lines_end(const splitgen_at *at, const size_t combined[], size_t outs)
{
    for (size_t i = 0; i < outs; ++i) {
        if (combined[i] > 0 && at->lines[i].next == NOWHERE) {
            sg_execute_fail(running_of(at->in[0])->m,
                            "ends to combine writes where it did not begin");
        }
        at->lines[i].next = NOWHERE;
    }
}

/* Writes must be combined in the order of rows. */
static void append(const running *r, splitgen_combiner *line, size_t row)
{
    if (line->next != row) {
        sg_execute_fail(r->m, "combines writes of rows that do not come next");
    }
    line->next = row + (size_t)r->f->loop.rows;
}

/* --- tiles and bodies ------------------------------------------------------------------------- */

/* Copies one tile of one stream. */
static void copy_tile(const running *r, const splitgen_at *at, size_t row, splitgen_store store)
{
    const bool together = store == SPLITGEN_TOGETHER || store == SPLITGEN_COMBINED_TOGETHER;
    const bool others = store == SPLITGEN_OTHERS || store == SPLITGEN_COMBINED_OTHERS;
    sg_execute_copy(r->m, (int64_t)row, r->f->loop.rows,
                    together ? SG_PHASE_TOGETHER
                    : others ? SG_PHASE_OTHERS
                             : SG_PHASE_ALL,
                    is_combined(store));
    for (size_t i = 0; is_combined(store) && !others && i < SPLITGEN_TENSORS_MAX; ++i) {
        if (r->combined[i] > 0) {
            const size_t stream = together ? (row - (size_t)r->m->first) / at->stream : 0;
            append(r, together ? &at->each_lines[i].of[stream] : &at->lines[i], row);
        }
    }
}

static void tile(const splitgen_at *at, size_t row, splitgen_store store)
{
    const running *r = running_of(at->in[0]);
    sg_execution *m = r->m;
    const bool together = store == SPLITGEN_TOGETHER || store == SPLITGEN_COMBINED_TOGETHER;
    if (mode_of(store) != r->f->store_mode) {
        sg_execute_fail(m, "stores in another way than its own");
    }
    m->stored = m->stored || r->f->store_mode == m->store_mode;
    m->unfenced = m->unfenced || (!is_cached(store) && store != SPLITGEN_COMBINED);
    if (store == SPLITGEN_STREAMED && ((int64_t)row - m->first) % m->line_rows != 0) {
        sg_execute_fail(m, "bypasses the cache where no line begins");
    }
    sg_execute_look(m, (int64_t)row);
    for (size_t i = 0; i < (together ? at->streams : 1) && m->flaw == NULL; ++i) {
        copy_tile(r, at, row + i * at->stream, store);
    }
}

/* The body's function with ordinary stores, which is verified separately. */
static void cached(const void *const in[], void *const out[], size_t first, size_t last)
{
    sg_execution *m = running_of(in[0])->m;
    (void)out;
    if (last < first || last - first < (size_t)m->iteration) {
        sg_execute_fail(m, "has fewer rows copied than a body takes");
        return;
    }
    sg_execute_copy(m, (int64_t)first, (int64_t)(last - first), SG_PHASE_ALL, false);
}

/* Rows after the last tile, by the portable program. */
static void portable(const void *const in[], void *const out[], size_t first, size_t last)
{
    sg_execution *m = running_of(in[0])->m;
    (void)out;
    if (last < first || last - first > (size_t)m->v->tail_rows) {
        sg_execute_fail(m, "copies too many rows by the portable program");
    }
    sg_execute_copy(m, (int64_t)first, (int64_t)(last - first), SG_PHASE_ALL, false);
}

/* Never called: functions without a loop have steps. */
static void splitgen_none(splitgen_tile *none, const void *const in[], size_t ins,
                          void *const out[], size_t outs, size_t first, size_t last)
{
    (void)none;
    (void)in;
    (void)ins;
    (void)out;
    (void)outs;
    (void)first;
    (void)last;
}

/* --- loops ------------------------------------------------------------------------------------ */

/* Whether all tensors that are written have rows of `bytes` bytes. */
static bool writes_rows_of(const sg_map *map, int64_t bytes)
{
    bool writes = true;
    for (int64_t p = 0; p < map->nparts; ++p) {
        writes = writes && sg_map_stride(map, map->joins ? SG_WHOLE : p) == bytes;
    }
    return writes;
}

/* Whether the arguments of a loop match its body. The loop relies on them, and with some wrong
 * values it would not end. */
static bool suits(const sg_execution *m, const sg_loop_call *call)
{
    const sg_body *v = m->v;
    const sg_map *map = &m->plan->map;
    const bool aligns = call->loop == SG_LOOP_TILES_ALIGNED;
    return call->rows == v->tile_rows * v->isa->tiles && call->rows * call->tiles == m->iteration &&
           (call->tiles == 1 || call->tiles == 2 || call->tiles == 4) &&
           call->most == v->tail_rows && call->vector == v->vector_bytes &&
           call->turn == v->stream_iterations && call->turn > 0 &&
           call->prologue == v->prologue_rows && call->prologue % m->iteration == 0 &&
           (aligns ? writes_rows_of(map, call->bytes) : call->bytes == map->row_stride) &&
           (!aligns || (call->vector > 0 && (call->vector & (call->vector - 1)) == 0 &&
                        call->bytes % call->vector != 0)) &&
           (call->loop != SG_LOOP_ROWS || m->iteration == 1);
}

/* Sets the pointers of written tensors: all misaligned by m->begins; or, if that is negative, the
 * first aligned to a cache line and the others not. */
static void place(const sg_execution *m, int64_t bytes, void *out[], size_t outs)
{
    static _Alignas(SG_LINE_BYTES) unsigned char line[2 * SG_LINE_BYTES];
    const int64_t begins = m->begins < 0 ? 0 : m->begins;
    /* The offset of m->first. Reduced first, as the product of row number and row size may
     * overflow. */
    const int64_t back = (m->first % SG_LINE_BYTES) * (bytes % SG_LINE_BYTES) % SG_LINE_BYTES;
    for (size_t i = 0; i < outs; ++i) {
        out[i] = &line[(begins + SG_LINE_BYTES - back) % SG_LINE_BYTES + (m->begins < 0 && i > 0)];
    }
}

void sg_execute_loop(sg_execution *m, const sg_function *f, int64_t first, int64_t last)
{
    const sg_loop_call *call = &f->loop;
    const size_t outs = m->plan->map.joins ? 1 : (size_t)m->plan->map.nparts;
    const splitgen_store S = call->is_prologue ? SPLITGEN_PROLOGUE : SPLITGEN_CACHED;
    running r = {.m = m, .f = f};
    const void *const in[] = {&r};
    void *out[SPLITGEN_TENSORS_MAX];
    splitgen_combiner L[SPLITGEN_TENSORS_MAX];
    splitgen_combiners E[SPLITGEN_TENSORS_MAX];
    int64_t combined[SPLITGEN_TENSORS_MAX];
    if (!suits(m, call) || outs > SPLITGEN_TENSORS_MAX) {
        sg_execute_fail(m, "has arguments that do not fit its body");
        return;
    }
    streams_wanted = (size_t)m->parts;
    fenced = false;
    sg_function_combined(m->plan, f, combined);
    for (size_t i = 0; i < outs; ++i) {
        r.combined[i] = (size_t)combined[i];
    }
    place(m, call->bytes, out, outs);
    switch (call->loop) {
#define N(number) (size_t) call->number,
#define O(choice) call->choice,
#define S         S,
#define C         r.combined,
#define L         L,
#define E         E,
#define B         cached,
#define P         portable,
#define LOOP(id, name, arguments)                                                                  \
    case SG_LOOP_##id:                                                                             \
        splitgen_##name(tile, arguments in, 1, out, outs, (size_t)first, (size_t)last);            \
        break;
#include "plan/functions/loops.inc"
#undef LOOP
    case SG_LOOP_COUNT:
        break;
    }
    m->unfenced = m->unfenced && !fenced;
}
