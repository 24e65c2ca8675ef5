/* What the command line says to a spec. */
#ifndef SG_FRONTEND_LUA_SPEC_OPTIONS_H
#define SG_FRONTEND_LUA_SPEC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"
#include "shapes/graph.h"
#include "frontend/graph/graph_options.h"

/* One -D NAME=VALUE. The place is on the command line. */
typedef struct sg_define {
    const char *name;
    const char *value;
    sg_span span;
    bool used;         /* set when a param() asked for it */
    const char *meant; /* start with NULL; the like-named parameter a spec asked for instead */
} sg_define;

/* What the command line says about models, for those that specs load. */
typedef struct sg_spec_models {
    const sg_graph_options *given; /* of it --only and --except are not for nodes; `used` is set */
    bool hashes;                   /* whether the files are hashed */
    const sg_graph_model *last;    /* start with NULL; the last one that a spec loaded */
} sg_spec_models;

typedef struct sg_spec_options {
    sg_define *defines;
    size_t ndefines;
    bool some_unused; /* others read the rest: warn only of a -D that looks misspelt */
    const char *const *include_dirs; /* -I, in order */
    size_t ninclude_dirs;
    int64_t max_steps;      /* Lua VM instructions; 0: the default */
    size_t max_memory;      /* bytes that Lua and the ops hold; 0: the default */
    sg_spec_models *models; /* NULL: nothing is said */
} sg_spec_options;

#define SG_SPEC_DEFAULT_STEPS  INT64_C(100000000)
#define SG_SPEC_DEFAULT_MEMORY ((size_t)256 << 20)

#endif
