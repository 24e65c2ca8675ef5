/* What the resolve_*.c files share: one op on its way through the rules. Private to split/.
 *
 * First every rule judges, reporting all it can know from what is right so far; only when none
 * complained is the split built. So no rule needs a complete split, only the flags below. */
#ifndef SG_SPLIT_RESOLVE_RULES_H
#define SG_SPLIT_RESOLVE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/split.h"

typedef struct sg_judge {
    sg_arena *arena;
    sg_diag *diag;
    const sg_op *op;
    const char *prefix; /* of every symbol */
    bool partial;       /* inputs may lack what is not known of them; see sg_resolve_known */
    sg_split *split;    /* filled as far as the flags say */
    int version;      /* ONNX: since-version of the schema (Split 1, 2, 11, 13, 18, Concat 1, 4, 11,
                         13), else 0 */
    bool dtype_known; /* split->dtype, element_bytes, element_bits */
    bool rank_known;  /* split->rank, and dims as written */
    bool axis_known;  /* split->axis */
    bool count_known; /* split->nparts */
    int64_t *lengths; /* nparts lengths that sum to the axis, or NULL when not known */
} sg_judge;

/* resolve_concat.c: element type, shape and lengths of a standard's Concat, from its inputs. False:
 * reported, and nothing is known of the tensors. */
bool sg_judge_inputs(sg_judge *judge);

/* resolve_shape.c: element type, alignment, dimensions, products, axis */
void sg_judge_dtype(sg_judge *judge);
void sg_judge_align(sg_judge *judge);
void sg_judge_shape(sg_judge *judge);
void sg_judge_axis(sg_judge *judge);
/* The axis as written or, where the op has a default, that; false: none is known. It may be out of
 * range. */
bool sg_judge_axis_written(const sg_judge *judge, int64_t *axis);
/* Reads the length of the split axis; false when it is not known. */
bool sg_judge_extent(const sg_judge *judge, int64_t *extent);
/* The note behind every error about the axis. */
void sg_judge_note_shape(const sg_judge *judge);

/* resolve_free.c: which dimensions may be open, and which numbers they are multiples of */
void sg_judge_free(sg_judge *judge);
/* After parts and outputs are built: items of packed elements are whole bytes. */
void sg_judge_items(sg_judge *judge);

/* resolve_packing.c: the order of packed elements, and where parts of them may begin and end */
void sg_judge_packing(sg_judge *judge);
/* After parts and outputs are built: SG_PACKING_PLANES cannot be cut within a group. */
void sg_judge_groups(sg_judge *judge);

/* resolve_parts.c: how many parts, how long each */
void sg_judge_parts(sg_judge *judge);

/* resolve_stride.c: from how many elements on the next row begins, of the whole and of parts */
void sg_judge_strides(sg_judge *judge);
/* Fills row_stride and span of the whole and its parts. After all rules passed. */
void sg_judge_spans(sg_judge *judge);
/* After parts are built: rows of packed elements begin where their order lets them. */
void sg_judge_stride_bits(sg_judge *judge);

/* resolve_outputs.c: which parts are wanted, and what they are called */
void sg_judge_outputs(sg_judge *judge);
/* Fills wanted, tensor, name and c_name of every part, data_name and the names of open numbers.
 * After all rules passed. */
void sg_judge_name_outputs(sg_judge *judge);
/* After parts and outputs are built: what is marked as a view has one. */
void sg_judge_views(sg_judge *judge);
/* Fills c_name of every part, name of those that have none, data_name and the names of open
 * numbers. */
void sg_name_parts(sg_arena *arena, sg_split *split);

/* User text for a message: control characters become '?', the end of a long one "...". */
const char *sg_judge_quote(const sg_judge *judge, const char *text);
/* "" for 1, else "s". */
const char *sg_judge_plural(int64_t count);
/* "output" or "input": what the parts are. */
const char *sg_judge_part_word(const sg_judge *judge);
/* "Split" or "Concat": the operator as the standards call it. */
const char *sg_judge_operator(const sg_judge *judge);

/* A product that cannot overflow: sg_judge_shape has multiplied all dimensions, empty ones as 1,
 * and no factor here is larger than the one there. */
int64_t sg_judge_product(int64_t a, int64_t b);
/* Bytes of so many dense elements. */
int64_t sg_judge_bytes(const sg_split *split, int64_t elements);

#endif
