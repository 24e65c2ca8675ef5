/* The expected result, computed independently of the plan or given, and the checks of runs and
 * coverage against it. Used only in this folder. */
#ifndef SG_PLAN_VERIFY_EXPECTATION_H
#define SG_PLAN_VERIFY_EXPECTATION_H

#include "plan/plan.h"

/* No unit of the full tensor: padding between rows, or an unwritten register. */
#define SG_NOTHING INT64_C(-1)

/* Places are counted in units here: bytes, or bits of a stream. */
typedef struct sg_expectation {
    sg_map map; /* parts have no `tensor` */
} sg_expectation;

/* Units [begin, end) of the tile of a part, or of the full tensor, were written. */
typedef struct sg_interval {
    int64_t part;
    int64_t begin;
    int64_t end;
    bool may_overlap; /* may overlap earlier writes if it extends beyond them */
} sg_interval;

/* Computes the expectation from the split alone; an element has `element` units. Checks that the
 * plan's outputs are the wanted parts in order, and that each non-empty one has a part in the map.
 * NULL, or an error. */
const char *sg_verify_expect(sg_arena *arena, const sg_plan *plan, int64_t element,
                             sg_expectation *e);

/* The place of output o in a row of the input, if an element has `element` units. */
int64_t sg_verify_begin(const sg_plan *plan, int64_t element, int64_t o);

/* Checks that the dimensions and strides of output o's view match the split. */
const char *sg_verify_strides(sg_arena *arena, const sg_plan *plan, int64_t o);

/* Checks that the plan's map equals the expected one. */
const char *sg_verify_same_map(sg_arena *arena, const sg_plan *plan, const sg_expectation *e);

/* Number of units of the full tensor or of a part that a tile of `rows` rows may access. */
int64_t sg_verify_extent(const sg_expectation *e, int64_t part, int64_t rows);

/* Whether `units` units from a place on are within a row of the full tensor. Padding must not be
 * read, as another thread may be writing it, unless a split's rows are near each other
 * (SG_NEAR_BYTES). */
bool sg_verify_in_row(const sg_expectation *e, sg_ref from, int64_t units);

/* The first of the units of the full tensor that correspond to `units` units from a place on, if
 * these are contiguous there; otherwise SG_NOTHING. A copy is right if source and destination give
 * the same result. */
int64_t sg_verify_moved(const sg_expectation *e, sg_ref from, int64_t units);

/* Checks that instruction `index` moves units between corresponding places of a tile of `rows`
 * rows, in the direction of the map. NULL, or an error. */
const char *sg_verify_run(sg_arena *arena, const sg_expectation *e, int64_t rows, sg_ref to,
                          sg_ref from, int64_t units, int64_t index);

/* The error for a place that gets the wrong unit of the full tensor. */
const char *sg_verify_wrong(sg_arena *arena, const sg_expectation *e, int64_t index, sg_ref to,
                            int64_t gets);

/* Checks that n writes cover everything that moves in a tile, of every part or of the full tensor,
 * exactly once except for allowed overlaps; sorts them. Over bits they are whole bytes, and bytes
 * in which nothing moves may be omitted. */
const char *sg_verify_cover(sg_arena *arena, const sg_expectation *e, int64_t rows,
                            sg_interval *writes, int64_t n);

#endif
