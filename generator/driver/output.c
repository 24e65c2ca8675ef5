/* Writes files by temporary and rename, and pipes and devices directly. Decides neither names nor
 * contents.
 *
 * note [signals] Interrupting signals are blocked while temporaries exist and looked for by hand,
 * so that no handler and no global list of temporaries is needed: a pending one makes the work
 * undo itself, and is delivered when the old mask is restored. */
#define _XOPEN_SOURCE 700 /* S_ISVTX */

#include "driver/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define MAX_LINKS    40
#define WAIT_MS      100
#define DIRECT_CHUNK 4096 /* POLLOUT on a pipe promises room for PIPE_BUF bytes only */

/* One file on its way. */
typedef struct job {
    const sg_output_file *file;
    const char *target;    /* behind symbolic links; NULL for a descriptor */
    const char *temporary; /* exists while not NULL */
    const char *kept;      /* another name of what stood at the target, or NULL */
    int fd;                /* an open descriptor to write to, not ours to close; -1: none */
    bool direct;
    bool unchanged;
    bool renamed; /* the temporary has become the target */
    bool made_dir;
    bool exists; /* a regular file stands at the target, as old says */
    struct stat old;
} job;

typedef struct signals {
    sigset_t old_mask;
    struct sigaction old_pipe;
    struct sigaction old_size;
} signals;

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define NINTERRUPTS (sizeof interrupts / sizeof interrupts[0])

/* See note [signals]. SIGPIPE and SIGXFSZ are ignored so that a closed pipe and a file beyond the
 * limit are errors like a full disk. */
static void signals_hold(signals *s)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < NINTERRUPTS; i++) {
        sigaddset(&set, interrupts[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &s->old_mask);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &s->old_pipe);
    sigaction(SIGXFSZ, &ignore, &s->old_size);
}

static void signals_release(const signals *s)
{
    sigaction(SIGPIPE, &s->old_pipe, NULL);
    sigaction(SIGXFSZ, &s->old_size, NULL);
    sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
}

