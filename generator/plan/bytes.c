/* Plans over whole bytes: layout, views, strategy, code, bodies, choices, statistics. */
#include "plan/bytes.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"
#include "plan/body/memo.h"
#include "plan/body/portable.h"
#include "plan/caches.h"
#include "plan/choose/candidates.h"
#include "plan/choose/choices.h"
#include "plan/choose/non_temporal.h"
#include "plan/choose/unroll.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"
#include "plan/view.h"

/* Maximum number of instructions of a loop body that works in groups of outputs. */
#define GROUPED_INSNS INT64_C(1024)

/* Bytes of one output that such a loop body aims at: a cache line. */
#define GROUPED_BYTES INT64_C(64)

static const char *plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

static int64_t at_least_one(int64_t rows, int64_t limit)
{
    if (rows > limit) {
        rows = limit;
    }
    return rows < 1 ? 1 : rows;
}

/* Rows of one iteration of the loop under --unroll=auto. An iteration copies several short rows, so
 * that loop overhead is small. With many outputs it copies enough rows that each output gets a
 * cache line before the next group of outputs is written. */
static int64_t loop_rows(const sg_plan *plan, sg_work row)
{
    const sg_map *map = &plan->map;
    if (map->nparts <= SG_OUTPUTS_TOGETHER) {
        return at_least_one(SG_LOOP_BODY_MOVES / row.moves, map->rows);
    }
    if (sg_plan_goes_in_order(plan)) {
        return 1;
    }
    int64_t narrowest = GROUPED_BYTES;
    for (int64_t c = 0; c < map->nparts; ++c) {
        if (map->parts[c].width < narrowest) {
            narrowest = map->parts[c].width;
        }
    }
    const int64_t fits = GROUPED_INSNS / row.insns;
    const int64_t line = GROUPED_BYTES / narrowest;
    return at_least_one(fits < line ? fits : line, map->rows);
}

static bool over_cap(sg_diag *diag, const sg_split *split, int64_t insns, int64_t rows)
{
    sg_diag_fail(diag, SG_EXIT_BUDGET, split->op->span,
                 "'%s' needs %" PRId64 " copies in straight line, more than the cap of %" PRId64,
                 split->name, insns, SG_INSNS_HARD_CAP);
    if (rows > 1) {
        sg_diag_note(diag, sg_span_none(),
                     "--unroll=auto puts a loop of constant trip count around one row");
    } else {
        sg_diag_note(diag, sg_span_none(),
                     "every %s is its own copy: %scut the op in two along the axis",
                     sg_split_part_word(split),
                     split->joins ? "" : "mark the outputs nobody reads as unwanted, or ");
    }
    if (split->nfused > 0) {
        sg_diag_note(diag, sg_span_none(),
                     "--fuse made it of %" PRId64 " Splits, which are kernels of their own without",
                     split->nfused + 1);
    }
    return false;
}

/* Sets up straight-line code, with the reason for it. */
static bool straight(sg_plan *plan, int64_t *rows_per_iteration, const char *why)
{
    plan->kind = SG_PLAN_STRAIGHT;
    plan->strategy = "straight-line";
    plan->why = why;
    *rows_per_iteration = plan->map.rows;
    return true;
}

/* Sets up a loop over rows. True: an iteration is one row, and `why` is set; otherwise the caller
 * sets `why`. */
static bool is_plain_loop(sg_plan *plan, const sg_plan_options *options, sg_work row,
                          int64_t *rows_per_iteration)
{
    const bool plain = sg_unroll_choose(options) == SG_UNROLL_NONE || plan->map.scales;
    plan->kind = SG_PLAN_ROWS;
    plan->strategy = "row loop";
    *rows_per_iteration = plain ? 1 : loop_rows(plan, row);
    if (plain) {
        plan->why = plan->map.scales ? "the length of rows is known only when it runs"
                    : options->unroll == SG_UNROLL_NONE
                        ? "not unrolled as asked"
                        : "a loop over the rows is the smallest code";
    }
    return plain;
}

