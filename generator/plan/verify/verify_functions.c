/* Executes the functions of a plan, step by step as they are printed. For every row of the dispatch
 * table, and for numbers of rows that take every path: exactly the requested rows are copied,
 * pointers stay within the tensors, combined writes are all written, and a fence follows
 * non-temporal stores. verify_vector.c proves what a body does in one iteration.
 *
 * note [why these are all numbers of rows]
 * Every loop here copies consecutive iterations of t rows until fewer remain, and then one
 * iteration that overlaps the last, or single rows. With t more rows it copies one more iteration
 * first, and the rest is the same, t rows later. So what holds for a number of rows, not less than
 * a choice requires, holds for that number plus any multiple of t; and from the minimum number on,
 * all residues of t are executed. Blocks consist of several such iterations: the same holds with
 * the rows of a block for t.
 *
 * Interleaved streams cover rows 0 to s * p * t, where s is the number of streams and p the
 * iterations of each, a multiple of the iterations of a piece. The rows after them are copied by
 * ordinary stores, which is verified for every number of rows. The distinct cases are: no
 * iterations at all, the first pieces, and the pieces after these. All of them are executed.
 *
 * If outputs are not aligned to vectors, one iteration copies the rows before the first aligned
 * one. The rest equals a call for the other rows, which are at least as many as the body requires;
 * that call is one of those above. Outputs with equal misalignment are tried with every
 * misalignment, for numbers of rows around the one from which this is done; other outputs are never
 * aligned in this way.
 *
 * A dynamic number of rows needs no other proof than a fixed one. Calls for no rows, or for fewer
 * than any choice requires, are copied by the portable program (verify_bytes.c). */
#include "plan/verify/verify_functions.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"
#include "plan/verify/execute.h"
#include "plan/verify/execute_loops.h"

/* The numbers of interleaved streams that splitgen_streams() in splitgen/runs.h may return. */
static const int64_t parts[] = {1, 2, 4};

/* The number of rows at whose multiples all stores of the code are aligned, if the outputs are.
 * `column` is the code's first column. */
static int64_t find_line_rows(const sg_execution *m, int64_t column)
{
    int64_t rows = 1;
    for (int64_t i = 0; i < m->code->ninsns; ++i) {
        const sg_insn *insn = &m->code->insns[i];
        if (sg_insn_stores_vectors(insn)) {
            const sg_map *map = &m->plan->map;
            const int64_t stride = insn->to.part == SG_WHOLE
                                       ? map->row_stride
                                       : map->parts[column + insn->to.part].row_stride;
            const int64_t needs = m->v->isa->unit / sg_gcd64(m->v->isa->unit, stride);
            rows = rows / sg_gcd64(rows, needs) * needs;
        }
    }
    return rows;
}

/* Whether a call for `rows` rows must align its outputs to vectors: there are enough rows, and some
 * row aligns them. */
static bool comes_to_vectors(const sg_execution *m, int64_t rows)
{
    const int64_t stride = sg_map_written_stride(&m->plan->map);
    return m->begins >= 0 && rows >= m->v->vector_rows + m->iteration &&
           m->begins % sg_gcd64(stride, m->v->vector_bytes) == 0;
}

/* Checks one call of a function, for the rows that the checked code copies. Rows may be copied
 * twice only by an overlapping tile: the last one, and the first one if outputs are misaligned. */
static const char *check_call(sg_arena *arena, sg_execution *m, const sg_function *f, int64_t first,
                              int64_t rows)
{
    m->first = first;
    m->last = first + rows;
    m->halves = 0;
    m->unfenced = false;
    m->steps = 0;
    m->across = 0;
    memset(m->copied, 0, (size_t)rows);
    if (f->loop.loop != SG_LOOP_NONE) {
        sg_execute_loop(m, f, first, first + rows);
    } else {
        sg_execute(m, f, first, sg_execute_takes_range(f) ? first + rows : rows);
    }
    if (!sg_executed_all(m, m->first, m->last)) {
        sg_execute_fail(m, "leaves rows out");
    }
    const int64_t overlaps = m->begins > 0 ? 2 : 1; /* tiles: the first and the last */
    if (m->halves > 2 * (rows + overlaps * (m->iteration - 1))) {
        sg_execute_fail(m, "copies rows twice");
    }
    if (comes_to_vectors(m, rows) && m->across > overlaps * f->loop.tiles) {
        sg_execute_fail(m, "does not bring its outputs to vectors");
    }
    if (m->unfenced) {
        sg_execute_fail(m, "does not wait for what bypasses the cache");
    }
    return m->flaw == NULL
               ? NULL
               : sg_arena_printf(arena,
                                 "function %" PRId64 ", called for %" PRId64
                                 " rows from row %" PRId64 " on, %s",
                                 (int64_t)(f - m->plan->functions), rows, first, m->flaw);
}

