/* Chooses the instruction sets for which a kernel gets its own body and the cheapest form for each,
 * and predicts what an iteration costs. */
#include "plan/choose/candidates.h"

#include <string.h>

#include "base/checked.h"
#include "plan/body/cost.h"
#include "plan/body/groups.h"
#include "plan/body/interleaved.h"
#include "plan/body/network.h"
#include "plan/body/order.h"
#include "plan/body/portable.h"
#include "plan/body/slices.h"
#include "plan/body/iterations.h"
#include "plan/body/vector_runs.h"
#include "plan/body/vector_builder.h"
#include "plan/caches.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* A kernel with fewer than VECTOR_MOVES_MIN moves (counted as in SG_UNROLL_BUDGET) gets no vector
 * body. Two columns of at most VECTOR_PAIR_BYTES need VECTOR_PAIR_MOVES_MIN, as gcc vectorises
 * them. From VECTOR_MOVES_SURE moves on a kernel always gets one. In between, a body is kept if its
 * predicted cycles, plus ASK_CYCLES for checking the processor's instructions, are at most
 * SG_VECTOR_GAIN of the cycles of the portable program (MEASURED.md, When vectors pay). */
#define VECTOR_MOVES_MIN      INT64_C(24)
#define VECTOR_PAIR_MOVES_MIN INT64_C(64)
#define VECTOR_PAIR_BYTES     INT64_C(4)
#define VECTOR_MOVES_SURE     INT64_C(128)
#define ASK_CYCLES            8.0

/* Runs of at least this many bytes take a quarter as many moves with the widest vectors as without
 * (MEASURED.md, When vectors pay). */
#define VECTOR_RUN_BYTES INT64_C(128)

/* Maximum number of candidates for one --isa name: up to FORMS for each microarchitecture, for at
 * most two instruction sets of that name. */
#define FORMS     6
#define FIELD_MAX (2 * FORMS * SG_UARCH_COUNT)

/* The candidates for one --isa name. One or two of them are kept. */
typedef struct field {
    sg_arena *arena;  /* for the kept ones */
    sg_arena scratch; /* for the others, by far the most */
    const sg_plan *plan;
    sg_uarch tune;
    bool first_decides; /* only the first microarchitecture that has the instructions decides */
    sg_body *items;     /* FIELD_MAX */
    int64_t count;
    double least[SG_UARCH_COUNT]; /* cycles of the cheapest candidate for all rows */
} field;

static bool runs_on(const sg_body *v, int uarch)
{
    return uarch != SG_UARCH_GENERIC && v->on[uarch].cycles > 0;
}

static void tune(const sg_plan *plan, sg_body *v, sg_uarch uarch)
{
    v->tune = uarch;
    v->cycles = v->on[uarch].cycles;
    v->bound = v->on[uarch].bound;
    sg_cost_sum(plan, v);
}

/* Removes a microarchitecture from those that a body runs on. */
static void forget(const sg_plan *plan, sg_body *v, sg_uarch uarch)
{
    v->on[uarch] = (sg_prediction){0};
    sg_cost_tell_slowest(v->on);
    tune(plan, v, v->tune);
}

static void predict(const sg_plan *plan, sg_uarch asked, sg_body *v)
{
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        const sg_cost *cost = sg_isa_cost(v->isa->isa, (sg_uarch)u);
        if (cost != NULL) {
            v->on[u] = sg_cost_predict(plan, v, cost);
        }
    }
    sg_cost_tell_slowest(v->on);
    const bool has = sg_isa_cost(v->isa->isa, asked) != NULL;
    tune(plan, v, has ? asked : SG_UARCH_GENERIC);
}

static int64_t insns_of(const sg_body *v)
{
    int64_t insns = 0;
    for (int64_t b = 0; b < v->ncodes; ++b) {
        insns += v->codes[b].ninsns;
    }
    return insns;
}

/* The bit of a microarchitecture in a set. */
static uint32_t bit_of(int uarch)
{
    return UINT32_C(1) << uarch;
}

