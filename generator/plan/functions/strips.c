/* The functions of kernels with an array of outputs: blocks of rows, one strip after the other. */
#include "plan/functions/strips.h"

#include "plan/choose/choices.h"
#include "plan/functions/writer.h"
#include "plan/insn.h"
#include "plan/plan.h"

#define NUMBER(id) sg_of(w, SG_NUMBER_##id)

/* What functions of strips are made for. */
typedef struct strips {
    sg_arena *arena;
    sg_plan *plan;
    int64_t variant;
    const sg_variant *v;
} strips;

static int64_t *new_functions(const strips *s)
{
    return SG_NEW_ARRAY(s->arena, int64_t, s->v->nbodies);
}

static int64_t end(const strips *s, sg_writer *w, sg_function_role role, sg_way way, int64_t body)
{
    sg_function *f = sg_writer_end(w, s->plan, role, way);
    f->body = body;
    return f - s->plan->functions;
}

static bool some_run(const sg_body *body, bool (*is)(const sg_insn *))
{
    bool any = false;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        any = any || is(&body->insns[i]);
    }
    return any;
}

static bool is_past(const sg_insn *insn)
{
    return sg_insn_is_run(insn) && insn->lines;
}

static bool asks_string(const sg_insn *insn)
{
    return insn->string != SG_STRING_NEVER;
}

static bool is_fed(const sg_insn *insn)
{
    return insn->fed;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Windows of a strip, the first one at a row. */
static int64_t write_strip(const strips *s, int64_t body, sg_function_role role, sg_way way,
                           sg_storing storing)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    const sg_body *b = &s->v->bodies[body];
    const bool strings = storing != SG_STORING_PAST && some_run(b, asks_string);
    if (storing == SG_STORING_PAST && some_run(b, is_past)) {
        sg_do(w, SG_STEP_FRONTS);
    }
    sg_pointers(w, SG_POINTS_OUTPUTS, NUMBER(ROW));
    if (strings) {
        sg_do(w, SG_STEP_STRINGS);
    }
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_LOOP, .number = SG_NUMBER_LEFT, .value = NUMBER(WINDOWS)});
    if (s->v->block_ahead > 0) {
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_PREFETCH_BLOCK, .bytes = s->v->block_ahead});
    }
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_RUN, .storing = storing, .strings = strings});
    sg_if(w, sg_compare(w, SG_EXPR_EQUAL, sg_down(w, SG_NUMBER_LEFT), sg_literal(w, 0)),
          "behind the last window of a strip is no row to point to");
    sg_do(w, SG_STEP_BREAK);
    sg_end(w);
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, s->v->rows_per_trip));
    sg_end(w);
    const int64_t number = end(s, w, role, way, body);
    s->plan->functions[number].by_offset = b->by_offset;
    return number;
}

/* The same by the function that two ways of storing have in common. */
static int64_t write_either(const strips *s, int64_t body, sg_way way, int64_t either)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    sg_call(w, either, NUMBER(ROW), NUMBER(WINDOWS));
    w->steps[0].storing = way == SG_WAY_PAST ? SG_STORING_PAST : SG_STORING_CACHED;
    return end(s, w, SG_ROLE_STRIP, way, body);
}

/* All strips over a block of rows. */
static int64_t write_block(const strips *s, sg_way way, int64_t *functions)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_STRIPS,
                                   .functions = functions,
                                   .value = NUMBER(ROW),
                                   .count = NUMBER(WINDOWS),
                                   .bytes = s->v->rows_per_trip * s->plan->map.row_stride,
                                   .ahead = s->v->block_ahead});
    return end(s, w, SG_ROLE_BLOCK, way, 0);
}

static void call_block(sg_writer *w, int64_t block, const sg_expr *row, const sg_expr *windows)
{
    sg_call(w, block, row, windows);
    w->steps[w->count - 1].points = SG_POINTS_INPUT;
}

/* One block after the other; rows that are fewer than a tile are copied by a tile that overlaps the
 * one before. */
