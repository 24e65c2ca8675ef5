/* Executes the loops of splitgen/loops.h, which kernels include, with a tile that records the rows
 * it is called for. The definitions here replace vectors, prefetches, processor queries and calls
 * of the functions of columns. */
#include "plan/verify/execute_loops.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
static void splitgen_call_columns(void (*body)(const void *const in[], void *const out[],
                                               size_t first, size_t last),
                                  bool joins, size_t part, size_t at, const void *const in[],
                                  void *const out[], size_t first, size_t last);

#define SPLITGEN_LOOPS_MODEL
#define SPLITGEN_X86 1
#define SPLITGEN_TARGET_AVX512
#define SPLITGEN_POINTER(type, pointer)            ((type *)(pointer))
#define SPLITGEN_ADDRESS(pointer)                  ((uintptr_t)(pointer))
#define splitgen_asked_cpu()                       0
#define splitgen_streams(cpu, bytes)               ((void)(cpu), (void)(bytes), streams_wanted)
#define splitgen_prefetch_distance(streams)        ((void)(streams), (size_t)0)
#define SPLITGEN_MANY_AHEAD                        1
#define splitgen_prefetch_rows(at, from, now, far) ((void)(from), (void)(now), (void)(far))
#define splitgen_fence()                           (fenced = true)
#define splitgen_prefetch_block(in, at, bytes)     ((void)(in), (void)(at), (void)(bytes))
#define SPLITGEN_KEEP_NUMBER(number)               ((void)0)
#include "splitgen/loops.h"

/* Phases of a row that are completed, as bits. */
#define TOGETHER UINT8_C(1)
#define OTHERS   UINT8_C(2)
#define BOTH     UINT8_C(3)

/* Passed through loops in place of the first tensor that is read. */
typedef struct running {
    sg_execution *m;
    const sg_loop_call *call;
    const sg_code *code;
    size_t combined[SPLITGEN_TENSORS_MAX];
} running;

static const running *running_of(const void *in)
{
    return (const running *)in;
}

static void fail(sg_execution *m, const char *what)
{
    m->flaw = m->flaw != NULL ? m->flaw : what;
}

static bool is_cached(splitgen_store store)
{
    return store == SPLITGEN_CACHED || store == SPLITGEN_PROLOGUE;
}

static bool is_combined(splitgen_store store)
{
    return store >= SPLITGEN_COMBINED;
}

/* Whether the runs of all interleaved streams are copied together, and nothing else. */
static bool is_together(splitgen_store store)
{
    return store == SPLITGEN_TOGETHER || store == SPLITGEN_COMBINED_TOGETHER;
}

/* Whether everything else is copied. */
static bool is_others(splitgen_store store)
{
    return store == SPLITGEN_OTHERS || store == SPLITGEN_COMBINED_OTHERS;
}

