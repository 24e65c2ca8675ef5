/* Writes files to a temporary that is then renamed, and pipes and devices directly. Names and
 * contents are decided elsewhere.
 *
 * Interrupts are held while temporaries exist, and polled, so that no global list of temporaries is
 * needed: a pending one makes the current operation undo itself. The limit of processor time ends
 * before the first temporary is made. */
#include "driver/output.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "base/file.h"
#include "base/system.h"

#define MAX_LINKS    40
#define WAIT_MS      100
#define DIRECT_CHUNK 4096 /* POLLOUT on a pipe only guarantees room for PIPE_BUF bytes */

/* A file that is being written. */
typedef struct job {
    const sg_output_file *file;
    const char *target;    /* with symbolic links resolved; NULL for a descriptor */
    const char *temporary; /* exists while not NULL */
    const char *kept;      /* another name of the previous file at the target, or NULL */
    int fd;                /* an open descriptor to write to, not to be closed; -1: none */
    bool direct;
    bool unchanged;
    bool renamed; /* the temporary has become the target */
    bool made_dir;
    bool exists; /* the target is an existing regular file, described by old */
    sg_system_info old;
} job;

/* The outermost missing folder of a path, or NULL if the error has another reason. */
static const char *missing_folder(sg_arena *arena, const char *path, int error)
{
    sg_system_info info;
    if (error != ENOENT) {
        return NULL;
    }
    const char *name = path + sg_system_drive(path);
    for (const char *c = name; *c != '\0'; c++) {
        if (c == name || !sg_system_is_slash(*c)) {
            continue;
        }
        const char *folder = sg_arena_strndup(arena, path, (size_t)(c - path));
        if (!sg_system_stat(folder, &info)) {
            return folder;
        }
    }
    return NULL;
}

static bool fail(sg_diag *diag, const sg_output_file *file, int error)
{
    bool standard = strcmp(file->path, "-") == 0;
    if (standard) {
        return sg_diag_fail(diag, SG_EXIT_IO, file->span, "cannot write standard output: %s",
                            strerror(error));
    }
    const char *folder = missing_folder(diag->arena, file->path, error);
    if (folder != NULL) {
        return sg_diag_fail(diag, SG_EXIT_IO, file->span,
                            "cannot write '%s': there is no folder '%s'", file->path, folder);
    }
    return sg_diag_fail(diag, SG_EXIT_IO, file->span, "cannot write '%s': %s", file->path,
                        strerror(error));
}

/* The descriptor that a path such as /dev/stdout refers to, or -1. Opening the path again would
 * lose the position and the append mode of a redirected file, and renaming would replace it. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        return SG_STANDARD_OUTPUT;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return SG_STANDARD_ERROR;
    }
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        size_t len = strlen(folders[i]);
        int64_t number = 0;
        if (strncmp(path, folders[i], len) == 0 &&
            sg_parse_int64(sg_str_from(path + len), &number) && number >= 0 && number <= INT_MAX) {
            return (int)number;
        }
    }
    return -1;
}

/* Follows symbolic links of the last component, even to a file that does not exist yet. NULL with
 * errno set for a loop. */
static const char *follow_links(sg_arena *arena, const char *path)
{
    for (int i = 0; i < MAX_LINKS; i++) {
        errno = 0;
        const char *link = sg_system_link(arena, path);
        if (link == NULL) { /* not a link, or missing */
            return errno == ENAMETOOLONG ? NULL : path;
        }
        path =
            sg_path_is_absolute(link) ? link : sg_path_join(arena, sg_path_dir(arena, path), link);
    }
    errno = ELOOP;
    return NULL;
}

static bool stat_folder(sg_arena *arena, const char *path, sg_system_info *info)
{
    const char *dir = sg_path_dir(arena, path);
    return sg_system_stat(dir[0] != '\0' ? dir : ".", info);
}

const char *sg_output_canonical(sg_arena *arena, const char *path)
{
    int fd = descriptor_of(path);
    if (fd >= 0) {
        return sg_arena_printf(arena, "/dev/fd/%d", fd);
    }
    const char *target = follow_links(arena, path);
    target = target == NULL ? path : target;
    sg_system_info info;
    if (!stat_folder(arena, target, &info)) {
        return target;
    }
    return sg_arena_printf(arena, "%" PRIu64 ":%" PRIu64 "/%s", info.device, info.number,
                           sg_path_base(target));
}

static bool holds_already(const job *j)
{
    sg_buf now = {0};
    bool same = j->exists && (uint64_t)j->old.size == j->file->bytes.len &&
                sg_file_read(j->target, &now) && now.len == j->file->bytes.len &&
                (now.len == 0 || memcmp(now.ptr, j->file->bytes.ptr, now.len) == 0);
    sg_buf_free(&now);
    return same;
}

