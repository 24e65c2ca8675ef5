# splitgen_pytest(NAME <ctest's name> MODULE <file> [LABELS <label>...] [COST <cost>] [ARGS <argument of pytest>...]
#                 [VARIABLES <name>=<value>...] [PROPERTIES <name> <value>...]):
# one module of pytest, or one test of it (<file>::<test>), as one test of ctest. VARIABLES are testing.given, and "all" is
# 1 there for exhaustive counts. If all tests of the module are skipped, ctest says so; a module without tests fails.
# One Python for all of them: with NumPy if there is one, for the tests that call kernels.
function(splitgen_has_pytest result python)
    execute_process(COMMAND "${python}" -c "import pytest; assert int(pytest.__version__.split('.')[0]) >= 7; ${imports}"
                    RESULT_VARIABLE missing OUTPUT_QUIET ERROR_QUIET)
    if(missing)
        set(${result} FALSE PARENT_SCOPE)
    endif()
endfunction()
foreach(imports "import numpy" "")
    find_program(SPLITGEN_TEST_PYTEST NAMES python3 VALIDATOR splitgen_has_pytest)
endforeach()
mark_as_advanced(SPLITGEN_TEST_PYTEST)
if(NOT SPLITGEN_TEST_PYTEST)
    message(FATAL_ERROR "The tests need Python 3 with pytest 7 or later: sudo apt-get install python3-pytest. "
                        "To build without the tests: -DSPLITGEN_BUILD_TESTS=OFF")
endif()

function(splitgen_pytest)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;MODULE;COST" "LABELS;ARGS;VARIABLES;PROPERTIES")
    if(SPLITGEN_EXHAUSTIVE)
        list(APPEND arg_VARIABLES all=1)
    endif()
    list(TRANSFORM arg_VARIABLES PREPEND "--set=")
    add_test(NAME ${arg_NAME}
             COMMAND "${SPLITGEN_TEST_PYTEST}" -B -X utf8 -m pytest -c "${PROJECT_SOURCE_DIR}/tests/pytest.ini"
                     "${CMAKE_CURRENT_SOURCE_DIR}/${arg_MODULE}" # first: options with blanks would hide it
                     "--tool=$<TARGET_FILE:splitgen>" "--work=${CMAKE_CURRENT_BINARY_DIR}/${arg_NAME}"
                     "--set=cc=${CMAKE_C_COMPILER}" ${arg_VARIABLES} ${arg_ARGS})
    set_tests_properties(${arg_NAME} PROPERTIES LABELS "${arg_LABELS}"
                                                SKIP_RETURN_CODE 77 ${arg_PROPERTIES})
    if(arg_COST)
        set_tests_properties(${arg_NAME} PROPERTIES COST ${arg_COST})
    endif()
endfunction()
