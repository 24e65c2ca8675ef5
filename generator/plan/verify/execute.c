/* Executes a function of a plan, step by step as it is printed, on rows without data.
 * verify_vector.c proves what a body does in one iteration. */
#include "plan/verify/execute.h"

#include <inttypes.h>
#include <string.h>

#include "plan/bits/bit_program.h"
#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* A pointer or a number without a value. */
#define NOWHERE INT64_C(-1)

/* Limits on steps and nested calls, higher than any function needs for the numbers of rows used
 * here. */
#define STEPS_MAX 1000000
#define CALLS_MAX 8

/* Phases of a row that are completed, as bits. */
#define TOGETHER UINT8_C(1)
#define OTHERS   UINT8_C(2)
#define BOTH     UINT8_C(3)

/* The rows that pointers point to, by the kinds from SG_POINTS_INPUT on. */
typedef struct pointers {
    int64_t in;
    int64_t plain;
    int64_t combined;
} pointers;

#define NO_POINTERS ((pointers){NOWHERE, NOWHERE, NOWHERE})

/* A function call under execution. Rows are counted from the beginning of the tensors. */
typedef struct call {
    const sg_function *f;
    sg_store_mode store_mode; /* the function's, or the caller's if that is an argument */
    int64_t base;             /* the row of the pointers passed as arguments */
    int64_t number[SG_NUMBER_COUNT];
    sg_storing given;
    pointers at;
    bool combiners; /* combiners are declared */
    int64_t next;   /* the next row to combine; NOWHERE: no combining */
    bool breaks;
    bool returns;
} call;

void sg_execute_fail(sg_execution *m, const char *what)
{
    m->flaw = m->flaw != NULL ? m->flaw : what;
}

/* --- expressions ------------------------------------------------------------------------------ */

static int64_t value_of(sg_execution *m, call *c, const sg_expr *e)
{
    if (e == NULL) {
        sg_execute_fail(m, "lacks an operand");
        return 0;
    }
    if (e->op == SG_EXPR_LITERAL) {
        return e->literal;
    }
    if (e->op == SG_EXPR_OPEN) {
        const bool is = c->f->role == SG_ROLE_OPEN && e->literal < m->plan->split->nopen;
        if (!is) {
            sg_execute_fail(m, "has no open number");
        }
        return is ? m->open[e->literal] : 0;
    }
    if (e->op == SG_EXPR_NUMBER || e->op == SG_EXPR_DECREMENT) {
        int64_t *number = &c->number[e->number];
        if (*number < (e->op == SG_EXPR_DECREMENT)) {
            sg_execute_fail(m, "uses a number that has no value, or makes one less than 0");
            return 0;
        }
        return e->op == SG_EXPR_DECREMENT ? --*number : *number;
    }
    const int64_t a = value_of(m, c, e->of[0]);
    if (e->op == SG_EXPR_SELECT) { /* the other operand may have no value */
        return value_of(m, c, e->of[a != 0 ? 1 : 2]);
    }
    if (e->op == SG_EXPR_AND && a == 0) {
        return 0;
    }
    const int64_t b = value_of(m, c, e->of[1]);
    switch (e->op) {
    case SG_EXPR_ADD:
        return a + b;
    case SG_EXPR_MUL:
        return a * b;
    case SG_EXPR_LT:
        return a < b;
    case SG_EXPR_GT:
        return a > b;
    case SG_EXPR_GE:
        return a >= b;
    case SG_EXPR_EQ:
        return a == b;
    case SG_EXPR_NE:
        return a != b;
    case SG_EXPR_AND:
        return b != 0;
    case SG_EXPR_SUB:
        if (a < b) {
            sg_execute_fail(m, "has a number below 0");
            return 0;
        }
        return a - b;
    default:
        if (b < 1) {
            sg_execute_fail(m, "divides by nothing");
            return 0;
        }
        return e->op == SG_EXPR_DIV ? a / b : a % b;
    }
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Whether an instruction is executed for all streams together. */
static bool is_together(const sg_insn *insn, bool combines)
{
    return combines ? insn->combines : sg_insn_is_run(insn) && insn->lines;
}

static bool has_combined(const sg_code *code)
{
    bool has = false;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        has = has || code->insns[i].combines;
    }
    return has;
}

