"""Runs generator/cmake/apt.sh with a made-up dpkg and apt-get that only record their arguments. Installs nothing."""
import re
import shutil

import pytest
from testing import SOURCE, exactly, regex

LOG = 'echo "$*" >>"$CALLS"\n'


def command(work, name, text):
    work.write(f"bin/{name}", f"#!/bin/sh\n{text}").chmod(0o755)


@pytest.fixture
def work(work):
    """The PATH contains only these, so no real apt-get can run. "here" is installed, for two architectures; "gone" was
    removed, but its configuration remains."""
    for tool in "grep", "mktemp", "rm", "cat", "env":
        command(work, tool, f'exec {shutil.which(tool)} "$@"\n')
    command(work, "id", "echo 0\n")
    command(work, "dpkg-query", "for last; do :; done\ncase $last in here) echo installed; echo installed;; "
                                "gone) echo config-files;; *) exit 1;; esac\n")
    command(work, "apt-get", LOG)
    return work


def run(work, packages, exit, text, *calls):
    """Runs it; the calls of apt-get are a word and the packages each."""
    __tracebackhide__ = True
    work.write("calls", "")
    done = work.run([shutil.which("sh"), SOURCE / "generator/cmake/apt.sh", *packages.split()], exit,
                    env={"PATH": str(work / "bin"), "CALLS": str(work / "calls")})
    assert [re.sub(".* (install|update)( --no-install-recommends)?", r"\1", line)
            for line in work.read("calls").splitlines()] == list(calls)
    done.out += done.err
    done.expect(exit, out=text)


def test_what_is_missing_is_installed(work):
    run(work, "here here", 0, "")
    run(work, "here new gone", 0, exactly("apt.sh: installing new gone\n"), "install new gone")


def test_without_package_lists_the_first_install_fails_and_works_after_an_update(work):
    command(work, "apt-get", LOG + 'case "$*" in *update*) : >"$CALLS.lists";; *) test -e "$CALLS.lists";; esac\n')
    run(work, "new", 0, None, "install new", "update", "install new")


def test_without_network_update_is_tried_twice_and_the_reason_is_printed(work):
    command(work, "apt-get", LOG + "echo 'no such host'\nexit 100\n")
    run(work, "new", 1, regex("no such host\n.*could not install: new"),
        "install new", "update", "update", "install new")


def test_others_than_root_use_sudo_or_are_told_the_command(work):
    command(work, "id", "echo 1000\n")
    run(work, "new", 1, "as root, run: apt-get install new")
    command(work, "sudo", 'exec "$@"\n')
    run(work, "new", 0, None, "install new")


def test_on_another_system_the_build_reports_what_is_missing(work):
    (work / "bin/apt-get").unlink()
    run(work, "new", 0, regex("no apt-get here.* new"))
