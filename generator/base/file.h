/* file: reading files, and the list of files read (for dependency files, and for the provenance in
 * generated text). Only the driver writes files. */
#ifndef SG_BASE_FILE_H
#define SG_BASE_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

typedef struct sg_file_entry {
    const char *path; /* as it was opened; "-" is standard input */
    const char *name; /* relative to a folder from which all these files can be found, when splitgen
                         runs there */
    const char *sha256; /* of what was read, 64 digits; NULL until computed */
} sg_file_entry;

typedef struct sg_file_list {
    sg_file_entry *items; /* in the arena, in order of first reading, without duplicates */
    size_t count;
    int64_t capacity;
} sg_file_list;

/* name: NULL means the path without its folders. sha256 is not copied, and may be filled in
 * later. */
void sg_file_list_add(sg_arena *arena, sg_file_list *list, const char *path, const char *name,
                      const char *sha256);
/* The name of the file with this path; if it is not in the list, the path without its folders. */
const char *sg_file_list_name(const sg_file_list *list, const char *path);

bool sg_file_is_standard(const char *path); /* standard input, not a file */

/* Maximum size of input without a size of its own: a pipe may be endless. */
#define SG_FILE_PIPE_MIB   64
#define SG_FILE_PIPE_BYTES ((size_t)SG_FILE_PIPE_MIB << 20)

/* Opens an input of the command line: a file, a pipe, or "-" for standard input of any kind. -1
 * with errno set: EISDIR for a folder, ENXIO for a device or socket. */
int sg_file_open(const char *path);

/* The folders that must contain every file that a spec or model names. */
typedef struct sg_file_folders {
    const char *const *items; /* "" is the current one */
    size_t count;
} sg_file_folders;

/* Opens a regular file that another file names. Its path is relative to `folder`, which is one of
 * `inside` or below one. Links are followed if they end inside. -1 with errno set: EXDEV for a file
 * outside, EISDIR for a folder, ESPIPE for anything else that is not a regular file; none of these
 * is opened. */
int sg_file_open_inside(sg_arena *arena, const char *folder, const char *name,
                        sg_file_folders inside);
void sg_file_close(int fd); /* keeps errno, and standard input open */

/* The text and the exit code for errno after one of these functions. */
const char *sg_file_why(int error);
sg_exit sg_file_exit(int error);
/* Reports both for errno; always false. */
bool sg_file_cannot_read(sg_diag *diag, sg_span span, const char *path);

/* The size limit for reading an open file: `limit` for a regular file, for others at most
 * SG_FILE_PIPE_BYTES. */
size_t sg_file_limit(int fd, size_t limit);
/* Appends the rest of an open file to out, which is then NUL-terminated even if the file is empty.
 * False on failure, with errno set and out unchanged; EFBIG for more than `limit` bytes. */
bool sg_file_read_open(int fd, size_t limit, sg_buf *out);
/* The same for everything that sg_file_open opens; no limit for regular files. */
bool sg_file_read(const char *path, sg_buf *out);
/* Reads a text file named by an option, and adds it to the list of files. NULL: reported at the
 * option's span. */
const sg_source *sg_file_source(sg_arena *arena, sg_diag *diag, sg_span span, const char *path,
                                sg_file_list *list);
bool sg_file_exists(const char *path); /* anything but a directory */

/* "dir/" part of a path with its slash, or "" ; memory from the arena. */
char *sg_path_dir(sg_arena *arena, const char *path);
/* The part of the path after it. */
const char *sg_path_base(const char *path);
bool sg_path_is_folder(const char *path);   /* ends with a slash */
bool sg_path_is_absolute(const char *path); /* or begins with a drive */
/* Whether the path is relative, not empty, and without "..". */
bool sg_path_stays_below(const char *path);
/* A name in a folder; "" is the current one. */
const char *sg_path_join(sg_arena *arena, const char *dir, const char *name);
/* The path with '/' as its separator, for files that other programs read. */
const char *sg_path_with_slashes(sg_arena *arena, const char *path);

#endif
