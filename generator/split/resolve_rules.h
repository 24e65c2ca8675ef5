/* The state of one op while the rules check it, shared by the resolve_*.c files. Private to split/.
 *
 * First every rule runs and reports the errors it can find with what is valid so far. The split is
 * built only if there were none, so a rule cannot expect a complete split; the flags below say what
 * is valid. */
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
    const char *prefix; /* prepended to every symbol */
    bool partial;       /* inputs may be partly unknown; see sg_resolve_known */
    sg_split *split;    /* valid as far as the flags say */
    int version; /* ONNX: the version of the operator's schema (Split 1, 2, 11, 13, 18, Concat 1, 4,
                    11, 13), else 0 */
    bool dtype_known; /* split->dtype, element_bytes and element_bits are valid */
    bool rank_known;  /* split->rank is valid, and dims are as written */
    bool axis_known;  /* split->axis is valid */
    bool count_known; /* split->nparts is valid */
    int64_t *lengths; /* nparts lengths that sum to the axis; NULL if unknown */
} sg_check;

/* resolve_concat.c: sets element type, shape and lengths of a standard's Concat from its inputs.
 * False: reported, and the tensors are unknown. */
bool sg_check_inputs(sg_check *check);

/* resolve_shape.c: element type, alignment, dimensions, products, axis */
void sg_check_dtype(sg_check *check);
void sg_check_align(sg_check *check);
void sg_check_shape(sg_check *check);
void sg_check_axis(sg_check *check);
/* The axis as written, or the default of the op; false: there is none. It may be out of range. */
bool sg_check_axis_written(const sg_check *check, int64_t *axis);
/* The length of the axis; false if it is unknown. */
bool sg_check_extent(const sg_check *check, int64_t *extent);
/* The note that follows every error about the axis. */
void sg_check_note_shape(const sg_check *check);

/* resolve_free.c: which dimensions may be open, and the open numbers that they are multiples of */
void sg_check_free(sg_check *check);
/* After parts and outputs are built: items of packed elements must be whole bytes. */
void sg_check_items(sg_check *check);

/* resolve_packing.c: the bit order of packed elements, and where their parts may begin and end */
void sg_check_packing(sg_check *check);
/* After parts and outputs are built: parts must not begin or end within a group of
 * SG_PACKING_PLANES. */
void sg_check_groups(sg_check *check);

/* resolve_parts.c: the number of parts and their lengths */
void sg_check_parts(sg_check *check);

/* resolve_stride.c: the row strides of the full tensor and of parts */
void sg_check_strides(sg_check *check);
/* Sets row_stride and span of the full tensor and its parts, after all rules have passed. */
void sg_check_spans(sg_check *check);
/* After parts are built: rows of packed elements must begin where their bit order allows. */
void sg_check_stride_bits(sg_check *check);

/* resolve_outputs.c: which parts are wanted, and their names */
void sg_check_outputs(sg_check *check);
/* Sets wanted, tensor, name and c_name of every part, data_name, and the names of open numbers,
 * after all rules have passed. */
void sg_check_name_outputs(sg_check *check);
/* After parts and outputs are built: parts marked as views must have one. */
void sg_check_views(sg_check *check);
/* Sets c_name of every part, name of unnamed parts, data_name, and the names of open numbers. */
void sg_name_parts(sg_arena *arena, sg_split *split);

/* Text of the user for a message: control characters become '?', and a long text is cut off with
 * "...". */
const char *sg_check_quote(const sg_check *check, const char *text);
/* "" for 1, else "s". */
const char *sg_check_plural(int64_t count);
/* "output" or "input": the word for a part. */
const char *sg_check_part_word(const sg_check *check);
/* "Split" or "Concat": the name of the operator in the standards. */
const char *sg_check_operator(const sg_check *check);

/* A product that cannot overflow: sg_check_shape has multiplied all dimensions, with empty ones as
 * 1, and no factor here is larger than the one there. */
int64_t sg_check_product(int64_t a, int64_t b);

#endif
