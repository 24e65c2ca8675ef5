/* Executes the functions of a plan: the loops that they call, with the arguments that are printed.
 * For every function, and for numbers of rows that take every path: exactly the requested rows are
 * copied, combined writes are all written, and a fence follows non-temporal stores. verify_vector.c
 * proves what a tile does, and execute_rows.c executes the loops of portable code.
 *
 * note [why these are all numbers of rows]
 * Every loop here copies consecutive iterations of t rows until fewer remain, and then one
 * iteration that overlaps the last, or single rows. With t more rows it copies one more iteration
 * first, and the rest is the same, t rows later. So what holds for a number of rows, not less than
 * the function takes, holds for that number plus any multiple of t; and from the minimum number on,
 * all residues of t are executed. The same holds for the blocks of a loop over columns, with the
 * rows of a block for t.
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
#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"
#include "plan/verify/execute_loops.h"
#include "plan/verify/execute_rows.h"

/* The numbers of interleaved streams that splitgen_streams() in splitgen/runs.h may return. */
static const int64_t parts[] = {1, 2, 4};

/* The number of rows at whose multiples all stores of the code are aligned, if the outputs are.
 * `column` is the code's first column. */
static int64_t find_line_rows(const sg_execution *m, const sg_code *code, int64_t column)
{
    int64_t rows = 1;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
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
    return m->begins >= 0 && rows >= m->v->vector_rows + m->v->rows_per_iteration &&
           m->begins % sg_gcd64(stride, m->v->vector_bytes) == 0;
}

/* Checks one call of a function. Rows may be copied twice only by an overlapping tile: the last
 * one, and the first one if outputs are misaligned. */
static const char *check_call(sg_arena *arena, sg_execution *m, int64_t first, int64_t rows)
{
    const int64_t iteration = m->v->rows_per_iteration;
    const int64_t overlaps = m->begins > 0 ? 2 : 1;
    m->first = first;
    m->last = first + rows;
    m->halves = 0;
    m->unfenced = false;
    m->across = 0;
    if (m->f->code == SG_ALL_CODES) {
        sg_execute_columns(arena, m);
    } else {
        memset(m->copied, 0, (size_t)rows);
        sg_execute_tiles(m);
    }
    if (m->flaw == NULL && m->halves > 2 * (rows + overlaps * (iteration - 1))) {
        m->flaw = "copies rows twice";
    }
    if (m->flaw == NULL && comes_to_vectors(m, rows) && m->across > overlaps * m->f->loop.tiles) {
        m->flaw = "does not bring its outputs to vectors";
    }
    if (m->flaw == NULL && m->unfenced) {
        m->flaw = "does not wait for what bypasses the cache";
    }
    return m->flaw == NULL
               ? NULL
               : sg_arena_printf(arena,
                                 "function %" PRId64 ", called for %" PRId64
                                 " rows from row %" PRId64 " on, %s",
                                 (int64_t)(m->f - m->plan->functions), rows, first, m->flaw);
}

/* Checks all numbers of rows from `rows` on, up to every residue of an iteration, for two first
 * rows. */
static const char *check_from(sg_arena *arena, sg_execution *m, int64_t rows)
{
    const char *flaw = NULL;
    for (int64_t more = 0; flaw == NULL && more <= m->v->rows_per_iteration + 1; ++more) {
        flaw = check_call(arena, m, 0, rows + more);
        flaw = flaw == NULL ? check_call(arena, m, SG_LINE_BYTES, rows + more) : flaw;
    }
    return flaw;
}

/* Checks numbers of rows around one at which a function's behaviour changes. */
static const char *check_around(sg_arena *arena, sg_execution *m, int64_t least, int64_t rows)
{
    const int64_t iteration = m->v->rows_per_iteration;
    const int64_t ends[] = {-iteration, -1, 0, 1, iteration - 1, iteration, iteration + 1};
    const char *flaw = NULL;
    for (size_t i = 0; flaw == NULL && i < sizeof ends / sizeof ends[0]; ++i) {
        if (rows + ends[i] >= least) {
            flaw = check_call(arena, m, 0, rows + ends[i]);
            flaw = flaw == NULL ? check_call(arena, m, SG_LINE_BYTES, rows + ends[i]) : flaw;
        }
    }
    return flaw;
}

/* Checks outputs with equal misalignment, for each misalignment, if the function aligns them to
 * vectors. */
static const char *check_places(sg_arena *arena, sg_execution *m, int64_t least)
{
    const int64_t places = m->f->loop.loop == SG_LOOP_TILES_ALIGNED ? m->v->vector_bytes : 0;
    const char *flaw = NULL;
    for (int64_t place = 0; flaw == NULL && place < places; ++place) {
        m->begins = place;
        flaw = check_around(arena, m, least, m->v->vector_rows + m->v->rows_per_iteration);
    }
    m->begins = -1;
    return flaw;
}

