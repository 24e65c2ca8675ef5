/* What the dumps of whole bytes and of packed elements print alike. */
#ifndef SG_PLAN_TELL_DUMP_PARTS_H
#define SG_PLAN_TELL_DUMP_PARTS_H

#include "base/text.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

const char *sg_port_name(sg_port port); /* "loads", "stores", ... */

/* " NAME" where it is true, " NAME N" unless it is 0. */
void sg_dump_flag(sg_buf *out, const char *name, bool flag);
void sg_dump_number(sg_buf *out, const char *name, int64_t number);

/* "copy 8  out0+0 <-" of a run. */
void sg_dump_ref(sg_buf *out, const char *name, const sg_ref *ref);
void sg_dump_run(sg_buf *out, const sg_insn *insn);

/* How a run is copied, what else goes by flags, and the line's end. */
void sg_dump_insn_end(sg_buf *out, const sg_insn *insn);

/* What of straight-line code C says once, a line each. */
void sg_dump_folds(sg_buf *out, const sg_fold *folds, int64_t count);

/* The constants and instructions of a body, a line each; bits: of one over bits. */
void sg_dump_code(sg_buf *out, const sg_code *code, int lanes, bool bits);

/* A line for each machine of which something is predicted. */
void sg_dump_predictions(sg_buf *out, const sg_prediction on[SG_UARCH_COUNT]);

#endif
