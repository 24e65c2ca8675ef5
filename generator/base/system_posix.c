/* system.h for POSIX. The extensions that are not in POSIX, and differ on macOS, come after the
 * includes. */
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* S_ISVTX, _NSGetExecutablePath */
#endif
#if defined(__linux__)
#define _GNU_SOURCE /* O_PATH */
#else
#define _XOPEN_SOURCE 700 /* realpath, S_ISVTX */
#endif

#include "base/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

/* To walk through a folder, the permission to list it is not needed. */
#if defined(O_PATH)
#define TO_PASS O_PATH
#else
#define TO_PASS O_RDONLY
#endif

#define MAX_LINKS 40 /* the limit of common systems */

void sg_system_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

/* --- paths --- */

bool sg_system_is_slash(char c)
{
    return c == '/';
}

size_t sg_system_drive(const char *path)
{
    (void)path;
    return 0;
}

const char *sg_system_real_path(sg_arena *arena, const char *path)
{
    char real[PATH_MAX];
    return realpath(path, real) != NULL ? sg_arena_strdup(arena, real) : NULL;
}

#if defined(__APPLE__)
const char *sg_system_program(sg_arena *arena)
{
    char program[PATH_MAX];
    uint32_t size = sizeof program;
    return _NSGetExecutablePath(program, &size) == 0 ? sg_system_real_path(arena, program) : NULL;
}
#else
const char *sg_system_program(sg_arena *arena)
{
    return sg_system_link(arena, "/proc/self/exe");
}
#endif

/* --- queries --- */

static void tell(const struct stat *st, sg_system_info *info)
{
    *info = (sg_system_info){
        .kind = S_ISREG(st->st_mode)    ? SG_SYSTEM_FILE
                : S_ISDIR(st->st_mode)  ? SG_SYSTEM_FOLDER
                : S_ISFIFO(st->st_mode) ? SG_SYSTEM_FIFO
                                        : SG_SYSTEM_OTHER,
        .size = (int64_t)st->st_size,
        .device = (uint64_t)st->st_dev,
        .number = (uint64_t)st->st_ino,
        .mode = (uint32_t)st->st_mode,
        .user = (uint32_t)st->st_uid,
        .group = (uint32_t)st->st_gid,
    };
}

bool sg_system_stat(const char *path, sg_system_info *info)
{
    struct stat st;
    const bool ok = stat(path, &st) == 0;
    if (ok) {
        tell(&st, info);
    }
    return ok;
}

bool sg_system_stat_open(int fd, sg_system_info *info)
{
    struct stat st;
    const bool ok = fstat(fd, &st) == 0;
    if (ok) {
        tell(&st, info);
    }
    return ok;
}

bool sg_system_is_same(const sg_system_info *a, const sg_system_info *b)
{
    return a->device == b->device && a->number == b->number;
}

bool sg_system_is_terminal(int fd)
{
    return isatty(fd) != 0;
}

const char **sg_system_names(sg_arena *arena, const char *folder, size_t *count)
{
    DIR *entries = opendir(folder);
    int64_t capacity = 16;
    const char **names = SG_NEW_ARRAY(arena, const char *, capacity);
    *count = 0;
    const struct dirent *entry;
    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        names = SG_GROWN(arena, names, *count, capacity);
        names[(*count)++] = sg_arena_strdup(arena, entry->d_name);
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
    return names;
}

const char *sg_system_link(sg_arena *arena, const char *path)
{
    char link[PATH_MAX];
    const ssize_t len = readlink(path, link, sizeof link);
    if (len == (ssize_t)sizeof link) {
        errno = ENAMETOOLONG;
    }
    return len >= 0 && len < (ssize_t)sizeof link ? sg_arena_strndup(arena, link, (size_t)len)
                                                  : NULL;
}

/* --- reading --- */

int sg_system_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC);
}

/* Opens a folder in an open folder, and closes the latter; a link is an error. */
static int step(int at, const char *name)
{
    const int next = openat(at, name, TO_PASS | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    close(at);
    errno = error;
    return next;
}

static int open_folder(const char *path)
{
    return open(path[0] != '\0' ? path : ".", TO_PASS | O_DIRECTORY | O_CLOEXEC);
}

static bool is_one_of(const sg_system_info *folder, const char *const *folders, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        sg_system_info info;
        if (sg_system_stat(folders[i][0] != '\0' ? folders[i] : ".", &info) &&
            sg_system_is_same(folder, &info)) {
            return true;
        }
    }
    return false;
}