/* Bits of the phases that this phase completes; an empty phase counts as done. 0 if the phase
 * itself is empty. */
static uint8_t bits_of(const sg_execution *m, sg_phase phase, bool combines)
{
    bool has[2] = {false, false};
    for (int64_t i = 0; phase != SG_PHASE_ALL && i < m->code->ninsns; ++i) {
        const sg_insn *insn = &m->code->insns[i];
        if (sg_insn_stores_vectors(insn) || sg_insn_is_run(insn)) {
            has[is_together(insn, combines) ? 0 : 1] = true;
        }
    }
    if (phase == SG_PHASE_ALL) {
        return BOTH;
    }
    const bool together = phase == SG_PHASE_TOGETHER;
    if (!has[together ? 0 : 1]) {
        return 0;
    }
    return !has[together ? 1 : 0] ? BOTH : together ? TOGETHER : OTHERS;
}

bool sg_executed_all(const sg_execution *m, int64_t first, int64_t last)
{
    bool all = first >= m->first && last <= m->last;
    for (int64_t row = first; all && row < last; ++row) {
        all = m->copied[row - m->first] == BOTH;
    }
    return all;
}

static void copy(sg_execution *m, int64_t row, int64_t rows, uint8_t bits)
{
    if (row < m->first || rows < 1 || row > m->last - rows) {
        sg_execute_fail(m, "copies rows that it is not to copy");
        return;
    }
    for (int64_t i = 0; i < rows; ++i) {
        m->copied[row - m->first + i] |= bits;
    }
    m->halves += bits == BOTH ? 2 * rows : bits != 0 ? rows : 0;
}

void sg_execute_copy(sg_execution *m, int64_t row, int64_t rows, sg_phase phase, bool combines)
{
    copy(m, row, rows, bits_of(m, phase, combines));
}

void sg_execute_look(sg_execution *m, int64_t row)
{
    if (m->begins >= 0 && m->v->vector_bytes > 0) {
        const int64_t stride = sg_map_written_stride(&m->plan->map);
        m->across += (m->begins + (row - m->first) * stride) % m->v->vector_bytes != 0;
    }
}

/* Copies all rows, by a function that is verified separately. */
static void copy_all(sg_execution *m)
{
    for (int64_t row = m->first; row < m->last; ++row) {
        copy(m, row, 1, BOTH);
    }
}

/* Writes must be combined in the order of rows. */
static void append(sg_execution *m, int64_t *next, int64_t row)
{
    if (*next != row) {
        sg_execute_fail(m, "combines writes of rows that do not come next");
    }
    *next = row + m->iteration;
}

/* All pointers of an iteration must be at the same row; those of outputs with write combining are
 * not used while writes are combined. */
static void check_pointers(sg_execution *m, pointers at, bool combines)
{
    if (at.in != at.plain || (!combines && at.in != at.combined)) {
        sg_execute_fail(m, "copies a row of the input to another one of the outputs");
    }
}

static unsigned bit(int number)
{
    return 1U << number;
}

/* Whether a way of storing fits the function's. */
static bool is_of_way(sg_store_mode store_mode, sg_storing storing)
{
    static const sg_storing storings[] = {[SG_STORE_ORDINARY] = SG_STORING_ORDINARY,
                                          [SG_STORE_NON_TEMPORAL] = SG_STORING_NON_TEMPORAL,
                                          [SG_STORE_COMBINED] = SG_STORING_COMBINED,
                                          [SG_STORE_COMBINED_NON_TEMPORAL] =
                                              SG_STORING_COMBINED_NON_TEMPORAL};
    return storing == storings[store_mode];
}

/* How a step's instructions store. Only a function that two others share has it as an argument. */
static sg_storing storing_of(sg_execution *m, const call *c, const sg_step *s)
{
    const bool given = s->storing == SG_STORING_GIVEN;
    const sg_storing storing = given ? c->given : s->storing;
    if (given != (c->f->role == SG_ROLE_COLUMN_GROUP_EITHER) ||
        !is_of_way(c->store_mode, storing)) {
        sg_execute_fail(m, "stores in another way than its own");
    }
    return storing;
}

