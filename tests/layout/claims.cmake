# Checks that no message of the tool claims what another program does, because that changes with its versions. Messages
# may name the owner of a word, a format or a function.
cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE files "${ROOT}/generator/*.c" "${ROOT}/generator/*.inc" "${ROOT}/generator/*.lua")
set(who "(ONNX Runtime|OpenVINO|PyTorch|NumPy|TensorFlow|TFLite|JAX|Keras|onnxruntime|tf2onnx)")
set(claims "refuses|accepts|rejects|crashes|would|makes|gives|ignores|computes|does")
set(breaches "")
foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REGEX REPLACE "\"[ \n]+\"" "" text "${text}") # strings continued on the next line
    string(REGEX REPLACE "[^\n\"]*//[^\n]*|/\\*([^*]|\\*[^/])*\\*/|--[^\n]*" "" text "${text}")
    string(REGEX MATCHALL "\"[^\"\n]*${who} (${claims})[^\"\n]*\"" found "${text}")
    foreach(claim IN LISTS found)
        string(APPEND breaches "  ${file}: ${claim}\n")
    endforeach()
endforeach()
if(breaches)
    message(FATAL_ERROR "messages say what other programs do:\n${breaches}")
endif()
