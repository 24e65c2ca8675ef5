/* What programs of vectors over bits cost, on the processors their form is for. */
#include "plan/bit_gather.h"

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
    double permutes; /* those that cross lanes */
    double pairs;    /* those of two sources, one of which is copied where it is used again */
    double three;    /* of those and of logic, what reads three registers */
    double shifts;
    double logic;
    double loads;
    double stores;      /* twice where they cross a line */
    double split;       /* loads that do */
    double slow_stores; /* cycles of all stores where one of more than half a vector takes two */
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
        bool crosses = false;
        bool merges = false;
        switch (insn->op) {
        case SG_BIT_LOAD:
            t->split += splits(insn->at, V, w->in_bytes);
            t->loads += 1;
            break;
        case SG_BIT_PERMUTE2:
        case SG_BIT_PERMUTE:
        case SG_BIT_PICK:
            t->three += insn->op == SG_BIT_PERMUTE2;
            t->pairs += insn->op == SG_BIT_PERMUTE2;
            t->permutes += insn->op != SG_BIT_PICK;
            t->shuffles += 1;
            t->loads += operand;
            break;
        case SG_BIT_TEST:
            t->shuffles += 1;
            t->stores += 1;
            t->slow_stores += 1;
            break;
        case SG_BIT_RIGHT:
        case SG_BIT_LEFT:
            t->shifts += 1;
            t->loads += operand;
            break;
        case SG_BIT_STORE:
            crosses = splits(insn->at, insn->bytes, sg_bit_column_bytes(w, insn->column));
            t->stores += 1 + crosses;
            t->slow_stores += (insn->bytes > V / 2 ? 2 : 1) + 0.25 * crosses;
            break;
        default:
            merges = insn->op == SG_BIT_BLEND && sg_bit_moves_bytes(&w->insns[insn->b]);
            t->three += insn->op == SG_BIT_SELECT || merges;
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

/* By the ports of Intel's cores since Ice Lake: one for shuffles, another for shifts, either for
 * logic. */
static sg_prediction one_source(const tally *t)
{
    sg_prediction p = {0};
    bind(&p, t->shuffles, SG_PORT_SHUFFLE);
    bind(&p, t->shifts, SG_PORT_ALU);
    bind(&p, (t->shuffles + t->shifts + t->logic) / 2, SG_PORT_ALU);
    bind(&p, (t->loads + t->split) / 2, SG_PORT_LOAD);
    bind(&p, t->stores, SG_PORT_STORE);
    return p;
}

/* As measured on a Zen 4, whose units are half as wide as a vector. Alone it does a load a cycle,
 * 0.6 of one across a line, half a store, one permute of one source or of two, one shift or pick,
 * and 2 blends; 1.5 permutes and shifts together, and of all kinds together 1.72. What reads three
 * registers holds up stores: 4 stores take 8 cycles, with 8 permutes or blends too, but 14 with 8
 * permutes of two sources, permutes into a register or selections of bits. Among other instructions
 * it is less: u4 1 + 2 in L1, 3 stores with 7 of 13 that read three 8.3 cycles, with 9 of 13 9.6.
 */
static sg_prediction two_sources(const tally *t)
{
    const double moved = t->shuffles + t->shifts;
    sg_prediction p = {0};
    bind(&p, t->permutes, SG_PORT_SHUFFLE);
    bind(&p, moved / 1.5, SG_PORT_SHUFFLE);
    bind(&p, (moved + t->logic) / 1.72, SG_PORT_ALU);
    bind(&p, t->loads + 0.6 * t->split, SG_PORT_LOAD);
    bind(&p, t->slow_stores + 0.45 * t->three, SG_PORT_STORE);
    return p;
}

static sg_prediction predict(const sg_bit_writer *w, int first, sg_bit_form form)
{
    tally t = {0};
    count(w, first, &t);
    sg_prediction p = form == SG_BIT_ONE_SOURCE ? one_source(&t) : two_sources(&t);
    p.cycles += SPLIT_CYCLES * t.split;
    return p;
}

double sg_bit_cycles(const sg_bit_writer *w, int first, sg_bit_form form)
{
    return predict(w, first, form).cycles;
}

sg_prediction sg_bit_predict(const sg_bit_writer *w, sg_bit_form form)
{
    return predict(w, 0, form);
}

double sg_bit_weight(const sg_bit_writer *w, int first)
{
    tally t = {0};
    if (w->full) {
        return 1e9;
    }
    if (w->form == SG_BIT_ONE_SOURCE) {
        return sg_bit_cycles(w, first, w->form) + 0.1 * (w->ninsns - first);
    }
    /* A part has few stores or none, so what it costs beside them is added. */
    count(w, first, &t);
    return (t.shuffles + t.shifts + t.logic) / 1.72 + 0.2 * t.permutes + 0.25 * t.three +
           0.15 * t.pairs + 0.5 * t.loads + 0.3 * t.split;
}
