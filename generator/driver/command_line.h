/* The command line as a source text: the arguments quoted as for a shell and joined, so that
 * errors in them get a line, an excerpt and a caret like any other. */
#ifndef SG_DRIVER_COMMAND_LINE_H
#define SG_DRIVER_COMMAND_LINE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/source.h"
#include "base/text.h"

typedef struct sg_command_line {
    int argc;
    const char *const *argv; /* owned by the caller; argv[0] is never shown */
    const sg_source *source; /* named "<command line>", begins with "splitgen" */
    size_t *begins;          /* argc entries: the offset of each quoted argument in the source */
} sg_command_line;

/* All memory belongs to the arena; argv must outlive it. */
void sg_command_line_init(sg_command_line *line, sg_arena *arena, int argc,
                          const char *const *argv);

/* The span of bytes [from, to) of argument arg, counted before quoting. */
sg_span sg_command_line_span(const sg_command_line *line, int arg, size_t from, size_t to);
/* The span of a full argument, including quotes. */
sg_span sg_command_line_argument(const sg_command_line *line, int arg);
/* The empty span after the last argument, for errors about something missing. */
sg_span sg_command_line_end(const sg_command_line *line);

#endif
