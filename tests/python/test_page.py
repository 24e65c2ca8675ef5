"""Runs the Python of a page, block after block in one namespace, and compares what each prints with the text behind it.

usage: test_page.py SPLITGEN SOURCE_DIR SCRATCH CC PAGE
"""
import contextlib, io, os, re, sys

from staged import stage

splitgen, source_dir, scratch, cc, page = sys.argv[1:6]
os.makedirs(scratch, exist_ok=True)
os.environ.update(XDG_CACHE_HOME=os.path.join(scratch, "cache"), CC=cc)
sys.path.insert(0, stage(splitgen, source_dir, scratch))
with open(page) as file:
    blocks = re.findall(r"^```(python|text)\n(.*?)^```$", file.read(), re.M | re.S)
os.chdir(scratch)
namespace, count, failed = {"__name__": "page"}, 0, 0
for i, (kind, code) in enumerate(blocks):
    if kind != "python":
        continue
    expected = blocks[i + 1][1] if i + 1 < len(blocks) and blocks[i + 1][0] == "text" else ""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "%s, block %d" % (page, i + 1), "exec"), namespace)
    count += 1
    if printed.getvalue() != expected:
        failed += 1
        print("block %d of %s prints\n%s\nand not\n%s" % (i + 1, page, printed.getvalue(), expected))
print("%d blocks, %d failed" % (count, failed))
sys.exit(1 if failed or not count else 0)
