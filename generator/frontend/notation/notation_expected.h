/* Messages for syntax errors of the notation. */
#ifndef SG_FRONTEND_NOTATION_NOTATION_EXPECTED_H
#define SG_FRONTEND_NOTATION_NOTATION_EXPECTED_H

#include <stdbool.h>

#include "frontend/notation/notation_build.h"

/* Reports an unexpected token. expected[kind]: whether a token of that kind would have been
 * accepted; previous: the token before it (END at the start). Always returns false. */
bool sg_notation_unexpected(sg_notation_context *cx, const sg_notation_token *token,
                            const sg_notation_token *previous,
                            const bool expected[SG_NOTATION_KINDS]);

#endif
