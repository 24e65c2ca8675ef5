/* Words and sizes that several rules need. */
#include "split/resolve_rules.h"

#include <assert.h>
#include <string.h>

#include "base/checked.h"

const char *sg_check_quote(const sg_check *check, const char *text)
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
    char *copy = sg_arena_printf(check->arena, "%.*s%s", (int)len, text, cut ? "..." : "");
    for (char *p = copy; *p != '\0'; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7f) {
            *p = '?';
        }
    }
    return copy;
}

const char *sg_check_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

const char *sg_check_part_word(const sg_check *check)
{
    return sg_op_part_word(check->op->kind);
}

const char *sg_check_operator(const sg_check *check)
{
    return sg_op_joins(check->op->kind) ? "Concat" : "Split";
}

int64_t sg_check_product(int64_t a, int64_t b)
{
    int64_t result = 0;
    bool fits = sg_mul64(a, b, &result);
    assert(fits);
    (void)fits;
    return result;
}
