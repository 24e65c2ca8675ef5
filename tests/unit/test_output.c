/* Tests of driver/output.c when the file system refuses at the last step: its renames and links
 * go through the functions below. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "driver/output.h"

#define FILES 4

/* The linker's names for the functions it puts in place of rename and link (--wrap). */
/* NOLINTBEGIN(bugprone-reserved-identifier) */
int __real_rename(const char *from, const char *to);
int __wrap_rename(const char *from, const char *to);
int __real_link(const char *from, const char *to);
int __wrap_link(const char *from, const char *to);

static const char *refused; /* a file that cannot be replaced, like a mount point */
static bool has_links;

int __wrap_rename(const char *from, const char *to)
{
    if (refused != NULL && strcmp(to, refused) == 0 && strstr(from, ".tmp") != NULL) {
        errno = EBUSY;
        return -1;
    }
    return __real_rename(from, to);
}

int __wrap_link(const char *from, const char *to)
{
    if (!has_links) {
        errno = EPERM;
        return -1;
    }
    return __real_link(from, to);
}
/* NOLINTEND(bugprone-reserved-identifier) */

typedef struct fixture {
    sg_arena arena;
    sg_diag diag;
    char folder[32];
    const char *paths[FILES];
    sg_output_file files[FILES];
} fixture;

static void begin(fixture *f)
{
    *f = (fixture){.folder = "/tmp/splitgen-output-XXXXXX"};
    sg_arena_init(&f->arena);
    sg_diag_init(&f->diag, &f->arena);
    assert_non_null(mkdtemp(f->folder));
    for (int i = 0; i < FILES; ++i) {
        f->paths[i] = sg_arena_printf(&f->arena, "%s/%d", f->folder, i);
        f->files[i] = (sg_output_file){.path = f->paths[i], .bytes = sg_str_from("new")};
    }
    refused = NULL;
    has_links = true;
}

static void end(fixture *f)
{
    for (int i = 0; i < FILES; ++i) {
        unlink(f->paths[i]);
    }
    assert_int_equal(rmdir(f->folder), 0); /* succeeds only if nothing else is in it */
    sg_arena_free(&f->arena);
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text)
{
    sg_buf now = {0};
    assert_true(sg_file_read(path, &now));
    assert_int_equal(now.len, strlen(text));
    assert_memory_equal(now.ptr, text, now.len);
    sg_buf_free(&now);
}

static int entries(const char *folder)
{
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int found = -2; /* . and .. */
    while (readdir(dir) != NULL) {
        found++;
    }
    closedir(dir);
    return found;
}

/* All but the second of four files already exist; the last is refused. */
static void refuse_the_last(bool links)
{
    fixture f;
    begin(&f);
    has_links = links;
    put(f.paths[0], "old");
    put(f.paths[2], "older");
    put(f.paths[3], "oldest");
    struct stat before;
    struct stat after;
    assert_int_equal(stat(f.paths[0], &before), 0);

    refused = f.paths[3];
    assert_false(sg_output_write(&f.arena, &f.diag, f.files, FILES));
    assert_int_equal(sg_diag_exit(&f.diag), SG_EXIT_IO);
    assert_int_equal(entries(f.folder), 3);
    assert_holds(f.paths[0], "old");
    assert_holds(f.paths[2], "older");
    assert_holds(f.paths[3], "oldest");
    assert_int_equal(stat(f.paths[0], &after), 0);
    assert_int_equal(after.st_ino, before.st_ino);
    assert_int_equal(after.st_nlink, 1);
    assert_int_equal(after.st_mtim.tv_nsec, before.st_mtim.tv_nsec);

    refused = NULL;
    assert_true(sg_output_write(&f.arena, &f.diag, f.files, FILES));
    assert_int_equal(entries(f.folder), FILES);
    for (int i = 0; i < FILES; ++i) {
        assert_holds(f.paths[i], "new");
    }
    end(&f);
}

static void what_was_renamed_is_taken_back(void **state)
{
    (void)state;
    refuse_the_last(true);
}

static void file_systems_without_links_lose_nothing_either(void **state)
{
    (void)state;
    refuse_the_last(false);
}

static void the_first_one_refused_changes_nothing(void **state)
{
    (void)state;
    fixture f;
    begin(&f);
    put(f.paths[0], "old");
    refused = f.paths[0];
    assert_false(sg_output_write(&f.arena, &f.diag, f.files, FILES));
    assert_int_equal(entries(f.folder), 1);
    assert_holds(f.paths[0], "old");
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_renamed_is_taken_back),
        cmocka_unit_test(file_systems_without_links_lose_nothing_either),
        cmocka_unit_test(the_first_one_refused_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
