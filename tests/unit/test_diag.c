/* Tests of diagnostics: which are kept, the exit code, and the three renderings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/diag.h"
#include "base/diag_render.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_buf out;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) {
        return -1;
    }
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    sg_arena_free(&f->arena);
    sg_buf_free(&f->out);
    free(f);
    return 0;
}

static const sg_source *source_of(fixture *f, const char *name, const char *text)
{
    return sg_source_new(&f->arena, name, text, strlen(text));
}

/* The first occurrence of a word in a source. */
static sg_span find(const sg_source *source, const char *word)
{
    const char *at = strstr(source->text, word);
    assert_non_null(at);
    size_t begin = (size_t)(at - source->text);
    return sg_span_make(source, begin, begin + strlen(word));
}

static const char *render(fixture *f, sg_color color)
{
    f->out.len = 0;
    sg_diag_render_text(&f->diag, color, &f->out);
    return f->out.ptr ? f->out.ptr : "";
}

static const char *render_json(fixture *f)
{
    f->out.len = 0;
    sg_diag_render_json(&f->diag, &f->out);
    return f->out.ptr;
}

#define assert_text(f, want) assert_string_equal(render(f, SG_COLOR_NEVER), want)

/* One error at bytes [begin, end) of a text, rendered without its first line. */
static const char *excerpt_of(fixture *f, const char *text, size_t len, size_t begin, size_t end)
{
    sg_diag_init(&f->diag, &f->arena);
    const sg_source *source = sg_source_new(&f->arena, "f", text, len);
    sg_diag_error(&f->diag, sg_span_make(source, begin, end), "m");
    const char *rendered = render(f, SG_COLOR_NEVER);
    return strchr(rendered, '\n') + 1;
}

#define assert_excerpt(f, text, begin, end, want)                                                  \
    assert_string_equal(excerpt_of(f, text, sizeof text - 1, begin, end), want)

/* --- collecting --- */

static void nothing_reported_is_nothing_printed(void **state)
{
    fixture *f = *state;
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_OK);
    assert_text(f, "");
    assert_string_equal(render_json(f), "{\"version\":1,\"diagnostics\":[],\"hiddenErrors\":0,"
                                        "\"hiddenWarnings\":0}\n");
}

static void errors_return_false_and_count(void **state)
{
    fixture *f = *state;
    const sg_source *s = source_of(f, "f", "abc");
    assert_false(sg_diag_error(&f->diag, find(s, "a"), "number %d", 1));
    assert_false(sg_diag_fail(&f->diag, SG_EXIT_BUDGET, find(s, "b"), "number %s", "2"));
    sg_diag_warn(&f->diag, find(s, "c"), "number 3");
    sg_diag_note(&f->diag, sg_span_none(), "number 4");
    assert_int_equal(f->diag.errors, 2);
    assert_int_equal(f->diag.warnings, 1);
    const sg_diag_entry *e = f->diag.first;
    assert_string_equal(e->message, "number 1");
    assert_int_equal(e->severity, SG_ERROR);
    assert_int_equal(e->exit, SG_EXIT_INPUT);
    assert_int_equal(e->span.begin, 0);
    e = e->next;
    assert_string_equal(e->message, "number 2");
    assert_int_equal(e->exit, SG_EXIT_BUDGET);
    e = e->next;
    assert_int_equal(e->severity, SG_WARNING);
    assert_int_equal(e->exit, SG_EXIT_OK);
    e = e->next;
    assert_int_equal(e->severity, SG_NOTE);
    assert_ptr_equal(e, f->diag.last);
    assert_null(e->next);
}

