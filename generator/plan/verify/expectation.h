/* What has to arrive where, computed again or given beside the plan, and the checks of runs and
 * coverage against it. Only the files of this folder use it. */
#ifndef SG_PLAN_VERIFY_EXPECTATION_H
#define SG_PLAN_VERIFY_EXPECTATION_H

#include "plan/plan.h"

/* What stands for no unit of the whole: a gap between rows, a register nobody filled. */
#define SG_NOTHING INT64_C(-1)

/* Places are counted in units here: bytes, or bits of a stream that begins, with msb, at the
 * highest of its first byte, else at the lowest. */
typedef struct sg_expectation {
    sg_map map; /* without the tensors of its parts */
    bool msb;
} sg_expectation;

/* Units [begin, end) of a part's tile, or of the whole's, were written. */
typedef struct sg_interval {
    int64_t part;
    int64_t begin;
    int64_t end;
    bool may_overlap; /* what was written before, as long as it goes on behind that */
} sg_interval;

/* Fills the expectation from the split alone, in the unit `element` is the size of an element in,
 * and checks that the plan's outputs are the wanted parts in order and that every one with
 * something in it has a part of its own. NULL, or what is wrong. */
const char *sg_verify_expect(sg_arena *arena, const sg_plan *plan, int64_t element,
                             sg_expectation *e);

/* Where output o begins in a row of the input, in the unit that an element has so many of. */
int64_t sg_verify_begin(const sg_plan *plan, int64_t element, int64_t o);

/* The dimensions and strides of output o's view are what the split says. */
const char *sg_verify_strides(sg_arena *arena, const sg_plan *plan, int64_t o);

/* The map of the plan is the one expected. */
const char *sg_verify_same_map(sg_arena *arena, const sg_plan *plan, const sg_expectation *e);

/* Units of the whole or a part that a tile of `rows` rows may touch. */
int64_t sg_verify_extent(const sg_expectation *e, int64_t part, int64_t rows);

/* Whether so many units from a place on are no gap between rows of the whole: what lies there may
 * be somebody else's, who writes it at the same time. */
bool sg_verify_in_row(const sg_expectation *e, sg_ref from, int64_t units);

/* What moves through a place: the first of so many units of the whole that those from there on
 * stand for, one behind the other; SG_NOTHING where they do not. Where something comes from and
 * where it goes to are right for each other if both stand for the same. */
int64_t sg_verify_moved(const sg_expectation *e, sg_ref from, int64_t units);

/* Instruction `index` moves units between places of a tile of `rows` rows that stand for the
 * same, in the direction of the map. NULL, or what is wrong. */
const char *sg_verify_run(sg_arena *arena, const sg_expectation *e, int64_t rows, sg_ref to,
                          sg_ref from, int64_t units, int64_t index);

/* What to say where a place gets what stands for another unit of the whole. */
const char *sg_verify_wrong(sg_arena *arena, const sg_expectation *e, int64_t index, sg_ref to,
                            int64_t gets);

/* The n writes tile what moves in a tile, of every part or the whole, exactly once
 * but for overlaps that are allowed; sorts them.
 * Over bits they are of whole bytes, and those with nothing in them that moves may be left out. */
const char *sg_verify_cover(sg_arena *arena, const sg_expectation *e, int64_t rows,
                            sg_interval *writes, int64_t n);

#endif
