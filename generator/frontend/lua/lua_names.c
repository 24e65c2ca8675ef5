/* The globals that a spec has (from the Lua host and lua_vocabulary.c), and names of Lua that it
 * does not have. */
#include "frontend/lua/lua_names.h"

static const char *const names[] = {
    "split",    "concat",       "onnx",   "openvino", "param",  "free",         "require", "assert",
    "error",    "getmetatable", "ipairs", "math",     "next",   "pairs",        "pcall",   "print",
    "rawequal", "rawget",       "rawlen", "rawset",   "select", "setmetatable", "string",  "table",
    "tonumber", "tostring",     "type",   "utf8",     "xpcall", "_G",           "_VERSION"};

static const char *const removed[] = {
    "io",         "os",       "debug",  "package",        "load",
    "loadstring", "loadfile", "dofile", "collectgarbage", "coroutine",
    "warn",       "dump",     "random", "randomseed"};

size_t sg_lua_names(const char *const **out)
{
    *out = names;
    return sizeof names / sizeof names[0];
}

bool sg_lua_names_removed(sg_str name)
{
    for (size_t i = 0; i < sizeof removed / sizeof removed[0]; i++) {
        if (sg_str_eqz(name, removed[i])) {
            return true;
        }
    }
    return false;
}
