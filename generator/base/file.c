/* Reads files and standard input, and records which were read. */
#include "base/file.h"

#include <errno.h>
#include <string.h>

#include "base/sha256.h"
#include "base/system.h"

#define IN_WORDS_(x) #x
#define IN_WORDS(x)  IN_WORDS_(x)

#define READ_BYTES ((size_t)64 * 1024)

static const sg_file_entry *find(const sg_file_list *list, const char *path)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].path, path) == 0) {
            return &list->items[i];
        }
    }
    return NULL;
}

void sg_file_list_add(sg_arena *arena, sg_file_list *list, const char *path, const char *name,
                      const char *sha256)
{
    if (find(list, path) != NULL) {
        return;
    }
    list->items = SG_GROWN(arena, list->items, list->count, list->capacity);
    list->items[list->count++] =
        (sg_file_entry){.path = sg_arena_strdup(arena, path),
                        .name = sg_arena_strdup(arena, name != NULL ? name : sg_path_base(path)),
                        .sha256 = sha256};
}

const char *sg_file_list_name(const sg_file_list *list, const char *path)
{
    const sg_file_entry *entry = find(list, path);
    return entry != NULL ? entry->name : sg_path_base(path);
}

bool sg_file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

int sg_file_open(const char *path)
{
    if (sg_file_is_standard(path)) {
        return SG_STANDARD_INPUT;
    }
    sg_system_info info;
    if (!sg_system_stat(path, &info)) {
        return -1;
    }
    if (info.kind == SG_SYSTEM_FOLDER || info.kind == SG_SYSTEM_OTHER) {
        errno = info.kind == SG_SYSTEM_FOLDER ? EISDIR : ENXIO;
        return -1;
    }
    return sg_system_open(path);
}

/* Closes anything that is not a regular file. */
static int only_regular(int fd)
{
    sg_system_info info = {.kind = SG_SYSTEM_OTHER};
    if (fd < 0 || (sg_system_stat_open(fd, &info) && info.kind == SG_SYSTEM_FILE)) {
        return fd;
    }
    sg_file_close(fd);
    errno = info.kind == SG_SYSTEM_FOLDER ? EISDIR : ESPIPE;
    return -1;
}

int sg_file_open_inside(sg_arena *arena, const char *folder, const char *name,
                        sg_file_folders inside)
{
    if (!sg_path_stays_below(name)) {
        errno = EXDEV;
        return -1;
    }
    return only_regular(sg_system_open_inside(arena, folder, name, inside.items, inside.count));
}

void sg_file_close(int fd)
{
    const int error = errno;
    if (fd > SG_STANDARD_INPUT) {
        sg_system_close(fd);
    }
    errno = error;
}

const char *sg_file_why(int error)
{
    switch (error) {
    case EXDEV:
        return "a symbolic link leads out of the folder, and nothing outside is read";
    case ESPIPE:
        return "it is not a regular file, and other files may name only regular files";
    case ENXIO:
        return "it is a device or a socket, but only files and pipes are read";
    case EFBIG:
        return "it has more than " IN_WORDS(
            SG_FILE_PIPE_MIB) " MiB, which is the most that is "
                              "read of a pipe; save it as a file and name that";
    default:
        return strerror(error);
    }
}

sg_exit sg_file_exit(int error)
{
    return error == EFBIG                      ? SG_EXIT_BUDGET
           : error == EXDEV || error == ESPIPE ? SG_EXIT_INPUT
                                               : SG_EXIT_IO;
}

bool sg_file_cannot_read(sg_diag *diag, sg_span span, const char *path)
{
    const int error = errno;
    return sg_diag_fail(diag, sg_file_exit(error), span, "cannot read '%s': %s", path,
                        sg_file_why(error));
}

size_t sg_file_limit(int fd, size_t limit)
{
    sg_system_info info;
    const bool regular = sg_system_stat_open(fd, &info) && info.kind == SG_SYSTEM_FILE;
    return regular || limit < SG_FILE_PIPE_BYTES ? limit : SG_FILE_PIPE_BYTES;
}

/* On failure, `out` still contains what was read. */
static bool append(int fd, size_t limit, sg_buf *out)
{
    const size_t start = out->len;
    sg_buf_add(out, "", 0);
    for (;;) {
        sg_buf_reserve(out, READ_BYTES);
        const int64_t n = sg_system_read(fd, out->ptr + out->len, out->cap - out->len - 1);
        if (n <= 0) {
            return n == 0;
        }
        out->len += (size_t)n;
        out->ptr[out->len] = '\0';
        if (out->len - start > limit) {
            errno = EFBIG;
            return false;
        }
    }
}

bool sg_file_read_open(int fd, size_t limit, sg_buf *out)
{
    const size_t start = out->len;
    if (append(fd, limit, out)) {
        return true;
    }
    out->len = start;
    out->ptr[start] = '\0';
    return false;
}

bool sg_file_read(const char *path, sg_buf *out)
{
    const int fd = sg_file_open(path);
    const bool ok = fd >= 0 && sg_file_read_open(fd, sg_file_limit(fd, SIZE_MAX), out);
    sg_file_close(fd);
    return ok;
}

const sg_source *sg_file_source(sg_arena *arena, sg_diag *diag, sg_span span, const char *path,
                                sg_file_list *list)
{
    sg_buf text = {0};
    const sg_source *source = NULL;
    if (sg_file_read(path, &text)) {
        source = sg_source_new(arena, path, text.len > 0 ? text.ptr : "", text.len);
        sg_file_list_add(arena, list, path, NULL, sg_sha256_text(arena, source->text, source->len));
    } else {
        (void)sg_file_cannot_read(diag, span, path);
    }
    sg_buf_free(&text);
    return source;
}

bool sg_file_exists(const char *path)
{
    sg_system_info info;
    return sg_system_stat(path, &info) && info.kind != SG_SYSTEM_FOLDER;
}

char *sg_path_dir(sg_arena *arena, const char *path)
{
    return sg_arena_strndup(arena, path, (size_t)(sg_path_base(path) - path));
}

const char *sg_path_base(const char *path)
{
    const char *base = path + sg_system_drive(path);
    for (const char *c = base; *c != '\0'; c++) {
        base = sg_system_is_slash(*c) ? c + 1 : base;
    }
    return base;
}

bool sg_path_is_folder(const char *path)
{
    return path[0] != '\0' && sg_path_base(path)[0] == '\0';
}

bool sg_path_is_absolute(const char *path)
{
    return sg_system_is_slash(path[0]) || sg_system_drive(path) > 0;
}

bool sg_path_stays_below(const char *path)
{
    if (sg_path_is_absolute(path) || path[0] == '\0') {
        return false;
    }
    size_t n = 0; /* length of the component so far */
    for (const char *c = path;; c++) {
        if (*c != '\0' && !sg_system_is_slash(*c)) {
            n++;
            continue;
        }
        if (n == 2 && memcmp(c - n, "..", n) == 0) {
            return false;
        }
        if (*c == '\0') {
            return true;
        }
        n = 0;
    }
}

const char *sg_path_join(sg_arena *arena, const char *dir, const char *name)
{
    const bool whole = dir[0] == '\0' || sg_path_is_folder(dir);
    return sg_arena_printf(arena, "%s%s%s", dir, whole ? "" : "/", name);
}

const char *sg_path_with_slashes(sg_arena *arena, const char *path)
{
    char *copy = sg_arena_strdup(arena, path);
    for (char *c = copy; *c != '\0'; c++) {
        *c = sg_system_is_slash(*c) ? '/' : *c;
    }
    return copy;
}
