/* Runs a Lua spec in a sandbox and yields the ops it returns.
 *
 * The vocabulary is `split`, `onnx.Split`, `onnx.load`, `openvino.Split`,
 * `openvino.VariadicSplit`, `openvino.load`, `param`, `free`, `require`. No io, os, debug, package,
 * bytecode; `pairs` walks in sorted order; instruction and memory budgets end a runaway spec with
 * SG_EXIT_BUDGET. */
#ifndef SG_FRONTEND_LUA_SPEC_H
#define SG_FRONTEND_LUA_SPEC_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "frontend/lua/spec_options.h"
#include "split/op.h"

/* Appends the spec's ops to ops and every file read, through require or load, to files. False:
 * reported. The ops that are right are appended even then, so that they can be checked further. */
bool sg_spec_load(sg_arena *arena, sg_diag *diag, const sg_source *spec,
                  const sg_spec_options *options, sg_file_list *files, sg_op_array *ops) SG_CHECK;

/* Warns of every -D that no spec asked for. Call it once, when all specs were loaded. */
void sg_spec_warn_unused(sg_diag *diag, const sg_spec_options *options);

/* Appends the name and version of what runs specs. */
void sg_spec_library(sg_buf *out);

#endif
