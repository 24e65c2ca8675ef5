/* Executes the functions of a plan, step by step as they are printed: for every row of the table of
 * choices, and numbers of rows that take every path, all rows are copied and nothing else, pointers
 * stay within what is given, and what combines writes or bypasses the cache ends as it has to. What
 * a body does in one trip is proved in verify_vector.c.
 *
 * note [why these are all numbers of rows]
 * Every loop here takes trips of t rows one behind the other until fewer are left, and then one
 * that overlaps, or single rows. So with t more rows it takes one more trip first, and all that
 * follows is the same, t rows on: what holds for some number of rows, not less than a choice asks
 * for, holds for that number and any multiple of t, and all residues of t are executed from the
 * least number on. Blocks take several such trips at once, which is the same with a block for t.
 * Parts by turns cover rows 0 to f * p * t, where p grows by the turns of one part whenever f parts
 * have so many trips more, and the last rows go through the cache, which is proved for every number
 * of them; the cases that differ are no part at all, the first turns and the turns after them, and
 * all are executed. A kernel whose rows are free needs no other proof than one of fixed rows; that
 * it is called for none, or for fewer than any choice asks for, is the portable loops' matter
 * (verify_bytes.c). */
#include "plan/verify/verify_functions.h"

#include <inttypes.h>
#include <string.h>

#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Parts that may take turns: as many as processors want, splitgen_fronts() in splitgen/runs.h. */
static const int64_t parts[] = {1, 2, 4};
#define PARTS_MAX 4

/* Where a pointer is that nothing was put into. */
#define NOWHERE INT64_C(-1)

/* More steps than any function takes for so few rows, and calls within each other. */
#define STEPS_MAX 1000000
#define CALLS_MAX 8

/* Instructions of a row that were executed. */
#define TOGETHER UINT8_C(1)
#define OTHERS   UINT8_C(2)
#define BOTH     UINT8_C(3)

/* All rows of a call. */
typedef struct machine {
    const sg_plan *plan;
    const sg_variant *v;
    const sg_body *body; /* whose rows are looked at */
    int64_t first;
    int64_t last; /* rows [first, last) are to be copied */
    int64_t parts;
    int64_t
        line_rows;   /* rows that vectors of the body begin at multiples of, to bypass the cache */
    uint8_t *copied; /* by row, from 0 on */
    bool unfenced;
    int64_t steps;
    int64_t depth;
    const char *flaw;
} machine;

/* A function under execution. Rows are counted from the first of the tensors. */
typedef struct call {
    const sg_function *f;
    int64_t base; /* row that the pointers given are at */
    int64_t number[SG_NUMBER_COUNT];
    sg_storing given;
    int64_t in; /* pointers */
    int64_t plain;
    int64_t combined;
    int64_t next; /* what write combining expects next, NOWHERE where there is none */
    int64_t part; /* and those to parts, so far from each other */
    int64_t distance;
    int64_t combining[PARTS_MAX]; /* the same by part */
    bool breaks;
} call;

static void fail(machine *m, const char *what)
{
    m->flaw = m->flaw != NULL ? m->flaw : what;
}

/* --- expressions ------------------------------------------------------------------------------ */

/* splitgen_part() in splitgen/runs.h. */
static int64_t part_of(int64_t trips, int64_t fronts, int64_t turn, int64_t bytes)
{
    const int64_t part = trips / (fronts * turn) * turn;
    const int64_t less = (8192 + turn * bytes - 1) / (turn * bytes) * turn;
    return part > less && part * bytes % 268435456 == 0 ? part - less : part;
}

static int64_t value_of(machine *m, call *c, const sg_expr *e)
{
    if (e->op == SG_EXPR_LITERAL) {
        return e->literal;
    }
    if (e->op == SG_EXPR_NUMBER || e->op == SG_EXPR_DOWN) {
        int64_t *number = &c->number[e->number];
        if (*number < (e->op == SG_EXPR_DOWN)) {
            fail(m, "uses a number that has no value, or makes one less than 0");
            return 0;
        }
        return e->op == SG_EXPR_DOWN ? --*number : *number;
    }
    const int64_t a = value_of(m, c, e->of[0]);
    if (e->op == SG_EXPR_CHOOSE) { /* the other one may have no value */
        return value_of(m, c, e->of[a != 0 ? 1 : 2]);
    }
    if (e->op == SG_EXPR_AND && a == 0) {
        return 0;
    }
    const int64_t b = value_of(m, c, e->of[1]);
    switch (e->op) {
    case SG_EXPR_PLUS:
        return a + b;
    case SG_EXPR_TIMES:
        return a * b;
    case SG_EXPR_LESS:
        return a < b;
    case SG_EXPR_MORE:
        return a > b;
    case SG_EXPR_AT_LEAST:
        return a >= b;
    case SG_EXPR_EQUAL:
        return a == b;
    case SG_EXPR_DIFFERS:
        return a != b;
    case SG_EXPR_AND:
        return b != 0;
    case SG_EXPR_MINUS:
        if (a < b) {
            fail(m, "has a number below 0");
            return 0;
        }
        return a - b;
    default:
        if (b < 1) {
            fail(m, "divides by nothing");
            return 0;
        }
        return e->op == SG_EXPR_PART
                   ? part_of(a, c->number[SG_NUMBER_FRONTS], b, value_of(m, c, e->of[2]))
               : e->op == SG_EXPR_OVER ? a / b
                                       : a % b;
    }
}