static bool interrupted(const signals *s)
{
    sigset_t pending;
    if (sigpending(&pending) != 0) {
        return false;
    }
    for (size_t i = 0; i < NINTERRUPTS; i++) {
        if (sigismember(&pending, interrupts[i]) == 1 &&
            sigismember(&s->old_mask, interrupts[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The outermost folder of a path that is missing, or NULL if that was not the error. */
static const char *missing_folder(sg_arena *arena, const char *path, int error)
{
    struct stat st;
    if (error != ENOENT) {
        return NULL;
    }
    for (const char *slash = path; (slash = strchr(slash + 1, '/')) != NULL;) {
        const char *folder = sg_arena_strndup(arena, path, (size_t)(slash - path));
        if (stat(folder, &st) != 0) {
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

/* The descriptor that a path such as /dev/stdout stands for, or -1. Opening such a path anew would
 * lose the position and the append mode of a redirected file, and renaming would replace it. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
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

/* Follows symbolic links of the last component, also to a file that does not exist yet. NULL with
 * errno set on a loop. */
static const char *follow_links(sg_arena *arena, const char *path)
{
    for (int i = 0; i < MAX_LINKS; i++) {
        char link[PATH_MAX];
        ssize_t len = readlink(path, link, sizeof link);
        if (len < 0) {
            return path; /* not a link, or missing */
        }
        if (len == (ssize_t)sizeof link) {
            errno = ENAMETOOLONG;
            return NULL;
        }
        path = link[0] == '/'
                   ? sg_arena_strndup(arena, link, (size_t)len)
                   : sg_arena_printf(arena, "%s%.*s", sg_path_dir(arena, path), (int)len, link);
    }
    errno = ELOOP;
    return NULL;
}

static bool stat_folder(sg_arena *arena, const char *path, struct stat *st)
{
    const char *dir = sg_path_dir(arena, path);
    return stat(dir[0] != '\0' ? dir : ".", st) == 0;
}

const char *sg_output_canonical(sg_arena *arena, const char *path)
{
    int fd = descriptor_of(path);
    if (fd >= 0) {
        return sg_arena_printf(arena, "/dev/fd/%d", fd);
    }
    const char *target = follow_links(arena, path);
    target = target == NULL ? path : target;
    struct stat st;
    if (!stat_folder(arena, target, &st)) {
        return target;
    }
    return sg_arena_printf(arena, "%ju:%ju/%s", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
                           target + strlen(sg_path_dir(arena, target)));
}

static bool holds_already(const job *j)
{
    sg_buf now = {0};
    bool same = j->exists && (uintmax_t)j->old.st_size == j->file->bytes.len &&
                sg_file_read(j->target, &now) && now.len == j->file->bytes.len &&
                (now.len == 0 || memcmp(now.ptr, j->file->bytes.ptr, now.len) == 0);
    sg_buf_free(&now);
    return same;
}

/* Whether the folder of the target lets nobody rename or remove files of others. */
static bool is_anothers(sg_arena *arena, const job *j)
{
    struct stat st;
    const uid_t me = geteuid();
    return stat_folder(arena, j->target, &st) && (st.st_mode & S_ISVTX) != 0 && me != 0 &&
           me != st.st_uid && me != j->old.st_uid;
}

/* Finds out what stands at the path. */
static bool examine(sg_arena *arena, sg_diag *diag, job *j)
{
    j->fd = descriptor_of(j->file->path);
    j->direct = j->fd >= 0;
    if (j->direct) {
        return true;
    }
    if (stat(j->file->path, &j->old) != 0) {
        if (errno != ENOENT) {
            return fail(diag, j->file, errno);
        }
    } else if (S_ISDIR(j->old.st_mode)) {
        return fail(diag, j->file, EISDIR);
    } else if (!S_ISREG(j->old.st_mode)) {
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
    if (!j->unchanged && j->exists && access(j->target, W_OK) != 0) {
        return fail(diag, j->file, errno);
    }
    if (!j->unchanged && j->exists && is_anothers(arena, j)) {
        return fail(diag, j->file, EPERM);
    }
    return true;
}

/* All bytes to a regular file. Returns 0 or errno. */
static int write_whole(int fd, sg_str bytes)
{
    size_t done = 0;
    while (done < bytes.len) {
        ssize_t n = write(fd, bytes.ptr + done, bytes.len - done);
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

/* A name of our own beside the target. */
static const char *beside(sg_arena *arena, const job *j, int number, const char *suffix)
{
    return sg_arena_printf(arena, "%s.splitgen-%ld-%d.%s", sg_path_dir(arena, j->target),
                           (long)getpid(), number, suffix);
}

static int open_temporary(sg_arena *arena, job *j)
{
    for (int i = 0; i < 1000; i++) { /* left-overs of a killed run with the same process id */
        const char *name = beside(arena, j, i, "tmp");
        int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
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
    if (j->file->make_dir != NULL && mkdir(j->file->make_dir, 0777) == 0) {
        j->made_dir = true;
    }
    int fd = open_temporary(arena, j);
    if (fd < 0) {
        return fail(diag, j->file, errno);
    }
    int error = write_whole(fd, j->file->bytes);
    if (error == 0 && j->exists) {
        if (fchown(fd, j->old.st_uid, j->old.st_gid) != 0) {
            /* Only the super-user can give files away; for others it becomes their own. */
            errno = 0;
        }
        error = fchmod(fd, j->old.st_mode & 07777) != 0 ? errno : 0;
    }
    if (close(fd) != 0 && error == 0) {
        error = errno;
    }
    return error == 0 || fail(diag, j->file, error);
}

/* A pipe without a reader cannot be opened yet, and waiting must end on an interrupt. */
static int open_direct(const job *j, const signals *s)
{
    for (;;) {
        int fd = open(j->target, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd >= 0 || errno != ENXIO || !S_ISFIFO(j->old.st_mode)) {
            return fd;
        }
        if (interrupted(s)) {
            errno = EINTR;
            return -1;
        }
        poll(NULL, 0, WAIT_MS);
    }
}

static int write_slowly(int fd, sg_str bytes, const signals *s)
{
    size_t done = 0;
    while (done < bytes.len) {
        if (interrupted(s)) {
            return EINTR;
        }
        struct pollfd ready = {.fd = fd, .events = POLLOUT};
        if (poll(&ready, 1, WAIT_MS) == 0) {
            continue;
        }
        size_t left = bytes.len - done;
        ssize_t n = write(fd, bytes.ptr + done, left < DIRECT_CHUNK ? left : DIRECT_CHUNK);
        if (n < 0 && errno != EINTR && errno != EAGAIN) {
            return errno;
        }
        done += n > 0 ? (size_t)n : 0;
    }
    return 0;
}

static bool write_direct(sg_diag *diag, const job *j, const signals *s)
{
    /* A duplicate of our own, since some file systems report errors only when closing. */
    int fd = j->fd >= 0 ? dup(j->fd) : open_direct(j, s);
    if (fd < 0) {
        return fail(diag, j->file, errno);
    }
    struct stat st;
    int error = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? write_whole(fd, j->file->bytes)
                                                           : write_slowly(fd, j->file->bytes, s);
    if (close(fd) != 0 && error == 0) {
        error = errno;
    }
    const bool seen_enough = error == EPIPE && j->file->may_end;
    return error == 0 || seen_enough || fail(diag, j->file, error);
}

/* Gives what stands at the target another name, by which it can come back. Where the file system
 * has no second names it is the only one until the new file is there. */
static bool keep(sg_arena *arena, sg_diag *diag, job *j)
{
    const char *name = NULL;
    int i = 0;
    do {
        name = beside(arena, j, i++, "old");
    } while (access(name, F_OK) == 0);
    if (link(j->target, name) != 0 && rename(j->target, name) != 0) {
        return fail(diag, j->file, errno);
    }
    j->kept = name;
    return true;
}

/* All temporaries become their targets, or an error leaves enough to take it back. The last one
 * needs nothing: after it nothing can fail. */
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
        if (rename(j->temporary, j->target) != 0) {
            return fail(diag, j->file, errno);
        }
        j->temporary = NULL;
        j->renamed = true;
    }
    return true;
}

/* Leaves at the target what stood there before. */
static void take_back(job *j)
{
    if (j->temporary != NULL) {
        unlink(j->temporary);
    }
    if (j->renamed && j->kept == NULL) {
        unlink(j->target);
    }
    /* Two names of one file stay two, so the other one is removed; but not when it is the last. */
    if (j->kept != NULL && rename(j->kept, j->target) == 0) {
        unlink(j->kept);
    }
}

static bool write_jobs(sg_arena *arena, sg_diag *diag, job *jobs, int64_t count, const signals *s)
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
            SG_TRY(write_direct(diag, &jobs[i], s));
        }
    }
    if (interrupted(s)) {
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
    signals held;
    signals_hold(&held);
    bool ok = write_jobs(arena, diag, jobs, count, &held);
    for (int64_t i = count - 1; i >= 0; i--) {
        if (!ok) {
            take_back(&jobs[i]);
        } else if (jobs[i].kept != NULL) {
            unlink(jobs[i].kept);
        }
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        if (!ok && jobs[i].made_dir) {
            rmdir(jobs[i].file->make_dir); /* fails, as it should, when something is in it */
        }
    }
    signals_release(&held);
    return ok;
}

bool sg_output_print(sg_arena *arena, sg_diag *diag, sg_str text, sg_span span)
{
    sg_output_file file = {.path = "-", .bytes = text, .span = span, .may_end = true};
    return sg_output_write(arena, diag, &file, 1);
}
