/* A permute of a blend that nobody else reads, made one two-source permute: one instruction less,
 * at the price of the stores it delays. Done where that pays. */
#include <string.h>

#include "plan/budget.h"
#include "plan/steps.h"
#include "plan/weave.h"

static int64_t uses_of(const sg_body *body, int reg)
{
    int64_t uses = 0;
    for (int64_t i = 0; i < body->ninsns; ++i) {
        uses += body->insns[i].a == reg;
        uses += body->insns[i].b == reg;
    }
    return uses;
}

/* The blend that instruction `at` permutes and nobody else reads; -1: there is none. */
static int64_t blend_before(const sg_body *body, int64_t at)
{
    const sg_insn *permute = &body->insns[at];
    if (permute->op != SG_INSN_PERMUTE || uses_of(body, permute->a) != 1) {
        return -1;
    }
    for (int64_t i = 0; i < at; ++i) {
        if (body->insns[i].op == SG_INSN_BLEND && body->insns[i].reg == permute->a) {
            return i;
        }
    }
    return -1;
}

static void fuse(sg_weave *w, int64_t blend, int64_t at)
{
    sg_body *body = w->body;
    const sg_insn from = body->insns[blend];
    const uint8_t *mask = body->constants[from.constant].lanes;
    const uint8_t *index = body->constants[body->insns[at].constant].lanes;
    uint8_t picks[SG_LANES_MAX];
    for (int i = 0; i < w->v->lanes; ++i) {
        const int lane = index[i];
        const bool second = lane != SG_LANE_ANY && mask[lane] == 1;
        picks[i] = second ? (uint8_t)(lane + w->v->lanes) : (uint8_t)lane;
    }
    sg_insn *insn = &body->insns[at];
    insn->op = SG_INSN_PERMUTE2;
    insn->a = from.a;
    insn->b = from.b;
    insn->constant = -1;
    w->loose = true;
    insn->constant = sg_weave_constant(w, SG_INSN_PERMUTE2, picks);
    memmove(&body->insns[blend], &body->insns[blend + 1],
            (size_t)(body->ninsns - blend - 1) * sizeof *body->insns);
    --body->ninsns;
}

/* Forgets constants that no instruction has any more. */
static void prune(sg_weave *w)
{
    sg_body *body = w->body;
    int64_t kept = 0;
    for (int64_t c = 0; c < body->nconstants; ++c) {
        bool used = false;
        for (int64_t i = 0; i < body->ninsns; ++i) {
            sg_insn *insn = &body->insns[i];
            used = used || insn->constant == c;
            insn->constant = insn->constant == c ? kept : insn->constant;
        }
        body->constants[kept] = body->constants[c];
        kept += used;
    }
    body->nconstants = kept;
    w->loose = false;
}

/* A body as it was. */
typedef struct snapshot {
    sg_weave_mark mark;
    sg_insn *insns;
} snapshot;

static snapshot take(const sg_weave *w)
{
    const sg_body *body = w->body;
    const snapshot s = {.mark = sg_weave_mark_here(w),
                        .insns = SG_NEW_ARRAY(w->arena, sg_insn, body->ninsns)};
    memcpy(s.insns, body->insns, (size_t)body->ninsns * sizeof *s.insns);
    return s;
}

static void restore(sg_weave *w, const snapshot *s)
{
    sg_weave_back_to(w, &s->mark);
    memcpy(w->body->insns, s->insns, (size_t)w->body->ninsns * sizeof *s->insns);
}

void sg_weave_fuse(sg_weave *w)
{
    sg_body *body = w->body;
    if (!w->isa->has_permute2 || w->plan->split->bytes > SG_SMALL_BYTES) {
        return;
    }
    const snapshot all = take(w);
    const double plain = sg_cost_pressure(w->plan, w->v, body);
    double cost = plain;
    for (int64_t at = 0; at < body->ninsns; ++at) {
        const int64_t blend = blend_before(body, at);
        if (blend < 0) {
            continue;
        }
        const snapshot before = take(w);
        fuse(w, blend, at);
        prune(w);
        const double fused = sg_cost_pressure(w->plan, w->v, body);
        if (fused < cost) {
            cost = fused;
            --at; /* the blend before it is gone */
        } else {
            restore(w, &before);
        }
    }
    if (cost > SG_FUSE_GAIN * plain) {
        restore(w, &all);
    }
}
