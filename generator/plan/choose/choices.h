/* The table of choices: which body of a kernel runs on which machine in which situation, and how it
 * stores. Computed here and nowhere else; templates print it, row by row. */
#ifndef SG_PLAN_CHOOSE_CHOICES_H
#define SG_PLAN_CHOOSE_CHOICES_H

#include "plan/plan.h"

/* Fills plan->choices from plan->bodies, or the bodies of plan->bits, and what was asked for, the
 * fastest body first. Memory of the arena. */
void sg_choices_build(sg_arena *arena, sg_plan *plan);

/* The first of the plan's choices for a way of a body; NULL: it is never taken. */
const sg_choice *sg_choices_find(const sg_plan *plan, int64_t body, sg_store_mode store_mode);

/* Whether any row of the table takes this body. There may be none for a body with non-temporal
 * stores only, or for one of few rows. */
bool sg_choices_want(const sg_plan *plan, int64_t body);

/* Whether the write-combining functions of a body are taken on every machine, so that the plain
 * function only copies the prologue rows. */
bool sg_choices_combine_instead(const sg_plan *plan, int64_t body);

/* For kernels with an array of outputs, which have a function for every kind of column group:
 * whether a body's functions with ordinary and with non-temporal stores differ in their stores
 * only. */
bool sg_choices_share_column_group(const sg_plan *plan, int64_t body, int64_t code);

/* The traits of the processors that a row of the table is for; all bodies over bits need one. */
uint32_t sg_choices_traits(const sg_plan *plan, const sg_choice *choice);

/* "ordinary", "non-temporal", "combined", "combined non-temporal". */
const char *sg_store_mode_name(sg_store_mode store_mode);

#endif
