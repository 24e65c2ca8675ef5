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

#include "plan/bits/bit_program.h"
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

/* All rows of a call; over bits, groups of rows, of which those that make no group are one more. */
typedef struct machine {
    const sg_plan *plan;
    const sg_variant *v; /* NULL: of words over bits */
    const sg_body *body; /* whose rows are looked at */
    int64_t trip;        /* rows */
    int64_t first;
    int64_t last; /* rows [first, last) are to be copied */
    int64_t parts;
    int64_t
        line_rows;   /* rows that vectors of the body begin at multiples of, to bypass the cache */
    uint8_t *copied; /* by row, from the first one on */
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
    bool leaves;
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
        all = m->copied[row - m->first] == BOTH;
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
        m->copied[row - m->first + i] |= bits;
    }
}

/* By the portable program, from a row behind the pointers on. */
static void copy_portable(machine *m, const call *c, int64_t row, int64_t rows)
{
    if (c->in != c->plain || c->in != c->combined || row < 0) {
        fail(m, "copies a row of the input to another one of the outputs");
    }
    copy(m, c->in + row, rows, BOTH);
}

/* Over bits, whole groups; what is left behind them is a group only by number. */
static void copy_groups(machine *m, int64_t first, int64_t groups)
{
    if (m->plan->split->free_name == NULL && first > m->plan->bits->groups - groups) {
        fail(m, "takes rows for a group that are none");
    }
    copy(m, first, groups, BOTH);
}

/* A group by words; of an array of outputs it is told which one that is. */
static void copy_group(machine *m, const call *c, int64_t group)
{
    if (c->in != group || (!m->plan->array_params && (c->plain != group || c->combined != group))) {
        fail(m, "copies a row of the input to another one of the outputs");
    }
    copy_groups(m, group, 1);
}

/* And what is left. */
static void copy_rest(machine *m, const call *c, int64_t group)
{
    if (c->in != group || (!m->plan->array_params && c->plain != group) ||
        group != m->plan->bits->groups) {
        fail(m, "copies a row of the input to another one of the outputs");
    }
    copy(m, group, 1, BOTH);
}

/* What is appended to write combining has to be what comes next. */
static void append(machine *m, int64_t *next, int64_t row)
{
    if (*next != row) {
        fail(m, "combines writes of rows that do not come next");
    }
    *next = row + m->trip;
}

/* A row that is copied in order reads the bytes in front of it and behind it in the input, unless
 * it is told that it is the first or the last row. */
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
        copy(m, row, m->trip, bits);
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
    if (m->plan->bits != NULL) {
        copy_groups(m, c->in, m->trip);
        return;
    }
    copy(m, c->in, m->trip, bits_of(m, s->portion, storing));
    if (combines && s->portion == SG_PORTION_ALL) {
        append(m, &c->next, c->in);
    }
}

/* Write combining begins by reading the cache line in front of it, which must have been written. */
static void combine(machine *m, int64_t row, int64_t *next)
{
    if (!are_copied(m, row - m->v->head_rows, row)) {
        fail(m, "combines writes behind rows that are not copied");
    }
    *next = row;
}

/* --- steps ------------------------------------------------------------------------------------ */

static void execute(machine *m, call *c, int64_t first, int64_t last);

/* Whether it is given the first row and the one behind the last. */
static bool is_range(const sg_plan *plan, const sg_function *f)
{
    return f->role == SG_ROLE_GROUPS || f->role == SG_ROLE_DISPATCH || f->role == SG_ROLE_ANY ||
           f->role == SG_ROLE_DESCRIPTOR || (f->role == SG_ROLE_SOME && plan->array_params);
}