/* Whether an open folder is one of the folders or below one: walks up to the root. */
static bool is_inside(int folder, const char *const *folders, size_t n)
{
    sg_system_info below = {0};
    int at = openat(folder, ".", TO_PASS | O_DIRECTORY | O_CLOEXEC);
    bool found = false;
    while (at >= 0 && !found) {
        sg_system_info info;
        if (!sg_system_stat_open(at, &info) || sg_system_is_same(&info, &below)) {
            break; /* the parent of the root is the root */
        }
        found = is_one_of(&info, folders, n);
        below = info;
        at = found ? at : step(at, "..");
    }
    if (at >= 0) {
        close(at);
    }
    return found;
}

/* The target of a link in an open folder; NULL if it is not a link. */
static const char *link_in(sg_arena *arena, int folder, const char *name)
{
    char link[PATH_MAX];
    const ssize_t len = readlinkat(folder, name, link, sizeof link);
    return len > 0 && len < (ssize_t)sizeof link ? sg_arena_strndup(arena, link, (size_t)len)
                                                 : NULL;
}

/* Opens a regular file or a folder; a link is an error. */
static int open_last(int folder, const char *name)
{
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) != 0) {
        return -1;
    }
    if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        errno = ESPIPE;
        return -1;
    }
    /* O_NONBLOCK, because by now the name may be a FIFO. */
    return openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
}

/* Resolves links here instead of leaving that to the system, so that a component that was checked
 * cannot be replaced by a link. */
int sg_system_open_inside(sg_arena *arena, const char *folder, const char *path,
                          const char *const *inside, size_t ninside)
{
    int at = open_folder(folder);
    int links = 0;
    int fd = -1;
    while (at >= 0) {
        const size_t n = strcspn(path, "/");
        const char *name = n > 0 ? sg_arena_strndup(arena, path, n) : ".";
        const char *link = link_in(arena, at, name);
        if (link != NULL && ++links > MAX_LINKS) {
            errno = ELOOP;
            break;
        }
        if (link != NULL) {
            path = sg_arena_printf(arena, "%s%s", link, path + n);
            at = link[0] == '/' ? step(at, "/") : at;
            continue;
        }
        if (path[n] == '\0') {
            if (links == 0 || is_inside(at, inside, ninside)) {
                fd = open_last(at, name);
            } else {
                errno = EXDEV;
            }
            break;
        }
        at = step(at, name);
        path += n + 1;
    }
    if (at >= 0) {
        const int error = errno;
        close(at);
        errno = error;
    }
    return fd;
}

int64_t sg_system_read(int fd, void *bytes, size_t n)
{
    ssize_t got = 0;
    do {
        got = read(fd, bytes, n);
    } while (got < 0 && errno == EINTR);
    return (int64_t)got;
}

int64_t sg_system_read_at(int fd, void *bytes, size_t n, int64_t offset)
{
    ssize_t got = 0;
    do {
        got = pread(fd, bytes, n, (off_t)offset);
    } while (got < 0 && errno == EINTR);
    return (int64_t)got;
}

int64_t sg_system_position(int fd)
{
    return (int64_t)lseek(fd, 0, SEEK_CUR);
}

bool sg_system_seek(int fd, int64_t offset)
{
    return lseek(fd, (off_t)offset, SEEK_SET) >= 0;
}

bool sg_system_close(int fd)
{
    return close(fd) == 0;
}

/* --- writing --- */

