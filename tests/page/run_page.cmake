# Builds examples/playground into WORK/page and opens it in headless Chromium, see browse_page.py.
foreach(need "emcc emscripten" "chromium chromium" "chromedriver chromium-driver" "apt-get apt" "dpkg-source dpkg-dev")
    separate_arguments(need)
    list(GET need 0 program)
    list(GET need 1 package)
    find_program(found_${program} ${program})
    if(NOT found_${program})
        message("SKIPPED: no ${program}: apt-get install ${package}")
        return()
    endif()
endforeach()
if(NOT PYTHON)
    message("SKIPPED: no python3")
    return()
endif()

execute_process(COMMAND "${PYTHON}" "${SOURCE_DIR}/examples/playground/build_page.py" --out "${WORK}/page" --work "${WORK}/zig"
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the page does not build")
endif()
execute_process(COMMAND "${PYTHON}" "${SOURCE_DIR}/tests/page/browse_page.py" "${SPLITGEN}" "${SOURCE_DIR}" "${WORK}/page" "${WORK}/run"
                        "${found_chromedriver}" "${found_chromium}"
                RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "the page does not do what the tool does")
endif()
