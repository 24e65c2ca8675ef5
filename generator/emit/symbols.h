/* Names in generated text that must not collide: parameters, static symbols, macros. Public symbols
 * (NAME, NAME_kernel) are chosen in split/, and names here avoid them. */
#ifndef SG_EMIT_SYMBOLS_H
#define SG_EMIT_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "split/nameset.h"

/* For each of count public symbols, the prefix P of its static helpers, normally the symbol itself.
 * No P_<word><digits>, with the words of sg_symbols_is_helper, is a public symbol or a helper of
 * another kernel. */
const char **sg_symbols_prefixes(sg_arena *arena, const char *const *symbols, int64_t count);

/* Whether `rest`, the text after P_, is a word of helpers ("run", "row0", "dims", ...). */
bool sg_symbols_is_helper(const char *rest);

/* The parameter name itself, or with '_' or '_' and a number appended if generated text or the set
 * uses it. Added to the set. */
const char *sg_symbols_param(sg_nameset *set, const char *wanted);

/* A C identifier as a name in the generated Python module, changed like a parameter if it is taken
 * there. Added to the set. The name of a kernel is global in the module, so it is no keyword, no
 * builtin and none of the module's own names; that of an output is a field, so it is only no
 * keyword. (Names that begin with '_' are the module's own, and no kernel's.) */
const char *sg_symbols_python_kernel(sg_nameset *set, const char *wanted);
const char *sg_symbols_python_output(sg_nameset *set, const char *wanted);

/* "QKV_Q" from "qkv" and "q": the prefix of the macros of one tensor. A number is appended if a
 * macro would be defined twice. Added to the set. */
const char *sg_symbols_macro(sg_nameset *set, const char *symbol, const char *tensor);

/* The text with every letter in upper case, ASCII only. */
char *sg_symbols_upper(sg_arena *arena, const char *text);

#endif
