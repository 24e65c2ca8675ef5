/* Parts of lines and single lines of dumps. */
#include "plan/report/dump_parts.h"

#include <inttypes.h>

#include "plan/insn.h"

const char *sg_port_name(sg_port port)
{
    static const char *const names[] = {
        "loads",      "stores", "vector instructions", "shuffles", "instructions of all kinds",
        "blend masks"};
    return names[port];
}

void sg_dump_flag(sg_buf *out, const char *name, bool flag)
{
    if (flag) {
        sg_buf_printf(out, " %s", name);
    }
}

void sg_dump_number(sg_buf *out, const char *name, int64_t number)
{
    if (number != 0) {
        sg_buf_printf(out, " %s %" PRId64, name, number);
    }
}

static void dump_constant(sg_buf *out, int64_t number, const sg_constant *constant, int lanes)
{
    sg_buf_printf(out, "    c%" PRId64 " = %s", number,
                  constant->kind == SG_CONSTANT_MASK ? "mask" : "index");
    for (int lane = 0; lane < lanes; ++lane) {
        sg_buf_printf(out, "%c%d", lane > 0 ? ',' : ' ', constant->lanes[lane]);
    }
    sg_dump_flag(out, "wide", constant->wide);
    sg_buf_printf(out, " of %s\n", sg_opcode_get(constant->op)->name);
}

void sg_dump_ref(sg_buf *out, const char *name, const sg_ref *ref)
{
    sg_buf_printf(out, " %s", name);
    if (ref->part != SG_WHOLE) {
        sg_buf_printf(out, "%" PRId64, ref->part);
    }
    sg_buf_printf(out, "+%" PRId64, ref->at);
}

void sg_dump_run(sg_buf *out, const sg_insn *insn)
{
    sg_buf_printf(out, "%s %" PRId64 " ", sg_opcode_get(insn->op)->name, insn->bytes);
    sg_dump_ref(out, "out", &insn->to);
    sg_buf_addz(out, " <-");
}

void sg_dump_insn_end(sg_buf *out, const sg_insn *insn)
{
    static const char *const copies[] = {"memcpy", "put", "short", "vectors", "run", "call"};
    sg_dump_number(out, "overrun", insn->overrun);
    if (insn->copy != SG_COPY_MEMCPY) {
        sg_buf_printf(out, " by %s", copies[insn->copy]);
    }
    sg_dump_flag(out, "whole_lines", insn->lines);
    sg_dump_flag(out, "ragged", insn->ragged);
    sg_dump_flag(out, "combines", insn->combines);
    sg_buf_addc(out, '\n');
}

/* What an instruction loads or stores is one whole vector unless `bytes` is printed. */
static void dump_step(sg_buf *out, const sg_insn *insn)
{
    sg_dump_number(out, "step", insn->step);
    if (insn->step > 0 || insn->op == SG_INSN_INTERLEAVED) {
        sg_dump_number(out, "bytes", insn->bytes);
    }
}

static void dump_source(sg_buf *out, const sg_insn *insn)
{
    sg_dump_ref(out, "in", &insn->from);
    dump_step(out, insn);
}

static void dump_insn(sg_buf *out, const sg_insn *insn)
{
    const sg_opcode_info *op = sg_opcode_get(insn->op);
    const int reads[] = {insn->a, insn->b};
    sg_buf_addz(out, "    ");
    switch (op->does) {
    case SG_DOES_LOAD:
    case SG_DOES_ALU:
        sg_buf_printf(out, "r%d = %s", insn->reg, op->name);
        break;
    case SG_DOES_PREFETCH:
        sg_buf_addz(out, op->name);
        break;
    case SG_DOES_RUN:
        sg_dump_run(out, insn);
        break;
    case SG_DOES_STORE:
        sg_buf_addz(out, op->name);
        sg_dump_ref(out, "out", &insn->to);
        dump_step(out, insn);
        break;
    }
    if (op->does == SG_DOES_PREFETCH && insn->from.part != SG_WHOLE) {
        sg_dump_ref(out, "out", &insn->from);
    } else if (op->reads == 0) {
        dump_source(out, insn);
    }
    for (int k = 0; k < op->reads; ++k) {
        sg_buf_printf(out, " r%d", reads[k]);
    }
    if (op->constant != SG_CONSTANT_NONE) {
        sg_buf_printf(out, " c%" PRId64, insn->constant);
    }
    sg_dump_insn_end(out, insn);
}

void sg_dump_folds(sg_buf *out, const sg_fold *folds, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        const sg_fold *fold = &folds[i];
        sg_buf_printf(out,
                      "      fold first %" PRId64 " count %" PRId64 " times %" PRId64
                      " rows %" PRId64 "\n",
                      fold->first, fold->count, fold->times, fold->rows);
    }
}

void sg_dump_code(sg_buf *out, const sg_code *code, int lanes)
{
    for (int64_t c = 0; c < code->nconstants; ++c) {
        dump_constant(out, c, &code->constants[c], lanes);
    }
    for (int64_t i = 0; i < code->ninsns; ++i) {
        dump_insn(out, &code->insns[i]);
    }
    sg_dump_folds(out, code->folds, code->nfolds);
}

void sg_dump_predictions(sg_buf *out, const sg_prediction on[SG_UARCH_COUNT])
{
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        const sg_prediction *prediction = &on[u];
        if (prediction->cycles > 0) {
            sg_buf_printf(out, "    on %s cycles %.2f all %.2f bound %s\n",
                          sg_uarch_name((sg_uarch)u), prediction->cycles, prediction->all,
                          sg_port_name(prediction->bound));
        }
    }
}
