/* Turns columns into programs: straight-line instructions, in source order, one pass over the
 * input for all outputs, or output by output where all fits the first-level cache, in segments of
 * constant trip count. */
#include "plan/body/portable.h"

#include "base/checked.h"
#include "plan/body/fold.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* One element of an integer type is moved by assignment: that never becomes a call, even where
 * the compiler does not know memcpy. Floating types go through memcpy: loading a signalling NaN
 * into an x87 register changes its bits. */
static bool is_move(const sg_plan *plan, int64_t bytes)
{
    const sg_dtype_kind kind = sg_dtype_get(plan->split->dtype)->kind;
    return bytes == plan->map.element && (kind == SG_DTYPE_KIND_INT || kind == SG_DTYPE_KIND_PTR);
}

/* The next instruction of a run with `left` bytes to go: its opcode and size. The sizes are
 * multiples of every element size (1 to 16 bytes); portable.h has the limits. */
static sg_insn next_piece(const sg_plan *plan, int64_t left)
{
    sg_insn insn = sg_insn_new(SG_INSN_COPY);
    if (plan->map.scales) { /* so many bytes, times a number */
        insn.op = plan->no_memcpy ? SG_INSN_COPY : SG_INSN_CALL;
        insn.bytes = left;
    } else if (plan->no_memcpy) {
        insn.bytes = left;
    } else if (is_move(plan, left)) {
        insn.op = SG_INSN_MOVE;
        insn.bytes = left;
    } else if (left >= SG_CALL_MIN) {
        insn.op = SG_INSN_CALL;
        insn.bytes = left;
    } else if (plan->optimize == SG_OPTIMIZE_SIZE) {
        insn.bytes = left; /* in line or by a call: the compiler knows which is shorter */
    } else {
        insn.bytes = left < SG_COPY_LITERAL_MAX ? left : SG_COPY_LITERAL_MAX;
    }
    return insn;
}

static int64_t moves_of(const sg_plan *plan, const sg_insn *insn)
{
    if (plan->no_memcpy) {
        return insn->bytes / plan->map.element;
    }
    return insn->op == SG_INSN_COPY ? sg_ceil_div64(insn->bytes, SG_MOVE_BYTES) : 1;
}

sg_work sg_portable_run_work(const sg_plan *plan, int64_t bytes)
{
    sg_work work = {0};
    for (int64_t left = bytes; left > 0;) {
        const sg_insn piece = next_piece(plan, left);
        left -= piece.bytes;
        work.insns += 1;
        work.moves += moves_of(plan, &piece);
    }
    return work;
}

void sg_portable_append(const sg_plan *plan, sg_segment *segment, int64_t part, int64_t in_part,
                        int64_t in_whole, int64_t bytes)
{
    for (int64_t done = 0; done < bytes;) {
        sg_insn insn = next_piece(plan, bytes - done);
        sg_insn_between(&insn, &plan->map, part, in_part + done, in_whole + done);
        segment->insns[segment->ninsns++] = insn;
        done += insn.bytes;
    }
}

void sg_portable_append_row(const sg_plan *plan, sg_segment *segment, int64_t part, int64_t row)
{
    const sg_map_part *p = &plan->map.parts[part];
    sg_portable_append(plan, segment, part, row * p->row_stride,
                       row * plan->map.row_stride + p->offset, p->width);
}

sg_work sg_portable_row_work(const sg_plan *plan)
{
    sg_work work = {0};
    for (int64_t c = 0; c < plan->map.nparts; ++c) {
        const sg_work run = sg_portable_run_work(plan, plan->map.parts[c].width);
        work.insns += run.insns;
        work.moves += run.moves;
    }
    return work;
}

