/* The functions of kernels whose outputs are parameters: trips over all rows. */
#include "plan/functions/rows.h"

#include "base/checked.h"
#include "plan/choose/choices.h"
#include "plan/functions/writer.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

#define NUMBER(id) sg_of(w, SG_NUMBER_##id)

/* The function with ordinary stores: it copies the rows that other functions of the body cannot. */
static int64_t ordinary(const sg_writer *w)
{
    return sg_function_find(w->plan, w->body, SG_STORE_ORDINARY);
}

/* --- ordinary stores -------------------------------------------------------------------------- */

/* The rows in front of the first vector that all outputs begin at. Multiples of the stride give
 * every multiple of what it has in common with a vector, so there are fewer such rows than a vector
 * has of these: at most a trip. */
static void write_lead(sg_writer *w, sg_step run)
{
    const int64_t bytes = w->v->vector_bytes;
    const int64_t stride = w->plan->map.parts[0].row_stride;
    const int64_t step = sg_gcd64(stride, bytes);
    const int64_t most = bytes / step;
    int64_t rows = 1; /* that come to the next multiple of `step` */
    while (rows * stride % bytes != step) {
        ++rows;
    }
    const sg_expr *until = sg_compare(w, SG_EXPR_UNTIL, sg_literal(w, bytes), NULL);
    const sg_expr *lead = sg_times(w, sg_divide(w, until, step), rows);
    sg_let(w, SG_NUMBER_LEAD, rows > 1 ? sg_rest(w, lead, most) : lead);
    sg_do(w, SG_STEP_BLANK);
    sg_if(w,
          sg_compare(w, SG_EXPR_AND, sg_compare(w, SG_EXPR_MORE, NUMBER(LEAD), sg_literal(w, 0)),
                     sg_compare(w, SG_EXPR_AT_LEAST, NUMBER(ROWS),
                                sg_plus(w, NUMBER(LEAD), sg_literal(w, w->v->vector_rows)))),
          "the next tile overlaps this one");
    (void)sg_add_step(w, run);
    sg_advance(w, SG_POINTS_ALL, NUMBER(LEAD));
    sg_set(w, SG_STEP_TAKE, SG_NUMBER_LEFT, NUMBER(LEAD));
    sg_end(w);
}

/* One tile after the other. Rows that are fewer than a tile are copied by a tile that overlaps the
 * one before, or one by one. */
static void write_tiles(sg_writer *w, sg_step run, bool by_row)
{
    const int64_t trip = w->v->rows_per_trip;
    sg_set(w, SG_STEP_VAR, SG_NUMBER_LEFT, NUMBER(ROWS));
    if (w->v->vector_bytes > 0) {
        write_lead(w, run);
    }
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_LOOP});
    (void)sg_add_step(w, run);
    sg_set(w, SG_STEP_TAKE, SG_NUMBER_LEFT, sg_literal(w, trip));
    sg_if(w, sg_compare(w, SG_EXPR_AT_LEAST, NUMBER(LEFT), sg_literal(w, trip)), NULL);
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, trip));
    sg_else_if(w, sg_compare(w, SG_EXPR_MORE, NUMBER(LEFT), sg_literal(w, w->v->tail_rows)),
               "the last tile overlaps the one before");
    sg_advance(w, SG_POINTS_ALL, NUMBER(LEFT));
    sg_set(w, SG_STEP_SET, SG_NUMBER_LEFT, sg_literal(w, trip));
    sg_else(w);
    sg_do(w, SG_STEP_BREAK);
    sg_end(w);
    sg_end(w);
    if (by_row) {
        const bool gaps = sg_map_rows_have_gaps(&w->plan->map);
        if (gaps) {
            sg_if(w, sg_compare(w, SG_EXPR_MORE, NUMBER(LEFT), sg_literal(w, 0)), NULL);
        }
        sg_advance(w, SG_POINTS_ALL, sg_literal(w, trip));
        sg_loop_up(w, SG_NUMBER_ROW, sg_literal(w, 0), NUMBER(LEFT), 1);
        w->steps[w->count - 1].note = "cheaper than a tile that overlaps";
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_TAIL, .number = SG_NUMBER_ROW});
        sg_end(w);
        if (gaps) {
            sg_end(w);
        }
    }
}

