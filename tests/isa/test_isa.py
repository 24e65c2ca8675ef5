"""Executes ops through the models of an instruction set: every function version, on every machine that the runtime
distinguishes. Values of testing.given:

isa       a folder of models/
machines  the machines to simulate, ID:ISAS each; `all`: those that machines.c prints
caches    bytes of the last-level cache, one run per machine each; 64: nothing fits it
copies    maximum size of fixed ops (0: none)
random    number of random ones"""
import pytest
from kernels import C_WARNINGS, RUNTIME, SEED, Kernels, gen_ops
from testing import SOURCE, given


@pytest.fixture
def kernels(work):
    models = SOURCE / f"tests/isa/models/{given['isa']}"
    return Kernels(work, given["compiler"], flags=given["flags"], harness=given.get("harness", ""),
                   includes=[f"-I{models}"])


def test_ops(work, kernels):
    kernels.build_harness()
    machines = given["machines"].split()
    if machines == ["all"]:
        objects = kernels.linked[-len(RUNTIME):]
        main = kernels.object(SOURCE / "tests/isa/machines.c", "-std=c99", *C_WARNINGS, *kernels.flags)
        machines = kernels.run(kernels.link("machines", main, *objects)).out.replace(" ", ":").split()
    assert machines
    executed = 0
    for part, *numbers in ("special", given["copies"]), ("random", SEED, given["random"], 30000):
        if "0" in numbers:
            continue
        count = gen_ops(work, part, part, *numbers)
        kernels.make_batch(part)
        for machine in machines:
            for cache in given["caches"].split():
                name, isas = machine.rsplit(":", 1)
                kernels.env = {"SPLITGEN_TEST_MACHINE": name, "SPLITGEN_TEST_ISAS": isas, "SPLITGEN_TEST_CACHE": cache}
                kernels.check_batch(part, count)
                executed += count
    assert executed
    print(f"executed {executed} ops on {len(machines)} machines")


def test_contract(kernels):
    kernels.contract(given["self_tests"].split())
