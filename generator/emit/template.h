/* The template language: turns template text into Lua source, line for line, so that a line
 * number in Lua is a line number in the template. Runs nothing.
 *
 *   1. A line whose first non-blank character is '$' followed by a space or the end of the line
 *      is Lua.
 *   2. Elsewhere ${expr} stands for the value of a Lua expression: a string or an integer.
 *   3. $$ is a dollar sign. Everything else is copied as it stands. */
#ifndef SG_EMIT_TEMPLATE_H
#define SG_EMIT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/text.h"

/* Appends the Lua chunk to lua. The chunk takes one argument, a function that is called once per
 * text line with text, value, text, value, ..., text. False: a '${' is not closed or empty,
 * reported with the exit code given. */
bool sg_template_compile(sg_diag *diag, sg_exit exit, const sg_source *source,
                         sg_buf *lua) SG_CHECK;

/* The next ${expr} of a 1-based line from offset *at on, which moves behind it: span receives the
 * place, braces included, text the expression. False: there is none. */
bool sg_template_next_expr(const sg_source *source, size_t line, size_t *at, sg_str *text,
                           sg_span *span);

#endif
