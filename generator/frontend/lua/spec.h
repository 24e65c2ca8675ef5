/* Runs a Lua spec in a sandbox and returns its ops.
 *
 * The vocabulary is `split`, `concat`, `param`, `free`, `print`, `require`, and the tables `onnx`
 * and `openvino` with `load` and the constructors of their operators. There is no io, os, debug,
 * package or bytecode. `pairs` iterates in sorted order. Budgets of instructions and memory end a
 * runaway spec with SG_EXIT_BUDGET. */
#ifndef SG_FRONTEND_LUA_SPEC_H
#define SG_FRONTEND_LUA_SPEC_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "frontend/lua/spec_options.h"
#include "split/op.h"

/* Appends the spec's ops to `ops`, and each file read by require or load to `files`. Returns false
 * if an error was reported. Even then the ops without errors are appended, so that later checks can
 * report more. */
bool sg_spec_load(sg_arena *arena, sg_diag *diag, const sg_source *spec,
                  const sg_spec_options *options, sg_file_list *files, sg_op_array *ops) SG_CHECK;

/* Warns about each -D that no spec has read. Call it once, after all specs. */
void sg_spec_warn_unused(sg_diag *diag, const sg_spec_options *options);

/* Appends the name and version of the Lua library. */
void sg_spec_library(sg_buf *out);

#endif