int sg_system_create(const char *path)
{
    return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

int sg_system_open_device(const char *path)
{
    return open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

int sg_system_duplicate(int fd)
{
    return dup(fd);
}

int64_t sg_system_write(int fd, const void *bytes, size_t n)
{
    const ssize_t taken = write(fd, bytes, n);
    return taken < 0 && (errno == EINTR || errno == EAGAIN) ? 0 : (int64_t)taken;
}

bool sg_system_wait(int fd, int milliseconds)
{
    struct pollfd ready = {.fd = fd, .events = POLLOUT};
    return poll(&ready, 1, milliseconds) != 0;
}

void sg_system_sleep(int milliseconds)
{
    poll(NULL, 0, milliseconds);
}

bool sg_system_keep_rights(int fd, const sg_system_info *info)
{
    if (fchown(fd, (uid_t)info->user, (gid_t)info->group) != 0) {
        /* Only root can change the owner; for other users the file keeps their own. */
        errno = 0;
    }
    return fchmod(fd, (mode_t)info->mode & 07777) == 0;
}

bool sg_system_may_write(const char *path)
{
    return access(path, W_OK) == 0;
}

bool sg_system_is_anothers(const sg_system_info *folder, const sg_system_info *file)
{
    const uint32_t me = (uint32_t)geteuid();
    return (folder->mode & S_ISVTX) != 0 && me != 0 && me != folder->user && me != file->user;
}

bool sg_system_rename(const char *from, const char *to)
{
    return rename(from, to) == 0;
}

bool sg_system_second_name(const char *path, const char *name)
{
    return link(path, name) == 0;
}

bool sg_system_remove(const char *path)
{
    return unlink(path) == 0;
}

bool sg_system_make_folder(const char *path)
{
    return mkdir(path, 0777) == 0;
}

bool sg_system_remove_folder(const char *path)
{
    return rmdir(path) == 0;
}

long sg_system_process(void)
{
    return (long)getpid();
}

/* --- interrupts --- */

/* Interrupting signals are blocked and polled, so that no handler is needed. A pending one is
 * delivered when the old mask is restored. */
static struct {
    sigset_t old_mask;
    struct sigaction old_pipe;
    struct sigaction old_size;
} held;

static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
#define NINTERRUPTS (sizeof interrupts / sizeof interrupts[0])

/* SIGPIPE and SIGXFSZ are ignored, so that a closed pipe and a file beyond the size limit are
 * errors like a full disk. */
void sg_system_hold_interrupts(void)
{
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < NINTERRUPTS; i++) {
        sigaddset(&set, interrupts[i]);
    }
    sigprocmask(SIG_BLOCK, &set, &held.old_mask);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigemptyset(&ignore.sa_mask);
    sigaction(SIGPIPE, &ignore, &held.old_pipe);
    sigaction(SIGXFSZ, &ignore, &held.old_size);
}

void sg_system_release_interrupts(void)
{
    sigaction(SIGPIPE, &held.old_pipe, NULL);
    sigaction(SIGXFSZ, &held.old_size, NULL);
    sigprocmask(SIG_SETMASK, &held.old_mask, NULL);
}

bool sg_system_interrupt_pending(void)
{
    sigset_t pending;
    if (sigpending(&pending) != 0) {
        return false;
    }
    for (size_t i = 0; i < NINTERRUPTS; i++) {
        if (sigismember(&pending, interrupts[i]) == 1 &&
            sigismember(&held.old_mask, interrupts[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* --- processor time --- */

/* What the handler writes; set before the timer starts. */
static struct {
    const char *text;
    size_t len;
    int code;
} last_words;

/* Calls only what a handler may call. */
static void out_of_time(int signal)
{
    (void)signal;
    ssize_t n = 1;
    for (size_t done = 0; done < last_words.len && n > 0; done += (size_t)n) {
        n = write(SG_STANDARD_ERROR, last_words.text + done, last_words.len - done);
    }
    _exit(last_words.code);
}

static void set_timer(int64_t seconds)
{
    const struct itimerval timer = {.it_value.tv_sec = (time_t)seconds};
#if defined(__EMSCRIPTEN__) /* the page ends the tool */
    (void)timer;
#else
    setitimer(ITIMER_PROF, &timer, NULL);
#endif
}

void sg_system_limit_time(int64_t seconds, const char *text, size_t len, int code)
{
    enum { MOST = 100000000 }; /* systems refuse longer timers */
    struct sigaction action = {.sa_handler = out_of_time};
    sigset_t set;
    last_words.text = text;
    last_words.len = len;
    last_words.code = code;
    sigemptyset(&action.sa_mask);
    sigaction(SIGPROF, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGPROF);
    sigprocmask(SIG_UNBLOCK, &set, NULL); /* the parent may have blocked it */
    set_timer(seconds < MOST ? seconds : MOST);
}

void sg_system_unlimit_time(void)
{
    set_timer(0);
}
