/* Reading files, and the list of files read (for dependency files, and for what generated text says
 * of its making). Writing is the driver's alone. */
#ifndef SG_BASE_FILE_H
#define SG_BASE_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
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

/* Most that is read into memory of what has no size of its own: a pipe may be endless. */
#define SG_FILE_PIPE_MIB   64
#define SG_FILE_PIPE_BYTES ((size_t)SG_FILE_PIPE_MIB << 20)

/* Opens what the command line names: a file, a pipe, or "-" for standard input, whatever that is.
 * -1 with errno set: EISDIR for a folder, ENXIO for a device or socket. */
int sg_file_open(const char *path);

/* Folders that what a spec, a model or a template names must lie in. */
typedef struct sg_file_folders {
    const char *const *items; /* "" is the current one */
    size_t count;
} sg_file_folders;

/* Opens a regular file that another file names, by its path below a folder, which is one of
 * `inside` or lies in one. Links are followed as long as they end within them. -1 with errno set:
 * EXDEV for what is outside, EISDIR for a folder, ESPIPE for anything else that is no regular file;
 * none of these was opened. */
int sg_file_open_inside(sg_arena *arena, const char *folder, const char *name,
                        sg_file_folders inside);
void sg_file_close(int fd); /* keeps errno, and standard input open */

/* What errno says after one of these functions, and how the tool ends. */
const char *sg_file_why(int error);
sg_exit sg_file_exit(int error);
/* Reports both; always false. */
bool sg_file_cannot_read(sg_diag *diag, sg_span span, const char *path);

/* Up to what size a text is read of an open file: of a regular one `limit`, of others the smaller
 * of that and SG_FILE_PIPE_BYTES. */
size_t sg_file_limit(int fd, size_t limit);
/* Appends what is left of an open file to out, which is NUL-terminated then even when the file is
 * empty. False on failure with errno set and out as it was; EFBIG for more than `limit` bytes. */
bool sg_file_read_open(int fd, size_t limit, sg_buf *out);
/* The same with all that sg_file_open opens; of a regular file without a limit. */
bool sg_file_read(const char *path, sg_buf *out);
/* A text that an option names, added to the list of files. NULL: reported, at the option's span. */
const sg_source *sg_file_source(sg_arena *arena, sg_diag *diag, sg_span span, const char *path,
                                sg_file_list *list);
bool sg_file_exists(const char *path); /* anything but a directory */

/* "dir/" part of a path with its slash, or "" ; memory from the arena. */
char *sg_path_dir(sg_arena *arena, const char *path);
/* What stands behind it. */
const char *sg_path_base(const char *path);
bool sg_path_is_folder(const char *path);   /* ends with a slash */
bool sg_path_is_absolute(const char *path); /* or begins with a drive */
/* Whether it is relative, not empty and without "..". */
bool sg_path_stays_below(const char *path);
/* A name in a folder; "" is the current one. */
const char *sg_path_join(sg_arena *arena, const char *dir, const char *name);
/* The path with '/' between its folders, as files have it that other programs read. */
const char *sg_path_with_slashes(sg_arena *arena, const char *path);

#endif