static void write_ordinary(sg_writer *w)
{
    const sg_body *v = w->v;
    const bool prologue = sg_choices_combine_instead(w->plan, w->body);
    const sg_step run = {.kind = SG_STEP_RUN,
                         .storing = prologue ? SG_STORING_PROLOGUE : SG_STORING_ORDINARY};
    sg_pointers(w, SG_POINTS_ALL, sg_literal(w, 0));
    if (v->rows_per_trip > 1) {
        write_tiles(w, run, v->tail_rows > 0);
        return;
    }
    sg_do(w, SG_STEP_BLANK);
    sg_loop_down(w, SG_NUMBER_LEFT, NUMBER(ROWS), 1);
    (void)sg_add_step(w, run);
    sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQUAL, NUMBER(LEFT), sg_literal(w, 1)));
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, 1));
    sg_end(w);
}

/* Write combining. The prologue rows, which fill the first cache line of every output, are copied
 * by ordinary stores. */
static void write_combined(sg_writer *w)
{
    const int64_t trip = w->v->rows_per_trip;
    const int64_t head = w->v->prologue_rows;
    sg_pointers(w, SG_POINTS_ALL, sg_literal(w, 0));
    sg_do(w, SG_STEP_COMBINERS);
    sg_do(w, SG_STEP_BLANK);
    sg_call(w, ordinary(w), sg_literal(w, 0), sg_literal(w, head));
    sg_advance(w, SG_POINTS_ALL, sg_literal(w, head));
    sg_do(w, SG_STEP_COMBINE);
    sg_loop_down(w, SG_NUMBER_LEFT, sg_minus(w, NUMBER(ROWS), sg_literal(w, head)), trip);
    sg_run(w, SG_STORING_COMBINED, SG_PORTION_ALL);
    sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQUAL, NUMBER(LEFT), sg_literal(w, trip)));
    sg_advance(w, SG_POINTS_INPUT | SG_POINTS_PLAIN, sg_literal(w, trip));
    sg_end(w);
    sg_do(w, SG_STEP_COMBINED);
    if (trip > 1) {
        sg_if(w, sg_compare(w, SG_EXPR_DIFFERS, sg_rest(w, NUMBER(ROWS), trip), sg_literal(w, 0)),
              "the last tile overlaps");
        sg_let(w, SG_NUMBER_LAST, sg_minus(w, NUMBER(ROWS), sg_literal(w, trip)));
        sg_do(w, SG_STEP_BLANK);
        sg_call(w, ordinary(w), NUMBER(LAST), sg_literal(w, trip));
        sg_end(w);
    }
}

/* --- non-temporal stores, interleaved streams ------------------------------------------------- */

static int64_t trip_bytes(const sg_writer *w)
{
    return w->v->rows_per_trip * w->plan->map.row_stride;
}

static void write_streams(sg_writer *w)
{
    const int64_t bytes = w->v->interleaving == SG_INTERLEAVING_TRIPS ? trip_bytes(w) : 0;
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_COUNT_STREAMS, .bytes = bytes});
}

/* Trips of a stream, a multiple of `piece`. */
static const sg_expr *part_of(sg_writer *w, int64_t piece)
{
    return sg_trips_per_stream(w, sg_divide(w, NUMBER(ROWS), w->v->rows_per_trip), piece,
                               trip_bytes(w));
}

/* The trips of one stream before the next stream continues. Short trips prefetch their input
 * together. */
static void write_trips(sg_writer *w, unsigned points, sg_storing storing)
{
    const sg_body *v = w->v;
    if (v->prefetch_far == 0 && v->prefetch_now > 0) {
        (void)sg_add_step(
            w, (sg_step){.kind = SG_STEP_PREFETCH, .bytes = v->stream_trips * v->prefetch_now});
    }
    sg_do(w, SG_STEP_BLANK);
    sg_loop_down(w, SG_NUMBER_TRIPS, sg_literal(w, v->stream_trips), 1);
    if (v->prefetch_far > 0) {
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_PREFETCH,
                                       .bytes = v->prefetch_now,
                                       .ahead = v->prefetch_far});
    }
    sg_run(w, storing, SG_PORTION_ALL);
    sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQUAL, NUMBER(TRIPS), sg_literal(w, 1)));
    sg_advance(w, points, sg_literal(w, v->rows_per_trip));
    sg_end(w);
}

