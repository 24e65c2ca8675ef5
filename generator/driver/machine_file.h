/* The file of --machine: the costs of instructions on a machine, as named numbers.
 *
 *     # a comment
 *     [AVX2LANE]     an instruction set of isa.inc
 *     all = 5.0      every number of cost.inc once, in any order */
#ifndef SG_DRIVER_MACHINE_FILE_H
#define SG_DRIVER_MACHINE_FILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "plan/machine/machine.h"

/* Reports all errors. */
bool sg_machine_file_parse(sg_arena *arena, sg_diag *diag, const sg_source *source,
                           sg_machine *machine) SG_CHECK;

#endif
