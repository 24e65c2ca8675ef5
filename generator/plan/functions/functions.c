/* Builds the functions of a plan: for every body and way of storing in its dispatch table. */
#include "plan/functions/functions.h"

#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* --- loops ------------------------------------------------------------------------------------ */

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

static sg_loop loop_of(const sg_plan *plan, const sg_body *v, sg_store_mode store_mode)
{
    switch (store_mode) {
    case SG_STORE_NON_TEMPORAL:
        return plan->array_params ? SG_LOOP_TILES_PAST : past_the_cache(v);
    case SG_STORE_COMBINED:
        return SG_LOOP_TILES_COMBINED;
    case SG_STORE_COMBINED_NON_TEMPORAL:
        return v->interleaving == SG_INTERLEAVING_ITERATIONS ? SG_LOOP_TILES_COMBINED_STREAMED
                                                             : SG_LOOP_RUNS_COMBINED_STREAMED;
    default:
        return through_the_cache(v);
    }
}

static sg_loop_call tile_call(const sg_plan *plan, int64_t body, sg_store_mode store_mode,
                              int64_t code)
{
    const sg_body *v = &plan->bodies[body];
    const sg_loop loop = loop_of(plan, v, store_mode);
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
                          .others = has_others(&v->codes[code], sg_loop_get(loop)->combines),
                          .is_prologue = store_mode == SG_STORE_ORDINARY &&
                                         sg_choices_combine_instead(plan, body)};
}

/* Write combining goes on from row to row, so it has no blocks. */
static sg_loop_call columns_call(const sg_plan *plan, const sg_body *v, sg_store_mode store_mode)
{
    const bool combines =
        store_mode == SG_STORE_COMBINED || store_mode == SG_STORE_COMBINED_NON_TEMPORAL;
    return (sg_loop_call){
        .loop = store_mode == SG_STORE_NON_TEMPORAL ? SG_LOOP_COLUMN_GROUPS_PAST
                                                    : SG_LOOP_COLUMN_GROUPS,
        .joins = plan->map.joins,
        .rows = v->rows_per_iteration,
        .block = combines ? 0 : v->block_rows,
        .bytes = plan->map.row_stride,
        .ahead = combines ? 0 : v->prefetch_block_bytes * (v->block_rows / v->rows_per_iteration)};
}

/* --- functions -------------------------------------------------------------------------------- */

static void add(sg_plan *plan, int64_t body, sg_store_mode store_mode, int64_t code)
{
    const sg_body *v = &plan->bodies[body];
    plan->functions[plan->nfunctions++] =
        (sg_function){.body = body,
                      .store_mode = store_mode,
                      .code = code,
                      .loop = code == SG_ALL_CODES ? columns_call(plan, v, store_mode)
                                                   : tile_call(plan, body, store_mode, code)};
}

static void build_body(sg_plan *plan, int64_t body)
{
    static const sg_store_mode store_modes[] = {SG_STORE_ORDINARY, SG_STORE_NON_TEMPORAL,
                                                SG_STORE_COMBINED, SG_STORE_COMBINED_NON_TEMPORAL};
    const sg_body *v = &plan->bodies[body];
    bool cached = false;
    for (size_t i = 1; i < sizeof store_modes / sizeof store_modes[0]; ++i) {
        cached = cached || (sg_choices_find(plan, body, store_modes[i]) != NULL &&
                            sg_loop_get(loop_of(plan, v, store_modes[i]))->calls_cached);
    }
    for (size_t i = 0; i < sizeof store_modes / sizeof store_modes[0]; ++i) {
        const bool chosen = sg_choices_find(plan, body, store_modes[i]) != NULL;
        for (int64_t c = 0; (chosen || (cached && i == 0)) && c < v->ncodes; ++c) {
            add(plan, body, store_modes[i], c);
        }
        if (chosen && plan->array_params) {
            add(plan, body, store_modes[i], SG_ALL_CODES);
        }
    }
}

void sg_functions_build(sg_arena *arena, sg_plan *plan)
{
    int64_t most = 0;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        most += 4 * (plan->bodies[i].ncodes + 1);
    }
    plan->functions = SG_NEW_ARRAY(arena, sg_function, most);
    plan->nfunctions = 0;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        if (sg_choices_want(plan, i)) {
            build_body(plan, i);
        }
    }
}
