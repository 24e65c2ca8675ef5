/* The rules in this folder, embedded as source text at build time. */
#ifndef SG_FRONTEND_GRAPH_RULES_BUILTIN_H
#define SG_FRONTEND_GRAPH_RULES_BUILTIN_H

#include <stddef.h>

typedef struct sg_rules_builtin {
    const char *name;          /* "rules.lua" */
    const unsigned char *text; /* with a NUL after it */
    size_t len;
} sg_rules_builtin;

extern const sg_rules_builtin sg_rules_builtins[];
extern const size_t sg_rules_builtin_count;

#endif
