/* Turns columns into straight-line instructions: in source order, with one pass over the input for
 * all outputs, or output by output if everything fits the L1 cache. */
#include "plan/body/portable.h"

#include "base/checked.h"
#include "plan/body/fold.h"
#include "plan/caches.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/plan.h"

/* An element of an integer type is moved by assignment, which never becomes a call, even for a
 * compiler that does not know memcpy. Floating types use memcpy, since loading a signalling NaN
 * into an x87 register changes its bits. */
static bool is_move(const sg_plan *plan, int64_t bytes)
{
    const sg_dtype_kind kind = sg_dtype_get(plan->split->dtype)->kind;
    return bytes == plan->map.element && (kind == SG_DTYPE_KIND_INT || kind == SG_DTYPE_KIND_PTR);
}

/* The opcode and size of the next instruction of a run with `left` bytes to go. Sizes are multiples
 * of every element size (1 to 16 bytes); portable.h has the limits. */
static sg_insn next_piece(const sg_plan *plan, int64_t left)
{
    sg_insn insn = sg_insn_new(SG_INSN_COPY);
    if (plan->map.scales) { /* times a factor known at run time */
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
        insn.bytes = left; /* the compiler knows whether inline code or a call is shorter */
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

void sg_portable_append(const sg_plan *plan, sg_code *code, int64_t part, int64_t in_part,
                        int64_t in_whole, int64_t bytes)
{
    for (int64_t done = 0; done < bytes;) {
        sg_insn insn = next_piece(plan, bytes - done);
        sg_insn_between(&insn, &plan->map, part, in_part + done, in_whole + done);
        code->insns[code->ninsns++] = insn;
        done += insn.bytes;
    }
}

void sg_portable_append_row(const sg_plan *plan, sg_code *code, int64_t part, int64_t row)
{
    const sg_map_part *p = &plan->map.parts[part];
    sg_portable_append(plan, code, part, row * p->row_stride,
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

/* Number of a row's instructions, from `first` on, that belong to the next SG_OUTPUTS_TOGETHER
 * parts. */
static int64_t group_insns(const sg_code *row, int64_t first)
{
    const int64_t end = sg_insn_in_part(&row->insns[first])->part + SG_OUTPUTS_TOGETHER;
    int64_t count = 0;
    while (first + count < row->ninsns && sg_insn_in_part(&row->insns[first + count])->part < end) {
        ++count;
    }
    return count;
}

/* Divides code into blocks: at row boundaries if whole rows fit into a block. A row of an array of
 * many outputs is divided into groups of outputs, so that equal columns share a function. */
static void cut_blocks(sg_arena *arena, const sg_plan *plan, sg_code *code)
{
    const int64_t row = sg_portable_row_work(plan).insns;
    const int64_t most = code->by_outputs ? SG_UNROLL_BUDGET : SG_BLOCK_INSNS;
    const int64_t whole_rows = row < most ? most - most % row : most;
    const bool has_groups = plan->array_params && code == &plan->row;
    code->blocks = SG_NEW_ARRAY(arena, sg_block,
                                has_groups ? sg_ceil_div64(plan->map.nparts, SG_OUTPUTS_TOGETHER)
                                           : sg_ceil_div64(code->ninsns, whole_rows));
    for (int64_t first = 0; first < code->ninsns;) {
        const int64_t left = code->ninsns - first;
        const int64_t wanted = has_groups ? group_insns(code, first) : whole_rows;
        const int64_t count = left < wanted ? left : wanted;
        code->blocks[code->nblocks] =
            (sg_block){.first = first, .count = count, .alias_of = code->nblocks};
        ++code->nblocks;
        first += count;
    }
}

/* Whether block `at` equals an earlier one moved to other parts; then sets its alias. The emitted
 * function takes its tensors by number and uses their strides from row to row. */
static bool is_alias(const sg_map *map, sg_code *code, int64_t earlier, int64_t at)
{
    const sg_block *a = &code->blocks[earlier];
    sg_block *b = &code->blocks[at];
    const sg_insn *x = &code->insns[a->first];
    const sg_insn *y = &code->insns[b->first];
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

/* Blocks with equal columns share a function that gets its outputs as an array: as functions of
 * their own, 500 columns of a byte took gcc 0.65 s. */
static void share_blocks(const sg_map *map, sg_code *code)
{
    for (int64_t at = 1; at < code->nblocks; ++at) {
        int64_t earlier = 0;
        while (earlier < at && !is_alias(map, code, earlier, at)) {
            ++earlier;
        }
    }
}

/* Appends all rows of an iteration: in source order, or with many outputs one group of outputs at a
 * time. */
static void append_rows(const sg_plan *plan, sg_code *code)
{
    const sg_map *map = &plan->map;
    for (int64_t first = 0; first < map->nparts; first += SG_OUTPUTS_TOGETHER) {
        const int64_t left = map->nparts - first;
        const int64_t end = first + (left < SG_OUTPUTS_TOGETHER ? left : SG_OUTPUTS_TOGETHER);
        for (int64_t r = 0; r < code->rows; ++r) {
            for (int64_t c = first; c < end; ++c) {
                sg_portable_append_row(plan, code, c, r);
            }
        }
    }
}

/* Bytes of the smallest single move that holds a run of at most SG_MOVE_BYTES. */
static int64_t move_bytes(int64_t run)
{
    int64_t bytes = 1;
    while (bytes < run && bytes < SG_MOVE_BYTES) {
        bytes *= 2;
    }
    return bytes > run ? bytes : run;
}

/* Whether straight-line code writes one output after the other. Consecutive stores to one cache
 * line are faster, only two pointers are in use, and a short run may be copied by one move that is
 * too long instead of two, since the next row overwrites the excess. Columns that are single moves
 * are left to gcc, which vectorises them (MEASURED.md, Copies). */
static bool goes_by_outputs(const sg_plan *plan, const sg_code *code)
{
    const sg_map *map = &plan->map;
    bool gains = false;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const int64_t width = map->parts[c].width;
        gains = gains || width > SG_PUT_BYTES || move_bytes(width) > width;
    }
    return gains && !map->joins && !sg_map_has_gaps(map) && !plan->no_memcpy &&
           plan->kind == SG_PLAN_STRAIGHT && code != &plan->row && code->rows > 1 &&
           sg_plan_bytes(plan) <= SG_SMALL_BYTES &&
           sg_dtype_get(plan->split->dtype)->kind != SG_DTYPE_KIND_PTR;
}

/* Appends all rows of one output after the other; every row but the last may write into the next
 * one. */
static void append_outputs(const sg_plan *plan, sg_code *code)
{
    const sg_map *map = &plan->map;
    for (int64_t c = 0; c < map->nparts; ++c) {
        const sg_map_part *column = &map->parts[c];
        for (int64_t r = 0; r < code->rows; ++r) {
            sg_portable_append_row(plan, code, c, r);
            if (r + 1 < code->rows) {
                code->insns[code->ninsns - 1].overrun = move_bytes(column->width) - column->width;
            }
        }
    }
}

/* Finds repetition from row to row within each block. */
static void fold_blocks(sg_arena *arena, const sg_map *map, sg_code *code)
{
    code->folds = SG_NEW_ARRAY(arena, sg_fold, sg_fold_most(code->ninsns));
    for (int64_t b = 0; b < code->nblocks && !map->scales; ++b) {
        const int64_t first = code->blocks[b].first;
        code->nfolds += sg_fold_find(map, code->insns, first, first + code->blocks[b].count,
                                     code->folds + code->nfolds);
    }
}

static void build(sg_arena *arena, const sg_plan *plan, sg_code *code, int64_t rows)
{
    const sg_map *map = &plan->map;
    *code = (sg_code){.rows = rows};
    if (sg_plan_is_one_run(plan)) {
        const int64_t bytes = rows * map->row_stride;
        code->insns = SG_NEW_ARRAY(arena, sg_insn, sg_portable_run_work(plan, bytes).insns);
        sg_portable_append(plan, code, 0, 0, 0, bytes);
    } else {
        code->insns = SG_NEW_ARRAY(arena, sg_insn, rows * sg_portable_row_work(plan).insns);
        code->by_outputs = goes_by_outputs(plan, code);
        if (code->by_outputs) {
            append_outputs(plan, code);
        } else {
            append_rows(plan, code);
        }
    }
    cut_blocks(arena, plan, code);
    if (plan->array_params && code == &plan->row) { /* straight-line code hard-codes its rows */
        share_blocks(map, code);
    }
    fold_blocks(arena, map, code);
}

void sg_portable_build_row(sg_arena *arena, sg_plan *plan)
{
    if (plan->map.nparts > 0) {
        build(arena, plan, &plan->row, 1);
    }
}

void sg_portable_build_iteration(sg_arena *arena, sg_plan *plan, int64_t rows)
{
    if (plan->map.nparts > 0) {
        build(arena, plan, &plan->iteration, rows);
    }
}
