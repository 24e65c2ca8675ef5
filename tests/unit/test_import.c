/* Templates that import others: the output, and the file and line that an error names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "template_fixture.h"

static bool render(fixture *f, const char *template)
{
    sg_diag_init(&f->diag, &f->arena);
    memset(&f->files, 0, sizeof f->files);
    const sg_emit_options options = {.template_dir = f->dir, .files = &f->files};
    write_file(f, "t.tmpl", template);
    f->out.len = 0;
    return sg_emit(&f->arena, &f->diag, &options, "t.tmpl", &f->unit, &f->out);
}

static void renders(fixture *f, const char *template, const char *expected)
{
    if (!render(f, template)) {
        fail_msg("%s", f->diag.first->message);
    }
    assert_string_equal(f->out.len > 0 ? f->out.ptr : "", expected);
}

/* Expects one error at line:column of the file; returns the notes that follow it. */
static const sg_diag_entry *refuses(fixture *f, const char *template, const char *message,
                                    const char *file, size_t line, size_t column)
{
    assert_false(render(f, template));
    return assert_refused(f, SG_EXIT_INPUT, message, file, line, column);
}

static void gives_what_a_template_returns(void **state)
{
    fixture *f = *state;
    write_file(f, "a.tmpl",
               "$ local function hello(x)\nhello ${x}\n$ end\n$ return {hello = hello, n = 3}\n");
    renders(f, "$ local a = import('a.tmpl')\n<\n$ a.hello(a.n)\n>\n", "<\nhello 3\n>\n");
    renders(f, "${import('a.tmpl').n}", "3");
    write_file(f, "a.tmpl", "text");
    renders(f, "<${tostring(import('a.tmpl'))}>", "text<nil>");
}

static void runs_a_template_once(void **state)
{
    fixture *f = *state;
    write_file(f, "a.tmpl", "a\n$ import('b.tmpl')\n$ return {}\n");
    write_file(f, "b.tmpl", "b\n$ return {n = 1}\n");
    renders(f,
            "$ local a, b = import('a.tmpl'), import('b.tmpl')\n"
            "$ b.n = 2\n"
            "${tostring(a == import('a.tmpl'))} ${import('b.tmpl').n}\n",
            "a\nb\ntrue 2\n");
    assert_int_equal(f->files.count, 3);
    assert_string_equal(f->files.items[0].path, path_of(f, "t.tmpl"));
    assert_string_equal(f->files.items[1].path, path_of(f, "a.tmpl"));
    assert_string_equal(f->files.items[2].path, path_of(f, "b.tmpl"));
}

static void indents_every_line_that_is_not_empty(void **state)
{
    fixture *f = *state;
    renders(f, "a\n$ indent(2)\nb ${1}\n\n${2}${'c\\nd'}\n$ indent(-2)\n ${3}\n",
            "a\n  b 1\n\n  2c\n  d\n 3\n");
    renders(f, "$ indent(-4)\n        a ${1}\n  b\n$ indent(4)\n    c\n", "    a 1\nb\n    c\n");
    refuses(f, "$ indent(2)\n$ indent(-83)\n",
            "indent(-83) behind 2 spaces; there can be -80 to 80", "t.tmpl", 2, 1);
    refuses(f, "$ indent(81)\n", "indent(81) behind 0 spaces; there can be -80 to 80", "t.tmpl", 1,
            1);
}

static void finds_built_in_templates_and_their_replacements(void **state)
{
    fixture *f = *state;
    renders(f, "${type(import('functions.c.tmpl').functions)}", "function");
    assert_int_equal(f->files.count, 1);
    write_file(f, "functions.c.tmpl", "$ return 'mine'\n");
    renders(f, "${import('functions.c.tmpl')}", "mine");
    assert_int_equal(f->files.count, 2);
}

static void names_the_line_of_the_imported_file(void **state)
{
    fixture *f = *state;
    const char *use = "\n$ local a = import('a.tmpl')\n\n$ a.go(nil)\n";
    write_file(f, "a.tmpl", "$ local function go(x)\n  - ${1} ${x}\n$ end\n$ return {go = go}\n");
    const sg_diag_entry *note =
        refuses(f, use, "the value is nil; only strings and integers become text", "a.tmpl", 2, 10);
    assert_place(f, note, "called from here", "t.tmpl", 4, 1);
    assert_null(note->next);

    write_file(f, "a.tmpl",
               "$ local function go(x)\n$ return (shape(x))\n$ end\n$ return {go = go}");
    note = refuses(f, use, "attempt to index a nil value", "a.tmpl", 2, 1);
    assert_string_equal(note->message, "in a function called from there");
    assert_string_equal(note->span.source->name, "templates/prelude.lua");
    assert_place(f, note->next, "called from here", "t.tmpl", 4, 1);

    write_file(f, "a.tmpl", "\n$ x = 1\n");
    note = refuses(f, use, "variable 'x' is not local", "a.tmpl", 2, 1);
    assert_place(f, note, "called from here", "t.tmpl", 2, 1);
}

