/* The one-line notation:  [name:] dtype[dims][/stride] [@axis] -> parts  { ; ... }
 *
 *   qkv: f32[1,1024,2304] @2 -> q:768 k:768 v:*     named parts, * = what remains
 *   f32[8,6144] @-1 -> 4096,1024,1024               bare lengths
 *   rgb: u8[1080,1920,3] @2 -> /3                   three equal parts
 *   f16[576] -> kv:512 _:64                         _ = not wanted
 *   rgb: u8[1080,1920,3] @2 <- r:1 g:1 b:1          parts that are joined
 *   f32[197,2304]/4096 @1 -> q:768/1024 k:768 v:*   rows so many elements apart
 *
 * Lexer by hand, grammar by lemon. */
#ifndef SG_FRONTEND_NOTATION_NOTATION_H
#define SG_FRONTEND_NOTATION_NOTATION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/source.h"
#include "split/op.h"

/* Parses bytes [begin, end) of source and appends its ops. Unnamed ops get default_name when
 * the text holds one op, default_name_1, default_name_2 ... (by position) when it holds several.
 * Stops at the first syntax error. False: reported. */
bool sg_notation_parse(sg_arena *arena, sg_diag *diag, const sg_source *source, size_t begin,
                       size_t end, const char *default_name, sg_op_array *ops) SG_CHECK;

#endif
