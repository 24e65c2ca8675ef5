/* Names in generated text that must not collide: parameters, static symbols, macros. Public
 * symbols (NAME, NAME_kernel) are the split's business; everything here gives way to them. */
#ifndef SG_EMIT_SYMBOLS_H
#define SG_EMIT_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "split/nameset.h"

/* For each of count public symbols the prefix P of its static helpers, normally the symbol itself.
 * No P_<word><digits>, with the words of sg_symbols_is_helper, is a public symbol or a helper of
 * another kernel. */
const char **sg_symbols_prefixes(sg_arena *arena, const char *const *symbols, int64_t count);

/* True for the words helpers are made of ("run", "row0", "dims", ...): what stands behind P_. */
bool sg_symbols_is_helper(const char *rest);

/* The parameter name itself, or the same with '_' or '_' and a number behind when generated text
 * uses that word or the set has it already; added to the set. */
const char *sg_symbols_param(sg_nameset *set, const char *wanted);

/* A C identifier as a name in the generated Python module, which gives way as a
 * parameter does where it is taken there; added to the set. A kernel's is seen by all of the
 * module, so it may be no keyword, nothing built in, and none of the module's own names; an
 * output's is a field, and only may be no keyword. (Names that begin with '_' are the module's own
 * too, and no kernel's.) */
const char *sg_symbols_python_kernel(sg_nameset *set, const char *wanted);
const char *sg_symbols_python_output(sg_nameset *set, const char *wanted);

/* "QKV_Q" from "qkv" and "q": the prefix of the constants of one tensor. A number is put behind
 * when one of the constants would be defined twice; added to the set. */
const char *sg_symbols_macro(sg_nameset *set, const char *symbol, const char *tensor);

/* The text with every letter in upper case, ASCII only. */
char *sg_symbols_upper(sg_arena *arena, const char *text);

#endif
