/* Predicted cost of vector programs over bits. */
#include "plan/bits/bit_cost.h"

#include "plan/bits/bit_program.h"
#include "plan/bits/bit_writer.h"
#include "plan/insn.h"
#include "plan/plan.h"

#define V SG_BIT_VECTOR

/* Extra cycles of a load that crosses a cache line when nothing else limits the loop. Measured with
 * data in L2, where it is largest. */
#define SPLIT_CYCLES 0.25

/* Whether an access at `at`, repeated every `step` bytes, may cross a cache line. */
static bool splits(int64_t at, int64_t bytes, int64_t step)
{
    return at % bytes != 0 || step % bytes != 0;
}

/* Counts masks and vectors among the constants. A mask without a mask register costs an extra
 * instruction per merge, and becomes a vector. */
static void count_constants(const sg_bit_writer *w, int *masks, int *vectors)
{
    *masks = 0;
    for (int64_t i = 0; i < w->code.nconstants; ++i) {
        *masks += w->code.constants[i].kind == SG_CONSTANT_MASK;
    }
    *vectors = (int)w->code.nconstants - *masks;
    if (*masks > SG_BIT_MASKS_KEPT) {
        *vectors += *masks - SG_BIT_MASKS_KEPT;
    }
}

/* Instructions for each port. */
typedef struct tally {
    double busy[SG_BUSY_COUNT]; /* stores count twice if they cross a cache line */
    double split;               /* loads that cross a cache line */
} tally;

static void count(const sg_bit_writer *w, int64_t first, tally *t)
{
    int masks = 0;
    int vectors = 0;
    count_constants(w, &masks, &vectors);
    const double merge =
        masks > SG_BIT_MASKS_KEPT ? (double)(masks - SG_BIT_MASKS_KEPT) / masks : 0;
    const double operand =
        vectors > SG_BIT_CONSTANTS_KEPT ? (double)(vectors - SG_BIT_CONSTANTS_KEPT) / vectors : 0;
    for (int64_t i = first; i < w->code.ninsns; ++i) {
        const sg_insn *insn = &w->code.insns[i];
        const sg_opcode_info *op = sg_opcode_get(insn->op);
        const bool merged =
            insn->op == SG_INSN_BLEND && sg_opcode_get(w->code.insns[insn->b].op)->merges;
        t->busy[op->port] += merged ? merge : 1;
        if (op->does == SG_DOES_LOAD) {
            t->split += splits(insn->from.at, V, w->in_bytes);
        } else if (op->does == SG_DOES_ALU) {
            t->busy[SG_BUSY_LOAD] += operand;
        } else if (op->port == SG_BUSY_STORE) {
            t->busy[SG_BUSY_STORE] +=
                splits(insn->to.at, insn->bytes, sg_bit_column_bytes(w, insn->to.part));
        } else { /* the store of a test's result */
            t->busy[SG_BUSY_STORE] += 1;
        }
    }
}

/* Makes a port the bound if it is busy for longer than all others so far. */
static void bind(sg_prediction *p, double cycles, sg_port port)
{
    if (cycles > p->cycles) {
        *p = (sg_prediction){.cycles = cycles, .bound = port};
    }
}

/* Models machines with ONE_SHUFFLE: one port for shuffles, another for shifts, either for logic.
 * Does not use cost.inc, which has the throughput of all vector instructions together but not which
 * of them conflict. */
sg_prediction sg_bit_predict(const sg_bit_writer *w, int64_t first)
{
    tally t = {0};
    sg_prediction p = {0};
    count(w, first, &t);
    const double shuffles = t.busy[SG_BUSY_SHUFFLE];
    const double shifts = t.busy[SG_BUSY_SHIFT];
    bind(&p, shuffles, SG_PORT_SHUFFLE);
    bind(&p, shifts, SG_PORT_ALU);
    bind(&p, (shuffles + shifts + t.busy[SG_BUSY_ANY]) / 2, SG_PORT_ALU);
    bind(&p, (t.busy[SG_BUSY_LOAD] + t.split) / 2, SG_PORT_LOAD);
    bind(&p, t.busy[SG_BUSY_STORE], SG_PORT_STORE);
    p.cycles += SPLIT_CYCLES * t.split;
    return p;
}

double sg_bit_weight(const sg_bit_writer *w, int64_t first)
{
    return w->builder.full
               ? 1e9
               : sg_bit_predict(w, first).cycles + 0.1 * (double)(w->code.ninsns - first);
}
