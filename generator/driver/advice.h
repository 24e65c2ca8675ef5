/* advice: suggestions for words that other tools use for the same option or value. Reports nothing;
 * callers add them to their messages. */
#ifndef SG_DRIVER_ADVICE_H
#define SG_DRIVER_ADVICE_H

#include "base/arena.h"
#include "base/text.h"
#include "driver/option_values.h"

/* "write '-o out.c'", for an option as typed, alone or with "=VALUE"; `next` is the next argument,
 * or NULL. NULL: the option is not in the table. */
const char *sg_advice_option(sg_arena *arena, const char *typed, const char *next);

/* "did you mean 'py'?", for a value of an option with choices; NULL: nothing is similar. */
const char *sg_advice_value(sg_arena *arena, sg_option_id id, sg_str typed);

/* The syntax of the values of a list option. */
const char *sg_advice_list(sg_arena *arena, sg_option_id id);

/* "did you mean 'qkv.lua'?", for an input that does not exist; NULL: no suggestion. */
const char *sg_advice_input(sg_arena *arena, const sg_options *options, const sg_input *input);

#endif
