/* Tests of base/ memory, checked numbers, text and UTF-8. */
#include <locale.h>
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/diag.h"
#include "base/text.h"
#include "base/utf8.h"

/* --- arena --- */

static void arena_aligns_zeroes_and_separates(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    unsigned char *blocks[300];
    size_t total = 0;
    for (size_t i = 0; i < 300; i++) {
        blocks[i] = sg_arena_alloc(&arena, i);
        total += i;
        assert_int_equal((uintptr_t)blocks[i] % alignof(max_align_t), 0);
        for (size_t j = 0; j < i; j++) {
            assert_int_equal(blocks[i][j], 0);
        }
        memset(blocks[i], (int)(i & 0xFF), i);
    }
    for (size_t i = 0; i < 300; i++) {
        for (size_t j = 0; j < i; j++) {
            assert_int_equal(blocks[i][j], i & 0xFF);
        }
    }
    assert_int_equal(arena.total, total);
    sg_arena_free(&arena);
    assert_null(arena.head);
    assert_int_equal(arena.total, 0);
    assert_non_null(sg_arena_alloc(&arena, 1)); /* may be used again */
    sg_arena_free(&arena);
}

static void arena_zero_sizes_are_unique(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    void *a = sg_arena_alloc(&arena, 0);
    void *b = sg_arena_array(&arena, 0, 8);
    void *c = sg_arena_array(&arena, 8, 0);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    assert_ptr_not_equal(b, c);
    sg_arena_free(&arena);
}

static void arena_large_requests_keep_the_current_block(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    char *small = sg_arena_alloc(&arena, 16);
    size_t bytes = (size_t)5 << 20;
    unsigned char *large = sg_arena_alloc(&arena, bytes);
    assert_int_equal(large[0] | large[bytes / 2] | large[bytes - 1], 0);
    memset(large, 0xAB, bytes);
    char *next = sg_arena_alloc(&arena, 16);
    memset(next, 1, 16);
    memset(small, 2, 16);
    assert_int_equal(large[0], 0xAB);
    assert_int_equal(large[bytes - 1], 0xAB);
    /* Exactly a block, and one more byte: the limit at which a separate block is made. */
    for (size_t size = 65520; size <= 65552; size++) {
        unsigned char *p = sg_arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)p % alignof(max_align_t), 0);
        memset(p, 0xFF, size);
    }
    int *numbers = SG_NEW_ARRAY(&arena, int, 1000);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(numbers[i], 0);
    }
    sg_arena_free(&arena);
}

static void arena_strings(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    assert_string_equal(sg_arena_strndup(&arena, "abcdef", 3), "abc");
    assert_string_equal(sg_arena_strndup(&arena, NULL, 0), "");
    assert_string_equal(sg_arena_strdup(&arena, ""), "");
    assert_memory_equal(sg_arena_strndup(&arena, "a\0b", 3), "a\0b", 4);
    assert_string_equal(sg_arena_printf(&arena, "%s:%d", "x", -7), "x:-7");
    char *big = sg_arena_printf(&arena, "%0100000d", 5);
    assert_int_equal(strlen(big), 100000);
    assert_int_equal(big[99999], '5');
    sg_arena_free(&arena);
}

/* Runs body in a child with standard error in a pipe; returns its exit code. */
static int exit_code_of(void (*body)(void), char *text, size_t room)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        body();
        _exit(99);
    }
    close(ends[1]);
    size_t len = 0;
    ssize_t n;
    while (len + 1 < room && (n = read(ends[0], text + len, room - 1 - len)) > 0) {
        len += (size_t)n;
    }
    text[len] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void overflow_array(void)
{
    sg_arena arena;
    sg_arena_init(&arena);
    sg_arena_array(&arena, SIZE_MAX / 4 + 1, 4);
}

static void overflow_block(void)
{
    sg_arena arena;
    sg_arena_init(&arena);
    sg_arena_alloc(&arena, SIZE_MAX - 3);
}

