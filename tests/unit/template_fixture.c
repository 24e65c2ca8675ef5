/* The fixture of the tests of emit/; see template_fixture.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "template_fixture.h"

static const char *const written[] = {"a.tmpl", "b.tmpl", "prelude.lua", "t.tmpl",
                                      "functions.c.tmpl"};

static const sg_unit_text no_texts[] = {
#define UNIT_OPTION(field, ...) {#field, ""},
#include "driver/options.inc"
};

void set_text(fixture *f, const char *name, const char *text)
{
    for (int64_t i = 0; i < f->unit.ntexts; ++i) {
        if (strcmp(f->texts[i].name, name) == 0) {
            f->texts[i].text = text;
            return;
        }
    }
    fail_msg("no option is called unit.%s", name);
}

int set_up(void **state)
{
    fixture *f = sg_xrealloc(NULL, sizeof *f);
    memset(f, 0, sizeof *f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    f->unit = (sg_unit){.plans = f->plans,
                        .stem = "kernels",
                        .prefix = "",
                        .version = "0.0.0",
                        .header = "kernels.h",
                        .ntexts = sizeof no_texts / sizeof no_texts[0]};
    f->texts = SG_NEW_ARRAY(&f->arena, sg_unit_text, f->unit.ntexts);
    memcpy(f->texts, no_texts, sizeof no_texts);
    f->unit.texts = f->texts;
    strcpy(f->dir, "test_templates_XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    *state = f;
    return 0;
}

int tear_down(void **state)
{
    fixture *f = *state;
    for (size_t i = 0; i < sizeof written / sizeof written[0]; ++i) {
        unlink(path_of(f, written[i]));
    }
    assert_int_equal(rmdir(f->dir), 0);
    sg_buf_free(&f->out);
    sg_arena_free(&f->arena);
    free(f);
    return 0;
}

const char *path_of(fixture *f, const char *name)
{
    return sg_arena_printf(&f->arena, "%s/%s", f->dir, name);
}

void write_file(fixture *f, const char *name, const char *text)
{
    FILE *file = fopen(path_of(f, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

void assert_place(fixture *f, const sg_diag_entry *entry, const char *message, const char *file,
                  size_t line, size_t column)
{
    assert_non_null(entry);
    assert_string_equal(entry->message, message);
    assert_non_null(entry->span.source);
    assert_string_equal(entry->span.source->name, path_of(f, file));
    size_t at_line = 0;
    size_t at_column = 0;
    sg_source_locate(entry->span.source, entry->span.begin, &at_line, &at_column);
    assert_int_equal(at_line, line);
    assert_int_equal(at_column, column);
}

const sg_diag_entry *assert_refused(fixture *f, sg_exit exit, const char *message, const char *file,
                                    size_t line, size_t column)
{
    assert_int_equal(f->out.len, 0);
    assert_int_equal(f->diag.errors, 1);
    assert_int_equal(sg_diag_exit(&f->diag), exit);
    assert_place(f, f->diag.first, message, file, line, column);
    return f->diag.first->next;
}
