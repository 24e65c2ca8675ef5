/* What the resolve_*.c files share: one op on its way through the rules. Private to split/.
 *
 * First every rule checks, reporting all it can know from what is right so far; only when none
 * complained is the split built. So no rule needs a complete split, only the flags below. */
#ifndef SG_SPLIT_RESOLVE_RULES_H
#define SG_SPLIT_RESOLVE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/split.h"

typedef struct sg_check {
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
} sg_check;

/* resolve_concat.c: element type, shape and lengths of a standard's Concat, from its inputs. False:
 * reported, and nothing is known of the tensors. */
bool sg_check_inputs(sg_check *check);

/* resolve_shape.c: element type, alignment, dimensions, products, axis */
void sg_check_dtype(sg_check *check);
void sg_check_align(sg_check *check);
void sg_check_shape(sg_check *check);
void sg_check_axis(sg_check *check);
/* The axis as written or, where the op has a default, that; false: none is known. It may be out of
 * range. */
bool sg_check_axis_written(const sg_check *check, int64_t *axis);
/* Reads the length of the split axis; false when it is not known. */
bool sg_check_extent(const sg_check *check, int64_t *extent);
/* The note behind every error about the axis. */
void sg_check_note_shape(const sg_check *check);

/* resolve_free.c: which dimensions may be open, and which numbers they are multiples of */
void sg_check_free(sg_check *check);
/* After parts and outputs are built: items of packed elements are whole bytes. */
void sg_check_items(sg_check *check);

/* resolve_packing.c: the order of packed elements, and where parts of them may begin and end */
void sg_check_packing(sg_check *check);
/* After parts and outputs are built: SG_PACKING_PLANES cannot be cut within a group. */
void sg_check_groups(sg_check *check);

/* resolve_parts.c: how many parts, how long each */
void sg_check_parts(sg_check *check);

/* resolve_stride.c: from how many elements on the next row begins, of the whole and of parts */
void sg_check_strides(sg_check *check);
/* Fills row_stride and span of the whole and its parts. After all rules passed. */
void sg_check_spans(sg_check *check);
/* After parts are built: rows of packed elements begin where their order lets them. */
void sg_check_stride_bits(sg_check *check);

/* resolve_outputs.c: which parts are wanted, and what they are called */
void sg_check_outputs(sg_check *check);
/* Fills wanted, tensor, name and c_name of every part, data_name and the names of open numbers.
 * After all rules passed. */
void sg_check_name_outputs(sg_check *check);
/* After parts and outputs are built: what is marked as a view has one. */
void sg_check_views(sg_check *check);
/* Fills c_name of every part, name of those that have none, data_name and the names of open
 * numbers. */
void sg_name_parts(sg_arena *arena, sg_split *split);

/* User text for a message: control characters become '?', the end of a long one "...". */
const char *sg_check_quote(const sg_check *check, const char *text);
/* "" for 1, else "s". */
const char *sg_check_plural(int64_t count);
/* "output" or "input": what the parts are. */
const char *sg_check_part_word(const sg_check *check);
/* "Split" or "Concat": the operator as the standards call it. */
const char *sg_check_operator(const sg_check *check);

/* A product that cannot overflow: sg_check_shape has multiplied all dimensions, empty ones as 1,
 * and no factor here is larger than the one there. */
int64_t sg_check_product(int64_t a, int64_t b);
/* Bytes of so many dense elements. */
int64_t sg_check_bytes(const sg_split *split, int64_t elements);

#endif
