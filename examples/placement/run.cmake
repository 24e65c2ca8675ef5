# Runs the models of this folder in their arenas. Variables:
#   SPLITGEN  the tool
#   PYTHON    a Python; where it has no packages numpy and onnx, all is skipped
cmake_minimum_required(VERSION 3.22)
set(here "${CMAKE_CURRENT_LIST_DIR}")
cmake_path(SET root NORMALIZE "${here}/../..")

set(has_packages 1)
if(PYTHON)
    execute_process(COMMAND "${PYTHON}" -c "import numpy, onnx" RESULT_VARIABLE has_packages OUTPUT_QUIET ERROR_QUIET)
endif()
if(NOT has_packages EQUAL 0)
    message("SKIPPED: python3 has no numpy and onnx: python3 -m pip install onnx, in a virtual environment")
    return()
endif()

# place(<model> <what the program has to say of it> <option of splitgen>...)
function(place model said)
    execute_process(COMMAND "${PYTHON}" "${here}/run.py" "${SPLITGEN}" "${root}/include" "${root}/runtime" "${here}/${model}" ${ARGN}
                    RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE error)
    if(NOT exit EQUAL 0 OR NOT out STREQUAL "${model}: ${said}; outputs equal to the bit\n")
        message(FATAL_ERROR "exit ${exit}\n${out}${error}but what is right is\n${model}: ${said}; outputs equal to the bit")
    endif()
    string(STRIP "${out}" out)
    message("${out}")
endfunction()

place(block.onnxtxt "2 of 2 nodes that move data do nothing, 0 of 3456 bytes are copied; an arena of 2880 bytes, at least 2880"
      -D images=1)
place(block.onnxtxt "0 of 2 nodes that move data do nothing, 6912 of 6912 bytes are copied; an arena of 9216 bytes, at least 9216"
      -D images=2)
place(block.onnxtxt "2 of 2 nodes that move data do nothing, 0 of 6912 bytes are copied; an arena of 5760 bytes, at least 5760"
      -D images=2 --strided=HardSwish,Add --strided-read=HardSwish,Add,Sigmoid)
place(attention.onnxtxt "1 of 3 nodes that move data do nothing, 512 of 608 bytes are copied; an arena of 416 bytes, at least 384")
place(cell.onnxtxt "0 of 2 nodes that move data do nothing, 192 of 192 bytes are copied; an arena of 352 bytes, at least 256")
place(cell.onnxtxt "1 of 2 nodes that move data do nothing, 32 of 192 bytes are copied; an arena of 224 bytes, at least 224"
      --strided=Abs,Mul,Add --strided-read=Mul,Add,Tanh,Neg)

execute_process(COMMAND "${PYTHON}" "${here}/decode.py" "${SPLITGEN}" "${root}/include" "${root}/runtime" 12
                RESULT_VARIABLE exit OUTPUT_VARIABLE out ERROR_VARIABLE error)
if(NOT exit EQUAL 0 OR NOT out MATCHES "float16, heads: 8, [^\n]* 512, 512, 512 bytes, of new keys and values: 512; outputs equal to the bit\n$")
    message(FATAL_ERROR "decode.py: exit ${exit}\n${out}${error}")
endif()
string(STRIP "${out}" out)
message("${out}")
