# Lua 5.4 as the target splitgen_lua, linked statically where the system has the archive, so that
# the installed tool needs no shared Lua.
include(FindPackageHandleStandardArgs)

find_path(SPLITGEN_LUA_INCLUDE_DIR lua.h PATH_SUFFIXES lua5.4 lua54 lua-5.4 lua)
find_library(SPLITGEN_LUA_LIBRARY NAMES liblua5.4.a liblua54.a liblua-5.4.a lua5.4 lua54 lua-5.4
                                        lua)
if(SPLITGEN_LUA_INCLUDE_DIR)
    file(STRINGS "${SPLITGEN_LUA_INCLUDE_DIR}/lua.h" lua_lines
         REGEX "^#define[ \t]+LUA_VERSION_(MAJOR|MINOR)[ \t]+\"")
    string(REGEX MATCHALL "\"[0-9]+\"" lua_numbers "${lua_lines}")
    string(REPLACE "\"" "" lua_numbers "${lua_numbers}")
    list(JOIN lua_numbers "." SplitgenLua_VERSION)
    if(NOT SplitgenLua_VERSION STREQUAL "5.4")
        set(SPLITGEN_LUA_INCLUDE_DIR SPLITGEN_LUA_INCLUDE_DIR-NOTFOUND)
    endif()
endif()

find_package_handle_standard_args(SplitgenLua
    REQUIRED_VARS SPLITGEN_LUA_LIBRARY SPLITGEN_LUA_INCLUDE_DIR
    VERSION_VAR SplitgenLua_VERSION
    REASON_FAILURE_MESSAGE "Lua 5.4 is missing: install it with: sudo apt-get install liblua5.4-dev")
mark_as_advanced(SPLITGEN_LUA_INCLUDE_DIR SPLITGEN_LUA_LIBRARY)

if(SplitgenLua_FOUND AND NOT TARGET splitgen_lua)
    add_library(splitgen_lua INTERFACE)
    target_include_directories(splitgen_lua SYSTEM INTERFACE "${SPLITGEN_LUA_INCLUDE_DIR}")
    target_link_libraries(splitgen_lua INTERFACE "${SPLITGEN_LUA_LIBRARY}" m ${CMAKE_DL_LIBS})
endif()
