/* --check: does a file hold what would be written to it? */
#ifndef SG_DRIVER_STALE_H
#define SG_DRIVER_STALE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"

/* True when the file at path holds exactly these bytes. Else reports SG_EXIT_STALE (SG_EXIT_IO
 * when the file is there but cannot be read) and appends the first difference to diff in the form
 * of a unified diff without context; notes say which of version, command and files read differ from
 * those that the file itself says. span: of the path on the command line. files: those read. */
bool sg_stale_check(sg_arena *arena, sg_diag *diag, const char *path, sg_span span, sg_str bytes,
                    const sg_file_list *files, sg_buf *diff) SG_CHECK;

#endif
