# Checks that only the tables of facts about processors name processors, and that templates make no decision on a
# number. First plants a violation of each in a small tree, to check that it is detected.
cmake_minimum_required(VERSION 3.25)

# Facts, measurements, detection; tests and their results; documents about speed; older words of options.
set(may_name "^(tests/|README\\.md$|CHANGELOG\\.md$|generator/plan/machine/|generator/plan/MEASURED\\.md$|\
generator/driver/older\\.inc$|\
generator/docs/gallery\\.md$|include/splitgen/machines\\.h$|runtime/splitgen_cpu\\.c$)")

# In lower case. Excludes words that contain these, such as "frozen" and "intelligible", and AMD64, which is a
# compiler's name of x86-64.
set(start "(^|[^a-z])")
set(names "${start}zen[ 0-9]|znver|golden[ -]?cove|${start}intel([^a-z]|$)|${start}amd([^a-z0-9]|$)")
string(APPEND names "|emerald|sapphire|epyc|${start}xeon|neoverse|graviton")

# A comparison with a number other than 0 and 1, on either side; not a shift.
set(number "(-[0-9]|[2-9]|[01][0-9.x])")
set(decides "[^<>](==|~=|<=|>=|<|>) *${number}|[^a-z0-9_.]${number}[0-9.]* *(==|~=|<=|>=|<[^<]|>[^>])")

# check(<root> <breaches>): the violations in the tree.
function(check root out)
    set(breaches "")
    file(GLOB tops RELATIVE "${root}" "${root}/*")
    list(FILTER tops EXCLUDE REGEX "^(build|\\.)")
    foreach(top IN LISTS tops)
        if(IS_DIRECTORY "${root}/${top}")
            file(GLOB_RECURSE files RELATIVE "${root}" "${root}/${top}/*")
        else()
            set(files "${top}")
        endif()
        foreach(file IN LISTS files)
            if(file MATCHES "${may_name}" OR file MATCHES "\\.(bin|onnx|png|ppm|pyc)$")
                continue()
            endif()
            file(READ "${root}/${file}" text)
            string(TOLOWER "\n${text}" text)
            if(text MATCHES "\n([^\n]*(${names})[^\n]*)")
                string(APPEND breaches "  ${file}: names a processor: ${CMAKE_MATCH_1}\n")
            endif()
            if(file MATCHES "\\.tmpl$")
                string(REGEX REPLACE "\"[^\"\n]*\"|'[^'\n]*'" "''" text "${text}")
                string(REGEX REPLACE "--[^\n]*" "" text "${text}")
                if(text MATCHES "\n( *\\$[^\n]*(${decides})[^\n]*)")
                    string(APPEND breaches "  ${file}: decides on a number: ${CMAKE_MATCH_1}\n")
                endif()
            endif()
        endforeach()
    endforeach()
    set(${out} "${breaches}" PARENT_SCOPE)
endfunction()

# expect(<breach or ""> <path> <text>): the result for a tree with one such file.
set(wrong "")
function(expect message path text)
    file(REMOVE_RECURSE "${SCRATCH}/tree")
    file(WRITE "${SCRATCH}/tree/${path}" "${text}\n")
    check("${SCRATCH}/tree" breaches)
    if(NOT message STREQUAL "")
        set(message "  ${path}: ${message}\n")
    endif()
    if(NOT breaches STREQUAL message)
        set(wrong "${wrong}  of '${text}' it should say '${message}', says '${breaches}'\n" PARENT_SCOPE)
    endif()
endfunction()

foreach(name "zen 5" "uarch_zen4" "__znver4__" "golden cove" "goldencove" "an intel core" "amd's" "an amd" "emerald"
             "sapphire" "epyc" "a xeon" "neoverse" "graviton")
    expect("names a processor: /* ${name} */" generator/plan/body/a.c "/* ${name} */")
endforeach()
expect("" generator/plan/body/a.c "#if defined(_M_AMD64) /* a frozen dozen of intelligible words */")
foreach(path tests/a.c generator/plan/machine/cost.inc generator/plan/MEASURED.md include/splitgen/machines.h
             runtime/splitgen_cpu.c README.md CHANGELOG.md)
    expect("" ${path} "Zen 5")
endforeach()
foreach(code "if n > 8 then" "if n ~= 16 then" "if n <= 2 then" "if n == -1 then" "if 4 < n then" "x = n >= 10 and 1")
    expect("decides on a number: \$   ${code}" templates/a.tmpl "\$   ${code}")
endforeach()
foreach(code "if n > 1 and n == 0 then -- not > 8" "n = n >> 24" "n = \"x == 8\" .. n // 16" "if n1 < m then")
    expect("" templates/a.tmpl "\$   ${code}")
endforeach()
expect("" templates/a.tmpl "if (n > 8) {")
if(wrong)
    message(FATAL_ERROR "this check does not notice what it should:\n${wrong}")
endif()

check("${ROOT}" breaches)
if(breaches)
    message(FATAL_ERROR "names and numbers belong into generator/plan/machine and into the plan:\n${breaches}")
endif()
