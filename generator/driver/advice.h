/* What to write in place of what other tools call it. Reports nothing: callers put it into their
 * messages. */
#ifndef SG_DRIVER_ADVICE_H
#define SG_DRIVER_ADVICE_H

#include "base/arena.h"
#include "base/text.h"
#include "driver/option_values.h"

/* "write '-o out.c'", for an option as it was typed, alone or with "=VALUE"; `next` is the argument
 * behind it, or NULL. NULL: nobody is known to call an option so. */
const char *sg_advice_option(sg_arena *arena, const char *typed, const char *next);

/* "did you mean 'py'?", for a value of an option with choices; NULL: there is nothing near it. */
const char *sg_advice_value(sg_arena *arena, sg_option_id id, sg_str typed);

/* How values of an option that takes a list stand in it. */
const char *sg_advice_list(sg_arena *arena, sg_option_id id);

/* "did you mean 'qkv.lua'?", for an input of these options that is not there; NULL: nothing is
 * known. */
const char *sg_advice_input(sg_arena *arena, const sg_options *options, const sg_input *input);

#endif