static void the_worst_exit_code_wins(void **state)
{
    fixture *f = *state;
    static const sg_exit rising[] = {SG_EXIT_INPUT,  SG_EXIT_STALE, SG_EXIT_USAGE,
                                     SG_EXIT_BUDGET, SG_EXIT_IO,    SG_EXIT_BUG};
    for (size_t i = 0; i < 6; i++) {
        for (size_t j = 0; j < 6; j++) {
            sg_diag_init(&f->diag, &f->arena);
            sg_diag_fail(&f->diag, rising[i], sg_span_none(), "first");
            sg_diag_warn(&f->diag, sg_span_none(), "between");
            sg_diag_fail(&f->diag, rising[j], sg_span_none(), "second");
            assert_int_equal(sg_diag_exit(&f->diag), rising[i > j ? i : j]);
        }
    }
    sg_diag_init(&f->diag, &f->arena);
    sg_diag_warn(&f->diag, sg_span_none(), "only a warning");
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_OK);
}

static void errors_beyond_the_cap_are_counted(void **state)
{
    fixture *f = *state;
    for (int i = 0; i < 23; i++) {
        sg_diag_error(&f->diag, sg_span_none(), "error %d", i);
        sg_diag_note(&f->diag, sg_span_none(), "note %d", i);
    }
    sg_diag_fail(&f->diag, SG_EXIT_BUG, sg_span_none(), "hidden, but it decides the exit code");
    assert_int_equal(f->diag.errors, 24);
    assert_int_equal(f->diag.kept_errors, 20);
    assert_int_equal(f->diag.hidden_errors, 4);
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUG);
    const char *text = render(f, SG_COLOR_NEVER);
    assert_non_null(strstr(text, "splitgen: error: error 19\nsplitgen: note: note 19\n"
                                 "splitgen: 4 more errors not shown\n"));
    assert_null(strstr(text, "error 20"));
    assert_null(strstr(text, "note 20"));
    sg_diag_warn(&f->diag, sg_span_none(), "warnings have a cap of their own");
    sg_diag_note(&f->diag, sg_span_none(), "and their notes");
    text = render(f, SG_COLOR_NEVER);
    assert_non_null(strstr(text, "splitgen: warning: warnings have a cap of their own\n"
                                 "splitgen: note: and their notes\n"
                                 "splitgen: 4 more errors not shown\n"));
}

static void caps_can_be_set(void **state)
{
    fixture *f = *state;
    f->diag.max_errors = 1;
    f->diag.max_warnings = 1;
    for (int i = 0; i < 3; i++) {
        sg_diag_warn(&f->diag, sg_span_none(), "w%d", i);
        sg_diag_note(&f->diag, sg_span_none(), "n%d", i);
    }
    sg_diag_error(&f->diag, sg_span_none(), "e0");
    sg_diag_error(&f->diag, sg_span_none(), "e1");
    assert_text(f, "splitgen: warning: w0\n"
                   "splitgen: note: n0\n"
                   "splitgen: error: e0\n"
                   "splitgen: 1 more error not shown\n"
                   "splitgen: 2 more warnings not shown\n");
    sg_diag_init(&f->diag, &f->arena);
    f->diag.max_errors = 0; /* no cap */
    for (int i = 0; i < 200; i++) {
        sg_diag_error(&f->diag, sg_span_none(), "e%d", i);
    }
    assert_int_equal(f->diag.kept_errors, 200);
    assert_int_equal(f->diag.hidden_errors, 0);
}