/* The same for several first rows. Over bits also for groups up to the last one, with and without
 * the rows after all groups. */
static const char *check_rows(sg_arena *arena, sg_execution *m, const sg_function *f, int64_t rows)
{
    const sg_bits *bits = m->plan->bits;
    const bool ends = bits != NULL && m->plan->split->nopen == 0;
    const int64_t all = ends ? bits->groups + (bits->tail.rows > 0 ? 1 : 0) : INT64_MAX;
    const int64_t firsts[] = {0, SG_LINE_BYTES, ends ? all - rows : 0, ends ? all - rows - 1 : 0};
    const char *flaw = NULL;
    for (size_t i = 0; flaw == NULL && i < sizeof firsts / sizeof firsts[0]; ++i) {
        if (firsts[i] >= 0 && firsts[i] <= all - rows && (i == 0 || firsts[i] > 0)) {
            flaw = check_call(arena, m, f, firsts[i], rows);
        }
    }
    return flaw;
}

/* Checks the minimum number of rows and the following numbers, up to every residue of an iteration.
 * */
static const char *check_least(sg_arena *arena, sg_execution *m, const sg_function *f,
                               int64_t least)
{
    const char *flaw = NULL;
    for (int64_t more = 0; flaw == NULL && more <= m->iteration + 1; ++more) {
        flaw = check_rows(arena, m, f, least + more);
    }
    return flaw;
}

/* Checks numbers of rows around one at which a function's behaviour changes. */
static const char *check_around(sg_arena *arena, sg_execution *m, const sg_function *f,
                                int64_t least, int64_t rows)
{
    const int64_t iteration = m->iteration;
    const int64_t ends[] = {-iteration, -1, 0, 1, iteration - 1, iteration, iteration + 1};
    const char *flaw = NULL;
    for (size_t i = 0; flaw == NULL && i < sizeof ends / sizeof ends[0]; ++i) {
        if (rows + ends[i] >= least) {
            flaw = check_rows(arena, m, f, rows + ends[i]);
        }
    }
    return flaw;
}

/* Checks outputs with equal misalignment, for each misalignment, if the function aligns them to
 * vectors. */
static const char *check_places(sg_arena *arena, sg_execution *m, const sg_function *f,
                                int64_t least)
{
    const bool brings = m->v != NULL && f->store_mode == SG_STORE_ORDINARY;
    const int64_t places = brings ? m->v->vector_bytes : 0;
    const char *flaw = NULL;
    for (int64_t place = 0; flaw == NULL && place < places; ++place) {
        m->begins = place;
        flaw = check_around(arena, m, f, least, m->v->vector_rows + m->iteration);
    }
    m->begins = -1;
    return flaw;
}

static bool has_streams(const sg_function *f)
{
    bool has = f->loop.loop >= SG_LOOP_TILES_STREAMED;
    for (int64_t i = 0; i < f->nsteps; ++i) {
        has = has || f->steps[i].kind == SG_STEP_COUNT_STREAMS;
    }
    return has;
}

/* Checks numbers of rows that take every path through a function that is called for `least` rows or
 * more: around that number, two blocks, the first piece of every stream, and the pieces after
 * these. */
static const char *check_function(sg_arena *arena, sg_execution *m, const sg_function *f,
                                  int64_t least)
{
    const sg_body *v = m->v;
    const bool interleaves_streams = has_streams(f);
    const char *flaw = NULL;
    m->stored = v == NULL; /* words are always stored in the same way */
    for (size_t p = 0;
         flaw == NULL && p < (interleaves_streams ? sizeof parts / sizeof parts[0] : 1); ++p) {
        m->parts = parts[p];
        flaw = check_least(arena, m, f, least);
        const int64_t turns = v != NULL ? parts[p] * v->stream_iterations * m->iteration : 0;
        const int64_t around[] = {v != NULL ? 2 * v->block_rows : 0,
                                  v != NULL ? v->prologue_rows * parts[p] + turns : 0, 3 * turns};
        for (size_t i = 0; flaw == NULL && i < (interleaves_streams ? 3 : 1); ++i) {
            flaw = check_around(arena, m, f, least, around[i]);
        }
    }
    flaw = flaw == NULL ? check_places(arena, m, f, least) : flaw;
    return flaw != NULL || m->stored
               ? flaw
               : sg_arena_printf(arena, "function %" PRId64 " never stores as it is chosen to",
                                 (int64_t)(f - m->plan->functions));
}

