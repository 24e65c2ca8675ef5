/* Compiles the template language: template text becomes Lua source, line for line, so that a line
 * number in Lua is a line number in the template. Runs nothing.
 *
 *   1. A line whose first non-blank character is '$' followed by a space or the end of the line
 *      is Lua.
 *   2. Elsewhere ${expr} is replaced by the value of a Lua expression: a string or an integer.
 *   3. $$ is a dollar sign. Everything else is copied unchanged. */
#ifndef SG_EMIT_TEMPLATE_H
#define SG_EMIT_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/source.h"
#include "base/text.h"

/* Appends the Lua chunk to lua. Its argument is a function that is called once per text line with
 * text, value, text, value, ..., text. False: a '${' is empty or not closed; reported with this
 * exit code. */
bool sg_template_compile(sg_diag *diag, sg_exit exit, const sg_source *source,
                         sg_buf *lua) SG_CHECK;

/* The next ${expr} of a line (from 1) from offset *at on; *at moves past it. span receives the
 * place, with braces, and text the expression. False: there is none. */
bool sg_template_next_expr(const sg_source *source, size_t line, size_t *at, sg_str *text,
                           sg_span *span);

#endif