static void exact_duplicates_are_reported_once(void **state)
{
    fixture *f = *state;
    const sg_source *s = source_of(f, "f", "ab");
    sg_diag_error(&f->diag, find(s, "a"), "same");
    sg_diag_note(&f->diag, find(s, "b"), "why");
    sg_diag_note(&f->diag, find(s, "b"), "why"); /* twice below the same error */
    size_t before = f->diag.errors;
    sg_diag_error(&f->diag, find(s, "a"), "same");
    sg_diag_note(&f->diag, find(s, "b"), "goes with the duplicate");
    assert_true(f->diag.errors > before); /* a caller that counts errors still sees a failure */
    sg_diag_error(&f->diag, find(s, "b"), "same"); /* another place */
    sg_diag_note(&f->diag, find(s, "b"), "why");   /* below another error */
    sg_diag_error(&f->diag, find(s, "ab"), "same");
    sg_diag_error(&f->diag, find(s, "a"), "other");
    sg_diag_warn(&f->diag, find(s, "a"), "same"); /* another severity */
    sg_diag_warn(&f->diag, find(s, "a"), "same");
    assert_text(f, "f:1:1: error: same\n    1 | ab\n      | ^\n"
                   "f:1:2: note: why\n    1 | ab\n      |  ^\n"
                   "f:1:2: error: same\n    1 | ab\n      |  ^\n"
                   "f:1:2: note: why\n    1 | ab\n      |  ^\n"
                   "f:1:1: error: same\n    1 | ab\n      | ^~\n"
                   "f:1:1: error: other\n    1 | ab\n      | ^\n"
                   "f:1:1: warning: same\n    1 | ab\n      | ^\n");
    assert_int_equal(f->diag.kept_errors, 4);
    assert_int_equal(f->diag.hidden_errors, 0);
}

/* --- text --- */

static const char qkv[] = "return split {\n"
                          "  name = \"qkv\",\n"
                          "  shape = { 1, 1024, 2304 },\n"
                          "  axis = 2,\n"
                          "  lengths = { 768, 768, 764 },\n"
                          "}\n";

static void text_is_place_message_excerpt_and_caret(void **state)
{
    fixture *f = *state;
    const sg_source *s = source_of(f, "qkv.lua", qkv);
    sg_diag_error(&f->diag, find(s, "{ 768, 768, 764 }"), "lengths sum to %d, but axis %d has %d",
                  2300, 2, 2304);
    sg_diag_note(&f->diag, find(s, "{ 1, 1024, 2304 }"), "the shape is given here");
    sg_diag_fail(&f->diag, SG_EXIT_USAGE, sg_span_none(), "no input; give a spec or '-e'");
    assert_text(f, "qkv.lua:5:13: error: lengths sum to 2300, but axis 2 has 2304\n"
                   "    5 |   lengths = { 768, 768, 764 },\n"
                   "      |             ^~~~~~~~~~~~~~~~~\n"
                   "qkv.lua:3:11: note: the shape is given here\n"
                   "    3 |   shape = { 1, 1024, 2304 },\n"
                   "      |           ^~~~~~~~~~~~~~~~~\n"
                   "splitgen: error: no input; give a spec or '-e'\n");
}

static void colours_wrap_place_severity_and_caret(void **state)
{
    fixture *f = *state;
    const sg_source *s = source_of(f, "f", "  ab");
    sg_diag_error(&f->diag, find(s, "ab"), "m");
    sg_diag_warn(&f->diag, sg_span_none(), "w");
    sg_diag_note(&f->diag, find(s, "b"), "n");
    assert_string_equal(render(f, SG_COLOR_ALWAYS),
                        "\033[01mf:1:3:\033[m \033[01;31merror:\033[m m\n"
                        "    1 |   ab\n"
                        "      |   \033[01;31m^~\033[m\n"
                        "\033[01msplitgen:\033[m \033[01;35mwarning:\033[m w\n"
                        "\033[01mf:1:4:\033[m \033[01;36mnote:\033[m n\n"
                        "    1 |   ab\n"
                        "      |    \033[01;36m^\033[m\n");
}

static void carets_mark_any_place_of_a_line(void **state)
{
    fixture *f = *state;
    assert_excerpt(f, "abc", 0, 3, "    1 | abc\n      | ^~~\n");
    assert_excerpt(f, "abc", 2, 3, "    1 | abc\n      |   ^\n");
    assert_excerpt(f, "abc", 1, 1, "    1 | abc\n      |  ^\n");
    assert_excerpt(f, "abc", 3, 3, "    1 | abc\n      |    ^\n"); /* the end of the file */
    assert_excerpt(f, "abc\n", 3, 4, "    1 | abc\n      |    ^\n");
    assert_excerpt(f, "abc\n", 4, 4, "    2 | \n      | ^\n");
    assert_excerpt(f, "", 0, 0, "    1 | \n      | ^\n");
    assert_excerpt(f, "\n\n", 1, 1, "    2 | \n      | ^\n");
}

