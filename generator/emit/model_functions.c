/* The functions of a plan, as templates need them: with names, and with steps that point to the
 * functions they call. No decisions. */
#include <inttypes.h>

#include "emit/model.h"
#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/plan.h"

static const char *const suffixes[] = {[SG_STORE_ORDINARY] = "",
                                       [SG_STORE_NON_TEMPORAL] = "_non_temporal",
                                       [SG_STORE_COMBINED] = "_combined",
                                       [SG_STORE_COMBINED_NON_TEMPORAL] = "_combined_non_temporal"};

static const char *symbol_of(sg_arena *arena, const char *body, const sg_function *f)
{
    switch (f->role) {
    case SG_ROLE_ROWS:
    case SG_ROLE_GROUPS:
        return sg_arena_printf(arena, "%s%s", body, suffixes[f->store_mode]);
    case SG_ROLE_ROW_GROUPS:
        return sg_arena_printf(arena, "%s%s_groups", body, suffixes[f->store_mode]);
    case SG_ROLE_BLOCK:
        return sg_arena_printf(arena, "%s%s_block", body, suffixes[f->store_mode]);
    case SG_ROLE_COLUMN_GROUP_EITHER:
        return sg_arena_printf(arena, "%s_group%" PRId64 "_either", body, f->code);
    case SG_ROLE_DISPATCH:
    case SG_ROLE_ANY:
    case SG_ROLE_PORTABLE:
    case SG_ROLE_APART:
    case SG_ROLE_OPEN:
    case SG_ROLE_DESCRIPTOR:
    case SG_ROLE_COUNT:
        return ""; /* templates name the kernel's own functions */
    case SG_ROLE_COLUMN_GROUP:
    case SG_ROLE_COLUMN_GROUP_ROWS:
        break;
    }
    return sg_arena_printf(arena, "%s_group%" PRId64 "%s", body, f->code, suffixes[f->store_mode]);
}

static sg_model_expr *spell_expr(sg_arena *arena, const sg_expr *from)
{
    if (from == NULL) {
        return NULL;
    }
    sg_model_expr *to = SG_NEW(arena, sg_model_expr);
    to->op = sg_expr_name(from->op);
    to->literal = from->literal;
    to->number = sg_number_name(from->number);
    to->a = spell_expr(arena, from->of[0]);
    to->b = spell_expr(arena, from->of[1]);
    to->c = spell_expr(arena, from->of[2]);
    return to;
}

/* The functions of one variant. */
typedef struct group {
    const sg_plan *plan;
    const char *helper; /* the prefix of the kernel's names */
    const char *symbol;
    sg_model_code *codes;
    int64_t ncodes;
    int64_t first; /* index of the first function in the plan */
    sg_model_function *functions;
} group;

static void spell_step(sg_arena *arena, const group *g, const sg_step *from, sg_model_statement *to)
{
    to->op = sg_step_name(from->kind);
    to->number = sg_number_name(from->number);
    to->value = spell_expr(arena, from->value);
    to->count = spell_expr(arena, from->count);
    to->condition = spell_expr(arena, from->condition);
    to->by = spell_expr(arena, from->by);
    to->moves_input = (from->points & SG_POINTS_INPUT) != 0;
    to->moves_plain = (from->points & SG_POINTS_PLAIN) != 0;
    to->moves_combined = (from->points & SG_POINTS_COMBINED) != 0;
    to->storing = sg_storing_name(from->storing);
    to->part = from->part;
    to->bytes = from->bytes;
    to->ahead = from->ahead;
    to->note = from->note != NULL ? from->note : "";
    if (from->kind == SG_STEP_CALL && g->symbol != NULL) { /* templates name the entry points */
        to->callee = &g->functions[from->function - g->first];
    }
    if (from->kind == SG_STEP_COLUMN_GROUPS) {
        to->ncallees = g->ncodes;
        to->callees = SG_NEW_ARRAY(arena, sg_model_function *, g->ncodes);
        for (int64_t b = 0; b < g->ncodes; ++b) {
            to->callees[b] = &g->functions[from->functions[b] - g->first];
        }
    }
}

