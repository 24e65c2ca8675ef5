/* Tests of base/ sources, spans and files. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/source.h"
#include "base/text.h"

/* --- source --- */

static void assert_place(const sg_source *source, size_t offset, size_t line, size_t column)
{
    size_t l;
    size_t c;
    sg_source_locate(source, offset, &l, &c);
    assert_int_equal(l, line);
    assert_int_equal(c, column);
}

static void assert_line(const sg_source *source, size_t line, const char *want)
{
    assert_true(sg_str_eqz(sg_source_line(source, line), want));
}

static void source_lines_end_with_lf_or_crlf(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    char text[] = "one\r\n\n  two \rx\t\r\nlast";
    const sg_source *source = sg_source_new(&arena, "a.lua", text, sizeof text - 1);
    memset(text, 'X', sizeof text - 1); /* it was copied */
    assert_string_equal(source->name, "a.lua");
    assert_int_equal(source->nlines, 4);
    assert_line(source, 1, "one");
    assert_line(source, 2, "");
    assert_line(source, 3, "  two \rx\t");
    assert_line(source, 4, "last");
    assert_line(source, 0, "");
    assert_line(source, 5, "");
    assert_place(source, 0, 1, 1);
    assert_place(source, 3, 1, 4); /* the \r */
    assert_place(source, 4, 1, 5); /* the \n */
    assert_place(source, 5, 2, 1);
    assert_place(source, 6, 3, 1);
    assert_place(source, 17, 4, 1);
    assert_place(source, 21, 4, 5);
    assert_place(source, 1000, 4, 5);
    assert_true(sg_str_eqz(sg_span_text(sg_source_line_span(source, 3)), "two \rx"));
    sg_span blank = sg_source_line_span(source, 2);
    assert_int_equal(blank.begin, 5);
    assert_int_equal(blank.end, 5);
    sg_span outside = sg_source_line_span(source, 9);
    assert_ptr_equal(outside.source, source);
    assert_int_equal(outside.begin, outside.end);
    outside = sg_source_line_span(source, 0);
    assert_int_equal(outside.begin, outside.end);
    sg_arena_free(&arena);
}

static void source_may_be_empty_and_hold_nul(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    const sg_source *empty = sg_source_new(&arena, "", NULL, 0);
    assert_int_equal(empty->nlines, 1);
    assert_int_equal(empty->text[0], 0);
    assert_place(empty, 0, 1, 1);
    assert_line(empty, 1, "");
    const sg_source *nul = sg_source_new(&arena, "nul", "a\0b\nc\0", 6);
    assert_int_equal(nul->nlines, 2);
    assert_int_equal(sg_source_line(nul, 1).len, 3);
    assert_memory_equal(sg_source_line(nul, 2).ptr, "c\0", 3);
    const sg_source *newline = sg_source_new(&arena, "n", "x\n", 2);
    assert_int_equal(newline->nlines, 2);
    assert_place(newline, 2, 2, 1); /* the end of the file is on a line of its own */
    sg_arena_free(&arena);
}

static void spans_stay_inside_their_source(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    const sg_source *source = sg_source_new(&arena, "s", "hello", 5);
    assert_true(sg_str_eqz(sg_span_text(sg_span_make(source, 1, 3)), "el"));
    sg_span span = sg_span_make(source, 3, 1);
    assert_int_equal(span.begin, 3);
    assert_int_equal(span.end, 3);
    span = sg_span_make(source, 2, 99);
    assert_int_equal(span.end, 5);
    span = sg_span_make(source, 98, 99);
    assert_int_equal(span.begin, 5);
    assert_int_equal(span.end, 5);
    assert_null(sg_span_none().source);
    assert_null(sg_span_make(NULL, 1, 2).source);
    assert_int_equal(sg_span_text(sg_span_none()).len, 0);
    assert_true(sg_str_eqz(sg_span_text((sg_span){source, 3, 77}), "lo"));
    sg_arena_free(&arena);
}

/* --- file --- */

/* A folder in the current one. */
static int make_folder(void **state)
{
    char pattern[] = "splitgen-base-XXXXXX";
    char *folder = mkdtemp(pattern);
    if (!folder) {
        return -1;
    }
    *state = strdup(folder);
    return *state ? 0 : -1;
}

