/* ONNX's textual syntax (docs/Syntax.md of the onnx package, and what its parser really does): a
 * model as text, with the place of every value.
 *
 *   <ir_version: 10, opset_import: ["" : 18]>
 *   agraph (float[N, 6] x) => (float[N, 2] a, float[N, 4] b)
 *   <int64[2] lengths = {2, 4}>
 *   { a, b = Split <axis = 1> (x, lengths) }
 *
 * Lexer by hand, grammar by lemon. */
#ifndef SG_FRONTEND_ONNX_TEXT_H
#define SG_FRONTEND_ONNX_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/source.h"
#include "shapes/graph.h"

/* Brackets of any kind that may be open at once; a graph in an attribute of a node needs two. */
#define SG_ONNX_TEXT_DEPTH 192

/* Whether bytes of unknown kind begin as ONNX text does: behind blanks and comments `< word :` or
 * `name =>` or `name (...) =>`. Neither XML nor Lua nor the notation does. */
bool sg_onnx_is_text(const char *text, size_t len);

/* Reads a model, whose external data is in `folder` ("dir/"; NULL: nowhere); files receives the
 * files of it that were read, NULL. All of it belongs to the arena; spans point into source. Stops
 * at the first error; NULL: reported. Warns where a constant is not what its type says: it has no
 * values then. */
sg_graph_model *sg_onnx_read_text(sg_arena *arena, sg_diag *diag, const sg_source *source,
                                  const char *folder, sg_file_list *files) SG_CHECK;

#endif
