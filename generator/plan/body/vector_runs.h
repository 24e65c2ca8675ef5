/* Wide columns by whole vectors: a row's runs are copied with the widest moves of an instruction
 * set. The last vector of a run overlaps the one before. */
#ifndef SG_PLAN_BODY_VECTOR_RUNS_H
#define SG_PLAN_BODY_VECTOR_RUNS_H

#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Minimum number of rows for write combining, which does not apply to the first row. */
#define SG_WRITE_COMBINING_ROWS INT64_C(4)

/* Narrower vectors gain nothing over the literal copies of the portable body. */
#define SG_WIDE_UNIT_MIN 32

/* Input bytes of the rows that such a body copies at a time. */
#define SG_ALTERNATE_BYTES INT64_C(16384)

/* The body for this layout; false if no column is as wide as a vector, or a row needs too many
 * instructions for one function. */
bool sg_runs_build(sg_arena *arena, const sg_plan *plan, const sg_isa_info *isa, sg_body *body);

/* Whether any column is as wide as a vector. */
bool sg_runs_any(const sg_plan *plan, const sg_isa_info *isa);

/* Whether so few bytes are in columns narrower than a vector that copying them row by row makes no
 * difference outside L1. */
/* Whether all runs of a concat go through one write combiner where stores bypass the cache, however
 * short some are: if its rows are dense, what it writes is one stream of bytes (MEASURED.md,
 * Concats). */
bool sg_runs_join_past(const sg_plan *plan, const sg_isa_info *isa);

bool sg_runs_nearly_all(const sg_plan *plan, const sg_isa_info *isa);

/* Whether stores may be non-temporal: nearly all of them fill whole cache lines. */
bool sg_runs_allow_non_temporal(const sg_map *map);

/* Marks the runs that go through write combiners, in bodies that copy one row at a time. */
void sg_runs_choose_write_combining(const sg_plan *plan, sg_body *v);

/* Counts the instructions for one row of a column, and appends them to `code`, which must have
 * room: whole vectors if the column is as wide as one, otherwise as in the portable program. */
int64_t sg_runs_insns(const sg_plan *plan, const sg_isa_info *isa, int64_t column);
void sg_runs_append(const sg_plan *plan, const sg_isa_info *isa, sg_code *code, int64_t column,
                    int64_t row);

/* How every SG_INSN_VECTORS is copied; if all rows are one run, how they are copied together. */
sg_copy sg_runs_form(const sg_plan *plan);

/* Sets how every run of a body is copied: sg_insn.copy and lines. */
void sg_runs_choose_copies(const sg_plan *plan, sg_body *v);

#endif
