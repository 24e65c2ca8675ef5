"""The files of the project, in memory: a test plants faults in a copy of the dictionary."""
import os

from testing import SOURCE, fail


def read(*tops):
    """{path: text} of all files, or of those below these paths, without build folders, git's and Python's own. Bytes
    that are not UTF-8 become surrogates."""
    tree = {}
    for top in tops or os.listdir(SOURCE):
        if not tops and (top == ".git" or top == "build" or top.startswith("build-")):
            continue
        paths = [SOURCE / top]
        if paths[0].is_dir():
            paths = [path for path in paths[0].rglob("*") if path.is_file() and path.parent.name != "__pycache__"]
        for path in paths:
            tree[path.relative_to(SOURCE).as_posix()] = path.read_text("utf-8", "surrogateescape")
    return dict(sorted(tree.items()))


def expect_none(breaches, why):
    """Fails if there is a breach."""
    __tracebackhide__ = True
    breaches = list(breaches)
    if breaches:
        fail(f"{why}:\n  " + "\n  ".join(breaches))


def changed(tree, path, old, new):
    """The tree with another text in a file, whose text has the old one; without the file if the new one is None."""
    assert new is None or old in tree[path], f"'{old}' is not in {path}"
    return {name: text.replace(old, new) if name == path else text for name, text in tree.items()
            if new is not None or name != path}