/* Whether the instructions need the number of interleaved streams: long runs are divided into
 * streams. */
static bool asks_fronts(const sg_execution *m, sg_storing storing)
{
    bool asks = false;
    for (int64_t i = 0; storing == SG_STORING_NON_TEMPORAL && i < m->code->ninsns; ++i) {
        asks = asks || (sg_insn_is_run(&m->code->insns[i]) && m->code->insns[i].lines);
    }
    return asks;
}

static void run(sg_execution *m, call *c, const sg_step *s)
{
    const sg_storing storing = storing_of(m, c, s);
    const bool combines =
        storing == SG_STORING_COMBINED || storing == SG_STORING_COMBINED_NON_TEMPORAL;
    const bool non_temporal =
        storing == SG_STORING_NON_TEMPORAL || storing == SG_STORING_COMBINED_NON_TEMPORAL;
    m->unfenced = m->unfenced || non_temporal;
    m->stored = m->stored || c->store_mode == m->store_mode;
    if (asks_fronts(m, storing) && c->number[SG_NUMBER_STREAMS] == NOWHERE) {
        sg_execute_fail(m, "does not set the number of streams, which its instructions need");
    }
    check_pointers(m, c->at, combines);
    if (storing == SG_STORING_NON_TEMPORAL && (c->at.in - m->first) % m->line_rows != 0) {
        sg_execute_fail(m, "bypasses the cache where no line begins");
    }
    copy(m, c->at.in, m->iteration, BOTH);
    if (combines) {
        append(m, &c->next, c->at.in);
    }
}

/* --- steps ------------------------------------------------------------------------------------ */

static void execute(sg_execution *m, call *c, int64_t first, int64_t last);

bool sg_execute_takes_range(const sg_function *f)
{
    return f->role == SG_ROLE_ROWS || f->role == SG_ROLE_ROW_GROUPS ||
           f->role == SG_ROLE_PORTABLE || f->role == SG_ROLE_GROUPS ||
           f->role == SG_ROLE_DISPATCH || f->role == SG_ROLE_ANY || f->role == SG_ROLE_DESCRIPTOR ||
           f->role == SG_ROLE_APART;
}

/* Sets the arguments of a function: a first row and a number of rows, or of tiles of a block. */
static void give(sg_execution *m, const sg_function *f, call *to, int64_t first, int64_t count)
{
    const bool by_rows = f->role == SG_ROLE_COLUMN_GROUP_ROWS;
    if (sg_execute_takes_range(f)) {
        to->number[SG_NUMBER_FIRST] = first;
        to->number[SG_NUMBER_LAST] = count;
        return;
    }
    if (f->role == SG_ROLE_OPEN) {
        return;
    }
    if (m->plan->array_params) {
        to->number[by_rows ? SG_NUMBER_FIRST : SG_NUMBER_ROW] = first;
    } else {
        to->base += first;
    }
    to->number[by_rows ? SG_NUMBER_ROWS : SG_NUMBER_TILES] = count;
    if (f->role == SG_ROLE_BLOCK && count > m->v->block_rows / m->iteration) {
        sg_execute_fail(m, "takes more rows than a block has");
    }
}

/* Executes a function from a row on. The pointers are at that row, or, if outputs are an array, the
 * row is a number. Entry points use their pointer arguments directly. */
static void enter(sg_execution *m, const sg_function *f, call to, int64_t first, int64_t count)
{
    to.f = f;
    to.next = NOWHERE;
    give(m, f, &to, first, count);
    if (f->body == SG_CHOICE_PORTABLE && f->role != SG_ROLE_PORTABLE) {
        to.at = (pointers){to.base, to.base, to.base};
    }
    ++m->depth;
    execute(m, &to, 0, f->nsteps);
    --m->depth;
    if (to.next != NOWHERE) {
        sg_execute_fail(m, "keeps what it combined");
    }
}

/* A call without values for numbers and pointers. */
static call begin_call(void)
{
    call c = {.at = NO_POINTERS};
    for (int i = 0; i < SG_NUMBER_COUNT; ++i) {
        c.number[i] = NOWHERE;
    }
    return c;
}

