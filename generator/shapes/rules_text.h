/* The built-in rules as text, to be printed. */
#ifndef SG_FRONTEND_GRAPH_RULES_TEXT_H
#define SG_FRONTEND_GRAPH_RULES_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* The text, name and length of file i; NULL after the last file. */
const char *sg_graph_rules_text(int64_t i, const char **name, size_t *len);

#endif
