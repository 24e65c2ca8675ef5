/* names: which C identifiers may be symbols, and how the name of a tensor becomes a parameter. */
#ifndef SG_SPLIT_NAMES_H
#define SG_SPLIT_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* Maximum bytes of a name and of any other word of an op, such as an element type. Compilers accept
 * lines and identifiers of 4095 (C11 5.2.4.1), and the helpers of a kernel append a word to its
 * name. */
#define SG_NAME_MAX 4000

/* NULL if the name can be a global symbol in C and C++, else why not ("is a C keyword", ...). */
const char *sg_name_problem(const char *name);

/* The same for a parameter, which may hide functions and variables of headers, but not macros. */
const char *sg_name_param_problem(const char *name);

/* An identifier made from any text: bytes outside [A-Za-z0-9_] become '_', runs of '_' collapse,
 * leading ones are removed. A leading digit gets the prefix 'x', and a name with the prefix of the
 * runtime gets "x_"; keywords and reserved names get the suffix '_'. Never empty, and always
 * accepted by sg_name_problem. */
char *sg_name_from(sg_arena *arena, sg_str text);

/* The text if it can be the name of a parameter, else an identifier made from it. */
const char *sg_name_param_from(sg_arena *arena, const char *text);

/* The file's stem ("dir/qkv.spec.lua" -> "qkv_spec") as an identifier. */
char *sg_name_from_path(sg_arena *arena, const char *path);

#endif
