/* Executes a plan's code on symbolic bytes. Shares no code with the planner: the expected place of
 * every byte is computed here from the split alone.
 *
 * note [proof by induction over iterations]
 * An iteration of the rows from r on has the base r*row_stride in the full tensor and
 * r*row_stride(p) in part p. Column c of row r of part p corresponds to r*row_stride + offset(p) +
 * c of the full tensor: an increment of r moves both sides by exactly the bases. So if an iteration
 * is right for the tile of rows from 0 on, it is right for any. One tile is executed; nothing is
 * sampled.
 *
 * note [maps that scale]
 * With dynamic dimensions after the axis, all offsets, widths and strides are multiplied by a
 * number s. The code of such maps consists of runs of u units from unit a to unit b; the printed
 * code copies u*s bytes from a*s to b*s. So byte i of unit j is copied to the right place if unit j
 * is, which is checked here with s = 1. No two runs of a row write the same unit, so a block may
 * copy one run of all its rows before the next one. */
#include "plan/verify/verify_bytes.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"
#include "plan/verify/expectation.h"
#include "plan/verify/verify_choices.h"
#include "plan/verify/verify_folds.h"
#include "plan/verify/verify_functions.h"
#include "plan/verify/verify_vector.h"

/* Checks that the next instruction overwrites the bytes an instruction writes beyond its own, and
 * that the bytes it reads for them may be read. */
static const char *check_overrun(sg_arena *arena, const sg_expectation *e, const sg_code *code,
                                 int64_t index)
{
    const sg_insn *insn = &code->insns[index];
    const int64_t overrun = insn->overrun;
    if (overrun == 0) {
        return NULL;
    }
    const sg_insn *next = index + 1 < code->ninsns ? insn + 1 : NULL;
    const bool over = next != NULL && next->to.part == insn->to.part &&
                      next->to.at == insn->to.at + insn->bytes && next->bytes >= overrun;
    if (insn->op != SG_INSN_COPY || overrun < 0 || !over ||
        !sg_verify_in_row(e, insn->from, insn->bytes + overrun) ||
        overrun > sg_verify_extent(e, insn->from.part, code->rows) - insn->from.at - insn->bytes) {
        return sg_arena_printf(arena, "instruction %" PRId64 " writes %" PRId64 " bytes too many",
                               index, overrun);
    }
    return NULL;
}

/* Checks that the instructions of a block equal those of the block whose function it calls, moved
 * to other tensors that have the same distances in their array and the same strides. */
static const char *check_shared(const sg_map *map, const sg_code *code, int64_t at)
{
    const sg_block *block = &code->blocks[at];
    if (block->alias_of < 0 || block->alias_of > at) {
        return "a block shares the function of a later block, or of none";
    }
    const sg_block *as = &code->blocks[block->alias_of];
    if (as == block) {
        return block->part == 0 && block->at == 0 ? NULL : "a block with its own function is moved";
    }
    const sg_insn *x = &code->insns[as->first];
    const sg_insn *y = &code->insns[block->first];
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
    return alias_of ? NULL : "a block differs from the one whose function it calls";
}

/* Checks that every fold is right and lies within one block. */
static const char *check_folds(const sg_map *map, const sg_code *code)
{
    int64_t block = 0;
    for (int64_t f = 0; f < code->nfolds; ++f) {
        const sg_fold *fold = &code->folds[f];
        while (block < code->nblocks &&
               code->blocks[block].first + code->blocks[block].count <= fold->first) {
            ++block;
        }
        if (block == code->nblocks || fold->first + fold->count * fold->times >
                                          code->blocks[block].first + code->blocks[block].count) {
            return "a loop over rows is longer than its block";
        }
    }
    return sg_verify_folds(map, code->insns, code->ninsns, code->folds, code->nfolds);
}

static const char *check_blocks(const sg_map *map, const sg_code *code)
{
    int64_t next = 0;
    for (int64_t b = 0; b < code->nblocks; ++b) {
        if (code->blocks[b].first != next || code->blocks[b].count <= 0 ||
            code->blocks[b].count > code->ninsns - next) {
            return "the blocks do not tile the instructions";
        }
        const char *flaw = check_shared(map, code, b);
        if (flaw != NULL) {
            return flaw;
        }
        next += code->blocks[b].count;
    }
    return next == code->ninsns ? NULL : "the blocks do not tile the instructions";
}

/* Executes one iteration over its tile of rows; see note [proof by induction over iterations]. */
static const char *check_tile(sg_arena *arena, const sg_plan *plan, const sg_expectation *e,
                              const sg_code *code)
{
    sg_interval *writes = SG_NEW_ARRAY(arena, sg_interval, code->ninsns);
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        if (!sg_insn_is_run(insn) || insn->op == SG_INSN_VECTORS) {
            return "the portable program has a vector instruction";
        }
        const char *flaw =
            sg_verify_run(arena, e, code->rows, insn->to, insn->from, insn->bytes, i);
        if (flaw == NULL) {
            flaw = check_overrun(arena, e, code, i);
        }
        if (flaw != NULL) {
            return flaw;
        }
        writes[i] = (sg_interval){
            .part = insn->to.part, .begin = insn->to.at, .end = insn->to.at + insn->bytes};
    }
    const char *flaw = sg_verify_cover(arena, e, code->rows, writes, code->ninsns);
    flaw = flaw != NULL ? flaw : check_blocks(&plan->map, code);
    return flaw != NULL ? flaw : check_folds(&plan->map, code);
}

/* The conditions of note [maps that scale]: only runs, one row per iteration, no bodies. */
static const char *check_scales(const sg_plan *plan)
{
    bool fits = plan->nbodies == 0 && plan->bits == NULL && plan->nchoices == 1 &&
                plan->iteration.rows == 1 && plan->block_rows == 1;
    fits = fits && (plan->block_bytes == 0 || !plan->no_memcpy);
    for (int64_t i = 0; i < plan->row.ninsns; ++i) {
        const sg_insn *insn = &plan->row.insns[i];
        fits = fits && insn->overrun == 0 &&
               (insn->op == SG_INSN_CALL || (plan->no_memcpy && insn->op == SG_INSN_COPY));
    }
    fits = plan->map.scales ? fits : plan->block_bytes == 0 && plan->open_isas == 0;
    return fits ? NULL : "rows of an open length are not copied run by run";
}

/* All rows as straight-line code; or iterations and single rows, which verify_functions.c shows to
 * cover any number of rows. No two instructions of a row write the same bytes, so a block may be
 * executed for several rows before the next block. */
static const char *check_portable(sg_arena *arena, const sg_plan *plan, const sg_expectation *e)
{
    const bool by_rows = sg_plan_goes_by_rows(plan);
    if (plan->row.rows != 1 || plan->iteration.rows < 1 || plan->block_rows < 1 ||
        plan->iteration.rows > e->map.rows || (!by_rows && plan->iteration.rows != e->map.rows) ||
        (sg_plan_takes_any(plan) && !by_rows)) {
        return "portable code is not for all rows";
    }
    const char *flaw = check_tile(arena, plan, e, &plan->iteration);
    return flaw != NULL ? flaw : check_tile(arena, plan, e, &plan->row);
}

/* A view is right if its first element and its stride along every dimension are right. */
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
        return plan->iteration.ninsns + plan->row.ninsns == 0 ? NULL
                                                              : "an empty plan has instructions";
    }
    const char *flaw = sg_verify_same_map(arena, plan, e);
    flaw = flaw != NULL ? flaw : check_portable(arena, plan, e);
    flaw = flaw != NULL ? flaw : check_scales(plan);
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
