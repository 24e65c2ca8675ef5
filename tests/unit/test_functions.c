/* Breaks the functions around loop bodies, every step of every function in every way, and checks
 * that the proof finds every fault. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "plan/bits/bit_program.h"
#include "plan/functions/function.h"
#include "plan/plan.h"
#include "plan/report/dump_functions.h"
#include "plan/verify/verify.h"
#include "plan/verify/verify_functions.h"
#include "plan_fixture.h"

#define MOST_OUTPUTS 300
#define MOST_LENGTHS 4

/* A split of a matrix; its outputs have the widths in `lengths`. */
typedef struct sample {
    sg_dtype dtype;
    int64_t rows;
    bool is_open; /* whether the rows are open; then these are the expected ones */
    bool scales;  /* whether a dimension after the columns is open, too */
    int64_t outputs;
    int64_t lengths[MOST_LENGTHS]; /* up to a 0 */
    uint32_t isas;
    sg_uarch tune;
    sg_packing packing;
    sg_optimize optimize;
    int64_t groups; /* groups of rows with padding between the groups; 0: none */
} sample;

#define ISA(name) (UINT32_C(1) << SG_ISA_##name)
#define X86       (ISA(AVX512VBMI) | ISA(AVX2BYTE))
#define ALL_ISAS  ((UINT32_C(1) << SG_ISA_COUNT) - 1)

static const sample samples[] = {
    {SG_DTYPE_U8, 2073600, false, false, 3, {1}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 4096, true, false, 3, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 100000, false, false, 3, {1000, 5, 256}, ALL_ISAS, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_F32, 1000, false, false, 2, {100000, 65536}, ALL_ISAS, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 4, false, false, 1, {100000}, ALL_ISAS, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 100000, false, false, 257, {1}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 4096, false, false, 16, {256}, ISA(AVX512), SG_UARCH_ZEN4, 0, 0, 0},
    {SG_DTYPE_U8, 4096, false, false, 96, {324}, ISA(AVX512), SG_UARCH_ZEN4, 0, 0, 0},
    {SG_DTYPE_U16, 300, true, true, 3, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U16, 300, false, true, 40, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U4,
     3000001,
     false,
     false,
     2,
     {3, 4},
     ALL_ISAS,
     SG_UARCH_GENERIC,
     SG_PACKING_LSB,
     0,
     0},
    {SG_DTYPE_U4, 2000, false, false, 40, {3, 4}, ALL_ISAS, SG_UARCH_GENERIC, SG_PACKING_MSB, 0, 0},
    {SG_DTYPE_U8, 4, false, false, 3, {3, 5, 4}, 0, SG_UARCH_GENERIC, 0, 0, 0},
    {SG_DTYPE_U8, 1000, false, false, 3, {3, 5, 4}, 0, SG_UARCH_GENERIC, 0, SG_OPTIMIZE_SIZE, 0},
    {SG_DTYPE_U8, 1000, false, false, 40, {3, 5, 4}, 0, SG_UARCH_GENERIC, 0, SG_OPTIMIZE_SIZE, 0},
    {SG_DTYPE_U8, 4096, false, false, 3, {3, 5, 4}, X86, SG_UARCH_GENERIC, 0, 0, 4},
};

#define SAMPLES (sizeof samples / sizeof samples[0])

/* Elements of 4 bits without padding. */
static void pack(sg_split *split, sg_packing packing)
{
    split->packing = packing;
    split->element_bytes = split->align = 1;
    split->bytes = (split->elements + 1) / 2;
    for (int64_t i = 0; i < split->nparts; ++i) {
        split->parts[i].bytes = (split->parts[i].elements + 1) / 2;
    }
}

/* The same rows in groups, with 24 elements between the end of one and the start of the next. */
static sg_split *make_groups(fixture *f, const sample *s, const int64_t *lengths)
{
    int64_t width = 0;
    for (int64_t i = 0; lengths[i] != -1; ++i) {
        width += lengths[i];
    }
    const int64_t rows = s->rows / s->groups;
    const int64_t dims[] = {s->groups, rows, width};
    sg_split *split = make_split(&f->arena, s->dtype, dims, 3, 2, lengths);
    split->strides = SG_NEW_ARRAY(&f->arena, int64_t, 3);
    split->strides[0] = rows * width + 24;
    split->strides[1] = width;
    split->strides[2] = 1;
    return split;
}

