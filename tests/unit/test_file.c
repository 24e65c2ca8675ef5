/* Tests of opening files that other files name: links that stay inside and links that lead out,
 * and files that are not regular. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/system.h"

/* A folder with "in/", "in/sub/", "also/" and "out/", each with a file "f" that contains the
 * folder's name. */
typedef struct fixture {
    sg_arena arena;
    const char *root;
    const char *old; /* the previous current folder */
} fixture;

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    char pattern[] = "splitgen-file-XXXXXX";
    f->old = sg_system_real_path(&f->arena, ".");
    f->root = mkdtemp(pattern) != NULL ? sg_system_real_path(&f->arena, pattern) : NULL;
    if (f->root == NULL || chdir(f->root) != 0) {
        return -1;
    }
    static const char *const folders[] = {"in", "in/sub", "also", "out"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/f", folders[i]);
        assert_int_equal(mkdir(folders[i], 0700), 0);
        write_file(path, folders[i]);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    char command[4200];
    snprintf(command, sizeof command, "rm -rf '%s'", f->root);
    const bool ok = chdir(f->old) == 0 && system(command) == 0;
    sg_arena_free(&f->arena);
    free(f);
    return ok ? 0 : -1;
}

/* Opens `name` below `folder` when "in" and "also" may be read; returns the folder name in the
 * file, or NULL and errno. */
static const char *opened(fixture *f, const char *folder, const char *name)
{
    static const char *const inside[] = {"in", "also/"};
    const int fd = sg_file_open_inside(&f->arena, folder, name, (sg_file_folders){inside, 2});
    if (fd < 0) {
        return NULL;
    }
    sg_buf text = {0};
    assert_true(sg_file_read_open(fd, 100, &text));
    sg_file_close(fd);
    const char *kept = sg_arena_strdup(&f->arena, text.ptr);
    sg_buf_free(&text);
    return kept;
}

static void expect(fixture *f, const char *name, const char *text)
{
    const char *got = opened(f, "in", name);
    assert_string_equal(got != NULL ? got : strerror(errno), text);
}

static void refuse(fixture *f, const char *name, int error)
{
    assert_null(opened(f, "in/", name));
    assert_int_equal(errno, error);
}

static void link_to(const char *path, const char *target)
{
    assert_int_equal(symlink(target, path), 0);
}

/* "<root>/path" */
static const char *absolute(fixture *f, const char *path)
{
    return sg_arena_printf(&f->arena, "%s/%s", f->root, path);
}

static void names_stay_below_the_folder(void **state)
{
    fixture *f = *state;
    expect(f, "f", "in");
    expect(f, "./sub//f", "in/sub");
    static const char *const outside[] = {"",         "..",     "../out/f",
                                          "sub/../f", "sub/..", "/etc/passwd"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        refuse(f, outside[i], EXDEV);
    }
    refuse(f, absolute(f, "in/f"), EXDEV);
    refuse(f, "none", ENOENT);
    refuse(f, "none/f", ENOENT);
    refuse(f, "f/f", ENOTDIR);
    refuse(f, "f/", ENOTDIR);
    expect(f, "..f", strerror(ENOENT));
    assert_int_equal(chdir("in"), 0);
    static const char *const here = "";
    const int fd = sg_file_open_inside(&f->arena, "", "sub/f", (sg_file_folders){&here, 1});
    assert_true(fd >= 0);
    sg_file_close(fd);
}

static void links_that_stay_are_followed(void **state)
{
    fixture *f = *state;
    link_to("in/file", "sub/f");
    link_to("in/twice", "file");
    link_to("in/folder", "sub");
    link_to("in/sub/up", "../f");
    link_to("in/back", "../in/sub/f");
    link_to("in/self", absolute(f, "in"));
    link_to("in/other", "../also");
    link_to("in/through", "self/other/../in/./sub/");
    link_to("in/round", "../out/../in/f");
    expect(f, "file", "in/sub");
    expect(f, "twice", "in/sub");
    expect(f, "folder/f", "in/sub");
    expect(f, "sub/up", "in");
    expect(f, "folder/up", "in");
    expect(f, "back", "in/sub");
    expect(f, "self/f", "in");
    expect(f, "self/self/self/sub/f", "in/sub");
    expect(f, "other/f", "also");
    expect(f, "through/f", "in/sub");
    expect(f, "round", "in");
    /* The folder itself may be reached by a link. */
    link_to("named", "in/sub");
    assert_string_equal(opened(f, "named", "f"), "in/sub");
    assert_string_equal(opened(f, "named", "up"), "in");
}

