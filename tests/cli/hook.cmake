# The hook of .pre-commit-hooks.yaml, run by pre-commit itself: it refuses a commit with a stale file and says why.
include("${CMAKE_CURRENT_LIST_DIR}/cli.cmake")
find_program(precommit pre-commit)
find_program(git git)
if(NOT precommit OR NOT git)
    message("SKIPPED: pip install pre-commit")
    return()
endif()
set(ENV{PRE_COMMIT_HOME} "${WORK}/cache")
set(ENV{HOME} "${WORK}")
set(ENV{GIT_CONFIG_NOSYSTEM} 1)
foreach(who AUTHOR COMMITTER)
    set(ENV{GIT_${who}_NAME} n)
    set(ENV{GIT_${who}_EMAIL} e)
endforeach()
foreach(variable GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE)
    unset(ENV{${variable}})
endforeach()

file(COPY "${CMAKE_CURRENT_LIST_DIR}/../../.pre-commit-hooks.yaml" DESTINATION "${WORK}/splitgen")
run("cd splitgen && git init -q && git add . && git commit -qm hooks" 0)
run("git -C splitgen rev-parse HEAD" 0)
string(STRIP "${OUT}" revision)
file(WRITE "${WORK}/mine/cut.lua" "${SPEC}")
file(WRITE "${WORK}/mine/.pre-commit-config.yaml" "repos:
- repo: ${WORK}/splitgen
  rev: ${revision}
  hooks:
  - id: splitgen-check
    args: [cut.c, --header, cut.h, cut.lua]
  - id: splitgen-check
    args: [cut.json, --emit=json, cut.lua]
")
run("cd mine && git init -q && splitgen cut.lua -o cut.c --header cut.h && splitgen cut.lua -o cut.json && pre-commit install && git add ." 0)
run("cd mine && git commit -m one" 0)
expect_text("pre-commit" "${OUT}${ERR}" "generated C is up to date[.]+Passed\n")
run("cd mine && sed -i 's/2, 4/3, 3/' cut.lua && git commit -am two" 1)
expect_text("pre-commit" "${OUT}${ERR}" "generated C is up to date[.]+Failed\n" "cut[.]c" "cut[.]json")
run("cd mine && splitgen cut.lua -o cut.c --header cut.h && splitgen cut.lua -o cut.json && git commit -am three" 0)
run("cd mine && echo > cut.h && git commit -am four" 1)
expect_text("pre-commit" "${OUT}${ERR}" "cut[.]h")
run("cd mine && git checkout -qf HEAD && echo > notes.txt && git add . && git commit -m five" 0)
expect_text("pre-commit" "${OUT}${ERR}" "no files to check[)]Skipped\n") # no generated file changed
