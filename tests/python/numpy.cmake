# The tests of the module and of the package with a NumPy from PyPI. Variables: SPLITGEN SOURCE_DIR PYTHON CC WORK NUMPY
# (the requirement for pip)
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/venv.cmake")
venv(--upgrade --only-binary=:all: "${NUMPY}" ml_dtypes) # an older NumPy has no wheels for the newest Python
if(skipped)
    return()
endif()
execute_process(COMMAND "${python}" -c "import numpy; print('NumPy', numpy.__version__)" COMMAND_ERROR_IS_FATAL ANY)
# Tests of the cache that load kernels again: only these depend on NumPy.
set(tests_of_api Compile Generate Errors Commands Cache.test_builds_are_found_again Cache.test_forked_children
                 Cache.test_home_that_cannot_be_written Cache.test_processes_at_once)
foreach(name module api)
    execute_process(COMMAND "${python}" "${CMAKE_CURRENT_LIST_DIR}/test_${name}.py" "${SPLITGEN}" "${SOURCE_DIR}"
                            "${WORK}/${name}" "${CC}" ${tests_of_${name}} RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "test_${name}.py failed (${result})")
    endif()
endforeach()
