/* The dispatch table, as templates need it: adjacent rows for the same variant are a group, so that
 * their common conditions are printed once. No decisions. */
#include <inttypes.h>

#include "emit/model.h"
#include "plan/choose/choices.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* The suffix of the C name of a set's only trait; "" for none. */
static const char *trait_name(uint32_t traits)
{
    sg_trait trait = SG_TRAIT_NONE;
    return sg_trait_next(traits, &trait) ? sg_trait_id(trait) : "";
}

/* A description of processors with all traits of a set; "" for none. */
static const char *processors(sg_arena *arena, uint32_t traits)
{
    const char *list = "";
    for (sg_trait t = SG_TRAIT_NONE; sg_trait_next(traits, &t);) {
        const char *comma = list[0] != '\0' ? ", " : "";
        list = sg_arena_printf(arena, "%s%s%s", list, comma, sg_trait_who(t));
    }
    return list;
}

/* The number of rows from this one on for the same variant. The portable row, the last of a table,
 * ends the count. */
static int64_t count_rows(const sg_choice *rows)
{
    int64_t count = 1;
    while (rows[count].body == rows[0].body) {
        ++count;
    }
    return count;
}

int64_t sg_model_choices(sg_arena *arena, const sg_plan *plan, const sg_choice *rows,
                         const char *symbol, sg_model_group *to)
{
    const int64_t count = count_rows(rows);
    uint32_t traits = rows[0].traits;
    to->rows = rows[0].rows;
    to->share = "";
    for (int64_t i = 0; i < count; ++i) {
        traits &= rows[i].traits;
        to->rows = rows[i].rows < to->rows ? rows[i].rows : to->rows;
    }
    to->trait = trait_name(traits);
    to->choices = SG_NEW_ARRAY(arena, sg_model_choice, count);
    for (int64_t i = 0; i < count; ++i) {
        const sg_choice *from = &rows[i];
        sg_model_choice *choice = &to->choices[to->nchoices++];
        choice->symbol = sg_model_chosen(arena, plan, symbol, from->store_mode);
        choice->rows = from->rows > to->rows ? from->rows : 0;
        choice->is_beyond_cache = from->footprint != SG_FOOTPRINT_ANY;
        choice->aligned = from->aligned > 1 ? from->aligned : 0;
        choice->off = from->off == 0             ? ""
                      : from->off == SG_OFF_UNIT ? "splitgen_combining_unit(cpu)"
                                                 : sg_arena_printf(arena, "%" PRId64, from->off);
        choice->trait = trait_name(from->traits & ~traits);
        choice->store_mode = sg_store_mode_name(from->store_mode);
        choice->processors = processors(arena, sg_choices_traits(plan, from));
        if (choice->is_beyond_cache) {
            to->asks_footprint = true;
            to->share = from->footprint == SG_FOOTPRINT_MANY ? "many" : "rows";
        }
        to->asks_alignment = to->asks_alignment || choice->aligned > 0 || from->off != 0;
    }
    return count;
}
