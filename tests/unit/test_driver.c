/* Tests of driver/: the command line as a source, options, file names, dependency files, colour,
 * writing all files or none. Tests that need the complete tool are in tests/cli. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "driver/depfile.h"
#include "driver/options.h"
#include "driver/output.h"
#include "driver/report.h"
#include "driver/stale.h"
#include "driver/targets.h"
#include "driver/usage.h"

#define MAX_ARGS 16

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_options options;
    const char *argv[MAX_ARGS];
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){0};
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
}

static void end(fixture *f)
{
    sg_arena_free(&f->arena);
}

/* Parses up to MAX_ARGS - 2 arguments; the list ends with NULL. */
static bool parse(fixture *f, ...)
{
    begin(f);
    va_list ap;
    va_start(ap, f);
    int argc = 0;
    f->argv[argc++] = "/some/where/splitgen";
    for (const char *arg = va_arg(ap, const char *); arg != NULL; arg = va_arg(ap, const char *)) {
        assert_true(argc < MAX_ARGS);
        f->argv[argc++] = arg;
    }
    va_end(ap);
    return sg_options_parse(&f->arena, &f->diag, argc, f->argv, &f->options);
}

static const char *span_text(const fixture *f, sg_span span)
{
    sg_str text = sg_span_text(span);
    return sg_arena_strndup((sg_arena *)&f->arena, text.ptr, text.len);
}

/* Checks the first error, its exit code, and the text above its caret. */
static void expect_error(fixture *f, sg_exit code, const char *message, const char *place)
{
    assert_non_null(f->diag.first);
    assert_string_equal(f->diag.first->message, message);
    assert_int_equal(f->diag.first->exit, code);
    assert_int_equal(sg_diag_exit(&f->diag), code);
    assert_string_equal(span_text(f, f->diag.first->span), place);
    end(f);
}

/* ---- the command line as a source ------------------------------------------------------------ */

static const char *quoted(fixture *f, const char *text)
{
    sg_buf buf = {0};
    sg_buf_add_shell(&buf, text);
    const char *copy = sg_arena_strdup(&f->arena, buf.ptr);
    sg_buf_free(&buf);
    return copy;
}

static void quoting_is_what_a_shell_reads_back(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    assert_string_equal(quoted(&f, "--emit=c,h"), "--emit=c,h");
    assert_string_equal(quoted(&f, "dir/a-b.lua"), "dir/a-b.lua");
    assert_string_equal(quoted(&f, ""), "''");
    assert_string_equal(quoted(&f, "a b"), "'a b'");
    assert_string_equal(quoted(&f, "$HOME"), "'$HOME'");
    assert_string_equal(quoted(&f, "~"), "'~'");
    assert_string_equal(quoted(&f, "*"), "'*'");
    assert_string_equal(quoted(&f, "it's"), "'it'\\''s'");
    assert_string_equal(quoted(&f, "\xc3\xa4"), "'\xc3\xa4'");
    end(&f);
}

static void spans_point_into_quoted_arguments(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    const char *argv[] = {"x", "plain", "two words", "it's 'so'", ""};
    sg_command_line line;
    sg_command_line_init(&line, &f.arena, 5, argv);
    assert_string_equal(line.source->name, "<command line>");
    assert_string_equal(line.source->text, "splitgen plain 'two words' 'it'\\''s '\\''so'\\''' ''");
    assert_string_equal(span_text(&f, sg_command_line_span(&line, 1, 1, 3)), "la");
    assert_string_equal(span_text(&f, sg_command_line_span(&line, 2, 4, 9)), "words");
    assert_string_equal(span_text(&f, sg_command_line_span(&line, 3, 3, 4)), "s");
    assert_string_equal(span_text(&f, sg_command_line_span(&line, 3, 6, 8)), "so");
    assert_string_equal(span_text(&f, sg_command_line_argument(&line, 2)), "'two words'");
    assert_string_equal(span_text(&f, sg_command_line_argument(&line, 4)), "''");
    assert_int_equal(sg_command_line_end(&line).begin, line.source->len);
    end(&f);
}

/* ---- options ----------------------------------------------------------------------------------
 */