static void call_function(machine *m, call *from, const sg_step *s, int64_t number)
{
    if (number < 0 || number >= m->plan->nfunctions || m->depth == CALLS_MAX) {
        fail(m, "calls no function");
        return;
    }
    const sg_function *f = &m->plan->functions[number];
    const int64_t first = value_of(m, from, s->value);
    const int64_t count = value_of(m, from, s->count);
    const bool is_entrance = f->variant == SG_CHOICE_PORTABLE;
    const bool moves = f->role == SG_ROLE_SOME && !m->plan->array_params;
    const int64_t where = !is_entrance ? NOWHERE : from->base + (moves ? first : 0);
    call to = {.f = f, .base = from->base, .plain = where, .combined = where, .next = NOWHERE};
    to.in = is_entrance ? where : from->in + ((s->points & SG_POINTS_INPUT) != 0 ? first : 0);
    to.given = s->storing == SG_STORING_GIVEN ? from->given : s->storing;
    for (int i = 0; i < SG_NUMBER_COUNT; ++i) {
        to.number[i] = NOWHERE;
    }
    for (int i = 0; i < PARTS_MAX; ++i) {
        to.combining[i] = NOWHERE;
    }
    if (is_range(m->plan, f)) {
        to.number[SG_NUMBER_FIRST] = first;
        to.number[SG_NUMBER_LAST] = count;
    } else if (f->role == SG_ROLE_OPEN) {
        to.number[SG_NUMBER_ITEMS] = count;
    } else if (m->plan->array_params) {
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
    const int64_t rows = (s->kind == SG_STEP_RETREAT ? -1 : 1) * value_of(m, c, s->value);
    c->in += (s->points & SG_POINTS_INPUT) != 0 ? rows : 0;
    c->plain += (s->points & SG_POINTS_PLAIN) != 0 ? rows : 0;
    c->combined += (s->points & SG_POINTS_COMBINED) != 0 ? rows : 0;
    if (c->in < m->first || c->in > m->last || c->plain > m->last || c->combined > m->last) {
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
    case SG_STEP_LEAVE:
        c->leaves = true;
        break;
    case SG_STEP_POINTERS:
        point(m, c, s, row_of(m, c, s->value));
        if (s->count != NULL) {
            c->number[s->number] = value_of(m, c, s->count);
        }
        break;
    case SG_STEP_ADVANCE:
    case SG_STEP_RETREAT:
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
        copy_portable(m, c, c->number[s->number], 1);
        break;
    case SG_STEP_TRIP:
        copy_portable(m, c, c->number[s->number], m->plan->whole.segments[0].rows_per_trip);
        break;
    case SG_STEP_GROUP:
        copy_group(m, c, c->number[s->number]);
        break;
    case SG_STEP_REST:
        copy_rest(m, c, value_of(m, c, s->value));
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
        if (c->breaks || c->leaves) {
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
    for (int64_t at = first; at < last && m->flaw == NULL && !c->breaks && !c->leaves;) {
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

/* Rows that the places of a body's vectors are multiples of, from its first column on. */
static int64_t find_line_rows(const machine *m, int64_t column)
{
    const sg_bits *bits = m->plan->bits;
    int64_t rows = 1;
    for (int64_t i = 0; i < m->body->ninsns; ++i) {
        const sg_insn *insn = &m->body->insns[i];
        if (insn->op == SG_INSN_STORE && (bits == NULL || insn->lines)) {
            const sg_map *map = &m->plan->map;
            const int64_t stride = insn->to.part == SG_WHOLE
                                       ? map->row_stride
                                       : map->parts[column + insn->to.part].row_stride;
            const int64_t width = bits != NULL ? bits->group_rows * stride / 8 : stride;
            const int64_t unit = bits != NULL ? SG_LINE_BYTES : m->v->isa->unit;
            const int64_t needs = unit / divisor(unit, width);
            rows = rows / divisor(rows, needs) * needs;
        }
    }
    return rows;
}

/* One call of a function, with an eye on one body. */
static const char *check_call(sg_arena *arena, machine *m, const sg_function *f, int64_t first,
                              int64_t rows)
{
    const int64_t items = m->plan->split->items;
    const int64_t count = is_range(m->plan, f)      ? first + rows
                          : f->role == SG_ROLE_OPEN ? rows * items / m->plan->map.rows
                                                    : rows;
    const sg_expr begin = {.op = SG_EXPR_LITERAL, .literal = first};
    const sg_expr end = {.op = SG_EXPR_LITERAL, .literal = count};
    call none = {.f = f};
    m->first = first;
    m->last = first + rows;
    m->unfenced = false;
    m->steps = 0;
    memset(m->copied, 0, (size_t)rows);
    call_function(m, &none, &(sg_step){.value = &begin, .count = &end}, f - m->plan->functions);
    if (!are_copied(m, m->first, m->last)) {
        fail(m, "leaves rows out");
    }
    if (m->unfenced) {
        fail(m, "does not wait for what bypasses the cache");
    }
    return m->flaw == NULL
               ? NULL
               : sg_arena_printf(arena,
                                 "function %" PRId64 ", called for %" PRId64
                                 " rows from row %" PRId64 " on, %s",
                                 (int64_t)(f - m->plan->functions), rows, first, m->flaw);
}

/* The same for so many rows wherever they may be: of an array of outputs, from another row on; of
 * groups, in front of what is left behind them, and with it. */
static const char *check_rows(sg_arena *arena, machine *m, const sg_function *f, int64_t rows)
{
    const sg_bits *bits = m->plan->bits;
    const bool ends = bits != NULL && m->plan->split->free_name == NULL;
    const int64_t all = ends ? bits->groups + (bits->tail.rows > 0 ? 1 : 0) : INT64_MAX;
    const int64_t firsts[] = {0, m->plan->array_params || bits != NULL ? SG_LINE_BYTES : 0,
                              ends ? all - rows : 0, ends ? all - rows - 1 : 0};
    for (size_t i = 0; i < sizeof firsts / sizeof firsts[0]; ++i) {
        if (firsts[i] < 0 || firsts[i] > all - rows || (i > 0 && firsts[i] == 0)) {
            continue;
        }
        const char *flaw = check_call(arena, m, f, firsts[i], rows);
        if (flaw != NULL) {
            return flaw;
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

/* Numbers of rows that take every path through a function that is called for `least` or more: those
 * and the ones behind, with every residue of a trip; a block; and those around the first turns of
 * all parts. */
static const char *check_function(sg_arena *arena, machine *m, const sg_function *f, int64_t least)
{
    const bool turns_parts = has_fronts(f);
    const int64_t head = m->v != NULL ? m->v->head_rows : 0;
    for (size_t p = 0; p < (turns_parts ? sizeof parts / sizeof parts[0] : 1); ++p) {
        m->parts = parts[p];
        const int64_t turns = turns_parts ? parts[p] * m->v->front_trips * m->trip : 0;
        const int64_t starts[] = {least, m->v != NULL ? m->v->block_rows : 0,
                                  head * parts[p] + turns, 3 * turns};
        for (size_t s = 0; s < (turns_parts ? 4 : 2); ++s) {
            const int64_t begin = starts[s] < least ? least : starts[s];
            const int64_t step = s == 0 || m->trip < 16 ? 1 : m->trip / 16;
            for (int64_t rows = begin; rows <= begin + m->trip + 1; rows += step) {
                const char *flaw = check_rows(arena, m, f, rows);
                if (flaw != NULL) {
                    return flaw;
                }
            }
        }
    }
    return NULL;
}

/* Most rows of a call above, of a function of a variant that is called for `least`. */
static int64_t most_rows(const sg_variant *v, int64_t least)
{
    return v == NULL ? least + 2
                     : least + v->block_rows + PARTS_MAX * v->head_rows +
                           (3 * PARTS_MAX * v->front_trips + 1) * v->rows_per_trip + 1;
}

/* Looks at one body of a variant, NULL: at words over bits, that begins at a column. */
static const char *check_body(sg_arena *arena, const sg_plan *plan, const sg_function *f,
                              const sg_variant *v, const sg_slice *slice, int64_t least)
{
    machine m = {.plan = plan, .v = v, .trip = 1, .line_rows = 1};
    m.copied = SG_NEW_ARRAY(arena, uint8_t, most_rows(v, least));
    if (v != NULL) {
        m.body = &v->bodies[slice->body];
        m.trip = v->rows_per_trip / (plan->bits != NULL ? plan->bits->group_rows : 1);
        m.line_rows = find_line_rows(&m, slice->part);
    }
    return check_function(arena, &m, f, least);
}

/* All bodies, each at the first of its slices. */
static const char *check_choice(sg_arena *arena, const sg_plan *plan, const sg_choice *choice,
                                const sg_function *f)
{
    const sg_variant *v = &plan->variants[choice->variant];
    bool *looked_at = SG_NEW_ARRAY(arena, bool, v->nbodies);
    const char *flaw = NULL;
    for (int64_t s = 0; flaw == NULL && s < v->nslices; ++s) {
        const sg_slice *slice = &v->slices[s];
        if (!looked_at[slice->body]) {
            flaw = check_body(arena, plan, f, v, slice, choice->rows);
        }
        looked_at[slice->body] = true;
    }
    return flaw;
}

/* Over bits also the portable one. */
static const char *check_groups(sg_arena *arena, const sg_plan *plan)
{
    const sg_bits *bits = plan->bits;
    const char *flaw = NULL;
    for (int64_t i = 0; flaw == NULL && i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        if (f->role != SG_ROLE_GROUPS) {
            continue;
        }
        const bool vectors = bits->bodies[f->variant] == SG_BIT_VBMI;
        flaw = check_body(arena, plan, f, vectors ? bits->vectors : NULL,
                          vectors ? bits->vectors->slices : NULL, 1);
    }
    return flaw;
}

/* Numbers of rows that take every path through a function that chooses a body, where none is taken:
 * none, few, and trips of the portable program with rows behind them. */
static const char *check_entrance(sg_arena *arena, const sg_plan *plan, const sg_function *f)
{
    const bool is_open = plan->split->free_name != NULL;
    const int64_t item = f->role == SG_ROLE_OPEN ? plan->map.rows / plan->split->items : 1;
    const int64_t trip = plan->whole.nsegments > 0 ? plan->whole.segments[0].rows_per_trip : 1;
    const int64_t usual = plan->few_rows + (is_open ? 2 * trip : 1) + 2 * item;
    const int64_t all = is_open              ? INT64_MAX
                        : plan->bits != NULL ? plan->bits->groups + (plan->bits->tail.rows > 0)
                                             : plan->map.rows;
    machine m = {.plan = plan, .trip = 1, .parts = 1, .line_rows = 1};
    m.copied = SG_NEW_ARRAY(arena, uint8_t, usual + 1);
    for (int64_t rows = 0; rows <= usual && rows <= all; rows += item) {
        for (int64_t first = 0; first <= (f->role == SG_ROLE_OPEN ? 0 : 1) && first <= all - rows;
             ++first) {
            const char *flaw = check_call(arena, &m, f, first, rows);
            if (flaw != NULL) {
                return flaw;
            }
        }
    }
    return NULL;
}

static const char *check_entrances(sg_arena *arena, const sg_plan *plan)
{
    const char *flaw = NULL;
    for (int64_t i = 0; flaw == NULL && i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        flaw = f->variant == SG_CHOICE_PORTABLE ? check_entrance(arena, plan, f) : NULL;
    }
    return flaw;
}

const char *sg_verify_functions(sg_arena *arena, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *choice = &plan->choices[i];
        const int64_t last = plan->bits != NULL ? plan->bits->nbodies - 1 : SG_CHOICE_PORTABLE;
        const bool portable = choice->variant == SG_CHOICE_PORTABLE;
        const int64_t number =
            sg_function_find(plan, portable ? last : choice->variant, choice->way);
        if (number < 0 && (!portable || plan->bits != NULL)) {
            return sg_arena_printf(arena, "row %" PRId64 " of the choices has no function", i);
        }
        const char *flaw = portable || plan->bits != NULL
                               ? NULL
                               : check_choice(arena, plan, choice, &plan->functions[number]);
        if (flaw != NULL) {
            return flaw;
        }
    }
    const char *flaw = plan->bits != NULL ? check_groups(arena, plan) : NULL;
    return flaw != NULL ? flaw : check_entrances(arena, plan);
}