/* Cuts the instructions into blocks, at row boundaries where whole rows fit into a block. */
static void cut_blocks(sg_arena *arena, sg_segment *segment, int64_t row_insns)
{
    int64_t per_block = segment->by_outputs ? SG_UNROLL_BUDGET : SG_BLOCK_INSNS;
    if (row_insns < per_block) {
        per_block -= per_block % row_insns;
    }
    segment->nblocks = sg_ceil_div64(segment->ninsns, per_block);
    segment->blocks = SG_NEW_ARRAY(arena, sg_block, segment->nblocks);
    for (int64_t i = 0; i < segment->nblocks; ++i) {
        const int64_t first = i * per_block;
        const int64_t left = segment->ninsns - first;
        segment->blocks[i] =
            (sg_block){.first = first, .count = left < per_block ? left : per_block, .alias_of = i};
    }
}

/* Whether block `at` is an earlier one, moved to other parts; then says so in it. The emitted
 * function takes its tensors by number and steps by their strides from row to row. */
static bool is_alias(const sg_map *map, sg_segment *segment, int64_t earlier, int64_t at)
{
    const sg_block *a = &segment->blocks[earlier];
    sg_block *b = &segment->blocks[at];
    const sg_insn *x = &segment->insns[a->first];
    const sg_insn *y = &segment->insns[b->first];
    const int64_t first = sg_insn_in_part(x)->part;
    const int64_t parts = sg_insn_in_part(y)->part - first;
    const int64_t bytes = sg_insn_in_whole(y)->at - sg_insn_in_whole(x)->at;
    const int64_t tensors = map->parts[first + parts].tensor - map->parts[first].tensor;
    if (a->alias_of != earlier || a->count != b->count) {
        return false;
    }
    for (int64_t i = 0; i < a->count; ++i, ++x, ++y) {
        const sg_ref *from = sg_insn_in_part(x);
        const sg_ref *to = sg_insn_in_part(y);
        const sg_map_part *old = &map->parts[from->part];
        const sg_map_part *new = &map->parts[to->part];
        if (x->op != y->op || from->at != to->at || x->bytes != y->bytes ||
            to->part - from->part != parts ||
            sg_insn_in_whole(y)->at - sg_insn_in_whole(x)->at != bytes ||
            new->row_stride != old->row_stride || new->tensor - old->tensor != tensors) {
            return false;
        }
    }
    b->alias_of = earlier;
    b->part = parts;
    b->at = bytes;
    return true;
}

/* Functions that get their outputs as an array serve every place with such columns: 500 columns
 * of a byte took gcc 0.65 s in functions of their own. */
static void share_blocks(const sg_map *map, sg_segment *segment)
{
    for (int64_t at = 1; at < segment->nblocks; ++at) {
        int64_t earlier = 0;
        while (earlier < at && !is_alias(map, segment, earlier, at)) {
            ++earlier;
        }
    }
}

/* All rows of a trip: in source order, or with many outputs a group of them at a time. */
static void append_rows(const sg_plan *plan, sg_segment *segment)
{
    const sg_map *map = &plan->map;
    for (int64_t first = 0; first < map->nparts; first += SG_OUTPUTS_TOGETHER) {
        const int64_t left = map->nparts - first;
        const int64_t end = first + (left < SG_OUTPUTS_TOGETHER ? left : SG_OUTPUTS_TOGETHER);
        for (int64_t r = 0; r < segment->rows_per_trip; ++r) {
            for (int64_t c = first; c < end; ++c) {
                sg_portable_append_row(plan, segment, c, r);
            }
        }
    }
}

/* Bytes of the least single move that holds a run, which is at most a whole one. */
static int64_t move_bytes(int64_t run)
{
    int64_t bytes = 1;
    while (bytes < run && bytes < SG_MOVE_BYTES) {
        bytes *= 2;
    }
    return bytes > run ? bytes : run;
}

/* Whether straight-line code writes one output after the other. Processors write to a line again
 * faster than to another one, no more than two pointers are in use, and a short run may be copied
 * by one move instead of two, since the next row writes what that is too long. Columns that are
 * single moves anyway are left to gcc, which makes vectors of them (MEASURED.md, Copies). */
