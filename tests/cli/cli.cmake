# Shared by the scripts of this folder. Each is called as cmake -DTOOL=.../splitgen -DWORK=folder -P script.cmake and
# works in WORK, which is created anew. sh runs commands, with the tool in the PATH.
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../support/kinds.cmake")

get_filename_component(tool_dir "${TOOL}" DIRECTORY)
set(ENV{PATH} "${tool_dir}:$ENV{PATH}")
set(ENV{LC_ALL} C)
foreach(name NO_COLOR FORCE_COLOR CLICOLOR_FORCE)
    unset(ENV{${name}})
endforeach()
file(REMOVE_RECURSE "${WORK}")
file(MAKE_DIRECTORY "${WORK}")

# fail(<text>...) ends the script and prints the last command.
function(fail)
    list(JOIN ARGN "" text)
    message(FATAL_ERROR "${text}\n--- command\n${COMMAND}\n--- exit\n${EXIT}\n--- stdout\n${OUT}"
                        "\n--- stderr\n${ERR}")
endfunction()

# run(<command> <exit code>) sets COMMAND, EXIT, OUT and ERR.
function(run command code)
    execute_process(COMMAND sh -c "${command}" WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE EXIT
                    OUTPUT_VARIABLE OUT ERROR_VARIABLE ERR TIMEOUT 60)
    set(COMMAND "${command}")
    if(NOT "${EXIT}" STREQUAL "${code}")
        fail("expected exit ${code}")
    endif()
    return(PROPAGATE COMMAND EXIT OUT ERR)
endfunction()

# expect_out(<regex>...), expect_err(<regex>...): every one must match.
function(expect_text what text)
    foreach(regex IN LISTS ARGN)
        if(NOT "${text}" MATCHES "${regex}")
            fail("${what} does not match: ${regex}")
        endif()
    endforeach()
endfunction()
function(expect_out)
    expect_text("standard output" "${OUT}" ${ARGN})
endfunction()
function(expect_err)
    expect_text("standard error" "${ERR}" ${ARGN})
endfunction()
function(expect_silence)
    if(NOT "${OUT}${ERR}" STREQUAL "")
        fail("expected no output")
    endif()
endfunction()
function(expect_no_err)
    if(NOT "${ERR}" STREQUAL "")
        fail("expected nothing on standard error")
    endif()
endfunction()
function(expect_no_out)
    if(NOT "${OUT}" STREQUAL "")
        fail("expected nothing on standard output")
    endif()
endfunction()

# expect_same(<what> <text> <text>)
function(expect_same what a b)
    if(NOT "${a}" STREQUAL "${b}")
        fail("${what} differs\n--- is\n${a}\n--- should be\n${b}")
    endif()
endfunction()

# expect_files(<name>...): the folder contains exactly these files, hidden ones included.
function(expect_files)
    file(GLOB found RELATIVE "${WORK}" "${WORK}/*" "${WORK}/.*")
    list(FILTER found EXCLUDE REGEX "^\\.\\.?$")
    set(wanted ${ARGN})
    list(SORT found)
    list(SORT wanted)
    expect_same("the folder" "${found}" "${wanted}")
endfunction()

# expect_file(<name> <content>)
function(expect_file name content)
    file(READ "${WORK}/${name}" text)
    expect_same("${name}" "${text}" "${content}")
endfunction()

function(write name content)
    file(WRITE "${WORK}/${name}" "${content}")
endfunction()

# One op in a spec, for scripts that need a file.
set(SPEC "return split {\n  name = 'cut', dtype = 'f32', shape = { 2, 6 }, axis = 1,\n"
         "  lengths = { 2, 4 }, outputs = { 'a', 'b' },\n}\n")
string(CONCAT SPEC ${SPEC})