/* Whether a function may call another one: one of its own body, or if it has no body, of the
 * portable one; for one kind of column group, only that for the checked code. The callee stores in
 * the same way, or, if it does not copy `all` rows, by ordinary stores. */
static bool may_call(const sg_execution *m, const sg_function *from, const sg_function *to,
                     bool all)
{
#define BY(role) (1U << SG_ROLE_##role)
    static const struct {
        bool of_body;
        unsigned by; /* a bit for each caller's role */
    } called[SG_ROLE_COUNT] = {[SG_ROLE_ROWS] = {false, BY(ROWS) | BY(ROW_GROUPS)},
                               [SG_ROLE_BLOCK] = {false, BY(ROWS)},
                               [SG_ROLE_COLUMN_GROUP] = {true, BY(BLOCK) | BY(COLUMN_GROUP_ROWS)},
                               [SG_ROLE_COLUMN_GROUP_EITHER] = {true, BY(COLUMN_GROUP)},
                               [SG_ROLE_COLUMN_GROUP_ROWS] = {true, BY(ROWS)},
                               [SG_ROLE_GROUPS] = {false, BY(DISPATCH)},
                               [SG_ROLE_ANY] = {false, BY(OPEN) | BY(APART)},
                               [SG_ROLE_PORTABLE] = {false, BY(ANY) | BY(OPEN) | BY(APART)},
                               [SG_ROLE_APART] = {false, BY(OPEN)}};
#undef BY
    const int64_t portable =
        m->plan->bits != NULL ? m->plan->bits->nbodies - 1 : SG_CHOICE_PORTABLE;
    const int64_t body = from->body == SG_CHOICE_PORTABLE ? portable : from->body;
    const bool skips_choices =
        to->role == SG_ROLE_PORTABLE && from->role != SG_ROLE_ANY && m->plan->nchoices > 1;
    return to != from && to->body == body && !skips_choices &&
           (called[to->role].by >> from->role & 1) != 0 &&
           (to->store_mode == from->store_mode || (to->store_mode == SG_STORE_ORDINARY && !all)) &&
           (!called[to->role].of_body || to->code == m->code - m->v->codes);
}

/* Calls the function for any rows, which is executed separately; it must get all rows. */
static void call_any(sg_execution *m, int64_t first, int64_t last, int64_t scale)
{
    if (m->called || first != 0 || (scale > 0 && last != m->rows) || scale != m->scale) {
        sg_execute_fail(m, "has other rows copied than all");
    }
    m->called = true;
    if (m->rows == m->last) {
        copy_all(m);
    }
}

/* The offset in bytes of a row of a tensor, by the strides of its dimensions. */
static int64_t begin_of(const sg_plan *plan, const int64_t *strides, int64_t row_stride,
                        int64_t row)
{
    const sg_split *split = plan->split;
    int64_t at = strides == NULL ? row * row_stride : 0;
    for (int d = split->axis - 1; strides != NULL && d >= 0; --d) {
        const bool last = d == 0; /* its length may be dynamic */
        at += (last ? row : row % split->dims[d]) * strides[d];
        row = last ? 0 : row / split->dims[d];
    }
    /* always whole bytes */
    return split->packing == SG_PACKING_NONE ? at * split->element_bytes
                                             : at * split->element_bits / 8;
}

/* Checks a call for the rows of one group: with the pointers' shifts, row `at` of the callee, which
 * knows only one stride, must be row `first`, and so on to `end`. */
static void call_group(sg_execution *m, int64_t first, int64_t end, int64_t at)
{
    const sg_plan *plan = m->plan;
    const sg_map *map = &plan->map;
    if (first != m->next || end <= first || end > m->last) {
        sg_execute_fail(m, "leaves rows out, or copies others");
        return;
    }
    m->next = end;
    for (int64_t p = SG_WHOLE; p < map->nparts; ++p) {
        const sg_part *part = p == SG_WHOLE ? NULL : plan->outputs[map->parts[p].tensor].part;
        const int64_t *strides = part != NULL ? part->strides : plan->split->strides;
        const int64_t elements = part != NULL ? part->row_stride : plan->split->row_stride;
        const int64_t shift = m->shifts[p == SG_WHOLE ? map->nparts : p];
        const int64_t stride = sg_map_stride(map, p);
        const int64_t rows[] = {first, first + (end - first) / 2, end - 1};
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
            if (begin_of(plan, strides, elements, rows[i]) !=
                shift + (at + rows[i] - first) * stride) {
                sg_execute_fail(m, "takes rows of another place");
            }
        }
    }
}