/* Slowdown of a body relative to the best candidate, on a set of microarchitectures: the largest
 * ratio, and the sum of all. */
typedef struct loss {
    double worst;
    double sum;
} loss;

static loss loss_of(const field *f, const sg_body *v, uint32_t machines)
{
    loss l = {0};
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        if (runs_on(v, u) && (machines & bit_of(u)) != 0) {
            const double ratio = v->on[u].all / f->least[u];
            l.worst = ratio > l.worst ? ratio : l.worst;
            l.sum += ratio;
        }
    }
    return l;
}

/* Compares losses; with equal losses over the same rows, prefers fewer instructions. */
static bool is_better(const field *f, uint32_t machines, const sg_body *a, const sg_body *b)
{
    const loss x = loss_of(f, a, machines);
    const loss y = loss_of(f, b, machines);
    if (x.worst < y.worst || x.worst > y.worst) {
        return x.worst < y.worst;
    }
    if (x.sum < y.sum || x.sum > y.sum) {
        return x.sum < y.sum;
    }
    const bool same = a->isa->isa == b->isa->isa && a->rows_per_iteration == b->rows_per_iteration;
    return same && insns_of(a) < insns_of(b);
}

static void consider(field *f, const sg_body *candidate)
{
    sg_body *v = &f->items[f->count++];
    *v = *candidate;
    predict(f->plan, f->tune, v);
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        if (runs_on(v, u) && (f->least[u] <= 0 || v->on[u].all < f->least[u])) {
            f->least[u] = v->on[u].all;
        }
    }
}

static const sg_body *best_on(const field *f, uint32_t machines)
{
    const sg_body *best = NULL;
    for (int64_t i = 0; i < f->count; ++i) {
        best = best == NULL || is_better(f, machines, &f->items[i], best) ? &f->items[i] : best;
    }
    return best;
}

static void *copy_array(sg_arena *arena, const void *from, int64_t count, size_t size)
{
    void *to = sg_arena_array(arena, (size_t)count, size);
    if (count > 0) {
        memcpy(to, from, (size_t)count * size);
    }
    return to;
}

/* A deep copy. */
static sg_body copy_body(sg_arena *arena, const sg_body *v)
{
    sg_body copy = *v;
    copy.isa = copy_array(arena, v->isa, 1, sizeof *v->isa);
    copy.slices = copy_array(arena, v->slices, v->nslices, sizeof *v->slices);
    copy.codes = copy_array(arena, v->codes, v->ncodes, sizeof *v->codes);
    for (int64_t b = 0; b < v->ncodes; ++b) {
        sg_code *code = &copy.codes[b];
        code->insns = copy_array(arena, code->insns, code->ninsns, sizeof *code->insns);
        code->folds = copy_array(arena, code->folds, code->nfolds, sizeof *code->folds);
        code->constants =
            copy_array(arena, code->constants, code->nconstants, sizeof *code->constants);
    }
    return copy;
}

/* Keeps a body for `only`, or if that is SG_UARCH_GENERIC, for all microarchitectures but `except`,
 * which has its own (SG_UARCH_GENERIC: no exception). */
static void keep(sg_arena *arena, sg_plan *plan, const sg_body *v, sg_uarch except, sg_uarch only)
{
    sg_body *kept = &plan->bodies[plan->nbodies++];
    *kept = copy_body(arena, v);
    kept->only = only;
    if (only != SG_UARCH_GENERIC) {
        tune(plan, kept, only);
    } else if (except != SG_UARCH_GENERIC) {
        forget(plan, kept, except);
    }
}

/* The microarchitectures that decide which body is best. */
static uint32_t deciding(const field *f)
{
    const sg_body *any = &f->items[0];
    uint32_t machines = 0;
    if (any->tune != SG_UARCH_GENERIC) {
        return bit_of((int)any->tune);
    }
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        if (runs_on(any, u) && sg_uarch_decides((sg_uarch)u, any->isa->isa) &&
            (machines == 0 || !f->first_decides)) {
            machines |= bit_of(u);
        }
    }
    return machines;
}

