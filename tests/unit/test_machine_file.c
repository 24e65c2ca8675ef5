/* Tests of driver/machine_file.c: the file of --machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "driver/machine_file.h"

#define NUMBERS_BUT_MASK                                                                           \
    "all = 5\ncross=1.5 # not a whole number\nloads = 2\nstores = 1.0\n"                           \
    "alu = 3.25\nshuffles = 0.85\npermute2_alu = 0\npermute2_store = 0\ninsert_alu = 0\n"          \
    "byte_alu = 1\nbyte_shuffles = 1\nword_shuffles = 0\nindices = 12\nrun_loads = 1.9\n"          \
    "run_stores = 0.97\nmove_stores = 1.2\ncombiner = 0\n"
#define NUMBERS "permute2 = 0.125\n" NUMBERS_BUT_MASK "mask = 0\n"

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    sg_machine machine;
    const sg_source *source;
} fixture;

static bool parse(fixture *f, const char *text)
{
    memset(f, 0, sizeof *f);
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    f->source = sg_source_new(&f->arena, "m", text, strlen(text));
    return sg_machine_file_parse(&f->arena, &f->diag, f->source, &f->machine);
}

static void every_number_is_read(void **state)
{
    (void)state;
    fixture f;
    assert_true(parse(&f, "# a machine\r\n\n[ AVX512 ] # it has\n" NUMBERS "\t[NEON]\n" NUMBERS));
    const sg_cost *cost = sg_isa_cost(&f.machine, SG_ISA_AVX512, SG_UARCH_MEASURED);
    const sg_cost want = {SG_UARCH_MEASURED,
                          SG_ISA_AVX512,
                          5,
                          1.5,
                          2,
                          1,
                          3.25,
                          0.85,
                          0.125,
                          0,
                          0,
                          0,
                          1,
                          1,
                          0,
                          0,
                          12,
                          1.9,
                          0.97,
                          1.2,
                          0};
    assert_non_null(cost);
    assert_memory_equal(cost, &want, sizeof want);
    assert_non_null(sg_isa_cost(&f.machine, SG_ISA_NEON, SG_UARCH_MEASURED));
    assert_null(sg_isa_cost(&f.machine, SG_ISA_WASM, SG_UARCH_MEASURED));
    assert_null(sg_isa_cost(NULL, SG_ISA_AVX512, SG_UARCH_MEASURED));
    sg_arena_free(&f.arena);
}

static void errors_have_a_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t line, column;
        const char *message;
    } cases[] = {
        {"# nothing\n", 1, 1, "there is no instruction set in this file"},
        {"all = 5\n", 1, 1, "'all' is a number of no instruction set; write one in front"},
        {"[AVX2]\n" NUMBERS, 1, 2, "there is no instruction set 'AVX2'; there are AVX512VBMI, "},
        {"[AVX2BYT]\n", 1, 2, "there is no instruction set 'AVX2BYT'; did you mean 'AVX2BYTE'?"},
        {"[NEON]\nshufles = 1\n", 2, 1, "there is no number 'shufles'; did you mean 'shuffles'?"},
        {"[NEON]\n  loads = 1\nloads = 1\n", 3, 1, "'loads' is given twice"},
        {"[NEON]\n" NUMBERS "[NEON]\n", 21, 2, "'NEON' is given twice"},
        {"[NEON]\nloads = 1,5\n", 2, 9, "'1,5' is not a number from 0 to 1000 such as 1.25"},
        {"[NEON]\nloads = \n", 2, 8, "'' is not a number"},
        {"[NEON]\nloads = .5\n", 2, 9, "'.5' is not a number"},
        {"[NEON]\nloads = 1.2.3\n", 2, 9, "'1.2.3' is not a number"},
        {"[NEON]\nloads = 1001\n", 2, 9, "'1001' is not a number"},
        {"[NEON]\nloads = 0.000000001\n", 2, 9, "'0.000000001' is not a number"},
        {"[NEON]\nloads = 0.0\n", 2, 9, "'loads' of NEON must be more than 0"},
        {"[NEON]\npermute2 = 0\n", 2, 12, "'permute2' of NEON must be more than 0"},
        {"[NEON]\nloads 1\n", 2, 1,
         "unexpected 'loads 1', expected an instruction set in brackets"},
        {"[NEON]\npermute2 = 1\n" NUMBERS_BUT_MASK, 1, 2, "NEON lacks 'mask'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture f;
        size_t line = 0;
        size_t column = 0;
        assert_false(parse(&f, cases[i].text));
        const sg_diag_entry *first = f.diag.first;
        assert_non_null(first);
        sg_source_locate(first->span.source, first->span.begin, &line, &column);
        assert_memory_equal(first->message, cases[i].message, strlen(cases[i].message));
        assert_int_equal(line, cases[i].line);
        assert_int_equal(column, cases[i].column);
        assert_int_equal(f.diag.errors, 1);
        sg_arena_free(&f.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_read),
        cmocka_unit_test(errors_have_a_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