static sg_plan *plan_of(fixture *f, const sample *s)
{
    int64_t lengths[MOST_OUTPUTS + 1];
    int64_t period = 0;
    while (period < MOST_LENGTHS && s->lengths[period] != 0) {
        ++period;
    }
    for (int64_t i = 0; i < s->outputs; ++i) {
        lengths[i] = s->lengths[i % period];
    }
    lengths[s->outputs] = -1;
    sg_split *split =
        s->groups > 0 ? make_groups(f, s, lengths)
                      : make_matrix_split(&f->arena, s->dtype, s->is_open ? 1 : s->rows, lengths);
    if (s->packing != SG_PACKING_NONE) {
        pack(split, s->packing);
    }
    if (s->is_open) {
        open_split(&f->arena, split, 0, s->rows);
    }
    if (s->scales) {
        scale_split(&f->arena, split);
    }
    sg_plan *plan = sg_plan_build(
        &f->arena, &f->diag, split,
        &(sg_plan_options){.isas = s->isas, .tune = s->tune, .optimize = s->optimize});
    if (plan == NULL) {
        fail_msg("no plan for %d outputs of %d rows, packing %d", (int)s->outputs, (int)s->rows,
                 (int)s->packing);
    }
    return plan;
}

/* --- mutants ---------------------------------------------------------------------------------- */

/* The kinds of faults. */
#define MUTANTS(M)                                                                                 \
    M(LITERAL, "literals one more or less")                                                        \
    M(OPERATOR, "operators swapped")                                                               \
    M(NUMBER, "numbers taken for others")                                                          \
    M(CONDITION, "conditions dropped")                                                             \
    M(POINTS, "pointers left out")                                                                 \
    M(STORING, "stores of another kind")                                                           \
    M(REMOVED, "steps removed")                                                                    \
    M(CALLEE, "other functions called")                                                            \
    M(LOOP, "wrong calls of loops")

typedef enum mutant {
#define MUTANT(id, name) MUTANT_##id,
    MUTANTS(MUTANT)
#undef MUTANT
        MUTANT_COUNT
} mutant;

static const char *const mutant_names[] = {
#define MUTANT(id, name) name,
    MUTANTS(MUTANT)
#undef MUTANT
};

/* One broken step of one function, in an otherwise right plan. */
typedef struct breaking {
    sg_plan *plan;
    const sg_function *function;
    sg_step *step;
    const sg_step *whole; /* the original step */
    int made[MUTANT_COUNT];
    int equal[MUTANT_COUNT]; /* mutants that are harmless by the rules above */
    int missed;
} breaking;

/* Whether the proof finds a flaw if every choice requires `more` additional rows. */
static bool is_found(const breaking *b, int64_t more)
{
    sg_plan plan = *b->plan;
    sg_arena arena;
    sg_arena_init(&arena);
    plan.choices = SG_NEW_ARRAY(&arena, sg_choice, b->plan->nchoices);
    plan.nchoices = 0;
    for (int64_t i = 0; i < b->plan->nchoices; ++i) {
        if (b->plan->bits != NULL || b->function->body == SG_CHOICE_PORTABLE ||
            b->plan->choices[i].body == b->function->body) {
            plan.choices[plan.nchoices] = b->plan->choices[i];
            plan.choices[plan.nchoices++].rows += more;
        }
    }
    const bool found = sg_verify_functions(&arena, &plan) != NULL;
    sg_arena_free(&arena);
    return found;
}

/* The body that a function belongs to; NULL: none, or words over bits. */
static const sg_body *body_of(const sg_plan *plan, const sg_function *f)
{
    return plan->bits == NULL && f->body != SG_CHOICE_PORTABLE ? &plan->bodies[f->body] : NULL;
}

/* Whether calls with more rows than the proof tries go wrong. */
static bool is_wrong_elsewhere(const breaking *b)
{
    const sg_body *v = body_of(b->plan, b->function);
    if (v == NULL) { /* over bits, the table's condition is not what the call needs */
        return false;
    }
    return is_found(b, v->rows_per_iteration) || is_found(b, 3 * v->block_rows + 1) ||
           is_found(b, 5 * v->stream_iterations * v->rows_per_iteration);
}

static bool is_block(sg_step_kind kind)
{
    return kind == SG_STEP_LOOP || kind == SG_STEP_IF || kind == SG_STEP_END;
}

