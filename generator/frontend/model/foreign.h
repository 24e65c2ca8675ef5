/* foreign: what a file is that splitgen does not read, told by its content first and then by the
 * ending of its name. The formats and what is said of them are rows of foreign.inc. */
#ifndef SG_FRONTEND_MODEL_FOREIGN_H
#define SG_FRONTEND_MODEL_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A file that no reader has taken for a model. */
typedef struct sg_foreign_file {
    const char *path; /* "-" is standard input, whose name says nothing */
    int fd; /* the list of files at the end of a zip archive is read from it, if it seeks */
    const char *head; /* its first bytes, all of them if there are fewer than some thousands */
    size_t n;
} sg_foreign_file;

/* What it is and what to do, as the rest of a sentence behind its name: "is compressed with gzip;
 * ...". NULL: it is text that may be a spec. */
const char *sg_foreign_tell(sg_arena *arena, const sg_foreign_file *file);

/* Whether a path ends with `ending`, capitals or not. */
bool sg_foreign_is_named(const char *path, const char *ending);

#endif