static void links_that_leave_are_refused(void **state)
{
    fixture *f = *state;
    link_to("in/file", "../out/f");
    link_to("in/whole", absolute(f, "out/f"));
    link_to("in/twice", "file");
    link_to("in/folder", "../out");
    link_to("in/root", "/");
    link_to("in/sub/up", "../../out/f");
    link_to("in/parent", "..");
    link_to("in/above", "../../../../../../../../../../../../../../../../../../../etc/passwd");
    link_to("inside", "in"); /* a folder whose name only has the same beginning */
    link_to("in/alike", "../in-not/f");
    assert_int_equal(mkdir("in-not", 0700), 0);
    write_file("in-not/f", "in-not");
    static const char *const names[] = {
        "file",   "whole",    "twice",        "folder/f", "root/etc/passwd",
        "sub/up", "parent/f", "parent/out/f", "above",    "alike"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        refuse(f, names[i], EXDEV);
    }
    expect(f, sg_arena_printf(&f->arena, "root%s", absolute(f, "in/f")), "in");
    expect(f, "parent/in/f", "in");
}

static void endless_links_end(void **state)
{
    fixture *f = *state;
    link_to("in/loop", "loop");
    link_to("in/a", "b");
    link_to("in/b", "a");
    link_to("in/grows", "grows/grows");
    link_to("in/here", ".");
    link_to("in/none", "nothing");
    static const char *const names[] = {"loop", "a", "loop/f", "grows"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        refuse(f, names[i], ELOOP);
    }
    expect(f, "here/here/here/f", "in");
    refuse(f, "none", ENOENT);
}

static void only_regular_files_are_opened(void **state)
{
    fixture *f = *state;
    assert_int_equal(mkfifo("in/pipe", 0600), 0);
    link_to("in/piped", "pipe");
    refuse(f, "pipe", ESPIPE);
    refuse(f, "piped", ESPIPE);
    refuse(f, "sub", EISDIR);
    refuse(f, "sub/", EISDIR);
    refuse(f, ".", EISDIR);
    static const char *const dev = "/dev";
    const sg_file_folders devices = {&dev, 1};
    assert_int_equal(sg_file_open_inside(&f->arena, "/dev", "zero", devices), -1);
    assert_int_equal(errno, ESPIPE);
    assert_int_equal(sg_file_open_inside(&f->arena, "/dev", "tty", devices), -1);
    assert_int_equal(errno, ESPIPE);
}

static void folders_that_cannot_be_listed_are_passed(void **state)
{
    fixture *f = *state;
    assert_int_equal(chmod("in/sub", 0300), 0);
#if defined(__linux__)
    expect(f, "sub/f", "in/sub");
#endif
    assert_int_equal(chmod("in/sub", 0700), 0);
}

static void descriptors_are_closed(void **state)
{
    fixture *f = *state;
    link_to("in/file", "../out/f");
    link_to("in/stays", "sub/f");
    link_to("in/loop", "loop");
    assert_int_equal(mkfifo("in/pipe", 0600), 0);
    const int first = dup(STDIN_FILENO);
    close(first);
    static const char *const names[] = {"f",    "file", "stays", "loop",  "pipe",
                                        "none", "sub",  "f/f",   "../in", "sub/f"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)opened(f, "in", names[i]);
    }
    const int last = dup(STDIN_FILENO);
    close(last);
    assert_int_equal(first, last);
}

static void the_command_line_names_files_and_pipes(void **state)
{
    (void)state;
    assert_int_equal(sg_file_open("in"), -1);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(sg_file_open("/dev/zero"), -1);
    assert_int_equal(errno, ENXIO);
    assert_int_equal(sg_file_open("none"), -1);
    assert_int_equal(errno, ENOENT);
    link_to("leaves", "out/f");
    const int fd = sg_file_open("leaves");
    assert_true(fd >= 0);
    assert_int_equal(sg_file_limit(fd, SIZE_MAX), SIZE_MAX);
    sg_buf text = {0};
    sg_buf_addz(&text, "kept");
    assert_false(sg_file_read_open(fd, 2, &text));
    assert_int_equal(errno, EFBIG);
    assert_string_equal(text.ptr, "kept");
    sg_buf_free(&text);
    sg_file_close(fd);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(sg_file_limit(ends[0], SIZE_MAX), SG_FILE_PIPE_BYTES);
    assert_int_equal(sg_file_limit(ends[0], 10), 10);
    close(ends[0]);
    close(ends[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_stay_below_the_folder, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_that_stay_are_followed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(links_that_leave_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(endless_links_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_regular_files_are_opened, set_up, tear_down),
        cmocka_unit_test_setup_teardown(folders_that_cannot_be_listed_are_passed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(descriptors_are_closed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_command_line_names_files_and_pipes, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
