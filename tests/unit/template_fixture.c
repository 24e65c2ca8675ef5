/* The fixture of the tests of emit/; see template_fixture.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "template_fixture.h"

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

static const char *text_of(void *user, const char *name, size_t *len)
{
    const fixture *f = user;
    for (int i = 0; i < f->ntemplates; ++i) {
        if (strcmp(f->templates[i].name, name) == 0) {
            *len = strlen(f->templates[i].text);
            return f->templates[i].text;
        }
    }
    return NULL;
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
                        .source = "kernels.c",
                        .describes = true,
                        .ntexts = sizeof no_texts / sizeof no_texts[0]};
    f->texts = SG_NEW_ARRAY(&f->arena, sg_unit_text, f->unit.ntexts);
    memcpy(f->texts, no_texts, sizeof no_texts);
    f->unit.texts = f->texts;
    f->watch = (sg_emit_watch){.text = text_of, .user = f};
    *state = f;
    return 0;
}

int tear_down(void **state)
{
    fixture *f = *state;
    sg_buf_free(&f->out);
    sg_arena_free(&f->arena);
    free(f);
    return 0;
}

void set_template(fixture *f, const char *name, const char *text)
{
    int i = 0;
    while (i < f->ntemplates && strcmp(f->templates[i].name, name) != 0) {
        ++i;
    }
    assert_true(i < MAX_TEMPLATES);
    f->templates[i].name = name;
    f->templates[i].text = sg_arena_strdup(&f->arena, text);
    f->ntemplates = i < f->ntemplates ? f->ntemplates : i + 1;
}

void assert_place(fixture *f, const sg_diag_entry *entry, const char *message, const char *file,
                  size_t line)
{
    assert_non_null(entry);
    assert_string_equal(entry->message, message);
    assert_non_null(entry->span.source);
    assert_string_equal(entry->span.source->name, sg_arena_printf(&f->arena, "templates/%s", file));
    size_t at_line = 0;
    size_t at_column = 0;
    sg_source_locate(entry->span.source, entry->span.begin, &at_line, &at_column);
    assert_int_equal(at_line, line);
}

const sg_diag_entry *assert_refused(fixture *f, const char *message, const char *file, size_t line)
{
    assert_int_equal(f->out.len, 0);
    assert_int_equal(f->diag.errors, 1);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUG);
    assert_place(f, f->diag.first, message, file, line);
    return f->diag.first->next;
}
