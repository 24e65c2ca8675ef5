/* How generated text was made, as it says itself: the command that makes it again, and the SHA-256
 * of each file read. The same input gives the same words in every folder. */
#ifndef SG_DRIVER_PROVENANCE_H
#define SG_DRIVER_PROVENANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "driver/inputs.h"
#include "driver/options.h"

/* The words of the command, quoted for a shell, to be run where the files read lie by their names:
 * the options that shape the text in the order of options.inc, then the inputs. Options that say
 * what holds without them, and -D that nothing read, are left out. Returns how many. */
int64_t sg_provenance_command(sg_arena *arena, const sg_options *options, const sg_inputs *inputs,
                              const char *const **words);

/* Works out the SHA-256 of each file where it is not known yet: of weights, which were read in
 * parts. False: reported. */
bool sg_provenance_digests(sg_arena *arena, sg_diag *diag, const sg_options *options,
                           sg_file_list *files) SG_CHECK;

#endif
