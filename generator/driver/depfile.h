/* The text of a dependency file, in the form gcc -M writes and make and ninja read. */
#ifndef SG_DRIVER_DEPFILE_H
#define SG_DRIVER_DEPFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* What of a path a dependency file has no spelling for that both make and ninja read ("a line
 * break", "a ';'", ...), or NULL: a build would take the file for missing, and never be done. */
const char *sg_depfile_problem(const char *path);

/* A path as one word of a rule: blanks, '#', ':' and '$' are escaped, and backslashes only in front
 * of blanks. False: sg_depfile_problem knows why it cannot be said. */
bool sg_depfile_escape(sg_buf *out, const char *path);

/* "targets: files", and with phony a rule without a recipe for each file. Never empty: without
 * files the rule names its targets alone. False as above. */
bool sg_depfile_render(sg_buf *out, const char *const *targets, size_t ntargets,
                       const char *const *files, size_t nfiles, bool phony);

#endif