/* Maximum number of rows of any call above, for a function that is called for `least` rows or more.
 * */
static int64_t most_rows(const sg_body *v, int64_t least)
{
    return v == NULL ? least + 2
                     : least + v->vector_rows + 2 * v->block_rows +
                           SPLITGEN_INTERLEAVED_MAX * v->prologue_rows +
                           (3 * SPLITGEN_INTERLEAVED_MAX * v->stream_iterations + 2) *
                               v->rows_per_iteration +
                           1;
}

/* Checks the code of a body at one slice; if v is NULL, words over bits. */
static const char *check_body(sg_arena *arena, const sg_plan *plan, const sg_function *f,
                              const sg_body *v, const sg_slice *slice, int64_t least)
{
    sg_execution m = {.plan = plan,
                      .v = v,
                      .store_mode = f->store_mode,
                      .iteration = 1,
                      .line_rows = 1,
                      .begins = -1};
    sg_arena scratch;
    sg_arena_init(&scratch);
    m.copied = SG_NEW_ARRAY(&scratch, uint8_t, most_rows(v, least));
    if (v != NULL) {
        m.code = &v->codes[slice->code];
        m.iteration = v->rows_per_iteration;
        m.line_rows = find_line_rows(&m, slice->part);
    }
    const char *flaw = check_function(arena, &m, f, least);
    sg_arena_free(&scratch);
    return flaw;
}

/* Checks all codes of a body, each at its first slice. */
static const char *check_choice(sg_arena *arena, const sg_plan *plan, const sg_choice *choice,
                                const sg_function *f)
{
    const sg_body *v = &plan->bodies[choice->body];
    bool *looked_at = SG_NEW_ARRAY(arena, bool, v->ncodes);
    const char *flaw = NULL;
    for (int64_t s = 0; flaw == NULL && s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        if (!looked_at[slice->code]) {
            flaw = check_body(arena, plan, f, v, slice, choice->rows);
        }
        looked_at[slice->code] = true;
    }
    return flaw;
}

/* A range whose end is before its beginning has no rows. Other functions are not called with such
 * ranges (splitgen_run_rows). */
static const char *check_nothing(sg_execution *m, const sg_function *f)
{
    m->first = m->last = 1;
    m->steps = 0;
    const bool is_any =
        f->role == SG_ROLE_ANY || (f->role == SG_ROLE_PORTABLE && m->plan->nchoices == 1);
    if ((is_any && sg_plan_takes_any(m->plan)) || f->role == SG_ROLE_DISPATCH) {
        sg_execute(m, f, 1, 0);
    }
    return m->flaw;
}

/* Whether a function must use the dispatch table if there are many rows. */
static bool has_to_choose(const sg_plan *plan, const sg_function *f)
{
    return plan->nchoices > 1 && f->role != SG_ROLE_OPEN && f->role != SG_ROLE_PORTABLE;
}

/* Checks one call of the public function. Computes rows and scale independently, as products of the
 * dynamic dimensions. `usual`: maximum number of rows that it may copy itself. */
static const char *check_numbers(sg_arena *arena, sg_execution *m, const sg_function *f,
                                 const int64_t *open, int64_t usual)
{
    const sg_split *split = m->plan->split;
    int64_t rows = m->plan->map.rows / split->items;
    m->open = open;
    m->scale = 1;
    for (int d = 0; d < split->rank; ++d) {
        for (int o = 0; o < split->nopen; ++o) {
            for (int i = 0; i < split->powers[d * split->nopen + o]; ++i) {
                int64_t *product = d < split->axis ? &rows : &m->scale;
                if (!sg_mul64(*product, open[o], product)) {
                    return NULL;
                }
            }
        }
    }
    rows = m->scale > 0 ? rows : 0; /* a scale of 0 means no bytes */
    m->rows = rows;
    m->called = false;
    const char *flaw = check_call(arena, m, f, 0, rows <= usual ? rows : 0);
    return flaw == NULL && rows > usual && !m->called ? "a function leaves rows out" : flaw;
}

