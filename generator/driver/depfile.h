/* The text of a dependency file, in the format that gcc -M writes and make and ninja read. */
#ifndef SG_DRIVER_DEPFILE_H
#define SG_DRIVER_DEPFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The part of a path that no escaping makes readable for both make and ninja ("a line break", "a
 * ';'", ...), or NULL. A build would treat such a file as missing, and rebuild forever. */
const char *sg_depfile_problem(const char *path);

/* Adds a path as one word of a rule: escapes blanks, '#', ':' and '$', and backslashes only before
 * blanks. False: see sg_depfile_problem. */
bool sg_depfile_escape(sg_buf *out, const char *path);

/* Adds "targets: files", and with `phony` a rule without a recipe for each file. Without files the
 * rule has targets only. False as above. */
bool sg_depfile_render(sg_buf *out, const char *const *targets, size_t ntargets,
                       const char *const *files, size_t nfiles, bool phony);

#endif
