/* What rules say in the same words. */
#include "split/resolve_rules.h"

#include <string.h>

const char *sg_judge_quote(const sg_judge *judge, const char *text)
{
    enum { limit = 60 };
    size_t len = strlen(text);
    bool cut = len > limit;
    if (cut) {
        len = limit;
        while (len > 0 && ((unsigned char)text[len] & 0xc0U) == 0x80U) {
            len--; /* not in the middle of a UTF-8 sequence */
        }
    }
    char *copy = sg_arena_printf(judge->arena, "%.*s%s", (int)len, text, cut ? "..." : "");
    for (char *p = copy; *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            *p = '?';
        }
    }
    return copy;
}

const char *sg_judge_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

const char *sg_judge_part_word(const sg_judge *judge)
{
    return sg_op_part_word(judge->op->kind);
}

const char *sg_judge_operator(const sg_judge *judge)
{
    return sg_op_joins(judge->op->kind) ? "Concat" : "Split";
}
