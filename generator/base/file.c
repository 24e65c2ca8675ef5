/* Reading files and standard input, and remembering which were read. Never writes. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? list->capacity * 2 : 8;
        sg_file_entry *items = SG_NEW_ARRAY(arena, sg_file_entry, capacity);
        if (list->count) {
            memcpy(items, list->items, list->count * sizeof *items);
        }
        list->items = items;
        list->capacity = capacity;
    }
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

/* Appends everything fd has; errno is set on failure. */
static bool read_all(int fd, sg_buf *out)
{
    struct stat info;
    if (fstat(fd, &info) != 0) {
        return false;
    }
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return false;
    }
    sg_buf_add(out, "", 0);
    for (;;) {
        sg_buf_reserve(out, READ_BYTES);
        ssize_t n = read(fd, out->ptr + out->len, out->cap - out->len - 1);
        if (n == 0) {
            return true;
        }
        if (n > 0) {
            out->len += (size_t)n;
            out->ptr[out->len] = '\0';
        } else if (errno != EINTR) {
            return false;
        }
    }
}

bool sg_file_read(const char *path, sg_buf *out)
{
    size_t start = out->len;
    bool standard_input = sg_file_is_standard(path);
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool ok = read_all(fd, out);
    int error = errno;
    if (!standard_input) {
        close(fd);
    }
    if (!ok) {
        out->len = start;
        if (out->ptr) {
            out->ptr[start] = '\0';
        }
        errno = error;
    }
    return ok;
}

bool sg_file_exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

char *sg_path_dir(sg_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/');
    return sg_arena_strndup(arena, path, slash ? (size_t)(slash - path) + 1 : 0);
}

const char *sg_path_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}
