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
    set_template(f, "t.tmpl", template);
    f->out.len = 0;
    return sg_emit(&f->arena, &f->diag, &f->watch, "t.tmpl", &f->unit, &f->out);
}

static void renders(fixture *f, const char *template, const char *expected)
{
    if (!render(f, template)) {
        fail_msg("%s", f->diag.first->message);
    }
    assert_string_equal(f->out.len > 0 ? f->out.ptr : "", expected);
}

/* Expects one error at a line of the file; returns the notes that follow it. */
static const sg_diag_entry *refuses(fixture *f, const char *template, const char *message,
                                    const char *file, size_t line)
{
    assert_false(render(f, template));
    return assert_refused(f, message, file, line);
}

static void gives_what_a_template_returns(void **state)
{
    fixture *f = *state;
    set_template(f, "a.tmpl",
                 "$ local function hello(x)\nhello ${x}\n$ end\n$ return {hello = hello, n = 3}\n");
    renders(f, "$ local a = import('a.tmpl')\n<\n$ a.hello(a.n)\n>\n", "<\nhello 3\n>\n");
    renders(f, "${import('a.tmpl').n}", "3");
    set_template(f, "a.tmpl", "text");
    renders(f, "<${tostring(import('a.tmpl'))}>", "text<nil>");
}

static void runs_a_template_once(void **state)
{
    fixture *f = *state;
    set_template(f, "a.tmpl", "a\n$ import('b.tmpl')\n$ return {}\n");
    set_template(f, "b.tmpl", "b\n$ return {n = 1}\n");
    renders(f,
            "$ local a, b = import('a.tmpl'), import('b.tmpl')\n"
            "$ b.n = 2\n"
            "${tostring(a == import('a.tmpl'))} ${import('b.tmpl').n}\n",
            "a\nb\ntrue 2\n");
}

static void indents_every_line_that_is_not_empty(void **state)
{
    fixture *f = *state;
    renders(f, "a\n$ indent(2)\nb ${1}\n\n${2}${'c\\nd'}\n$ indent(-2)\n ${3}\n",
            "a\n  b 1\n\n  2c\n  d\n 3\n");
    renders(f, "$ indent(-4)\n        a ${1}\n  b\n$ indent(4)\n    c\n", "    a 1\nb\n    c\n");
}

static void finds_built_in_templates_and_their_replacements(void **state)
{
    fixture *f = *state;
    renders(f, "${type(import('choices.c.tmpl').print)}", "function");
    set_template(f, "choices.c.tmpl", "$ return 'mine'\n");
    renders(f, "${import('choices.c.tmpl')}", "mine");
}

static void names_the_line_of_the_imported_file(void **state)
{
    fixture *f = *state;
    const char *use = "\n$ local a = import('a.tmpl')\n\n$ a.go(nil)\n";
    set_template(f, "a.tmpl", "$ local function go(x)\n  - ${1} ${x}\n$ end\n$ return {go = go}\n");
    const sg_diag_entry *note =
        refuses(f, use, "the value is a nil; only strings and integers become text", "a.tmpl", 2);
    assert_place(f, note, "called from here", "t.tmpl", 4);
    assert_null(note->next);

    set_template(f, "a.tmpl",
                 "$ local function go(x)\n$ return (shape(x))\n$ end\n$ return {go = go}");
    note = refuses(f, use, "attempt to index a nil value", "prelude.lua", 209);
    assert_place(f, note, "called from here", "a.tmpl", 2);
    assert_place(f, note->next, "called from here", "t.tmpl", 4);

    set_template(f, "a.tmpl", "\n$ x = 1\n");
    note = refuses(f, use, "variable 'x' is not local", "a.tmpl", 2);
    assert_place(f, note, "called from here", "t.tmpl", 2);
}

static void names_the_line_of_an_imported_file_that_is_no_template(void **state)
{
    fixture *f = *state;
    const char *use = "\n$ import('b.tmpl')\n";
    set_template(f, "b.tmpl", "$ import('a.tmpl')\n");
    static const struct {
        const char *text;
        const char *message;
        size_t line;
    } cases[] = {
        {"x\n  ${1\n", "'${' is not closed on this line", 2},
        {"${1} ${1 +}", "unexpected symbol near ')'", 1},
        {"a\n  $ local x = = 1\nb\n", "unexpected symbol near '='", 2},
        {"$ return {}\nbehind\n", "<eof> expected near '_emit'", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        set_template(f, "a.tmpl", cases[i].text);
        const sg_diag_entry *note = refuses(f, use, cases[i].message, "a.tmpl", cases[i].line);
        assert_place(f, note, "called from here", "b.tmpl", 1);
        assert_place(f, note->next, "called from here", "t.tmpl", 2);
        assert_null(note->next->next);
    }
}

static void refuses_circles(void **state)
{
    fixture *f = *state;
    set_template(f, "a.tmpl", "\n$ import('b.tmpl')\n");
    set_template(f, "b.tmpl", "\n\n$ import('a.tmpl')\n");
    const sg_diag_entry *note =
        refuses(f, "$ import('a.tmpl')\n", "'a.tmpl' imports itself in a circle", "b.tmpl", 3);
    assert_place(f, note, "called from here", "a.tmpl", 2);
    assert_place(f, note->next, "called from here", "t.tmpl", 1);
    refuses(f, "$ import('c.tmpl')", "there is no template 'c.tmpl', or no room for it", "t.tmpl",
            1);
}

static void shares_the_sandbox(void **state)
{
    fixture *f = *state;
    set_template(f, "a.tmpl", "$ return {tostring(unit.stem), type(math.random or 1)}\n");
    renders(f, "${join(import('a.tmpl'))}", "kernels, number");
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
        TEST(shares_the_sandbox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#undef TEST
}
