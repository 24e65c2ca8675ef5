/* The functions of kernels whose tensors are parameters: each passes the tile of a body to a loop
 * of splitgen/loops.h. */
#include "plan/functions/rows.h"

#include "plan/choose/choices.h"
#include "plan/functions/writer.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* Whether the tile has instructions outside the phase that is executed for all interleaved streams.
 * */
static bool has_others(const sg_code *code, bool combined)
{
    bool others = false;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        others = others || (combined ? !insn->combines
                                     : !(sg_insn_is_run(insn) && insn->lines) &&
                                           insn->op != SG_INSN_PREFETCH);
    }
    return others;
}

static sg_loop through_the_cache(const sg_body *v)
{
    return v->rows_per_iteration == 1 ? SG_LOOP_ROWS
           : v->vector_bytes > 0      ? SG_LOOP_TILES_ALIGNED
           : v->tail_rows > 0         ? SG_LOOP_TILES_AND_ROWS
                                      : SG_LOOP_TILES;
}

static sg_loop past_the_cache(const sg_body *v)
{
    return v->interleaving == SG_INTERLEAVING_ITERATIONS ? SG_LOOP_TILES_STREAMED
           : v->interleaving == SG_INTERLEAVING_RUNS     ? SG_LOOP_RUNS_STREAMED
                                                         : SG_LOOP_ROWS_STREAMED;
}

static sg_loop loop_of(const sg_body *v, sg_store_mode store_mode)
{
    switch (store_mode) {
    case SG_STORE_NON_TEMPORAL:
        return past_the_cache(v);
    case SG_STORE_COMBINED:
        return SG_LOOP_TILES_COMBINED;
    case SG_STORE_COMBINED_NON_TEMPORAL:
        return v->interleaving == SG_INTERLEAVING_ITERATIONS ? SG_LOOP_TILES_COMBINED_STREAMED
                                                             : SG_LOOP_RUNS_COMBINED_STREAMED;
    default:
        return through_the_cache(v);
    }
}

/* All arguments; each loop uses some of them. */
static sg_loop_call call_of(const sg_plan *plan, int64_t body, sg_store_mode store_mode)
{
    const sg_body *v = &plan->bodies[body];
    const sg_loop loop = loop_of(v, store_mode);
    return (sg_loop_call){.loop = loop,
                          .rows = v->tile_rows * v->isa->tiles,
                          .tiles = v->rows_per_iteration / (v->tile_rows * v->isa->tiles),
                          .most = v->tail_rows,
                          .bytes = loop == SG_LOOP_TILES_ALIGNED ? sg_map_written_stride(&plan->map)
                                                                 : plan->map.row_stride,
                          .vector = v->vector_bytes,
                          .turn = v->stream_iterations,
                          .now = v->prefetch_now,
                          .far = v->prefetch_far,
                          .prologue = v->prologue_rows,
                          .others = has_others(&v->codes[0], loop >= SG_LOOP_TILES_COMBINED),
                          .is_prologue = store_mode == SG_STORE_ORDINARY &&
                                         sg_choices_combine_instead(plan, body)};
}

/* Copies the rows of several groups by calls that compilers inline. A call from outside per group
 * would cost too much for the short rows of an image. */
static void write_row_groups(sg_writer *w, int64_t rows)
{
    const sg_map *map = &w->plan->map;
    sg_loop_up(w, SG_NUMBER_GROUP, sg_literal(w, 0), sg_of(w, SG_NUMBER_GROUPS), 1);
    for (int64_t p = SG_WHOLE; p < map->nparts; ++p) {
        const int64_t step = map->groups[0].rows * sg_map_stride(map, p) + sg_map_gap(map, p, 0);
        (void)sg_add_step(
            w, (sg_step){.kind = SG_STEP_SHIFT,
                         .part = p,
                         .value = sg_times(w, sg_of(w, SG_NUMBER_GROUP), step / map->element)});
    }
    sg_call(w, rows, sg_of(w, SG_NUMBER_FIRST), sg_of(w, SG_NUMBER_LAST));
    sg_end(w);
}

/* Whether the dispatch table may select a function for all groups: it checks only the pointers of
 * the first. */
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
    static const sg_store_mode store_modes[] = {SG_STORE_ORDINARY, SG_STORE_NON_TEMPORAL,
                                                SG_STORE_COMBINED, SG_STORE_COMBINED_NON_TEMPORAL};
    for (size_t i = 0; i < sizeof store_modes / sizeof store_modes[0]; ++i) {
        if (store_modes[i] != SG_STORE_ORDINARY && /* others call the ordinary one */
            sg_choices_find(plan, body, store_modes[i]) == NULL) {
            continue;
        }
        sg_writer w = sg_writer_begin(arena, plan, body);
        sg_writer_end(&w, plan, SG_ROLE_ROWS, store_modes[i])->loop =
            call_of(plan, body, store_modes[i]);
        if (takes_groups(plan, body, store_modes[i])) {
            sg_writer groups = sg_writer_begin(arena, plan, body);
            write_row_groups(&groups, plan->nfunctions - 1);
            (void)sg_writer_end(&groups, plan, SG_ROLE_ROW_GROUPS, store_modes[i]);
        }
    }
}