/* Rows from a row of the pointers given on. */
static int64_t row_of(machine *m, call *c, const sg_expr *e)
{
    return c->base + value_of(m, c, e);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Whether an instruction is one that is done for all parts together. */
static bool is_together(const sg_insn *insn, sg_storing storing)
{
    return storing == SG_STORING_PAST ? sg_insn_is_run(insn) && insn->lines : insn->fed;
}

/* What a portion of the body is; a portion of no instruction is done where the other one is. */
static uint8_t bits_of(const machine *m, sg_portion portion, sg_storing storing)
{
    bool has[2] = {false, false};
    for (int64_t i = 0; portion != SG_PORTION_ALL && i < m->body->ninsns; ++i) {
        const sg_insn *insn = &m->body->insns[i];
        if (insn->op == SG_INSN_STORE || sg_insn_is_run(insn)) {
            has[is_together(insn, storing) ? 0 : 1] = true;
        }
    }
    return portion == SG_PORTION_ALL        ? BOTH
           : portion == SG_PORTION_TOGETHER ? (has[1] ? TOGETHER : BOTH)
                                            : (has[0] ? OTHERS : BOTH);
}

static bool are_copied(const machine *m, int64_t first, int64_t last)
{
    bool all = first >= m->first && last <= m->last;
    for (int64_t row = first; all && row < last; ++row) {
        all = m->copied[row] == BOTH;
    }
    return all;
}

static void copy(machine *m, int64_t row, int64_t rows, uint8_t bits)
{
    if (row < m->first || rows < 1 || row > m->last - rows) {
        fail(m, "copies rows that it is not to copy");
        return;
    }
    for (int64_t i = 0; i < rows; ++i) {
        m->copied[row + i] |= bits;
    }
}

/* What is appended to write combining has to be what comes next. */
static void append(machine *m, int64_t *next, int64_t row)
{
    if (*next != row) {
        fail(m, "combines writes of rows that do not come next");
    }
    *next = row + m->v->rows_per_trip;
}

/* A row in order reads what is in front of it and behind it in the input, unless it is told that it
 * is the first or the last. */
static void check_ends(machine *m, const call *c)
{
    const bool first = c->number[SG_NUMBER_IS_FIRST] == 1;
    const bool last = c->number[SG_NUMBER_IS_LAST] == 1;
    if (first != (c->in == m->first) || last != (c->in == m->last - 1) ||
        (!first && !are_copied(m, c->in - 1, c->in))) {
        fail(m, "takes rows in another order");
    }
}

static void run_together(machine *m, call *c, const sg_step *s)
{
    const uint8_t bits = bits_of(m, s->portion, s->storing);
    for (int64_t i = 0; i < m->parts; ++i) {
        const int64_t row = c->part + i * c->distance;
        copy(m, row, m->v->rows_per_trip, bits);
        if (s->storing == SG_STORING_COMBINED_PAST) {
            append(m, &c->combining[i], row);
        }
    }
}

static void run(machine *m, call *c, const sg_step *s)
{
    const sg_storing storing = s->storing == SG_STORING_GIVEN ? c->given : s->storing;
    const bool combines = storing == SG_STORING_COMBINED || storing == SG_STORING_COMBINED_PAST;
    m->unfenced = m->unfenced || storing == SG_STORING_PAST ||
                  storing == SG_STORING_COMBINED_PAST || storing == SG_STORING_LINES;
    if (s->portion == SG_PORTION_TOGETHER) {
        run_together(m, c, s);
        return;
    }
    if (c->in != c->plain || (!combines && c->in != c->combined)) {
        fail(m, "copies a row of the input to another one of the outputs");
    }
    if (storing == SG_STORING_PAST && (c->in - m->first) % m->line_rows != 0) {
        fail(m, "bypasses the cache where no line begins");
    }
    if (storing == SG_STORING_LINES) {
        check_ends(m, c);
    }
    copy(m, c->in, m->v->rows_per_trip, bits_of(m, s->portion, storing));
    if (combines && s->portion == SG_PORTION_ALL) {
        append(m, &c->next, c->in);
    }
}

/* Write combining reads a line that was written before it begins. */
static void combine(machine *m, int64_t row, int64_t *next)
{
    if (!are_copied(m, row - m->v->head_rows, row)) {
        fail(m, "combines writes behind rows that are not copied");
    }
    *next = row;
}

/* --- steps ------------------------------------------------------------------------------------ */

static void execute(machine *m, call *c, int64_t first, int64_t last);

static void call_function(machine *m, call *from, const sg_step *s, int64_t number)
{
    if (number < 0 || number >= m->plan->nfunctions || m->depth == CALLS_MAX) {
        fail(m, "calls no function");
        return;
    }
    const sg_function *f = &m->plan->functions[number];
    const int64_t first = value_of(m, from, s->value);
    const int64_t count = value_of(m, from, s->count);
    call to = {.f = f, .base = from->base, .plain = NOWHERE, .combined = NOWHERE, .next = NOWHERE};
    to.in = from->in + ((s->points & SG_POINTS_INPUT) != 0 ? first : 0);
    to.given = s->storing == SG_STORING_GIVEN ? from->given : s->storing;
    for (int i = 0; i < SG_NUMBER_COUNT; ++i) {
        to.number[i] = NOWHERE;
    }
    for (int i = 0; i < PARTS_MAX; ++i) {
        to.combining[i] = NOWHERE;
    }
    if (m->plan->array_params) {
        to.number[SG_NUMBER_FIRST] = to.number[SG_NUMBER_ROW] = first;
        to.number[f->role == SG_ROLE_ROWS || f->role == SG_ROLE_STRIP_ROWS ? SG_NUMBER_ROWS
                                                                           : SG_NUMBER_WINDOWS] =
            count;
        to.number[SG_NUMBER_IS_FIRST] = from->number[SG_NUMBER_IS_FIRST];
        to.number[SG_NUMBER_IS_LAST] = from->number[SG_NUMBER_IS_LAST];
    } else {
        to.base += first;
        to.number[SG_NUMBER_ROWS] = count;
    }
    ++m->depth;
    execute(m, &to, 0, f->nsteps);
    --m->depth;
    for (int i = 0; i < PARTS_MAX; ++i) {
        if (to.next != NOWHERE || to.combining[i] != NOWHERE) {
            fail(m, "keeps what it combined");
        }
    }
}

/* Of the strips the one of the body whose rows are looked at. */
static void call_strips(machine *m, call *c, const sg_step *s)
{
    call_function(m, c, s, s->functions[m->body - m->v->bodies]);
}

static void point(machine *m, call *c, const sg_step *s, int64_t row)
{
    if (row < 0 || row > m->last) {
        fail(m, "points outside the rows");
    }
    c->in = (s->points & SG_POINTS_INPUT) != 0 ? row : c->in;
    c->plain = (s->points & SG_POINTS_PLAIN) != 0 ? row : c->plain;
    c->combined = (s->points & SG_POINTS_COMBINED) != 0 ? row : c->combined;
}

static void advance(machine *m, call *c, const sg_step *s)
{
    const int64_t rows = value_of(m, c, s->value);
    c->in += (s->points & SG_POINTS_INPUT) != 0 ? rows : 0;
    c->plain += (s->points & SG_POINTS_PLAIN) != 0 ? rows : 0;
    c->combined += (s->points & SG_POINTS_COMBINED) != 0 ? rows : 0;
    if (c->in > m->last || c->plain > m->last || c->combined > m->last) {
        fail(m, "points outside the rows");
    }
}

/* Write combining of an output by itself takes its pointer; several have one for each part. */
static int64_t *combining(machine *m, call *c, const sg_step *s)
{
    if (s->kind == SG_STEP_COMBINE && !s->is_bool) {
        return &c->next;
    }
    const int64_t part = c->number[s->number];
    if (part < 0 || part >= m->parts) {
        fail(m, "combines writes of a part that is not there");
        return &c->next;
    }
    return &c->combining[part];
}

static void execute_one(machine *m, call *c, const sg_step *s)
{
    switch (s->kind) {
    case SG_STEP_LET:
    case SG_STEP_VAR:
    case SG_STEP_SET:
        c->number[s->number] = value_of(m, c, s->value);
        break;
    case SG_STEP_ADD:
        c->number[s->number] += value_of(m, c, s->value);
        break;
    case SG_STEP_TAKE:
        c->number[s->number] -= value_of(m, c, s->value);
        break;
    case SG_STEP_BREAK:
        c->breaks = true;
        break;
    case SG_STEP_POINTERS:
        point(m, c, s, row_of(m, c, s->value));
        break;
    case SG_STEP_ADVANCE:
        advance(m, c, s);
        break;
    case SG_STEP_PARTS:
        c->part = row_of(m, c, s->value);
        c->distance = value_of(m, c, s->count);
        break;
    case SG_STEP_PART:
        point(m, c, s, c->part + c->number[s->number] * c->distance);
        break;
    case SG_STEP_ADVANCE_PARTS:
        c->part += value_of(m, c, s->value);
        break;
    case SG_STEP_RUN:
        run(m, c, s);
        break;
    case SG_STEP_TAIL:
        if (c->in != c->plain || c->in != c->combined) {
            fail(m, "copies a row of the input to another one of the outputs");
        }
        copy(m, c->in + c->number[s->number], 1, BOTH);
        break;
    case SG_STEP_CALL:
        call_function(m, c, s, s->function);
        break;
    case SG_STEP_STRIPS:
        call_strips(m, c, s);
        break;
    case SG_STEP_COMBINE:
        combine(m, s->is_bool ? row_of(m, c, s->value) : c->combined, combining(m, c, s));
        break;
    case SG_STEP_BORROW:
        c->next = *combining(m, c, s);
        break;
    case SG_STEP_RETURN:
        *combining(m, c, s) = c->next;
        c->next = NOWHERE;
        break;
    case SG_STEP_COMBINED:
        *(s->is_bool ? combining(m, c, s) : &c->next) = NOWHERE;
        break;
    case SG_STEP_FRONTS:
        c->number[SG_NUMBER_FRONTS] = m->parts;
        break;
    case SG_STEP_FENCE:
        m->unfenced = false;
        break;
    default: /* nothing that moves a byte */
        break;
    }
}

static void loop(machine *m, call *c, const sg_step *s, int64_t body)
{
    if (s->value != NULL) {
        c->number[s->number] = value_of(m, c, s->value);
    }
    while (m->flaw == NULL && (s->condition == NULL || value_of(m, c, s->condition) != 0)) {
        execute(m, c, body, s->end);
        if (c->breaks) {
            c->breaks = false;
            break;
        }
        if (s->by != NULL) {
            const int64_t by = value_of(m, c, s->by);
            c->number[s->number] += s->kind == SG_STEP_DOWN ? -by : by;
        }
    }
}

/* The first of the blocks whose condition holds; gives the step behind them all. */
static int64_t choose(machine *m, call *c, int64_t at)
{
    const sg_step *steps = c->f->steps;
    bool done = false;
    for (; steps[at].kind != SG_STEP_END; at = steps[at].end) {
        if (!done && (steps[at].kind == SG_STEP_ELSE || value_of(m, c, steps[at].condition) != 0)) {
            execute(m, c, at + 1, steps[at].end);
            done = true;
        }
    }
    return at + 1;
}

static void execute(machine *m, call *c, int64_t first, int64_t last)
{
    for (int64_t at = first; at < last && m->flaw == NULL && !c->breaks;) {
        const sg_step *s = &c->f->steps[at];
        if (++m->steps > STEPS_MAX) {
            fail(m, "does not end");
        } else if (s->kind == SG_STEP_LOOP || s->kind == SG_STEP_DOWN) {
            loop(m, c, s, at + 1);
            at = s->end + 1;
        } else if (s->kind == SG_STEP_IF) {
            at = choose(m, c, at);
        } else {
            execute_one(m, c, s);
            ++at;
        }
    }
}

/* --- calls ------------------------------------------------------------------------------------ */

static int64_t divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : divisor(b, a % b);
}

