# cmake -DOUTPUT=out.c -DHEADER=texts.h -P texts.cmake NAME=FILE...
# Generates a C file that defines sg_text_NAME and its length for each text file. The texts are arrays of bytes, because
# C compilers limit the length of string literals.
set(code "/* Made by texts.cmake from text files; do not edit. */\n#include \"${HEADER}\"\n")
foreach(i RANGE 1 ${CMAKE_ARGC})
    if("${CMAKE_ARGV${i}}" MATCHES "^([a-z_]+)=(.+)$")
        set(name "${CMAKE_MATCH_1}")
        file(READ "${CMAKE_MATCH_2}" hex HEX)
        string(REGEX REPLACE "(..)" "\\1 " bytes "${hex}")
        if(bytes MATCHES "[89a-f][0-9a-f] ")
            message(FATAL_ERROR "${CMAKE_MATCH_0}in '${name}' is no ASCII character")
        endif()
        string(LENGTH "${hex}" digits)
        math(EXPR length "${digits} / 2")
        string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
        string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
        string(APPEND code "\nconst char sg_text_${name}[] = {\n${bytes}0};\n"
                           "const size_t sg_text_${name}_len = ${length};\n")
    endif()
endforeach()
file(WRITE "${OUTPUT}" "${code}")
