# Puts examples/playground together without the tool in WebAssembly and runs attacks.js, a test of it, in node.
foreach(need "PYTHON python3 python3" "NODE node nodejs")
    separate_arguments(need)
    list(GET need 0 variable)
    if(NOT ${variable})
        list(GET need 1 program)
        list(GET need 2 package)
        message("SKIPPED: no ${program}: apt-get install ${package}")
        return()
    endif()
endforeach()
execute_process(COMMAND "${PYTHON}" -B "${SOURCE_DIR}/tests/page/write_page.py" "${SOURCE_DIR}" "${WORK}/page"
                COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${NODE}" "${SOURCE_DIR}/tests/page/attacks.js" "${WORK}/page" "${SPLITGEN}" "${WORK}"
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "attacks.js fails")
endif()
