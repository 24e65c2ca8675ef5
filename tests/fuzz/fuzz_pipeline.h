/* The steps of the fuzzers after the front end: check ops, plan them, prove the plans, and check
 * the contracts between the modules. Violated contracts abort. */
#ifndef SPLITGEN_FUZZ_PIPELINE_H
#define SPLITGEN_FUZZ_PIPELINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "split/op.h"

/* Name of the source given to the front-ends; its folder does not exist. */
#define FUZZ_FOLDER "no-such-folder/"

/* The entry point, in fuzz_spec.c, fuzz_notation.c or fuzz_ir.c; always 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* loaded: the result of the front end. */
void fuzz_pipeline(sg_arena *arena, sg_diag *diag, bool loaded, const sg_op_array *ops);

#endif