static void overflow_string(void)
{
    sg_arena arena;
    sg_arena_init(&arena);
    sg_arena_strndup(&arena, "", SIZE_MAX);
}

static void running_out_of_memory_ends_with_a_line(void **state)
{
    (void)state;
    void (*const bodies[])(void) = {overflow_array, overflow_block, overflow_string};
    for (size_t i = 0; i < 3; i++) {
        char text[200];
        assert_int_equal(exit_code_of(bodies[i], text, sizeof text), SG_EXIT_IO);
        assert_string_equal(text, "splitgen: error: out of memory\n");
    }
}

/* --- checked --- */

static const int64_t edges[] = {INT64_MIN,
                                INT64_MIN + 1,
                                INT64_MIN / 2,
                                INT64_MIN / 2 - 1,
                                -INT64_C(4294967296),
                                -INT64_C(3037000500),
                                -3,
                                -2,
                                -1,
                                0,
                                1,
                                2,
                                3,
                                INT64_C(3037000499),
                                INT64_C(3037000500),
                                INT64_C(4294967296),
                                INT64_MAX / 2,
                                INT64_MAX / 2 + 1,
                                INT64_MAX - 1,
                                INT64_MAX};
#define EDGES (sizeof edges / sizeof *edges)

/* The expected results come from the compiler's own overflow checks, which the code does not
 * use. */
static void checked_agrees_with_exact_arithmetic_at_every_edge(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES; i++) {
        for (size_t j = 0; j < EDGES; j++) {
            int64_t a = edges[i];
            int64_t b = edges[j];
            int64_t want;
            int64_t got = 42;
            bool fits = !__builtin_add_overflow(a, b, &want);
            assert_int_equal(sg_add64(a, b, &got), fits);
            assert_true(got == (fits ? want : 42));
            got = 42;
            fits = !__builtin_sub_overflow(a, b, &want);
            assert_int_equal(sg_sub64(a, b, &got), fits);
            assert_true(got == (fits ? want : 42));
            got = 42;
            fits = !__builtin_mul_overflow(a, b, &want);
            assert_int_equal(sg_mul64(a, b, &got), fits);
            assert_true(got == (fits ? want : 42));
        }
    }
}

static void checked_division(void **state)
{
    (void)state;
    assert_true(sg_ceil_div64(0, 5) == 0);
    assert_true(sg_ceil_div64(1, 5) == 1);
    assert_true(sg_ceil_div64(5, 5) == 1);
    assert_true(sg_ceil_div64(6, 5) == 2);
    assert_true(sg_ceil_div64(INT64_MAX, 1) == INT64_MAX);
    assert_true(sg_ceil_div64(INT64_MAX, INT64_MAX) == 1);
    assert_true(sg_ceil_div64(INT64_MAX, 2) == INT64_MAX / 2 + 1);
    assert_true(sg_gcd64(0, 0) == 0);
    assert_true(sg_gcd64(0, 9) == 9);
    assert_true(sg_gcd64(9, 0) == 9);
    assert_true(sg_gcd64(12, 18) == 6);
    assert_true(sg_least64((const int64_t[]){7}, 1) == 7);
    assert_true(sg_least64((const int64_t[]){7, 3, 5}, 3) == 3);
    assert_true(sg_least64((const int64_t[]){7, 8, INT64_MIN}, 3) == INT64_MIN);
    assert_true(sg_gcd64(17, 13) == 1);
    assert_true(sg_gcd64(INT64_MAX, INT64_MAX) == INT64_MAX);
}

/* --- text --- */

static void strings_compare_by_length_and_bytes(void **state)
{
    (void)state;
    assert_int_equal(sg_str_from(NULL).len, 0);
    assert_true(sg_str_eqz(sg_str_from(NULL), ""));
    assert_true(sg_str_eq((sg_str){"a\0b", 3}, (sg_str){"a\0b", 3}));
    assert_false(sg_str_eq((sg_str){"a\0b", 3}, (sg_str){"a\0c", 3}));
    assert_false(sg_str_eqz((sg_str){"axis", 3}, "axis"));
    assert_true(sg_str_eqz((sg_str){"axis", 4}, "axis"));
    assert_true(sg_str_eq((sg_str){NULL, 0}, (sg_str){"x", 0}));
}

