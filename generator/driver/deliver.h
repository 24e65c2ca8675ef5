/* The last step: writes the finished texts, or with --check compares them with the existing
 * files. */
#ifndef SG_DRIVER_DELIVER_H
#define SG_DRIVER_DELIVER_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/text.h"
#include "driver/options.h"
#include "driver/targets.h"

/* texts: one for each target. files: every file read, for the dependency file. False: reported. */
bool sg_deliver(sg_arena *arena, sg_diag *diag, const sg_options *options,
                const sg_targets *targets, const sg_buf *texts, const sg_file_list *files) SG_CHECK;

/* Writes the text of an option that prints one text, `asked`, to -o's file or to standard output.
 * files: every file read. False: reported. */
bool sg_deliver_text(sg_arena *arena, sg_diag *diag, const sg_options *options, sg_option_id asked,
                     const sg_buf *text, const sg_file_list *files) SG_CHECK;

#endif
