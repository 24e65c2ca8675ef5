# Runs test_verify.py in a virtual environment with the packages that verify compares with, and mypy. Variables:
# SPLITGEN SOURCE_DIR PYTHON CC WORK
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/venv.cmake")
venv(numpy onnx onnxruntime openvino mypy typing_extensions)
if(skipped)
    return()
endif()
execute_process(COMMAND "${python}" "${CMAKE_CURRENT_LIST_DIR}/test_verify.py" "${SPLITGEN}" "${SOURCE_DIR}"
                        "${WORK}/test" "${CC}" RESULT_VARIABLE result)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "test_verify.py failed (${result})")
endif()
