# prefix(<variable> <folder> <command>...): precompiles prefix.h into a folder with this compiler command, and sets the
# variable to the flags that use the result. The command must have the same -std, -O, -D and -m flags as the later ones.
# Worthwhile from three files on.
function(prefix variable folder)
    file(MAKE_DIRECTORY "${folder}")
    file(COPY "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/prefix.h" DESTINATION "${folder}")
    execute_process(COMMAND ${ARGN} -x c-header "${folder}/prefix.h" -o "${folder}/prefix.h.gch"
                    COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} -Winvalid-pch -include "${folder}/prefix.h" PARENT_SCOPE)
endfunction()
