/* The provenance that generated text contains: the command that reproduces it, and the SHA-256 of
 * each file read. The same input gives the same words in every folder. */
#ifndef SG_DRIVER_PROVENANCE_H
#define SG_DRIVER_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/inputs.h"
#include "driver/options.h"

/* The words of the command, quoted for a shell, to be run in a folder that has the files read under
 * their names: the options that affect the text in the order of options.inc, then the inputs.
 * Options with their default value, and -D that nothing read, are left out. Returns their
 * number. */
int64_t sg_provenance_command(sg_arena *arena, const sg_options *options, const sg_inputs *inputs,
                              const char *const **words);

/* Computes the SHA-256 of each file that has none yet, such as weights, which were read in parts.
 * False: reported. */
bool sg_provenance_digests(sg_arena *arena, sg_diag *diag, const sg_options *options,
                           sg_file_list *files) SG_CHECK;

#endif
