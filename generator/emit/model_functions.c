/* The functions of a variant, as templates need them: with names, and with the arguments of their
 * loops as text. No decisions. */
#include <inttypes.h>

#include "emit/model.h"
#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/plan.h"

static const char *const suffixes[] = {[SG_STORE_ORDINARY] = "",
                                       [SG_STORE_NON_TEMPORAL] = "_non_temporal",
                                       [SG_STORE_COMBINED] = "_combined",
                                       [SG_STORE_COMBINED_NON_TEMPORAL] = "_combined_non_temporal"};

/* "_group0": the name of a code, if a variant has functions for groups of columns. */
static const char *group_of(sg_arena *arena, const sg_plan *plan, int64_t code)
{
    return plan->array_params && code >= 0 ? sg_arena_printf(arena, "_group%" PRId64, code) : "";
}

static const char *symbol_of(sg_arena *arena, const sg_plan *plan, const char *body,
                             sg_store_mode store_mode, int64_t code)
{
    return sg_arena_printf(arena, "%s%s%s", body, group_of(arena, plan, code),
                           suffixes[store_mode]);
}

/* The arguments of a loop between its tile and the tensors, each followed by a comma. `cached` is
 * the function with ordinary stores. */
static const char *loop_arguments(sg_arena *arena, const char *helper, const char *cached,
                                  const sg_loop_call *call)
{
    sg_buf out = {0};
    switch (call->loop) {
#define ARGUMENT(...) sg_buf_printf(&out, __VA_ARGS__);
#define N(number)     ARGUMENT("%" PRId64 ", ", call->number)
#define O(choice)     ARGUMENT("%s, ", call->choice ? "true" : "false")
#define S             ARGUMENT("%s, ", call->is_prologue ? "SPLITGEN_PROLOGUE" : "SPLITGEN_CACHED")
#define C             ARGUMENT("combined, ")
#define L             ARGUMENT("lines, ")
#define E             ARGUMENT("each_lines, ")
#define B             ARGUMENT("%s, ", cached)
#define P             ARGUMENT("%s_portable, ", helper)
#define LOOP(id, name, arguments)                                                                  \
    case SG_LOOP_##id:                                                                             \
        arguments break;
#define COLUMNS(id, name, arguments) LOOP(id, name, arguments)
#include "plan/functions/loops.inc"
#undef LOOP
#undef COLUMNS
    case SG_LOOP_COUNT:
        break;
    }
    const char *text = sg_arena_strndup(arena, out.ptr != NULL ? out.ptr : "", out.len);
    sg_buf_free(&out);
    return text;
}

/* For each output, the bytes of a row if its stores are combined, otherwise 0. */
static void spell_combined(sg_arena *arena, const sg_plan *plan, const sg_function *f,
                           sg_model_function *to)
{
    int64_t *combined = SG_NEW_ARRAY(arena, int64_t, SG_TILE_TENSORS);
    to->ncombined = sg_function_combined(plan, f, combined);
    to->combined = combined;
    to->ins = plan->map.joins ? sg_code_parts(plan, &plan->bodies[f->body].codes[f->code]) : 1;
}

int64_t sg_model_functions(sg_arena *arena, const sg_plan *plan, const char *helper, int64_t body,
                           const char *symbol, const sg_model_code *codes, sg_model_function **list)
{
    int64_t count = 0;
    *list = SG_NEW_ARRAY(arena, sg_model_function, plan->nfunctions);
    for (int64_t i = 0; i < plan->nfunctions; ++i) {
        const sg_function *f = &plan->functions[i];
        if (f->body != body) {
            continue;
        }
        const sg_loop_info *loop = sg_loop_get(f->loop.loop);
        sg_model_function *to = &(*list)[count++];
        const char *cached = symbol_of(arena, plan, symbol, SG_STORE_ORDINARY, f->code);
        to->symbol = symbol_of(arena, plan, symbol, f->store_mode, f->code);
        to->store_mode = sg_store_mode_name(f->store_mode);
        to->loop = loop->name;
        to->loop_arguments = loop_arguments(arena, helper, cached, &f->loop);
        to->has_lines = loop->combines;
        to->has_each_lines = loop->combines_each;
        if (!loop->takes_columns) {
            to->code = &codes[f->code];
            spell_combined(arena, plan, f, to);
        }
    }
    return count;
}

int64_t sg_model_list_columns(sg_arena *arena, const sg_plan *plan, const sg_body *v,
                              sg_model_columns **list)
{
    sg_columns *from = NULL;
    const int64_t count = sg_body_columns(arena, plan, v, &from);
    *list = SG_NEW_ARRAY(arena, sg_model_columns, count);
    for (int64_t i = 0; i < count; ++i) {
        (*list)[i] = (sg_model_columns){.group = group_of(arena, plan, from[i].code),
                                        .groups = from[i].groups,
                                        .part = from[i].part,
                                        .parts_on = from[i].parts_on,
                                        .at = from[i].at,
                                        .bytes_on = from[i].bytes_on};
    }
    return count;
}

const char *sg_model_chosen(sg_arena *arena, const sg_plan *plan, const char *symbol,
                            sg_store_mode store_mode)
{
    return symbol_of(arena, plan, symbol, store_mode, SG_ALL_CODES);
}
