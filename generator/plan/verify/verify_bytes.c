/* Executes a plan's programs on symbolic bytes. Shares no code with the planner: what has to
 * arrive where is computed here again, from the split alone.
 *
 * note [proof by induction over trips]
 * A trip that covers m rows has the whole at base t*m*row_stride and part p at base
 * t*m*row_stride(p). Column c of row r of part p goes with r*row_stride + offset(p) + c of the
 * whole: shifting r by m shifts both sides by exactly the bases. So if trip 0 is right for its
 * tile of m rows, every trip is, and the trips tile the rows if first_row, trips and
 * rows_per_trip do. One tile is executed; nothing is sampled.
 *
 * note [maps that scale]
 * With open dimensions behind the axis all offsets, widths and strides are times one number s.
 * Programs of such maps are runs of u units that go from unit a to unit b; printed, a run copies
 * u*s bytes from a*s to b*s. So byte i of unit j goes where byte i of unit j belongs if unit j goes
 * where unit j belongs, which is what is executed here, with s = 1. */
#include "plan/verify/verify_bytes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "plan/insn.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"
#include "plan/verify/verify_choices.h"
#include "plan/verify/verify_folds.h"
#include "plan/verify/verify_functions.h"
#include "plan/verify/verify_vector.h"

/* What an instruction writes beyond its own bytes is what the next one writes, and is read from
 * what is there to be read. */
static const char *check_spill(sg_arena *arena, const sg_expectation *e, const sg_segment *segment,
                               int64_t index)
{
    const sg_insn *insn = &segment->insns[index];
    const int64_t spill = insn->spill;
    if (spill == 0) {
        return NULL;
    }
    const sg_insn *next = index + 1 < segment->ninsns ? insn + 1 : NULL;
    const bool over = next != NULL && next->to.part == insn->to.part &&
                      next->to.at == insn->to.at + insn->bytes && next->bytes >= spill;
    if (insn->op != SG_INSN_COPY || spill < 0 || !over || segment->trips != 1 ||
        !sg_verify_in_row(e, insn->from, insn->bytes + spill) ||
        spill > sg_verify_extent(e, insn->from.part, segment->rows_per_trip) - insn->from.at -
                    insn->bytes) {
        return sg_arena_printf(arena, "instruction %" PRId64 " writes %" PRId64 " bytes too many",
                               index, spill);
    }
    return NULL;
}

/* The instructions of a block are those of the one whose function does it, moved; and so are the
 * tensors in their array, which advance by the same strides. */
static const char *check_shared(const sg_map *map, const sg_segment *segment, int64_t at)
{
    const sg_block *block = &segment->blocks[at];
    if (block->alias_of < 0 || block->alias_of > at) {
        return "a block is like none before it";
    }
    const sg_block *as = &segment->blocks[block->alias_of];
    if (as == block) {
        return block->part == 0 && block->at == 0 ? NULL : "a block is not like itself";
    }
    const sg_insn *x = &segment->insns[as->first];
    const sg_insn *y = &segment->insns[block->first];
    const int64_t tensors =
        map->parts[sg_insn_in_part(y)->part].tensor - map->parts[sg_insn_in_part(x)->part].tensor;
    bool alias_of = as->alias_of == block->alias_of && as->count == block->count;
    for (int64_t i = 0; alias_of && i < block->count; ++i, ++x, ++y) {
        const sg_ref *from = sg_insn_in_part(x);
        const sg_ref *to = sg_insn_in_part(y);
        const sg_map_part *old = &map->parts[from->part];
        const sg_map_part *new = &map->parts[to->part];
        alias_of = y->op == x->op && to->at == from->at && y->bytes == x->bytes &&
                   to->part - from->part == block->part &&
                   sg_insn_in_whole(y)->at - sg_insn_in_whole(x)->at == block->at &&
                   new->row_stride == old->row_stride &&new->tensor - old->tensor == tensors;
    }
    return alias_of ? NULL : "a block is not like the one that does it";
}

/* Whether every fold is what it says, within one block. */
static const char *check_folds(const sg_map *map, const sg_segment *segment)
{
    int64_t block = 0;
    for (int64_t f = 0; f < segment->nfolds; ++f) {
        const sg_fold *fold = &segment->folds[f];
        while (block < segment->nblocks &&
               segment->blocks[block].first + segment->blocks[block].count <= fold->first) {
            ++block;
        }
        if (block == segment->nblocks ||
            fold->first + fold->count * fold->times >
                segment->blocks[block].first + segment->blocks[block].count) {
            return "a loop over rows is longer than its block";
        }
    }
    return sg_verify_folds(map, segment->insns, segment->ninsns, segment->folds, segment->nfolds);
}

static const char *check_blocks(const sg_map *map, const sg_segment *segment)
{
    int64_t next = 0;
    for (int64_t b = 0; b < segment->nblocks; ++b) {
        if (segment->blocks[b].first != next || segment->blocks[b].count <= 0 ||
            segment->blocks[b].count > segment->ninsns - next) {
            return "the blocks do not tile the instructions";
        }
        const char *flaw = check_shared(map, segment, b);
        if (flaw != NULL) {
            return flaw;
        }
        next += segment->blocks[b].count;
    }
    return next == segment->ninsns ? NULL : "the blocks do not tile the instructions";
}

