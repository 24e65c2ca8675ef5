/* Texts about the command line itself, made from options.inc: help, manual page, completions. */
#ifndef SG_DRIVER_USAGE_H
#define SG_DRIVER_USAGE_H

#include "base/text.h"
#include "driver/options.h"

void sg_usage_short(sg_buf *out);   /* two lines, for a command line without inputs */
void sg_usage_help(sg_buf *out);    /* --help */
void sg_usage_types(sg_buf *out);   /* --help=types */
void sg_usage_json(sg_buf *out);    /* --help=json */
void sg_usage_version(sg_buf *out); /* --version */
void sg_usage_man(sg_buf *out);     /* --print=man: mdoc */
void sg_usage_lua_api(sg_buf *out); /* --print=lua-api */

/* --print=bash, zsh or fish: completions, for the shell to source. */
void sg_usage_bash(sg_buf *out);
void sg_usage_zsh(sg_buf *out);
void sg_usage_fish(sg_buf *out);

#endif