/* Whether a separate body for one machine gains enough. */
static bool may_be_apart(const sg_plan *plan)
{
    return plan->map.joins || plan->longest <= SG_APART_BYTES;
}

/* Keeps the best of the field.
 *
 * note [generic]
 * Generic code runs on all machines, and none of them should lose much by it, so the program with
 * the smallest worst-case ratio to the best program for a machine is chosen. The smallest sum of
 * cycles would serve only the slowest machine, and the smallest sum of ratios would let one machine
 * pay for the others. If even this program loses too much, and the data is in L1 so that it
 * matters, machines that a trait distinguishes may get separate bodies. Outside L1
 * ports hardly matter (MEASURED.md, Choosing bodies), so the first machine that may decide does so
 * alone. */
static void choose(sg_plan *plan, field *f)
{
    if (f->count > 0) {
        const uint32_t machines = deciding(f);
        const sg_body *best = best_on(f, machines);
        const sg_uarch apart = sg_uarch_with(best->isa->apart, best->isa->isa);
        const uint32_t others = machines & ~bit_of((int)apart);
        if (apart != SG_UARCH_GENERIC && others != 0 && others != machines && may_be_apart(plan) &&
            loss_of(f, best, machines).worst > SG_SHARED_LOSS) {
            keep(f->arena, plan, best_on(f, bit_of((int)apart)), SG_UARCH_GENERIC, apart);
            plan->bodies[plan->nbodies - 1].trait = best->isa->apart;
            keep(f->arena, plan, best_on(f, others), apart, SG_UARCH_GENERIC);
        } else {
            keep(f->arena, plan, best, SG_UARCH_GENERIC, SG_UARCH_GENERIC);
        }
    }
    sg_arena_free(&f->scratch);
    f->count = 0;
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        f->least[u] = 0;
    }
}

/* Whether b is faster on every machine that runs both, or on the machine that a is made for. */
static bool is_slower(const sg_body *a, const sg_body *b)
{
    bool both = false;
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        const bool counts = a->tune == SG_UARCH_GENERIC || u == (int)a->tune;
        if (runs_on(a, u) && runs_on(b, u) && counts) {
            if (a->on[u].all <= b->on[u].all) {
                return false;
            }
            both = true;
        }
    }
    return both;
}

/* Moves of `rows` rows; at least the number of vectors of 16 bytes in them. */
static int64_t moves_of(const sg_plan *plan, int64_t rows)
{
    const int64_t row_bytes = plan->map.rows > 0 ? plan->bytes_moved / plan->map.rows : 0;
    const int64_t vectors = rows * row_bytes / SG_MOVE_BYTES; /* of existing bytes only */
    int64_t moves = 0;
    if (!sg_mul64(rows, sg_portable_row_work(plan).moves, &moves)) {
        moves = INT64_MAX;
    }
    return moves > vectors ? moves : vectors;
}

static int64_t least_moves(const sg_plan *plan)
{
    const bool pairs = plan->map.nparts == 2 && plan->longest <= VECTOR_PAIR_BYTES;
    return pairs ? VECTOR_PAIR_MOVES_MIN : VECTOR_MOVES_MIN;
}

/* Whether looking for bodies pays. */
static bool is_worth_it(const sg_plan *plan)
{
    return plan->map.nparts > 0 && moves_of(plan, plan->map.rows) >= least_moves(plan);
}

int64_t sg_candidates_least_rows(const sg_plan *plan)
{
    int64_t rows = 1;
    while (moves_of(plan, rows) < least_moves(plan)) {
        ++rows;
    }
    return rows;
}

/* Whether the cost of checking the processor's instructions may decide against a body. It may not
 * for kernels with many moves, with only long runs, or with calls of the C library: these gain from
 * vectors whatever is predicted. */
static bool is_small(const sg_plan *plan)
{
    return !plan->array_params && plan->shortest < VECTOR_RUN_BYTES &&
           plan->longest < SG_CALL_MIN && moves_of(plan, plan->map.rows) < VECTOR_MOVES_SURE;
}

/* Whether a body gains less than checking the processor's instructions costs. A body for a single
 * machine must also have a counterpart for the others, since they run the check too. */