static void every_spelling_of_a_value_is_read(void **state)
{
    (void)state;
    fixture f;
    assert_true(parse(&f, "-oa", "--header=b", "--prefix", "p_", "-D", "n=1", "-Dm=x=y", "-I", "d",
                      "in.lua", "-", NULL));
    assert_string_equal(sg_options_text(&f.options, SG_OPT_OUTPUT), "a");
    assert_string_equal(span_text(&f, sg_options_span(&f.options, SG_OPT_OUTPUT)), "a");
    assert_string_equal(sg_options_text(&f.options, SG_OPT_HEADER), "b");
    assert_string_equal(span_text(&f, sg_options_span(&f.options, SG_OPT_HEADER)), "b");
    assert_string_equal(sg_options_text(&f.options, SG_OPT_PREFIX), "p_");
    assert_int_equal(f.options.values[SG_OPT_DEFINE].count, 2);
    assert_string_equal(f.options.values[SG_OPT_DEFINE].items[0].text, "n=1");
    assert_string_equal(f.options.values[SG_OPT_DEFINE].items[1].text, "m=x=y");
    assert_string_equal(sg_options_text(&f.options, SG_OPT_INCLUDE), "d");
    assert_int_equal(f.options.ninputs, 2);
    assert_string_equal(f.options.inputs[0].text, "in.lua");
    assert_string_equal(f.options.inputs[1].text, "-");
    assert_null(sg_options_text(&f.options, SG_OPT_SECTION));
    assert_false(sg_options_has(&f.options, SG_OPT_LIST));
    end(&f);
}

static void inputs_keep_their_order_and_two_dashes_end_options(void **state)
{
    (void)state;
    fixture f;
    assert_true(
        parse(&f, "-e", "f32[2] -> /2", "a.lua", "-ef32[4] -> /2", "--", "--list", "-e", NULL));
    assert_int_equal(f.options.ninputs, 5);
    assert_true(f.options.inputs[0].notation);
    assert_string_equal(f.options.inputs[0].text, "f32[2] -> /2");
    assert_false(f.options.inputs[1].notation);
    assert_string_equal(f.options.inputs[2].text, "f32[4] -> /2");
    assert_false(f.options.inputs[3].notation);
    assert_string_equal(f.options.inputs[3].text, "--list");
    assert_string_equal(f.options.inputs[4].text, "-e");
    assert_false(sg_options_has(&f.options, SG_OPT_LIST));
    end(&f);
}

static void choices_become_numbers(void **state)
{
    (void)state;
    fixture f;
    assert_true(parse(&f, "x", NULL));
    assert_int_equal(f.options.values[SG_OPT_EMIT].number, 1 << SG_KIND_C);
    assert_int_equal(f.options.values[SG_OPT_COLOR].number, SG_WHEN_AUTO);
    assert_int_equal(f.options.values[SG_OPT_UNROLL].number, SG_CHOICE_UNROLL_AUTO);
    end(&f);
    assert_true(parse(&f, "--emit", "json,h,json", "--color=never", "--max-memory=7",
                      "--dump=program", "-Werror", "-MP", "--depfile=d", NULL));
    assert_int_equal(f.options.values[SG_OPT_EMIT].number, 1 << SG_KIND_JSON | 1 << SG_KIND_H);
    assert_int_equal(f.options.values[SG_OPT_COLOR].number, SG_WHEN_NEVER);
    assert_int_equal(f.options.values[SG_OPT_MAX_MEMORY].number, 7);
    assert_int_equal(f.options.values[SG_OPT_DUMP].number, 1 << SG_STAGE_PROGRAM);
    assert_true(sg_options_has(&f.options, SG_OPT_WERROR));
    assert_true(sg_options_has(&f.options, SG_OPT_PHONY));
    end(&f);
}