/* Whether the folder of the target has the sticky bit, so that files of others cannot be renamed or
 * removed. */
static bool is_anothers(sg_arena *arena, const job *j)
{
    sg_system_info folder;
    return stat_folder(arena, j->target, &folder) && sg_system_is_anothers(&folder, &j->old);
}

/* Finds out what exists at the path. */
static bool examine(sg_arena *arena, sg_diag *diag, job *j)
{
    j->fd = descriptor_of(j->file->path);
    j->direct = j->fd >= 0;
    if (j->direct) {
        return true;
    }
    if (!sg_system_stat(j->file->path, &j->old)) {
        if (errno != ENOENT) {
            return fail(diag, j->file, errno);
        }
    } else if (j->old.kind == SG_SYSTEM_FOLDER) {
        return fail(diag, j->file, EISDIR);
    } else if (j->old.kind != SG_SYSTEM_FILE) {
        j->direct = true;
        j->target = j->file->path;
        return true;
    } else {
        j->exists = true;
    }
    j->target = follow_links(arena, j->file->path);
    if (j->target == NULL) {
        return fail(diag, j->file, errno);
    }
    j->unchanged = holds_already(j);
    if (!j->unchanged && j->exists && !sg_system_may_write(j->target)) {
        return fail(diag, j->file, errno);
    }
    if (!j->unchanged && j->exists && is_anothers(arena, j)) {
        return fail(diag, j->file, EPERM);
    }
    return true;
}

/* Writes all bytes to a regular file. Returns 0 or errno. */
static int write_whole(int fd, sg_str bytes)
{
    size_t done = 0;
    while (done < bytes.len) {
        const int64_t n = sg_system_write(fd, bytes.ptr + done, bytes.len - done);
        if (n < 0) {
            return errno;
        }
        done += (size_t)n;
    }
    return 0;
}

/* A temporary name beside the target. */
static const char *beside(sg_arena *arena, const job *j, int number, const char *suffix)
{
    return sg_arena_printf(arena, "%s.splitgen-%ld-%d.%s", sg_path_dir(arena, j->target),
                           sg_system_process(), number, suffix);
}

static int open_temporary(sg_arena *arena, job *j)
{
    for (int i = 0; i < 1000; i++) { /* skip files left by a killed run with the same process id */
        const char *name = beside(arena, j, i, "tmp");
        int fd = sg_system_create(name);
        if (fd >= 0) {
            j->temporary = name;
            return fd;
        }
        if (errno != EEXIST) {
            return -1;
        }
    }
    return -1;
}

static bool write_temporary(sg_arena *arena, sg_diag *diag, job *j)
{
    if (j->file->make_dir != NULL && sg_system_make_folder(j->file->make_dir)) {
        j->made_dir = true;
    }
    int fd = open_temporary(arena, j);
    if (fd < 0) {
        return fail(diag, j->file, errno);
    }
    int error = write_whole(fd, j->file->bytes);
    if (error == 0 && j->exists && !sg_system_keep_rights(fd, &j->old)) {
        error = errno;
    }
    if (!sg_system_close(fd) && error == 0) {
        error = errno;
    }
    return error == 0 || fail(diag, j->file, error);
}

/* A FIFO without a reader cannot be opened yet, and waiting must stop on an interrupt. */
static int open_direct(const job *j)
{
    for (;;) {
        int fd = sg_system_open_device(j->target);
        if (fd >= 0 || errno != ENXIO || j->old.kind != SG_SYSTEM_FIFO) {
            return fd;
        }
        if (sg_system_interrupt_pending()) {
            errno = EINTR;
            return -1;
        }
        sg_system_sleep(WAIT_MS);
    }
}

static int write_slowly(int fd, sg_str bytes)
{
    size_t done = 0;
    while (done < bytes.len) {
        if (sg_system_interrupt_pending()) {
            return EINTR;
        }
        if (!sg_system_wait(fd, WAIT_MS)) {
            continue;
        }
        size_t left = bytes.len - done;
        const int64_t n =
            sg_system_write(fd, bytes.ptr + done, left < DIRECT_CHUNK ? left : DIRECT_CHUNK);
        if (n < 0) {
            return errno;
        }
        done += (size_t)n;
    }
    return 0;
}

/* Escapes what a terminal would execute. */
static int write_terminal(int fd, sg_str bytes)
{
    sg_buf text = {0};
    sg_buf_add_visible_lines(&text, bytes.ptr, bytes.len);
    const int error = write_slowly(fd, (sg_str){text.ptr, text.len});
    sg_buf_free(&text);
    return error;
}

