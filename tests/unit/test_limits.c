/* Tests of driver/limits.c: expressions of --fail-if, and metrics compared with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/limits.h"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_options options;
    sg_limits limits;
    const char *argv[3];
} fixture;

static bool read_limits(fixture *f, const char *expression)
{
    *f = (fixture){.argv = {"splitgen", "--fail-if", expression}};
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    assert_true(sg_options_parse(&f->arena, &f->diag, 3, f->argv, &f->options));
    return sg_limits_read(&f->arena, &f->diag, &f->options, &f->limits);
}

static void expressions_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool total;
        sg_figure figure;
        sg_comparison comparison;
        int64_t number;
    } cases[] = {
        {"read!=7", false, SG_FIGURE_READ, SG_NOT_EQUAL, 7},
        {"written>=2K", false, SG_FIGURE_WRITTEN, SG_NOT_LESS, 2048},
        {" instructions\t < 1M ", false, SG_FIGURE_INSTRUCTIONS, SG_LESS, 1048576},
        {"total.read<=0", true, SG_FIGURE_READ, SG_NOT_MORE, 0},
        {"total.copies==1", true, SG_FIGURE_COPIES, SG_EQUAL, 1},
        {"total.written>1", true, SG_FIGURE_WRITTEN, SG_MORE, 1},
        {"copies>9223372036854775807", false, SG_FIGURE_COPIES, SG_MORE, INT64_MAX},
        {"instructions>8796093022207M", false, SG_FIGURE_INSTRUCTIONS, SG_MORE,
         INT64_C(8796093022207) * 1048576},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        assert_true(read_limits(&f, cases[i].text));
        assert_int_equal(f.limits.count, 1);
        const sg_limit *limit = &f.limits.items[0];
        assert_int_equal(limit->total, cases[i].total);
        assert_int_equal(limit->figure, cases[i].figure);
        assert_int_equal(limit->comparison, cases[i].comparison);
        assert_int_equal(limit->number, cases[i].number);
        assert_true(sg_str_eqz(sg_span_text(limit->span), cases[i].text));
        sg_arena_free(&f.arena);
    }
}

/* Each with the text above its caret. */
static void malformed_expressions_say_where(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""},
        {"  ", ""},
        {">1", ">1"},
        {"Read>1", "Read"},
        {"rea>1", "rea"},
        {"read.>1", "read."},
        {"total>1", "total"},
        {"total.total.read>1", "total.total.read"},
        {"read 1", "1"},
        {"read<>1", "<>"},
        {"read>>1", ">>"},
        {"read > = 1", "="},
        {"read>K", "K"},
        {"read>1.5", ".5"},
        {"read>0x10", "x10"},
        {"read>1KK", "K"},
        {"read>1 and more", "and"},
        {"read>8796093022208M", "8796093022208M"},
        {"text>1", "text"},
        {"stack.x86_64>1", "stack.x86_64"},
        {"total.text.thumb2 > 2K", "total.text.thumb2"},
        {"read>9223372036854775808", "9223372036854775808"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        assert_false(read_limits(&f, cases[i][0]));
        assert_int_equal(sg_diag_exit(&f.diag), SG_EXIT_USAGE);
        assert_int_equal(f.diag.errors, 1);
        if (cases[i][0][0] != '\0') {
            const sg_str under = sg_span_text(f.diag.first->span);
            assert_int_equal(under.len, strlen(cases[i][1]));
            assert_memory_equal(under.ptr, cases[i][1], under.len);
        }
        sg_arena_free(&f.arena);
    }
}

/* Whether a limit stops kernels with these metrics. */
static bool stops(const char *expression)
{
    fixture f;
    sg_op op = {0};
    const sg_split split = {.name = "k", .op = &op};
    const sg_plan plan = {.split = &split};
    const sg_plan *plans[] = {&plan, &plan};
    const sg_figures figures[] = {
        {.name = "a", .moved = 3, .copies = INT64_MAX, .instructions = 10},
        {.name = "b", .moved = 4, .copies = 1, .instructions = 11},
    };
    assert_true(read_limits(&f, expression));
    const bool ok = sg_limits_check(&f.diag, &f.limits, figures, plans, 2);
    assert_int_equal(sg_diag_exit(&f.diag), ok ? SG_EXIT_OK : SG_EXIT_BUDGET);
    sg_arena_free(&f.arena);
    return !ok;
}

static void figures_are_compared(void **state)
{
    (void)state;
    static const char *const hold[] = {"read>4",
                                       "read>=5",
                                       "read<3",
                                       "read<=2",
                                       "read==5",
                                       "instructions>11",
                                       "total.instructions>21",
                                       "total.read!=7"};
    static const char *const stop[] = {"read>3",
                                       "read>=4",
                                       "read<4",
                                       "read<=3",
                                       "read==4",
                                       "instructions>10",
                                       "total.instructions>20",
                                       "total.read==7",
                                       "read!=3",
                                       "total.copies>=9223372036854775807"};
    for (size_t i = 0; i < sizeof hold / sizeof hold[0]; i++) {
        assert_false(stops(hold[i]));
    }
    for (size_t i = 0; i < sizeof stop / sizeof stop[0]; i++) {
        assert_true(stops(stop[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_read),
        cmocka_unit_test(malformed_expressions_say_where),
        cmocka_unit_test(figures_are_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
