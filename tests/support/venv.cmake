# A virtual environment with packages from PyPI, kept in the build folder. Variables: PYTHON WORK

# get(<command>...): what needs the network, or a package of the system; where it fails, `skipped` is set and
# the reason printed, as nothing can be tested then.
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

# venv(<package>...): `python` is the environment's.
macro(venv)
    file(MAKE_DIRECTORY "${WORK}")
    set(python "${WORK}/venv/bin/python")
    if(NOT EXISTS "${python}")
        get("${PYTHON}" -m venv "${WORK}/venv")
    endif()
    if(NOT skipped)
        get("${python}" -m pip install -q ${ARGN})
    endif()
endmacro()
