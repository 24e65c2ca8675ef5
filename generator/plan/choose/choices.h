/* The table of choices: which body of a kernel runs on which machine in which situation, and how it
 * stores. Computed here and nowhere else; templates print it, row by row. */
#ifndef SG_PLAN_CHOOSE_CHOICES_H
#define SG_PLAN_CHOOSE_CHOICES_H

#include "plan/plan.h"

/* Fills plan->choices from plan->variants, or the bodies of plan->bits, and what was asked for, the
 * fastest body first. Memory of the arena. */
void sg_choices_build(sg_arena *arena, sg_plan *plan);

/* The first of the plan's choices for a way of a variant; NULL: it is never taken. */
const sg_choice *sg_choices_find(const sg_plan *plan, int64_t variant, sg_way way);

/* Whether any row of the table is for a variant: a body that bypasses the cache, or one for few
 * rows, may be wanted by none. */
bool sg_choices_want(const sg_plan *plan, int64_t variant);

/* Whether feeds take all rows of a variant but those they begin behind, on every machine. */
bool sg_choices_feed_instead(const sg_plan *plan, int64_t variant);

/* The first instruction of a variant's body of a window that loops have in common which store in
 * several ways; before it stand, where there are no feeds, runs that each of them copies in a way
 * of its own. -1: they have nothing in common, or there is one. */
int64_t sg_choices_window(const sg_plan *plan, int64_t variant);

/* The same of kernels with an array of outputs, which have a function for every kind of strip of
 * their rows: whether the strips of a body that go through the cache and past it are all alike but
 * for their stores. */
bool sg_choices_share_strip(const sg_plan *plan, int64_t variant, int64_t body);

/* The traits of the processors that a row of the table is for; all bodies over bits need one. */
uint32_t sg_choices_traits(const sg_plan *plan, const sg_choice *choice);

/* "cache", "past", "feed", "feed past", "in order". */
const char *sg_way_name(sg_way way);

#endif
