/* The table of choices: which body of a kernel runs on which machine in which situation, and how it
 * stores. Computed here and nowhere else; templates print it, row by row. */
#ifndef SG_PLAN_CHOOSE_CHOICES_H
#define SG_PLAN_CHOOSE_CHOICES_H

#include "plan/plan.h"

/* Fills plan->choices from plan->variants and what was asked for, the fastest body first. Memory of
 * the arena. */
void sg_choices_build(sg_arena *arena, sg_plan *plan);

/* The first of the plan's choices for a way of a variant; NULL: it is never taken. */
const sg_choice *sg_choices_find(const sg_plan *plan, int64_t variant, sg_way way);

/* "cache", "past", "feed", "feed past", "in order". */
const char *sg_way_name(sg_way way);

/* When a row is taken, apart from its instruction set and the rows before it: "16 rows or more,
 * ONE_SHUFFLE"; "" where nothing more is asked. In the arena. */
const char *sg_choice_when(sg_arena *arena, const sg_choice *choice);

#endif
