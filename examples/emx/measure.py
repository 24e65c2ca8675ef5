#!/usr/bin/env python3
"""What the arena and the kernels save in the C that emx-onnx-cgen prints for a model.

usage: measure.py SPLITGEN MODEL [NAME=SIZE ...]

NAME=SIZE gives a dimension of the model a number. The C is compiled as it was printed and by put_kernels.py with a
placement; both run on the same input, in turns. Says the bytes that nodes copy which only move data, the bytes that
one inference allocates, and the shortest time of one, before and after. Exit status 1 where an output has other
bytes. CC and CFLAGS are read (cc, -O2).
"""
import glob, os, re, shlex, subprocess, sys, tempfile

import onnx

import put_kernels

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
ROUNDS, SECONDS = 5, 0.3
# Fills inputs with numbers from -4 to 4, runs the model, and writes bytes allocated, seconds and outputs.
MAIN = """#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Bool net_load(const char *path);
{signature};
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
static size_t allocated;
void *__wrap_malloc(size_t size)
{{
    allocated += size;
    return __real_malloc(size);
}}

static void fill(float *values, size_t count)
{{
    static unsigned seed = 1;
    for (size_t i = 0; i < count; i++) {{
        seed = seed * 1664525U + 1013904223U;
        values[i] = (float)(int)(seed >> 16 & 0xffffU) / 8192.0F - 4.0F;
    }}
}}

{arrays}

int main(void)
{{
    double best = 1e9;
    size_t bytes = 0;
    if (!net_load("net.bin")) {{
        return 1;
    }}
    {fills}
    for (double spent = 0; spent < {seconds};) {{
        struct timespec begin, end;
        allocated = 0;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        net({names});
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        const double seconds = (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9;
        spent += seconds;
        best = seconds < best ? seconds : best;
        bytes = allocated;
    }}
    fprintf(stderr, "%zu %.9f\\n", bytes, best);
    {writes}
    return 0;
}}
"""


def write_main(text, folder):
    """A program for the model whose C this is; all inputs are of float."""
    parameters = put_kernels.NET.search(text).group(1)
    arrays = re.findall(r"(const )?(\w+) (\w+)((?:\[[^]]*\])+)", parameters)
    plain = [(const, kind, name, dims.replace("restrict ", "")) for const, kind, name, dims in arrays]
    if any(const and kind != "float" for const, kind, _, _ in plain):
        sys.exit("an input is not of float")
    with open(os.path.join(folder, "main.c"), "w", encoding="utf-8") as file:
        file.write(MAIN.format(
            signature=f"void net({parameters.replace('restrict ', '')})", seconds=SECONDS,
            arrays="\n".join(f"static {kind} {name}{dims};" for _, kind, name, dims in plain),
            fills="\n    ".join(f"fill((float *){name}, sizeof {name} / sizeof(float));"
                                for const, _, name, _ in plain if const),
            names=", ".join(f"(const void *){name}" if const else name for const, _, name, _ in plain),
            writes="\n    ".join(f"fwrite({name}, sizeof {name}, 1, stdout);"
                                 for const, _, name, _ in plain if not const)))


def write_shapes(model, plan, path):
    """Writes the model with the shapes that splitgen infers, without which emx-onnx-cgen refuses some models."""
    graph = model.graph
    types = {value.name: value.type.tensor_type.elem_type for value in [*graph.input, *graph.output]}
    names = {"f32": onnx.TensorProto.FLOAT, "f16": onnx.TensorProto.FLOAT16, "bool": onnx.TensorProto.BOOL,
             "i64": onnx.TensorProto.INT64, "i32": onnx.TensorProto.INT32}
    value_info = onnx.helper.make_tensor_value_info
    known = {t["name"]: value_info(t["name"], types.get(t["name"]) or names[t["dtype"]], t["shape"])
             for t in plan["tensors"] if t["shape"] is not None and t["dtype"] in names}
    for value in [*graph.input, *graph.output]:
        if value.name in known:
            value.CopyFrom(known.pop(value.name))
    del graph.value_info[:]
    graph.value_info.extend(known.values())
    onnx.save(model, path)


def main():
    splitgen, model, *sizes = sys.argv[1:]
    splitgen, model = os.path.abspath(splitgen), os.path.abspath(model)
    with tempfile.TemporaryDirectory() as folder:
        def run(*command):
            ran = subprocess.run(command, cwd=folder, capture_output=True)
            if ran.returncode != 0:
                sys.exit(f"{shlex.join(command)}\n{ran.stdout.decode()}{ran.stderr.decode()}")
            return ran

        def compile_c(name, *more):
            flags = shlex.split(os.environ.get("CFLAGS", "-O2"))
            run(os.environ.get("CC", "cc"), *flags, f"-I{ROOT}/include", "-o", name, "main.c", name + ".c", *more,
                "-Wl,--wrap=malloc", "-lm")

        run(splitgen, "--ops=all", "--emit=c,h,json,placement,placement-header", "-o", "kernels.c", model,
            *(word for size in sizes for word in ("-D", size)))
        plan = put_kernels.graph_of(os.path.join(folder, "kernels_placement.json"))
        write_shapes(onnx.load(model), plan, os.path.join(folder, "net.onnx"))
        run(sys.executable, "-m", "emx_onnx_cgen", "compile", "--model-name", "net", "--large-temp-threshold", "1",
            "net.onnx", "net.c")
        arena = run(sys.executable, put_kernels.__file__, "kernels.json", "kernels.h", "net.c", "kernels_placement.json")
        with open(os.path.join(folder, "arena.c"), "wb") as file:
            file.write(arena.stdout)
        with open(os.path.join(folder, "net.c"), encoding="utf-8") as file:
            write_main(file.read(), folder)
        compile_c("net")
        compile_c("arena", "kernels.c", *glob.glob(f"{ROOT}/runtime/*.c"))
        results = {"net": [], "arena": []}
        for _ in range(ROUNDS):
            for name, found in results.items():
                ran = run("./" + name)
                found.append((ran.stdout, *map(float, ran.stderr.split())))
    equal = len({output for found in results.values() for output, _, _ in found}) == 1
    nodes = [sum(node["does"] == what for node in plan["nodes"]) for what in ("nothing", "kernel", "copy")]
    before, after = ((int(found[0][1]), min(seconds for _, _, seconds in found)) for found in results.values())
    print(f"{os.path.basename(model)}: {nodes[0]} nodes are not called, {nodes[1]} call a kernel, "
          f"{nodes[2]} copy as before\n"
          f"copied bytes {plan['bytes_moved']:,} -> {plan['bytes_copied']:,}, allocated {before[0]:,} -> {after[0]:,}, "
          f"milliseconds {before[1] * 1e3:.3f} -> {after[1] * 1e3:.3f}, outputs {'equal' if equal else 'DIFFER'}")
    return 0 if equal else 1


if __name__ == "__main__":
    sys.exit(main())