/* Tries each dynamic dimension as 0, 1, 2 and so on while the others are 1; then distinct primes
 * for all of them, which shows that the right ones are multiplied. */
static const char *check_open(sg_arena *arena, sg_execution *m, const sg_function *f, int64_t usual)
{
    static const int64_t primes[SG_MAX_OPEN] = {3,  5,  7,  11, 13, 17, 19, 23,
                                                29, 31, 37, 41, 43, 47, 53, 59};
    const sg_split *split = m->plan->split;
    int64_t open[SG_MAX_OPEN];
    const char *flaw = NULL;
    for (int o = 0; o < split->nopen; ++o) {
        for (int64_t n = 0; flaw == NULL && n <= usual; ++n) {
            for (int i = 0; i < split->nopen; ++i) {
                open[i] = i == o ? n : 1;
            }
            flaw = check_numbers(arena, m, f, open, usual);
        }
    }
    return flaw == NULL ? check_numbers(arena, m, f, primes, usual) : flaw;
}

/* A number of rows whose offsets cannot overflow. */
static int64_t last_row(const sg_plan *plan)
{
    const sg_split *split = plan->split;
    int64_t most = 1;
    for (int d = 0; d < split->axis; ++d) {
        for (int64_t i = -1; i < split->nparts; ++i) {
            const int64_t *strides = i < 0 ? split->strides : split->parts[i].strides;
            most = strides != NULL && strides[d] > most ? strides[d] : most;
        }
    }
    return INT64_MAX / 2 / plan->map.element / most;
}

/* note [groups of rows]
 *
 * Rows in groups are rows of one stride, where each group is shifted by the sum of the padding
 * before it. A function for any rows, which is verified separately, copies the rows of one group.
 * The beginning of a group is a sum of gaps times quotients of the row's number, so it is right for
 * every row if it is right around the first multiples of the rows of every group, and of their
 * sums. Ranges that begin and end anywhere in such groups are executed here: once with calls that
 * copy one group each, as the portable program does, and once with calls that copy several groups,
 * by each function for several. */
static const char *check_apart(sg_arena *arena, const sg_plan *plan, const sg_function *f,
                               bool takes_groups)
{
    const sg_map *map = &plan->map;
    sg_execution m = {
        .plan = plan, .iteration = 1, .parts = 1, .line_rows = 1, .scale = 1, .begins = -1};
    m.shifts = SG_NEW_ARRAY(arena, int64_t, map->nparts + 1);
    m.held = SG_NEW_ARRAY(arena, int64_t, map->nparts + 1);
    m.takes_groups = takes_groups;
    const int64_t group = map->groups[0].rows;
    const int64_t most = 3 * group + 1;
    const int64_t limit = plan->split->nopen > 0 ? last_row(plan) : map->rows;
    for (int64_t outer = 0; outer <= map->ngroups; ++outer) {
        for (int64_t times = 1; times <= 3; ++times) {
            int64_t around = times * (outer < map->ngroups ? map->groups[outer].rows : 0);
            for (int64_t g = 0; outer == map->ngroups && g < map->ngroups; ++g) {
                around += times * map->groups[g].rows; /* their sum */
            }
            const int64_t firsts[] = {0, around - group, around - 1, around, around + 1};
            const int64_t counts[] = {0, 1, group - 1, group, group + 1, most};
            for (size_t i = 0; i < 5 * sizeof counts / sizeof counts[0]; ++i) {
                m.first = m.next = firsts[i % 5];
                m.last = m.first + counts[i / 5];
                m.steps = 0;
                if (m.last > limit) {
                    continue;
                }
                sg_execute(&m, f, m.first, m.last);
                if (m.next != m.last) {
                    sg_execute_fail(&m, "leaves rows out");
                }
                if (m.flaw != NULL) {
                    return sg_arena_printf(arena,
                                           "function %" PRId64 ", called for rows %" PRId64
                                           " to %" PRId64 " in groups, %s",
                                           (int64_t)(f - plan->functions), m.first, m.last, m.flaw);
                }
            }
        }
    }
    return NULL;
}

/* Up to this number of rows all numbers are tried; with longer iterations, only those around
 * multiples. */
#define EVERY_ROW 64

/* With a dynamic row length: rows of a block, and a scale at which blocks have no more rows, so
 * that calls for somewhat more rows take several blocks. */
#define OPEN_BLOCK_ROWS 8