static int remove_folder(void **state)
{
    char *folder = *state;
    char path[128];
    const char *const names[] = {"f", "big", "pipe"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
    free(folder);
    return 0;
}

static void write_file(const char *path, const char *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

static void files_are_read_whole(void **state)
{
    char path[128];
    snprintf(path, sizeof path, "%s/f", (char *)*state);
    sg_buf buf = {0};
    write_file(path, "", 0);
    assert_true(sg_file_read(path, &buf));
    assert_int_equal(buf.len, 0);
    assert_non_null(buf.ptr);
    assert_int_equal(buf.ptr[0], 0);
    write_file(path, "a\0\r\nb", 5);
    assert_true(sg_file_read(path, &buf));
    assert_int_equal(buf.len, 5);
    assert_memory_equal(buf.ptr, "a\0\r\nb", 6);
    assert_true(sg_file_read(path, &buf)); /* appends */
    assert_int_equal(buf.len, 10);
    assert_true(sg_file_exists(path));
    sg_buf_free(&buf);

    snprintf(path, sizeof path, "%s/big", (char *)*state);
    size_t size = 3 * 1024 * 1024 + 17;
    char *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (char)(i * 7 + i / 256);
    }
    write_file(path, bytes, size);
    assert_true(sg_file_read(path, &buf));
    assert_int_equal(buf.len, size);
    assert_memory_equal(buf.ptr, bytes, size);
    free(bytes);
    sg_buf_free(&buf);
}

static void unreadable_files_say_why(void **state)
{
    char path[128];
    sg_buf buf = {0};
    sg_buf_addz(&buf, "kept");
    assert_false(sg_file_read(*state, &buf));
    assert_int_equal(errno, EISDIR);
    assert_string_equal(buf.ptr, "kept");
    snprintf(path, sizeof path, "%s/none", (char *)*state);
    assert_false(sg_file_read(path, &buf));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(buf.len, 4);
    assert_false(sg_file_exists(path));
    assert_false(sg_file_exists(*state));
    assert_false(sg_file_exists(""));
    sg_buf_free(&buf);
}

static void pipes_and_standard_input_are_read(void **state)
{
    char path[128];
    snprintf(path, sizeof path, "%s/pipe", (char *)*state);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_true(sg_file_exists(path));
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *file = fopen(path, "wb");
        for (int i = 0; file && i < 50000; i++) {
            fprintf(file, "%05d", i);
        }
        _exit(!file || fclose(file) != 0);
    }
    sg_buf buf = {0};
    assert_true(sg_file_read(path, &buf));
    assert_int_equal(buf.len, 250000);
    assert_memory_equal(buf.ptr + 249995, "49999", 6);
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);

    int saved = dup(STDIN_FILENO);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "spec\n", 5), 5);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    buf.len = 0;
    assert_true(sg_file_read("-", &buf));
    assert_string_equal(buf.ptr, "spec\n");
    assert_int_not_equal(fcntl(STDIN_FILENO, F_GETFD), -1); /* the caller owns it: not closed */
    dup2(saved, STDIN_FILENO);
    close(saved);
    sg_buf_free(&buf);
}

static void file_lists_keep_order_without_duplicates(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    sg_file_list list = {0};
    char name[16];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 50; i++) {
            snprintf(name, sizeof name, "f%d", (i * 7) % 50);
            sg_file_list_add(&arena, &list, name, NULL, NULL);
        }
    }
    assert_int_equal(list.count, 50);
    assert_string_equal(list.items[0].path, "f0");
    assert_string_equal(list.items[1].path, "f7");
    assert_string_equal(list.items[49].path, "f43");
    sg_arena_free(&arena);
}

static void path_folders(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    assert_string_equal(sg_path_dir(&arena, "a.lua"), "");
    assert_string_equal(sg_path_dir(&arena, ""), "");
    assert_string_equal(sg_path_dir(&arena, "dir/a.lua"), "dir/");
    assert_string_equal(sg_path_dir(&arena, "/a.lua"), "/");
    assert_string_equal(sg_path_dir(&arena, "../x/y/"), "../x/y/");
    sg_arena_free(&arena);
}

static void binaries_have_places_and_no_text(void **state)
{
    (void)state;
    sg_arena arena;
    sg_arena_init(&arena);
    sg_source *source = sg_source_binary(&arena, "m.onnx", 1000);
    assert_string_equal(source->name, "m.onnx");
    sg_span span = sg_span_make(source, 900, 2000);
    assert_int_equal(span.begin, 900);
    assert_int_equal(span.end, 1000);
    assert_int_equal(sg_span_text(span).len, 0);
    assert_int_equal(sg_source_line(source, 1).len, 0);
    assert_int_equal(sg_source_line_span(source, 1).end, 0);
    size_t line;
    size_t column;
    sg_source_locate(source, 900, &line, &column);
    assert_int_equal(line, 1);
    sg_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(source_lines_end_with_lf_or_crlf),
        cmocka_unit_test(source_may_be_empty_and_hold_nul),
        cmocka_unit_test(spans_stay_inside_their_source),
        cmocka_unit_test_setup_teardown(files_are_read_whole, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(unreadable_files_say_why, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(pipes_and_standard_input_are_read, make_folder,
                                        remove_folder),
        cmocka_unit_test(file_lists_keep_order_without_duplicates),
        cmocka_unit_test(path_folders),
        cmocka_unit_test(binaries_have_places_and_no_text),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
