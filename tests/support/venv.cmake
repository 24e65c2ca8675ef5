# Creates a virtual environment with packages from PyPI in the build folder. Variables: PYTHON WORK, and VENV if tests
# of the same packages share one.

# get(<command>...): a command that needs the network, or a package of the system; if it fails, sets `skipped` and
# prints the reason, because nothing can be tested.
function(get)
    execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${WORK}" RESULT_VARIABLE result
                    OUTPUT_VARIABLE text ERROR_VARIABLE text)
    if(NOT result EQUAL 0)
        string(REPLACE ";" " " shown "${ARGN}")
        string(SUBSTRING "${text}" 0 1000 text)
        message("SKIPPED: '${shown}' failed: ${text}")
        set(skipped TRUE PARENT_SCOPE)
    endif()
endfunction()

# One test at a time.
function(venv_make)
    file(LOCK "${VENV}.lock" GUARD FUNCTION)
    if(NOT EXISTS "${python}")
        get("${PYTHON}" -m venv "${VENV}")
    endif()
    if(NOT skipped)
        get("${python}" -m pip install -q ${ARGN})
    endif()
    set(skipped "${skipped}" PARENT_SCOPE)
endfunction()

# venv(<package>...): sets `python` to the environment's.
macro(venv)
    file(MAKE_DIRECTORY "${WORK}")
    if(NOT VENV)
        set(VENV "${WORK}/venv")
    endif()
    set(python "${VENV}/bin/python")
    venv_make(${ARGN})
endmacro()