static void names_the_line_of_an_imported_file_that_is_no_template(void **state)
{
    fixture *f = *state;
    const char *use = "\n$ import('b.tmpl')\n";
    write_file(f, "b.tmpl", "$ import('a.tmpl')\n");
    static const struct {
        const char *text;
        const char *message;
        size_t line;
        size_t column;
    } cases[] = {
        {"x\n  ${1\n", "'${' is not closed on this line", 2, 3},
        {"${1} ${1 +}", "unexpected symbol near ')'", 1, 6},
        {"a\n  $ local x = = 1\nb\n", "unexpected symbol near '='", 2, 3},
        {"$ return {}\nbehind\n", "<eof> expected near '_emit'", 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        write_file(f, "a.tmpl", cases[i].text);
        const sg_diag_entry *note =
            refuses(f, use, cases[i].message, "a.tmpl", cases[i].line, cases[i].column);
        assert_place(f, note, "imported here", "b.tmpl", 1, 1);
        assert_place(f, note->next, "imported here", "t.tmpl", 2, 1);
        assert_null(note->next->next);
    }
}

static void refuses_circles(void **state)
{
    fixture *f = *state;
    refuses(f, "$ import('t.tmpl')\n",
            "templates import each other in a circle: 't.tmpl', 't.tmpl'", "t.tmpl", 1, 1);
    write_file(f, "a.tmpl", "\n$ import('b.tmpl')\n");
    write_file(f, "b.tmpl", "\n\n$ import('a.tmpl')\n");
    const sg_diag_entry *note = refuses(
        f, "$ import('a.tmpl')\n",
        "templates import each other in a circle: 'a.tmpl', 'b.tmpl', 'a.tmpl'", "b.tmpl", 3, 1);
    assert_place(f, note, "called from here", "a.tmpl", 2, 1);
    assert_place(f, note->next, "called from here", "t.tmpl", 1, 1);
}

static void refuses_what_is_no_template(void **state)
{
    fixture *f = *state;
    refuses(f, "$ import('c.tmpl')", "there is no template 'c.tmpl'", "t.tmpl", 1, 1);
    refuses(f, "$ import(1)", "import takes the name of a template, not a number", "t.tmpl", 1, 1);
    refuses(f, "$ import()", "import takes the name of a template, not a no value", "t.tmpl", 1, 1);
    static const char *const names[] = {"../a.tmpl",   "/a.tmpl", ".tmpl", ".a.tmpl",
                                        "prelude.lua", "a.tmpl/", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        refuses(f, sg_arena_printf(&f->arena, "$ import('%s')", names[i]),
                sg_arena_printf(&f->arena,
                                "'%s' is not the name of a template: letters, digits, '_', '-' and "
                                "'.', ending in '.tmpl'",
                                names[i]),
                "t.tmpl", 1, 1);
    }
    refuses(f, "$ import('a.tmpl\\0.tmpl')",
            "'a.tmpl' is not the name of a template: letters, digits, '_', '-' and '.', ending in "
            "'.tmpl'",
            "t.tmpl", 1, 1);
}

static void shares_the_sandbox(void **state)
{
    fixture *f = *state;
    write_file(f, "a.tmpl", "$ return {tostring(unit.stem), type(math.random or 1)}\n");
    renders(f, "${join(import('a.tmpl'))}", "kernels, number");
    write_file(f, "a.tmpl", "$ while true do\n$ end\n");
    assert_false(render(f, "$ import('a.tmpl')\n"));
    assert_int_equal(sg_diag_exit(&f->diag), SG_EXIT_BUDGET);
    assert_string_equal(f->diag.first->span.source->name, path_of(f, "a.tmpl"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(gives_what_a_template_returns),
        TEST(runs_a_template_once),
        TEST(indents_every_line_that_is_not_empty),
        TEST(finds_built_in_templates_and_their_replacements),
        TEST(names_the_line_of_the_imported_file),
        TEST(names_the_line_of_an_imported_file_that_is_no_template),
        TEST(refuses_circles),
        TEST(refuses_what_is_no_template),
        TEST(shares_the_sandbox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#undef TEST
}
