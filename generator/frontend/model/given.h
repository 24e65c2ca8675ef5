/* given: parses shapes and values of a model's tensors as users give them: "1,3,224,224",
 * "f32[batch=64?,3,224,224]", "f32". */
#ifndef SG_FRONTEND_MODEL_GIVEN_H
#define SG_FRONTEND_MODEL_GIVEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "frontend/graph/ops.h"

/* Where a text is written, for error messages. */
typedef struct sg_given_place {
    const char *text; /* the text that begins at `span`; NULL: errors get the whole span */
    sg_span span;
    sg_exit exit;
    const char *option; /* the option or field: "--shape", "shapes" */
} sg_given_place;

/* A guess what an invalid text was meant to be, in valid form: "1,16" for "1x16", "f32[n?,16]" for
 * "(-1, 16) float". NULL if there is none. */
const char *sg_given_meant(sg_arena *arena, const char *text, bool values);

/* Parses integers separated by commas. Returns false if an error was reported. */
bool sg_given_ints(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   const int64_t **list, int64_t *count) SG_CHECK;

/* Parses dims separated by commas, each a number or an open dimension: "batch=64?,3,224",
 * "batch?,3". Returns false if an error was reported. */
bool sg_given_dims(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   sg_graph_given_shape *shape) SG_CHECK;

/* Parses an element type, alone or followed by dims in brackets. Returns false if an error was
 * reported. */
bool sg_given_type(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   sg_graph_given_shape *shape) SG_CHECK;

#endif
