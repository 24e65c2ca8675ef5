/* What the tests of emit/ stand on: a folder for the templates a test writes, a unit to render them
 * with, and what came of it. */
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
    const sg_plan *plans[MAX_KERNELS]; /* those of the unit, which begins without any */
    sg_unit unit;
    sg_unit_text *texts; /* of the unit */
} fixture;

/* For cmocka: *state is a fixture of the test's own. Afterwards the folder holds nothing but what
 * the test wrote. */
int set_up(void **state);
int tear_down(void **state);

/* What unit.NAME is: "" before. */
void set_text(fixture *f, const char *name, const char *text);

/* A file of the folder: its path, and its text from now on. Names are those `written` in
 * template_fixture.c lists, so that tear_down removes no other. */
const char *path_of(fixture *f, const char *name);
void write_file(fixture *f, const char *name, const char *text);

/* The entry says this at line:column of a file of the folder. */
void assert_place(fixture *f, const sg_diag_entry *entry, const char *message, const char *file,
                  size_t line, size_t column);

/* There is one error, it says this there, and no text; gives the notes behind it. */
const sg_diag_entry *assert_refused(fixture *f, sg_exit exit, const char *message, const char *file,
                                    size_t line, size_t column);

#endif
