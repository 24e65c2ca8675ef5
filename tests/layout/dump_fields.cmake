# Checks that --dump prints a complete plan: the dumps read every field of every structure in the headers of plans,
# through a pointer to that structure. Reports forgotten fields; then removes some in a copy, to check that this is
# detected.
cmake_minimum_required(VERSION 3.25)

set(headers generator/plan/plan.h generator/plan/functions/function.h generator/plan/bits/bit_program.h)
set(dumps generator/plan/report/dump.c generator/plan/report/bits_dump.c generator/plan/report/dump_parts.c
    generator/plan/report/dump_functions.c)
# Structures, and fields as structure.field, that no stage has to print, with the reason.
set(exempt
    sg_plan_options # the request for a plan, not a field of it
    sg_plan.measured # costs, used by the search
    sg_memo)        # bodies cached for later splits: part of the search, not of a plan

# Removes comments, and characters that are special in CMake's lists.
function(read_code path out)
    file(READ "${path}" text)
    string(REPLACE ";" "@" text "${text}")
    string(REPLACE "[" "<" text "${text}")
    string(REPLACE "]" ">" text "${text}")
    string(REGEX REPLACE "/[*][^*]*[*]+([^/*][^*]*[*]+)*/" "" text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

# Whether a file that has pointers to a structure reads the field through one of them.
function(is_read structure field out)
    set(${out} FALSE PARENT_SCOPE)
    foreach(dump IN LISTS dumps)
        string(REGEX MATCHALL "${structure} [*][a-z_]+" pointers "${${dump}}")
        foreach(pointer IN LISTS pointers)
            string(REGEX REPLACE ".*[*]" "" pointer "${pointer}")
            if("${${dump}}" MATCHES "[^a-z0-9_.>]${pointer}->${field}[^a-z0-9_]")
                set(${out} TRUE PARENT_SCOPE)
            endif()
        endforeach()
    endforeach()
endfunction()

function(check root out)
    set(breaches "")
    set(unused ${exempt})
    set(count 0)
    foreach(dump IN LISTS dumps)
        read_code("${root}/${dump}" ${dump})
    endforeach()
    foreach(header IN LISTS headers)
        read_code("${root}/${header}" text)
        string(REGEX MATCHALL "typedef struct [a-z_]+ {[^}]*}" structures "${text}")
        foreach(text IN LISTS structures)
            string(REGEX MATCH "struct ([a-z_]+)" structure "${text}")
            set(structure "${CMAKE_MATCH_1}")
            string(REGEX MATCHALL "[a-z0-9_]+(<[A-Z_]+>)?@" fields "${text}")
            foreach(field IN LISTS fields)
                string(REGEX REPLACE "(<.*)?@" "" field "${field}")
                math(EXPR count "${count} + 1")
                if(structure IN_LIST exempt OR "${structure}.${field}" IN_LIST exempt)
                    list(REMOVE_ITEM unused "${structure}" "${structure}.${field}")
                    continue()
                endif()
                is_read("${structure}" "${field}" found)
                if(NOT found)
                    string(APPEND breaches "  ${header}: no dump in generator/plan/report prints ${structure}.${field}\n")
                endif()
            endforeach()
        endforeach()
    endforeach()
    foreach(name IN LISTS unused)
        string(APPEND breaches "  tests/layout/dump_fields.cmake: there is no ${name} to be exempt\n")
    endforeach()
    if(count LESS 100)
        string(APPEND breaches "  found ${count} fields, which are too few: do structures look otherwise now?\n")
    endif()
    set(${out} "${breaches}" PARENT_SCOPE)
endfunction()

check("${ROOT}" breaches)
if(breaches)
    message(FATAL_ERROR "every field of a plan has to be seen by --dump:\n${breaches}")
endif()

# expect(<message> <file> <regex> <replacement>): a copy of the tree with this replacement must be refused with this
# message.
set(tree "${SCRATCH}/tree")
set(wrong "")
function(expect message file regex replacement)
    file(REMOVE_RECURSE "${tree}")
    file(COPY "${ROOT}/generator/plan" DESTINATION "${tree}/generator")
    file(READ "${tree}/${file}" text)
    string(REGEX REPLACE "${regex}" "${replacement}" changed "${text}")
    if(changed STREQUAL text)
        set(wrong "${wrong}  '${regex}' is not in ${file}\n" PARENT_SCOPE)
    endif()
    file(WRITE "${tree}/${file}" "${changed}")
    check("${tree}" breaches)
    if(NOT breaches STREQUAL "  ${message}\n")
        set(wrong "${wrong}  with ${file} changed it should say '${message}', says: ${breaches}\n" PARENT_SCOPE)
    endif()
endfunction()

expect("generator/plan/plan.h: no dump in generator/plan/report prints sg_choice.wind" generator/plan/plan.h
       "} sg_choice;" "    int64_t wind;\n} sg_choice;")
expect("generator/plan/plan.h: no dump in generator/plan/report prints sg_body.src" generator/plan/plan.h
       "} sg_body;" "    int src[SG_UARCH_COUNT]; /* others have one */\n} sg_body;")
expect("generator/plan/plan.h: no dump in generator/plan/report prints sg_constant.wide"
       generator/plan/report/dump_parts.c "constant->wide" "false")
expect("tests/layout/dump_fields.cmake: there is no sg_memo to be exempt" generator/plan/plan.h
       "struct sg_memo {" "struct SG_MEMO {")
if(wrong)
    message(FATAL_ERROR "this check does not notice all that it should:\n${wrong}")
endif()