/* Whether no call reaches this step: then even a step that is always wrong is not found. */
static bool is_never_reached(const breaking *b)
{
    const sg_step broken = *b->step;
    *b->step = *b->whole;
    b->step->kind = SG_STEP_SET;
    b->step->value = NULL;
    const bool never = !is_found(b, 0);
    *b->step = broken;
    return never;
}

/* Prints the step before and after the change. */
static void show(const breaking *b, mutant kind)
{
    sg_buf out = {0};
    sg_plan one = *b->plan;
    sg_function f = *b->function;
    sg_step steps[2] = {*b->whole, *b->step};
    f.steps = steps;
    f.nsteps = 2;
    one.functions = &f;
    one.nfunctions = 1;
    sg_dump_functions(&out, &one);
    print_message("not found: %s, step %d:\n%s", mutant_names[kind],
                  (int)(b->step - b->function->steps), out.ptr);
    sg_buf_free(&out);
}

/* note [what is no fault]
 * Prefetches copy no bytes, and a step that no call reaches does nothing. A value or a condition
 * may differ if every call is still right: it copies its rows, none twice, with the right kind
 * of store. The same holds for the bound between two ways to copy the remaining rows, and for
 * the number of interleaved streams; such calls are tried for more rows than the proof tries. */
static bool is_no_fault(const breaking *b, mutant kind)
{
    const sg_step *s = b->whole;
    switch (kind) {
    case MUTANT_REMOVED:
        return s->kind == SG_STEP_PREFETCH_BLOCK ||
               (b->plan->bits != NULL && s->kind == SG_STEP_RETURN &&
                b->plan->bits->tail.rows == 0);
    case MUTANT_LITERAL:
    case MUTANT_OPERATOR:
    case MUTANT_NUMBER:
    case MUTANT_CONDITION:
        return !is_wrong_elsewhere(b);
    default:
        return false;
    }
}

static void try_mutant(breaking *b, mutant kind)
{
    ++b->made[kind];
    if (is_found(b, 0)) {
        return;
    }
    if ((!is_block(b->whole->kind) && is_never_reached(b)) || is_no_fault(b, kind)) {
        ++b->equal[kind];
        return;
    }
    ++b->missed;
    show(b, kind);
}

/* --- expressions ------------------------------------------------------------------------------ */

static bool is_one_of(sg_expr_op op, const sg_expr_op *ops, int count)
{
    bool is = false;
    for (int i = 0; i < count; ++i) {
        is = is || ops[i] == op;
    }
    return is;
}

/* Every other operator that an engineer could have meant. */
static void break_operator(breaking *b, sg_expr *e)
{
    static const sg_expr_op kin[][5] = {
        {SG_EXPR_LT, SG_EXPR_GT, SG_EXPR_GE, SG_EXPR_EQ, SG_EXPR_NE},
        {SG_EXPR_ADD, SG_EXPR_SUB, SG_EXPR_MUL, SG_EXPR_DIV, SG_EXPR_REM}};
    const sg_expr_op op = e->op;
    for (int k = 0; k < 2; ++k) {
        for (int i = 0; is_one_of(op, kin[k], 5) && i < 5; ++i) {
            if (kin[k][i] != op) {
                e->op = kin[k][i];
                try_mutant(b, MUTANT_OPERATOR);
            }
        }
    }
    e->op = op;
}

static bool uses(const sg_function *f, sg_number number)
{
    bool is = false;
    for (int64_t i = 0; i < f->nsteps; ++i) {
        is = is || f->steps[i].number == number;
    }
    return is;
}

static void break_number(breaking *b, sg_number *number)
{
    const sg_number right = *number;
    for (int n = 0; n < SG_NUMBER_COUNT; ++n) {
        if (n != (int)right && uses(b->function, (sg_number)n)) {
            *number = (sg_number)n;
            try_mutant(b, MUTANT_NUMBER);
        }
    }
    *number = right;
}

