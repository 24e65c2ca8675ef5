/* The chunk names under which texts are loaded, and parsing them in positions and messages; the
 * reserved words of Lua. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/lua_library.h"
#include "lua/lua_meter.h"

int sg_lua_chunk_load(lua_State *L, sg_str text, const char *head, int number, size_t *line)
{
    char name[24];
    snprintf(name, sizeof name, "=%.8s%d", head, number);
    return sg_meter_load(L, text, name, line);
}

int sg_lua_chunk_number(const char *source, const char *head)
{
    const size_t len = strlen(head);
    return source[0] == '=' && strncmp(source + 1, head, len) == 0
               ? (int)strtol(source + 1 + len, NULL, 10)
               : -1;
}

int sg_lua_chunk_running(lua_State *L, const char *head, int *level, size_t *line)
{
    lua_Debug ar;
    while (*level < SG_LUA_LEVELS && lua_getstack(L, (*level)++, &ar) != 0) {
        lua_getinfo(L, "Sl", &ar);
        const int chunk = sg_lua_chunk_number(ar.source, head);
        if (chunk >= 0) {
            *line = ar.currentline > 0 ? (size_t)ar.currentline : 0;
            return chunk;
        }
    }
    return -1;
}

const char *sg_lua_chunk_message(const char *message, const char *head, size_t *line)
{
    const size_t len = strlen(head);
    if (strncmp(message, head, len) != 0) {
        return message;
    }
    const char *colon = message + len + strspn(message + len, "0123456789");
    const size_t digits = colon[0] == ':' ? strspn(colon + 1, "0123456789") : 0;
    if (digits == 0 || strncmp(colon + 1 + digits, ": ", 2) != 0) {
        return message;
    }
    *line = (size_t)strtoul(colon + 1, NULL, 10);
    return colon + 1 + digits + 2;
}

bool sg_lua_is_keyword(sg_str word)
{
    static const char *const words[] = {"and",   "break", "do",       "else", "elseif", "end",
                                        "false", "for",   "function", "goto", "if",     "in",
                                        "local", "nil",   "not",      "or",   "repeat", "return",
                                        "then",  "true",  "until",    "while"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (sg_str_eqz(word, words[i])) {
            return true;
        }
    }
    return false;
}
