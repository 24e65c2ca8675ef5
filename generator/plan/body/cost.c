/* The cost of a program, counted by port with the numbers of cost.inc. */
#include "plan/body/cost.h"

#include "base/checked.h"
#include "plan/body/portable.h"
#include "plan/body/vector_runs.h"
#include "plan/insn.h"
#include "plan/layout.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

/* Copies per cycle, memory to memory, in the L1 cache: moves of 16 bytes, and moves of up to 8
 * bytes (MEASURED.md, Copies). */
#define MOVE_STORES  1.0
#define SMALL_STORES 1.33

/* Number of blend masks that a loop keeps in registers on every instruction set here. */
#define MASKS_KEPT 7

/* For shorter tiles another loop is not worth its code. */
#define TAIL_CYCLES_MIN 16

/* With at least this many rows, those that cross lines decide. */
#define FEW_ROWS 4

/* A copy by the C library: cycles of the call, and bytes per cycle after that (MEASURED.md,
 * Choosing bodies). */
#define CALL_CYCLES 16
#define CALL_BYTES  40

/* Issue slots per access of `unit` bytes if the fraction `part` of all accesses is misaligned:
 * accesses that cross a cache line take more. */
static double slots(double cross, double part, int64_t unit)
{
    return 1.0 + part * cross * (double)unit / (double)SG_LINE_BYTES;
}

/* Additional slots of a store that crosses a cache line. A concat stores the bytes that follow
 * next, in the second line. */
static double store_cross(const sg_plan *plan, const sg_cost *cost)
{
    return plan->map.joins ? cost->joined : cost->cross;
}

/* The fraction of rows in which an access of `unit` bytes is misaligned. The access is at `first`
 * in row 0 and `step` bytes further in each following row; unit is a power of two, at most a cache
 * line, and buffers are aligned to cache lines. With many rows every offset occurs, and the few
 * aligned accesses gain nothing (MEASURED.md, Choosing bodies), so all count as misaligned. */
static double astray(const sg_map *map, int64_t first, int64_t step, int64_t unit)
{
    const int64_t mask = unit - 1;
    int64_t found = 0;
    if (map->rows >= FEW_ROWS) {
        return (first & mask) != 0 || (step & mask) != 0 ? 1.0 : 0.0;
    }
    for (int64_t r = 0; r < map->rows; ++r) {
        found += (((first & mask) + r * (step & mask)) & mask) != 0;
    }
    return (double)found / (double)map->rows;
}

/* Cycles by port, and the costs that they are counted with. */
typedef struct tally {
    const sg_cost *cost;
    bool compares; /* programs with the same stores, so how these are aligned does not matter */
    double port[SG_PORT_COUNT];
} tally;

static void add(tally *t, sg_port port, double instructions, double per_cycle)
{
    t->port[port] += instructions / per_cycle;
    t->port[SG_PORT_ALL] += instructions / t->cost->all;
}

/* Bytes of the access that copies the rest of a run: splitgen_rest(). */
static int64_t rest_unit(const sg_isa_info *isa, int64_t rest)
{
    int64_t unit = rest > 1 ? 4 : rest;
    while (unit < rest) {
        unit *= 2;
    }
    return unit < isa->unit ? unit : isa->unit;
}

/* Accesses of a run copied by as few moves of up to `most` bytes as possible: splitgen_put(). */
static int64_t accesses(int64_t bytes, int64_t most)
{
    int64_t unit = most;
    while (unit > bytes) {
        unit /= 2;
    }
    return bytes / unit + (bytes % unit != 0);
}

/* Counts accesses of `unit` bytes from a column of the input to its output; they are aligned in row
 * 0 if `at` is a multiple of unit. */
static void count_vectors(const sg_plan *plan, const sg_map_part *part, int64_t at, int64_t unit,
                          int64_t accesses, tally *t)
{
    const sg_map *map = &plan->map;
    const double whole = astray(map, part->offset + at, map->row_stride, unit);
    const double apart = astray(map, at, part->row_stride, unit);
    const double from = map->joins ? apart : whole;
    const double to = map->joins ? whole : apart;
    add(t, SG_PORT_LOAD, (double)accesses * slots(t->cost->cross, from, unit), t->cost->run_loads);
    add(t, SG_PORT_STORE, (double)accesses * slots(store_cross(plan, t->cost), to, unit),
        t->cost->run_stores);
}

/* Whether whole vectors of a run are stored at multiples of a vector. Other runs depend on the
 * alignment of outputs, which is not known here. */
