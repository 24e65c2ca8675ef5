/* given: what users say about the shapes and values of a model, as text: "1,3,224,224",
 * "f32[batch=64?,3,224,224]", "f32". */
#ifndef SG_FRONTEND_MODEL_GIVEN_H
#define SG_FRONTEND_MODEL_GIVEN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "frontend/graph/ops.h"

/* Where a text is written, for its errors. */
typedef struct sg_given_place {
    const char *text; /* what the span begins with; NULL: the span is for all of it */
    sg_span span;
    sg_exit exit;
    const char *option; /* "--shape", "shapes" */
} sg_given_place;

/* What of a shape, or of values, that is not read was meant, as it is read: "1,16" of "1x16",
 * "f32[n?,16]" of "(-1, 16) float"; NULL. */
const char *sg_given_meant(sg_arena *arena, const char *text, bool values);

/* Whole numbers between commas. False: reported. */
bool sg_given_ints(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   const int64_t **list, int64_t *count) SG_CHECK;

/* Dims between commas, each a whole number or free: "batch=64?,3,224", "batch?,3". False: reported.
 */
bool sg_given_dims(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   sg_graph_given_shape *shape) SG_CHECK;

/* An element type, alone or in front of dims: fills in type and dims. False: reported. */
bool sg_given_type(sg_arena *arena, sg_diag *diag, const sg_given_place *place, sg_str text,
                   sg_graph_given_shape *shape) SG_CHECK;

#endif