static void buffer_grows_and_stays_terminated(void **state)
{
    (void)state;
    sg_buf buf = {0};
    sg_buf_add(&buf, NULL, 0);
    assert_non_null(buf.ptr);
    assert_int_equal(buf.ptr[0], 0);
    for (int i = 0; i < 1000; i++) {
        sg_buf_printf(&buf, "%d,", i % 10);
        assert_int_equal(buf.ptr[buf.len], 0);
        assert_true(buf.len < buf.cap);
    }
    assert_int_equal(buf.len, 2000);
    assert_memory_equal(buf.ptr + 1996, "8,9,", 5);
    sg_buf_add(&buf, "\0", 1);
    sg_buf_addc(&buf, 'z');
    sg_buf_addz(&buf, "end");
    assert_memory_equal(buf.ptr + 2000, "\0zend", 6);
    sg_buf_free(&buf);
    assert_null(buf.ptr);
    assert_int_equal(buf.len + buf.cap, 0);
    /* A printf that exactly fills the capacity must not lose its last character to the NUL. */
    for (int width = 60; width < 70; width++) {
        sg_buf_printf(&buf, "%*d", width, 7);
        assert_int_equal(buf.len, width);
        assert_int_equal(buf.ptr[width - 1], '7');
        sg_buf_free(&buf);
    }
    sg_buf_reserve(&buf, 100000);
    assert_true(buf.cap > 100000);
    assert_int_equal(buf.len, 0);
    sg_buf_free(&buf);
}

static void assert_json(const char *bytes, size_t n, const char *want)
{
    sg_buf buf = {0};
    sg_buf_add_json(&buf, bytes, n);
    assert_string_equal(buf.ptr, want);
    sg_buf_free(&buf);
}

