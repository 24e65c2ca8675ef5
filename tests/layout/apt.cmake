# Runs generator/cmake/apt.sh with a made-up dpkg and apt-get that only record their arguments. Installs nothing.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE "${SCRATCH}")
set(bin "${SCRATCH}/bin")
set(perms FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

function(command name text)
    file(WRITE "${bin}/${name}" "#!/bin/sh\n${text}")
    file(CHMOD "${bin}/${name}" ${perms})
endfunction()

# run(<packages>): sets `code`, `text`, and `calls` (one line per apt-get).
function(run)
    file(WRITE "${SCRATCH}/calls" "")
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PATH=${bin}" "${SH}"
                            "${ROOT}/generator/cmake/apt.sh" ${ARGN}
                    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE text)
    file(READ "${SCRATCH}/calls" calls)
    set(code "${code}" PARENT_SCOPE)
    set(text "${text}" PARENT_SCOPE)
    set(calls "${calls}" PARENT_SCOPE)
endfunction()

function(want_code wanted)
    if(NOT code STREQUAL wanted)
        message(FATAL_ERROR "exit ${code}, not ${wanted}: ${text}${calls}")
    endif()
endfunction()

# want_calls(<word>...): checks the apt-get calls, each given by a word and its last argument.
function(want_calls)
    string(REGEX REPLACE "[^\n]* (install|update)( --no-install-recommends)?" "\\1" short "${calls}")
    string(REPLACE "\n" ";" short "${short}")
    list(REMOVE_ITEM short "")
    if(NOT short STREQUAL "${ARGN}")
        message(FATAL_ERROR "apt-get was called as '${short}', not '${ARGN}'")
    endif()
endfunction()

# The PATH contains only these, so no real apt-get can run.
find_program(SH sh REQUIRED)
foreach(tool grep mktemp rm cat env)
    find_program(real_${tool} ${tool} REQUIRED)
    command(${tool} "exec ${real_${tool}} \"$@\"\n")
endforeach()
command(id "echo 0\n")
# "here" is installed, for two architectures; "gone" was removed, but its configuration remains.
command(dpkg-query "for last; do :; done\ncase \$last in here) echo installed; echo installed;; \
gone) echo config-files;; *) exit 1;; esac\n")
set(apt_log "echo \"$*\" >>'${SCRATCH}/calls'\n")

command(apt-get "${apt_log}")
run(here here)
want_code(0)
want_calls()
if(NOT text STREQUAL "")
    message(FATAL_ERROR "nothing to do, but it says: ${text}")
endif()

run(here new gone)
want_code(0)
want_calls("install new gone")
if(NOT text STREQUAL "apt.sh: installing new gone\n")
    message(FATAL_ERROR "wrong text: ${text}")
endif()

# No package lists yet: the first install fails, after an update the second works.
command(apt-get "${apt_log}case \"$*\" in *update*) : >'${SCRATCH}/lists';; \
*) test -e '${SCRATCH}/lists';; esac\n")
run(new)
want_code(0)
want_calls("install new" update "install new")

# No network: update is tried twice, and the reason is printed.
command(apt-get "${apt_log}echo 'no such host'\nexit 100\n")
run(new)
want_code(1)
want_calls("install new" update update "install new")
if(NOT text MATCHES "no such host\n.*could not install: new")
    message(FATAL_ERROR "wrong text: ${text}")
endif()

# Not root: uses sudo, or else prints the command.
command(id "echo 1000\n")
command(apt-get "${apt_log}")
run(new)
want_code(1)
want_calls()
if(NOT text MATCHES "as root, run: apt-get install new")
    message(FATAL_ERROR "wrong text: ${text}")
endif()
command(sudo "exec \"$@\"\n")
run(new)
want_code(0)
want_calls("install new")

# Another system: the build then reports what is missing.
file(REMOVE "${bin}/apt-get")
run(new)
want_code(0)
if(NOT text MATCHES "no apt-get here.* new")
    message(FATAL_ERROR "wrong text: ${text}")
endif()