static void a_span_over_lines_is_marked_to_the_end_of_its_first(void **state)
{
    fixture *f = *state;
    assert_excerpt(f, "x = {\n1,\n}\n", 4, 10, "    1 | x = {\n      |     ^\n");
    assert_excerpt(f, "x = { 1,\n}\n", 4, 10, "    1 | x = { 1,\n      |     ^~~~\n");
    assert_excerpt(f, "x = { 1,\r\n}\r\n", 4, 11, "    1 | x = { 1,\n      |     ^~~~\n");
    assert_excerpt(f, "ab\r\ncd", 2, 4, "    1 | ab\n      |   ^\n");
    assert_excerpt(f, "ab\r\ncd", 3, 6, "    1 | ab\n      |   ^\n"); /* between \r and \n */
    assert_excerpt(f, "ab\r\ncd\r\n", 4, 6, "    2 | cd\n      | ^~\n");
}

static void tabs_are_copied_below(void **state)
{
    fixture *f = *state;
    assert_excerpt(f, "\tx = 1", 5, 6, "    1 | \tx = 1\n      | \t    ^\n");
    assert_excerpt(f, "a\tb\tc", 2, 5, "    1 | a\tb\tc\n      |  \t^\t~\n");
    /* A caret at a tab is in its first column; the tab still ends at the same stop. */
    assert_excerpt(f, "ab\tc", 2, 4, "    1 | ab\tc\n      |   ^\t~\n");
    /* After seven columns the tab is one column wide: the caret fills it. */
    assert_excerpt(f, "abcdefg\tc", 7, 9, "    1 | abcdefg\tc\n      |        ^~\n");
    assert_excerpt(f, "abcdefgh\tc", 8, 10, "    1 | abcdefgh\tc\n      |         ^\t~\n");
    assert_excerpt(f,
                   "\xE6\xBC\xA2"
                   "abcde\tx",
                   8, 10,
                   "    1 | \xE6\xBC\xA2"
                   "abcde\tx\n      |        ^~\n");
    /* After a gutter of nine columns the tab is seven columns wide. */
    char far[100010];
    memset(far, '\n', 100000);
    memcpy(far + 100000, "123456\tx", 8);
    assert_string_equal(excerpt_of(f, far, 100008, 100006, 100008),
                        "100001 | 123456\tx\n       |       ^~\n");
    /* Nothing after the span. */
    assert_excerpt(f, "a\tb", 0, 1, "    1 | a\tb\n      | ^\n");
}

static void carets_count_columns_of_the_screen(void **state)
{
    fixture *f = *state;
    assert_excerpt(f, "\xC3\xA9\xC3\xA9 = x", 7, 8,
                   "    1 | \xC3\xA9\xC3\xA9 = x\n      |      ^\n");
    assert_excerpt(f, "\xE6\xBC\xA2 x", 4, 5, "    1 | \xE6\xBC\xA2 x\n      |    ^\n");
    assert_excerpt(f, "\xE6\xBC\xA2 x", 0, 3, "    1 | \xE6\xBC\xA2 x\n      | ^~\n");
    /* e with a combining acute accent takes one column. */
    assert_excerpt(f, "e\xCC\x81x", 3, 4, "    1 | e\xCC\x81x\n      |  ^\n");
    assert_excerpt(f, "e\xCC\x81x", 0, 4, "    1 | e\xCC\x81x\n      | ^~\n");
    assert_excerpt(f, "e\xCC\x81x", 1, 3, "    1 | e\xCC\x81x\n      |  ^\n");
    /* A span into the middle of a character marks the character. */
    assert_excerpt(f, "a\xE6\xBC\xA2z", 2, 3, "    1 | a\xE6\xBC\xA2z\n      |  ^~\n");
    /* The printed column still counts bytes. */
    sg_diag_init(&f->diag, &f->arena);
    const sg_source *s = source_of(f, "f", "\xC3\xA9 = x");
    sg_diag_error(&f->diag, find(s, "x"), "m");
    assert_non_null(strstr(render(f, SG_COLOR_NEVER), "f:1:6: error: m\n"));
}

