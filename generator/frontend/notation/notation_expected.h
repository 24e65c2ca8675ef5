/* Words syntax errors of the notation. */
#ifndef SG_FRONTEND_NOTATION_NOTATION_EXPECTED_H
#define SG_FRONTEND_NOTATION_NOTATION_EXPECTED_H

#include <stdbool.h>

#include "frontend/notation/notation_build.h"

/* Reports a token that fits nowhere. expected[kind] tells what would have fitted, previous is the
 * token before it (END at the start). Always false. */
bool sg_notation_unexpected(sg_notation_context *cx, const sg_notation_token *token,
                            const sg_notation_token *previous,
                            const bool expected[SG_NOTATION_KINDS]);

#endif