/* Breaks an operand and all its operands; a copy replaces the expressions on the path to it. */
static void break_expr(breaking *b, const sg_expr **place)
{
    const sg_expr *right = *place;
    if (right == NULL) {
        return;
    }
    sg_expr e = *right;
    *place = &e;
    if (e.op == SG_EXPR_LITERAL) {
        e.literal = right->literal + 1;
        try_mutant(b, MUTANT_LITERAL);
        e.literal = right->literal - 1;
        if (right->literal > 0) {
            try_mutant(b, MUTANT_LITERAL);
        }
    } else if (e.op == SG_EXPR_NUMBER || e.op == SG_EXPR_DECREMENT) {
        break_number(b, &e.number);
    } else if (e.op == SG_EXPR_SELECT || e.op == SG_EXPR_AND) {
        for (int i = e.op == SG_EXPR_AND ? 0 : 1; i < 3 && e.of[i] != NULL; ++i) {
            *place = e.of[i];
            try_mutant(b, MUTANT_CONDITION);
        }
        *place = &e;
    } else {
        break_operator(b, &e);
    }
    for (int i = 0; i < 3; ++i) {
        break_expr(b, &e.of[i]);
    }
    *place = right;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* A block that always runs, and one that never runs. */
static void break_block(breaking *b)
{
    static const sg_expr always = {.op = SG_EXPR_LITERAL, .literal = 1};
    static const sg_expr never = {.op = SG_EXPR_LITERAL, .literal = 0};
    sg_step *s = b->step;
    s->condition = &never;
    try_mutant(b, MUTANT_CONDITION);
    if (b->whole->condition != NULL) {
        s->condition = &always;
        try_mutant(b, MUTANT_CONDITION);
    }
    *s = *b->whole;
    if (s->by != NULL) {
        s->by = NULL;
        try_mutant(b, MUTANT_REMOVED);
    }
    *s = *b->whole;
}

static void break_callee(breaking *b, int64_t *callee)
{
    const int64_t right = *callee;
    for (int64_t i = -1; i <= b->plan->nfunctions; ++i) {
        if (i != right) {
            *callee = i;
            try_mutant(b, MUTANT_CALLEE);
        }
    }
    *callee = right;
}

static void break_points(breaking *b)
{
    for (unsigned bit = 1; bit <= SG_POINTS_COMBINED; bit *= 2) {
        if ((b->whole->points & bit) != 0) {
            b->step->points = b->whole->points & ~bit;
            try_mutant(b, MUTANT_POINTS);
        }
    }
    *b->step = *b->whole;
}

static void break_storing(breaking *b)
{
    for (int i = SG_STORING_ORDINARY; i <= SG_STORING_GIVEN; ++i) {
        if (i != (int)b->whole->storing) {
            b->step->storing = (sg_storing)i;
            try_mutant(b, MUTANT_STORING);
        }
    }
    *b->step = *b->whole;
}

static bool names_number(sg_step_kind kind)
{
    static const sg_step_kind kinds[] = {SG_STEP_LET, SG_STEP_VAR, SG_STEP_SET, SG_STEP_ADD,
                                         SG_STEP_TAIL};
    bool is = false;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i) {
        is = is || kinds[i] == kind;
    }
    return is;
}

static void break_step(breaking *b)
{
    sg_step *s = b->step;
    break_expr(b, &s->value);
    break_expr(b, &s->count);
    break_expr(b, &s->condition);
    break_expr(b, &s->by);
    break_points(b);
    if (is_block(s->kind) && s->kind != SG_STEP_END) {
        break_block(b);
    } else if (s->kind != SG_STEP_BLANK && s->kind != SG_STEP_END) {
        s->kind = SG_STEP_BLANK;
        try_mutant(b, MUTANT_REMOVED);
        *s = *b->whole;
    }
    if (names_number(s->kind) || (is_block(s->kind) && s->value != NULL)) {
        break_number(b, &s->number);
    }
    if (s->kind == SG_STEP_RUN) {
        break_storing(b);
    }
    if (s->kind == SG_STEP_CALL) {
        if (b->plan->functions[s->function].role == SG_ROLE_COLUMN_GROUP_EITHER) {
            break_storing(b);
        }
        break_callee(b, &s->function);
    }
    for (int64_t i = 0;
         s->kind == SG_STEP_COLUMN_GROUPS && i < body_of(b->plan, b->function)->ncodes; ++i) {
        break_callee(b, &s->functions[i]);
    }
}

/* --- loops ------------------------------------------------------------------------------------ */

