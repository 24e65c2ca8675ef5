"""What the tests of terminals share."""
import os
import pty
import subprocess

import pytest


def at_terminal(command, **more):
    """What a command prints to a terminal, which adds a CR before each LF. Skips the test if the system, a container for
    example, has no pseudo-terminals."""
    try:
        main, other = pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminal: {error}")
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=other, stderr=other, **more) as process:
        os.close(other)
        printed = b""
        while True:
            try:
                got = os.read(main, 65536)
            except OSError:  # the last writer is gone
                break
            if not got:
                break
            printed += got
        process.wait()
    os.close(main)
    return printed.replace(b"\r\n", b"\n")