static void wrong_options_say_what_was_meant(void **state)
{
    (void)state;
    static const struct {
        const char *args[3];
        const char *message;
        const char *place;
    } cases[] = {
        {{"--emti=c"}, "unknown option '--emti'; did you mean '--emit'?", "--emti"},
        {{"--expl"}, "unknown option '--expl'; did you mean '--explain'?", "--expl"},
        {{"-emit=c", "-help"}, "unknown option '-help'; did you mean '--help'?", "-help"},
        {{"-werror"}, "unknown option '-werror'; did you mean '-Werror'?", "-werror"},
        {{"--zzz"}, "unknown option '--zzz'; 'splitgen --help' lists the options", "--zzz"},
        {{"--isa=avx3"}, "'avx3' is not a value of '--isa'; did you mean 'avx2'?", "avx3"},
        {{"--tune=zen"}, "'zen' is not a value of '--tune'; did you mean 'zen3'?", "zen"},
        {{"-o"}, "'-o' needs a value: '-o F'", "-o"},
        {{"--header", "--list"},
         "'--header' needs a value, but '--list' follows; if that is meant, write "
         "'--header=--list'",
         "--header"},
        {{"-o", "-x"},
         "'-o' needs a value, but '-x' follows; if that is meant, write '-o-x'",
         "-o"},
        {{"-o=x"}, "'-o' takes its value without '='", "="},
        {{"--fuse=x"}, "'--fuse' takes no value", "=x"},
        {{"--output=x"}, "unknown option '--output'; write '-o FILE'", "--output"},
        {{"--Output_Dir", "x"},
         "unknown option '--Output_Dir'; write '-o FOLDER/', with the slash",
         "--Output_Dir"},
        {{"-march=native"},
         "unknown option '-march'; write '--isa=LIST', or leave it out; which instructions run is "
         "chosen when the program runs",
         "-march"},
        {{"--emit=cpp"},
         "'cpp' is not a value of '--emit'; write 'c', which is C++ as well",
         "cpp"},
        {{"--emit=c,Python"}, "'Python' is not a value of '--emit'; write 'py'", "Python"},
        {{"--emit=c,", "h"},
         "values of '--emit' have a comma and no blank between: --emit=c,h",
         "c,"},
        {{"--emit=c,", "k.lua"}, "'--emit' has an empty entry in its list", "c,"},
        {{"-oa", "-ob"}, "'-o' is given twice", "b"},
        {{"--header="}, "'--header' may not be empty", "--header="},
        {{"--unroll=ful"}, "'ful' is not a value of '--unroll'; did you mean 'full'?", "ful"},
        {{"--unroll=zzzzz"},
         "'zzzzz' is not a value of '--unroll', which takes 'auto', 'full' or 'none'",
         "zzzzz"},
        {{"--emit=c,sgv,h"}, "'sgv' is not a value of '--emit'; did you mean 'svg'?", "sgv"},
        {{"--emit=c,,h"}, "'--emit' has an empty entry in its list", "c,,h"},
        {{"--depfile-target=t"}, "'--depfile-target' needs '--depfile' as well", "t"},
        {{"-MP"}, "'-MP' needs '--depfile' as well", "-MP"},
        {{"-D", "batch"}, "'-D' needs a value as well: -D batch=VALUE", "batch"},
        {{"-D", "=2"}, "'-D' needs a name in front of '=': -D NAME=VALUE", "=2"},
        {{"-Da=1", "-Dab=2", "-Da=3"}, "the parameter 'a' is set twice", "a=3"},
        {{"--shards=0"},
         "'0' is not a whole number from 1 to 1000000000000, as '--shards' needs",
         "0"},
        {{"--max-memory=1e3"},
         "'1e3' is not a whole number from 1 to 1000000000000, as '--max-memory' needs",
         "1e3"},
        {{"--max-memory=99999999999999999999"},
         "'99999999999999999999' is not a whole number from 1 to 1000000000000, as "
         "'--max-memory' needs",
         "99999999999999999999"},
        {{"--prefix=a b"}, "'a b' is not an identifier, as '--prefix' needs", "a b"},
        {{"--prefix=1a"}, "'1a' is not an identifier, as '--prefix' needs", "1a"},
        {{"--section=.a\"b"},
         "a section name may hold letters, digits, '_', '.', '$', ',' and '-' only",
         ".a\"b"},
        {{""}, "the name of an input may not be empty", "''"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        assert_false(
            parse(&f, cases[i].args[0], cases[i].args[1], cases[i].args[2], (const char *)NULL));
        expect_error(&f, SG_EXIT_USAGE, cases[i].message, cases[i].place);
    }
}

/* A word of the table of other tools' words that is an option of ours would never be told. */
static void other_words_are_not_ours(void **state)
{
    (void)state;
    enum { OPTION, FIELD, NAME, SYNTAX, DTYPE };
    static const struct {
        int place;
        const char *typed;
    } rows[] = {
#define FOREIGN_WORD(place, word, says) {place, word},
#include "foreign/foreign.inc"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].place == OPTION && rows[i].typed[0] == '-') {
            fixture f;
            assert_false(parse(&f, rows[i].typed, NULL));
            end(&f);
        }
    }
}