static void try_loop(breaking *b, const sg_loop_call *right)
{
    const sg_loop_call *wrong = &b->function->loop;
    ++b->made[MUTANT_LOOP];
    if (!is_found(b, 0)) {
        ++b->missed;
        print_message("not found: a call of %s in place of one of %s\n", sg_loop_name(wrong->loop),
                      sg_loop_name(right->loop));
    }
}

static void break_number_of_loop(breaking *b, const sg_loop_call *right, int64_t *number)
{
    const int64_t whole = *number;
    const int64_t wrong[] = {whole + 1, whole - 1, 2 * whole};
    for (size_t i = 0; whole > 0 && i < sizeof wrong / sizeof wrong[0]; ++i) {
        *number = wrong[i];
        try_loop(b, right);
    }
    *number = whole;
}

/* The kind of store of a loop. */
static sg_store_mode way_of(sg_loop loop)
{
    return loop >= SG_LOOP_TILES_COMBINED_STREAMED ? SG_STORE_COMBINED_NON_TEMPORAL
           : loop == SG_LOOP_TILES_COMBINED        ? SG_STORE_COMBINED
           : loop >= SG_LOOP_TILES_STREAMED        ? SG_STORE_NON_TEMPORAL
                                                   : SG_STORE_ORDINARY;
}

/* Every number in a call of a loop, and loops with another kind of store. Prefetch arguments may
 * be anything. */
static void break_loop(breaking *b, sg_loop_call *call)
{
    const sg_loop_call right = *call;
    if (right.loop == SG_LOOP_NONE) {
        return;
    }
    int64_t *const numbers[] = {&call->rows,   &call->tiles, &call->most,    &call->bytes,
                                &call->vector, &call->turn,  &call->prologue};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; ++i) {
        break_number_of_loop(b, &right, numbers[i]);
    }
    for (int other = SG_LOOP_NONE + 1; other < SG_LOOP_COUNT; ++other) {
        if (way_of((sg_loop)other) != way_of(right.loop)) {
            call->loop = (sg_loop)other;
            try_loop(b, &right);
        }
    }
    *call = right;
}

static void break_plan(breaking *b, sg_plan *plan)
{
    b->plan = plan;
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        b->function = &plan->functions[i];
        break_loop(b, &plan->functions[i].loop);
        for (int64_t s = 0; s < b->function->nsteps; ++s) {
            const sg_step whole = b->function->steps[s];
            b->whole = &whole;
            b->step = &b->function->steps[s];
            break_step(b);
        }
    }
}

/* --- tests ------------------------------------------------------------------------------------ */

/* Everything that the functions of all samples contain. */
typedef struct seen {
    bool ways[SG_STORE_COMBINED_NON_TEMPORAL + 1];
    bool roles[SG_ROLE_COUNT];
    bool steps[SG_STEP_COUNT];
    bool loops[SG_LOOP_COUNT];
    bool by_offset;
    bool two_windows; /* in a register */
    bool open;        /* rows */
} seen;

static void see(seen *all, const sg_plan *plan)
{
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        const sg_body *v = body_of(plan, f);
        all->ways[f->store_mode] = true;
        all->roles[f->role] = true;
        all->loops[f->loop.loop] = true;
        all->by_offset = all->by_offset || f->by_offset;
        all->two_windows = all->two_windows || (v != NULL && v->isa->tiles == 2);
        for (int64_t s = 0; s < f->nsteps; ++s) {
            all->steps[f->steps[s].kind] = true;
        }
    }
    all->open = all->open || plan->split->nopen > 0;
}

static void samples_have_everything(void **state)
{
    fixture *f = *state;
    seen all = {0};
    for (size_t i = 0; i < SAMPLES; ++i) {
        see(&all, plan_of(f, &samples[i]));
    }
    for (int i = 0; i <= SG_STORE_COMBINED_NON_TEMPORAL; ++i) {
        assert_true(all.ways[i]);
    }
    for (int i = 0; i < SG_ROLE_COUNT; ++i) {
        assert_true(all.roles[i]);
    }
    for (int i = 0; i < SG_STEP_COUNT; ++i) {
        if (!all.steps[i]) {
            fail_msg("no sample has the step '%s'", sg_step_name((sg_step_kind)i));
        }
    }
    for (int i = 0; i < SG_LOOP_COUNT; ++i) {
        if (!all.loops[i]) {
            fail_msg("no sample has the loop '%s'", sg_loop_name((sg_loop)i));
        }
    }
    assert_true(all.by_offset && all.two_windows && all.open);
}