static void write_blocks(const strips *s, sg_way way, int64_t block, int64_t last_block)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    const int64_t trip = s->v->rows_per_trip;
    const sg_expr *most = sg_literal(w, s->v->block_rows);
    sg_pointers(w, SG_POINTS_INPUT, sg_literal(w, 0));
    sg_let(w, SG_NUMBER_LAST, sg_plus(w, NUMBER(FIRST), NUMBER(ROWS)));
    sg_do(w, SG_STEP_BLANK);
    sg_loop_up(w, SG_NUMBER_ROW, NUMBER(FIRST), NUMBER(LAST), 0);
    sg_let(w, SG_NUMBER_LEFT, sg_minus(w, NUMBER(LAST), NUMBER(ROW)));
    sg_do(w, SG_STEP_BLANK);
    if (trip > 1) {
        sg_if(w, sg_compare(w, SG_EXPR_LESS, NUMBER(LEFT), sg_literal(w, trip)),
              "the last window overlaps the one before");
        call_block(w, last_block, sg_minus(w, NUMBER(LAST), sg_literal(w, trip)), sg_literal(w, 1));
        sg_do(w, SG_STEP_BREAK);
        sg_end(w);
    }
    sg_let(w, SG_NUMBER_WINDOWS,
           sg_divide(
               w, sg_pick(w, sg_compare(w, SG_EXPR_LESS, NUMBER(LEFT), most), NUMBER(LEFT), most),
               trip));
    sg_do(w, SG_STEP_BLANK);
    call_block(w, block, NUMBER(ROW), NUMBER(WINDOWS));
    sg_set(w, SG_STEP_ADD, SG_NUMBER_ROW, sg_times(w, NUMBER(WINDOWS), trip));
    sg_end(w);
    if (way == SG_WAY_PAST) {
        sg_do(w, SG_STEP_FENCE);
    }
    (void)end(s, w, SG_ROLE_ROWS, way, 0);
}

/* Blocks through the cache, and past it where that is chosen. Gives the strips through it. */
static int64_t *write_ways(const strips *s)
{
    int64_t *cached = new_functions(s);
    int64_t *either = new_functions(s);
    for (int64_t b = 0; b < s->v->nbodies; ++b) {
        either[b] = -1;
        if (sg_choices_share_strip(s->plan, s->variant, b)) {
            either[b] = write_strip(s, b, SG_ROLE_STRIP_EITHER, SG_WAY_CACHE, SG_STORING_GIVEN);
            cached[b] = write_either(s, b, SG_WAY_CACHE, either[b]);
        } else {
            cached[b] = write_strip(s, b, SG_ROLE_STRIP, SG_WAY_CACHE, SG_STORING_CACHED);
        }
    }
    const int64_t block = write_block(s, SG_WAY_CACHE, cached);
    write_blocks(s, SG_WAY_CACHE, block, block);
    if (sg_choices_find(s->plan, s->variant, SG_WAY_PAST) != NULL) {
        int64_t *past = new_functions(s);
        for (int64_t b = 0; b < s->v->nbodies; ++b) {
            past[b] = either[b] >= 0
                          ? write_either(s, b, SG_WAY_PAST, either[b])
                          : write_strip(s, b, SG_ROLE_STRIP, SG_WAY_PAST, SG_STORING_PAST);
        }
        write_blocks(s, SG_WAY_PAST, write_block(s, SG_WAY_PAST, past), block);
    }
    return cached;
}

/* --- write combining -------------------------------------------------------------------------- */