static bool is_too_dear(const sg_plan *plan, const sg_body *v, bool others)
{
    return is_small(plan) &&
           ((v->only != SG_UARCH_GENERIC && !others) ||
            v->on[v->tune].all + ASK_CYCLES > SG_VECTOR_GAIN * sg_cost_portable(plan));
}

/* For a body a that runs on one machine only: whether b is the body for other machines with the
 * same instruction set. */
static bool serves_others(const sg_body *a, const sg_body *b)
{
    bool any = false;
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        const bool has = sg_isa_cost(a->isa->isa, (sg_uarch)u) != NULL && u != (int)a->only;
        any = any || (has && runs_on(b, u));
    }
    return b->only == SG_UARCH_GENERIC && any;
}

/* Drops bodies that are never the best. A machine with an instruction set also has the later ones
 * of the same family in isa.inc, so a body that is slower than one of theirs is useless; so is one
 * that gains too little. */
static void drop_useless(sg_plan *plan)
{
    int64_t first = plan->nbodies; /* first body kept */
    for (int64_t i = plan->nbodies - 1; i >= 0; --i) {
        sg_body *v = &plan->bodies[i];
        bool slower = false;
        bool others = false; /* other machines have a body too */
        for (int64_t j = first; j < plan->nbodies; ++j) {
            slower = slower || is_slower(v, &plan->bodies[j]);
            others = others || serves_others(v, &plan->bodies[j]);
        }
        if (!slower && !is_too_dear(plan, v, others)) {
            plan->bodies[--first] = *v;
        }
    }
    plan->bodies += first;
    plan->nbodies -= first;
}

/* Whether this instruction set copies runs: among those of one --isa name, the one with the longest
 * vectors for elements of any size. */
static bool copies_runs(const sg_isa_info *isa)
{
    return isa->max_lane == SG_LANE_BYTES_MAX && isa->tiles == 1;
}

/* The instruction set of the same --isa name that copies runs. */
static const sg_isa_info *runs_isa(const sg_isa_info *isa)
{
    const sg_isa_info *found = isa;
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        const sg_isa_info *other = sg_isa_get((sg_isa)i);
        found = strcmp(other->name, isa->name) == 0 && copies_runs(other) ? other : found;
    }
    return found;
}

/* Whether column groups of a concat of an array of inputs would read and write memory out of order
 * for too little: inputs of six bytes and more on average, of elements of four and more, are moved
 * row by row (MEASURED.md, Concats). */
static bool moves_in_order(const sg_plan *plan)
{
    const sg_map *map = &plan->map;
    return map->joins && plan->array_params && sg_plan_goes_in_order(plan) &&
           map->row_stride >= 6 * map->nparts && sg_vector_common_bytes(map) >= 4;
}

/* Considers every form of a body for one instruction set, using the costs in isa. `first` is false
 * for another machine with the same instruction set: forms that do not depend on costs are then
 * skipped. */
