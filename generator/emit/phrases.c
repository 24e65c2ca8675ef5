/* Combines words and numbers into text for templates. */
#include "emit/phrases.h"

#include <inttypes.h>
#include <lauxlib.h>
#include <stdio.h>

#include "emit/push.h"
#include "emit/sandbox.h"

static void join_integers(const int64_t *values, int64_t count, sg_str between, sg_buf *out)
{
    for (int64_t i = 0; i < count; ++i) {
        char digits[24];
        const int len = snprintf(digits, sizeof digits, "%" PRId64, values[i]);
        sg_buf_add(out, between.ptr, i > 0 ? between.len : 0);
        sg_buf_add(out, digits, (size_t)len);
    }
}

/* Adds the item on top of the stack. False: it is nil, which ends a list. */
static bool add_item(lua_State *L, sg_buf *out)
{
    if (lua_isnil(L, -1)) {
        return false;
    }
    size_t len = 0;
    const char *text = sg_sandbox_text(L, -1, &len);
    sg_buf_add(out, text, len);
    lua_pop(L, 1);
    return true;
}

int sg_phrases_join(lua_State *L)
{
    sg_buf *out = &sg_sandbox_of(L)->scratch;
    sg_str between = {0};
    between.ptr = luaL_optlstring(L, 2, ", ", &between.len);
    out->len = 0;
    int64_t count = 0;
    const int64_t *values = sg_push_integers_of(L, 1, &count);
    if (values != NULL) {
        join_integers(values, count, between, out);
    } else {
        for (lua_Integer i = 1;; ++i) {
            const size_t before = out->len;
            sg_buf_add(out, between.ptr, i > 1 ? between.len : 0);
            lua_geti(L, 1, i);
            if (!add_item(L, out)) {
                out->len = before;
                break;
            }
            lua_pop(L, 1);
        }
    }
    lua_pushlstring(L, out->ptr != NULL ? out->ptr : "", out->len);
    return 1;
}

/* The next word of a text from *at on; empty at the end. */
static sg_str next_word(sg_str text, size_t *at)
{
    while (*at < text.len && sg_is_space((unsigned char)text.ptr[*at])) {
        ++*at;
    }
    const size_t begin = *at;
    while (*at < text.len && !sg_is_space((unsigned char)text.ptr[*at])) {
        ++*at;
    }
    return (sg_str){text.ptr + begin, *at - begin};
}

/* Appends a line to the list on top of the stack. */
static void add_line(lua_State *L, const sg_buf *line, lua_Integer number)
{
    lua_pushlstring(L, line->ptr != NULL ? line->ptr : "", line->len);
    lua_seti(L, -2, number);
}

int sg_phrases_wrap(lua_State *L)
{
    sg_str text = {0};
    text.ptr = luaL_checklstring(L, 1, &text.len);
    const lua_Integer width = luaL_checkinteger(L, 2);
    sg_buf *line = &sg_sandbox_of(L)->scratch;
    line->len = 0;
    lua_newtable(L);
    lua_Integer lines = 0;
    size_t at = 0;
    for (sg_str word = next_word(text, &at); word.len > 0; word = next_word(text, &at)) {
        if (line->len > 0 && (lua_Integer)(line->len + 1 + word.len) > width) {
            add_line(L, line, ++lines);
            line->len = 0;
        }
        sg_buf_add(line, " ", line->len > 0 ? 1 : 0);
        sg_buf_add(line, word.ptr, word.len);
    }
    add_line(L, line, lines + 1);
    return 1;
}