/* All rows of a strip; the first ones fill a line of every output through the cache. */
static int64_t write_combined_strip(const strips *s, int64_t body, sg_way way, int64_t cached)
{
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    const bool past = way == SG_WAY_FEED_PAST;
    const int64_t head = s->v->head_rows;
    if (past && some_run(&s->v->bodies[body], is_fed)) {
        sg_do(w, SG_STEP_FRONTS);
    }
    sg_pointers(w, SG_POINTS_OUTPUTS, sg_plus(w, NUMBER(FIRST), sg_literal(w, head)));
    sg_do(w, SG_STEP_COMBINERS);
    sg_do(w, SG_STEP_BLANK);
    sg_call(w, cached, NUMBER(FIRST), sg_literal(w, head));
    sg_advance(w, SG_POINTS_INPUT, sg_literal(w, head));
    sg_do(w, SG_STEP_COMBINE);
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_LOOP,
                     .number = SG_NUMBER_LEFT,
                     .value = sg_minus(w, NUMBER(ROWS), sg_literal(w, head)),
                     .condition = sg_compare(w, SG_EXPR_MORE, NUMBER(LEFT), sg_literal(w, 0))});
    sg_run(w, past ? SG_STORING_COMBINED_PAST : SG_STORING_COMBINED, SG_PORTION_ALL);
    sg_if(w, sg_compare(w, SG_EXPR_MORE, sg_down(w, SG_NUMBER_LEFT), sg_literal(w, 0)),
          "behind the last row of a strip is none to point to");
    sg_advance(w, SG_POINTS_INPUT, sg_literal(w, 1));
    sg_end(w);
    sg_advance(w, SG_POINTS_PLAIN, sg_literal(w, 1));
    sg_end(w);
    sg_do(w, SG_STEP_COMBINED);
    return end(s, w, SG_ROLE_STRIP_ROWS, way, body);
}

/* One strip after the other. */
static void write_combined(const strips *s, sg_way way, const int64_t *cached)
{
    int64_t *functions = new_functions(s);
    for (int64_t b = 0; b < s->v->nbodies; ++b) {
        functions[b] = write_combined_strip(s, b, way, cached[b]);
    }
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    sg_pointers(w, SG_POINTS_INPUT, NUMBER(FIRST));
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_STRIPS,
                                   .functions = functions,
                                   .value = NUMBER(FIRST),
                                   .count = NUMBER(ROWS)});
    if (way == SG_WAY_FEED_PAST) {
        sg_do(w, SG_STEP_FENCE);
    }
    (void)end(s, w, SG_ROLE_ROWS, way, 0);
}

/* --- rows in order ---------------------------------------------------------------------------- */

static void write_in_order(const strips *s)
{
    int64_t *functions = new_functions(s);
    for (int64_t b = 0; b < s->v->nbodies; ++b) {
        sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
        sg_writer *w = &begun;
        sg_pointers(w, SG_POINTS_OUTPUTS, NUMBER(ROW));
        sg_do(w, SG_STEP_BLANK);
        sg_run(w, SG_STORING_LINES, SG_PORTION_ALL);
        functions[b] = end(s, w, SG_ROLE_STRIP_ROW, SG_WAY_IN_ORDER, b);
    }
    sg_writer begun = sg_writer_begin(s->arena, s->plan, s->variant);
    sg_writer *w = &begun;
    sg_pointers(w, SG_POINTS_INPUT, NUMBER(FIRST));
    sg_do(w, SG_STEP_BLANK);
    sg_loop_up(w, SG_NUMBER_DONE, sg_literal(w, 0), NUMBER(ROWS), 1);
    sg_write_ends(
        w, sg_compare(w, SG_EXPR_EQUAL, NUMBER(DONE), sg_literal(w, 0)),
        sg_compare(w, SG_EXPR_EQUAL, sg_plus(w, NUMBER(DONE), sg_literal(w, 1)), NUMBER(ROWS)));
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_STRIPS,
                                   .functions = functions,
                                   .value = sg_plus(w, NUMBER(FIRST), NUMBER(DONE)),
                                   .count = sg_literal(w, 1)});
    sg_advance(w, SG_POINTS_INPUT, sg_literal(w, 1));
    sg_end(w);
    sg_do(w, SG_STEP_FENCE);
    (void)end(s, w, SG_ROLE_ROWS, SG_WAY_IN_ORDER, 0);
}

void sg_strips_build(sg_arena *arena, sg_plan *plan, int64_t variant)
{
    const strips s = {arena, plan, variant, &plan->variants[variant]};
    if (s.v->in_order) {
        write_in_order(&s);
        return;
    }
    const int64_t *cached = write_ways(&s);
    static const sg_way combined[] = {SG_WAY_FEED, SG_WAY_FEED_PAST};
    for (size_t i = 0; i < sizeof combined / sizeof combined[0]; ++i) {
        if (sg_choices_find(plan, variant, combined[i]) != NULL) {
            write_combined(&s, combined[i], cached);
        }
    }
}