/* The arguments of a loop between its tile and the tensors, each followed by a comma. */
static const char *loop_arguments(sg_arena *arena, const group *g, const sg_loop_call *call)
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
#define B             ARGUMENT("%s, ", g->symbol)
#define P             ARGUMENT("%s_portable, ", g->helper)
#define LOOP(id, name, arguments)                                                                  \
    case SG_LOOP_##id:                                                                             \
        arguments break;
#include "plan/functions/loops.inc"
#undef LOOP
    case SG_LOOP_COUNT:
        break;
    }
    const char *text = sg_arena_strndup(arena, out.ptr != NULL ? out.ptr : "", out.len);
    sg_buf_free(&out);
    return text;
}

/* For each output, the bytes of a row if its stores are combined, otherwise 0. */
static void spell_combined(sg_arena *arena, const group *g, const sg_function *f,
                           sg_model_function *to)
{
    const sg_map *map = &g->plan->map;
    int64_t *combined = SG_NEW_ARRAY(arena, int64_t, map->nparts);
    sg_function_combined(g->plan, f, combined);
    to->combined = combined;
    to->ncombined = map->joins ? 1 : map->nparts;
    to->has_lines = f->loop.loop >= SG_LOOP_TILES_COMBINED;
    to->has_each_lines = f->loop.loop > SG_LOOP_TILES_COMBINED;
}

static void spell_function(sg_arena *arena, const group *g, const sg_function *from,
                           sg_model_function *to)
{
    to->from = from;
    to->symbol = symbol_of(arena, g->symbol, from);
    to->role = sg_role_name(from->role);
    to->store_mode = sg_store_mode_name(from->store_mode);
    to->by_offset = from->by_offset;
    to->loop = "";
    if (from->loop.loop != SG_LOOP_NONE) {
        to->loop = sg_loop_name(from->loop.loop);
        to->loop_arguments = loop_arguments(arena, g, &from->loop);
        to->calls_cached = sg_loop_calls_cached(from->loop.loop);
        spell_combined(arena, g, from, to);
    }
    to->code = g->codes != NULL ? &g->codes[from->code] : NULL;
    to->nsteps = from->nsteps;
    to->steps = SG_NEW_ARRAY(arena, sg_model_statement, from->nsteps);
    for (int64_t i = 0; i < from->nsteps; ++i) {
        spell_step(arena, g, &from->steps[i], &to->steps[i]);
    }
}

int64_t sg_model_functions(sg_arena *arena, const sg_plan *plan, const char *helper, int64_t body,
                           const char *symbol, sg_model_code *codes, int64_t ncodes,
                           sg_model_function **list)
{
    group g = {.plan = plan, .helper = helper, .symbol = symbol, .codes = codes, .ncodes = ncodes};
    while (g.first < plan->nfunctions && plan->functions[g.first].body != body) {
        ++g.first;
    }
    int64_t end = g.first;
    while (end < plan->nfunctions && plan->functions[end].body == body) {
        ++end;
    }
    g.functions = *list = SG_NEW_ARRAY(arena, sg_model_function, end - g.first);
    for (int64_t i = g.first; i < end; ++i) {
        spell_function(arena, &g, &plan->functions[i], &g.functions[i - g.first]);
    }
    return end - g.first;
}

const sg_model_function *sg_model_chosen(const sg_model_function *functions, int64_t count,
                                         sg_store_mode store_mode)
{
    for (int64_t i = count - 1; i >= 0; --i) { /* groups come after rows */
        const sg_function *from = functions[i].from;
        const bool is_chosen = from->role == SG_ROLE_ROWS || from->role == SG_ROLE_ROW_GROUPS ||
                               from->role == SG_ROLE_GROUPS;
        if (is_chosen && from->store_mode == store_mode) {
            return &functions[i];
        }
    }
    return NULL;
}