static bool goes_by_outputs(const sg_plan *plan, const sg_segment *segment)
{
    const sg_map *map = &plan->map;
    bool gains = false;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        gains = gains || width > SG_PUT_BYTES || move_bytes(width) > width;
    }
    return gains && !map->joins && !sg_map_has_gaps(map) && !plan->no_memcpy &&
           plan->kind == SG_PLAN_STRAIGHT && segment != &plan->row && segment->rows_per_trip > 1 &&
           sg_plan_bytes(plan) <= SG_SMALL_BYTES &&
           sg_dtype_get(plan->split->dtype)->kind != SG_DTYPE_KIND_PTR;
}

/* All rows of one output after the other; every row but the last writes into the next one. */
static void append_outputs(const sg_plan *plan, sg_segment *segment)
{
    const sg_map *map = &plan->map;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const sg_map_part *column = &map->parts[c];
        for (int64_t r = 0; r < segment->rows_per_trip; ++r) {
            sg_portable_append_row(plan, segment, c, r);
            if (r + 1 < segment->rows_per_trip) {
                segment->insns[segment->ninsns - 1].spill =
                    move_bytes(column->width) - column->width;
            }
        }
    }
}

/* What repeats from row to row within a block. */
static void fold_blocks(sg_arena *arena, const sg_map *map, sg_segment *segment)
{
    segment->folds = SG_NEW_ARRAY(arena, sg_fold, sg_fold_most(segment->ninsns));
    for (int64_t b = 0; b < segment->nblocks && !map->scales; ++b) {
        const int64_t first = segment->blocks[b].first;
        segment->nfolds +=
            sg_fold_find(map, segment->insns, first, first + segment->blocks[b].count,
                         segment->folds + segment->nfolds);
    }
}

static void build_segment(sg_arena *arena, const sg_plan *plan, sg_segment *segment,
                          int64_t first_row, int64_t trips, int64_t rows_per_trip)
{
    const sg_map *map = &plan->map;
    const int64_t row_insns = sg_portable_row_work(plan).insns;
    segment->first_row = first_row;
    segment->trips = trips;
    segment->rows_per_trip = rows_per_trip;

    if (sg_plan_is_one_run(plan)) {
        const int64_t bytes = rows_per_trip * map->row_stride;
        segment->insns = SG_NEW_ARRAY(arena, sg_insn, sg_portable_run_work(plan, bytes).insns);
        sg_portable_append(plan, segment, 0, 0, 0, bytes);
    } else {
        segment->insns = SG_NEW_ARRAY(arena, sg_insn, rows_per_trip * row_insns);
        segment->by_outputs = goes_by_outputs(plan, segment);
        if (segment->by_outputs) {
            append_outputs(plan, segment);
        } else {
            append_rows(plan, segment);
        }
    }
    cut_blocks(arena, segment, row_insns);
    if (plan->array_params && (trips > 1 || segment == &plan->row)) { /* the others name rows */
        share_blocks(map, segment);
    }
    fold_blocks(arena, map, segment);
}

void sg_portable_build_row(sg_arena *arena, sg_plan *plan)
{
    if (plan->map.nparts > 0) {
        build_segment(arena, plan, &plan->row, 0, 1, 1);
    }
}

void sg_portable_build_whole(sg_arena *arena, sg_plan *plan, int64_t rows_per_trip)
{
    const int64_t rows = plan->map.rows;
    if (plan->map.nparts == 0) {
        return;
    }
    /* What is left over is so many rows, or any number of single ones. */
    const bool is_free = sg_plan_goes_by_rows(plan);
    const int64_t trips = rows / rows_per_trip;
    const int64_t tail = rows % rows_per_trip;
    plan->whole.nsegments = tail > 0 ? 2 : 1;
    plan->whole.segments = SG_NEW_ARRAY(arena, sg_segment, plan->whole.nsegments);
    build_segment(arena, plan, &plan->whole.segments[0], 0, trips, rows_per_trip);
    if (tail > 0) {
        build_segment(arena, plan, &plan->whole.segments[1], trips * rows_per_trip,
                      is_free ? tail : 1, is_free ? 1 : tail);
    }
}