static bool aligns(const sg_insn *insn, const sg_isa_info *isa)
{
    return insn->op == SG_INSN_VECTORS && insn->bytes >= SG_ALIGN_MIN &&
           insn->bytes % isa->unit != 0;
}

/* Counts a run whose stores are aligned, except the first and the last two:
 * splitgen_aligning_avx2() and splitgen_aligning_avx512(). */
static void count_aligning(const sg_plan *plan, const sg_insn *insn, const sg_isa_info *isa,
                           tally *t)
{
    const sg_map *map = &plan->map;
    const sg_map_part *column = &map->parts[sg_insn_in_part(insn)->part];
    const int64_t step = map->row_stride - column->row_stride;
    const double apart = astray(map, column->offset, step, isa->unit);
    const double stores = (double)(insn->bytes / isa->unit - 1);
    count_vectors(plan, column, column->width, isa->unit, 3, t);
    add(t, SG_PORT_LOAD, stores * slots(t->cost->cross, apart, isa->unit), t->cost->run_loads);
    add(t, SG_PORT_STORE, stores, t->cost->run_stores);
}

/* Counts a run from a column of the input to its output: in whole vectors, or in the moves of the
 * portable body. */
static void count_run(const sg_plan *plan, const sg_insn *insn, const sg_isa_info *isa,
                      bool combiners, tally *t)
{
    const sg_map_part *column = &plan->map.parts[sg_insn_in_part(insn)->part];
    const sg_cost *cost = t->cost;
    if (insn->op != SG_INSN_VECTORS && insn->op != SG_INSN_CALL && !combiners) {
        const int64_t most = isa->puts ? SG_WIDE_UNIT_MIN : SG_MOVE_BYTES;
        const double moves = (double)(isa->tiles * accesses(insn->bytes, most));
        add(t, SG_PORT_LOAD, moves, cost->run_loads);
        add(t, SG_PORT_STORE,
            moves *
                slots(store_cross(plan, cost), column->width % SG_MOVE_BYTES != 0, SG_MOVE_BYTES),
            cost->move_stores);
        return;
    }
    if (combiners) {
        /* every line is combined from two loads that cross lines, or is one of them */
        const double whole = (double)insn->bytes / (double)SG_LINE_BYTES;
        add(t, SG_PORT_LOAD, (whole + 1) * slots(cost->cross, 1.0, isa->unit), cost->run_loads);
        t->port[SG_PORT_LOAD] += cost->combiner;
        add(t, SG_PORT_STORE, whole, cost->run_stores);
        return;
    }
    if (aligns(insn, isa)) {
        count_aligning(plan, insn, isa, t);
        return;
    }
    const int64_t rest = rest_unit(isa, insn->bytes % isa->unit);
    count_vectors(plan, column, 0, isa->unit, insn->bytes / isa->unit, t);
    if (rest > 0) {
        count_vectors(plan, column, column->width, rest, 1, t);
    }
}

/* Accesses for one register: one if its tiles are contiguous in memory. */
static int accesses_of(const sg_plan *plan, const sg_body *v, const sg_ref *ref, int64_t bytes)
{
    const bool together = v->tile_rows * sg_map_stride(&plan->map, ref->part) == bytes;
    return together ? 1 : v->isa->tiles;
}

/* Counts the load of a vector, by one load or by several that are merged. */
static void count_load(const sg_plan *plan, const sg_body *v, const sg_insn *insn, tally *t)
{
    const sg_isa_info *isa = v->isa;
    const sg_cost *cost = t->cost;
    const double pieces = (double)(isa->unit / insn->bytes);
    const int tiles = accesses_of(plan, v, &insn->from, insn->bytes);
    const int64_t from = pieces > 1 ? sg_gcd64(insn->from.at, plan->map.row_stride) : insn->from.at;
    const bool off = from % insn->bytes != 0;
    add(t, SG_PORT_LOAD, tiles * pieces * slots(cost->cross, off, insn->bytes), cost->loads);
    add(t, SG_PORT_ALU, pieces - 1 + (tiles - 1) * cost->insert_alu, cost->alu);
}

/* Counts the store of a vector, or of several pieces, which are extracted from the register but for
 * the first. */
static void count_store(const sg_plan *plan, const sg_body *v, const sg_insn *insn, tally *t)
{
    const sg_cost *cost = t->cost;
    const double pieces = (double)(v->isa->unit / insn->bytes);
    const int tiles = accesses_of(plan, v, &insn->to, insn->bytes);
    const int64_t to = pieces > 1 ? sg_gcd64(insn->to.at, insn->step) : insn->to.at;
    const bool off = !t->compares && to % insn->bytes != 0;
    add(t, SG_PORT_STORE, tiles * pieces * slots(store_cross(plan, cost), off, insn->bytes),
        cost->stores);
    add(t, SG_PORT_ALU, pieces - 1, cost->alu);
}

