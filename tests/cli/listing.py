"""What the tests of models share: expectations of --list."""
import re

from testing import fail, regex, without

MODEL = '<ir_version: 10, opset_import: ["" : 18]>\n'
TOTALS = r"total: [^\n]*\n(with --emit[^\n]*\n)?(\d+ of \d+ [^\n]*\n)?$"


def model(work, name, text):
    """Writes a model of opset 18."""
    work.write(name, MODEL + text)


def lists(*lines):
    """An expectation: --list prints these lines, of which the beginning is given, and no others before the totals."""
    starts = [re.escape(line) if isinstance(line, str) else line.pattern for line in lines]
    starts = [re.sub(r"\\? ", " +", start) for start in starts]  # in columns
    return regex("^" + "".join(start + r"[^\n]*\n" for start in starts) + TOTALS)


def listed(work, arguments, *lines, err=(without("error: "), without("warning: "))):
    """Expects exactly these lines of --list, without columns and how parts are copied, and before the totals."""
    __tracebackhide__ = True
    done = work.splitgen(f"--list {arguments}", err=err)
    text = re.sub(r"; [^;\n]* copied: [^;\n]*|(?<=[0-9]) +(view|copy|empty|strided)\b", "", done.out)
    text = re.sub(r" +(?=;|$)", "", re.sub(r" +", " ", text), flags=re.M)
    found = re.split(r"^total: ", text, flags=re.M)[0].splitlines()
    if found != list(lines):
        fail("\n".join(["it should list:", *lines, "but lists:", *found, str(done)]))
