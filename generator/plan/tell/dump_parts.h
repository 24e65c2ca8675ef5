/* What the dumps of whole bytes and of packed elements print alike. */
#ifndef SG_PLAN_TELL_DUMP_PARTS_H
#define SG_PLAN_TELL_DUMP_PARTS_H

#include "base/text.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

const char *sg_port_name(sg_port port);   /* "loads", "stores", ... */
const char *sg_opcode_name(sg_opcode op); /* "move", "copy", "call" */

/* " NAME" where it is true, " NAME N" unless it is 0. */
void sg_dump_flag(sg_buf *out, const char *name, bool flag);
void sg_dump_number(sg_buf *out, const char *name, int64_t number);

/* "    c0 = index 0,2,4" and a line's end. */
void sg_dump_constant(sg_buf *out, int64_t number, const sg_constant *constant, int lanes,
                      bool kept);

/* A line for each machine of which something is predicted. */
void sg_dump_predictions(sg_buf *out, const sg_prediction on[SG_UARCH_COUNT]);

#endif