/* Far more mutants than these are made; each kind has some, and at most one in twelve is
 * harmless. */
#define MUTANTS_MIN 3000

static void broken_steps_are_found(void **state)
{
    fixture *f = *state;
    breaking b = {0};
    int made = 0;
    int equal = 0;
    for (size_t i = 0; i < SAMPLES; ++i) {
        sg_plan *plan = plan_of(f, &samples[i]);
        break_plan(&b, plan);
        assert_null(sg_verify(&f->arena, plan));
    }
    for (int kind = 0; kind < MUTANT_COUNT; ++kind) {
        print_message("%4d %s, %d no fault\n", b.made[kind], mutant_names[kind], b.equal[kind]);
        assert_true(b.made[kind] > b.equal[kind]);
        made += b.made[kind];
        equal += b.equal[kind];
    }
    print_message("%d mutants, %d no fault, %d not found\n", made, equal, b.missed);
    assert_int_equal(b.missed, 0);
    assert_true(made >= MUTANTS_MIN);
    assert_true(equal * 12 <= made);
}

/* If no run fills whole cache lines, the streams are not copied together. Such a plan was once
 * refused, because a phase without instructions counted as copied. */
static void streams_of_short_runs_are_proved(void **state)
{
    static const sample runs = {SG_DTYPE_F32,     32, true, false, 4, {56, 1, 8, 20}, ISA(AVX2LANE),
                                SG_UARCH_GENERIC, 0,  0,    0};
    fixture *f = *state;
    assert_null(sg_verify(&f->arena, plan_of(f, &runs)));
}

/* The only wrong kernel that was found from outside: its loop ended after the groups of the
 * expected items, regardless of the call. */
static void the_bound_of_expected_items_is_found(void **state)
{
    fixture *f = *state;
    sg_split *split = make_matrix_split(&f->arena, SG_DTYPE_U4, 64, (int64_t[]){9, 9, 9, -1});
    pack(split, SG_PACKING_LSB);
    open_split(&f->arena, split, 0, 3);
    sg_plan *plan = sg_plan_build(&f->arena, &f->diag, split, &(sg_plan_options){.isas = ALL_ISAS});
    assert_non_null(plan);
    const sg_expr last = {.op = SG_EXPR_NUMBER, .number = SG_NUMBER_LAST};
    const sg_expr group = {.op = SG_EXPR_NUMBER, .number = SG_NUMBER_GROUP};
    const sg_expr groups = {.op = SG_EXPR_LITERAL, .literal = plan->bits->groups};
    const sg_expr fewer = {.op = SG_EXPR_LT, .of = {&last, &groups}};
    const sg_expr end = {.op = SG_EXPR_SELECT, .of = {&fewer, &last, &groups}};
    const sg_expr expected = {.op = SG_EXPR_LT, .of = {&group, &end}};
    int bounds = 0;
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        for (int64_t s = 0; s < plan->functions[i].nsteps; ++s) {
            sg_step *step = &plan->functions[i].steps[s];
            const sg_expr *right = step->condition;
            if (step->kind == SG_STEP_LOOP && step->number == SG_NUMBER_GROUP) {
                FOUND(step->condition = &expected, step->condition = right);
                ++bounds;
            }
        }
    }
    assert_true(bounds > 0);
}

/* The numbers of a body must be those of its functions. */
static void other_numbers_than_a_variants_are_found(void **state)
{
    fixture *f = *state;
    sg_plan *plan = plan_of(f, &samples[1]);
    sg_body *v = &plan->bodies[0];
    assert_true(v->tail_rows > 0 && v->prologue_rows > 0);
    FOUND(--v->tail_rows, ++v->tail_rows);
    FOUND(++v->prologue_rows, --v->prologue_rows);
    FOUND(v->rows_per_iteration *= 2, v->rows_per_iteration /= 2);
    const int64_t stream_iterations = v->stream_iterations;
    FOUND(v->stream_iterations = 0, v->stream_iterations = stream_iterations);
    plan = plan_of(f, &samples[5]);
    v = &plan->bodies[0];
    FOUND(--v->block_rows, ++v->block_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_have_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_steps_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(streams_of_short_runs_are_proved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_bound_of_expected_items_is_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_numbers_than_a_variants_are_found, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("functions", tests, NULL, NULL);
}
