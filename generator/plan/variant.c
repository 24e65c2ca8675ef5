/* Chooses the instruction sets a kernel gets a body of its own for, the cheapest form for each, and
 * predicts what a trip costs. */
#include <string.h>

#include "base/checked.h"
#include "plan/budget.h"
#include "plan/interleaved.h"
#include "plan/isa.h"
#include "plan/network.h"
#include "plan/slices.h"
#include "plan/steps.h"
#include "plan/wide.h"

/* Blend masks a loop keeps in registers on every instruction set here. */
#define MASKS_KEPT 7

/* Memory to memory (Zen 5, in L1): loads a cycle, and stores of 64 bytes. Nothing but
 * that in a loop comes closer to the ports than the networks of isa.inc do. */
#define RUN_LOADS   2.0
#define LINE_STORES 1.0

/* A row of one output on its way through a feed: where its line is and what of it is new. */
#define FEED_CYCLES 0.5

/* Slots of an access of `unit` bytes at a multiple of `step` bytes: one that crosses a line takes
 * two. Steps that are no multiple of the unit bring it to every offset in turn. */
static double slots(int64_t step, int64_t unit)
{
    return step % unit == 0 ? 1.0 : 1.0 + (double)unit / (double)SG_LINE_BYTES;
}

/* A run on its way from a column of the input to its output: in whole vectors, or in the moves of
 * the portable body. */
static void count_run(const sg_plan *plan, const sg_insn *insn, const sg_isa_info *isa, bool feeds,
                      double *port)
{
    const sg_column *column = &plan->layout.columns[insn->column];
    if (insn->op != SG_INSN_LINES && insn->op != SG_INSN_CALL && !feeds) {
        const double moves = (double)(isa->ways * sg_ceil_div64(insn->bytes, SG_MOVE_BYTES));
        port[SG_PORT_LOAD] += moves / RUN_LOADS;
        port[SG_PORT_STORE] += moves / SG_MOVE_STORES;
        return;
    }
    if (feeds) {
        /* every line is put together from two loads that cross lines, or is one of them */
        const double whole = (double)insn->bytes / (double)SG_LINE_BYTES;
        port[SG_PORT_LOAD] += (whole + 1) * slots(1, isa->unit) / RUN_LOADS + FEED_CYCLES;
        port[SG_PORT_STORE] += whole / LINE_STORES;
        return;
    }
    const double vectors = (double)sg_ceil_div64(insn->bytes, isa->unit);
    const int64_t from = sg_gcd64(plan->layout.row_bytes, column->offset + isa->unit);
    const double stores = isa->unit < SG_LINE_BYTES ? SG_MOVE_STORES : LINE_STORES;
    port[SG_PORT_LOAD] += vectors * slots(from, isa->unit) / RUN_LOADS;
    port[SG_PORT_STORE] += vectors * slots(column->width, isa->unit) / stores;
}

/* A vector from memory, by one load or by several that are put together. */
static void count_load(const sg_plan *plan, const sg_insn *insn, const sg_isa_info *isa,
                       double *port)
{
    const double pieces = (double)(isa->unit / insn->bytes);
    const int64_t from = pieces > 1 ? sg_gcd64(insn->src, plan->layout.row_bytes) : insn->src;
    port[SG_PORT_LOAD] += isa->ways * pieces * slots(from, insn->bytes) / isa->loads;
    port[SG_PORT_ALU] += (pieces - 1) / isa->alu;
}

/* Instructions a store is: one where what the ways of a register hold goes behind each other. */
static double stores_of(const sg_plan *plan, const sg_variant *v, const sg_insn *insn)
{
    const sg_column *column = &plan->layout.columns[insn->column];
    return v->window_rows * column->width == insn->bytes ? 1 : v->isa->ways;
}

/* AVX2 blends single bytes in the shuffle units. */
static double blend_shuffles(const sg_variant *v, const sg_body *body, const sg_insn *insn)
{
    const uint8_t *mask = body->constants[insn->constant].lanes;
    return v->isa->isa == SG_ISA_AVX2BYTE && !sg_isa_blends_words(v->isa, mask, v->lane_bytes);
}

