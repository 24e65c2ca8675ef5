/* The fixture for the tests of plan/: an arena and diagnostics for every test, to build plans of
 * small splits (make_split.h). */
#ifndef SPLITGEN_TEST_PLAN_FIXTURE_H
#define SPLITGEN_TEST_PLAN_FIXTURE_H

#include "make_split.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
} fixture;

/* For cmocka: *state is a fixture of the test's own. */
int set_up(void **state);
int tear_down(void **state);

/* Whether the proof finds a change of `plan`, a plan of fixture `f`, and no flaw after it is
 * undone. */
#define FOUND(change, back)                                                                        \
    change;                                                                                        \
    assert_non_null(sg_verify(&f->arena, plan));                                                   \
    back;                                                                                          \
    assert_null(sg_verify(&f->arena, plan))

#endif
