# Breaks kernels and templates and checks that each fault is found. Run with `cmake -P`. Variables: SPLITGEN SOURCE_DIR
# WORK PYTHON VENV CC SEED. VENV is a virtual environment for ziglang (support/venv.cmake), which finds faults that no
# run shows.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/venv.cmake")
venv("ziglang>=0.17,<0.18")
if(skipped)
    return()
endif()
execute_process(COMMAND "${PYTHON}" -B "${CMAKE_CURRENT_LIST_DIR}/mutants.py" "${SPLITGEN}" "${SOURCE_DIR}" "${WORK}"
                        --cc "${CC}" --python "${python}" --seed "${SEED}"
                COMMAND_ERROR_IS_FATAL ANY)
