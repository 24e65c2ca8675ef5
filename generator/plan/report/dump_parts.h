/* Parts of dumps for both whole bytes and packed elements. */
#ifndef SG_PLAN_TELL_DUMP_PARTS_H
#define SG_PLAN_TELL_DUMP_PARTS_H

#include "base/text.h"
#include "plan/machine/machine.h"
#include "plan/plan.h"

const char *sg_port_name(sg_port port); /* "loads", "stores", ... */

/* Appends " NAME" if the flag is set, " NAME N" unless the number is 0. */
void sg_dump_flag(sg_buf *out, const char *name, bool flag);
void sg_dump_number(sg_buf *out, const char *name, int64_t number);

/* Appends a place, as in "out0+0"; or a run, as in "copy 8  out0+0 <-". */
void sg_dump_ref(sg_buf *out, const char *name, const sg_ref *ref);
void sg_dump_run(sg_buf *out, const sg_insn *insn);

/* Appends how a run is copied, other flags, and the end of the line. */
void sg_dump_insn_end(sg_buf *out, const sg_insn *insn);

/* Appends a line for each fold of straight-line code. */
void sg_dump_folds(sg_buf *out, const sg_fold *folds, int64_t count);

/* Appends the constants and instructions of a code, a line each. */
void sg_dump_code(sg_buf *out, const sg_code *code, int lanes);

/* Appends a line for each machine with a prediction. */
void sg_dump_predictions(sg_buf *out, const sg_prediction on[SG_UARCH_COUNT]);

#endif
