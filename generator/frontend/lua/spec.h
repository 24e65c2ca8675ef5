/* Runs a Lua spec in a sandbox and yields the ops it returns.
 *
 * The vocabulary is `split`, `onnx.Split`, `onnx.load`, `openvino.Split`,
 * `openvino.VariadicSplit`, `openvino.load`, `param`, `free`, `require`. No io, os, debug, package,
 * bytecode; `pairs` walks in sorted order; instruction and memory budgets end a runaway spec with
 * SG_EXIT_BUDGET. */
#ifndef SG_FRONTEND_LUA_SPEC_H
#define SG_FRONTEND_LUA_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "frontend/graph/infer.h"
#include "split/op.h"

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

/* Appends the spec's ops to ops and every file read, through require or load, to files. False:
 * reported. The ops that are right are appended even then, so that they can be judged further. */
bool sg_spec_load(sg_arena *arena, sg_diag *diag, const sg_source *spec,
                  const sg_spec_options *options, sg_file_list *files, sg_op_array *ops) SG_CHECK;

/* Warns of every -D that no spec asked for. Call it once, when all specs were loaded. */
void sg_spec_warn_unused(sg_diag *diag, const sg_spec_options *options);

/* Appends the name and version of what runs specs. */
void sg_spec_library(sg_buf *out);

#endif
