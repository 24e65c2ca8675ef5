/* Parts of lines, and lines, of the dumps. */
#include "plan/tell/dump_parts.h"

#include <inttypes.h>

const char *sg_port_name(sg_port port)
{
    static const char *const names[] = {
        "loads",      "stores", "vector instructions", "shuffles", "instructions of all kinds",
        "blend masks"};
    return names[port];
}

const char *sg_opcode_name(sg_opcode op)
{
    static const char *const names[] = {"move",        "copy",     "call",     "load",
                                        "interleaved", "permute",  "permute2", "blend",
                                        "store",       "prefetch", "lines"};
    return names[op];
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

void sg_dump_constant(sg_buf *out, int64_t number, const sg_constant *constant, int lanes,
                      bool kept)
{
    sg_buf_printf(out, "    c%" PRId64 " = %s", number,
                  constant->kind == SG_CONSTANT_MASK ? "mask" : "index");
    for (int lane = 0; lane < lanes; ++lane) {
        sg_buf_printf(out, "%c%d", lane > 0 ? ',' : ' ', constant->lanes[lane]);
    }
    sg_dump_flag(out, "wide", constant->wide);
    sg_dump_flag(out, "kept", kept);
    if (constant->op != SG_INSN_MOVE) {
        sg_buf_printf(out, " of %s", sg_opcode_name(constant->op));
    }
    sg_buf_addc(out, '\n');
}

void sg_dump_predictions(sg_buf *out, const sg_prediction on[SG_UARCH_COUNT])
{
    for (int u = 0; u < SG_UARCH_COUNT; ++u) {
        const sg_prediction *prediction = &on[u];
        if (prediction->cycles > 0) {
            sg_buf_printf(out, "    on %s cycles %.2f last %.2f all %.2f bound %s\n",
                          sg_uarch_name((sg_uarch)u), prediction->cycles, prediction->last,
                          prediction->all, sg_port_name(prediction->bound));
        }
    }
}
