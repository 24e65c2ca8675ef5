/* infer: the Splits of a model, with the shapes they have. One pass over the graph in the order of
 * the file works out shapes and small values together, by rules in Lua, one for each operator.
 * What cannot be known is kept as partly known, and is an error only where a Split needs it. */
#ifndef SG_FRONTEND_GRAPH_INFER_H
#define SG_FRONTEND_GRAPH_INFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "shapes/graph.h"
#include "frontend/graph/graph_options.h"
#include "split/op.h"

/* Appends an op for every Split of the model to `ops`, those of subgraphs and called functions
 * included, in the order of the graph, with names that are identifiers and unique; only those of
 * them that `options` choose, each with its origin. They belong to the arena and keep pointers into
 * the model.
 *
 * A dim of an op is open if it is a product of an integer and open dims of the model, or depends on
 * them in a way that cannot be told, see infer_open.c.
 *
 * False: reported. Splits whose shape, axis or lengths stay unknown are an error, one for all that
 * lack the same, with what to say; so is one whose axis or lengths depend on an open dim, and
 * errors in the user's rules, and a budget that is spent (exit 5). *steps receives how many steps
 * of Lua the rules have taken, in any case; NULL. */
bool sg_graph_ops(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                  const sg_graph_options *options, sg_op_array *ops, int64_t *steps) SG_CHECK;

/* Reports shapes and values that were given for no tensor of the model, globs no Split matched and,
 * of a spec or --open=N, dims the model does not have, with what may have been meant. For after
 * sg_graph_ops, of the only model or the last. */
bool sg_graph_check_used(sg_arena *arena, sg_diag *diag, const sg_graph_model *model,
                         const sg_graph_options *options) SG_CHECK;

/* The dim of the model's inputs that a name nearly is; NULL. */
const char *sg_graph_suggest_dim(sg_arena *arena, const sg_graph_model *model, const char *name);

#endif