/* Counts a blend. Single bytes may cost more than words. */
static void count_blend(const sg_body *v, const sg_code *code, const sg_insn *insn, tally *t)
{
    const sg_cost *cost = t->cost;
    const uint8_t *mask = code->constants[insn->constant].lanes;
    if (!v->isa->word_blends && v->lane_bytes >= v->isa->mask_from) {
        add(t, SG_PORT_ALU, 1, cost->alu);
    } else if (v->lane_bytes > 1 || sg_isa_blends_words(v->isa, mask, v->lane_bytes)) {
        add(t, SG_PORT_ALU, 1, cost->alu);
        t->port[SG_PORT_SHUFFLE] += cost->word_shuffles / cost->shuffles;
    } else {
        add(t, SG_PORT_ALU, cost->byte_alu, cost->alu);
        t->port[SG_PORT_SHUFFLE] += cost->byte_shuffles / cost->shuffles;
    }
}

/* Whether it is an unpack without an index, which costs as much as a one-source permute. */
static bool is_unpack(const sg_body *v, const sg_constant *c)
{
    return c->op == SG_INSN_PERMUTE2 &&
           sg_isa_unpacks(v->isa, c->lanes, v->lane_bytes) != SG_UNPACK_NONE;
}

static void count_insn(const sg_plan *plan, const sg_body *v, const sg_code *code,
                       const sg_insn *insn, tally *t)
{
    const sg_isa_info *isa = v->isa;
    const sg_cost *cost = t->cost;
    switch (insn->op) {
    case SG_INSN_LOAD:
        count_load(plan, v, insn, t);
        break;
    case SG_INSN_INTERLEAVED:
        /* four registers are not deinterleaved by the load itself: their parts are moved once more
         * */
        add(t, SG_PORT_LOAD, (double)(insn->bytes / isa->unit), cost->loads);
        add(t, SG_PORT_ALU, (double)(insn->bytes / isa->unit), cost->alu);
        break;
    case SG_INSN_INTERLEAVE: /* the same for the store */
        add(t, SG_PORT_STORE, (double)(insn->bytes / isa->unit), cost->stores);
        add(t, SG_PORT_ALU, (double)(insn->bytes / isa->unit), cost->alu);
        break;
    case SG_INSN_STORE:
        count_store(plan, v, insn, t);
        break;
    case SG_INSN_PERMUTE2:
        if (!is_unpack(v, &code->constants[insn->constant])) {
            t->port[SG_PORT_SHUFFLE] += cost->permute2;
            t->port[SG_PORT_STORE] += cost->permute2_store;
            add(t, SG_PORT_ALU, cost->permute2_alu, cost->alu);
            break;
        }
        /* fall through */
    case SG_INSN_PERMUTE:
        t->port[SG_PORT_SHUFFLE] += 1.0 / cost->shuffles;
        add(t, SG_PORT_ALU, 1, cost->alu);
        break;
    case SG_INSN_PREFETCH:
        break;
    case SG_INSN_BLEND:
        count_blend(v, code, insn, t);
        break;
    default: /* memory to memory */
        count_run(plan, insn, isa,
                  insn->combines && v->write_combining == SG_WRITE_COMBINING_ALWAYS, t);
        break;
    }
}

/* Adds one iteration of a body. */
static tally count(const sg_plan *plan, const sg_body *v, const sg_code *code, tally t)
{
    const sg_cost *cost = t.cost;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        count_insn(plan, v, code, &code->insns[i], &t);
    }
    int masks = 0;
    int indices = 0;
    for (int64_t c = 0; c < code->nconstants; ++c) {
        const bool mask = code->constants[c].kind == SG_CONSTANT_MASK;
        masks += mask;
        indices += !mask && !is_unpack(v, &code->constants[c]);
    }
    if (masks > MASKS_KEPT) {
        t.port[SG_PORT_MASK] += (masks - MASKS_KEPT) * cost->mask;
    }
    if (indices > cost->indices) {
        add(&t, SG_PORT_LOAD, indices - cost->indices, cost->loads);
    }
    return t;
}

/* The busiest port, which sets the cycles of a body. Reloading masks is not included: it stalls all
 * ports. */