/* Chooses straight-line code or a row loop, and how many rows an iteration copies. */
static bool choose(sg_arena *arena, sg_diag *diag, sg_plan *plan, const sg_plan_options *options,
                   int64_t *rows_per_iteration)
{
    const int64_t rows = plan->map.rows;
    const sg_work row = sg_portable_row_work(plan);
    const sg_unroll unroll = sg_unroll_choose(options);
    if (row.insns == 0) {
        plan->kind = SG_PLAN_EMPTY;
        plan->strategy = "empty";
        plan->why = sg_arena_printf(
            arena, sg_plan_has_code(plan) ? "no %s has a byte to copy" : "every %s is %s as a view",
            sg_split_part_word(plan->split), plan->split->joins ? "written" : "read");
        return true;
    }
    const bool is_free = sg_plan_takes_any(plan);
    if (sg_plan_is_one_run(plan) && !is_free) {
        return straight(plan, rows_per_iteration,
                        plan->split->joins ? "the input is the whole output"
                                           : "the output is the whole input");
    }
    if (row.insns > SG_INSNS_HARD_CAP) {
        return over_cap(diag, plan->split, row.insns, 1);
    }
    if (is_free) {
        if (!is_plain_loop(plan, options, row, rows_per_iteration)) {
            plan->why = sg_arena_printf(arena, "%s, so a loop takes %" PRId64 " row%s an iteration",
                                        plan->split->nopen > 0
                                            ? "the number of items is known only when it runs"
                                            : "rows lie in groups with gaps between them",
                                        *rows_per_iteration, plural(*rows_per_iteration));
        }
        return true;
    }
    if (rows == 1) {
        return straight(
            plan, rows_per_iteration,
            sg_arena_printf(arena, "one contiguous run per %s", sg_split_part_word(plan->split)));
    }

    int64_t insns = INT64_MAX;
    int64_t moves = INT64_MAX;
    (void)sg_mul64(rows, row.insns, &insns);
    (void)sg_mul64(rows, row.moves, &moves);
    if (unroll == SG_UNROLL_FULL) {
        return insns > SG_INSNS_HARD_CAP
                   ? over_cap(diag, plan->split, insns, rows)
                   : straight(plan, rows_per_iteration, "unrolled in full as asked");
    }
    if (unroll == SG_UNROLL_AUTO && moves <= SG_UNROLL_BUDGET && insns <= SG_INSNS_HARD_CAP) {
        return straight(
            plan, rows_per_iteration,
            sg_arena_printf(arena,
                            "%" PRId64 " moves of up to 16 bytes fit the unroll budget of %" PRId64,
                            moves, SG_UNROLL_BUDGET));
    }

    if (!is_plain_loop(plan, options, row, rows_per_iteration)) {
        plan->why = sg_arena_printf(
            arena,
            "%" PRId64 " moves of up to 16 bytes exceed the unroll budget "
            "of %" PRId64 ", so a loop takes %" PRId64 " row%s an iteration",
            moves, SG_UNROLL_BUDGET, *rows_per_iteration, plural(*rows_per_iteration));
    }
    return true;
}

/* Whether the rows of an output are contiguous on both sides. */
static bool is_one_run(const sg_map *map, const sg_output *output)
{
    const sg_map_part *part = &map->parts[output->column];
    return part->width == map->row_stride && sg_map_is_dense(part);
}

static const char *output_strategy(sg_arena *arena, const sg_plan *plan, const sg_output *output)
{
    if (output->column < 0) {
        return sg_no_copy_text(plan, output);
    }
    const int64_t width = plan->map.parts[output->column].width;
    const int64_t rows = plan->map.rows;
    if (plan->map.scales) {
        return sg_arena_printf(arena, "%" PRId64 " run%s of %" PRId64 " byte%s times %s%s",
                               plan->split->outer.factor, plural(plan->split->outer.factor), width,
                               plural(width), sg_split_behind_text(arena, plan->split),
                               plan->split->outer.open ? " an item" : "");
    }
    if (plan->split->nopen > 0) {
        return sg_arena_printf(arena, "%" PRId64 " run%s of %" PRId64 " byte%s an item",
                               plan->split->outer.factor, plural(plan->split->outer.factor), width,
                               plural(width));
    }
    if ((is_one_run(&plan->map, output) && plan->map.ngroups == 0) || rows == 1) {
        const int64_t bytes = sg_split_bytes(plan->split, output->part->elements);
        return sg_arena_printf(arena, "one run of %" PRId64 " byte%s", bytes, plural(bytes));
    }
    return sg_arena_printf(arena, "%" PRId64 " runs of %" PRId64 " byte%s", rows, width,
                           plural(width));
}

static void measure(sg_plan *plan)
{
    const sg_map *map = &plan->map;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        const sg_output *output = &plan->outputs[o];
        if (output->column < 0) {
            continue;
        }
        const int64_t bytes = sg_split_bytes(plan->split, output->part->elements);
        plan->bytes_moved += bytes * sg_split_items(plan->split);
        const int64_t width = map->parts[output->column].width;
        const bool whole = is_one_run(map, output) && !sg_plan_takes_any(plan);
        const int64_t run = whole ? bytes : width;
        if (plan->shortest == 0 || run < plan->shortest) {
            plan->shortest = run;
        }
        if (run > plan->longest) {
            plan->longest = run;
        }
    }
}

/* Counts the instructions of the portable program. */
static void count_instructions(sg_plan *plan)
{
    const bool in_order = plan->optimize == SG_OPTIMIZE_SPEED && !plan->no_memcpy && !plan->plain;
    plan->puts = in_order && plan->map.nparts > 1 && plan->longest > SG_PUT_BYTES;
    plan->puts = plan->puts || (in_order && plan->iteration.by_outputs);
    const bool by_rows = sg_plan_goes_by_rows(plan);
    plan->insns = (!by_rows || plan->iteration.rows > 1 ? plan->iteration.ninsns : 0) +
                  (by_rows ? plan->row.ninsns : 0);
    plan->copies = plan->iteration.ninsns;
    if (by_rows) { /* as many iterations as fit, then single rows */
        plan->copies = plan->map.rows / plan->iteration.rows * plan->iteration.ninsns +
                       plan->map.rows % plan->iteration.rows * plan->row.ninsns;
    }
}