static void nothing_of_the_user_controls_the_terminal(void **state)
{
    fixture *f = *state;
    assert_excerpt(f, "a\0b", 2, 3, "    1 | a\\x00b\n      |      ^\n");
    assert_excerpt(f, "\x1b[31m", 0, 1, "    1 | \\x1b[31m\n      | ^~~~\n");
    assert_excerpt(f, "a\rb", 2, 3, "    1 | a\\x0db\n      |      ^\n");
    assert_excerpt(f, "\xFF\xC3(", 2, 3, "    1 | \\xff\\xc3(\n      |         ^\n");
    assert_excerpt(f, "\xE2\x80\xAEx", 3, 4, "    1 | \\u{202e}x\n      |         ^\n");
    assert_excerpt(f,
                   "\xC2\x9B"
                   "1m",
                   2, 3, "    1 | \\u{009b}1m\n      |         ^\n");
    assert_excerpt(f, "\x7F", 0, 1, "    1 | \\x7f\n      | ^~~~\n");
    sg_diag_init(&f->diag, &f->arena);
    const sg_source *s = source_of(f, "a\nb\x1b.lua", "x");
    sg_diag_error(&f->diag, find(s, "x"), "unknown field '%s'", "a\x1b[2J\n\xFE\xE2\x80\xAEz");
    assert_text(f, "a\\x0ab\\x1b.lua:1:1: error: unknown field 'a\\x1b[2J\\x0a\\xfe\\u{202e}z'\n"
                   "    1 | x\n      | ^\n");
}

/* A line of len 'a' with the digits of its own offset every ten bytes. */
static char *long_line(fixture *f, size_t len)
{
    char *line = sg_arena_alloc(&f->arena, len + 1);
    memset(line, 'a', len);
    for (size_t i = 0; i + 10 <= len; i += 10) {
        char digits[24];
        int n = snprintf(digits, sizeof digits, "%zu", i);
        memcpy(line + i, digits, (size_t)n);
    }
    return line;
}

static void very_long_lines_are_shown_around_the_span(void **state)
{
    fixture *f = *state;
    const char *line = long_line(f, 160);
    const char *text = excerpt_of(f, line, 160, 150, 153);
    assert_null(strstr(text, "...")); /* still shown complete */

    line = long_line(f, 5000);
    text = excerpt_of(f, line, 5000, 2000, 2004);
    assert_memory_equal(text, "    1 | ...1950aaaaaa", 21);
    const char *below = strchr(text, '\n') + 1;
    assert_memory_equal(below - 4, "...\n", 4);
    assert_int_equal(below - text, 8 + 3 + 140 + 3 + 1);
    size_t column = (size_t)(strchr(below, '^') - below);
    assert_memory_equal(text + column, "2000", 4);
    assert_string_equal(below + column, "^~~~\n");

    text = excerpt_of(f, line, 5000, 3, 5); /* at the start: nothing cut before */
    assert_memory_equal(text, "    1 | 0aaaaaaaaa10", 20);
    assert_non_null(strstr(text, "...\n      |    ^~\n"));

    text = excerpt_of(f, line, 5000, 4995, 5000); /* at the end: nothing cut after */
    below = strchr(text, '\n') + 1;
    assert_memory_equal(text, "    1 | ...4860", 15);
    assert_memory_equal(below - 11, "4990aaaaaa\n", 11);
    assert_string_equal(strchr(below, '^'), "^~~~~\n");
    assert_int_equal(strchr(below, '^') - below, below - text - 1 - 5);

    text = excerpt_of(f, line, 5000, 5000, 5000); /* after the last byte */
    below = strchr(text, '\n') + 1;
    assert_string_equal(strchr(below, '^'), "^\n");
    assert_int_equal(strchr(below, '^') - below, below - text - 1);

    text = excerpt_of(f, line, 5000, 2000, 4000); /* longer than the window */
    below = strchr(text, '\n') + 1;
    assert_int_equal(strlen(below), (size_t)(below - text)); /* marked up to the last dot */
    assert_memory_equal(below + strlen(below) - 4, "~~~\n", 4);
}

