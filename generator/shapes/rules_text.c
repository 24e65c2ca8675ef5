/* Access to the embedded text of the built-in rules. */
#include "shapes/rules_text.h"

#include "shapes/rules_builtin.h"

const char *sg_graph_rules_text(int64_t i, const char **name, size_t *len)
{
    if (i < 0 || (uint64_t)i >= sg_rules_builtin_count) {
        return NULL;
    }
    *name = sg_rules_builtins[i].name;
    *len = sg_rules_builtins[i].len;
    return (const char *)sg_rules_builtins[i].text;
}
