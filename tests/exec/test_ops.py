"""Ops and documented specs in the configurations of configs.py; group() there says which share a test of CTest. SPLITGEN_RUNS and
SPLITGEN_SEED in the environment are the number of random ops and their seed."""
import json
import os
import pathlib
import re

import pytest
from configs import HERE, compilers, group, plan
from kernels import CASES, SEED, Kernels, library
from testing import fail, given, share

PLAN = plan(given.get("all"))
RUNS = int(os.environ.get("SPLITGEN_RUNS") or given.get("runs", 1000))
SEED = int(os.environ.get("SPLITGEN_SEED") or SEED)

# Classes of ops that small random numbers never reach, the promised number of each; and sets of options, which
# alternate by batch.
CLASSES = (dict(many=60, wide=45, l2=45, llc=24, far=12, bits=400) if given.get("all")
           else dict(many=2, wide=2, l2=2, llc=2, far=2, bits=8))
CLASSES = {name: count * (share() or 100) // 100 for name, count in CLASSES.items()}
WAYS = ("", "--unroll=none", "--non-temporal=always", "--non-temporal=never", "--dispatch=static", "--isa=avx2",
        "--isa=avx512", "--isa=portable", "--tune=zen4 --non-temporal=always", "--tune=zen5",
        "--tune=goldencove --unroll=none", "--isa=avx2 --non-temporal=always",
        "--isa=avx512 --dispatch=static --non-temporal=always", "--isa=avx512,neon", "--tune=neoverse_v2",
        "--tune=zen4",
        "--isa=avx2 --tune=zen4 --non-temporal=always")


def configured(work, name):
    config = HERE[name]
    cc, cxx = compilers(config)
    harness = "" if cc == "tcc" or "fsanitize=address" in config.flags else given.get("harness", "")
    own = cc == "tcc" or "fsanitize" in config.flags or given.get("sanitizers")
    return Kernels(work, cc, cxx=cxx, standard=config.standard, options=config.options, flags=config.flags,
                   harness=harness, library="" if own else library())


def of_each(test):
    return pytest.mark.parametrize("config", [config for config in PLAN[test]
                                              if given.get("group", group(test, config)) == group(test, config)])


def take_share(test, config, count):
    """The configuration's share of a number of ops, rounded up."""
    shares = PLAN[test]
    return -(-count * shares[config] // sum(shares.values()))


def executed(work, test, config):
    """The counts that one configuration's test has written."""
    path = work.path.parents[1] / f"exec.{test}.{group(test, config)}" / f"test_{test}_{config}_/executed.txt"
    if not path.exists():
        fail(f"configuration {config} did not finish")
    return [int(word) for word in path.read_text().split()]


@of_each("random")
def test_random(work, config):
    kernels = configured(work, config)
    kernels.build_harness()
    target, counts, batch = take_share("random", config, RUNS), [0, 0, 0], 0
    while counts[0] < target:
        seed = SEED * 1000003 + list(PLAN["random"]).index(config) * 10007 + batch
        told = kernels.batch(f"batch_{batch}", "random", seed, min(1000, target - counts[0]), HERE[config].copies)
        counts = [a + b for a, b in zip(counts, told)]
        batch += 1
    work.write("executed.txt", " ".join(map(str, counts)))


def test_random_total(work):
    """All of the promised ops were executed, and about half and a quarter of them join and have strides (gen_ops.c)."""
    total, joins, strided = map(sum, zip(*(executed(work, "random", config) for config in PLAN["random"])))
    assert total >= RUNS
    if total > 300 and not os.environ.get("SPLITGEN_JOINS") and not os.environ.get("SPLITGEN_STRIDES"):
        assert joins >= total // 10 and strided >= total // 10


@of_each("classes")
def test_classes(work, config):
    kernels = configured(work, config)
    kernels.build_harness()
    kernels.use_prefix()
    configs, counts = list(PLAN["classes"]), []
    batch = configs.index(config)
    for kind, promised in CLASSES.items():
        target = left = take_share("classes", config, promised)
        while left > 0:
            count = min(20, left)  # very long functions; larger batches need gigabytes in compilers
            kernels.options = WAYS[batch % len(WAYS)].split()
            left -= kernels.batch(f"{kind}_{batch}", kind, SEED * 1000003 + batch, count)[0]
            batch += len(configs)
        counts.append(target - left)
    work.write("executed.txt", " ".join(map(str, counts)))


def test_classes_total(work):
    totals = map(sum, zip(*(executed(work, "classes", config) for config in PLAN["classes"])))
    for (kind, promised), total in zip(CLASSES.items(), totals):
        assert total >= promised, kind


@of_each("special")
def test_special(work, config):
    """The fixed ops of gen_special.c. The few largest take compilers longer than all others."""
    largest, largest_sanitized = (1000000000, 8000) if given.get("all") else (100, 60)
    kernels = configured(work, config)
    kernels.build_harness()
    ways = PLAN["special"][config]
    for way in ways[:1] if share() else ways:
        kernels.options = [way]
        copies = largest_sanitized if "asan" in config else largest
        if way == "--unroll=full":  # others are beyond its hard cap and, there, of no compiler's liking
            copies = 700
        kernels.batch(re.sub("[^a-z0-9]", "_", way), "special", copies)


@of_each("contract")
def test_contract(work, config):
    configured(work, config).contract(PLAN["contract"][config])


@of_each("fused")
def test_fused(work, config):
    """The kernels of models' Splits against the fused ones of --fuse, whose self-tests run too; and the self-test of a
    Concat with constants and more inputs than fit as parameters."""
    kernels = configured(work, config)
    runtime = kernels.runtime()
    support = kernels.support("tests/support/prng.c", "tests/exec/fused_main.c")
    for model, expected in (("fused.onnxtxt", {"apart": 10, "fused": 4}),
                            ("fused_packed.xml", {"apart": 3, "fused": 1})):
        stem = pathlib.PurePath(model).stem
        table, objects = '#include "fused_kernels.h"\n', []
        (work / stem).mkdir()
        for name, count in expected.items():
            work.splitgen(["--fuse"] * (name == "fused") + ["--prefix", f"{name}_", "--emit=c,h,json,test", "-o",
                          f"{stem}/{name}", CASES / model])
            objects.append(kernels.kernels(f"{stem}/{name}.c"))
            found = json.loads(work.read(f"{stem}/{name}.json"))["kernels"]
            assert len(found) == count, name
            table += "".join(f"extern const splitgen_kernel {kernel['name']}_kernel;\n" for kernel in found)
            rows = "".join(f'    {{&{kernel["name"]}_kernel, "{kernel["input"]["tensor"]}"}},\n' for kernel in found)
            table += f"const fused_kernel {name}[] = {{\n{rows}}};\nconst size_t n{name} = {count};\n"
        work.write(f"{stem}/table.c", table)
        objects.append(kernels.object(f"{stem}/table.c", "-std=c11", *kernels.flags, "-Wall", "-Wextra", "-Werror"))
        kernels.run(kernels.link(f"{stem}/run", *objects, *support, *runtime))
        kernels.self_test(f"{stem}/fused", runtime)
    given_names = [f"x{i}" for i in range(1, 38)]  # 40 inputs, 3 of them constants
    work.write("array/array.onnxtxt", f'''<ir_version: 10, opset_import: ["" : 18]>
net ({', '.join(f'float[2,3] {name}' for name in given_names)}) => (y)
<float[2,1] k = {{1.5, -2.0}}, float[2,0] e = {{}}> {{ y = Concat <axis = 1> (k, e, {', '.join(given_names)}, k) }}
''')
    work.splitgen(["--ops=concat", "--emit=c,h,test", "-o", "array/array", "array/array.onnxtxt"])
    kernels.self_test("array/array", runtime)