static void windows_are_cut_between_characters(void **state)
{
    fixture *f = *state;
    char text[600];
    for (size_t begin = 200; begin < 206; begin++) {
        for (size_t i = 0; i < 600; i += 3) {
            memcpy(text + i, "\xE2\x82\xAC", 3); /* the euro sign */
        }
        const char *rendered = excerpt_of(f, text, 600, begin, begin + 1);
        assert_null(strstr(rendered, "\\x")); /* no half character remains to escape */
    }
    /* The last character extends beyond the window: nothing remains to be cut. */
    memset(text, 'a', 600);
    memcpy(text + 197, "\xE2\x82\xAC", 3);
    assert_null(strstr(excerpt_of(f, text, 200, 108, 109), "\xAC..."));
    memset(text, 0x80, 600); /* not UTF-8 at all: still cut */
    const char *rendered = excerpt_of(f, text, 600, 300, 301);
    assert_true(strlen(rendered) < 2000);
    assert_non_null(strstr(rendered, "...\\x80"));
}

static void line_numbers_may_be_wide(void **state)
{
    fixture *f = *state;
    size_t lines = 123455;
    char *text = malloc(lines + 2);
    assert_non_null(text);
    memset(text, '\n', lines);
    memcpy(text + lines, "ab", 2);
    assert_string_equal(excerpt_of(f, text, lines + 2, 99998, 99998), "99999 | \n      | ^\n");
    assert_string_equal(excerpt_of(f, text, lines + 2, lines + 1, lines + 2),
                        "123456 | ab\n       |  ^\n");
    free(text);
}

/* --- JSON --- */

static void json_holds_every_field(void **state)
{
    fixture *f = *state;
    const sg_source *s = source_of(f, "q\"kv.lua", qkv);
    sg_diag_error(&f->diag, find(s, "{ 768, 768, 764 },\n}"), "not '%s'", "a\\b");
    sg_diag_note(&f->diag, find(s, "{ 1, 1024, 2304 }"), "here");
    sg_diag_note(&f->diag, sg_span_none(), "anywhere");
    sg_diag_warn(&f->diag, sg_span_none(), "careful");
    assert_string_equal(
        render_json(f),
        "{\"version\":1,\"diagnostics\":[\n"
        "{\"severity\":\"error\",\"message\":\"not 'a\\\\b'\",\"file\":\"q\\\"kv.lua\",\"line\":5,"
        "\"column\":13,\"endLine\":6,\"endColumn\":2,"
        "\"excerpt\":\"  lengths = { 768, 768, 764 },\",\"rule\":\"input\",\"ops\":[],"
        "\"notes\":["
        "{\"severity\":\"note\",\"message\":\"here\",\"file\":\"q\\\"kv.lua\",\"line\":3,"
        "\"column\":11,\"endLine\":3,\"endColumn\":28,"
        "\"excerpt\":\"  shape = { 1, 1024, 2304 },\"},"
        "{\"severity\":\"note\",\"message\":\"anywhere\",\"file\":null,\"line\":null,"
        "\"column\":null,\"endLine\":null,\"endColumn\":null}]},\n"
        "{\"severity\":\"warning\",\"message\":\"careful\",\"file\":null,\"line\":null,"
        "\"column\":null,\"endLine\":null,\"endColumn\":null,\"rule\":\"input\",\"ops\":[],"
        "\"notes\":[]}\n"
        "],\"hiddenErrors\":0,\"hiddenWarnings\":0}\n");
}