/* Rows that the places of a body's vectors, and its whole lines, are multiples of. */
static int64_t find_line_rows(const machine *m, int64_t column)
{
    int64_t rows = 1;
    for (int64_t i = 0; i < m->body->ninsns; ++i) {
        const sg_insn *insn = &m->body->insns[i];
        if (insn->op == SG_INSN_STORE) {
            const int64_t width = m->plan->map.parts[column + insn->to.part].width;
            const int64_t needs = m->v->isa->unit / divisor(m->v->isa->unit, width);
            rows = rows / divisor(rows, needs) * needs;
        }
    }
    return rows;
}

/* One call of a function, with an eye on one body. */
static const char *check_call(machine *m, const sg_function *f, int64_t rows, int64_t first)
{
    const sg_step all = {.value = &(const sg_expr){.op = SG_EXPR_LITERAL, .literal = first},
                         .count = &(const sg_expr){.op = SG_EXPR_LITERAL, .literal = rows}};
    call none = {.f = f};
    m->first = first;
    m->last = first + rows;
    m->unfenced = false;
    m->steps = 0;
    memset(m->copied, 0, (size_t)m->last);
    call_function(m, &none, &all, f - m->plan->functions);
    if (!are_copied(m, m->first, m->last)) {
        fail(m, "leaves rows out");
    }
    if (m->unfenced) {
        fail(m, "does not wait for what bypasses the cache");
    }
    return m->flaw;
}