static void errors_do_not_hide_later_options(void **state)
{
    (void)state;
    fixture f;
    assert_false(parse(&f, "--bogus", "--unroll=x", "--diagnostics-format=json", NULL));
    assert_int_equal(f.diag.errors, 2);
    assert_int_equal(f.options.values[SG_OPT_FORMAT].number, SG_FORMAT_JSON);
    end(&f);
}

/* Every option is parsed in every spelling of its table entry, and is in the help, the manual
 * and all completions. */
static void the_table_is_whole(void **state)
{
    (void)state;
    sg_buf texts[5] = {{0}};
    sg_usage_help(&texts[0]);
    sg_usage_man(&texts[1]);
    sg_usage_bash(&texts[2]);
    sg_usage_zsh(&texts[3]);
    sg_usage_fish(&texts[4]);
    for (int id = 0; id < SG_OPT_COUNT; id++) {
        const sg_option_info *info = sg_option_get((sg_option_id)id);
        assert_true(info->long_name[0] != '\0' || info->short_name[0] != '\0');
        assert_int_equal(info->kind == SG_OPTION_FLAG, info->argument[0] == '\0');
        assert_int_equal(info->kind == SG_OPTION_CHOICE || info->kind == SG_OPTION_CHOICES ||
                             info->kind == SG_OPTION_TOPIC || id == SG_OPT_PRINT,
                         info->choices[0] != NULL);
        assert_non_null(strstr(texts[0].ptr, info->help));
        assert_non_null(strstr(texts[3].ptr, info->help));
        assert_non_null(strstr(texts[4].ptr, info->help));
        const char *value = info->choices[0] != NULL         ? info->choices[0]
                            : info->kind == SG_OPTION_NUMBER ? "3"
                            : info->kind == SG_OPTION_DEFINE ? "a=b"
                                                             : "v";
        char arg[128];
        fixture f;
        for (int is_long = 0; is_long < 2; is_long++) {
            const char *name = is_long ? info->long_name : info->short_name;
            if (name[0] == '\0') {
                continue;
            }
            snprintf(arg, sizeof arg, "%s%s", is_long ? "--" : "-", name);
            for (int i = 0; i < 5; i++) {
                assert_non_null(strstr(texts[i].ptr, name));
            }
            const bool optional = sg_option_is_optional(info);
            if (info->kind == SG_OPTION_FLAG || optional) {
                assert_true(parse(&f, arg, "--depfile=d", NULL));
                assert_true(sg_options_has(&f.options, (sg_option_id)id));
                end(&f);
            }
            if (info->kind == SG_OPTION_FLAG || (optional && !is_long)) {
                continue;
            }
            if (!optional) {
                assert_true(parse(&f, arg, value, "--depfile=d", NULL) || id == SG_OPT_DEPFILE);
                assert_string_equal(sg_options_text(&f.options, (sg_option_id)id), value);
                end(&f);
            }
            snprintf(arg, sizeof arg, "%s%s%s%s", is_long ? "--" : "-", name, is_long ? "=" : "",
                     value);
            assert_true(parse(&f, arg, "--depfile=d", NULL) || id == SG_OPT_DEPFILE);
            assert_string_equal(sg_options_text(&f.options, (sg_option_id)id), value);
            end(&f);
        }
    }
    for (int i = 0; i < 5; i++) {
        sg_buf_free(&texts[i]);
    }
}

/* ---- names of outputs -------------------------------------------------------------------------
 */

typedef struct naming {
    const char *args[6];
    const char *paths; /* joined by blanks */
    const char *stem;
    const char *header;
} naming;