/* Pieces of so many trips, of every stream in turn. The first piece of each begins behind `head`
 * trips, which are copied already. */
static void write_pieces(sg_writer *w, int64_t head, bool combined)
{
    const sg_body *v = w->v;
    const unsigned points = combined ? SG_POINTS_INPUT | SG_POINTS_PLAIN : (unsigned)SG_POINTS_ALL;
    sg_loop_up(w, SG_NUMBER_DONE, sg_literal(w, head), NUMBER(PER_STREAM), v->stream_trips);
    sg_loop_up(w, SG_NUMBER_STREAM, sg_literal(w, 0), NUMBER(STREAMS), 1);
    sg_let(w, SG_NUMBER_TRIP,
           sg_plus(w, sg_product(w, NUMBER(STREAM), NUMBER(PER_STREAM)), NUMBER(DONE)));
    sg_pointers(w, points, sg_times(w, NUMBER(TRIP), v->rows_per_trip));
    if (combined) {
        sg_set(w, SG_STEP_BORROW, SG_NUMBER_STREAM, NULL);
    }
    write_trips(w, points, combined ? SG_STORING_COMBINED_NON_TEMPORAL : SG_STORING_NON_TEMPORAL);
    if (combined) {
        sg_set(w, SG_STEP_RETURN, SG_NUMBER_STREAM, NULL);
    }
    sg_end(w);
    sg_end(w);
}

/* Whether the body has instructions that are not executed for all interleaved streams together. */
static bool has_others(const sg_writer *w, bool combined)
{
    const sg_code *code = &w->v->codes[0];
    bool others = sg_choices_tile(w->plan, w->body) >= 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        others = others || (combined ? !insn->combines
                                     : !(sg_insn_is_run(insn) && insn->lines) &&
                                           insn->op != SG_INSN_PREFETCH);
    }
    return others;
}

/* The same run of all streams together, row by row. Each stream begins behind `head` rows, which
 * are copied already. */
static void write_runs(sg_writer *w, int64_t head, bool combined)
{
    const int64_t trip = w->v->rows_per_trip;
    const unsigned points = combined ? SG_POINTS_INPUT | SG_POINTS_PLAIN : (unsigned)SG_POINTS_ALL;
    const sg_storing storing =
        combined ? SG_STORING_COMBINED_NON_TEMPORAL : SG_STORING_NON_TEMPORAL;
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_STREAMS,
                                   .points = points,
                                   .value = sg_literal(w, head),
                                   .count = sg_times(w, NUMBER(PER_STREAM), trip)});
    sg_do(w, SG_STEP_BLANK);
    (void)sg_add_step(
        w, (sg_step){.kind = SG_STEP_DOWN,
                     .number = SG_NUMBER_LEFT,
                     .value = NUMBER(PER_STREAM),
                     .condition = sg_compare(w, SG_EXPR_MORE, NUMBER(LEFT), sg_literal(w, head)),
                     .by = sg_literal(w, 1)});
    sg_run(w, storing, SG_PORTION_TOGETHER);
    if (has_others(w, combined)) {
        sg_loop_up(w, SG_NUMBER_I, sg_literal(w, 0), NUMBER(STREAMS), 1);
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_STREAM,
                                       .number = SG_NUMBER_I,
                                       .points = points,
                                       .storing = storing});
        sg_run(w, storing, SG_PORTION_OTHERS);
        sg_end(w);
    }
    sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQUAL, NUMBER(LEFT), sg_literal(w, head + 1)));
    (void)sg_add_step(
        w,
        (sg_step){.kind = SG_STEP_ADVANCE_STREAMS, .points = points, .value = sg_literal(w, trip)});
    sg_end(w);
}

/* The rows behind all streams, by the function with ordinary stores; if they are fewer than its
 * trip, it copies some rows again. */
