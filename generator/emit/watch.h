/* Observes templates while they run, and replaces them, for tests. */
#ifndef SG_EMIT_WATCH_H
#define SG_EMIT_WATCH_H

#include <stddef.h>

/* Callbacks for every line of a template (from 1) that runs, and for every field that is read, by
 * its indices in sg_types of fields.h: tests use them to find lines and fields that are never used.
 * `text` returns the text to use for a template or the prelude; NULL: the built-in one. Each may be
 * NULL. */
typedef struct sg_emit_watch {
    void (*line)(void *user, const char *template_name, size_t line);
    void (*field)(void *user, size_t type, size_t field);
    const char *(*text)(void *user, const char *template_name, size_t *len);
    void *user;
} sg_emit_watch;

#endif
