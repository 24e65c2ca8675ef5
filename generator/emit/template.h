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
 * text, value, text, value, ..., text. False: a '${' is not closed; reported. */
bool sg_template_compile(sg_diag *diag, const sg_source *source, sg_buf *lua) SG_CHECK;

#endif
