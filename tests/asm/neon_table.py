"""Prints how many instructions a byte of the input costs on AArch64, in kernels made by splitgen and in the loops of
neon_peers.c: all, and of them those on vectors that neither load nor store. qemu runs them one at a time and writes
down where it is.

    neon_table.py SPLITGEN FOLDER COMPILER OBJDUMP"""
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parents[1]
ROWS = 1008
SIZES = [(bits, ways) for bits in (8, 16, 32) for ways in (2, 3, 4)]


def run(*command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def main():
    tool, folder, compiler, objdump = sys.argv[1:]
    if not compiler or not objdump:
        sys.exit("sudo apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    ops = "; ".join(f"run_{bits}_{ways}: u{bits}[8192,{ways}] @1 -> /{ways}" for bits, ways in SIZES)
    run(tool, "--isa=neon", "-e", ops, "-o", folder / "kernels.c")
    run(compiler, "-O2", "-static", f"-I{SOURCE}/include", HERE / "neon_peers.c", folder / "kernels.c",
        *(SOURCE / "runtime").glob("*.c"), "-o", folder / "neon_count")
    code = run(objdump, "-d", "--no-show-raw-insn", folder / "neon_count")
    text = dict(re.findall("^ +([0-9a-f]+):\t(.*)", code, re.M))
    vector = {address for address, insn in text.items()
              if re.search(r"[ \t,{](v[0-9]+\.|[qd][0-9])", insn) and not re.match("(ld|st)", insn)}

    def count(form, bits, ways, rows):
        """The instructions of one run: all, and those on vectors."""
        run("qemu-aarch64", "-singlestep", "-d", "exec,nochain", "-D", folder / "trace", folder / "neon_count", form,
            bits // 8, ways, rows)
        with open(folder / "trace") as trace:
            places = [line.split("/")[1].lstrip("0") for line in trace if line.startswith("Trace")]
        return len(places), sum(place in vector for place in places)

    print("Instructions per byte of the input, in brackets those on vectors between loads and stores:\n\n"
          "| split | splitgen | ld | cv | uzp |\n| --- | --- | --- | --- | --- |")
    for bits, ways in SIZES:
        row = f"| u{bits} {ways}-way |"
        for form in "run", "ld", "cv", "uzp":
            if form == "uzp" and ways == 3:
                row += " |"
                continue
            both = zip(count(form, bits, ways, 2 * ROWS), count(form, bits, ways, ROWS))
            row += " {:.3f} ({:.3f}) |".format(*((more - less) / (ROWS * bits // 8 * ways) for more, less in both))
        print(row, flush=True)


main()
