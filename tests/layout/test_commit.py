"""The commit in --version (generator/cmake/SplitgenCommit.cmake): the same in every clone, and none if the folder is
not a clone."""
import os

from testing import SOURCE, needs

COMMIT = f"""include("{SOURCE}/generator/cmake/SplitgenCommit.cmake")
splitgen_commit("${{FOLDER}}" commit log)
message("${{commit}}|${{log}}")
"""


def test_the_commit_of_a_folder(work):
    needs("git")
    work.env = {name: text for name, text in work.env.items() if not name.startswith("GIT_")}
    work.env.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1")
    work.write("commit.cmake", COMMIT)
    (work / "first").mkdir()

    def git(arguments):
        work.run(f"git -c user.name=n -c user.email=e {arguments}", cwd="first")

    def commit(folder):
        """The commit and the file that changes with it."""
        return work.run(f"cmake -DFOLDER='{work / folder}' -P commit.cmake").err.strip().split("|")

    git("init")
    assert commit("first")[0] == "", "a clone without commits"
    work.write("first/a", "a")
    git("add a")
    git("commit -m one")
    one, log = commit("first")
    assert len(one) >= 7 and set(one) <= set("0123456789abcdef") and os.path.isfile(log)
    git("clone . ../second")
    git("worktree add ../third")
    assert [commit(folder)[0] for folder in ("second", "third")] == [one, one]
    git("commit --allow-empty -m two")
    assert commit("first")[0] not in ("", one)
    work.write("first/archive/a", "a")
    assert commit("first/archive") == ["", ""], "an archive inside another clone"