/* Checks numbers of rows that take every path through a function that is called for `least` rows or
 * more: around that number, the first piece of every stream, and the pieces after these; of a loop
 * over columns, around several blocks. */
static const char *check_rows(sg_arena *arena, sg_execution *m, int64_t least)
{
    const sg_body *v = m->v;
    const int64_t block = m->f->loop.block;
    const bool has_streams = m->f->loop.loop >= SG_LOOP_TILES_STREAMED && block == 0;
    const char *flaw = NULL;
    for (size_t p = 0; flaw == NULL && p < (has_streams ? sizeof parts / sizeof parts[0] : 1);
         ++p) {
        const int64_t turns = parts[p] * v->stream_iterations * v->rows_per_iteration;
        const int64_t around[] = {v->prologue_rows * parts[p] + turns, 3 * turns};
        m->parts = parts[p];
        flaw = check_from(arena, m, least);
        for (size_t i = 0; flaw == NULL && has_streams && i < 2; ++i) {
            flaw = check_around(arena, m, least, around[i]);
        }
    }
    for (int64_t n = 1; flaw == NULL && block > 0 && n <= 2; ++n) {
        flaw = check_around(arena, m, least, n * block);
    }
    flaw = flaw == NULL ? check_places(arena, m, least) : flaw;
    return flaw != NULL || m->stored
               ? flaw
               : sg_arena_printf(arena, "function %" PRId64 " never stores as it is chosen to",
                                 (int64_t)(m->f - m->plan->functions));
}

/* Maximum number of rows of any call above. */
static int64_t most_rows(const sg_body *v, int64_t least)
{
    return least + v->vector_rows + SPLITGEN_INTERLEAVED_MAX * v->prologue_rows +
           (3 * SPLITGEN_INTERLEAVED_MAX * v->stream_iterations + 2) * v->rows_per_iteration + 1;
}

/* The least number of rows of the choices of a body with a way of storing; 0: there are none. */
static int64_t chosen_rows(const sg_plan *plan, const sg_function *f)
{
    int64_t least = 0;
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (c->body == f->body && c->store_mode == f->store_mode) {
            least = least == 0 || c->rows < least ? c->rows : least;
        }
    }
    return least;
}

/* The least number of rows that a function is called for: what its choice asks; or, for the
 * functions of columns, an iteration, which loops over blocks leave them. The function with
 * ordinary stores is also called for the rows that other loops leave. */
static int64_t least_rows(const sg_plan *plan, const sg_function *f)
{
    const sg_body *v = &plan->bodies[f->body];
    const bool blocks =
        f->store_mode == SG_STORE_NON_TEMPORAL && plan->array_params && f->code != SG_ALL_CODES;
    const int64_t chosen = chosen_rows(plan, f);
    return chosen == 0 || blocks || f->store_mode == SG_STORE_ORDINARY ? v->rows_per_iteration
                                                                       : chosen;
}

static const char *check_function(sg_arena *arena, const sg_plan *plan, const sg_function *f)
{
    const sg_body *v = &plan->bodies[f->body];
    const int64_t least = least_rows(plan, f);
    sg_execution m = {.plan = plan, .v = v, .f = f, .line_rows = 1, .begins = -1};
    sg_arena scratch;
    sg_arena_init(&scratch);
    m.copied = SG_NEW_ARRAY(&scratch, uint8_t, most_rows(v, least));
    m.next = SG_NEW_ARRAY(&scratch, int64_t, v->nslices);
    m.stored = f->code == SG_ALL_CODES;
    for (int64_t s = v->nslices; s-- > 0;) {
        const int64_t code = v->slices[s].code;
        if (f->code == SG_ALL_CODES || f->code == code) {
            const int64_t rows = find_line_rows(&m, &v->codes[code], v->slices[s].part);
            m.line_rows = m.line_rows / sg_gcd64(m.line_rows, rows) * rows;
        }
    }
    const char *flaw = v->stream_iterations < 1 ? "a body takes no iterations in a turn"
                                                : check_rows(&scratch, &m, least);
    flaw = flaw != NULL ? sg_arena_printf(arena, "%s", flaw) : NULL;
    sg_arena_free(&scratch);
    return flaw;
}

const char *sg_verify_functions(sg_arena *arena, const sg_plan *plan)
{
    for (int64_t i = 0; plan->bits == NULL && i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        if (c->body != SG_CHOICE_PORTABLE &&
            sg_function_chosen(plan, c->body, c->store_mode) == NULL) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices has no function", i);
        }
    }
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const char *flaw = check_function(arena, plan, &plan->functions[i]);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return sg_execute_rows(arena, plan);
}
