/* Writes output files: all of them or none. The only module that writes files. */
#ifndef SG_DRIVER_OUTPUT_H
#define SG_DRIVER_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/text.h"

typedef struct sg_output_file {
    const char *path;     /* "-" is standard output */
    const char *make_dir; /* a folder to create if it is missing, or NULL */
    sg_str bytes;
    sg_span span; /* of the path on the command line */
    bool may_end; /* no error if the reader of a pipe closes it early: it has read enough */
} sg_output_file;

/* Writes every file to a temporary beside its target and renames all of them at the end, so that
 * after an error or an interrupt every target is unchanged and no temporary is left.
 *
 * A target that already has these bytes is not touched. Symbolic links are followed, and the
 * permissions of an existing file are kept; a read-only file is an error. Anything but a regular
 * file (pipes, devices, standard output) is written directly, after the temporaries and before the
 * renaming; for a terminal, control characters are escaped. False: reported (SG_EXIT_IO). */
bool sg_output_write(sg_arena *arena, sg_diag *diag, const sg_output_file *files,
                     int64_t count) SG_CHECK;

/* Writes text for a reader to standard output, which may be closed early. False: reported at the
 * span. */
bool sg_output_print(sg_arena *arena, sg_diag *diag, sg_str text, sg_span span) SG_CHECK;

/* A canonical path: equal for two names of one file, even before it exists. */
const char *sg_output_canonical(sg_arena *arena, const char *path);

#endif
