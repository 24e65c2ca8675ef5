# prefix(<variable> <folder> <command>...): has a compiler, called by this command with its flags, read prefix.h once
# into a folder, and sets the variable to the flags that use what it has read. The command says the same -std, -O, -D
# and -m as those that use it. Worth it from three files on.
function(prefix variable folder)
    file(MAKE_DIRECTORY "${folder}")
    file(COPY "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/prefix.h" DESTINATION "${folder}")
    execute_process(COMMAND ${ARGN} -x c-header "${folder}/prefix.h" -o "${folder}/prefix.h.gch"
                    COMMAND_ERROR_IS_FATAL ANY)
    set(${variable} -Winvalid-pch -include "${folder}/prefix.h" PARENT_SCOPE)
endfunction()
