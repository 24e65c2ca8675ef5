/* advice: suggestions for wrong options, values and inputs. Reports nothing; callers add them to
 * their messages. */
#ifndef SG_DRIVER_ADVICE_H
#define SG_DRIVER_ADVICE_H

#include "base/arena.h"
#include "base/text.h"
#include "driver/option_values.h"

/* "write '-o FILE'", for an option or an input of another tool as typed, alone or with "=VALUE";
 * NULL: the table has no such word. */
const char *sg_advice_option(const char *typed);

/* "did you mean 'py'?", for a value of an option with choices; NULL: nothing is similar. */
const char *sg_advice_value(sg_arena *arena, sg_option_id id, sg_str typed);

/* The syntax of the values of a list option. */
const char *sg_advice_list(sg_arena *arena, sg_option_id id);

/* The order of the operands of --check, if its file is an input; NULL: it is not. */
const char *sg_advice_check(sg_arena *arena, const sg_options *options);

/* "did you mean 'qkv.lua'?", for an input that does not exist; NULL: no suggestion. */
const char *sg_advice_input(sg_arena *arena, const char *typed);

#endif