/* Executes one trip over its tile of rows; see note [proof by induction over trips]. */
static const char *check_tile(sg_arena *arena, const sg_plan *plan, const sg_expectation *e,
                              const sg_segment *segment)
{
    sg_interval *writes = SG_NEW_ARRAY(arena, sg_interval, segment->ninsns);
    for (int64_t i = 0; i < segment->ninsns; ++i) {
        const sg_insn *insn = &segment->insns[i];
        if (!sg_insn_is_run(insn) || insn->op == SG_INSN_VECTORS) {
            return "the portable program has a vector instruction";
        }
        const char *flaw =
            sg_verify_run(arena, e, segment->rows_per_trip, insn->to, insn->from, insn->bytes, i);
        if (flaw == NULL) {
            flaw = check_spill(arena, e, segment, i);
        }
        if (flaw != NULL) {
            return flaw;
        }
        writes[i] = (sg_interval){
            .part = insn->to.part, .begin = insn->to.at, .end = insn->to.at + insn->bytes};
    }
    const char *flaw = sg_verify_cover(arena, e, segment->rows_per_trip, writes, segment->ninsns);
    flaw = flaw != NULL ? flaw : check_blocks(&plan->map, segment);
    return flaw != NULL ? flaw : check_folds(&plan->map, segment);
}

/* What note [maps that scale] needs: runs alone, one row a trip, and no body. */
static const char *check_scales(const sg_plan *plan)
{
    bool fits = plan->nbodies == 0 && plan->bits == NULL && plan->nchoices == 1 &&
                plan->whole.nsegments == 1 && plan->whole.segments[0].rows_per_trip == 1;
    for (int64_t i = 0; i < plan->row.ninsns; ++i) {
        const sg_insn *insn = &plan->row.insns[i];
        fits = fits && insn->spill == 0 &&
               (insn->op == SG_INSN_CALL || (plan->no_memcpy && insn->op == SG_INSN_COPY));
    }
    return !plan->map.scales || fits ? NULL : "rows of an open length are not copied run by run";
}

/* A free kernel's portable loops: trips while there are enough rows, then single ones, which are
 * the two programs that are executed here, so that any number of rows is tiled. */
static const char *check_free(const sg_plan *plan)
{
    const sg_program *program = &plan->whole;
    bool loops = plan->kind == SG_PLAN_ROWS || program->nsegments == 0;
    for (int64_t s = 1; s < program->nsegments; ++s) {
        loops = loops && s == 1 && program->segments[s].rows_per_trip == 1;
    }
    return !sg_plan_takes_any(plan) || loops
               ? NULL
               : "rows whose number is free are not copied by trips and single rows";
}

static const char *check_whole(sg_arena *arena, const sg_plan *plan, const sg_expectation *e)
{
    const sg_program *program = &plan->whole;
    int64_t next_row = 0;
    for (int64_t s = 0; s < program->nsegments; ++s) {
        const sg_segment *segment = &program->segments[s];
        int64_t rows = 0;
        if (segment->first_row != next_row || segment->trips <= 0 || segment->rows_per_trip <= 0 ||
            !sg_mul64(segment->trips, segment->rows_per_trip, &rows) ||
            rows > e->map.rows - next_row) {
            return "the segments do not tile the rows";
        }
        next_row += rows;
        const char *flaw = check_tile(arena, plan, e, segment);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return next_row == e->map.rows ? NULL : "the segments do not tile the rows";
}

/* A view is right when its first element and its step along every dimension are. */
static const char *check_views(sg_arena *arena, const sg_plan *plan)
{
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        if (output->part->bytes == 0 || output->view == SG_VIEW_COPY) {
            continue;
        }
        if (output->byte_offset != sg_verify_begin(plan, plan->split->element_bytes, o)) {
            return sg_arena_printf(arena, "the view of output %" PRId64 " starts at byte %" PRId64,
                                   o, output->byte_offset);
        }
        const char *flaw = sg_verify_strides(arena, plan, o);
        if (flaw != NULL) {
            return flaw;
        }
    }
    return NULL;
}

const char *sg_verify_programs(sg_arena *arena, const sg_plan *plan, const sg_expectation *e)
{
    if (e->map.nparts == 0) {
        return plan->whole.nsegments == 0 ? NULL : "an empty plan has instructions";
    }
    const char *flaw = sg_verify_same_map(arena, plan, e);
    if (flaw == NULL) {
        flaw = check_whole(arena, plan, e);
    }
    if (flaw == NULL) {
        flaw = check_free(plan);
    }
    if (flaw == NULL) {
        flaw = check_scales(plan);
    }
    if (flaw == NULL && plan->row.rows_per_trip != 1) {
        flaw = "the row program does not cover one row";
    }
    if (flaw == NULL) {
        flaw = check_tile(arena, plan, e, &plan->row);
    }
    for (int64_t i = 0; flaw == NULL && i < plan->nbodies; ++i) {
        if (!plan->array_params && plan->bodies[i].nslices != 1) {
            return "outputs that are parameters have several slices";
        }
        if (!sg_plan_takes_any(plan) && plan->bodies[i].planned_rows != e->map.rows) {
            return "a variant is planned for other rows";
        }
        flaw = sg_verify_body(arena, e, &plan->bodies[i]);
    }
    flaw = flaw != NULL ? flaw : sg_verify_choices(arena, plan);
    return flaw != NULL ? flaw : sg_verify_functions(arena, plan);
}

const char *sg_verify_bytes(sg_arena *arena, const sg_plan *plan)
{
    sg_expectation e = {0};
    const char *flaw = sg_verify_expect(arena, plan, plan->split->element_bytes, &e);
    if (flaw == NULL) {
        flaw = check_views(arena, plan);
    }
    return flaw != NULL ? flaw : sg_verify_programs(arena, plan, &e);
}
