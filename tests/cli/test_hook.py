"""The hook of .pre-commit-hooks.yaml, run by pre-commit itself: it refuses a commit with a stale file and says why."""
import shutil

import pytest
from testing import CUT, SOURCE, regex


@pytest.mark.skipif(not shutil.which("pre-commit") or not shutil.which("git"), reason="pip install pre-commit")
def test_hook(work):
    work.env.update(PRE_COMMIT_HOME=str(work / "cache"), HOME=str(work.path), GIT_CONFIG_NOSYSTEM="1")
    for who in "AUTHOR", "COMMITTER":
        work.env.update({f"GIT_{who}_NAME": "n", f"GIT_{who}_EMAIL": "e"})
    for name in "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE":
        work.env.pop(name, None)
    work.write("splitgen/.pre-commit-hooks.yaml", (SOURCE / ".pre-commit-hooks.yaml").read_bytes())
    work.run("git init -q && git add . && git commit -qm hooks", cwd="splitgen")
    revision = work.run("git rev-parse HEAD", cwd="splitgen").out.strip()
    work.write("mine/cut.lua", CUT)
    work.write("mine/.pre-commit-config.yaml", f"""repos:
- repo: {work / "splitgen"}
  rev: {revision}
  hooks:
  - id: splitgen-check
    args: [cut.c, --header, cut.h, cut.lua]
  - id: splitgen-check
    args: [cut.json, --emit=json, cut.lua]
""")

    def mine(command, exit=0, *expected):
        work.run(f"exec 2>&1; {command}", exit, out=expected, cwd="mine")

    mine(
        "git init -q && splitgen cut.lua -o cut.c --header cut.h && splitgen cut.lua -o cut.json && pre-commit install && git add .")
    mine("git commit -m one", 0, regex(r"generated C is up to date[.]+Passed\n"))
    mine("sed -i 's/2, 4/3, 3/' cut.lua && git commit -am two", 1, regex(r"generated C is up to date[.]+Failed\n"),
         "cut.c", "cut.json")
    mine("splitgen cut.lua -o cut.c --header cut.h && splitgen cut.lua -o cut.json && git commit -am three")
    mine("echo > cut.h && git commit -am four", 1, "cut.h")
    mine("git checkout -qf HEAD && echo > notes.txt && git add . && git commit -m five", 0,
         "no files to check)Skipped\n")  # no generated file changed