/* Numbers of rows that take every path. */
typedef struct counts {
    int64_t begin;
    int64_t end;
    int64_t step;
} counts;

static const char *check_counts(sg_arena *arena, machine *m, const sg_function *f, counts n)
{
    for (int64_t rows = n.begin; rows <= n.end; rows += n.step) {
        const char *flaw = check_call(m, f, rows, 0);
        if (flaw == NULL && m->plan->array_params && rows == n.begin) {
            flaw = check_call(m, f, rows, SG_LINE_BYTES);
        }
        if (flaw != NULL) {
            return sg_arena_printf(arena, "function %" PRId64 ", called for %" PRId64 " rows, %s",
                                   (int64_t)(f - m->plan->functions), rows, flaw);
        }
    }
    return NULL;
}

static bool has_fronts(const sg_function *f)
{
    bool has = false;
    for (int64_t i = 0; i < f->nsteps; ++i) {
        has = has || f->steps[i].kind == SG_STEP_FRONTS;
    }
    return has;
}

/* The least number of rows and those behind it, with every residue of a trip; then those around the
 * first turns of all parts. */
static const char *check_function(sg_arena *arena, machine *m, const sg_function *f,
                                  const sg_choice *choice)
{
    const sg_variant *v = m->v;
    const int64_t trip = v->rows_per_trip;
    const bool turns_parts = has_fronts(f);
    for (size_t p = 0; p < (turns_parts ? sizeof parts / sizeof parts[0] : 1); ++p) {
        m->parts = parts[p];
        const int64_t turns = parts[p] * v->front_trips * trip;
        const int64_t starts[] = {choice->rows, v->block_rows, v->head_rows * parts[p] + turns,
                                  3 * turns};
        for (size_t s = 0; s < (turns_parts ? 4 : 2); ++s) {
            const int64_t begin = starts[s] < choice->rows ? choice->rows : starts[s];
            const char *flaw = check_counts(
                arena, m, f,
                (counts){begin, begin + trip + 1, s == 0 || trip < 16 ? 1 : trip / 16});
            if (flaw != NULL) {
                return flaw;
            }
        }
    }
    return NULL;
}