/* Cycles by port of one trip of a body, from the costs of isa.inc. */
static void count(const sg_plan *plan, const sg_variant *v, const sg_body *body, double *port)
{
    const sg_isa_info *isa = v->isa;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        const sg_insn *insn = &body->insns[i];
        switch (insn->op) {
        case SG_INSN_LOAD:
            count_load(plan, insn, isa, port);
            break;
        case SG_INSN_INTERLEAVED:
            /* four registers are not split on the way in: their parts are moved once more */
            port[SG_PORT_LOAD] += (double)(insn->bytes / isa->unit) / isa->loads;
            port[SG_PORT_ALU] += (double)(insn->bytes / isa->unit) / isa->alu;
            break;
        case SG_INSN_STORE:
            port[SG_PORT_STORE] += stores_of(plan, v, insn) / isa->stores;
            break;
        case SG_INSN_PERMUTE:
            port[SG_PORT_SHUFFLE] += 1.0 / isa->shuffles;
            port[SG_PORT_ALU] += 1.0 / isa->alu;
            break;
        case SG_INSN_PERMUTE2:
            port[SG_PORT_SHUFFLE] += isa->permute2_cycles;
            port[SG_PORT_STORE] += isa->permute2_store;
            port[SG_PORT_ALU] += 1.0 / isa->alu;
            break;
        case SG_INSN_PREFETCH:
            break;
        case SG_INSN_BLEND:
            port[SG_PORT_ALU] += 1.0 / isa->alu;
            port[SG_PORT_SHUFFLE] += blend_shuffles(v, body, insn) / isa->shuffles;
            break;
        default: /* memory to memory */
            count_run(plan, insn, isa, insn->fed && v->feeding == SG_FEED_ALWAYS, port);
            break;
        }
    }
    int64_t masks = 0;
    for (int64_t c = 0; c < body->nconstants; ++c) {
        masks += body->constants[c].kind == SG_CONSTANT_MASK;
    }
    const int64_t indices = body->nconstants - masks;
    if (masks > MASKS_KEPT) {
        port[SG_PORT_MASK] += (double)(masks - MASKS_KEPT) * isa->mask_cycles;
    }
    if (indices > isa->indices_kept) {
        port[SG_PORT_LOAD] += (double)(indices - isa->indices_kept) / isa->loads;
    }
}

/* The busiest port sets the cycles of a body; bringing masks back stops all of them. */
static sg_port busiest(const double *port)
{
    sg_port best = SG_PORT_LOAD;
    for (int p = 0; p < SG_PORT_MASK; ++p) {
        best = port[p] > port[best] ? (sg_port)p : best;
    }
    return best;
}

/* Slices run one after the other. */
static void predict(const sg_plan *plan, sg_variant *v)
{
    double longest = 0;
    for (int64_t s = 0; s < v->nslices; ++s) {
        double port[SG_PORT_COUNT] = {0};
        count(plan, v, &v->bodies[v->slices[s].body], port);
        const sg_port bound = busiest(port);
        if (port[bound] > longest) {
            longest = port[bound];
            v->bound = port[SG_PORT_MASK] > longest ? SG_PORT_MASK : bound;
        }
        v->cycles += port[bound] + port[SG_PORT_MASK];
    }
}

double sg_variant_pressure(const sg_plan *plan, const sg_variant *v, const sg_body *body)
{
    double port[SG_PORT_COUNT] = {0};
    double sum = 0;
    count(plan, v, body, port);
    for (int p = 0; p < SG_PORT_COUNT; ++p) {
        sum += port[p];
    }
    return port[busiest(port)] + port[SG_PORT_MASK] + sum / 10;
}

/* Cycles a row costs; what variants of one instruction set are compared by. */
static double row_cycles(const sg_variant *v)
{
    return v->cycles / (double)v->rows_per_trip;
}

static int64_t insns_of(const sg_variant *v)
{
    int64_t insns = 0;
    for (int64_t b = 0; b < v->nbodies; ++b) {
        insns += v->bodies[b].ninsns;
    }
    return insns;
}

/* Of two that cost the same over the same rows, the shorter one. */
static bool is_cheaper(const sg_variant *a, const sg_variant *b)
{
    const double difference = row_cycles(a) - row_cycles(b);
    const bool same = a->isa == b->isa && a->rows_per_trip == b->rows_per_trip;
    return difference < 0 || (difference <= 0 && same && insns_of(a) < insns_of(b));
}