/* The same for all functions for several groups, or only for the first group. */
static void call_groups(sg_execution *m, call *from, const sg_step *s, int64_t first, int64_t end)
{
    const sg_plan *plan = m->plan;
    const size_t bytes = (size_t)(plan->map.nparts + 1) * sizeof *m->shifts;
    call_group(m, first, end, first);
    if (s->is_bool) {
        const int64_t groups =
            value_of(m, from, &(sg_expr){.op = SG_EXPR_NUMBER, .number = SG_NUMBER_GROUPS});
        from->number[SG_NUMBER_DONE] = m->takes_groups ? groups : 1;
        memcpy(m->held, m->shifts, bytes);
        for (int64_t i = 0; m->takes_groups && m->flaw == NULL && i < plan->nfunctions; ++i) {
            if (plan->functions[i].role == SG_ROLE_ROW_GROUPS) {
                call to = begin_call();
                to.number[SG_NUMBER_GROUPS] = groups;
                m->next = first;
                enter(m, &plan->functions[i], to, first, end);
                if (m->next != first + groups * (end - first)) {
                    sg_execute_fail(m, "leaves groups out");
                }
            }
        }
    }
    memset(m->shifts, 0, bytes);
}

static void call_function(sg_execution *m, call *from, const sg_step *s, int64_t number)
{
    const bool is = number >= 0 && number < m->plan->nfunctions && m->depth < CALLS_MAX;
    const sg_function *f = is ? &m->plan->functions[number] : NULL;
    const bool all = s->kind == SG_STEP_COLUMN_GROUPS || from->f->role == SG_ROLE_ROW_GROUPS;
    if (f == NULL || !may_call(m, from->f, f, all)) {
        sg_execute_fail(m, "calls a function that is not for it");
        return;
    }
    const int64_t first = value_of(m, from, s->value);
    const int64_t count = value_of(m, from, s->count);
    if (from->f->role == SG_ROLE_APART) {
        call_groups(m, from, s, first, count);
        return;
    }
    if (from->f->role == SG_ROLE_ROW_GROUPS) { /* its callee is executed separately */
        call_group(m, m->next, m->next + count - first, first);
        memcpy(m->shifts, m->held, (size_t)(m->plan->map.nparts + 1) * sizeof *m->shifts);
        return;
    }
    if (f->role == SG_ROLE_ANY || f->role == SG_ROLE_APART || from->f->role == SG_ROLE_OPEN) {
        if (m->plan->map.ngroups > 0 && f->role != SG_ROLE_APART) {
            sg_execute_fail(m, "has rows copied as if no gaps lay between groups of them");
        }
        call_any(m, first, count, m->plan->map.scales ? value_of(m, from, s->by) : m->scale);
        return;
    }
    call to = begin_call();
    to.store_mode = f->role == SG_ROLE_COLUMN_GROUP_EITHER ? from->store_mode : f->store_mode;
    to.given = s->storing;
    to.base = from->base;
    if (f->role != SG_ROLE_ROWS) {
        to.at.in = from->at.in + ((s->points & SG_POINTS_INPUT) != 0 ? first : 0);
    }
    enter(m, f, to, first, count);
}

/* Shifts one pointer for the next call. */
static void shift(sg_execution *m, const sg_step *s, int64_t elements)
{
    const sg_map *map = &m->plan->map;
    if (m->shifts == NULL || s->part < SG_WHOLE || s->part >= map->nparts) {
        sg_execute_fail(m, "shifts what is no tensor of it");
        return;
    }
    m->shifts[s->part == SG_WHOLE ? map->nparts : s->part] += elements * map->element;
}

/* Calls only the function for the code that is checked. */
static void call_column_groups(sg_execution *m, call *c, const sg_step *s)
{
    call_function(m, c, s, s->functions[m->code - m->v->codes]);
}