static void outputs_are_named_by_their_kind(void **state)
{
    (void)state;
    static const naming cases[] = {
        {{"in/a.b.lua"}, "-", "a_b", "a.b.h"},
        {{"-e", "f32[2] -> /2"}, "-", "split", "split.h"},
        {{"-"}, "-", "split", "split.h"},
        {{"x.lua", "-o", "out/k.c"}, "out/k.c", "k", "k.h"},
        {{"x.lua", "-o", "k.inc"}, "k.inc", "k", "k.h"},
        {{"x.lua", "-o", "v1.2"}, "v1.2", "v1_2", "v1.2.h"},
        {{"x.lua", "--header", "g/h.hpp"}, "- g/h.hpp", "x", "h.hpp"},
        {{"x.lua", "--emit=h"}, "-", "x", "x.h"},
        {{"x.lua", "--emit=h", "--header", "y.h"}, "y.h", "x", "y.h"},
        {{"x.lua", "--emit=test", "-o", "k_test.c"}, "k_test.c", "k", "k.h"},
        {{"x.lua", "--emit=c,h,json,svg,test,bench,proof", "-o", "d/k.c"},
         "d/k.c d/k.h d/k.json d/k.svg d/k_test.c d/k_bench.c d/k_proof.c",
         "k",
         "k.h"},
        {{"x.lua", "--emit=c,h", "-o", "k"}, "k.c k.h", "k", "k.h"},
        {{"x.lua", "--emit=c,h", "-o", "new/"}, "new/x.c new/x.h", "x", "x.h"},
        {{"x.lua", "-o", "/"}, "/x.c", "x", "x.h"},
        {{"x.lua", "--emit=c,h", "-o", "/dev"}, "/dev/x.c /dev/x.h", "x", "x.h"},
        {{"x.lua", "--emit=c,h", "-o", "k.c", "--header=i/k.h"}, "k.c i/k.h", "k", "k.h"},
        {{"x.lua", "--check", "k.c"}, "k.c", "k", "k.h"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        const char *const *a = cases[i].args;
        assert_true(parse(&f, a[0], a[1], a[2], a[3], a[4], a[5], (const char *)NULL));
        sg_targets targets;
        assert_true(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
        sg_buf paths = {0};
        for (int64_t k = 0; k < targets.count; k++) {
            sg_buf_printf(&paths, "%s%s", k > 0 ? " " : "", targets.items[k].path);
        }
        assert_string_equal(paths.ptr, cases[i].paths);
        sg_buf_free(&paths);
        assert_string_equal(targets.stem, cases[i].stem);
        assert_string_equal(targets.header, cases[i].header);
        end(&f);
    }
}

static void places_that_cannot_be_are_errors(void **state)
{
    (void)state;
    fixture f;
    sg_targets targets;
    assert_true(parse(&f, "x.lua", "--emit=c,json", NULL));
    assert_false(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
    expect_error(&f, SG_EXIT_USAGE, "several kinds of output need '-o' with a folder or a stem",
                 "c,json");
    assert_true(parse(&f, "x.lua", "-ok.c", "--check=k.c", NULL));
    assert_false(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
    expect_error(&f, SG_EXIT_USAGE, "'-o' and '--check' exclude each other", "k.c");
    assert_true(parse(&f, "x.lua", "--emit=h", "--header=a.h", "-o", "b.h", NULL));
    assert_false(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
    expect_error(&f, SG_EXIT_USAGE,
                 "nothing is left for '-o': only the header is written, to 'a.h'", "b.h");
    assert_true(parse(&f, "x.lua", "--emit=c", "-ok.h", NULL));
    assert_false(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
    expect_error(&f, SG_EXIT_USAGE,
                 "'k.h' ends as a file of '--emit=h' does, but 'c' would be written to it; give it "
                 "the ending '.c'",
                 "k.h");
    sg_file_list none = {0};
    assert_true(parse(&f, "x.lua", "-ok.c", "--header=./k.c", NULL));
    assert_true(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
    assert_false(sg_targets_distinct(&f.arena, &f.diag, &f.options, &targets, &none));
    expect_error(&f, SG_EXIT_USAGE, "two outputs would be written to './k.c'", "./k.c");
    assert_true(parse(&f, "x.lua", "-o/dev/null", "--header=/dev/null", NULL));
    assert_true(sg_targets_choose(&f.arena, &f.diag, &f.options, &targets));
    assert_true(sg_targets_distinct(&f.arena, &f.diag, &f.options, &targets, &none));
    end(&f);
}

/* ---- dependency files -------------------------------------------------------------------------
 */

static void dependency_files_escape_for_make_and_ninja(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a.lua", "a.lua"},
        {"a b", "a\\ b"},
        {"a#b", "a\\#b"},
        {"a$b", "a$$b"},
        {"a\\b", "a\\b"},
        {"a\\ b", "a\\\\\\ b"},
        {"a\\\\ b", "a\\\\\\\\\\ b"},
        {"C:\\x y", "C\\:\\x\\ y"},
        {"a:b:c", "a\\:b\\:c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sg_buf buf = {0};
        assert_true(sg_depfile_escape(&buf, cases[i][0]));
        assert_string_equal(buf.ptr, cases[i][1]);
        sg_buf_free(&buf);
    }
    /* names that one of the formats cannot represent */
    static const char *const unsaid[] = {"a\nb", "a\rb", "a\tb", "a;b",   "a|b",  "a'b",
                                         "a*b",  "a:",   "a\\",  "a\\#b", "a\\:b"};
    for (size_t i = 0; i < sizeof unsaid / sizeof unsaid[0]; i++) {
        sg_buf buf = {0};
        assert_false(sg_depfile_escape(&buf, unsaid[i]));
        assert_non_null(sg_depfile_problem(unsaid[i]));
        sg_buf_free(&buf);
    }
}

static void dependency_files_are_never_empty(void **state)
{
    (void)state;
    const char *targets[] = {"k.c", "k.h"};
    const char *files[] = {"a.lua", "b c.lua"};
    sg_buf buf = {0};
    assert_true(sg_depfile_render(&buf, targets, 2, files, 2, true));
    assert_string_equal(buf.ptr, "k.c k.h: \\\n  a.lua \\\n  b\\ c.lua\n\na.lua:\n\nb\\ c.lua:\n");
    buf.len = 0;
    assert_true(sg_depfile_render(&buf, targets, 1, files, 0, true));
    assert_string_equal(buf.ptr, "k.c:\n");
    sg_buf_free(&buf);
}

/* ---- colour -----------------------------------------------------------------------------------
 */

static void colour_follows_option_then_environment_then_terminal(void **state)
{
    (void)state;
    static const struct {
        sg_color_setting setting; /* when, NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM, tty */
        sg_color color;
    } cases[] = {
        {{SG_WHEN_AUTO, NULL, NULL, NULL, "xterm", true}, SG_COLOR_ALWAYS},
        {{SG_WHEN_AUTO, NULL, NULL, NULL, NULL, true}, SG_COLOR_ALWAYS},
        {{SG_WHEN_AUTO, NULL, NULL, NULL, "dumb", true}, SG_COLOR_NEVER},
        {{SG_WHEN_AUTO, NULL, NULL, NULL, "xterm", false}, SG_COLOR_NEVER},
        {{SG_WHEN_AUTO, "1", NULL, NULL, "xterm", true}, SG_COLOR_NEVER},
        {{SG_WHEN_AUTO, "", NULL, NULL, "xterm", true}, SG_COLOR_ALWAYS},
        {{SG_WHEN_AUTO, "1", "1", "1", "xterm", true}, SG_COLOR_NEVER},
        {{SG_WHEN_AUTO, NULL, "1", NULL, "dumb", false}, SG_COLOR_ALWAYS},
        {{SG_WHEN_AUTO, NULL, NULL, "1", "dumb", false}, SG_COLOR_ALWAYS},
        {{SG_WHEN_AUTO, NULL, "0", "", "xterm", false}, SG_COLOR_NEVER},
        {{SG_WHEN_ALWAYS, "1", NULL, NULL, "dumb", false}, SG_COLOR_ALWAYS},
        {{SG_WHEN_NEVER, NULL, "1", "1", "xterm", true}, SG_COLOR_NEVER},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(sg_report_color(&cases[i].setting), cases[i].color);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quoting_is_what_a_shell_reads_back),
        cmocka_unit_test(spans_point_into_quoted_arguments),
        cmocka_unit_test(every_spelling_of_a_value_is_read),
        cmocka_unit_test(inputs_keep_their_order_and_two_dashes_end_options),
        cmocka_unit_test(choices_become_numbers),
        cmocka_unit_test(wrong_options_say_what_was_meant),
        cmocka_unit_test(other_words_are_not_ours),
        cmocka_unit_test(errors_do_not_hide_later_options),
        cmocka_unit_test(the_table_is_whole),
        cmocka_unit_test(outputs_are_named_by_their_kind),
        cmocka_unit_test(places_that_cannot_be_are_errors),
        cmocka_unit_test(dependency_files_escape_for_make_and_ninja),
        cmocka_unit_test(dependency_files_are_never_empty),
        cmocka_unit_test(colour_follows_option_then_environment_then_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
