/* ops: makes the ops of a model while inference runs. One pass over the graph, in file order, works
 * out shapes and small values together, with one Lua rule for each operator. What is not known is
 * kept as partly known; it is an error only if a Split needs it. */
#ifndef SG_FRONTEND_GRAPH_INFER_H
#define SG_FRONTEND_GRAPH_INFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "shapes/graph.h"
#include "frontend/graph/graph_options.h"
#include "split/op.h"

/* Appends an op to `ops` for every Split (and, by options->ops, slice group and Concat) that
 * `options` select, including those in subgraphs and called functions, in graph order. Names are
 * unique identifiers, and each op has its origin. The ops belong to the arena and keep pointers
 * into the model.
 *
 * A dim of an op is open if it is a product of an integer and open dims of the model, or depends on
 * them in a way that has no formula: see infer_open.c.
 *
 * Returns false if an error was reported. It is an error if the shape, axis or lengths of a Split
 * stay unknown (one error for all Splits that need the same information, with options that provide
 * it), if the axis or lengths depend on an open dim, if a rule of the user fails, or if the budget
 * is spent (exit 5). */
bool sg_graph_ops(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                  const sg_graph_options *options, sg_op_array *ops) SG_CHECK;

/* Reports shapes and values given for tensors that the model does not have, patterns that match no
 * op, and, for a spec or --open=N, unknown dims; each with a suggestion. Call it after
 * sg_graph_ops() on the last model. */
bool sg_graph_check_used(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                         const sg_graph_options *options) SG_CHECK;

/* The dim of the model's inputs whose name is close to the given one, or NULL. */
const char *sg_graph_suggest_dim(sg_arena *arena, const sg_graph_model *model, const char *name);

#endif