/* Sets the pointers that the step names to a row, or moves them by rows. The input pointer of a
 * column group may be inside a row, so it must not move past the last row. */
static void point(sg_execution *m, call *c, pointers *at, const sg_step *s, int64_t row)
{
    const bool moves = s->kind == SG_STEP_ADVANCE;
    const sg_function_role role = c->f->role;
    const bool within = role == SG_ROLE_COLUMN_GROUP || role == SG_ROLE_COLUMN_GROUP_EITHER ||
                        role == SG_ROLE_COLUMN_GROUP_ROWS;
    const sg_bits *bits = m->plan->bits;
    const bool rests = bits != NULL && bits->tail.rows > 0 && m->last > bits->groups;
    const int64_t end =
        rests ? bits->groups : m->last; /* the rows after the groups are less than a group */
    int64_t *const all[] = {&at->in, &at->plain, &at->combined};
    for (int i = 0; i < 3; ++i) {
        if ((s->points & bit(i)) != 0) {
            const bool is = !moves || *all[i] != NOWHERE;
            *all[i] = moves ? *all[i] + row : row;
            if (!is || *all[i] < 0 || *all[i] > end - (within && i == 0)) {
                sg_execute_fail(m, "points outside the rows");
            }
        }
    }
}

/* Begins write combining, which reads the cache line that the prologue rows have begun. */
static void load_combiners(sg_execution *m, call *c)
{
    const int64_t row = c->at.combined;
    if (!c->combiners) {
        sg_execute_fail(m, "combines writes by what it does not have");
    }
    if (!sg_executed_all(m, row - m->v->prologue_rows, row)) {
        sg_execute_fail(m, "combines writes behind rows that are not copied");
    }
    if (c->store_mode == SG_STORE_COMBINED_NON_TEMPORAL && has_combined(m->code) &&
        c->number[SG_NUMBER_STREAMS] == NOWHERE) {
        sg_execute_fail(m, "does not set the number of streams, which its instructions need");
    }
    c->next = row;
}

static void flush_combiners(sg_execution *m, call *c)
{
    if (c->next == NOWHERE) {
        sg_execute_fail(m, "ends to combine writes where it did not begin");
    }
    c->next = NOWHERE;
}

/* Copies rows by the portable program when no body is used. */
static void copy_portable(sg_execution *m, const call *c, int64_t behind, int64_t rows)
{
    check_pointers(m, c->at, false);
    if (m->plan->map.scales && c->number[SG_NUMBER_SCALE] != m->scale) {
        sg_execute_fail(m, "copies rows of another length");
    }
    copy(m, c->at.in + behind, rows, BOTH);
}

/* Copies a group by words, or the rows after all groups. With an array of outputs the step has the
 * group's number. */
static void copy_words(sg_execution *m, const call *c, const sg_step *s, int64_t group)
{
    if (!m->plan->array_params) {
        check_pointers(m, c->at, false);
    }
    if (c->at.in != group || (s->kind == SG_STEP_REST && group != m->plan->bits->groups)) {
        sg_execute_fail(m, "copies a row of the input to another one of the outputs");
    }
    if (s->kind == SG_STEP_GROUP && m->plan->split->nopen == 0 && group >= m->plan->bits->groups) {
        sg_execute_fail(m, "takes rows for a group that are none");
    }
    copy(m, group, 1, BOTH);
}

static void add(sg_execution *m, call *c, sg_number number, int64_t value)
{
    if (c->number[number] == NOWHERE) {
        sg_execute_fail(m, "has no number");
    }
    c->number[number] += value;
}

