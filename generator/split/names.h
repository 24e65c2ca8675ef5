/* C identifiers: what may be a symbol, and how a tensor's name becomes a parameter. */
#ifndef SG_SPLIT_NAMES_H
#define SG_SPLIT_NAMES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

/* Bytes that a name may have, and any other word of an op, such as an element type. Compilers take
 * identifiers of 4095 (C11 5.2.4.1, lines), and helpers of a kernel put a word behind its name. */
#define SG_NAME_MAX 4000

/* NULL when name may be a global symbol in C and C++, else why not ("is a C keyword", ...). */
const char *sg_name_problem(const char *name);

/* The same for a parameter, which may hide functions and variables of headers, but no macro. */
const char *sg_name_param_problem(const char *name);

/* An identifier made from any text: bytes outside [A-Za-z0-9_] become '_', runs of '_' collapse,
 * leading ones go. A leading digit gets an 'x' in front, the runtime's prefix an "x_"; keywords and
 * reserved names get a '_' behind. Never empty, and sg_name_problem has nothing against it. */
char *sg_name_from(sg_arena *arena, sg_str text);

/* A text as the name of a parameter: itself where it may be one. */
const char *sg_name_param_from(sg_arena *arena, const char *text);

/* The file's stem ("dir/qkv.spec.lua" -> "qkv_spec") as an identifier. */
char *sg_name_from_path(sg_arena *arena, const char *path);

#endif
