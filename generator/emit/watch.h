/* Observes templates while they run, for tests. */
#ifndef SG_EMIT_WATCH_H
#define SG_EMIT_WATCH_H

#include <stddef.h>

/* Callbacks for every line of a template (from 1) that runs, and for every field that is read, by
 * its indices in sg_types of fields.h. Tests use them to find lines and fields that are never used.
 * Each may be NULL. */
typedef struct sg_emit_watch {
    void (*line)(void *user, const char *template_name, size_t line);
    void (*field)(void *user, size_t type, size_t field);
    void *user;
} sg_emit_watch;

#endif
