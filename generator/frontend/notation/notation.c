/* The entry point of the notation: runs the parser, and names ops that have no name. */
#include "frontend/notation/notation.h"

#include <inttypes.h>

#include "frontend/notation/notation_build.h"

bool sg_notation_parse(sg_arena *arena, sg_diag *diag, const sg_source *source, size_t begin,
                       size_t end, const char *default_name, sg_op_array *ops)
{
    sg_notation_context cx = {.arena = arena, .diag = diag, .ops = ops};
    int64_t before = ops->count;
    const char *rule = sg_diag_set_rule(diag, "notation");
    sg_notation_lexer_init(&cx.lexer, diag, source, begin, end);
    bool ok = sg_notation_run(&cx);
    sg_diag_set_rule(diag, rule);
    if (!ok) {
        ops->count = before;
        return false;
    }
    int64_t count = ops->count - before;
    for (int64_t i = 0; i < count; i++) {
        ops->items[before + i]->default_name =
            count == 1 ? sg_arena_strdup(arena, default_name)
                       : sg_arena_printf(arena, "%s_%" PRId64, default_name, i + 1);
    }
    return true;
}
