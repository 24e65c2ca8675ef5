/* What Lua calls the texts it was given, read back out of places and messages. */
#include <stdlib.h>
#include <string.h>

#include "lua/lua_library.h"

int sg_lua_chunk_number(const char *source, const char *head)
{
    const size_t len = strlen(head);
    return source[0] == '=' && strncmp(source + 1, head, len) == 0
               ? (int)strtol(source + 1 + len, NULL, 10)
               : -1;
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
