/* The templates and the prelude as they stand in templates/, embedded at build time by embed.cmake
 * as source text. */
#ifndef SG_EMIT_BUILTIN_H
#define SG_EMIT_BUILTIN_H

#include <stddef.h>

typedef struct sg_builtin {
    const char *name;          /* "kernel.c.tmpl" */
    const unsigned char *text; /* NUL behind */
    size_t len;
} sg_builtin;

extern const sg_builtin sg_builtins[];
extern const char *const sg_builtin_names[];
extern const size_t sg_builtin_count;

#endif
