/* The fixture for the tests of emit/: a folder for the templates of a test, a unit to render
 * them with, and the result. */
#ifndef SPLITGEN_TEST_TEMPLATE_FIXTURE_H
#define SPLITGEN_TEST_TEMPLATE_FIXTURE_H

#include "emit/emit.h"

enum { MAX_KERNELS = 4 };

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_buf out;
    char dir[64];
    sg_file_list files;
    const sg_plan *plans[MAX_KERNELS]; /* the unit's plans; it has none at first */
    sg_unit unit;
    sg_unit_text *texts; /* of the unit */
} fixture;

/* For cmocka: *state is a fixture of the test's own. Afterwards the folder has only the files
 * that the test wrote. */
int set_up(void **state);
int tear_down(void **state);

/* Sets unit.NAME, which is "" before. */
void set_text(fixture *f, const char *name, const char *text);

/* A file of the folder: path_of returns its path, write sets its text. Names are those `written`
 * in template_fixture.c lists, so that tear_down removes no other. */
const char *path_of(fixture *f, const char *name);
void write_file(fixture *f, const char *name, const char *text);

/* Asserts that the entry is at line:column of a file of the folder. */
void assert_place(fixture *f, const sg_diag_entry *entry, const char *message, const char *file,
                  size_t line, size_t column);

/* Asserts that there is exactly one error, with this message and place, and no text; returns the
 * notes that follow it. */
const sg_diag_entry *assert_refused(fixture *f, sg_exit exit, const char *message, const char *file,
                                    size_t line, size_t column);

#endif