static int64_t find_scale(const sg_plan *plan)
{
    const int64_t scale =
        plan->block_bytes > 0 ? plan->block_bytes / OPEN_BLOCK_ROWS / plan->map.row_stride : 7;
    return scale > 1 ? scale : 1;
}

/* Checks numbers of rows that take every path through an entry point when no body is selected:
 * none, few, and portable iterations followed by single rows. */
static const char *check_entry_point(sg_arena *arena, const sg_plan *plan, const sg_function *f)
{
    const bool is_open = sg_plan_takes_any(plan);
    const bool by_rows = sg_plan_goes_by_rows(plan);
    const int64_t iteration = by_rows && plan->iteration.rows > 1 ? plan->iteration.rows
                              : plan->block_bytes > 0             ? OPEN_BLOCK_ROWS
                                                                  : plan->block_rows;
    const int64_t usual = plan->few_rows + (by_rows ? 2 * iteration : 1) + 2;
    const int64_t all = is_open              ? INT64_MAX
                        : plan->bits != NULL ? plan->bits->groups + (plan->bits->tail.rows > 0)
                                             : plan->map.rows;
    sg_execution m = {.plan = plan, .iteration = 1, .parts = 1, .line_rows = 1, .begins = -1};
    m.scale = find_scale(plan);
    sg_arena scratch;
    sg_arena_init(&scratch);
    m.copied = SG_NEW_ARRAY(&scratch, uint8_t, usual + 1);
    const char *flaw =
        f->role == SG_ROLE_OPEN ? check_open(arena, &m, f, usual) : check_nothing(&m, f);
    for (int64_t rows = 0; f->role != SG_ROLE_OPEN && flaw == NULL && rows <= usual && rows <= all;
         ++rows) {
        if (rows > EVERY_ROW && iteration > EVERY_ROW && (rows + 2) % iteration > 4) {
            continue; /* more single rows after the iterations only repeat a loop */
        }
        flaw = check_call(arena, &m, f, 0, rows);
        if (flaw == NULL && rows < all) {
            flaw = check_call(arena, &m, f, 1, rows);
        }
    }
    if (flaw == NULL && plan->bits != NULL && !is_open) {
        /* there is no group to point to after the last rows */
        flaw = check_call(arena, &m, f, all, 0);
    }
    if (flaw == NULL && has_to_choose(plan, f) && !m.chose &&
        (usual <= all || plan->bits == NULL)) {
        flaw = "a function never chooses a body";
    }
    sg_arena_free(&scratch);
    return flaw;
}

/* Checks functions that are not checked for a row of the dispatch table: those over bits, each of
 * which copies all groups, and entry points. */
static const char *check_others(sg_arena *arena, const sg_plan *plan)
{
    const char *flaw = NULL;
    for (int64_t i = 0; flaw == NULL && i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        if (f->role == SG_ROLE_APART) {
            flaw =
                plan->map.ngroups > 0 ? check_apart(arena, plan, f, false) : "rows have no groups";
            flaw = flaw == NULL ? check_apart(arena, plan, f, true) : flaw;
        } else if (f->body == SG_CHOICE_PORTABLE) {
            flaw = check_entry_point(arena, plan, f);
        } else if (f->role == SG_ROLE_GROUPS) {
            flaw = check_body(arena, plan, f, NULL, NULL, 1);
        }
    }
    return flaw;
}

/* Checks the function of a row of the dispatch table. */
static const char *check_row(sg_arena *arena, const sg_plan *plan, const sg_choice *choice)
{
    const int64_t portable = plan->bits != NULL ? plan->bits->nbodies - 1 : SG_CHOICE_PORTABLE;
    const bool is_portable = choice->body == SG_CHOICE_PORTABLE;
    const int64_t number =
        sg_function_find(plan, is_portable ? portable : choice->body, choice->store_mode);
    if (number < 0) {
        return is_portable && plan->bits == NULL ? NULL : "has no function";
    }
    if (plan->bits != NULL) {
        return NULL; /* check_others() checks all of them */
    }
    return plan->bodies[choice->body].stream_iterations < 1
               ? "takes no iterations in a turn"
               : check_choice(arena, plan, choice, &plan->functions[number]);
}

const char *sg_verify_functions(sg_arena *arena, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const char *flaw = check_row(arena, plan, &plan->choices[i]);
        if (flaw != NULL) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices: %s", i, flaw);
        }
    }
    return check_others(arena, plan);
}