static void consider_forms(field *f, const sg_isa_info *isa, bool first)
{
    sg_arena *arena = &f->scratch;
    const sg_plan *plan = f->plan;
    const int64_t before = f->count;
    sg_vector_builder vb;
    sg_body candidate = {0};
    const bool is_other = !copies_runs(isa); /* then another one has the body that copies runs */
    const bool by_runs =
        f->first_decides && !plan->array_params &&
        (sg_runs_nearly_all(plan, runs_isa(isa)) || (!is_other && sg_runs_join_past(plan, isa)));
    if (by_runs && is_other) {
        return;
    }
    if (by_runs && sg_runs_build(arena, plan, isa, &candidate)) {
        sg_runs_choose_write_combining(plan, &candidate);
        consider(f, &candidate);
        return;
    }
    /* Outside L1, where ports do not decide, rows with wide columns do not use half registers if
     * whole registers can move their elements (MEASURED.md, Choosing bodies). */
    const bool slices = !f->first_decides || plan->array_params || isa->tiles == 1 ||
                        sg_vector_common_bytes(&plan->map) <= 2;
    /* Other forms for dense concats of few parts are as fast, and their stores may be non-temporal.
     */
    const bool other_forms =
        plan->map.joins && plan->map.gap == 0 && plan->map.nparts <= SG_OUTPUTS_TOGETHER;
    if ((slices || plan->map.joins) && !other_forms && !moves_in_order(plan) &&
        sg_slices_build(arena, plan, isa, false, &candidate)) {
        consider(f, &candidate);
    }
    if (plan->array_params) {
        if (first && copies_runs(isa) && sg_slices_build_runs(arena, plan, isa, &candidate)) {
            sg_runs_choose_write_combining(plan, &candidate);
            consider(f, &candidate);
        }
        return;
    }
    if (slices && sg_slices_build(arena, plan, isa, true, &candidate)) {
        consider(f, &candidate);
    }
    if (first && copies_runs(isa) && sg_runs_build(arena, plan, isa, &candidate)) {
        sg_runs_choose_write_combining(plan, &candidate);
        consider(f, &candidate);
    }
    if (first && sg_interleaved_build(arena, plan, isa, &candidate)) {
        consider(f, &candidate);
    }
    if (sg_vector_begin(arena, plan, isa, &candidate, &vb)) {
        sg_network_build(&vb);
        sg_vector_settle(&vb);
        consider(f, &candidate);
    }
    if (sg_vector_begin(arena, plan, isa, &candidate, &vb)) {
        sg_groups_build(&vb);
        sg_vector_settle(&vb);
        sg_order_code(&vb);
        consider(f, &candidate);
    }
    if (other_forms && f->count == before && sg_slices_build(arena, plan, isa, false, &candidate)) {
        consider(f, &candidate);
    }
}

/* Makes candidates with the costs of every microarchitecture that may decide, since a program made
 * for one may be the best on another. Kernels with many outputs would take too long, and large
 * tensors gain nothing from it: for these, only the deciding machine's costs are used. */
static void consider_isa(field *f, sg_isa isa)
{
    const bool tuned = sg_isa_cost(isa, f->tune) != NULL;
    bool first = true;
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        const bool asked = !f->first_decides || (tuned ? u == (int)f->tune : first);
        const bool counts = sg_uarch_decides((sg_uarch)u, isa) || u == (int)f->tune;
        const sg_cost *cost = sg_isa_cost(isa, (sg_uarch)u);
        if (cost != NULL && asked && counts) {
            consider_forms(f, sg_isa_on(&f->scratch, cost), first);
            first = false;
        }
    }
}

/* Whether the plan's element size is right on processors with these instructions. Elements of
 * strings are pointers, which the plan counts as 8 bytes. */
static bool knows_elements(const sg_plan *plan, const sg_isa_info *isa)
{
    const sg_dtype_info *dtype = sg_dtype_get(plan->split->dtype);
    return dtype->kind != SG_DTYPE_KIND_PTR || dtype->bits == isa->pointer * 8;
}

/* Whether the instruction set can have a body. */
static bool suits(const sg_plan *plan, const sg_isa_info *isa)
{
    return knows_elements(plan, isa) && (isa->runs || !sg_plan_is_one_run(plan));
}

/* With --optimize=size, keeps one body for each instruction set. */
static void drop_twins(sg_plan *plan)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *v = &plan->bodies[i];
        if (v->only != SG_UARCH_GENERIC && i + 1 < plan->nbodies && serves_others(v, v + 1)) {
            continue;
        }
        plan->bodies[kept++] = *v;
    }
    plan->nbodies = kept;
}

