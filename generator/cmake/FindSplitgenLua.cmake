# Lua 5.4 as the target splitgen_lua, linked statically if the system has the archive, so that the installed tool needs
# no shared Lua.
#
#   SPLITGEN_LUA_INCLUDE_DIR   the folder of lua.h            } found, or given with -D by the user
#   SPLITGEN_LUA_LIBRARY       the archive or shared library  }
include("${CMAKE_CURRENT_LIST_DIR}/SplitgenFindLibrary.cmake")

find_path(SPLITGEN_LUA_INCLUDE_DIR lua.h PATH_SUFFIXES lua5.4 lua54 lua-5.4 lua
          DOC "The folder of Lua 5.4's lua.h")
# Without NAMES_PER_DIR: an archive in any folder comes before a shared library in another.
find_library(SPLITGEN_LUA_LIBRARY
             NAMES liblua5.4.a liblua54.a liblua-5.4.a lua5.4 lua54 lua-5.4 liblua.a lua
             ${splitgen_library_hints}
             DOC "Lua 5.4, as an archive or a shared library")
mark_as_advanced(SPLITGEN_LUA_INCLUDE_DIR SPLITGEN_LUA_LIBRARY)

splitgen_missing(lua_reason "Lua 5.4" liblua5.4-dev SPLITGEN_LUA)
set(SplitgenLua_VERSION "")
set(SplitgenLua_IS_5_4 OFF)
if(SPLITGEN_LUA_INCLUDE_DIR AND EXISTS "${SPLITGEN_LUA_INCLUDE_DIR}/lua.h")
    file(STRINGS "${SPLITGEN_LUA_INCLUDE_DIR}/lua.h" lua_lines
         REGEX "^#define[ \t]+LUA_VERSION_(MAJOR|MINOR)[ \t]+\"")
    string(REGEX MATCHALL "\"[0-9]+\"" lua_numbers "${lua_lines}")
    string(REPLACE "\"" "" lua_numbers "${lua_numbers}")
    list(JOIN lua_numbers "." SplitgenLua_VERSION)
    if(SplitgenLua_VERSION STREQUAL "5.4")
        set(SplitgenLua_IS_5_4 ON)
    else()
        string(CONCAT lua_reason "'${SPLITGEN_LUA_INCLUDE_DIR}/lua.h' is Lua "
               "'${SplitgenLua_VERSION}', but splitgen needs 5.4. Set SPLITGEN_LUA_INCLUDE_DIR and "
               "SPLITGEN_LUA_LIBRARY, or install it with: sudo apt-get install liblua5.4-dev")
    endif()
endif()

find_package_handle_standard_args(SplitgenLua
    REQUIRED_VARS SPLITGEN_LUA_LIBRARY SPLITGEN_LUA_INCLUDE_DIR SplitgenLua_IS_5_4
    VERSION_VAR SplitgenLua_VERSION
    REASON_FAILURE_MESSAGE "${lua_reason}")

if(SplitgenLua_FOUND AND NOT TARGET splitgen_lua)
    add_library(splitgen_lua INTERFACE)
    target_include_directories(splitgen_lua SYSTEM INTERFACE "${SPLITGEN_LUA_INCLUDE_DIR}")
    target_link_libraries(splitgen_lua INTERFACE "${SPLITGEN_LUA_LIBRARY}" m ${CMAKE_DL_LIBS})
endif()
