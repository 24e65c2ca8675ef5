"""Generates and compiles the kernels of a case, and the plain C loops it is compared with.

Compiled files are cached in the build folder under a hash of everything they depend on. Times are processor seconds
(user and system) of the program itself, so that other programs do not count; sizes are bytes."""

import hashlib
import json
import os
import subprocess
import tempfile

from cases import Op
from loops import plain_loops
from machine import version


# The position of a short function in a cache line is worth an eighth of its time, and depends on the code before it in
# the file, which differs between peers and kernels.
_PLACEMENT = "-falign-functions=64"


class Refused(Exception):
    """splitgen does not support the op; the text says why."""


def _run(command):
    """Returns (exit code, output, errors, processor seconds)."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, errors):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "replace"))
        return process.returncode, *texts, usage.ru_utime + usage.ru_stime


def text_bytes(sections):
    """Machine code in an object, from the output of `size -A`: .text and related sections (.text.unlikely and
    similar)."""
    total = 0
    for line in sections.splitlines():
        words = line.split()
        if len(words) == 3 and (words[0] == ".text" or words[0].startswith(".text.")):
            total += int(words[1])
    return total


class Tool:
    def __init__(self, config, source):
        self.config = config
        self.spec = os.path.join(source, "suite.lua")
        self.folder = os.path.join(config["build"], "kernels")
        os.makedirs(self.folder, exist_ok=True)
        self.versions = {name: version(config[name]) for name in ("gcc", "clang")}
        self.headers = self._headers()

    def _splitgen(self, case, rows, *options, free=False):
        """Returns (text, seconds). free: the first dimension is open."""
        command = [self.config["splitgen"], "--color=never", *options]
        if case.notation:
            count = rows or case.rows
            notation = case.notation.format(rows=f"batch={count}?" if free else count)
            command += ["-e", f"{case.name}: {notation}"]
        else:
            command += [f"--only={case.name}", self.spec]
            command += ["-D", f"outer={rows}"] if rows else []
            command += ["-D", "free=1"] if free else []
            command += ["-D", "joins=1"] if case.joins else []
        code, text, errors, seconds = _run(command)
        if code:
            lines = [line for line in errors.splitlines() if "error:" in line]
            raise Refused(lines[0].split("error:", 1)[1].strip() if lines else errors)
        return text, seconds

    def resolve(self, case, rows=0):
        return Op(json.loads(self._splitgen(case, rows, "--emit=json")[0])["kernels"][0])

    def _compile(self, compiler, flags, text, stem):
        """Returns (shared library, {"compile_seconds", "text_bytes"})."""
        flags = [*flags, _PLACEMENT, "-std=c99", "-fPIC", "-c"]
        everything = [self.versions[compiler], *flags, text, self.headers]
        key = hashlib.sha256("\0".join(everything).encode())
        stem = os.path.join(self.folder, f"{stem}-{key.hexdigest()[:12]}")
        library, record = stem + ".so", stem + ".json"
        if os.path.exists(library) and os.path.exists(record):
            with open(record, encoding="utf-8") as file:
                return library, json.load(file)
        with open(stem + ".c", "w", encoding="utf-8") as file:
            file.write(text)
        seconds = self._checked([self.config[compiler], *flags, "-I", self.config["include"],
                                 stem + ".c", "-o", stem + ".o"])
        self._checked([self.config[compiler], "-shared", stem + ".o", "-o", library + ".new"])
        facts = {"compile_seconds": seconds, "text_bytes": text_bytes(_run(["size", "-A", "-d",
                                                                            stem + ".o"])[1])}
        os.replace(library + ".new", library)
        with open(record, "w", encoding="utf-8") as file:
            json.dump(facts, file)
        return library, facts

    @staticmethod
    def _checked(command):
        code, _, errors, seconds = _run(command)
        if code:
            raise RuntimeError(f"{' '.join(command)}: {errors}")
        return seconds

    def _headers(self):
        folder = os.path.join(self.config["include"], "splitgen")
        texts = []
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                texts.append(file.read())
        return "".join(texts)

    def build(self, case, rows, free=False):
        """rows: 0 for its own size; free: also the kernel with an open batch, if possible. Returns (Op, {competitor:
        (library, function)}, facts). Raises Refused."""
        op = self.resolve(case, rows)
        text, seconds = min((self._splitgen(case, rows) for _ in range(3)), key=lambda r: r[1])
        facts = {"generate_seconds": seconds, "c_bytes": len(text)}
        built = {}
        for compiler in ("gcc", "clang"):
            library, more = self._compile(compiler, ["-O2"], text,
                                          f"{case.name}-{rows}-{compiler}")
            built[f"splitgen_{compiler}"] = (library, f"{case.name}_kernel")
            facts.update({f"{compiler}_{key}": value for key, value in more.items()})
        if free and op.axis > 0 and not op.bits:
            text, _ = self._splitgen(case, rows, free=True)
            library, _ = self._compile("gcc", ["-O2"], text, f"{case.name}-{rows}-free")
            built["splitgen_free"] = (library, f"{case.name}_kernel")
        if op.in_bytes:
            loops = plain_loops(op)
            for label, flags in (("o3", ["-O3"]), ("native", ["-O3", "-march=native"])):
                library, _ = self._compile("gcc", flags, loops, f"{case.name}-{rows}-{label}")
                built[f"gcc_{label}"] = (library, "plain")
                if label == "o3" and not op.bits:
                    built["onnx2c"] = (library, "elements")
        return op, built, facts
