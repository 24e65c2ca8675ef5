/* foreign: identifies a file that splitgen cannot read, by its contents and then by the ending of
 * its name. The formats and their messages are rows of foreign.inc. */
#ifndef SG_FRONTEND_MODEL_FOREIGN_H
#define SG_FRONTEND_MODEL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A file that no reader recognises as a model. */
typedef struct sg_foreign_file {
    const char *path; /* "-" is standard input, which has no name */
    int fd; /* used, if it is seekable, to read the list of files at the end of a zip archive */
    const char *head; /* its first bytes, a few thousand; all of them if it is shorter */
    size_t n;
} sg_foreign_file;

/* What the file is and what to do, as a clause that follows its name: "is compressed with gzip;
 * ...". NULL: it is text that may be a spec. */
const char *sg_foreign_tell(sg_arena *arena, const sg_foreign_file *file);

/* Whether a path ends with `ending`, ignoring case. */
bool sg_foreign_is_named(const char *path, const char *ending);

#endif
