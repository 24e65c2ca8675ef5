/* The split as a matrix of rows x row bytes cut into columns. */
#ifndef SG_PLAN_LAYOUT_H
#define SG_PLAN_LAYOUT_H

#include "plan/plan.h"

/* Makes plan->outputs from the wanted parts, without columns and views. */
void sg_layout_outputs(sg_arena *arena, sg_plan *plan);

/* Does that and fills plan->map, in bytes or bits. */
void sg_layout_build(sg_arena *arena, sg_plan *plan, int unit_bits);

/* Makes a plan's map a copy of one that no split has, with an output in the place of every part and
 * a split that only says what elements are. */
void sg_layout_from_map(sg_arena *arena, sg_plan *plan, const sg_map *map);

/* Whether both move the same between the same places, whichever outputs the parts are. */
bool sg_map_same(const sg_map *a, const sg_map *b);

/* From one row of a part, or of the whole, to the next. */
int64_t sg_map_stride(const sg_map *map, int64_t part);

/* Behind every group of its rows, beyond those between rows. */
int64_t sg_map_gap(const sg_map *map, int64_t part, int64_t group);

/* Whether the rows of a part lie behind each other. */
bool sg_map_is_dense(const sg_map_part *part);

/* The same of all parts, or in a join also of the whole: then neighbouring rows of what is written
 * can be taken together. */
bool sg_map_all_dense(const sg_map *map);

/* Whether rows of the whole or of a part end before the next one in their group begins: then behind
 * the last row is no place to point to. */
bool sg_map_rows_have_gaps(const sg_map *map);
/* The same, or there are gaps between groups of rows. */
bool sg_map_has_gaps(const sg_map *map);

/* The first part that ends behind a unit of a row of the whole; the number of parts: none does. */
int64_t sg_map_part_at(const sg_map *map, int64_t unit);

/* Whether its bytes need no copy: it is only a view, or one run of the whole that has a place
 * (split/views.h). An empty one has no bytes. */
bool sg_output_is_free(const sg_output *output);

/* In place of how it is copied, of an output that is not: it is empty, or only a view. */
const char *sg_no_copy_text(const sg_plan *plan, const sg_output *output);

/* Whether any output is no mere view, so that there is a function. */
bool sg_plan_has_code(const sg_plan *plan);

/* Bytes of the input, of all rows that the plan is for. */
int64_t sg_plan_bytes(const sg_plan *plan);

/* A single output as wide as its row is one run over all rows. */
bool sg_plan_is_one_run(const sg_plan *plan);

/* Whether rows are copied by functions for any number of them: how many there are is open, or they
 * lie in groups, each of which is a call. */
bool sg_plan_takes_any(const sg_plan *plan);

/* Whether all functions of the kernel end in one for rows [first, last), which takes iterations and
 * then single rows: rows are of whole bytes, and there is a loop over them or a body. */
bool sg_plan_goes_by_rows(const sg_plan *plan);

/* Whether the portable program copies blocks of rows, of which each piece is copied of all rows
 * before the next. */
bool sg_plan_has_blocks(const sg_plan *plan);

/* Whether its bodies are tiles that loops of splitgen/loops.h take: tensors are parameters. */
bool sg_plan_has_tiles(const sg_plan *plan);

#endif