static bool is_plain(const sg_plan *plan, const sg_plan_options *options)
{
    const sg_op *op = plan->split->op;
    bool plain = op->origin != NULL && !options->isas_asked && !plan->map.joins;
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plain = plain && plan->outputs[o].view == SG_VIEW_CONTIGUOUS && plan->map.ngroups == 0;
    }
    return plain;
}

/* Maximum number of rows of an iteration in a kernel that copies any range of rows: the proof
 * executes that many single rows in place of an iteration. */
#define ITERATION_ROWS_MAX INT64_C(65536)

/* The same limit for this plan. Rows with long runs get no more than one function takes, as longer
 * iterations are no faster; compilers vectorise the others (MEASURED.md, Copies). */
static int64_t iteration_rows_max(const sg_plan *plan)
{
    const int64_t in_function = SG_BLOCK_INSNS / sg_portable_row_work(plan).insns;
    const bool is_long = plan->kind == SG_PLAN_ROWS && plan->longest > SG_COPY_LITERAL_MAX;
    return !is_long ? ITERATION_ROWS_MAX : in_function > 1 ? in_function : 1;
}

/* Maximum number of bytes of the full tensor in a block of rows of a dynamic length, unless it is
 * one row (MEASURED.md, Rows of an open length). */
#define OPEN_BLOCK_BYTES INT64_C(32768)

/* A bit per sg_isa of those that move rows of a dynamic length (splitgen/open_rows.h). */
static uint32_t open_isas(const sg_plan_options *options)
{
    uint32_t isas = 0;
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        if (strcmp(sg_isa_get((sg_isa)i)->family, "X86") == 0) {
            isas |= options->isas & UINT32_C(1) << i;
        }
    }
    return isas;
}

/* Portable code for one row and for `rows` rows. With an array of many outputs, blocks of the row
 * program copy a few rows each, one block after the other; so do kernels with a dynamic row length.
 * */
static void build_portable(sg_arena *arena, sg_plan *plan, int64_t rows,
                           const sg_plan_options *options)
{
    sg_portable_build_row(arena, plan);
    plan->block_rows = 1;
    if (plan->map.scales && plan->row.ninsns > 0 && !plan->no_memcpy) {
        plan->block_bytes = OPEN_BLOCK_BYTES;
        plan->open_isas = open_isas(options);
    }
    if (plan->array_params && plan->kind == SG_PLAN_ROWS) {
        plan->block_rows = rows;
        plan->iteration = plan->row;
    } else {
        sg_portable_build_iteration(arena, plan, rows);
    }
}

/* A kernel that copies any range of rows may need shorter iterations. Called once it is known
 * whether it does. */
static void shorten_iteration(sg_arena *arena, sg_plan *plan)
{
    const int64_t rows = plan->iteration.rows;
    if (sg_plan_goes_by_rows(plan) && rows > iteration_rows_max(plan)) {
        sg_portable_build_iteration(arena, plan,
                                    rows / sg_ceil_div64(rows, iteration_rows_max(plan)));
    }
}

void sg_bytes_adapt(sg_arena *arena, sg_plan *plan)
{
    if (plan->kind == SG_PLAN_STRAIGHT && plan->nbodies == 0 &&
        plan->iteration.rows < plan->map.rows) { /* it was for rows that follow those of bodies */
        sg_portable_build_iteration(arena, plan, plan->map.rows);
    }
    count_instructions(plan);
}

bool sg_bytes_build_programs(sg_arena *arena, sg_diag *diag, sg_plan *plan,
                             const sg_plan_options *options)
{
    int64_t rows_per_iteration = 0;
    if (!choose(arena, diag, plan, options, &rows_per_iteration)) {
        return false;
    }
    build_portable(arena, plan, rows_per_iteration, options);
    for (int64_t o = 0; o < plan->noutputs; ++o) {
        plan->outputs[o].strategy = output_strategy(arena, plan, &plan->outputs[o]);
    }
    plan->plain = is_plain(plan, options);
    measure(plan);
    plan->non_temporal = sg_non_temporal_choose(plan, options->nt);
    if (!plan->plain && !sg_memo_recall(options->memo, plan)) {
        sg_candidates_build(arena, plan, options);
        sg_memo_add(arena, options->memo, plan);
    }
    shorten_iteration(arena, plan);
    count_instructions(plan);
    sg_choices_build(arena, plan);
    return true;
}

sg_plan *sg_bytes_build(sg_arena *arena, sg_diag *diag, const sg_split *split,
                        const sg_plan_options *options)
{
    sg_plan *plan = SG_NEW(arena, sg_plan);
    plan->split = split;
    plan->optimize = options->optimize;
    plan->no_memcpy = options->no_memcpy;
    sg_layout_build(arena, plan, 8);
    sg_view_build(arena, plan);
    return sg_bytes_build_programs(arena, diag, plan, options) ? plan : NULL;
}