static sg_port busiest(const double *port)
{
    sg_port best = SG_PORT_LOAD;
    for (int p = 0; p < SG_PORT_MASK; ++p) {
        best = port[p] > port[best] ? (sg_port)p : best;
    }
    return best;
}

/* Cycles of splitgen_put(). */
static double put_cycles(int64_t bytes)
{
    const int64_t whole = bytes / SG_MOVE_BYTES;
    const int64_t rest = bytes % SG_MOVE_BYTES;
    const double small = rest > 0 ? (double)accesses(rest, SG_MOVE_BYTES / 2) : 0;
    return (double)whole / MOVE_STORES + small / SMALL_STORES;
}

/* Cycles of portable code. */
static double portable_cycles(const sg_code *code)
{
    double cycles = 0;
    for (int64_t i = 0; i < code->ninsns; ++i) {
        const sg_insn *insn = &code->insns[i];
        cycles += insn->op == SG_INSN_CALL ? CALL_CYCLES + (double)insn->bytes / CALL_BYTES
                                           : put_cycles(insn->bytes + insn->overrun);
    }
    return cycles;
}

double sg_cost_portable(const sg_plan *plan)
{
    return plan->kind == SG_PLAN_STRAIGHT ? portable_cycles(&plan->iteration)
                                          : (double)plan->map.rows * portable_cycles(&plan->row);
}

/* Maximum number of rows after the last whole iteration for which the portable program, at `row`
 * cycles a row, is cheaper than another iteration of `cycles` cycles that overlaps the one before.
 * 0 for kernels with arrays of outputs, which have no single row program to call. */
static int64_t tail_rows(const sg_plan *plan, int64_t rows_per_iteration, double cycles, double row)
{
    if (plan->array_params || cycles < TAIL_CYCLES_MIN) {
        return 0;
    }
    const double rows = cycles / row;
    const int64_t last = rows_per_iteration - 1;
    return rows < (double)last ? (int64_t)rows : last;
}

void sg_cost_sum(const sg_plan *plan, sg_body *v)
{
    const int64_t left = plan->map.rows % v->rows_per_iteration;
    const double iterations = (double)(plan->map.rows / v->rows_per_iteration);
    const double row = portable_cycles(&plan->row);
    v->tail_rows = tail_rows(plan, v->rows_per_iteration, sg_body_fastest(v)->cycles, row);
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        sg_prediction *p = &v->on[u];
        p->all = iterations * p->cycles;
        if (left > 0 && p->cycles > 0) {
            p->all += left <= v->tail_rows ? (double)left * row : p->cycles;
        }
    }
}

sg_prediction sg_cost_predict(const sg_plan *plan, const sg_body *v, const sg_cost *cost)
{
    sg_prediction p = {0};
    double longest = 0;
    for (int64_t s = 0; s < v->nslices; ++s) {
        const tally t = count(plan, v, &v->codes[v->slices[s].code], (tally){.cost = cost});
        const sg_port bound = busiest(t.port);
        if (t.port[bound] > longest) {
            longest = t.port[bound];
            p.bound = t.port[SG_PORT_MASK] > longest ? SG_PORT_MASK : bound;
        }
        p.cycles += t.port[bound] + t.port[SG_PORT_MASK];
    }
    return p;
}

void sg_cost_tell_slowest(sg_prediction on[SG_UARCH_COUNT])
{
    on[SG_UARCH_GENERIC] = (sg_prediction){0};
    for (int u = SG_UARCH_GENERIC + 1; u < SG_UARCH_COUNT; ++u) {
        if (on[u].cycles > on[SG_UARCH_GENERIC].cycles) {
            on[SG_UARCH_GENERIC] = on[u];
        }
    }
}

double sg_cost_pressure(const sg_plan *plan, const sg_body *v, const sg_code *code)
{
    const tally t = count(plan, v, code, (tally){.cost = v->isa->cost, .compares = true});
    double sum = 0;
    for (int p = 0; p < SG_PORT_COUNT; ++p) {
        sum += p != SG_PORT_ALL ? t.port[p] : 0;
    }
    return t.port[busiest(t.port)] + t.port[SG_PORT_MASK] + sum / 10;
}

const sg_prediction *sg_body_fastest(const sg_body *v)
{
    const sg_prediction *least = &v->on[v->tune];
    for (int u = 0; v->tune == SG_UARCH_GENERIC && u < SG_UARCH_COUNT; ++u) {
        least = u != SG_UARCH_GENERIC && v->on[u].cycles > 0 && v->on[u].cycles < least->cycles
                    ? &v->on[u]
                    : least;
    }
    return least;
}
