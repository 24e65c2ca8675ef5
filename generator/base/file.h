/* Reading files, and the list of files read (for the depfile). Writing is the driver's alone. */
#ifndef SG_BASE_FILE_H
#define SG_BASE_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

typedef struct sg_file_list {
    const char **paths; /* arena memory, in order of first reading, no duplicates */
    size_t count;
    size_t capacity;
} sg_file_list;

void sg_file_list_add(sg_arena *arena, sg_file_list *list, const char *path);

/* Appends a whole file ("-" is standard input) to out, which is NUL-terminated then even when the
 * file is empty. False on failure with errno set and out as it was; a directory is EISDIR. */
bool sg_file_read(const char *path, sg_buf *out);
bool sg_file_exists(const char *path); /* anything but a directory */

/* "dir/" part of a path with its slash, or "" ; memory from the arena. */
char *sg_path_dir(sg_arena *arena, const char *path);

#endif
