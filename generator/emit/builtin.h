/* The templates and the prelude, embedded as source text at build time by embed.cmake. */
#ifndef SG_EMIT_BUILTIN_H
#define SG_EMIT_BUILTIN_H

#include <stddef.h>

typedef struct sg_builtin {
    const char *name;          /* "kernel.c.tmpl" */
    const unsigned char *text; /* followed by NUL */
    size_t len;
} sg_builtin;

extern const sg_builtin sg_builtins[];
extern const size_t sg_builtin_count;

#endif
