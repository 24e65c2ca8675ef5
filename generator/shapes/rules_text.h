/* The built-in rules as text, for a reader. */
#ifndef SG_FRONTEND_GRAPH_RULES_TEXT_H
#define SG_FRONTEND_GRAPH_RULES_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* One file after the other; NULL behind the last. */
const char *sg_graph_rules_text(int64_t i, const char **name, size_t *len);

#endif
