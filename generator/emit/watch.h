/* What templates do while they run, for tests. */
#ifndef SG_EMIT_WATCH_H
#define SG_EMIT_WATCH_H

#include <stddef.h>

/* Told of every line of a template, 1-based, that runs, and of every field that is read, by its
 * places in sg_types of fields.h: for tests that ask which never are. NULL: nobody asks. */
typedef struct sg_emit_watch {
    void (*line)(void *user, const char *template_name, size_t line);
    void (*field)(void *user, size_t type, size_t field);
    void *user;
} sg_emit_watch;

#endif
