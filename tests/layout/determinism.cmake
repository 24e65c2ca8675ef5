# Runs the tool over one spec many times, from two folders, in two locales, with another home and
# time zone: every byte of every output must be the same each time. The spec builds its lengths by
# walking a table with string keys, whose order in plain Lua changes from process to process.
cmake_minimum_required(VERSION 3.25)

set(runs 20)
file(REMOVE_RECURSE "${SCRATCH}")
set(here "${SCRATCH}/here")
set(there "${SCRATCH}/somewhere/else")
set(spec [[
local parts = { query = 12, key = 4, value = 4, gate = 6, bias = 1, norm = 2, rope = 3, alpha = 5 }
local lengths, names, total = {}, {}, 0
for name, length in pairs(parts) do
  names[#names + 1], lengths[#lengths + 1] = name, length
  total = total + length
end
return split {
  name = "heads", dtype = "f32", shape = { param("batch", 4), total, 3 }, axis = 1,
  lengths = lengths, outputs = names,
}
]])
# This one has many unknown fields: their order in the messages matters too.
set(wrong_spec [[
return split { dtype = "f32", shape = { 4 }, parts = 2, zeta = 1, alpha = 2, mu = 3, beta = 4,
               omega = 5, gamma = 6, delta = 7 }
]])
foreach(folder IN ITEMS "${here}" "${there}")
    file(WRITE "${folder}/heads.lua" "${spec}")
    file(WRITE "${folder}/wrong.lua" "${wrong_spec}")
endforeach()

# A locale that writes 0,5: one of the system, or one made here, or the name of one.
set(comma LC_ALL=de_DE.UTF-8)
find_program(LOCALE locale)
find_program(LOCALEDEF localedef)
set(installed "")
if(LOCALE)
    execute_process(COMMAND "${LOCALE}" -a OUTPUT_VARIABLE installed ERROR_QUIET)
endif()
if(installed MATCHES "(^|\n)((de_DE|fr_FR|es_ES|it_IT|nl_NL|pl_PL)\\.(utf8|UTF-8))\n")
    set(comma "LC_ALL=${CMAKE_MATCH_2}")
elseif(LOCALEDEF)
    execute_process(COMMAND "${LOCALEDEF}" -i de_DE -f UTF-8 "${SCRATCH}/de_DE.UTF-8"
                    OUTPUT_QUIET ERROR_QUIET)
    if(EXISTS "${SCRATCH}/de_DE.UTF-8")
        set(comma LC_ALL=de_DE.UTF-8 "LOCPATH=${SCRATCH}")
    endif()
endif()

# generate(<run> <spec> <out>...): runs the tool, sets `code`, `text` (stdout) and `errors`.
function(generate run input)
    set(environment LC_ALL=C TZ=UTC HOME=/ LOGNAME=one)
    set(folder "${here}")
    if(run MATCHES "[13579]$")
        set(environment ${comma} TZ=Asia/Tokyo HOME=/nowhere LOGNAME=two)
        set(folder "${there}")
    endif()
    # By its name or, every third time, by its absolute path from another folder.
    math(EXPR third "${run} % 3")
    set(cwd "${folder}")
    if(third EQUAL 0)
        set(cwd "${SCRATCH}")
        set(input "${folder}/${input}")
    endif()
    execute_process(COMMAND "${CMAKE_COMMAND}" -E env ${environment} "${SPLITGEN}" ${ARGN} "${input}"
                    WORKING_DIRECTORY "${cwd}"
                    RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE errors)
    set(code "${code}" PARENT_SCOPE)
    set(text "${text}" PARENT_SCOPE)
    set(errors "${errors}" PARENT_SCOPE)
endfunction()

foreach(run RANGE 1 ${runs})
    set(out "${SCRATCH}/out/${run}")
    file(MAKE_DIRECTORY "${out}")
    generate(${run} heads.lua --emit=c,h,json -o "${out}/")
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "run ${run} failed with ${code}: ${errors}")
    endif()
    file(GLOB_RECURSE files RELATIVE "${out}" "${out}/*")
    list(SORT files)
    if(run EQUAL 1)
        set(first_files "${files}")
        list(LENGTH files count)
        if(NOT count EQUAL 3)
            message(FATAL_ERROR "three outputs were asked for, there are: ${files}")
        endif()
    elseif(NOT files STREQUAL first_files)
        message(FATAL_ERROR "run ${run} wrote '${files}', run 1 wrote '${first_files}'")
    endif()
    foreach(file IN LISTS files)
        execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files
                                "${SCRATCH}/out/1/${file}" "${out}/${file}" RESULT_VARIABLE differs)
        if(differs)
            message(FATAL_ERROR "'${file}' differs between runs 1 and ${run}, see ${SCRATCH}/out")
        endif()
    endforeach()
endforeach()

# The same bytes on standard output, and names in alphabetical order: equal runs by luck would not show that.
foreach(run RANGE 1 6)
    generate(${run} heads.lua)
    if(NOT code EQUAL 0)
        message(FATAL_ERROR "run ${run} failed with ${code}: ${errors}")
    endif()
    file(READ "${SCRATCH}/out/1/heads.c" written)
    if(NOT text STREQUAL written)
        message(FATAL_ERROR "standard output of run ${run} is not what -o wrote")
    endif()
endforeach()
file(READ "${SCRATCH}/out/1/heads.json" json)
string(JSON outputs GET "${json}" kernels 0 outputs)
string(JSON count LENGTH "${outputs}")
math(EXPR last "${count} - 1")
set(names "")
foreach(i RANGE ${last})
    string(JSON name GET "${outputs}" ${i} name)
    list(APPEND names "${name}")
endforeach()
if(NOT names STREQUAL "alpha;bias;gate;key;norm;query;rope;value")
    message(FATAL_ERROR "pairs walked the keys as '${names}'")
endif()

# Errors too, except for the path, which is printed as the user wrote it.
foreach(run RANGE 1 10)
    generate(${run} wrong.lua)
    if(NOT code EQUAL 1)
        message(FATAL_ERROR "exit ${code} for a wrong spec, not 1: ${errors}")
    endif()
    string(REPLACE "${here}/" "" errors "${errors}")
    string(REPLACE "${there}/" "" errors "${errors}")
    if(run EQUAL 1)
        set(first_errors "${errors}")
    elseif(NOT errors STREQUAL first_errors)
        message(FATAL_ERROR "errors of run 1:\n${first_errors}\nof run ${run}:\n${errors}")
    endif()
endforeach()
message(STATUS "${runs} equal runs, also with ${comma}")