/* Makes the bodies of a plan for the rows of its layout, without their loops. */
static void build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options)
{
    plan->bodies = SG_NEW_ARRAY(arena, sg_body, SG_ISA_COUNT + 1);
    plan->nbodies = 0;
    field f = {.arena = arena, .plan = plan, .tune = options->tune};
    f.items = SG_NEW_ARRAY(arena, sg_body, FIELD_MAX);
    sg_arena_init(&f.scratch);
    f.first_decides = plan->array_params || sg_plan_bytes(plan) > SG_SMALL_BYTES;
    const char *name = "";
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        if ((options->isas >> i & 1U) == 0 || !suits(plan, sg_isa_get((sg_isa)i))) {
            continue;
        }
        if (strcmp(name, sg_isa_get((sg_isa)i)->name) != 0) {
            choose(plan, &f);
            name = sg_isa_get((sg_isa)i)->name;
        }
        consider_isa(&f, (sg_isa)i);
    }
    choose(plan, &f);
    drop_useless(plan);
    if (plan->optimize == SG_OPTIMIZE_SIZE) {
        drop_twins(plan);
    }
}

/* The same plan for another number of rows. */
static sg_plan with_rows(const sg_plan *plan, int64_t rows)
{
    sg_plan other = *plan;
    other.map.rows = rows;
    other.bytes_moved = plan->bytes_moved / plan->map.rows * rows;
    return other;
}

/* The number of rows from which all bodies of an instruction set can be used. */
static int64_t rows_of(const sg_plan *plan, const sg_isa_info *isa)
{
    int64_t rows = 0;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_body *v = &plan->bodies[i];
        if (strcmp(v->isa->name, isa->name) == 0 && v->rows_per_iteration > rows) {
            rows = v->rows_per_iteration;
        }
    }
    return rows;
}

/* Adds short bodies to a kernel with a dynamic number of rows. An instruction set whose iterations
 * have more rows than sg_candidates_least_rows also gets the body that a kernel of that many rows
 * would get, after its other bodies. */
static void add_few(sg_arena *arena, sg_plan *plan, const sg_plan_options *options)
{
    const int64_t least = sg_candidates_least_rows(plan);
    sg_plan few = with_rows(plan, least);
    build(arena, &few, options);
    sg_body *all = SG_NEW_ARRAY(arena, sg_body, plan->nbodies + few.nbodies);
    int64_t count = 0;
    for (int64_t i = 0; i < plan->nbodies; ++i) {
        const sg_isa_info *isa = plan->bodies[i].isa;
        all[count++] = plan->bodies[i];
        if (i + 1 < plan->nbodies && strcmp(isa->name, plan->bodies[i + 1].isa->name) == 0) {
            continue;
        }
        for (int64_t k = 0; k < few.nbodies; ++k) {
            sg_body *v = &few.bodies[k];
            if (strcmp(v->isa->name, isa->name) == 0 &&
                v->write_combining == SG_WRITE_COMBINING_NEVER && v->only == SG_UARCH_GENERIC &&
                rows_of(plan, isa) > least) {
                sg_iterations_choose(arena, &few, v);
                v->allows_non_temporal = false;
                v->is_few = true;
                v->planned_rows = few.map.rows;
                all[count++] = *v;
            }
        }
    }
    plan->bodies = all;
    plan->nbodies = count;
}

/* A kernel with a dynamic number of rows whose expected number is too small for a body is planned
 * for this many times sg_candidates_least_rows, as a call may bring more rows than expected. */
#define FREE_ROWS 16

void sg_candidates_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options)
{
    const bool is_free = sg_plan_takes_any(plan);
    sg_plan planned = *plan;
    /* including constants */
    const bool fits = plan->array_params || plan->map.nparts <= SG_TILE_TENSORS;
    if (options->isas == 0 || plan->map.nparts == 0 || plan->map.scales || !fits) {
        return;
    }
    if (is_free && !is_worth_it(plan)) {
        planned = with_rows(plan, FREE_ROWS * sg_candidates_least_rows(plan));
    }
    if (!is_worth_it(&planned)) {
        return;
    }
    build(arena, &planned, options);
    for (int64_t i = 0; i < planned.nbodies; ++i) {
        sg_iterations_choose(arena, &planned, &planned.bodies[i]);
        planned.bodies[i].planned_rows = planned.map.rows;
    }
    if (is_free && plan->optimize == SG_OPTIMIZE_SPEED && !plan->array_params) {
        add_few(arena, &planned, options);
    }
    plan->bodies = planned.bodies;
    plan->nbodies = planned.nbodies;
}