/* The corresponding way of storing in the dispatch table. */
static sg_store_mode mode_of(splitgen_store store)
{
    return is_cached(store)             ? SG_STORE_ORDINARY
           : store == SPLITGEN_COMBINED ? SG_STORE_COMBINED
           : is_combined(store)         ? SG_STORE_COMBINED_NON_TEMPORAL
                                        : SG_STORE_NON_TEMPORAL;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Bits of the phases that a tile completes; an empty phase counts as done. 0 if its own is empty.
 */
static uint8_t bits_of(const sg_code *code, splitgen_store store)
{
    bool together = false;
    bool others = false;
    if (!is_together(store) && !is_others(store)) {
        return BOTH;
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        const bool is = is_combined(store) ? insn->combines : sg_insn_is_run(insn) && insn->lines;
        const bool writes = sg_insn_stores_vectors(insn) || sg_insn_is_run(insn);
        together = together || (writes && is);
        others = others || (writes && !is);
    }
    return is_together(store) ? (!together ? 0
                                 : others  ? TOGETHER
                                           : BOTH)
           : !others          ? 0
           : together         ? OTHERS
                              : BOTH;
}

/* Records that rows [row, row + rows) are copied, or that a phase of them is. */
static void copy(sg_execution *m, int64_t row, int64_t rows, uint8_t bits)
{
    if (row < m->first || rows < 1 || row > m->last - rows) {
        fail(m, "copies rows that it is not to copy");
        return;
    }
    for (int64_t i = 0; i < rows; ++i) {
        m->copied[row - m->first + i] |= bits;
    }
    m->halves += bits == BOTH ? 2 * rows : bits != 0 ? rows : 0;
}

static bool are_copied(const sg_execution *m, int64_t first, int64_t last)
{
    bool all = first >= m->first && last <= m->last;
    for (int64_t row = first; all && row < last; ++row) {
        all = m->copied[row - m->first] == BOTH;
    }
    return all;
}

/* --- combiners -------------------------------------------------------------------------------- */

#define NOWHERE SIZE_MAX

static void splitgen_lines_begin(const splitgen_at *at, const size_t combined[], size_t outs,
                                 size_t row, size_t ahead)
{
    sg_execution *m = running_of(at->in[0])->m;
    (void)ahead;
    if (!are_copied(m, (int64_t)row - m->v->prologue_rows, (int64_t)row)) {
        fail(m, "combines writes behind rows that are not copied");
    }
    for (size_t i = 0; i < outs; ++i) {
        at->lines[i].next = combined[i] > 0 ? row : NOWHERE;
    }
}

static void splitgen_lines_end(const splitgen_at *at, const size_t combined[], size_t outs)
{
    for (size_t i = 0; i < outs; ++i) {
        if (combined[i] > 0 && at->lines[i].next == NOWHERE) {
            fail(running_of(at->in[0])->m, "ends to combine writes where it did not begin");
        }
        at->lines[i].next = NOWHERE;
    }
}

/* Writes must be combined in the order of rows. */
static void append(const running *r, splitgen_combiner *line, size_t row)
{
    if (line->next != row) {
        fail(r->m, "combines writes of rows that do not come next");
    }
    line->next = row + (size_t)r->call->rows;
}

/* --- tiles and functions -----------------------------------------------------------------------
 */

/* Copies one tile of one stream. */
static void copy_tile(const running *r, const splitgen_at *at, size_t row, splitgen_store store)
{
    copy(r->m, (int64_t)row, r->call->rows, bits_of(r->code, store));
    for (size_t i = 0; is_combined(store) && !is_others(store) && i < SPLITGEN_TENSORS_MAX; ++i) {
        if (r->combined[i] > 0) {
            const bool together = is_together(store);
            const size_t stream = together ? (row - (size_t)r->m->first) / at->stream : 0;
            append(r, together ? &at->each_lines[i].of[stream] : &at->lines[i], row);
        }
    }
}

static void tile(const splitgen_at *at, size_t row, splitgen_store store)
{
    const running *r = running_of(at->in[0]);
    sg_execution *m = r->m;
    const int64_t from = (int64_t)row - m->first;
    if (mode_of(store) != m->f->store_mode) {
        fail(m, "stores in another way than its own");
    }
    m->stored = true;
    m->unfenced = m->unfenced || (!is_cached(store) && store != SPLITGEN_COMBINED);
    if (store == SPLITGEN_STREAMED && from % m->line_rows != 0) {
        fail(m, "bypasses the cache where no line begins");
    }
    if (m->begins >= 0 && m->v->vector_bytes > 0) {
        const int64_t stride = sg_map_written_stride(&m->plan->map);
        m->across += (m->begins + from * stride) % m->v->vector_bytes != 0;
    }
    for (size_t i = 0; i < (is_together(store) ? at->streams : 1) && m->flaw == NULL; ++i) {
        copy_tile(r, at, row + i * at->stream, store);
    }
}

/* The function with ordinary stores for the same code, which is verified separately. */
static void cached(const void *const in[], void *const out[], size_t first, size_t last)
{
    sg_execution *m = running_of(in[0])->m;
    (void)out;
    if (last < first || last - first < (size_t)m->v->rows_per_iteration) {
        fail(m, "has fewer rows copied than a body takes");
        return;
    }
    copy(m, (int64_t)first, (int64_t)(last - first), BOTH);
}

/* Rows after the last tile, by the portable program. */
static void portable(const void *const in[], void *const out[], size_t first, size_t last)
{
    sg_execution *m = running_of(in[0])->m;
    (void)out;
    if (last < first || last - first > (size_t)m->v->tail_rows) {
        fail(m, "copies too many rows by the portable program");
    }
    copy(m, (int64_t)first, (int64_t)(last - first), BOTH);
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
    return call->rows == v->tile_rows * v->isa->tiles &&
           call->rows * call->tiles == v->rows_per_iteration &&
           (call->tiles == 1 || call->tiles == 2 || call->tiles == 4) &&
           call->most == v->tail_rows && call->vector == v->vector_bytes &&
           call->turn == v->stream_iterations && call->turn > 0 &&
           call->prologue == v->prologue_rows && call->prologue % v->rows_per_iteration == 0 &&
           (aligns ? writes_rows_of(map, call->bytes) : call->bytes == map->row_stride) &&
           (!aligns || (call->vector > 0 && (call->vector & (call->vector - 1)) == 0 &&
                        call->bytes % call->vector != 0)) &&
           (call->loop != SG_LOOP_ROWS || v->rows_per_iteration == 1);
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

void sg_execute_tiles(sg_execution *m)
{
    const sg_loop_call *call = &m->f->loop;
    const splitgen_store S = call->is_prologue ? SPLITGEN_PROLOGUE : SPLITGEN_CACHED;
    running r = {.m = m, .call = call, .code = &m->v->codes[m->f->code]};
    const void *const in[] = {&r};
    const size_t first = (size_t)m->first;
    const size_t last = (size_t)m->last;
    void *out[SPLITGEN_TENSORS_MAX];
    splitgen_combiner L[SPLITGEN_TENSORS_MAX];
    splitgen_combiners E[SPLITGEN_TENSORS_MAX];
    int64_t combined[SPLITGEN_TENSORS_MAX];
    if (!suits(m, call) || sg_code_parts(m->plan, r.code) > SPLITGEN_TENSORS_MAX) {
        fail(m, "has arguments that do not fit its body");
        return;
    }
    streams_wanted = (size_t)m->parts;
    fenced = false;
    const size_t outs = (size_t)sg_function_combined(m->plan, m->f, combined);
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
        splitgen_##name(tile, arguments in, 1, out, outs, first, last);                            \
        break;
#define COLUMNS(id, ...) case SG_LOOP_##id:
#include "plan/functions/loops.inc"
#undef LOOP
#undef COLUMNS
    case SG_LOOP_COUNT:
        fail(m, "has no loop for its tile");
        break;
    }
    m->unfenced = m->unfenced && !fenced && call->loop != SG_LOOP_TILES_PAST;
    if (!are_copied(m, m->first, m->last)) {
        fail(m, "leaves rows out");
    }
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Functions that stand for those of the codes; they are not called. */
#define EACH_CODE(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define CODE(n)                                                                                    \
    static void code##n(const void *const in[], void *const out[], size_t first, size_t last)      \
    {                                                                                              \
        (void)in;                                                                                  \
        (void)out;                                                                                 \
        (void)first;                                                                               \
        (void)last;                                                                                \
    }
EACH_CODE(CODE)
#define NAME(n) code##n,
static splitgen_body *const codes[] = {EACH_CODE(NAME)};
#define CODES_MAX ((int64_t)(sizeof codes / sizeof codes[0]))

/* Records a call for one slice, whose function is verified separately. Each slice must get its rows
 * in order, not fewer than an iteration, and from where lines begin if it uses whole lines. */
static void splitgen_call_columns(splitgen_body *body, bool joins, size_t part, size_t at,
                                  const void *const in[], void *const out[], size_t first,
                                  size_t last)
{
    sg_execution *m = running_of(in[0])->m;
    const sg_body *v = m->v;
    int64_t s = 0;
    (void)out;
    while (s < v->nslices && (m->plan->map.parts[v->slices[s].part].tensor != (int64_t)part ||
                              v->slices[s].at != (int64_t)at || codes[v->slices[s].code] != body)) {
        ++s;
    }
    if (s == v->nslices || joins != m->plan->map.joins) {
        fail(m, "calls a function for columns that it does not copy");
    } else if (m->next[s] != (int64_t)first || (int64_t)(last - first) < v->rows_per_iteration) {
        fail(m, "has rows of some columns copied twice, not at all, or too few at once");
    } else if (m->f->store_mode == SG_STORE_NON_TEMPORAL &&
               ((int64_t)first - m->first) % m->line_rows != 0) {
        fail(m, "begins a block where no line begins");
    } else {
        m->next[s] = (int64_t)last;
    }
}

void sg_execute_columns(sg_arena *arena, sg_execution *m)
{
    const sg_loop_call *call = &m->f->loop;
    running r = {.m = m, .call = call};
    const void *const in[] = {&r};
    void *const out[] = {NULL};
    sg_columns *list = NULL;
    const int64_t count = sg_body_columns(arena, m->plan, m->v, &list);
    splitgen_column_set *columns = SG_NEW_ARRAY(arena, splitgen_column_set, count);
    const bool blocks =
        m->f->store_mode == SG_STORE_ORDINARY || m->f->store_mode == SG_STORE_NON_TEMPORAL;
    if (m->v->ncodes > CODES_MAX || call->rows != m->v->rows_per_iteration ||
        call->block != (blocks ? m->v->block_rows : 0) || call->block % call->rows != 0 ||
        call->bytes != m->plan->map.row_stride) {
        fail(m, "has arguments that do not fit its body");
        return;
    }
    for (int64_t i = 0; i < count; ++i) {
        const sg_columns *c = &list[i];
        columns[i] =
            (splitgen_column_set){codes[c->code],      (size_t)c->groups, (size_t)c->part,
                                  (size_t)c->parts_on, (size_t)c->at,     (size_t)c->bytes_on};
    }
    for (int64_t s = 0; s < m->v->nslices; ++s) {
        m->next[s] = m->first;
    }
    fenced = false;
    switch (call->loop) {
#define LOOP(id, ...)                                                                              \
    case SG_LOOP_##id:                                                                             \
        fail(m, "has a tile's loop for its columns");                                              \
        break;
#define COLUMNS(id, name, arguments)                                                               \
    case SG_LOOP_##id:                                                                             \
        splitgen_##name(columns, (size_t)count, arguments in, out, (size_t)m->first,               \
                        (size_t)m->last);                                                          \
        break;
#include "plan/functions/loops.inc"
#undef LOOP
#undef COLUMNS
    case SG_LOOP_COUNT:
        break;
    }
    m->unfenced = m->f->store_mode == SG_STORE_NON_TEMPORAL && !fenced;
    for (int64_t s = 0; s < m->v->nslices; ++s) {
        if (m->next[s] != m->last) {
            fail(m, "leaves rows out");
        }
    }
}