static void json_strings_are_escaped(void **state)
{
    (void)state;
    assert_json("", 0, "\"\"");
    assert_json("plain / text", 12, "\"plain / text\"");
    assert_json("\"\\\b\f\n\r\t", 7, "\"\\\"\\\\\\b\\f\\n\\r\\t\"");
    assert_json("\0\x01\x1f\x7f", 4, "\"\\u0000\\u0001\\u001f\\u007f\"");
    assert_json("\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80", 9,
                "\"\xC3\xA9\xE6\xBC\xA2\xF0\x9F\x98\x80\"");
    assert_json("\xE2\x80\xAE\xD8\x9C", 5, "\"\\u202e\\u061c\"");
    assert_json("\xF3\xA0\x81\x81", 4, "\"\\udb40\\udc41\"");
    assert_json("a\xFFz", 3, "\"a\xEF\xBF\xBDz\"");
    assert_json("\xC3", 1, "\"\xEF\xBF\xBD\"");
    assert_json("\xED\xA0\x80", 3, "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static bool parses(const char *text, int64_t *out)
{
    return sg_parse_int64(sg_str_from(text), out);
}

static void integers_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    int64_t n = 0;
    assert_true(parses("0", &n) && n == 0);
    assert_true(parses("-0", &n) && n == 0);
    assert_true(parses("0042", &n) && n == 42);
    assert_true(parses("-17", &n) && n == -17);
    assert_true(parses("9223372036854775807", &n) && n == INT64_MAX);
    assert_true(parses("-9223372036854775808", &n) && n == INT64_MIN);
    assert_true(parses("000000000000000000000000000001", &n) && n == 1);
    n = 99;
    const char *const wrong[] = {"",
                                 "-",
                                 "+1",
                                 " 1",
                                 "1 ",
                                 "1.0",
                                 "0x10",
                                 "--1",
                                 "1e3",
                                 "9223372036854775808",
                                 "-9223372036854775809",
                                 "9223372036854775810",
                                 "92233720368547758070",
                                 "99999999999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(parses(wrong[i], &n));
        assert_true(n == 99);
    }
    assert_true(sg_parse_int64((sg_str){"123456", 3}, &n) && n == 123);
    assert_false(sg_parse_int64((sg_str){"1\0", 2}, &n));
}

static void character_classes_cover_ascii_only(void **state)
{
    (void)state;
    for (int c = -1; c < 256; c++) {
        bool lower = c >= 'a' && c <= 'z';
        bool upper = c >= 'A' && c <= 'Z';
        bool digit = c >= '0' && c <= '9';
        assert_int_equal(sg_is_digit(c), digit);
        assert_int_equal(sg_is_ident_start(c), lower || upper || c == '_');
        assert_int_equal(sg_is_ident(c), lower || upper || digit || c == '_');
        bool space = c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
        assert_int_equal(sg_is_space(c), space);
    }
}

static const char *suggest(const char *word, const char *const *candidates, size_t count)
{
    return sg_suggest(sg_str_from(word), candidates, count);
}

static void suggestions(void **state)
{
    (void)state;
    static const char *const fields[] = {"name",    "dtype",   "shape", "axis",  "lengths",
                                         "outputs", "packing", "align", "opset", "parts"};
    const size_t count = sizeof fields / sizeof *fields;
    assert_string_equal(suggest("lenghts", fields, count), "lengths"); /* one swap */
    assert_string_equal(suggest("lenght", fields, count), "lengths");  /* two edits of six */
    assert_string_equal(suggest("axes", fields, count), "axis");
    assert_string_equal(suggest("aixs", fields, count), "axis"); /* a swap is one edit */
    assert_string_equal(suggest("AXIS", fields, count), "axis");
    assert_string_equal(suggest("Dtype", fields, count), "dtype");
    assert_string_equal(suggest("shap", fields, count), "shape");
    assert_string_equal(suggest("sshape", fields, count), "shape");
    assert_null(suggest("axs_", fields, count)); /* two edits, four letters allow one */
    assert_null(suggest("frobnicate", fields, count));
    assert_null(suggest("", fields, count));
    assert_null(suggest("axis", fields, 0));
    assert_null(suggest("axis", NULL, 0));
    /* A part of a longer string: the bytes after it do not count. */
    assert_string_equal(sg_suggest((sg_str){"axisymmetric", 4}, fields, count), "axis");
}

static void suggestion_ties_go_to_the_earlier_and_nearer_wins(void **state)
{
    (void)state;
    static const char *const tie[] = {"cat", "bat", "hat"};
    assert_ptr_equal(suggest("rat", tie, 3), tie[0]);
    static const char *const nearer[] = {"lengthsXX", "lengthsX", "lengths"};
    assert_ptr_equal(suggest("lengths", nearer, 3), nearer[2]);
    assert_ptr_equal(suggest("lengthsxy", nearer, 3), nearer[0]);
    static const char *const same[] = {"Axis", "axis"};
    assert_ptr_equal(suggest("axis", same, 2), same[0]);
    /* The threshold grows by one every three letters. */
    static const char *const eight[] = {"abcdefgh"};
    assert_non_null(suggest("abcdefxx", eight, 1));
    assert_null(suggest("abcdexxx", eight, 1));
    static const char *const nine[] = {"abcdefghi"};
    assert_non_null(suggest("abcdefxxx", nine, 1));
    /* Optimal string alignment: "ca" -> "abc" costs 3, because no substring is edited twice. */
    static const char *const osa[] = {"abcdef"};
    assert_null(suggest("cadef", osa, 1));
}

/* --- utf8 --- */

static size_t decode(const char *s, uint32_t *c)
{
    return sg_utf8_decode(s, strlen(s), c);
}

static void utf8_accepts_exactly_the_well_formed(void **state)
{
    (void)state;
    uint32_t c = 0;
    assert_true(decode("A", &c) == 1 && c == 'A');
    assert_true(sg_utf8_decode("\0", 1, &c) == 1 && c == 0);
    assert_true(decode("\xC2\x80", &c) == 2 && c == 0x80);
    assert_true(decode("\xDF\xBF", &c) == 2 && c == 0x7FF);
    assert_true(decode("\xE0\xA0\x80", &c) == 3 && c == 0x800);
    assert_true(decode("\xED\x9F\xBF", &c) == 3 && c == 0xD7FF);
    assert_true(decode("\xEE\x80\x80", &c) == 3 && c == 0xE000);
    assert_true(decode("\xF0\x90\x80\x80", &c) == 4 && c == 0x10000);
    assert_true(decode("\xF4\x8F\xBF\xBF", &c) == 4 && c == 0x10FFFF);
    const char *const wrong[] = {"\x80",
                                 "\xBF",
                                 "\xC0\x80",
                                 "\xC1\xBF",
                                 "\xC2",
                                 "\xC2x",
                                 "\xE0\x9F\xBF",
                                 "\xE2\x82",
                                 "\xED\xA0\x80",
                                 "\xED\xBF\xBF",
                                 "\xF0\x8F\xBF\xBF",
                                 "\xF4\x90\x80\x80",
                                 "\xF5\x80\x80\x80",
                                 "\xF0\x90\x80",
                                 "\xFE",
                                 "\xFF"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(decode(wrong[i], &c), 0);
    }
    assert_int_equal(sg_utf8_decode("\xE2\x82\xAC", 2, &c), 0); /* cut off */
    assert_int_equal(sg_utf8_decode("", 0, &c), 0);
}

static void utf8_widths(void **state)
{
    (void)state;
    assert_int_equal(sg_utf8_width('a'), 1);
    assert_int_equal(sg_utf8_width(0xE9), 1);
    assert_int_equal(sg_utf8_width(0x6F22), 2);
    assert_int_equal(sg_utf8_width(0xAC00), 2);
    assert_int_equal(sg_utf8_width(0xFF21), 2);
    assert_int_equal(sg_utf8_width(0x1F600), 2);
    assert_int_equal(sg_utf8_width(0x0301), 0);
    assert_int_equal(sg_utf8_width(0x10FFFF), 1);
    const uint32_t dangerous[] = {0xAD,   0x34F,  0x61C,  0x115F, 0x1160, 0x180E, 0x3164, 0xFFA0,
                                  0,      7,      0x1B,   0x1F,   0x7F,   0x85,   0x9B,   0x200B,
                                  0x200E, 0x2028, 0x202A, 0x202E, 0x2066, 0x2069, 0xFEFF, 0xE0041};
    for (size_t i = 0; i < sizeof dangerous / sizeof *dangerous; i++) {
        assert_int_equal(sg_utf8_width(dangerous[i]), -1);
    }
}

int main(void)
{
    setlocale(LC_ALL, "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_aligns_zeroes_and_separates),
        cmocka_unit_test(arena_zero_sizes_are_unique),
        cmocka_unit_test(arena_large_requests_keep_the_current_block),
        cmocka_unit_test(arena_strings),
        cmocka_unit_test(running_out_of_memory_ends_with_a_line),
        cmocka_unit_test(checked_agrees_with_exact_arithmetic_at_every_edge),
        cmocka_unit_test(checked_division),
        cmocka_unit_test(strings_compare_by_length_and_bytes),
        cmocka_unit_test(buffer_grows_and_stays_terminated),
        cmocka_unit_test(json_strings_are_escaped),
        cmocka_unit_test(integers_are_read_whole_or_not_at_all),
        cmocka_unit_test(character_classes_cover_ascii_only),
        cmocka_unit_test(suggestions),
        cmocka_unit_test(suggestion_ties_go_to_the_earlier_and_nearer_wins),
        cmocka_unit_test(utf8_accepts_exactly_the_well_formed),
        cmocka_unit_test(utf8_widths),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
