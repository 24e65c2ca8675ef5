/* Texts about the command line itself, made from options.inc: help, manual page, completions. */
#ifndef SG_DRIVER_USAGE_H
#define SG_DRIVER_USAGE_H

#include "base/text.h"
#include "driver/options.h"

void sg_usage_short(sg_buf *out);             /* two lines, for a command line without inputs */
void sg_usage_help(sg_buf *out);              /* --help */
void sg_usage_types(sg_buf *out);             /* --help=types */
void sg_usage_json(sg_buf *out);              /* --help=json */
void sg_usage_version(sg_buf *out);           /* --version */
void sg_usage_man(sg_buf *out, sg_page page); /* --man: mdoc */
void sg_usage_lua_api(sg_buf *out);           /* --print-lua-api */

/* --completion: a script for the shell to source. */
void sg_usage_completion(sg_buf *out, sg_shell shell);

#endif
