/* The dispatch table: which body of a kernel runs on which machine in which situation, and how it
 * stores. Computed only here; templates print it row by row. */
#ifndef SG_PLAN_CHOOSE_CHOICES_H
#define SG_PLAN_CHOOSE_CHOICES_H

#include "plan/plan.h"

/* Fills plan->choices from plan->bodies, or the bodies of plan->bits, and the options, the fastest
 * body first. The arena owns the memory. */
void sg_choices_build(sg_arena *arena, sg_plan *plan);

/* Keeps these rows of the table, the portable one among them, and of the bodies those that they
 * select. */
void sg_choices_keep(sg_arena *arena, sg_plan *plan, const bool *kept);

/* The plan's first choice of a body with a way of storing; NULL: there is none. */
const sg_choice *sg_choices_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode);

/* Whether any row of the table selects this body. None may select a body that only has non-temporal
 * stores, or a short variant. */
bool sg_choices_want(const sg_plan *plan, int64_t body);

/* Whether every machine uses the body's write-combining functions, so that the ordinary one only
 * copies the prologue rows. */
bool sg_choices_combine_instead(const sg_plan *plan, int64_t body);

/* The traits that a row of the table requires; all bodies over bits need one. */
uint32_t sg_choices_traits(const sg_plan *plan, const sg_choice *choice);

/* "ordinary", "non-temporal", "combined", "combined non-temporal". */
const char *sg_store_mode_name(sg_store_mode store_mode);

#endif
