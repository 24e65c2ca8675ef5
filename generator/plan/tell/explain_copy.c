/* How a kernel copies, told to a user: its bodies, and the table that chooses between them. */
#include "plan/tell/explain_copy.h"

#include <inttypes.h>

#include "base/checked.h"
#include "plan/bits/bit_program.h"
#include "plan/choose/choices.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/tell/dump_parts.h"

/* --- Bodies ----------------------------------------------------------------------------------- */

/* A vector body: a tile of rows at a time. */
typedef struct tiled {
    const char *title;       /* of the instruction set */
    int64_t rows;            /* of a tile */
    int64_t bytes;           /* of the whole that predictions are of */
    const sg_prediction *on; /* by microarchitecture */
    sg_uarch tune;
    const char *besides;
} tiled;

bool sg_is_told(const sg_prediction *on, sg_uarch tune, int uarch)
{
    return on[uarch].cycles > 0 && (tune == SG_UARCH_GENERIC || uarch == (int)tune);
}

static const char *plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

static void add_body(sg_buf *out, const tiled *t)
{
    sg_buf_printf(out, "    %s body, tiles of %" PRId64 " row%s%s\n", t->title, t->rows,
                  plural(t->rows), t->besides);
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        const sg_prediction *p = &t->on[u];
        if (sg_is_told(t->on, t->tune, u)) {
            const double rate = (double)t->bytes / p->all;
            sg_buf_printf(out,
                          "      %s, all data in L1: %.*f bytes a cycle predicted, bound by %s "
                          "(%.2f cycles a tile)\n",
                          sg_uarch_title((sg_uarch)u), rate < 10 ? 1 : 0, rate,
                          sg_port_name(p->bound), p->cycles);
        }
    }
}

static void add_one_body(sg_buf *out, const sg_plan *plan, const sg_body *v)
{
    add_body(out, &(tiled){.title = v->isa->title,
                           .rows = v->rows_per_trip,
                           .bytes = v->planned_rows * plan->map.row_stride,
                           .on = v->on,
                           .tune = v->tune,
                           .besides = v->is_few ? ", for few rows" : ""});
}

/* Of packed elements; bodies that are no vector code of their own have no tiles. */
static void add_bit_bodies(sg_buf *out, const sg_plan *plan)
{
    const sg_bits *bits = plan->bits;
    for (int64_t i = 0; i < bits->nbodies; ++i) {
        const char *title = sg_bit_body_title(bits->bodies[i]);
        if (bits->bodies[i] == SG_BIT_VBMI) {
            add_body(out, &(tiled){.title = title,
                                   .rows = bits->vectors->rows_per_trip,
                                   .bytes = sg_plan_bytes(plan),
                                   .on = bits->vectors->on,
                                   .besides = ""});
        } else if (bits->bodies[i] != SG_BIT_PORTABLE) {
            sg_buf_printf(out, "    %s body, the portable one with instructions that pick bits\n",
                          title);
        }
    }
}

/* --- The table of choices --------------------------------------------------------------------- */

static const char *body_title(const sg_plan *plan, const sg_choice *choice)
{
    return plan->bits != NULL ? sg_bit_body_title(plan->bits->bodies[choice->body])
                              : plan->bodies[choice->body].isa->title;
}

/* ", from 16 rows on (2 items)" */
static void add_rows(sg_buf *out, const sg_split *split, int64_t rows)
{
    sg_buf_printf(out, ", from %" PRId64 " rows on", rows);
    if (split->nopen > 0) {
        const int64_t items = sg_ceil_div64(rows, split->outer.factor);
        sg_buf_printf(out, " (%" PRId64 " item%s)", items, plural(items));
    }
}

static void add_footprint(sg_buf *out, const sg_plan *plan, sg_footprint footprint)
{
    static const char *const sizes[] = {
        [SG_FOOTPRINT_ROWS] = "the caches",
        [SG_FOOTPRINT_MANY] = "what caches hold of many outputs",
    };
    sg_buf_printf(out, ", %s too large for %s",
                  plan->split->joins ? "inputs and output" : "input and outputs", sizes[footprint]);
    if (plan->split->nopen > 0) {
        sg_buf_printf(
            out, " (%" PRId64 " bytes an item)",
            sg_sum64(plan->split->bytes, plan->bytes_moved / sg_split_items(plan->split)));
    }
}

/* Where its outputs have to lie. */
static void add_places(sg_buf *out, const sg_plan *plan, const sg_choice *choice)
{
    const char *one = plan->split->joins ? "the output" : "an output";
    if (choice->aligned > 1) {
        sg_buf_printf(out, ", %s aligned to %" PRId64 " bytes",
                      plan->split->joins ? "the output" : "outputs", choice->aligned);
    }
    if (choice->off == SG_OFF_UNIT) {
        sg_buf_printf(out, ", %s not aligned to what the processor stores at once", one);
    } else if (choice->off != 0) {
        sg_buf_printf(out, ", %s not aligned to %" PRId64 " bytes", one, choice->off);
    }
}

void sg_explain_choice(sg_buf *out, const sg_plan *plan, const sg_choice *choice)
{
    static const char *const stores[] = {
        [SG_STORE_ORDINARY] = "ordinary stores",
        [SG_STORE_NON_TEMPORAL] = "non-temporal stores",
        [SG_STORE_COMBINED] = "write-combining stores",
        [SG_STORE_COMBINED_NON_TEMPORAL] = "write-combining non-temporal stores",
    };
    if (choice->body == SG_CHOICE_PORTABLE) {
        sg_buf_addz(out, "otherwise: the portable body");
        return;
    }
    const uint32_t traits = sg_choices_traits(plan, choice);
    sg_buf_addz(out, body_title(plan, choice));
    for (sg_trait t = SG_TRAIT_NONE; sg_trait_next(traits, &t);) {
        sg_buf_printf(out, ", %s", sg_trait_who(t));
    }
    if (choice->rows > 1) {
        add_rows(out, plan->split, choice->rows);
    }
    if (choice->footprint != SG_FOOTPRINT_ANY) {
        add_footprint(out, plan, choice->footprint);
    }
    add_places(out, plan, choice);
    sg_buf_printf(out, ": %s", stores[choice->store_mode]);
}

static void add_choices(sg_buf *out, const sg_plan *plan)
{
    if (plan->nchoices <= 1) {
        return;
    }
    sg_buf_addz(out, "    table of choices, the first row that fits decides:\n");
    if (plan->few_rows > 0) {
        sg_buf_printf(out, "      fewer than %" PRId64 " rows: the portable body, in line\n",
                      plan->few_rows);
    }
    for (int64_t i = 0; i < plan->nchoices; ++i) {
        sg_buf_addz(out, "      ");
        sg_explain_choice(out, plan, &plan->choices[i]);
        sg_buf_addc(out, '\n');
    }
}

void sg_explain_copy(sg_buf *out, const sg_plan *plan)
{
    if (plan->kind == SG_PLAN_EMPTY) {
        return;
    }
    sg_buf_printf(out, "  how it is copied\n    portable body: %s (%s)\n", plan->strategy,
                  plan->why);
    if (plan->bits != NULL) {
        add_bit_bodies(out, plan);
    }
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        if (sg_choices_want(plan, i)) {
            add_one_body(out, plan, &plan->bodies[i]);
        }
    }
    add_choices(out, plan);
}