static void write_rest(sg_writer *w)
{
    const int64_t trip = w->v->rows_per_trip;
    const sg_expr *in_parts = sg_times(w, sg_product(w, NUMBER(STREAMS), NUMBER(PER_STREAM)), trip);
    const sg_expr *behind = sg_minus(w, NUMBER(ROWS), in_parts);
    sg_if(w, sg_compare(w, SG_EXPR_MORE, NUMBER(ROWS), in_parts), NULL);
    if (trip == 1) {
        sg_let(w, SG_NUMBER_LEFT, behind);
    } else {
        const sg_expr *least = sg_literal(w, trip);
        sg_let(w, SG_NUMBER_BEHIND, behind);
        sg_let(
            w, SG_NUMBER_LEFT,
            sg_pick(w, sg_compare(w, SG_EXPR_LESS, NUMBER(BEHIND), least), least, NUMBER(BEHIND)));
        w->steps[w->count - 1].note = "the last tile overlaps";
    }
    sg_do(w, SG_STEP_BLANK);
    sg_call(w, ordinary(w), sg_minus(w, NUMBER(ROWS), NUMBER(LEFT)), NUMBER(LEFT));
    sg_end(w);
}

/* Non-temporal stores, where every output begins at a cache line. */
static void write_non_temporal(sg_writer *w)
{
    write_streams(w);
    if (w->v->interleaving == SG_INTERLEAVING_NONE) {
        sg_pointers(w, SG_POINTS_ALL, sg_literal(w, 0));
        sg_do(w, SG_STEP_BLANK);
        sg_loop_down(w, SG_NUMBER_LEFT, NUMBER(ROWS), 1);
        sg_run(w, SG_STORING_NON_TEMPORAL, SG_PORTION_ALL);
        sg_leave_at_last(w, sg_compare(w, SG_EXPR_EQUAL, NUMBER(LEFT), sg_literal(w, 1)));
        sg_advance(w, SG_POINTS_ALL, sg_literal(w, 1));
        sg_end(w);
    } else if (w->v->interleaving == SG_INTERLEAVING_TRIPS) {
        sg_let(w, SG_NUMBER_PER_STREAM, part_of(w, w->v->stream_trips));
        sg_do(w, SG_STEP_BLANK);
        write_pieces(w, 0, false);
        write_rest(w);
    } else {
        sg_let(w, SG_NUMBER_PER_STREAM, part_of(w, 1));
        write_runs(w, 0, false);
        write_rest(w);
    }
    sg_do(w, SG_STEP_FENCE);
}

/* A loop over the streams, unless they have no trips. */
static void begin_parts(sg_writer *w)
{
    const sg_expr *some = sg_compare(w, SG_EXPR_MORE, NUMBER(PER_STREAM), sg_literal(w, 0));
    sg_loop_up(w, SG_NUMBER_I, sg_literal(w, 0), NUMBER(STREAMS), 1);
    sg_step *loop = &w->steps[w->count - 1];
    loop->condition = sg_compare(w, SG_EXPR_AND, some, loop->condition);
}

/* Write combining for outputs that begin anywhere: in every stream it begins behind the first rows,
 * which are copied by ordinary stores. */