/* Most rows of a call above. */
static int64_t most_rows(const sg_plan *plan)
{
    int64_t most = 0;
    for (int64_t i = 0; i < plan->nchoices && plan->choices[i].variant >= 0; ++i) {
        const sg_variant *v = &plan->variants[plan->choices[i].variant];
        const int64_t turns = PARTS_MAX * v->front_trips * v->rows_per_trip;
        const int64_t rows = plan->choices[i].rows + v->block_rows + PARTS_MAX * v->head_rows +
                             3 * turns + v->rows_per_trip + 1;
        most = rows > most ? rows : most;
    }
    return most + SG_LINE_BYTES;
}

static int64_t first_column(const sg_variant *v, int64_t body)
{
    for (int64_t s = 0; s < v->nslices; ++s) {
        if (v->slices[s].body == body) {
            return v->slices[s].part;
        }
    }
    return 0;
}

const char *sg_verify_functions(sg_arena *arena, const sg_plan *plan)
{
    machine m = {.plan = plan};
    m.copied = SG_NEW_ARRAY(arena, uint8_t, most_rows(plan));
    for (int64_t i = 0; i < plan->nchoices && plan->choices[i].variant >= 0; ++i) {
        const sg_choice *choice = &plan->choices[i];
        const int64_t number = sg_function_find(plan, choice->variant, choice->way);
        m.v = &plan->variants[choice->variant];
        if (number < 0 || m.v->rows_per_trip < 1 || m.v->front_trips < 1) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices has no function", i);
        }
        for (int64_t b = 0; b < m.v->nbodies; ++b) {
            m.body = &m.v->bodies[b];
            m.line_rows = find_line_rows(&m, first_column(m.v, b));
            const char *flaw = check_function(arena, &m, &plan->functions[number], choice);
            if (flaw != NULL) {
                return flaw;
            }
        }
    }
    return NULL;
}
