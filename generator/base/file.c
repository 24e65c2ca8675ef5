/* Reading files and standard input, and remembering which were read. Never writes. */
#include "base/file.h"

#include <errno.h>
#include <string.h>

#include "base/system.h"

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

/* Appends everything fd has; errno is set on failure. */
static bool read_all(int fd, sg_buf *out)
{
    sg_system_info info;
    if (!sg_system_stat_open(fd, &info)) {
        return false;
    }
    if (info.kind == SG_SYSTEM_FOLDER) {
        errno = EISDIR;
        return false;
    }
    sg_buf_add(out, "", 0);
    for (;;) {
        sg_buf_reserve(out, READ_BYTES);
        const int64_t n = sg_system_read(fd, out->ptr + out->len, out->cap - out->len - 1);
        if (n <= 0) {
            return n == 0;
        }
        out->len += (size_t)n;
        out->ptr[out->len] = '\0';
    }
}

bool sg_file_read(const char *path, sg_buf *out)
{
    size_t start = out->len;
    bool standard_input = sg_file_is_standard(path);
    int fd = standard_input ? SG_STANDARD_INPUT : sg_system_open(path);
    if (fd < 0) {
        return false;
    }
    bool ok = read_all(fd, out);
    int error = errno;
    if (!standard_input) {
        sg_system_close(fd);
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
