/* UTF-8: strict decoding, and the number of terminal columns of a character. */
#ifndef SG_BASE_UTF8_H
#define SG_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence at s (n bytes are available) and its character in *out; 0 if
 * no sequence begins there, including overlong forms, surrogates and values above U+10FFFF. */
size_t sg_utf8_decode(const char *s, size_t n, uint32_t *out);

/* Columns on a terminal: 2 for East Asian wide characters and emoji, 0 for combining marks, -1 for
 * characters that must not reach a terminal unescaped: controls, separators, bidirectional
 * overrides, and other invisible ones. */
int sg_utf8_width(uint32_t c);

#endif