static void write_combined_non_temporal(sg_writer *w)
{
    const sg_body *v = w->v;
    const int64_t head = v->prologue_rows / v->rows_per_trip; /* trips */
    const int64_t piece = v->interleaving == SG_INTERLEAVING_TRIPS ? v->stream_trips : 1;
    const sg_expr *over = sg_minus(w, NUMBER(ALL), sg_literal(w, head));
    write_streams(w);
    sg_let(w, SG_NUMBER_ALL, part_of(w, 1));
    sg_let(w, SG_NUMBER_PER_STREAM,
           sg_pick(w, sg_compare(w, SG_EXPR_LESS, NUMBER(ALL), sg_literal(w, head)),
                   sg_literal(w, 0),
                   piece > 1 ? sg_minus(w, NUMBER(ALL), sg_rest(w, over, piece)) : NUMBER(ALL)));
    (void)sg_add_step(w, (sg_step){.kind = SG_STEP_COMBINERS, .is_bool = true});
    sg_do(w, SG_STEP_BLANK);
    begin_parts(w);
    sg_let(w, SG_NUMBER_ROW,
           sg_times(w, sg_product(w, NUMBER(I), NUMBER(PER_STREAM)), v->rows_per_trip));
    sg_do(w, SG_STEP_BLANK);
    sg_call(w, ordinary(w), NUMBER(ROW), sg_literal(w, v->prologue_rows));
    (void)sg_add_step(w,
                      (sg_step){.kind = SG_STEP_COMBINE,
                                .is_bool = true,
                                .number = SG_NUMBER_I,
                                .value = sg_plus(w, NUMBER(ROW), sg_literal(w, v->prologue_rows))});
    sg_end(w);
    if (v->interleaving == SG_INTERLEAVING_TRIPS) {
        write_pieces(w, head, true);
    } else {
        write_runs(w, v->prologue_rows, true);
    }
    begin_parts(w);
    (void)sg_add_step(w,
                      (sg_step){.kind = SG_STEP_COMBINED, .is_bool = true, .number = SG_NUMBER_I});
    sg_end(w);
    write_rest(w);
    sg_do(w, SG_STEP_FENCE);
}

/* The rows of several groups, each by one call that compilers put in line: with a call from outside
 * for every group, what a call costs would be a part of the time of a short row of an image. */
static void write_row_groups(sg_writer *w, int64_t rows)
{
    const sg_map *map = &w->plan->map;
    sg_loop_up(w, SG_NUMBER_GROUP, sg_literal(w, 0), NUMBER(GROUPS), 1);
    for (int64_t p = SG_WHOLE; p < map->nparts; ++p) {
        const int64_t step = map->groups[0].rows * sg_map_stride(map, p) + sg_map_gap(map, p, 0);
        (void)sg_add_step(w, (sg_step){.kind = SG_STEP_SHIFT,
                                       .part = p,
                                       .value = sg_times(w, NUMBER(GROUP), step / map->element)});
    }
    sg_call(w, rows, sg_literal(w, 0), NUMBER(ROWS));
    sg_end(w);
}

/* Whether the table of choices may call a function for the groups behind the first, whose pointers
 * it does not look at. */
static bool takes_groups(const sg_plan *plan, int64_t body, sg_store_mode store_mode)
{
    bool takes = plan->map.ngroups > 0 && sg_choices_find(plan, body, store_mode) != NULL;
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        const sg_choice *c = &plan->choices[i];
        takes = takes && (c->body != body || c->store_mode != store_mode || c->aligned <= 1);
    }
    return takes;
}

void sg_rows_build(sg_arena *arena, sg_plan *plan, int64_t body)
{
    const sg_body *v = &plan->bodies[body];
    static void (*const write[])(sg_writer *) = {[SG_STORE_ORDINARY] = write_ordinary,
                                                 [SG_STORE_NON_TEMPORAL] = write_non_temporal,
                                                 [SG_STORE_COMBINED] = write_combined,
                                                 [SG_STORE_COMBINED_NON_TEMPORAL] =
                                                     write_combined_non_temporal};
    static const sg_store_mode store_modes[] = {SG_STORE_ORDINARY, SG_STORE_NON_TEMPORAL,
                                                SG_STORE_COMBINED, SG_STORE_COMBINED_NON_TEMPORAL};
    for (size_t i = 0; i < sizeof store_modes / sizeof store_modes[0]; ++i) {
        const bool always = store_modes[i] == SG_STORE_ORDINARY; /* others call it */
        if (always || sg_choices_find(plan, body, store_modes[i]) != NULL) {
            sg_writer w = sg_writer_begin(arena, plan, body);
            write[store_modes[i]](&w);
            sg_function *f = sg_writer_end(&w, plan, SG_ROLE_ROWS, store_modes[i]);
            f->by_offset = store_modes[i] == SG_STORE_ORDINARY && v->codes[0].by_offset;
            if (takes_groups(plan, body, store_modes[i])) {
                sg_writer groups = sg_writer_begin(arena, plan, body);
                write_row_groups(&groups, plan->nfunctions - 1);
                (void)sg_writer_end(&groups, plan, SG_ROLE_ROW_GROUPS, store_modes[i]);
            }
        }
    }
}