/* Keeps the cheaper of two forms for the same --isa name. */
static void keep(sg_plan *plan, const sg_variant *candidate)
{
    if (plan->nvariants > 0) {
        sg_variant *last = &plan->variants[plan->nvariants - 1];
        if (strcmp(last->isa->name, candidate->isa->name) == 0) {
            if (is_cheaper(candidate, last)) {
                *last = *candidate;
            }
            return;
        }
    }
    plan->variants[plan->nvariants++] = *candidate;
}

static void consider(sg_plan *plan, sg_variant *candidate)
{
    predict(plan, candidate);
    keep(plan, candidate);
}

/* A machine with one instruction set of a family has those behind it in isa.inc as well, so a body
 * that is slower than one of theirs is never wanted. */
static void drop_slower(sg_plan *plan)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        bool slower = false;
        for (int64_t j = i + 1; j < plan->nvariants; ++j) {
            const sg_variant *other = &plan->variants[j];
            slower = slower || (other->isa->isa != SG_ISA_NEON &&
                                row_cycles(other) < row_cycles(&plan->variants[i]));
        }
        if (!slower) {
            plan->variants[kept++] = plan->variants[i];
        }
    }
    plan->nvariants = kept;
}

static bool is_worth_it(const sg_plan *plan)
{
    int64_t vectors = plan->bytes_moved / SG_MOVE_BYTES;
    int64_t moves = 0;
    if (plan->layout.ncolumns == 0) {
        return false;
    }
    if (!sg_mul64(plan->layout.rows, sg_program_row_work(plan).moves, &moves)) {
        moves = INT64_MAX;
    }
    const bool runs = plan->shortest >= SG_VECTOR_RUN_BYTES;
    return (moves > vectors ? moves : vectors) >=
           (runs ? SG_VECTOR_RUN_MOVES_MIN : SG_VECTOR_MOVES_MIN);
}

void sg_variant_build(sg_arena *arena, sg_plan *plan, const sg_plan_options *options)
{
    if (options->isas == 0 || !is_worth_it(plan)) {
        return;
    }
    plan->variants = SG_NEW_ARRAY(arena, sg_variant, SG_ISA_COUNT);
    for (int i = 0; i < SG_ISA_COUNT; ++i) {
        const sg_isa_info *isa = sg_isa_get((sg_isa)i);
        if ((options->isas >> i & 1U) == 0) {
            continue;
        }
        sg_weave weave;
        sg_variant candidate = {0};
        if (sg_slices_build(arena, plan, isa, false, &candidate)) {
            consider(plan, &candidate);
        }
        if (plan->array_params) {
            if (isa->max_lane == SG_LANE_BYTES_MAX &&
                sg_slices_build_runs(arena, plan, isa, &candidate)) {
                consider(plan, &candidate);
            }
            continue;
        }
        if (sg_slices_build(arena, plan, isa, true, &candidate)) {
            consider(plan, &candidate);
        }
        if (isa->max_lane == SG_LANE_BYTES_MAX && sg_wide_build(arena, plan, isa, &candidate)) {
            consider(plan, &candidate);
        }
        if (sg_interleaved_build(arena, plan, isa, &candidate)) {
            consider(plan, &candidate);
        }
        if (sg_weave_begin(arena, plan, isa, &candidate, &weave)) {
            sg_network_three_stages(&weave);
            sg_weave_fuse(&weave);
            sg_weave_settle(&weave);
            consider(plan, &candidate);
        }
        if (sg_weave_begin(arena, plan, isa, &candidate, &weave)) {
            sg_network_groups(&weave);
            sg_weave_fuse(&weave);
            sg_weave_settle(&weave);
            sg_weave_order(&weave);
            consider(plan, &candidate);
        }
        if (sg_weave_begin(arena, plan, isa, &candidate, &weave) && sg_network_gather(&weave)) {
            consider(plan, &candidate);
        }
    }
    drop_slower(plan);
    for (int64_t i = 0; i < plan->nvariants; ++i) {
        sg_variant_finish(arena, plan, &plan->variants[i]);
    }
}