/* A strict JSON reader (RFC 8259); returns the first byte after the value, or NULL. */
static const char *skip_value(const char *p);

static const char *skip_blank(const char *p)
{
    while (p && (*p == ' ' || *p == '\n' || *p == '\t' || *p == '\r')) {
        p++;
    }
    return p;
}

static const char *skip_string(const char *p)
{
    if (!p || *p++ != '"') {
        return NULL;
    }
    while (*p != '"') {
        if ((unsigned char)*p < 0x20) {
            return NULL; /* the end of the text too */
        }
        if (*p == '\\') {
            p++;
            if (*p == 'u') {
                if (strspn(p + 1, "0123456789abcdefABCDEF") < 4) {
                    return NULL;
                }
                p += 4;
            } else if (!*p || !strchr("\"\\/bfnrt", *p)) {
                return NULL;
            }
        }
        p++;
    }
    return p + 1;
}

static const char *skip_list(const char *p, bool object)
{
    char close = object ? '}' : ']';
    p = skip_blank(p + 1);
    if (*p == close) {
        return p + 1;
    }
    for (;;) {
        if (object) {
            p = skip_blank(skip_string(skip_blank(p)));
            if (!p || *p++ != ':') {
                return NULL;
            }
        }
        p = skip_blank(skip_value(skip_blank(p)));
        if (!p || (*p != ',' && *p != close)) {
            return NULL;
        }
        if (*p++ == close) {
            return p;
        }
    }
}

static const char *skip_value(const char *p)
{
    static const char *const words[] = {"true", "false", "null"};
    if (!p) {
        return NULL;
    }
    if (*p == '{' || *p == '[') {
        return skip_list(p, *p == '{');
    }
    if (*p == '"') {
        return skip_string(p);
    }
    for (size_t i = 0; i < 3; i++) {
        if (strncmp(p, words[i], strlen(words[i])) == 0) {
            return p + strlen(words[i]);
        }
    }
    size_t digits = strspn(p, "0123456789");
    return digits == 0 || (digits > 1 && *p == '0') ? NULL : p + digits;
}

static bool is_json(const char *text)
{
    const char *end = skip_blank(skip_value(skip_blank(text)));
    return end && *end == '\0';
}

static void the_reader_of_this_test_is_strict(void **state)
{
    (void)state;
    assert_true(is_json("{\"a\":[1,{},[],null],\"b\":\"\\u001f\\n\"}\n"));
    const char *const wrong[] = {"",      "{",           "[1,]", "{\"a\":1,}", "{a:1}",
                                 "[1 2]", "\"\n\"",      "[01]", "\"\\x1\"",   "{}}",
                                 "\"a",   "\"\\u12g4\"", "nul",  "{\"a\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(is_json(wrong[i]));
    }
}

