/* Makes a printed C file need no header and no library of splitgen's. */
#ifndef SG_STANDALONE_STANDALONE_H
#define SG_STANDALONE_STANDALONE_H

#include "base/arena.h"
#include "base/text.h"

/* Replaces each #include of splitgen's headers by what the text needs of that header and of those
 * that it includes, directly or not; the last one also by what it needs of the runtime's sources.
 * Everything becomes static. base: a C file that the text includes and that has its own; may be
 * NULL. */
void sg_standalone(sg_arena *arena, sg_buf *text, const sg_buf *base);

#endif
