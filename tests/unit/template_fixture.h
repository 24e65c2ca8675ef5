/* The fixture for the tests of emit/: the templates of a test, a unit to render them with, and the
 * result. */
#ifndef SPLITGEN_TEST_TEMPLATE_FIXTURE_H
#define SPLITGEN_TEST_TEMPLATE_FIXTURE_H

#include "emit/emit.h"

enum { MAX_KERNELS = 4, MAX_TEMPLATES = 4 };

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_buf out;
    struct {
        const char *name;
        const char *text;
    } templates[MAX_TEMPLATES];
    int ntemplates;
    sg_emit_watch watch;               /* uses them */
    const sg_plan *plans[MAX_KERNELS]; /* the unit's plans; it has none at first */
    sg_unit unit;
    sg_unit_text *texts; /* of the unit */
} fixture;

/* For cmocka: *state is a fixture of the test's own. */
int set_up(void **state);
int tear_down(void **state);

/* Sets unit.NAME, which is "" before. */
void set_text(fixture *f, const char *name, const char *text);

/* Sets the text of a template, before the built-in one of this name. */
void set_template(fixture *f, const char *name, const char *text);

/* Asserts that the entry is at that line of a template. */
void assert_place(fixture *f, const sg_diag_entry *entry, const char *message, const char *file,
                  size_t line);

/* Asserts that there is exactly one error, an internal one with this message and place, and no
 * text; returns the notes that follow it. */
const sg_diag_entry *assert_refused(fixture *f, const char *message, const char *file, size_t line);

#endif