/* The three forms stay valid for any bytes in a user's file, its name and the messages. */
static void renderings_survive_any_bytes(void **state)
{
    fixture *f = *state;
    uint32_t seed = 12345;
    for (int round = 0; round < 400; round++) {
        static const char palette[] = "a \t\n\r\"\\{}\x01\x1b\x7f\x80\xC3\xA9\xE2\x82\xAC\xF0\x9F"
                                      "\x98\x80\xFF";
        char text[400];
        char name[12];
        size_t len = 0;
        sg_diag_init(&f->diag, &f->arena);
        for (size_t i = 0; i < sizeof text; i++) {
            seed = seed * 1664525 + 1013904223;
            text[i] = palette[(seed >> 16) % (sizeof palette)]; /* its NUL too */
            len = (seed >> 8) % sizeof text;
        }
        for (size_t i = 0; i < sizeof name - 1; i++) {
            seed = seed * 1664525 + 1013904223;
            name[i] = palette[(seed >> 16) % (sizeof palette - 1)];
        }
        name[sizeof name - 1] = '\0';
        const sg_source *s = sg_source_new(&f->arena, name, text, len);
        for (int i = 0; i < 8; i++) {
            seed = seed * 1664525 + 1013904223;
            size_t begin = (seed >> 8) % 420;
            size_t end = begin + (seed >> 20) % 20;
            if (i % 3 == 2) {
                sg_diag_note(&f->diag, sg_span_make(s, begin, end), "%s", name);
            } else {
                sg_diag_error(&f->diag, sg_span_make(s, begin, end), "%s", name + i);
            }
        }
        assert_true(is_json(render_json(f)));
        const char *rendered = render(f, SG_COLOR_NEVER);
        for (const unsigned char *p = (const unsigned char *)rendered; *p; p++) {
            assert_true(*p >= 0x20 || *p == '\n' || *p == '\t');
            assert_true(*p != 0x7F && *p != 0xFF);
        }
        /* Every line of carets ends with one. */
        for (const char *p = strstr(rendered, "      | "); p; p = strstr(p, "      | ")) {
            const char *end = strchr(p, '\n');
            assert_true(end[-1] == '^' || end[-1] == '~' || end[-1] == '\t');
            assert_true(memchr(p, '^', (size_t)(end - p)) != NULL);
            p = end;
        }
    }
}

/* --- places in binaries --- */

static void binaries_have_offsets_and_no_excerpt(void **state)
{
    fixture *f = *state;
    sg_source *source = sg_source_binary(&f->arena, "m\x1b.onnx", 100);
    sg_diag_error(&f->diag, sg_span_make(source, 12, 20), "wrong");
    sg_diag_note(&f->diag, sg_span_make(source, 90, 200), "see here");
    assert_text(f, "m\\x1b.onnx: byte 12: error: wrong\n"
                   "m\\x1b.onnx: byte 90: note: see here\n");
    assert_string_equal(render(f, SG_COLOR_ALWAYS),
                        "\033[01mm\\x1b.onnx: byte 12:\033[m \033[01;31merror:\033[m wrong\n"
                        "\033[01mm\\x1b.onnx: byte 90:\033[m \033[01;36mnote:\033[m see here\n");
    const char *json = render_json(f);
    assert_true(is_json(json));
    assert_non_null(strstr(json, "\"file\":\"m\\u001b.onnx\",\"line\":null,\"column\":null,"
                                 "\"endLine\":null,\"endColumn\":null,\"byte\":12,\"endByte\":20,"
                                 "\"rule\":\"input\""));
    assert_non_null(strstr(json, "\"byte\":90,\"endByte\":100}"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_reported_is_nothing_printed),
        TEST(errors_return_false_and_count),
        TEST(the_worst_exit_code_wins),
        TEST(errors_beyond_the_cap_are_counted),
        TEST(caps_can_be_set),
        TEST(exact_duplicates_are_reported_once),
        TEST(text_is_place_message_excerpt_and_caret),
        TEST(colours_wrap_place_severity_and_caret),
        TEST(carets_mark_any_place_of_a_line),
        TEST(a_span_over_lines_is_marked_to_the_end_of_its_first),
        TEST(tabs_are_copied_below),
        TEST(carets_count_columns_of_the_screen),
        TEST(nothing_of_the_user_controls_the_terminal),
        TEST(very_long_lines_are_shown_around_the_span),
        TEST(windows_are_cut_between_characters),
        TEST(line_numbers_may_be_wide),
        TEST(json_holds_every_field),
        TEST(the_reader_of_this_test_is_strict),
        TEST(renderings_survive_any_bytes),
        TEST(binaries_have_offsets_and_no_excerpt),
    };
    return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