static void execute_one(sg_execution *m, call *c, const sg_step *s)
{
    switch (s->kind) {
    case SG_STEP_LET:
    case SG_STEP_VAR:
    case SG_STEP_SET:
        c->number[s->number] = value_of(m, c, s->value);
        break;
    case SG_STEP_ADD:
        add(m, c, s->number, value_of(m, c, s->value));
        break;
    case SG_STEP_BREAK:
        c->breaks = true;
        break;
    case SG_STEP_RETURN:
        c->returns = true;
        break;
    case SG_STEP_POINTERS:
        point(m, c, &c->at, s, c->base + value_of(m, c, s->value));
        break;
    case SG_STEP_ADVANCE:
        point(m, c, &c->at, s, value_of(m, c, s->value));
        break;
    case SG_STEP_SHIFT:
        shift(m, s, value_of(m, c, s->value));
        break;
    case SG_STEP_RUN:
        run(m, c, s);
        break;
    case SG_STEP_TAIL:
        copy_portable(m, c, c->number[s->number], s->count != NULL ? value_of(m, c, s->count) : 1);
        break;
    case SG_STEP_DISPATCH:
        if (m->plan->bits == NULL && c->number[SG_NUMBER_ROWS] == NOWHERE) {
            sg_execute_fail(m, "chooses by rows that it has not counted");
        }
        m->chose = true;
        break;
    case SG_STEP_ITERATION:
        copy_portable(m, c, c->number[s->number], m->plan->iteration.rows);
        break;
    case SG_STEP_GROUP:
        copy_words(m, c, s, c->number[s->number]);
        break;
    case SG_STEP_REST:
        copy_words(m, c, s, value_of(m, c, s->value));
        break;
    case SG_STEP_CALL:
        call_function(m, c, s, s->function);
        break;
    case SG_STEP_COLUMN_GROUPS:
        call_column_groups(m, c, s);
        break;
    case SG_STEP_DECLARE_COMBINERS:
        c->combiners = true;
        break;
    case SG_STEP_LOAD_COMBINERS:
        load_combiners(m, c);
        break;
    case SG_STEP_FLUSH_COMBINERS:
        flush_combiners(m, c);
        break;
    case SG_STEP_COUNT_STREAMS:
        c->number[SG_NUMBER_STREAMS] = m->parts;
        break;
    case SG_STEP_FENCE:
        m->unfenced = false;
        break;
    default: /* steps that copy nothing */
        break;
    }
}

/* Ends the scope of variables that are declared in a block. */
static void forget(call *c, int64_t first, int64_t last)
{
    for (int64_t at = first; at < last; ++at) {
        const sg_step *s = &c->f->steps[at];
        const bool begins = s->kind == SG_STEP_LOOP && s->value != NULL;
        if (s->kind == SG_STEP_LET || s->kind == SG_STEP_VAR || begins) {
            c->number[s->number] = NOWHERE;
        }
    }
}

static void loop(sg_execution *m, call *c, const sg_step *s, int64_t code)
{
    if (s->value != NULL) {
        c->number[s->number] = value_of(m, c, s->value);
    }
    while (m->flaw == NULL && (s->condition == NULL || value_of(m, c, s->condition) != 0)) {
        execute(m, c, code, s->end);
        if (c->breaks || c->returns) {
            c->breaks = false;
            break;
        }
        if (s->by != NULL) {
            add(m, c, s->number, value_of(m, c, s->by));
        }
    }
}

/* Executes a block if its condition holds; returns the step after it. */
static int64_t choose(sg_execution *m, call *c, int64_t at)
{
    const sg_step *s = &c->f->steps[at];
    if (value_of(m, c, s->condition) != 0) {
        execute(m, c, at + 1, s->end);
        forget(c, at + 1, s->end);
    }
    return s->end + 1;
}

static void execute(sg_execution *m, call *c, int64_t first, int64_t last)
{
    for (int64_t at = first; at < last && m->flaw == NULL && !c->breaks && !c->returns;) {
        const sg_step *s = &c->f->steps[at];
        if (++m->steps > STEPS_MAX) {
            sg_execute_fail(m, "does not end");
        } else if (s->kind == SG_STEP_LOOP) {
            loop(m, c, s, at + 1);
            forget(c, at, s->end);
            at = s->end + 1;
        } else if (s->kind == SG_STEP_IF) {
            at = choose(m, c, at);
        } else {
            execute_one(m, c, s);
            ++at;
        }
    }
}

void sg_execute(sg_execution *m, const sg_function *f, int64_t first, int64_t count)
{
    call to = begin_call();
    to.number[SG_NUMBER_SCALE] =
        f->role == SG_ROLE_PORTABLE && m->plan->map.scales ? m->scale : NOWHERE;
    to.store_mode = f->store_mode;
    enter(m, f, to, first, count);
}
