/* Options of the command line for specs. */
#ifndef SG_FRONTEND_LUA_SPEC_OPTIONS_H
#define SG_FRONTEND_LUA_SPEC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/source.h"
#include "shapes/graph.h"
#include "frontend/graph/graph_options.h"

/* One -D NAME=VALUE. The span is on the command line. */
typedef struct sg_define {
    const char *name;
    const char *value;
    sg_span span;
    bool used;         /* set when param() or free() reads it */
    const char *meant; /* a similar name that a spec has read; initially NULL */
} sg_define;

/* Options of the command line for models that specs load. */
typedef struct sg_spec_models {
    const sg_graph_options *given; /* `used` is set. --only and --except do not apply to nodes */
    bool hashes;                   /* compute SHA-256 of the files */
    const sg_graph_model *last;    /* the last model that a spec loaded; initially NULL */
} sg_spec_models;

typedef struct sg_spec_options {
    sg_define *defines;
    size_t ndefines;
    const char *const *include_dirs; /* the folders of -I, in order */
    size_t ninclude_dirs;
    int64_t max_steps;      /* Lua VM instructions; 0: the default */
    size_t max_memory;      /* bytes held by Lua and the ops; 0: the default */
    sg_spec_models *models; /* NULL: no options for models */
} sg_spec_options;

/* Every processor that is in use runs more instructions in a second, so a text that ends by their
 * count ends at the same place everywhere. */
#define SG_SPEC_STEPS_PER_SECOND INT64_C(5000000)
#define SG_SPEC_DEFAULT_STEPS    (30 * SG_SPEC_STEPS_PER_SECOND)
#define SG_SPEC_DEFAULT_MEMORY   ((size_t)256 << 20)

#endif
