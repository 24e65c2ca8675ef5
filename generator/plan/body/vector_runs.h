/* Wide columns by whole vectors: a row's runs are copied with the widest moves of an instruction
 * set, the last vector of a run overlapping the one before. */
#ifndef SG_PLAN_BODY_VECTOR_RUNS_H
#define SG_PLAN_BODY_VECTOR_RUNS_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* The fewest rows for which write combining pays: the first row is written without it. */
#define SG_WRITE_COMBINING_ROWS INT64_C(4)

/* Vectors below this gain nothing over the literal copies of the portable body. */
#define SG_WIDE_UNIT_MIN 32

/* Bytes of the input of all rows taken at a time that way. */
#define SG_ALTERNATE_BYTES INT64_C(16384)

/* How far ahead the input is prefetched by bodies that copy some outputs at a time: they do not
 * read it in order (MEASURED.md, Many outputs). */
#define SG_ALTERNATE_AHEAD_BYTES INT64_C(4096)

/* The body for this layout, or false when no column is as wide as a vector or a row needs more
 * instructions than one function should have. */
bool sg_runs_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, sg_body *body);

/* Whether any column is as wide as a vector. */
bool sg_runs_any(const sg_plan *plan, const sg_isa_info *isa);

/* Whether columns below a vector are so few that moving them row by row is not seen beyond L1. */
bool sg_runs_nearly_all(const sg_plan *plan, const sg_isa_info *isa);

/* Whether stores may be non-temporal: nearly all of them are for whole cache lines. */
bool sg_runs_allow_non_temporal(const sg_map *map);

/* Marks the runs that go through write combiners; for bodies that take a row at a time. */
void sg_runs_choose_write_combining(const sg_plan *plan, sg_body *v);

/* Instructions of one row of one column, and appending them to code with room for them: whole
 * vectors where the column is as wide as one, else as in the portable program. */
int64_t sg_runs_insns(const sg_plan *plan, const sg_isa_info *isa, int64_t column);
void sg_runs_append(const sg_plan *plan, const sg_isa_info *isa, sg_code *code, int64_t column,
                    int64_t row);

/* Appends prefetches, SG_ALTERNATE_AHEAD_BYTES ahead, of the lines of the input that begin at bytes
 * from to end - 1, to code with room for them. */
void sg_runs_append_prefetches(sg_code *code, int64_t from, int64_t end);

/* How an SG_INSN_VECTORS of `bytes` bytes is copied; for all rows together where they are one run.
 */
sg_copy sg_runs_form(const sg_plan *plan, int64_t bytes);

/* Says how every run of a body's bodies is copied: sg_insn.copy and lines. */
void sg_runs_choose_copies(const sg_plan *plan, sg_body *v);

#endif
