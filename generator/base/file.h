/* Reading files, and the list of files read (for dependency files, and for what generated text says
 * of its making). Writing is the driver's alone. */
#ifndef SG_BASE_FILE_H
#define SG_BASE_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

typedef struct sg_file_entry {
    const char *path;   /* as it was opened; "-" is standard input */
    const char *name;   /* by which it is found when all files read lie in one folder, and splitgen
                           runs there */
    const char *sha256; /* of what was read, 64 digits; NULL where nobody has worked it out yet */
} sg_file_entry;

typedef struct sg_file_list {
    sg_file_entry *items; /* arena memory, in order of first reading, no path twice */
    size_t count;
    int64_t capacity;
} sg_file_list;

/* name: NULL is the path without its folders. sha256 is kept as it is, and may be filled in later.
 */
void sg_file_list_add(sg_arena *arena, sg_file_list *list, const char *path, const char *name,
                      const char *sha256);
/* The name of the file with that path, or, where it is not in the list, the path without its
 * folders. */
const char *sg_file_list_name(const sg_file_list *list, const char *path);

bool sg_file_is_standard(const char *path); /* standard input, no file */

/* Appends a whole file ("-" is standard input) to out, which is NUL-terminated then even when the
 * file is empty. False on failure with errno set and out as it was; a directory is EISDIR. */
bool sg_file_read(const char *path, sg_buf *out);
bool sg_file_exists(const char *path); /* anything but a directory */

/* "dir/" part of a path with its slash, or "" ; memory from the arena. */
char *sg_path_dir(sg_arena *arena, const char *path);
/* What stands behind it. */
const char *sg_path_base(const char *path);
bool sg_path_is_folder(const char *path);   /* ends with a slash */
bool sg_path_is_absolute(const char *path); /* or begins with a drive */
/* A name in a folder; "" is the current one. */
const char *sg_path_join(sg_arena *arena, const char *dir, const char *name);
/* The path with '/' between its folders, as files have it that other programs read. */
const char *sg_path_with_slashes(sg_arena *arena, const char *path);

#endif
