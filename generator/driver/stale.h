/* --check: compares files with the text that would be written to them. */
#ifndef SG_DRIVER_STALE_H
#define SG_DRIVER_STALE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"

/* True if the file at path contains exactly these bytes. Otherwise reports SG_EXIT_STALE (or
 * SG_EXIT_IO if an existing file cannot be read) and appends the first difference to diff, as a
 * unified diff without context. Notes say whether the version, the command or the files read differ
 * from those that the file names. span: of the path on the command line. files: the files read. */
bool sg_stale_check(sg_arena *arena, sg_diag *diag, const char *path, sg_span span, sg_str bytes,
                    const sg_file_list *files, sg_buf *diff) SG_CHECK;

#endif
