"""After an error all files are unchanged: full disks, closed pipes, interrupts, wrong inputs."""
import os
import signal
import subprocess

import pytest
from testing import CUT, HANG, exactly, regex

FILES = "bad.lua", "cut.lua", "k.c", "param.lua"


@pytest.fixture
def work(work):
    work.write("cut.lua", CUT)
    work.write("bad.lua", "return split { dtype = 'f32', shape = { 7 }, parts = 2 }\n")
    work.write("param.lua", "return split { dtype = 'u8', shape = { param('batch', 1), 4 }, axis = 1, parts = 2 }\n")
    work.write("k.c", "old\n")
    return work


def unchanged(work):
    __tracebackhide__ = True
    work.expect_files(*FILES)
    work.expect_file("k.c", exactly("old\n"))


def test_wrong_inputs(work):
    work.splitgen("bad.lua --emit=c,h -o k.c --depfile k.d", 1)
    unchanged(work)
    work.splitgen("param.lua -D bacth=1 -Werror -o k.c", 1, out="",
                  err=["warning: no input has a parameter or dim 'bacth'; did you mean 'batch'",
                       "<command line>:1:31: error: warnings are treated as errors\n"])
    unchanged(work)
    work.splitgen("param.lua -D bacth=1 -o x.c", err="warning: no input has a parameter or dim 'bacth'")
    work.expect_files(*FILES, "x.c")


def test_a_full_or_closed_output(work):
    work.splitgen("cut.lua > /dev/full", 3, err="cannot write standard output: No space left on device")
    work.splitgen("cut.lua --list > /dev/full", 3)
    work.splitgen("cut.lua >&-", 3, err="cannot write standard output: Bad file descriptor")
    work.splitgen("cut.lua -o /dev/full --header k.h", 3, err="cannot write '/dev/full': No space left on device")
    unchanged(work)


def closed(work, arguments):
    """Runs the tool with a pipe as standard output that nobody reads any more."""
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(["sh", "-c", f"exec splitgen {arguments}"], stdin=subprocess.DEVNULL, stdout=writer,
                          stderr=subprocess.PIPE, cwd=work.path, env=work.env, timeout=HANG, check=False)
    os.close(writer)
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("arguments", ["cut.lua", "--man -o /dev/stdout"])
def test_a_file_of_code_ends_with_an_error_when_the_reader_closes_the_pipe(work, arguments):
    code, err = closed(work, arguments)
    assert code == 3 and "Broken pipe" in err
    unchanged(work)


@pytest.mark.parametrize("arguments", [
    "--man", "--help", "--help=types", "--print=shape-rules", "--print=lua-api", "--print=bash", "--print=zsh",
    "--print=fish", "cut.lua --list", "cut.lua --list --format=json", "cut.lua --explain",
    "cut.lua --report=text", "cut.lua --report=json", "cut.lua --dump=plan", "cut.lua --list -o -"])
def test_text_for_reading_ends_silently_when_the_reader_closes_the_pipe(work, arguments):
    work.splitgen(arguments, out=regex("."))
    assert closed(work, arguments) == (0, "")


def test_a_limit_on_file_sizes_simulates_a_full_disk_for_temporary_files(work):
    work.run("ulimit -f 0; splitgen cut.lua --emit=c,h,svg -o k.c", 3, err="cannot write 'k.c': File too large")
    unchanged(work)


def test_one_of_several_files_cannot_be_written(work):
    work.splitgen("cut.lua --emit=c,h -o k.c --depfile no/such.d", 3)
    unchanged(work)
    work.splitgen("cut.lua --emit=c,h -o made/ --depfile no/such.d", 3)
    unchanged(work)
    (work / "k.h").mkdir()
    work.splitgen("cut.lua --emit=c,h -o k.c", 3, err="cannot write 'k.h': Is a directory")
    work.expect_files(*FILES, "k.h")
    work.expect_file("k.c", exactly("old\n"))


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_an_interrupt_removes_the_temporary_files(work, name):
    """The tool waits for a reader of the pipe, with the temporary file of the header already written."""
    os.mkfifo(work / "pipe")
    number = getattr(signal, name)
    process = subprocess.Popen([work.tool, "cut.lua", "-o", "pipe", "--header", "k.h"], cwd=work.path, env=work.env,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # nohup ignores it
    while not any(name.startswith(".splitgen-") for name in work.files()):
        assert process.poll() is None, "it ended without a reader"
        os.sched_yield()
    process.send_signal(number)
    assert process.wait(HANG) == -number
    work.expect_files(*FILES, "pipe")
    work.expect_file("k.c", exactly("old\n"))


def test_a_pipe_with_a_reader_gets_everything(work):
    want = work.splitgen("cut.lua").out.encode()
    os.mkfifo(work / "pipe")
    reader = os.open(work / "pipe", os.O_RDWR | os.O_NONBLOCK)
    assert len(want) < 32768, "more than a pipe holds"
    work.splitgen("cut.lua -o pipe")
    assert os.read(reader, len(want) + 1) == want
    os.close(reader)
