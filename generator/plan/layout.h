/* The split as a matrix of rows, each divided into columns. */
#ifndef SG_PLAN_LAYOUT_H
#define SG_PLAN_LAYOUT_H

#include "plan/plan.h"

/* Makes plan->outputs from the wanted parts; columns and views are filled in later. */
void sg_layout_outputs(sg_arena *arena, sg_plan *plan);

/* The same, and fills plan->map, in bytes or bits. */
void sg_layout_build(sg_arena *arena, sg_plan *plan, int unit_bits);

/* Copies `map`, which belongs to no split, into the plan, with one output per part and a
 * placeholder split that only describes the elements. */
void sg_layout_from_map(sg_arena *arena, sg_plan *plan, const sg_map *map);

/* Whether both maps copy between the same places, whichever outputs their parts are. */
bool sg_map_same(const sg_map *a, const sg_map *b);

/* From one row of a part, or of the full tensor, to the next. */
int64_t sg_map_stride(const sg_map *map, int64_t part);

/* The same of the first tensor that is written; 0: there is none. */
int64_t sg_map_written_stride(const sg_map *map);

/* Padding after each group of its rows, beyond that between rows. */
int64_t sg_map_gap(const sg_map *map, int64_t part, int64_t group);

/* Units from the beginning of one group of a level to the next, inside one group of the level
 * above. `part` as in sg_map_stride(). */
int64_t sg_map_group_step(const sg_map *map, int64_t part, int64_t group);

/* Whether the rows of a part are contiguous. */
bool sg_map_is_dense(const sg_map_part *part);

/* Whether the rows of all parts are contiguous, for a concat also those of the full tensor.
 * Adjacent rows of what is written can then be stored together. */
bool sg_map_all_dense(const sg_map *map);

/* Whether there is padding between rows, of the full tensor or of a part. A pointer must then not
 * advance past the last row. */
bool sg_map_rows_have_gaps(const sg_map *map);
/* Whether there is padding between rows or between groups of rows. */
bool sg_map_has_gaps(const sg_map *map);

/* Whether rows are so near each other that vectors may read the padding between them. Nothing is
 * read after the last row. */
bool sg_map_reads_gaps(const sg_map *map);

/* The first part that ends after `unit` in a row of the full tensor; the number of parts if none
 * does. */
int64_t sg_map_part_at(const sg_map *map, int64_t unit);

/* Whether the output needs no copy: it is only a view, or it is contiguous and nothing requires a
 * copy (split/views.h). False for empty outputs. */
bool sg_output_is_free(const sg_output *output);

/* The text for an output that is not copied: it is empty, or only a view. */
const char *sg_no_copy_text(const sg_plan *plan, const sg_output *output);

/* Whether any output is more than a view, so that there is a function. */
bool sg_plan_has_code(const sg_plan *plan);

/* Bytes of the full tensor, for all rows that the plan is made for. */
int64_t sg_plan_bytes(const sg_plan *plan);

/* Whether the input is so large that rows are copied one after the other: see SG_IN_ORDER_BYTES. */
bool sg_plan_goes_in_order(const sg_plan *plan);

/* Whether the only output is as wide as its row, so that all rows are one run. */
bool sg_plan_is_one_run(const sg_plan *plan);

/* Whether functions take any number of rows: the number is dynamic, or rows lie in groups and each
 * group is a call. */
bool sg_plan_takes_any(const sg_plan *plan);

/* Whether all functions of the kernel lead to one for rows [first, last), which copies iterations
 * and then single rows: rows are whole bytes, and there is a loop over them or a body. */
bool sg_plan_goes_by_rows(const sg_plan *plan);

/* Whether the portable program copies blocks of rows: one run of all rows of the block, then the
 * next. */
bool sg_plan_has_blocks(const sg_plan *plan);

/* Whether one call of its functions copies all whole groups of rows that are at equal distances: a
 * call for each short group would take longer than its rows. */
bool sg_plan_takes_groups(const sg_plan *plan);

#endif