static bool write_direct(sg_diag *diag, const job *j)
{
    /* A duplicate that can be closed, because some file systems report errors only on close. */
    int fd = j->fd >= 0 ? sg_system_duplicate(j->fd) : open_direct(j);
    if (fd < 0) {
        return fail(diag, j->file, errno);
    }
    sg_system_info info;
    const bool regular = sg_system_stat_open(fd, &info) && info.kind == SG_SYSTEM_FILE;
    int error = regular                     ? write_whole(fd, j->file->bytes)
                : sg_system_is_terminal(fd) ? write_terminal(fd, j->file->bytes)
                                            : write_slowly(fd, j->file->bytes);
    if (!sg_system_close(fd) && error == 0) {
        error = errno;
    }
    const bool seen_enough = error == EPIPE && j->file->may_end;
    return error == 0 || seen_enough || fail(diag, j->file, error);
}

/* Gives the existing file at the target a second name, for restoring it. On file systems without
 * hard links the file has only that name until the new file is there. */
static bool keep(sg_arena *arena, sg_diag *diag, job *j)
{
    const char *name = NULL;
    sg_system_info info;
    int i = 0;
    do {
        name = beside(arena, j, i++, "old");
    } while (sg_system_stat(name, &info));
    if (!sg_system_second_name(j->target, name) && !sg_system_rename(j->target, name)) {
        return fail(diag, j->file, errno);
    }
    j->kept = name;
    return true;
}

/* Renames all temporaries to their targets. After an error, everything can be undone. The last file
 * needs no second name: nothing can fail after it. */
static bool rename_all(sg_arena *arena, sg_diag *diag, job *jobs, int64_t count)
{
    int64_t left = 0;
    for (int64_t i = 0; i < count; i++) {
        left += jobs[i].temporary != NULL;
    }
    for (int64_t i = 0; i < count; i++) {
        job *j = &jobs[i];
        if (j->temporary == NULL) {
            continue;
        }
        if (--left > 0 && j->exists) {
            SG_TRY(keep(arena, diag, j));
        }
        if (!sg_system_rename(j->temporary, j->target)) {
            return fail(diag, j->file, errno);
        }
        j->temporary = NULL;
        j->renamed = true;
    }
    return true;
}

/* Restores the target to its previous state. */
static void take_back(job *j)
{
    if (j->temporary != NULL) {
        sg_system_remove(j->temporary);
    }
    if (j->renamed && j->kept == NULL) {
        sg_system_remove(j->target);
    }
    /* Renaming one hard link to another does nothing, so the second name is removed, unless the
     * rename failed. */
    if (j->kept != NULL && sg_system_rename(j->kept, j->target)) {
        sg_system_remove(j->kept);
    }
}

static bool write_jobs(sg_arena *arena, sg_diag *diag, job *jobs, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        SG_TRY(examine(arena, diag, &jobs[i]));
    }
    for (int64_t i = 0; i < count; i++) {
        if (!jobs[i].direct && !jobs[i].unchanged) {
            SG_TRY(write_temporary(arena, diag, &jobs[i]));
        }
    }
    for (int64_t i = 0; i < count; i++) {
        if (jobs[i].direct) {
            SG_TRY(write_direct(diag, &jobs[i]));
        }
    }
    if (sg_system_interrupt_pending()) {
        return fail(diag, jobs[0].file, EINTR);
    }
    return rename_all(arena, diag, jobs, count);
}

bool sg_output_write(sg_arena *arena, sg_diag *diag, const sg_output_file *files, int64_t count)
{
    job *jobs = SG_NEW_ARRAY(arena, job, count);
    for (int64_t i = 0; i < count; i++) {
        jobs[i].file = &files[i];
        jobs[i].fd = -1;
    }
    sg_system_unlimit_time();
    sg_system_hold_interrupts();
    bool ok = write_jobs(arena, diag, jobs, count);
    for (int64_t i = count - 1; i >= 0; i--) {
        if (!ok) {
            take_back(&jobs[i]);
        } else if (jobs[i].kept != NULL) {
            sg_system_remove(jobs[i].kept);
        }
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        if (!ok && jobs[i].made_dir) {
            sg_system_remove_folder(
                jobs[i].file->make_dir); /* fails if something is in it, as intended */
        }
    }
    sg_system_release_interrupts();
    return ok;
}

bool sg_output_print(sg_arena *arena, sg_diag *diag, sg_str text, sg_span span)
{
    sg_output_file file = {.path = "-", .bytes = text, .span = span, .may_end = true};
    return sg_output_write(arena, diag, &file, 1);
}
