/* UTF-8: strict decoding and how many terminal columns a character takes. Converts nothing. */
#ifndef SG_BASE_UTF8_H
#define SG_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the well-formed sequence at s (n bytes are there) with its character in *out, or 0
 * for a byte that does not begin one: overlong forms, surrogates and > U+10FFFF included. */
size_t sg_utf8_decode(const char *s, size_t n, uint32_t *out);

/* Columns on a terminal: 2 for East Asian wide and emoji, 0 for combining marks, -1 for what
 * must not reach a terminal as it is: controls, separators, bidirectional overrides, and all else
 * that nobody sees. */
int sg_utf8_width(uint32_t c);

#endif
