/* The fixture of the tests of plan/; see plan_fixture.h. */
#include "plan_fixture.h"

#include <stdlib.h>

int set_up(void **state)
{
    fixture *f = sg_xrealloc(NULL, sizeof *f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    *state = f;
    return 0;
}

int tear_down(void **state)
{
    fixture *f = *state;
    sg_arena_free(&f->arena);
    free(f);
    return 0;
}
