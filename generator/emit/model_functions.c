/* The functions of a plan in the spelling templates need: names, and steps that lead to each other.
 * No decisions. */
#include <inttypes.h>
#include <string.h>

#include "emit/model.h"
#include "plan/choose/choices.h"
#include "plan/functions/function.h"
#include "plan/plan.h"

static const char *const suffixes[] = {[SG_WAY_CACHE] = "",
                                       [SG_WAY_PAST] = "_stream",
                                       [SG_WAY_FEED] = "_feed",
                                       [SG_WAY_FEED_PAST] = "_feed_stream",
                                       [SG_WAY_IN_ORDER] = ""};

static const char *symbol_of(sg_arena *arena, const char *variant, const sg_function *f)
{
    switch (f->role) {
    case SG_ROLE_ROWS:
    case SG_ROLE_GROUPS:
        return sg_arena_printf(arena, "%s%s", variant, suffixes[f->way]);
    case SG_ROLE_BLOCK:
        return sg_arena_printf(arena, "%s%s_block", variant, suffixes[f->way]);
    case SG_ROLE_STRIP_EITHER:
        return sg_arena_printf(arena, "%s_strip%" PRId64 "_ways", variant, f->body);
    case SG_ROLE_DISPATCH:
    case SG_ROLE_ANY:
    case SG_ROLE_OPEN:
    case SG_ROLE_SOME:
    case SG_ROLE_DESCRIPTOR:
        return ""; /* it is the kernel's, and named after it */
    case SG_ROLE_STRIP:
    case SG_ROLE_STRIP_ROWS:
    case SG_ROLE_STRIP_ROW:
        break;
    }
    return sg_arena_printf(arena, "%s_strip%" PRId64 "%s", variant, f->body, suffixes[f->way]);
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

/* Where the functions of one variant are. */
typedef struct group {
    const char *symbol;
    sg_model_body *bodies;
    int64_t nbodies;
    int64_t first; /* number in the plan */
    sg_model_function *functions;
} group;

static void spell_step(sg_arena *arena, const group *g, const sg_step *from, sg_model_statement *to)
{
    to->op = sg_step_name(from->kind);
    to->number = sg_number_name(from->number);
    to->is_bool = from->is_bool;
    to->value = spell_expr(arena, from->value);
    to->count = spell_expr(arena, from->count);
    to->condition = spell_expr(arena, from->condition);
    to->by = spell_expr(arena, from->by);
    to->moves_input = (from->points & SG_POINTS_INPUT) != 0;
    to->moves_plain = (from->points & SG_POINTS_PLAIN) != 0;
    to->moves_combined = (from->points & SG_POINTS_COMBINED) != 0;
    to->storing = sg_storing_name(from->storing);
    to->portion = sg_portion_name(from->portion);
    to->strings = from->strings;
    to->bytes = from->bytes;
    to->ahead = from->ahead;
    to->note = from->note != NULL ? from->note : "";
    if (from->kind == SG_STEP_CALL && g->symbol != NULL) { /* of entrances, templates know it */
        to->callee = &g->functions[from->function - g->first];
    }
    if (from->kind == SG_STEP_STRIPS) {
        to->ncallees = g->nbodies;
        to->callees = SG_NEW_ARRAY(arena, sg_model_function *, g->nbodies);
        for (int64_t b = 0; b < g->nbodies; ++b) {
            to->callees[b] = &g->functions[from->functions[b] - g->first];
        }
    }
}

static void spell_function(sg_arena *arena, const group *g, const sg_function *from,
                           sg_model_function *to)
{
    to->symbol = symbol_of(arena, g->symbol, from);
    to->role = sg_role_name(from->role);
    to->way = sg_way_name(from->way);
    to->by_offset = from->by_offset;
    to->body = g->bodies != NULL ? &g->bodies[from->body] : NULL;
    to->nsteps = from->nsteps;
    to->steps = SG_NEW_ARRAY(arena, sg_model_statement, from->nsteps);
    for (int64_t i = 0; i < from->nsteps; ++i) {
        spell_step(arena, g, &from->steps[i], &to->steps[i]);
        to->is_prologue = to->is_prologue || from->steps[i].storing == SG_STORING_PROLOGUE;
    }
}

int64_t sg_model_functions(sg_arena *arena, const sg_plan *plan, int64_t variant,
                           const char *symbol, sg_model_body *bodies, int64_t nbodies,
                           sg_model_function **list)
{
    group g = {.symbol = symbol, .bodies = bodies, .nbodies = nbodies};
    while (g.first < plan->nfunctions && plan->functions[g.first].variant != variant) {
        ++g.first;
    }
    int64_t end = g.first;
    while (end < plan->nfunctions && plan->functions[end].variant == variant) {
        ++end;
    }
    g.functions = *list = SG_NEW_ARRAY(arena, sg_model_function, end - g.first);
    for (int64_t i = g.first; i < end; ++i) {
        spell_function(arena, &g, &plan->functions[i], &g.functions[i - g.first]);
    }
    return end - g.first;
}

const char *sg_model_function_symbol(const sg_model_function *functions, int64_t count, sg_way way)
{
    for (int64_t i = 0; i < count; ++i) {
        const bool is_chosen = strcmp(functions[i].role, sg_role_name(SG_ROLE_ROWS)) == 0 ||
                               strcmp(functions[i].role, sg_role_name(SG_ROLE_GROUPS)) == 0;
        if (is_chosen && strcmp(functions[i].way, sg_way_name(way)) == 0) {
            return functions[i].symbol;
        }
    }
    return "";
}
