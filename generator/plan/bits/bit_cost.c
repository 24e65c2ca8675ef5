/* What programs of vectors over bits cost. */
#include "plan/bits/bit_cost.h"

#include "plan/bits/bit_program.h"
#include "plan/bits/bit_writer.h"
#include "plan/plan.h"

#define V SG_BIT_VECTOR

/* What a load that crosses a line adds where all else is in its shadow: most where the line comes
 * from L2. */
#define SPLIT_CYCLES 0.25

/* Whether an access at a multiple of `step` bytes from `at` on crosses a line. */
static bool splits(int64_t at, int64_t bytes, int64_t step)
{
    return at % bytes != 0 || step % bytes != 0;
}

/* Masks that are too many for their registers make a merge two instructions, and vectors are read
 * at every use. */
static void count_constants(const sg_bit_writer *w, int *masks, int *vectors)
{
    *masks = 0;
    for (int i = 0; i < w->nconstants; ++i) {
        *masks += w->constants[i].kind == SG_CONSTANT_MASK;
    }
    *vectors = w->nconstants - *masks;
    if (*masks > SG_BIT_MASKS_KEPT) {
        *vectors += *masks - SG_BIT_MASKS_KEPT;
    }
}

/* What there is of each kind. */
typedef struct tally {
    double shuffles;
    double shifts;
    double logic;
    double loads;
    double stores; /* twice where they cross a line */
    double split;  /* loads that do */
} tally;

static void count(const sg_bit_writer *w, int first, tally *t)
{
    int masks = 0;
    int vectors = 0;
    count_constants(w, &masks, &vectors);
    const double merge =
        masks > SG_BIT_MASKS_KEPT ? (double)(masks - SG_BIT_MASKS_KEPT) / masks : 0;
    const double operand =
        vectors > SG_BIT_CONSTANTS_KEPT ? (double)(vectors - SG_BIT_CONSTANTS_KEPT) / vectors : 0;
    for (int i = first; i < w->ninsns; ++i) {
        const sg_bit_insn *insn = &w->insns[i];
        bool merges = false;
        switch (insn->op) {
        case SG_BIT_LOAD:
            t->split += splits(insn->at, V, w->in_bytes);
            t->loads += 1;
            break;
        case SG_BIT_PERMUTE:
        case SG_BIT_PICK:
            t->shuffles += 1;
            t->loads += operand;
            break;
        case SG_BIT_TEST:
            t->shuffles += 1;
            t->stores += 1;
            break;
        case SG_BIT_RIGHT:
        case SG_BIT_LEFT:
            t->shifts += 1;
            t->loads += operand;
            break;
        case SG_BIT_STORE:
            t->stores += 1 + splits(insn->at, insn->bytes, sg_bit_column_bytes(w, insn->column));
            break;
        default:
            merges = insn->op == SG_BIT_BLEND && sg_bit_moves_bytes(&w->insns[insn->b]);
            t->logic += merges ? merge : 1;
            t->loads += operand;
            break;
        }
    }
}

/* A port that is busy for so many cycles sets them if no other one is for longer. */
static void bind(sg_prediction *p, double cycles, sg_port port)
{
    if (cycles > p->cycles) {
        *p = (sg_prediction){.cycles = cycles, .bound = port};
    }
}

/* By the ports of machines with ONE_SHUFFLE: one for shuffles, another for shifts, either for
 * logic. */
sg_prediction sg_bit_predict(const sg_bit_writer *w, int first)
{
    tally t = {0};
    sg_prediction p = {0};
    count(w, first, &t);
    bind(&p, t.shuffles, SG_PORT_SHUFFLE);
    bind(&p, t.shifts, SG_PORT_ALU);
    bind(&p, (t.shuffles + t.shifts + t.logic) / 2, SG_PORT_ALU);
    bind(&p, (t.loads + t.split) / 2, SG_PORT_LOAD);
    bind(&p, t.stores, SG_PORT_STORE);
    p.cycles += SPLIT_CYCLES * t.split;
    return p;
}

double sg_bit_weight(const sg_bit_writer *w, int first)
{
    return w->full ? 1e9 : sg_bit_predict(w, first).cycles + 0.1 * (w->ninsns - first);
}
